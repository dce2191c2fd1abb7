// The games that are kept here, and a new one: game, options, players, sides, dealer, match, event.

import { make } from "../replay/dom.js";
import { button, data, dialog, fill, input, labelled, part, select, word } from "./dom.js";
import { all, remove } from "./keep.js";
import { begin } from "./record.js";

const fresh = { variant: data.games[0].id, seats: 0, players: [], sides: "", dealer: 1, options: {}, match: "", length: 6, start: "", event: {} };
let choice = fresh;
let done = () => {};

/** Shows the list and the form; `open(game, isNew)` hears what was chosen. */
export function show(open) {
  done = open;
  choice = fresh;
  draw();
}

/** The games that are kept here have changed. */
export const refresh = () => { if (!part("setup").hidden) draw(); };

function draw() {
  const game = data.games.find((each) => each.id === choice.variant);
  if (!game.seats.includes(choice.seats)) choice.seats = game.seats[0];
  fill(part("setup"), kept(), form(game));
}

function kept() {
  const games = all();
  if (!games.length) return null;
  const line = (game) => make("li", "rec-kept", {},
    make("div", "", {},
      make("strong", "", {}, game.record.players.map((player) => player.name).join(", ")),
      make("span", "soft small", {}, [nameOf(game.record.variant), word("roundsof", { n: game.record.rounds.length }), new Date(game.changed).toLocaleString(), game.pending ? word("waits") : game.refused ? word("refused") : game.stored ? word("stored") : ""].filter(Boolean).join(" · "))),
    make("div", "row", {},
      button(word("open"), () => done(game), { classes: "button primary", key: `open ${game.id}` }),
      button(word("remove"), () => { if (confirm(word("removesure"))) { remove(game.id); draw(); } }, { classes: "button quiet", key: `remove ${game.id}` })));
  return make("section", "panel", {}, make("h2", "", {}, word("kept")), make("ul", "plain", {}, ...games.map(line)));
}

const nameOf = (id) => data.games.find((each) => each.id === id)?.name ?? id;

function form(game) {
  const seats = [...Array(choice.seats).keys()];
  const name = (seat) => choice.players[seat] || word("player", { n: seat + 1 });
  const made = make("form", "panel rec-form", { "data-new": "" },
    make("h2", "", {}, word("newgame")),
    labelled(word("game"), select(data.games.map((each) => [each.id, each.name]), choice.variant, (value) => { choice.variant = value; choice.options = {}; choice.sides = ""; draw(); }, { "data-key": "variant", "data-variant": "" })),
    game.seats.length > 1 ? labelled(word("seats"), select(game.seats.map((each) => [each, each]), choice.seats, (value) => { choice.seats = Number(value); choice.sides = ""; draw(); }, { "data-key": "seats", "data-seats": "" })) : null,
    ...people(game, seats, name),
    labelled(word("dealer"), select(seats.map((seat) => [seat + 1, name(seat)]), choice.dealer, (value) => { choice.dealer = Number(value); }, { "data-key": "dealer", "data-dealer": "" })),
    ...folds(game, draw),
    make("button", "button primary wide", { type: "submit", "data-key": "begin" }, word("begin")));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    done(begin({ ...written(), rounds: [{ dealer: Math.min(choice.dealer, choice.seats) }] }), true);
  });
  return made;
}

/** Who plays, and with whom. */
function people(game, seats, name) {
  const partitions = game.teams[choice.seats] ?? [];
  const players = seats.map((seat) => labelled(word("player", { n: seat + 1 }), input(choice.players[seat], (value) => { choice.players[seat] = value; }, { "data-key": `player ${seat}`, "data-player": seat + 1, maxlength: 200, placeholder: word("player", { n: seat + 1 }) })));
  const sides = (each) => each.map((side) => side.map((seat) => name(seat - 1)).join(" + ")).join(" : ");
  return [make("div", "rec-players", {}, ...players),
    partitions.length ? labelled(word("teams"), select([["", word("noteams")], ...partitions.map((each) => [JSON.stringify(each), sides(each)])], choice.sides, (value) => { choice.sides = value; }, { "data-key": "sides", "data-sides": "" })) : null];
}

