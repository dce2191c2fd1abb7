// The sheet at the foot of the page: which card, what it takes, what was called. What may be is what the hints say; what was may be written too.

import { codes, make } from "../replay/dom.js";
import { button, data, deck, fill, labelled, part, row, select, word } from "./dom.js";
import * as grid from "./grid.js";
import { actions, deal, halves, named, round } from "./record.js";
import { nameOf, variantOf } from "./table.js";

/** The sheet for one game; `moves` is what its buttons can do (main.js). */
export class Turn {
  constructor(moves) {
    this.moves = moves;
    this.clear();
  }

  clear() {
    this.choice = null;
    this.picking = null;
    this.question = null;
    this.unusual = false;
  }

  /** Whether a card is asked for from the draw pile. */
  drawing(game, told) {
    return told && !told.errors ? told.part === "draw" : halves(game.turn).length === 1;
  }

  show(game, told) {
    this.game = game;
    this.told = told && !told.errors ? told : null;
    this.errors = told?.errors ?? null;
    const { says, choices, codes: shown, state } = this.laying() ?? this.asking();
    part("says").textContent = says;
    fill(part("choices"), ...choices);
    grid.show(shown, state, (code, copy) => this.moves.tap(code, copy));
    part("grid").hidden = Boolean(this.choice || this.question) || (this.told?.part === "over" && !game.laying && game.edit === null) || this.told?.part === "call";
    part("type-label").textContent = part("typed").ariaLabel = word(game.laying ? "typecards" : "typeturn");
  }

  get deckCodes() {
    return this.game.deck ?? variantOf(this.game).deck;
  }

  // -- the deal

  list() {
    const { game } = this;
    const dealt = deal(game);
    if (game.laying === "field") return codes(dealt.field);
    if (game.laying === "pile") return codes(dealt.draw_pile);
    return codes(dealt.hands?.[game.laying - 1]);
  }

  laying() {
    const { game } = this;
    if (!game.laying) return null;
    const sizes = game.sizes;
    const mine = this.list();
    const dealt = deal(game);
    const others = [...codes(dealt.field), ...(dealt.hands ?? []).flatMap((hand) => codes(hand)), ...codes(dealt.draw_pile)];
    for (const code of mine) others.splice(others.indexOf(code), 1);
    const count = (each, list, size) => `${each} ${codes(list).length}${size === undefined ? "" : `/${size}`}`;
    const places = [["field", count(word("field"), dealt.field, sizes?.field)],
      ...game.record.players.map((player, at) => [at + 1, count(word("handof", { name: player.name }), dealt.hands?.[at], sizes?.hands[at])]),
      ["pile", count(word("drawpile"), dealt.draw_pile, sizes?.draw_pile)]];
    const tabs = places.map(([place, text]) => button(text, () => this.moves.lay(place), { classes: "chip", key: `lay ${place}`, "aria-pressed": String(game.laying === place), "data-lay": place }));
    const says = game.laying === "field" ? word("layfield", { n: sizes?.field ?? "" }) : game.laying === "pile" ? word("laypile") : word("layhand", { n: sizes?.hands[game.laying - 1] ?? "" });
    const order = mine.length && game.laying === "pile" ? [row(mine, word("drawpile"))] : [];
    const dealer = labelled(word("dealerof"), select(game.record.players.map((player, at) => [at + 1, player.name]), round(game).dealer, (seat) => this.moves.deals(Number(seat)), { "data-key": "dealer", "data-round-dealer": "" }), "rec-dealer");
    const choices = [make("div", "rec-tabs", {}, ...tabs), ...order, dealer, button(word("play"), () => this.moves.lay(null), { classes: "button primary", "data-play": "" }), ...this.failings()];
    const on = grid.counted(mine);
    const taken = (code, copy) => copy < mine.filter((each) => each === code).length + others.filter((each) => each === code).length;
    return { says, choices, codes: this.deckCodes, state: (code, copy) => (on(code, copy) ? "on" : taken(code, copy) ? "gone" : "can") };
  }

  failings() {
    return (this.errors ?? []).map((error) => make("p", "notice", {}, [error.token, error.detail].filter(Boolean).join(": ")));
  }

  // -- a turn

