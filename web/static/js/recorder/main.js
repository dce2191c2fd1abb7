// The recorder. One game is open; each tap is kept in the browser before the server is asked what it means.

import { make } from "../replay/dom.js";
import { button, data, dialog, download, fill, input, labelled, part, select, word } from "./dom.js";
import * as finish from "./finish.js";
import * as hints from "./hints.js";
import * as holding from "./holding.js";
import * as keep from "./keep.js";
import * as presence from "./presence.js";
import * as queue from "./queue.js";
import * as record from "./record.js";
import * as setup from "./setup.js";
import { nameOf, showLog, showTable, variantOf } from "./table.js";
import { Turn } from "./turn.js";

let game = null;
let told = null;
let admitted = 0;
let busy = Promise.resolve();

/** What is tapped while the server is asked waits its turn. */
const act = (step) => { busy = busy.then(step).catch((error) => { notice(String(error)); reportError(error); }); return busy; };

const notice = (text, ...more) => {
  part("notice").hidden = !text;
  part("notice").replaceChildren(text ?? "", ...more);
  if (text) part("notice").scrollIntoView({ block: "nearest" });
};

function save() {
  if (!holding.writes()) return;
  if (!keep.save(game)) notice(word("lost"));
  holding.changed();
}

function draw() {
  const open = game !== null;
  const mine = open && holding.writes();
  part("setup").hidden = open;
  for (const name of ["table", "log"]) part(name).hidden = !open;
  part("sheet").hidden = !mine;
  document.body.classList.toggle("at-table", open);
  state();
  if (!open) return;
  part("title").textContent = `${variantOf(game).name} · ${word("round", { n: game.at + 1 })}`;
  showTable(game, told);
  showLog(game, told, mine ? turnDialog : null);
  turn.show(game, told);
  bar();
}

function state() {
  hints.show(part("state"));
}

/** Asks the server what the game looks like now. */
async function refresh() {
  const answer = await hints.ask(game);
  told = answer;
  if (answer?.table) {
    game.deck = answer.table.deck;
    game.sizes = answer.table;
    if (answer.part === "deal" && !game.laying) game.laying = "field";
  }
}

async function changed() {
  turn.clear();
  save();
  await refresh();
  draw();
}

/** After a half: is the turn whole, and lawful? */
async function settle(before) {
  turn.clear();
  save();
  await refresh();
  if (!told) {
    if (record.halves(game.turn).length >= 2) await committed();
  } else if (told.errors) {
    game.turn = before;
    notice(told.errors.map((each) => each.detail).join(" "));
    await refresh();
    save();
  } else if (told.turn_faults.length > admitted) {
    const faults = told.turn_faults.slice(admitted);
    const back = () => act(async () => { game.turn = before; await changed(); });
    const yes = () => act(async () => { admitted = told.turn_faults.length; turn.clear(); await passOn(); draw(); });
    turn.question = { faults, yes, no: back };
  } else {
    await passOn();
  }
  draw();
}

async function passOn() {
  if (["done", "halted", "over"].includes(told.part)) await committed();
}

async function committed() {
  record.commit(game, game.turn);
  admitted = 0;
  turn.clear();
  save();
  await refresh();
}

const moves = {
  tap: (code, copy) => act(async () => {
    notice("");
    if (game.laying) return layCard(code, copy);
    if (turn.picking) return pickCard(code, copy);
    if (turn.question || told?.part === "over" || told?.part === "call") return null;
    const card = told?.cards?.find((each) => each.code === code);
    if (turn.unusual || !card) turn.picking = { code, taken: [] };
    else if (card.plays.length === 1) return choose(card.plays[0].half);
    else turn.choice = card;
    draw();
    part("choices").querySelector("button")?.focus({ preventScroll: true });
    return null;
  }),
  choose: (half) => act(() => choose(half)),
  pick: (code) => act(async () => { turn.clear(); turn.picking = { code, taken: [] }; draw(); }),
  cancel: () => act(async () => { turn.clear(); draw(); }),
  say: (action) => act(() => say(action)),
  whole: () => act(async () => { await committed(); draw(); }),
  other: (seat, card) => act(async () => {
    game.turn = `${seat}:`;
    await changed();
    await (card.plays.length === 1 ? choose(card.plays[0].half) : (turn.choice = card, draw()));
  }),
  lay: (place) => act(async () => { game.laying = place; await changed(); }),
  deals: (seat) => act(async () => { record.round(game).dealer = seat; await changed(); }),
  keepOld: () => act(async () => { Object.assign(game, { edit: null, turn: "" }); await changed(); }),
  finish: () => act(finished),
  save: () => save(),
  next: (dealer) => act(async () => {
    game.record.rounds.push({ dealer: dealer ?? record.round(game).dealer });
    delete game.record.claims;
    Object.assign(game, { at: game.record.rounds.length - 1, turn: "", edit: null, laying: "field" });
    await changed();
  }),
  store: () => act(stored),
};
const turn = new Turn(moves);

