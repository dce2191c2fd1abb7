// The score sheet: rounds down, players across. Points, yaku and scores, or the captured cards; the server says what follows from them.

import { codes, make, points } from "../replay/dom.js";
import { button, data, dialog, download, fill, input, labelled, part, row, select, word } from "./dom.js";
import { send, show, watch } from "./hints.js";
import * as grid from "./grid.js";
import * as queue from "./queue.js";
import * as record from "./record.js";
import { settings } from "./setup.js";
import { sideName, sidesOf, variantOf, yakuName } from "./table.js";

const repaired = new URLSearchParams(location.hash.slice(1)).get("repair")?.replace("sha256:", "") ?? null;
const KEY = `hanafu-score-sheet${repaired ? `:${repaired}` : ""}`;
const PAUSE = 600;
let sheet = null;
let told = null;
let timer = 0;

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    if (kept?.record) return kept;
  } catch { /* what cannot be read is begun anew */ }
  return null;
}

function anew(game, seats = game.seats[0]) {
  const players = [...Array(seats).keys()].map((seat) => ({ name: sheet?.record.players[seat]?.name ?? word("player", { n: seat + 1 }) }));
  return { record: { format: record.FORMAT, variant: game.id, players, rounds: [{ dealer: 1 }] }, at: 0, replaces: null, level: "scores" };
}

/** A stored record, to be written on: as it was left here, or as it was stored. */
async function repair() {
  const answer = await fetch(`${data.pages.kept}/${encodeURIComponent(repaired)}/written.json`).catch(() => null);
  if (!answer?.ok) return null;
  const found = await answer.json();
  return { ...record.reopen(found, repaired), level: found.rounds.some((each) => each.piles) ? "piles" : "scores" };
}

/** What is sent: piles or claims, as the sheet is kept; a line without either is left out at the end. */
function written() {
  const found = record.written(sheet);
  found.players = found.players.map((player, seat) => ({ ...player, name: player.name.trim() || word("player", { n: seat + 1 }) }));
  while (found.rounds.length > 1 && !found.rounds.at(-1).claims && !found.rounds.at(-1).piles) found.rounds.pop();
  for (const each of found.rounds) if (each.piles && !each.piles.some(Boolean)) delete each.piles;
  return found;
}

/** Whether anything is written in a round. */
const begun = () => sheet.record.rounds.some((each) => each.piles?.some(Boolean) || each.claims);

/** The columns: a side each, and a seat where each has captured cards of its own. */
function columns() {
  const shared = variantOf(sheet).shared_piles;
  const own = sheet.level === "piles" && !(sheet.record.sides && shared && (sheet.record.options ?? {})[shared.option] === shared.value);
  return own ? sheet.record.players.map((player, seat) => ({ name: player.name, at: seat })) : sidesOf(sheet).map((_, side) => ({ name: sideName(sheet, side), at: side }));
}

