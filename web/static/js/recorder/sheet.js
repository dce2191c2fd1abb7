// The score sheet: rounds down, players across. Points, yaku and scores, or the captured cards; the server says what follows from them.

import { codes, make, points } from "../replay/dom.js";
import { button, data, dialog, download, fill, input, labelled, part, row, select, word } from "./dom.js";
import { online, send, watch } from "./hints.js";
import * as grid from "./grid.js";
import * as record from "./record.js";
import { sideName, sidesOf, variantOf, yakuName } from "./table.js";

const KEY = "hanafu-score-sheet";
const PAUSE = 600;
let sheet = null;
let told = null;
let timer = 0;

sheet = load();

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    if (kept?.record) return kept;
  } catch { /* what cannot be read is begun anew */ }
  return anew(data.games[0]);
}

function anew(game, seats = game.seats[0]) {
  const players = [...Array(seats).keys()].map((seat) => ({ name: sheet?.record.players[seat]?.name ?? word("player", { n: seat + 1 }) }));
  return { record: { format: record.FORMAT, variant: game.id, players, rounds: [{ dealer: 1 }] }, at: 0, replaces: null, level: "scores" };
}

/** What is sent: piles or claims, as the sheet is kept; a line without either is left out at the end. */
function written() {
  const found = record.written(sheet);
  found.players = found.players.map((player, seat) => ({ name: player.name.trim() || word("player", { n: seat + 1 }) }));
  while (found.rounds.length > 1 && !found.rounds.at(-1).claims && !found.rounds.at(-1).piles) found.rounds.pop();
  for (const each of found.rounds) if (each.piles && !each.piles.some(Boolean)) delete each.piles;
  return found;
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
  part("state").textContent = word(online() ? "online" : "offline");
  part("state").className = `rec-state ${online() ? "on" : "off"}`;
}

function draw() {
  head();
  table();
  fill(part("bar"),
    button(word("addround"), () => { sheet.record.rounds.push({ dealer: told?.rounds.at(-1)?.next_dealer ?? sheet.record.rounds.at(-1).dealer }); changed(true); }, { "data-add": "" }),
    button(word("store"), store, { classes: "button primary", "data-store": "" }),
    button(word("exporthrn"), () => download(`${sheet.record.variant}.hrn`, record.text(written()), "text/plain"), { "data-export": "hrn" }),
    button(word("exportjson"), () => download(`${sheet.record.variant}.json`, JSON.stringify(written(), null, 1), "application/json"), { "data-export": "json" }),
    button(word("newgame"), () => { if (confirm(word("removesure"))) { sheet = anew(variantOf(sheet)); told = null; changed(true); } }, { classes: "button quiet" }));
  state();
}

function head() {
  const game = variantOf(sheet);
  const seats = sheet.record.players.length;
  const start = (variant, count) => { const level = sheet.level; sheet = Object.assign(anew(variant, count), { level }); told = null; changed(true); };
  const partitions = game.teams[seats] ?? [];
  fill(part("head"),
    labelled(word("game"), select(data.games.map((each) => [each.id, each.name]), game.id, (id) => start(data.games.find((each) => each.id === id)), { "data-key": "game", "data-variant": "" })),
    game.seats.length > 1 ? labelled(word("seats"), select(game.seats.map((each) => [each, each]), seats, (count) => start(game, Number(count)), { "data-key": "seats", "data-seats": "" })) : null,
    partitions.length ? labelled(word("teams"), select([["", word("noteams")], ...partitions.map((each) => [JSON.stringify(each), each.map((side) => side.join("+")).join(" ")])], sheet.record.sides ? JSON.stringify(sheet.record.sides) : "", (value) => { if (value) sheet.record.sides = JSON.parse(value); else delete sheet.record.sides; changed(true); }, { "data-key": "sides" })) : null,
    labelled(word("level"), select([["scores", word("levelscores")], ["piles", word("levelpiles")]], sheet.level, (value) => { sheet.level = value; changed(true); }, { "data-key": "level", "data-level": "" })),
    ...sheet.record.players.map((player, seat) => labelled(word("player", { n: seat + 1 }), input(player.name, (name) => { player.name = name; changed(); }, { "data-key": `player ${seat}`, "data-player": seat + 1, maxlength: 200 }))),
    labelled(word("event_name"), input(sheet.record.event?.name, (name) => { (sheet.record.event ??= {}).name = name; changed(); }, { "data-key": "event" })),
    labelled(word("event_date"), input(sheet.record.event?.date, (date) => { (sheet.record.event ??= {}).date = date; changed(); }, { type: "date", "data-key": "date" })));
}