async function choose(half) {
  const before = game.turn;
  game.turn = [told?.turn ?? game.turn, half].filter(Boolean).join(" ");
  await settle(before);
}

/** A whole action: a word, or a turn as it is typed. */
async function say(action) {
  const before = game.turn;
  game.turn = action;
  save();
  await refresh();
  if (!told) {
    await committed();
    return draw();
  }
  return settle(before);
}

// -- the deal

async function layCard(code, copy) {
  const mine = turn.list();
  const have = mine.filter((each) => each === code).length;
  if (copy < have) mine.splice(mine.lastIndexOf(code), 1);
  else mine.push(code);
  layList(mine);
  await changed();
}

function layList(list) {
  const dealt = record.deal(game);
  const text = list.join(" ");
  if (game.laying === "field") dealt.field = text;
  else if (game.laying === "pile") dealt.draw_pile = text;
  else (dealt.hands ??= game.record.players.map(() => null))[game.laying - 1] = text || null;
}

function pickCard(code, copy) {
  const { taken } = turn.picking;
  const have = taken.filter((each) => each === code).length;
  if (copy < have) taken.splice(taken.lastIndexOf(code), 1);
  else taken.push(code);
  draw();
}

/** The code of a card that was typed: a code, or the words of its name. */
function codeOf(text) {
  const wanted = text.trim().toLowerCase();
  const known = Object.keys(data.titles).filter((code) => code !== "?");
  const exact = known.find((code) => code.toLowerCase() === wanted || data.titles[code].toLowerCase() === wanted);
  if (exact) return exact;
  const near = wanted.length > 2 ? known.filter((code) => data.titles[code].toLowerCase().includes(wanted)) : [];
  return near.length === 1 ? near[0] : null;
}

part("type").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = part("typed").value.trim();
  if (!text) return;
  part("typed").value = "";
  const code = codeOf(text);
  if (game.laying) {
    act(async () => {
      layList([...turn.list(), ...(code ? [code] : text.replaceAll(",", " ").split(/\s+/).map((each) => codeOf(each) ?? each))]);
      await changed();
    });
  } else if (code) {
    moves.tap(code, 0);
  } else {
    typed(text);
  }
});

/** A half goes on with the turn in hand; anything longer is a whole turn. */
function typed(text) {
  const start = told?.turn ?? game.turn;
  act(async () => {
    notice("");
    if (record.halves(text).length === 1 && !/^[a-z]+$|^misdeal/i.test(text)) await choose(text);
    else await say(record.halves(start).length && !/^[a-z]/i.test(text) ? `${start} ${text}` : text);
  });
}

// -- the bar, and what is behind More

function bar() {
  const drawing = turn.drawing(game, told);
  const playing = !game.laying && !["over", "call"].includes(told?.part);
  fill(part("bar"),
    button(word("undo"), () => act(async () => { notice(""); admitted = 0; if (turn.choice || turn.picking || turn.question) turn.clear(); else if (!game.laying) record.undo(game); await changed(); }), { key: "undo", "data-undo": "" }),
    playing ? button("?", () => moves.choose("?"), { classes: "button icon", "aria-label": word("nobody"), title: word("nobody"), "data-unseen-card": "" }) : null,
    playing && drawing ? button(word("nodraw"), () => moves.whole(), { classes: "button quiet", "data-nodraw": "" }) : null,
    playing && !drawing && !told ? button(word("nohand"), () => moves.choose("-"), { classes: "button quiet" }) : null,
    playing ? button(word("unusual"), () => { turn.unusual = !turn.unusual; draw(); }, { classes: "button quiet", "aria-pressed": String(turn.unusual), "data-unusual": "" }) : null,
    button(word("more"), more, { classes: "button quiet", "data-more": "" }));
}

