// The end of a round: what the players say beside what the engine says; then the next round, or the record is stored.

import { make, points } from "../replay/dom.js";
import { button, data, dialog, input, labelled, select, word } from "./dom.js";
import { send } from "./hints.js";
import { round, written } from "./record.js";
import { sideName, sidesOf, variantOf, yakuName } from "./table.js";

/** The engine's report of the record as it stands; null without a server. */
export async function report(game) {
  const answer = await send(data.audits, JSON.stringify(written(game)));
  return answer?.status === 200 ? answer.told : null;
}

/** Opens the dialog; `moves` is what its buttons can do (main.js). */
export function open(game, told, moves) {
  const found = told?.rounds[game.at] ?? null;
  const sides = sidesOf(game).map((_, side) => side);
  const claims = (round(game).claims ??= {});
  const whole = (game.record.claims ??= {});
  const list = (place, name) => (place[name] ??= sides.map(() => null));
  const number = (text) => (text === "" ? null : Number(text));
  const cell = (place, name, side, value) => input(place[name]?.[side] ?? "", (text) => { list(place, name)[side] = number(text); moves.save(); }, { type: "number", step: "any", inputmode: "decimal", "aria-label": `${word(name === "points" ? "cardpoints" : name)}, ${sideName(game, side)}`, "data-claim": `${name} ${side + 1}`, placeholder: value === null || value === undefined ? "" : points(value) });
  const beside = (value) => (value === null || value === undefined ? null : make("span", "hint", { "data-found": "" }, word("says", { value })));
  const line = (name, text, place, values) => make("fieldset", "rec-claim", {}, make("legend", "", {}, text), ...sides.map((side) => make("div", "", {}, labelled(sideName(game, side), cell(place, name, side, values?.[side])), beside(values ? points(values[side]) : null))));

  const yaku = (side) => {
    const all = variantOf(game).yaku;
    const chosen = new Set(claims.yaku?.[side] ?? []);
    const set = (id, on) => {
      const mine = (claims.yaku ??= sides.map(() => []));
      mine[side] = on ? [...mine[side], id] : mine[side].filter((each) => each !== id);
      moves.save();
    };
    const tick = (each) => {
      const box = make("input", "", { type: "checkbox", "data-yaku": `${side + 1} ${each.id}`, checked: chosen.has(each.id) });
      box.addEventListener("change", () => set(each.id, box.checked));
      return make("label", "tick", {}, box, make("span", "", {}, each.name));
    };
    const said = found?.yaku ? found.yaku[side].filter((each) => !each.negated).map((each) => yakuName(game, each.id)).join(", ") || "–" : null;
    return make("details", "", { open: chosen.size > 0 }, make("summary", "", {}, sideName(game, side)), beside(said), make("div", "rec-ticks", {}, ...all.map(tick)));
  };

  const same = () => {
    if (found.points) claims.points = [...found.points];
    if (found.yaku) claims.yaku = found.yaku.map((side) => side.filter((each) => !each.negated).map((each) => each.id));
    if (found.scores) claims.scores = [...found.scores];
    if (told.totals) whole.totals = [...told.totals];
    if (told.winner !== null) whole.winner = told.winner;
    moves.save();
    open(game, told, moves);
  };
  const winners = [["", word("notclaimed")], ["0", word("tie")], ...sides.map((side) => [side + 1, sideName(game, side)])];
  const winner = select(winners, whole.winner ?? "", (value) => { whole.winner = number(value); moves.save(); }, { "data-claim": "winner" });
  dialog(word("claims"), (close) => make("div", "flow", {},
    found?.scores ? button(word("just"), same, { "data-same": "" }) : null,
    variantOf(game).points ? line("points", word("cardpoints"), claims, found?.points) : null,
    make("fieldset", "rec-claim", {}, make("legend", "", {}, word("yaku")), ...sides.map(yaku)),
    line("scores", word("scores"), claims, found?.scores),
    line("totals", word("totals"), whole, told?.totals),
    labelled(word("winner"), winner),
    make("div", "row", {},
      button(word("nextround"), () => { close(); moves.next(found?.next_dealer ?? null); }, { "data-next": "" }),
      button(word("store"), () => { close(); moves.store(); }, { classes: "button primary", "data-store": "" }))));
}
