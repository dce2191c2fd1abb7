// What lies on the table and who sits at it, as the engine last said; and the turns so far.

import { codes, make, pointWord, points } from "../replay/dom.js";
import { button, data, deck, fill, part, row, word } from "./dom.js";
import { crop } from "./grid.js";
import { actions, round } from "./record.js";

export const nameOf = (game, seat) => game.record.players[seat - 1]?.name ?? "";
export const sidesOf = (game) => game.record.sides ?? game.record.players.map((_, seat) => [seat + 1]);
export const sideName = (game, side) => sidesOf(game)[side].map((seat) => nameOf(game, seat)).join(" + ");
export const variantOf = (game) => data.games.find((each) => each.id === game.record.variant);
export const yakuName = (game, id) => variantOf(game).yaku.find((each) => each.id === id)?.name ?? id;

function cropped(list) {
  list.querySelectorAll("svg").forEach(crop);
  return list;
}

/** The field, a line a seat, what is within reach. */
export function showTable(game, told) {
  const dealer = round(game).dealer;
  const known = told && !told.errors ? told : null;
  const field = known ? known.field : (round(game).deal?.field ?? "");
  const seats = game.record.players.map((player, at) => {
    const seat = at + 1;
    const side = sidesOf(game).findIndex((each) => each.includes(seat));
    const first = sidesOf(game)[side]?.[0] === seat;
    const marks = [seat === dealer ? make("span", "tag", {}, word("deals")) : null, known?.next === seat && known.part !== "deal" ? make("span", "tag rec-next", {}, word("toplay")) : null];
    const facts = known ? [word("inhand", { n: known.hand_counts[at] }), word("captured", { n: codes(known.piles[at]).length }), first && known.points ? word(pointWord(known.points[side]), { n: points(known.points[side]) }) : ""] : [];
    const made = (known?.yaku[side] ?? []).filter((each) => each.seat === seat);
    return make("li", `rec-seat${known?.next === seat ? " next" : ""}`, { "data-seat": seat },
      make("p", "row", {}, make("strong", "", {}, player.name), ...marks),
      facts.length ? make("p", "small soft rec-facts", {}, ...facts.filter(Boolean).map((fact) => make("span", "", {}, fact))) : null,
      made.length ? make("p", "small rec-made", {}, made.map((each) => `${yakuName(game, each.id)} (${points(each.points)})`).join(", ")) : null);
  });
  const possible = known ? known.possible_yaku.flatMap((side) => side.map((each) => make("li", "", {}, `${nameOf(game, each.seat)} · ${word("needs", { name: yakuName(game, each.id), cards: codes(each.need).map((code) => deck.title(code)).join(", ") })}`))) : [];
  fill(part("table"),
    make("h2", "visually-hidden", {}, word("field")),
    make("div", "rec-field", { "data-field": "" }, cropped(row(field, word("field")))),
    known ? make("p", "small soft", { "data-unseen": "" }, [word("indraw", { n: known.draw_count }), word("unseen", { n: codes(known.unseen).length })].join(" · ")) : null,
    make("ul", "plain rec-seats", {}, ...seats),
    possible.length ? make("details", "small", {}, make("summary", "", { "data-key": "possible" }, `${word("possible")} (${possible.length})`), make("ul", "", {}, ...possible)) : null);
}

const line = (text, act, { classes, ...attributes }) => make("p", classes, { "data-turn": attributes["data-turn"] }, text);

/** The turns, each a button that leads to what can be done with it (`open`; null: nothing can). */
export function showLog(game, told, open) {
  const faults = new Map();
  for (const fault of told?.faults ?? []) faults.set(fault.action, [...(faults.get(fault.action) ?? []), fault]);
  const lines = actions(game).map((action, at) => {
    const wrong = faults.get(at + 1) ?? [];
    const note = round(game).notes?.[at + 1];
    return make("li", wrong.length ? "wrong" : "", {},
      (open ? button : line)(action.replaceAll("x", " × "), () => open(at), { classes: `rec-line${game.edit === at ? " on" : ""}`, key: `turn ${at}`, "data-turn": at + 1 }),
      wrong.length ? make("p", "small rec-fault", {}, wrong.map((each) => `${data.faults[each.code] ?? each.code} (${each.rule})`).join("; ")) : null,
      note ? make("p", "small soft", {}, note) : null);
  });
  fill(part("log"), make("h2", "", { id: "rec-log-title" }, word("turns")), lines.length ? make("ol", "rec-turns", {}, ...lines) : make("p", "soft", {}, word("noturn")));
}