function more() {
  const players = game.record.players.map((_, at) => at + 1);
  dialog(word("more"), (close) => {
    const go = (step) => () => { close(); step(); };
    const say = (name, action = name) => button(word(name), go(() => moves.say(action)), { "data-say": action });
    const reason = input("", () => {}, { "aria-label": word("reason"), placeholder: word("reason"), "data-reason": "" });
    const noteText = input(record.round(game).notes?.[record.actions(game).length], (value) => { noteOn(record.actions(game).length, value); }, { "data-note": "" });
    return make("div", "flow rec-more", {},
      labelled(word("note"), noteText),
      make("div", "row", {}, say("keep"), say("lucky"), say("misdeal"), say("abandoned"), !told && record.actions(game).length ? button(`+ ${word("koi")}`, go(() => addCall("koi"))) : null, !told && record.actions(game).length ? button(`+ ${word("stop")}`, go(() => addCall("stop"))) : null),
      make("div", "row", {}, reason, button(word("thrown"), go(() => moves.say(`misdeal: ${reason.value || "?"}`)))),
      make("div", "row", {}, ...players.map((seat) => button(word("otherseat", { name: nameOf(game, seat) }), go(() => act(async () => { game.turn = `${seat}:`; await changed(); })), { key: `other ${seat}` }))),
      make("div", "row", {}, select([["", word("hiki", { month: "…" })], ...data.months.slice(0, 12).map((month, at) => [`#${at + 1}`, word("hiki", { month })])], "", (value) => { if (value) go(() => moves.choose(value))(); }, { "aria-label": word("hiki", { month: "" }) })),
      make("div", "row", {}, button(word("settings"), go(() => setup.settings(game.record, () => act(changed))), { "data-settings": "" }), button(word("deal"), go(() => moves.lay("field"))), button(word("endround"), go(() => moves.finish()), { "data-finish": "" })),
      game.record.rounds.length > 1 ? labelled(word("round", { n: "" }), select(game.record.rounds.map((_, at) => [at, at + 1]), game.at, (value) => go(() => act(async () => { Object.assign(game, { at: Number(value), turn: "", edit: null, laying: null }); await changed(); }))())) : null,
      make("div", "row", {},
        button(word("exporthrn"), () => download(fileName("hrn"), record.text(record.written(game)), "text/plain"), { "data-export": "hrn" }),
        button(word("exportjson"), () => download(fileName("json"), JSON.stringify(record.written(game), null, 1), "application/json"), { "data-export": "json" })),
      labelled(word("share"), input(location.href, () => {}, { readonly: true, "data-share": "" })), make("p", "hint", {}, word("sharehint")),
      make("div", "row", {}, button(word("store"), go(() => moves.store()), { "data-store": "" }), button(word("games"), go(() => leave()), { "data-games": "" })));
  });
}

const fileName = (ending) => `${game.record.variant}-${game.record.event?.date ?? new Date(game.changed).toISOString().slice(0, 10)}.${ending}`;

function addCall(call) {
  act(async () => { record.actions(game)[record.actions(game).length - 1] += ` ${call}`; await changed(); });
}

function noteOn(number, text) {
  (record.round(game).notes ??= {})[number] = text;
  save();
}

function turnDialog(at) {
  dialog(word("turn", { n: at + 1 }), (close) => {
    const go = (step) => () => { close(); act(async () => { step(); await changed(); }); };
    const written = input(record.actions(game)[at], () => {}, { "data-written": "" });
    const note = input(record.round(game).notes?.[at + 1], (value) => noteOn(at + 1, value), { "data-note": "" });
    return make("div", "flow", {},
      button(word("correct"), go(() => Object.assign(game, { edit: at, turn: "" })), { "data-correct": "" }),
      make("div", "row", {}, labelled(word("byhand"), written), button(word("save"), go(() => { record.actions(game)[at] = written.value.trim() || record.actions(game)[at]; }), { "data-save-written": "" })),
      labelled(word("note"), note),
      button(word("backto"), go(() => record.forget(game, at)), { classes: "button quiet", "data-back-to": "" }));
  });
}

// -- the end

async function finished() {
  const report = await finish.report(game);
  finish.open(game, report, moves);
}

async function stored() {
  game.pending = true;
  save();
  const answer = await queue.send(game);
  save();
  if (!answer) notice(word("storing"));
  else if (game.refused) notice(`${word("refused")}: ${game.refused}`);
  else {
    const link = make("a", "button primary", { href: `${data.pages.kept}/${game.stored}`, "data-audit": "" }, word("tostored"));
    const compare = answer.replaced ? make("a", "button", { href: `${data.pages.compare}?${new URLSearchParams({ a: answer.replaced, b: game.stored })}` }, word("compare")) : "";
    notice(`${data.verdicts[answer.verdict] ?? ""} `, link, compare);
  }
  draw();
}

// -- opening and leaving

