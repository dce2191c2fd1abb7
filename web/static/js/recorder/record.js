// The record as a document: what was written, in the format's own form. Nothing here knows what is lawful.

import { newId } from "./keep.js";

const clone = (value) => JSON.parse(JSON.stringify(value));
const words = (text) => text.split(" ").filter(Boolean);

export const FORMAT = "hanafuda-record/1";

/** A game that begins. */
export function begin(choice) {
  return { id: newId(), record: { format: FORMAT, ...choice }, at: 0, turn: "", edit: null, laying: "field", stored: null, replaces: null, changed: Date.now() };
}

/** A stored record, opened to be written on. */
export function reopen(record, id) {
  const game = begin({});
  game.record = clone(record);
  delete game.record.x_replaces;
  return Object.assign(game, { at: record.rounds.length - 1, laying: null, replaces: id });
}

export const round = (game) => game.record.rounds[game.at];
export const actions = (game) => (round(game).actions ??= []);
export const deal = (game) => (round(game).deal ??= {});

/** The halves of a turn that is begun, its seat left out. */
export const halves = (turn) => words(turn).filter((each) => !/^\d:$/.test(each));

/** Puts a turn where it belongs: at the end, or in the place of the one that is corrected. */
export function commit(game, turn) {
  if (game.edit === null) actions(game).push(turn);
  else actions(game)[game.edit] = turn;
  Object.assign(game, { turn: "", edit: null });
}

/** One step back: the half of a turn, or the turn before. False where there is none. */
export function undo(game) {
  if (game.turn) game.turn = words(game.turn).slice(0, -1).join(" ");
  else if (game.edit !== null) game.edit = null;
  else if (actions(game).length) forget(game, actions(game).length - 1);
  else return false;
  return true;
}

/** Takes back all turns from a place on. */
export function forget(game, place) {
  actions(game).length = place;
  for (const number of Object.keys(round(game).notes ?? {})) if (Number(number) > place) delete round(game).notes[number];
  Object.assign(game, { turn: "", edit: null });
}

/** What the question to the server says: all up to the turn in hand. */
export function asked(game) {
  const record = written(game);
  record.rounds = record.rounds.slice(0, game.at + 1);
  const last = record.rounds[game.at];
  last.actions = (last.actions ?? []).slice(0, game.edit ?? undefined);
  delete last.claims;
  delete last.notes;
  return record;
}

/** The record as it is sent and exported: what says nothing is left out. */
export function written(game) {
  const record = clone(game.record);
  for (const key of ["options", "event"]) {
    for (const [name, value] of Object.entries(record[key] ?? {})) if (value === "" || value === null) delete record[key][name];
    if (record[key] && !Object.keys(record[key]).length) delete record[key];
  }
  for (const each of record.rounds) {
    const dealt = each.deal ?? {};
    if (!dealt.field) delete dealt.field;
    if (!dealt.draw_pile) delete dealt.draw_pile;
    if (dealt.hands) {
      dealt.hands = dealt.hands.map((hand) => hand || null);
      if (dealt.hands.every((hand) => hand === null)) delete dealt.hands;
    }
    if (!Object.keys(dealt).length) delete each.deal;
    if (each.actions && !each.actions.length) delete each.actions;
    if (each.notes && !Object.values(each.notes).some(Boolean)) delete each.notes;
    for (const [number, note] of Object.entries(each.notes ?? {})) if (!note) delete each.notes[number];
    whole(each);
  }
  whole(record);
  const before = game.stored ?? game.replaces;
  if (before) record.x_replaces = `sha256:${before}`;
  return record;
}

/** A claim of which a number is missing is none. */
function whole(place) {
  for (const [name, value] of Object.entries(place.claims ?? {})) {
    if (value === null || (Array.isArray(value) && value.some((each) => each === null || each === ""))) delete place.claims[name];
  }
  if (place.claims && !Object.keys(place.claims).length) delete place.claims;
}