/** What may be said of a game, and is not always. `redraw` shows it anew. */
function folds(game, redraw) {
  const set = (name) => (value) => { choice[name] = value; };
  return [
    fold(word("match"), [
      labelled(word("match"), select([["", word("open_match")], ["rounds", word("rounds")], ["best_of", word("best_of")], ["target", word("target")]], choice.match, (value) => { choice.match = value; redraw(); }, { "data-key": "match", "data-match": "" })),
      choice.match ? labelled(word("length"), input(choice.length, (value) => { choice.length = Number(value); }, { type: "number", min: 1, "data-key": "length", "data-length": "" })) : null,
      choice.match ? labelled(word("start"), input(choice.start, set("start"), { type: "number", "data-key": "start", "data-start": "" })) : null,
    ], "match"),
    fold(word("options"), [make("p", "hint", {}, word("optionhint")), ...game.options.map(option)], "options"),
    fold(word("event"), ["name", "site", "date", "table", "recorder"].map((each) => labelled(word(`event_${each}`), input(choice.event[each], (value) => { choice.event[each] = value; }, { type: each === "date" && !oddDate() ? "date" : "text", maxlength: 200, "data-key": `event ${each}`, "data-event": each }))), "event")];
}

/** A date that a field for dates would not show. */
const oddDate = () => choice.event.date && !/^\d{4}-\d{2}-\d{2}$/.test(choice.event.date);

/** A dialog in which names, sides, rules, match and event of a record are changed; `saved` hears of it. */
export function settings(record, saved) {
  const { type, start, ...length } = record.match ?? {};
  choice = { variant: record.variant, seats: record.players.length, players: record.players.map((each) => each.name), sides: record.sides ? JSON.stringify(record.sides) : "", options: { ...record.options }, match: type ?? "", length: length.rounds ?? length.points ?? 6, start: start ?? "", event: { ...record.event } };
  const game = data.games.find((each) => each.id === record.variant);
  const seats = [...Array(choice.seats).keys()];
  const name = (seat) => choice.players[seat] || word("player", { n: seat + 1 });
  const keep = () => {
    const { variant, format, ...said } = written();
    const players = said.players.map((each, seat) => ({ ...record.players[seat], ...each }));
    const match = said.match && { ...Object.fromEntries(Object.entries(record.match ?? {}).filter(([key]) => key.startsWith("x_"))), ...said.match };
    for (const key of ["options", "event", "sides", "match"]) delete record[key];
    Object.assign(record, said, { players }, match && { match });
    saved();
  };
  const show = () => dialog(word("settings"), (close) => make("div", "flow rec-form", { "data-settings-form": "" }, ...people(game, seats, name).filter(Boolean), ...folds(game, show),
    button(word("save"), () => { close(); keep(); }, { classes: "button primary", "data-save-settings": "" })));
  show();
}

const folded = new Set(["match", "options", "event"]);

function fold(title, children, key) {
  const summary = make("summary", "", { "data-key": `fold ${key}` }, title);
  const made = make("details", "", { open: !folded.has(key) }, summary, make("div", "rec-fold", {}, ...children.filter(Boolean)));
  // Not on `toggle`, which comes later: the form may have been drawn anew by then, with this closed under the visitor's hand.
  summary.addEventListener("click", () => (made.open ? folded.add(key) : folded.delete(key)));
  return made;
}

function option(each) {
  const pairs = each.values.map(({ value, text }) => [JSON.stringify(value), text]);
  const now = JSON.stringify(choice.options[each.id] ?? each.default);
  const change = (value) => {
    const chosen = JSON.parse(value);
    if (chosen === each.default) delete choice.options[each.id];
    else choice.options[each.id] = chosen;
  };
  return labelled(each.text, select(pairs, now, change, { "data-key": `option ${each.id}`, "data-option": each.id }));
}

function written() {
  const seats = [...Array(choice.seats).keys()];
  const record = { format: "hanafuda-record/1", variant: choice.variant, players: seats.map((seat) => ({ name: (choice.players[seat] || word("player", { n: seat + 1 })).trim() || word("player", { n: seat + 1 }) })) };
  if (Object.keys(choice.options).length) record.options = { ...choice.options };
  if (Object.values(choice.event).some(Boolean)) record.event = { ...choice.event };
  if (choice.sides) record.sides = JSON.parse(choice.sides);
  if (choice.match) {
    record.match = { type: choice.match, [choice.match === "target" ? "points" : "rounds"]: choice.length };
    if (choice.start !== "") record.match.start = Number(choice.start);
  }
  return record;
}