function table() {
  const columns = sheet.level === "piles" ? sheet.record.players.map((player, seat) => ({ name: player.name, at: seat })) : sidesOf(sheet).map((_, side) => ({ name: sideName(sheet, side), at: side }));
  const rows = sheet.record.rounds.map((each, number) => make("tr", "", { "data-round": number + 1 },
    make("th", "", { scope: "row" }, number + 1),
    make("td", "", {}, select(sheet.record.players.map((player, seat) => [seat + 1, player.name]), each.dealer, (value) => { each.dealer = Number(value); changed(); }, { "aria-label": `${word("dealerof")} ${number + 1}`, "data-key": `dealer ${number}` }), ...(sheet.level === "piles" ? facts(each, number) : [])),
    ...columns.map(({ name, at }) => make("td", "", {}, ...(sheet.level === "piles" ? pile(each, number, at, name) : scores(each, number, at, name)))),
    make("td", "", { "data-result": number }, "")));
  fill(part("rows"), make("table", "", {},
    make("thead", "", {}, make("tr", "", {}, ...[word("round", { n: "" }), word("dealerof"), ...columns.map((each) => each.name), word("next")].map((text) => make("th", "", { scope: "col" }, text)))),
    make("tbody", "", {}, ...rows),
    make("tfoot", "", {}, make("tr", "", {}, make("th", "", { colspan: 2, scope: "row" }, word("totals")), ...columns.map(({ at }) => make("td", "num", { "data-total": at }, "")), make("td", "", {})))));
  results();
}

/** What piles alone do not tell. */
function facts(each, number) {
  const game = variantOf(sheet);
  const set = (name, read = (text) => text) => (text) => { if (text === "") delete each[name]; else each[name] = read(text); changed(); };
  const unsaid = ["", word("unsaid")];
  const known = {
    stopped: () => labelled(word("stopped"), select([unsaid, [0, word("nobodystopped")], ...sheet.record.players.map((player, seat) => [seat + 1, player.name])], each.stopped ?? "", set("stopped", Number), { "data-key": `stopped ${number}`, "data-stopped": number + 1 })),
    calls: () => labelled(word("calls"), input((each.calls ?? []).join(" "), set("calls", (text) => text.trim().split(/\s+/).map(Number)), { "data-key": `calls ${number}`, "data-calls": number + 1, placeholder: sheet.record.players.map(() => 0).join(" ") })),
    lightning: () => labelled(word("lightningtook"), input(each.lightning, set("lightning"), { "data-key": `lightning ${number}` })),
    first_great: () => labelled(word("firstgreat"), select([unsaid, ...game.great.map((id) => [id, yakuName(sheet, id)])], each.first_great ?? "", set("first_great"), { "data-key": `great ${number}` })),
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
  const piles = (each.piles ??= sheet.record.players.map(() => ""));
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

/** What the engine says beside what is written, and the sums. */
function results() {
  if (!told) { fill(part("check"), make("p", "soft", {}, word("tocheck"))); return; }
  const number = (value) => (value === null || value === undefined ? "" : points(value));
  told.rounds.forEach((each, at) => {
    const next = document.querySelector(`[data-result="${at}"]`);
    const all = each.scores ? each.scores.map((score, side) => `${sideName(sheet, side)} ${number(score)}`).join(", ") : "";
    const made = (each.yaku ?? []).flat().map((yaku) => yakuName(sheet, yaku.id)).join(", ");
    if (next) next.replaceChildren(...[each.next_dealer ? sheet.record.players[each.next_dealer - 1].name : "–", all, made].filter(Boolean).map((text) => make("p", "small", {}, text)));
    for (const kind of ["points", "scores"]) {
      (each[kind] ?? []).forEach((value, side) => {
        const beside = document.querySelector(`[data-found="${kind} ${at} ${side}"]`);
        if (beside) beside.textContent = word("says", { value: number(value) });
      });
    }
  });
  document.querySelectorAll("[data-total]").forEach((cell) => { cell.textContent = number(told.totals?.[cell.dataset.total]); });
  const findings = [...told.rounds.flatMap((each) => each.findings), ...told.findings];
  fill(part("check"), make("h2", "", { "data-verdict": told.verdict }, data.verdicts[told.verdict]), findings.length ? make("ul", "", {}, ...findings.map((each) => make("li", "", {}, `${each.round ? `${word("round", { n: each.round })}: ` : ""}${each.message}`))) : null);
}

async function store() {
  const answer = await send(data.records, JSON.stringify(written()));
  if (!answer) fill(part("check"), make("p", "notice", {}, word("offline")));
  else if (answer.status >= 300) fill(part("check"), make("p", "notice", {}, word("refused")), ...(answer.told.errors ?? []).map((each) => make("p", "", {}, `${each.pointer ?? ""} ${each.detail}`)));
  else fill(part("check"), make("p", "row", {}, data.verdicts[answer.told.verdict], make("a", "button primary", { href: `${data.pages.kept}/${answer.told.record.replace("sha256:", "")}`, "data-audit": "" }, word("tostored"))));
}

watch((well) => { state(); if (well && !told) check(); });
if ("serviceWorker" in navigator) navigator.serviceWorker.register(data.pages.worker, { scope: data.pages.record }).catch(() => {});
draw();
check();