const holder = {
  now: () => game,
  show: (other) => act(async () => {
    if (game?.id !== other?.id || holding.writes() || JSON.stringify(other) === JSON.stringify(game)) return;
    game = other;
    turn.clear();
    await refresh();
    draw();
  }),
  adopt: (other) => act(async () => {
    if (game?.id !== other?.id) return;
    const own = keep.load(game.id);
    if (own && own.changed > (own.sent ?? 0) && JSON.stringify(own.record) !== JSON.stringify(other.record)) {
      keep.save({ ...own, id: keep.newId() }, own.changed);
      notice(word("ownkept"));
    }
    game = Object.assign(other, { sent: other.changed });
    keep.save(game, game.changed);
    turn.clear();
    await refresh();
    draw();
  }),
  tell: () => {
    standing();
    draw();
  },
};

/** Says who writes the game, where it is not this page. */
function standing() {
  const now = holding.standing();
  part("holding").hidden = !now || now.where === "here";
  if (part("holding").hidden) return;
  const who = { who: now.who?.who || word("somedevice"), time: now.who ? new Date(now.who.since).toLocaleTimeString([], { timeStyle: "short" }) : "" };
  const text = word({ tab: now.taken ? "taken" : "elsewhere", device: now.who?.held === false ? "devicefree" : now.taken ? "devicetaken" : "device" }[now.where], who);
  fill(part("holding"), make("p", "", { role: "status" }, text, now.who?.quiet ? ` ${word("quiet")}` : ""), make("p", "row", {},
    button(word("takeover"), () => holding.take(), { classes: "button primary", "data-take": "" }),
    button(word("games"), leave, { classes: "button quiet" })));
}

async function open(chosen, { fresh = false, seen = null } = {}) {
  game = chosen;
  told = null;
  admitted = 0;
  turn.clear();
  notice(game.replaces ? word("replaces") : "");
  history.replaceState(null, "", `#${new URLSearchParams({ game: game.id })}`);
  holding.start(game, holder, seen);
  standing();
  if (fresh) save();
  draw();
  await refresh();
  draw();
  if (game.pending && hints.there() === "on" && holding.writes()) await stored();
}

function leave() {
  holding.close();
  game = null;
  turn.clear();
  notice("");
  standing();
  history.replaceState(null, "", location.pathname);
  setup.show((chosen, fresh) => { if (fresh) keep.persist(); act(() => open(chosen, { fresh })); });
  draw();
}

/** A stored record, to be written on: as it was left here, or as it was stored. A score sheet opens as one. */
async function repair(id) {
  const begun = keep.all().find((each) => each.replaces === id && !each.stored);
  if (begun) return open(begun);
  const answer = await fetch(`${data.pages.kept}/${encodeURIComponent(id)}/written.json`).catch(() => null);
  if (answer?.ok) {
    const found = await answer.json();
    if (found.rounds.some((each) => each.deal || each.actions)) return open(record.reopen(found, id), { fresh: true });
    return location.replace(`${data.pages.sheet}#${new URLSearchParams({ repair: id })}`);
  }
  leave();
  return notice(word("notfound"));
}

/** A game whose address came from another device. */
async function elsewhere(id) {
  const seen = await presence.see(id);
  if (seen?.game) return open(seen.game, { seen, fresh: !seen.held });
  leave();
  return notice(word(seen?.held ? "notshown" : "nothere"));
}

/** The server is there again: the game goes on with its hints, and what waits is stored. */
async function back() {
  if (game && !told) {
    await refresh();
    draw();
  }
  if (game?.pending && holding.writes()) await stored();
  if (await queue.sendAll(game?.id)) setup.refresh();
}

part("names").append(...Object.entries(data.titles).filter(([code]) => code !== "?").map(([code, title]) => make("option", "", { value: code, label: title })));
hints.watch((well) => {
  state();
  if (well) act(back);
});
if ("serviceWorker" in navigator) navigator.serviceWorker.register(data.pages.worker, { scope: data.pages.record }).catch(() => {});

const address = new URLSearchParams(location.hash.slice(1));
const kept = keep.load(address.get("game"));
if (kept) act(() => open(kept));
else if (address.has("game")) act(() => elsewhere(address.get("game")));
else if (address.has("repair")) act(() => repair(address.get("repair").replace("sha256:", "")));
else leave();
if (hints.there() === "on") act(() => queue.sendAll(game?.id).then((some) => some && setup.refresh()));
// Settles once nothing is waited for.
Object.defineProperty(self, "recorderIdle", { get: () => busy.then(() => true) });