  asking() {
    const { game, told } = this;
    const seen = told ? [...codes(told.field), ...told.piles.flatMap(codes)] : named(game);
    const gone = grid.counted(seen);
    const can = new Set((told?.cards ?? []).map((each) => each.code));
    const picked = this.picking ? grid.counted(this.picking.taken) : () => false;
    const state = (code, copy) => {
      if (this.picking) return picked(code, copy) ? "on" : told ? (codes(told.field).includes(code) ? "can" : "") : "can";
      if (gone(code, copy)) return "gone";
      return told ? (can.has(code) ? "can" : "") : "can";
    };
    return { says: this.says(), choices: this.choices(), codes: this.deckCodes, state };
  }

  says() {
    const { game, told } = this;
    if (this.errors) return word("unread");
    if (this.question) return word("unlawful");
    const what = this.choice ?? this.picking;
    if (what) return word("takes", { card: deck.title(what.code) });
    const name = told?.next ? nameOf(game, told.next) : "";
    const before = game.edit === null ? "" : `${word("correcting", { n: game.edit + 1 })}. `;
    if (told?.part === "over") return before + word("over", { how: data.ends[told.ended] ?? "" });
    if (told?.part === "halted") return before + word("halted");
    if (told?.part === "call") return word("call", { name });
    const drawing = this.drawing(game, told);
    if (!told) return before + word(drawing ? "anydraw" : "anyhand");
    return before + word(drawing ? "fromdraw" : "fromhand", { name });
  }

  choices() {
    const { game, told, moves } = this;
    if (this.question) {
      const why = this.question.faults.map((each) => make("li", "", {}, `${data.faults[each.code] ?? each.code} (${each.rule})`));
      return [make("ul", "rec-why", {}, ...why), button(word("itis"), this.question.yes, { classes: "button", "data-admit": "" }), button(word("itisnot"), this.question.no, { classes: "button primary" })];
    }
    if (this.picking) return this.pickers();
    if (this.choice) {
      const plays = this.choice.plays.map((play) => button(play.takes ? word("takesthis", { cards: codes(play.takes).map((code) => deck.title(code)).join(", ") }) : word("stays"), () => moves.choose(play.half), { classes: "button rec-play", key: play.half, "data-half": play.half }, ...codes(play.takes).map((code, at) => deck.picture(code, at, true))));
      return [...plays, button(word("else"), () => moves.pick(this.choice.code), { classes: "button quiet" }), button(word("cancel"), () => moves.cancel(), { classes: "button quiet" })];
    }
    const found = [...this.failings()];
    if (told?.part === "call") {
      found.push(...told.calls.map((call) => button(word(call), () => moves.say(`${told.turn} ${call}`), { classes: "button primary", "data-call": call })));
      found.push(button(word("nocall"), () => moves.whole(), { classes: "button quiet" }));
    }
    for (const opening of told?.openings ?? []) found.push(button(word(opening), () => moves.say(opening), { classes: "button", "data-say": opening }));
    for (const hiki of told?.hiki ?? []) found.push(button(word("hiki", { month: data.months[hiki.slice(1) - 1] }), () => moves.choose(hiki), { "data-half": hiki }));
    for (const other of game.edit === null ? (told?.others ?? []) : []) {
      const name = nameOf(game, other.seat);
      for (const card of other.cards) found.push(button(word("lightning", { name }), () => moves.other(other.seat, card), { "data-other": other.seat }));
      for (const hiki of other.hiki) found.push(button(word("hikiof", { name, month: data.months[hiki.slice(1) - 1] }), () => moves.say(`${other.seat}: ${hiki}`), { key: `${other.seat} ${hiki}`, "data-other-hiki": `${other.seat}: ${hiki}` }));
    }
    if (told?.part === "over" && game.edit === null) found.push(button(word("endround"), () => moves.finish(), { classes: "button primary", "data-finish": "" }));
    if (game.edit !== null) found.push(button(word("keepold"), () => moves.keepOld(), { classes: "button quiet" }));
    return found;
  }

  pickers() {
    const { picking, moves } = this;
    const half = (taken) => (taken.length ? `${picking.code}x${taken.join("+")}` : picking.code);
    const these = picking.taken.length ? [button(word("these", { cards: picking.taken.map((code) => deck.title(code)).join(", ") }), () => moves.choose(half(picking.taken)), { classes: "button primary", "data-these": "" })] : [];
    return [make("p", "small", {}, word("pick")), ...these,
      button(word("stays"), () => moves.choose(half([])), { "data-stays": "" }),
      button(word("must"), () => moves.choose(`${picking.code}x`), { "data-must": "" }),
      button(word("cancel"), () => moves.cancel(), { classes: "button quiet" })];
  }

  /** The last turn, for what is added to it later. */
  get last() {
    return actions(this.game).length ? round(this.game).actions.at(-1) : "";
  }
}