function changed(redraw = false) {
  localStorage.setItem(KEY, JSON.stringify(sheet));
  if (redraw) draw();
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

async function check() {
  const answer = await send(data.audits, JSON.stringify(written()));
  told = answer?.status === 200 ? answer.told : null;
  if (answer && answer.status !== 200) fill(part("check"), ...(answer.told.errors ?? []).map((each) => make("p", "notice", {}, `${each.pointer ?? ""} ${each.detail}`)));
  else if (told) results();
  state();
}

function state() {
  show(part("state"));
}

function draw() {
  head();
  table();
  fill(part("bar"),
    button(word("addround"), add, { "data-add": "" }),
    button(word("settings"), () => settings(sheet.record, () => changed(true)), { "data-settings": "" }),
    button(word("store"), store, { classes: "button primary", "data-store": "" }),
    button(word("exporthrn"), () => download(`${sheet.record.variant}.hrn`, record.text(written()), "text/plain"), { "data-export": "hrn" }),
    button(word("exportjson"), () => download(`${sheet.record.variant}.json`, JSON.stringify(written(), null, 1), "application/json"), { "data-export": "json" }),
    button(word("print"), () => print(), { "data-print": "" }),
    button(word("newgame"), () => { if (confirm(word("sheetsure"))) { sheet = anew(variantOf(sheet)); told = null; changed(true); } }, { classes: "button quiet" }));
  state();
}

/** One more line; who deals it follows from the one before. */
async function add() {
  clearTimeout(timer);
  await check();
  const last = sheet.record.rounds.at(-1);
  sheet.record.rounds.push({ dealer: told?.rounds[sheet.record.rounds.length - 1]?.next_dealer ?? last.dealer });
  changed(true);
}

function head() {
  const game = variantOf(sheet);
  const seats = sheet.record.players.length;
  const start = (variant, count) => { if (begun() && !confirm(word("sheetsure"))) return draw(); const level = sheet.level; sheet = Object.assign(anew(variant, count), { level }); told = null; return changed(true); };
  const partitions = game.teams[seats] ?? [];
  fill(part("head"),
    labelled(word("game"), select(data.games.map((each) => [each.id, each.name]), game.id, (id) => start(data.games.find((each) => each.id === id)), { "data-key": "game", "data-variant": "" })),
    game.seats.length > 1 ? labelled(word("seats"), select(game.seats.map((each) => [each, each]), seats, (count) => start(game, Number(count)), { "data-key": "seats", "data-seats": "" })) : null,
    partitions.length ? labelled(word("teams"), select([["", word("noteams")], ...partitions.map((each) => [JSON.stringify(each), each.map((side) => side.map((seat) => sheet.record.players[seat - 1].name).join(" + ")).join(" : ")])], sheet.record.sides ? JSON.stringify(sheet.record.sides) : "", (value) => { if (begun() && !confirm(word("sheetsure"))) return draw(); if (value) sheet.record.sides = JSON.parse(value); else delete sheet.record.sides; sheet.record.rounds = [{ dealer: sheet.record.rounds[0].dealer }]; delete sheet.record.claims; told = null; return changed(true); }, { "data-key": "sides", "data-sides": "" })) : null,
    labelled(word("level"), select([["scores", word("levelscores")], ["piles", word("levelpiles")]], sheet.level, (value) => { sheet.level = value; changed(true); }, { "data-key": "level", "data-level": "" })),
    ...sheet.record.players.map((player, seat) => labelled(word("player", { n: seat + 1 }), input(player.name, (name) => { player.name = name; changed(); }, { "data-key": `player ${seat}`, "data-player": seat + 1, maxlength: 200 }))),
    fact("name", "text"), fact("date", "date"));
  for (const way of document.querySelectorAll("[data-blank]")) way.href = `?${new URLSearchParams({ blank: way.dataset.blank, players: seats })}`;
}

/** A field of the event; what is empty is not printed. */
function fact(name, type) {
  const change = (value) => {
    (sheet.record.event ??= {})[name] = value;
    field.classList.toggle("empty", !value);
    changed();
  };
  const field = labelled(word(`event_${name}`), input(sheet.record.event?.[name], change, { type, "data-key": `event ${name}`, "data-event": name }), `field${sheet.record.event?.[name] ? "" : " unfilled"}`);
  return field;
}

function table() {
  const across = columns();
  const sides = sidesOf(sheet).map((_, side) => side);
  const sum = (side) => labelled(sideName(sheet, side), input(sheet.record.claims?.totals?.[side] ?? "", (value) => { ((sheet.record.claims ??= {}).totals ??= sides.map(() => null))[side] = value === "" ? null : Number(value); changed(); }, { type: "number", step: "any", inputmode: "decimal", "data-key": `total ${side}`, "data-claim": `totals ${side + 1}` }));
  const rows = sheet.record.rounds.map((each, number) => make("tr", "", { "data-round": number + 1 },
    make("th", "", { scope: "row" }, number + 1),
    make("td", "", {}, select(sheet.record.players.map((player, seat) => [seat + 1, player.name]), each.dealer, (value) => { each.dealer = Number(value); changed(); }, { "aria-label": `${word("dealerof")} ${number + 1}`, "data-key": `dealer ${number}` }), ...(sheet.level === "piles" ? facts(each, number) : [])),
    ...across.map(({ name, at }) => make("td", "", {}, ...(sheet.level === "piles" ? pile(each, number, at, name) : scores(each, number, at, name)))),
    make("td", "", { "data-result": number }, "")));
  const sums = sides.map((side) => make("div", "", {}, sum(side), make("span", "hint", { "data-total": side }, "")));
  const totals = across.length === sums.length ? [...sums, ""].map((each) => make("td", "", {}, each)) : [make("td", "", { colspan: across.length + 1 }, make("div", "rec-sums", {}, ...sums))];
  fill(part("rows"), make("table", "", {},
    make("thead", "", {}, make("tr", "", {}, ...[word("round", { n: "" }), word("dealerof"), ...across.map((each) => each.name), word("next")].map((text) => make("th", "", { scope: "col" }, text)))),
    make("tbody", "", {}, ...rows),
    make("tfoot", "", {}, make("tr", "", {}, make("th", "", { colspan: 2, scope: "row" }, word("totals")), ...totals))));
  results();
}

/** What piles alone do not tell. */
function facts(each, number) {
  const game = variantOf(sheet);
  const set = (name, read = (text) => text) => (text) => { if (text === "") delete each[name]; else each[name] = read(text); changed(); };
  const unsaid = ["", word("unsaid")];
  const known = {
    stopped: () => labelled(word("stopped"), select([unsaid, [0, word("nobodystopped")], ...sheet.record.players.map((player, seat) => [seat + 1, player.name])], each.stopped ?? "", set("stopped", Number), { "data-key": `stopped ${number}`, "data-stopped": number + 1 })),
    calls: () => labelled(word("calls"), input((each.calls ?? []).join(" "), set("calls", (text) => text.trim().split(/\s+/).map((count) => (/^\d+$/.test(count) ? Number(count) : count))), { "data-key": `calls ${number}`, "data-calls": number + 1, placeholder: sheet.record.players.map(() => 0).join(" ") })),
    lightning: () => labelled(word("lightningtook"), input(each.lightning, set("lightning"), { "data-key": `lightning ${number}`, "data-lightning": number + 1 })),
    first_great: () => labelled(word("firstgreat"), select([unsaid, ...game.great.map((id) => [id, yakuName(sheet, id)])], each.first_great ?? "", set("first_great"), { "data-key": `great ${number}`, "data-great": number + 1 })),
  };
  return game.facts.map((name) => known[name]());
}

function scores(each, number, side, name) {
  const sides = sidesOf(sheet);
  const line = (kind, text) => {
    const change = (value) => {
      ((each.claims ??= {})[kind] ??= sides.map(() => null))[side] = value === "" ? null : Number(value);
      changed();
    };
    const label = `${text}, ${name}, ${number + 1}`;
    return make("div", "", {}, make("span", "small soft", {}, text), input(each.claims?.[kind]?.[side] ?? "", change, { type: "number", step: "any", inputmode: "decimal", "aria-label": label, "data-key": `${kind} ${number} ${side}`, "data-claim": `${kind} ${number + 1} ${side + 1}` }), make("span", "hint", { "data-found": `${kind} ${number} ${side}` }, ""));
  };
  const chosen = (each.claims?.yaku?.[side] ?? []).map((id) => yakuName(sheet, id)).join(", ");
  return [variantOf(sheet).points ? line("points", word("cardpoints")) : null, button(chosen || word("yaku"), () => pickYaku(each, side, name), { classes: "button quiet", key: `yaku ${number} ${side}`, "aria-label": `${word("yaku")}: ${chosen || "–"}, ${name}, ${number + 1}`, "data-yaku-of": `${number + 1} ${side + 1}` }), line("scores", word("scores"))];
}

function pickYaku(each, side, name) {
  const mine = ((each.claims ??= {}).yaku ??= sidesOf(sheet).map(() => []))[side];
  const tick = (yaku) => {
    const box = make("input", "", { type: "checkbox", checked: mine.includes(yaku.id), "data-yaku": yaku.id });
    box.addEventListener("change", () => { if (box.checked) mine.push(yaku.id); else mine.splice(mine.indexOf(yaku.id), 1); changed(true); });
    return make("label", "tick", {}, box, make("span", "", {}, yaku.name));
  };
  changed();
  dialog(`${word("yaku")}: ${name}`, () => make("div", "rec-ticks", {}, ...variantOf(sheet).yaku.map(tick)));
}

function pile(each, number, seat, name) {
  const cards = each.piles?.[seat] ?? "";
  return [button(`${word("piles")} (${codes(cards).length})`, () => pickPile(each, seat, name), { key: `pile ${number} ${seat}`, "aria-label": `${word("piles")}, ${name}, ${number + 1}`, "data-pile": `${number + 1} ${seat + 1}` }), cards ? row(cards, `${word("piles")}, ${name}`) : null];
}

function pickPile(each, seat, name) {
  const piles = (each.piles ??= columns().map(() => ""));
  const set = (list) => { piles[seat] = list.join(" "); changed(true); };
  const typed = input(piles[seat], (text) => set(text.split(/[\s,]+/).filter(Boolean)), { "aria-label": word("typecards"), "data-typed": "" });
  dialog(`${word("piles")}: ${name}`, () => [make("div", "rec-grid", { "data-grid": "" }), labelled(word("typecards"), typed)]);
  const show = () => {
    const on = grid.counted(codes(piles[seat]));
    const others = piles.flatMap((other, at) => (at === seat ? [] : codes(other)));
    const gone = grid.counted([...codes(piles[seat]), ...others]);
    grid.show(variantOf(sheet).deck, (code, copy) => (on(code, copy) ? "on" : gone(code, copy) ? "gone" : "can"), (code, copy) => {
      const mine = codes(piles[seat]);
      if (on(code, copy)) mine.splice(mine.lastIndexOf(code), 1);
      else mine.push(code);
      set(mine);
      typed.value = piles[seat];
      show();
    });
  };
  grid.forget();
  show();
}

/** What the engine says beside what is written: points, payments, the sums, who deals next. */
function results() {
  if (!told) { fill(part("check"), make("p", "soft", {}, word("tocheck"))); return; }
  const number = (value) => (value === null || value === undefined ? "" : points(value));
  const says = (value) => (number(value) === "" ? "" : word("says", { value: number(value) }));
  told.rounds.forEach((each, at) => {
    const next = document.querySelector(`[data-result="${at}"]`);
    next?.replaceChildren(...found(each));
    for (const kind of ["points", "scores"]) {
      sidesOf(sheet).forEach((_, side) => {
        const beside = document.querySelector(`[data-found="${kind} ${at} ${side}"]`);
        if (beside) beside.textContent = says(each[kind]?.[side]);
      });
    }
  });
  document.querySelectorAll("[data-total]").forEach((cell) => { cell.textContent = says(told.totals?.[cell.dataset.total]); });
  const findings = [...told.rounds.flatMap((each) => each.findings), ...told.findings];
  fill(part("check"), make("h2", "", { "data-verdict": told.verdict }, data.verdicts[told.verdict]), findings.length ? make("ul", "", {}, ...findings.map((each) => make("li", "", {}, findingSays(each)))) : null);
}

/** A finding in the visitor's language: what it is, of whom, what stands there and what should. */
function findingSays(each) {
  const value = (said) => [said].flat(2).map((one) => (typeof one === "number" ? points(one) : yakuName(sheet, String(one)))).join(", ") || "–";
  const side = each.args.side ?? each.args.seat;
  const parts = [each.round ? word("round", { n: each.round }) : "", data.faults[each.code] ?? each.message, side ? sideName(sheet, side - 1) : ""];
  const both = [["recorded", each.actual], ["bytherules", each.expected]].filter(([, said]) => said !== null && said !== undefined).map(([name, said]) => `${word(name)} ${value(said)}`);
  return [...parts.filter(Boolean), both.join(" · ")].filter(Boolean).join(": ");
}

/** A round's outcome: who deals next, scores and yaku, who pays whom, or what it may have been. */
function found(each) {
  const list = (scores) => scores.map((score, side) => `${sideName(sheet, side)} ${points(score)}`).join(", ");
  const yaku = (each.yaku ?? []).flatMap((side, at) => side.map((one) => `${sideName(sheet, at)}: ${yakuName(sheet, one.id)}`));
  const paid = each.ledger.filter((entry) => entry.from !== null && entry.from !== entry.side && entry.amount > 0).map((entry) => make("li", "", {}, `${word("pays", { from: sideName(sheet, entry.from - 1), to: sideName(sheet, entry.side - 1), n: points(entry.amount) })} (${entry.rule})`));
  const may = each.possible.map((one) => make("li", "", {}, [one.if, one.scores && list(one.scores)].filter(Boolean).join(": ")));
  return [
    make("p", "", { "data-next": "" }, each.next_dealer ? sheet.record.players[each.next_dealer - 1].name : "–"),
    each.scores ? make("p", "small", { "data-scores": "" }, list(each.scores)) : null,
    ...yaku.map((text) => make("p", "small", {}, text)),
    paid.length ? make("details", "small no-print", { "data-payments": "" }, make("summary", "", {}, word("payments")), make("ul", "", {}, ...paid)) : null,
    may.length ? make("details", "small no-print", { "data-possible": "" }, make("summary", "", {}, `${word("maybe")} (${may.length})`), make("ul", "", {}, ...may)) : null,
  ].filter(Boolean);
}

/** Has the sheet kept, now or as soon as the server is there. */
async function store() {
  sheet.pending = true;
  const answer = await queue.send(sheet, written());
  localStorage.setItem(KEY, JSON.stringify(sheet));
  const say = (text, ...more) => {
    part("notice").hidden = false;
    fill(part("notice"), make("p", "row", {}, text, ...more));
    part("notice").scrollIntoView({ block: "nearest" });
  };
  if (!answer) return say(word("storing"));
  if (sheet.refused) return say(`${word("refused")}: ${sheet.refused}`);
  const compare = answer.replaced ? make("a", "button", { href: `${data.pages.compare}?${new URLSearchParams({ a: answer.replaced, b: sheet.stored })}`, "data-compare": "" }, word("compare")) : "";
  return say(`${data.verdicts[answer.verdict]} `, make("a", "button primary", { href: `${data.pages.kept}/${sheet.stored}`, "data-audit": "" }, word("tostored")), compare);
}

watch((well) => {
  state();
  if (well) check();
  if (well && sheet?.pending) store();
});
// Another tab or window writes on the same sheet: both show what is written last.
self.addEventListener("storage", ({ key, newValue }) => {
  if (key !== KEY || !newValue) return;
  sheet = JSON.parse(newValue);
  draw();
});
if ("serviceWorker" in navigator) navigator.serviceWorker.register(data.pages.worker, { scope: data.pages.record }).catch(() => {});
sheet = load() ?? (repaired && (await repair()));
if (repaired && !sheet) fill(part("check"), make("p", "notice", {}, word("notfound")));
else {
  sheet ??= anew(data.games[0]);
  draw();
  check();
  if (sheet.pending) store();
}