/** Cards that the sheet names so far, each as often as it does: what lies open or has been played. */
export function named(game) {
  const found = words(round(game).deal?.field ?? "");
  for (const action of [...actions(game).slice(0, game.edit ?? undefined), game.turn]) {
    for (const half of halves(action)) {
      const card = half.split("x")[0].toUpperCase();
      if (/^(\d+[BARYC]|J[BC])$/.test(card)) found.push(card);
    }
  }
  return found;
}

const tag = (name, value) => `[${name} "${String(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`;
// A line of a note that begins as a record does begins a note of its own.
const note = (text) => ` ${text.split(/\n(?=[ \t]*\[[ \t]*Format\b)/).map((each) => `{${each.replaceAll("\\", "\\\\").replaceAll("}", "\\}")}}`).join(" ")}`;
const others = (place) => Object.entries(place).filter(([key]) => /^x_[^\s"[\]]+$/.test(key)).map(([key, value]) => tag(`X_${key.slice(2)}`, JSON.stringify(value)));

/** The record as text (.hrn). */
export function text(record) {
  const lines = [tag("Format", FORMAT), tag("Variant", record.variant)];
  if (record.options) lines.push(tag("Options", Object.entries(record.options).map(([key, value]) => `${key}=${value}`).join(" ")));
  for (const [name, key] of [["Event", "name"], ["Site", "site"], ["Date", "date"], ["Table", "table"], ["Recorder", "recorder"]]) {
    if (record.event?.[key]) lines.push(tag(name, record.event[key]));
  }
  record.players.forEach((player, seat) => lines.push(tag(`Player${seat + 1}`, player.name)));
  if (record.sides) lines.push(tag("Sides", record.sides.map((side) => side.join("+")).join(" ")));
  if (record.match) {
    const { type, start } = record.match;
    lines.push(tag("Match", `${type} ${record.match.rounds ?? record.match.points}${start === undefined ? "" : ` start ${start}`}`));
  }
  lines.push(...others(record));
  record.rounds.forEach((each, number) => lines.push("", ...roundLines(each, number + 1)));
  if (record.claims) lines.push("");
  if (record.claims?.totals) lines.push(tag("Totals", record.claims.totals.join(" ")));
  if (record.claims?.winner !== undefined) lines.push(tag("Winner", record.claims.winner));
  return `${lines.join("\n")}\n`;
}

function roundLines(each, number) {
  const lines = [tag("Round", number), tag("Dealer", each.dealer)];
  if (each.deal?.field) lines.push(tag("Field", each.deal.field));
  (each.deal?.hands ?? []).forEach((hand, seat) => { if (hand) lines.push(tag(`Hand${seat + 1}`, hand)); });
  if (each.deal?.draw_pile) lines.push(tag("DrawPile", each.deal.draw_pile));
  (each.piles ?? []).forEach((pile, seat) => lines.push(tag(`Pile${seat + 1}`, pile)));
  const { points, yaku, scores } = each.claims ?? {};
  if (points) lines.push(tag("Points", points.join(" ")));
  if (yaku) lines.push(tag("Yaku", yaku.map((side) => side.join(",") || "-").join(" | ")));
  if (scores) lines.push(tag("Scores", scores.join(" ")));
  if (each.adjust) lines.push(tag("Adjust", each.adjust.join(" ")));
  for (const [name, key] of [["Lightning", "lightning"], ["FirstGreat", "first_great"], ["Stopped", "stopped"]]) {
    if (each[key] !== undefined) lines.push(tag(name, each[key]));
  }
  if (each.calls) lines.push(tag("Calls", each.calls.join(" ")));
  lines.push(...others(each));
  if (each.notes?.[0]) lines.push(note(each.notes[0]).trim());
  (each.actions ?? []).forEach((action, place) => {
    const shown = action.includes(": ") ? action.replace(/[{;\\]/g, "\\$&") : action;
    lines.push(shown + (each.notes?.[place + 1] ? `  ${note(each.notes[place + 1])}` : ""));
  });
  return lines;
}
