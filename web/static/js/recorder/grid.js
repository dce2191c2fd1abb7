// The 12 × 4 grid: a button a card, the four of a month together. Built once a deck, so that focus stays.

import { make } from "../replay/dom.js";
import { data, deck, part, word } from "./dom.js";

let built = "";
let cells = [];

/** Shows the deck; `state(code, copy)` gives a cell's state: "on", "can", "gone" or "". `tap(code, copy)` hears of it. */
export function show(codes, state, tap) {
  const grid = part("grid");
  if (built !== codes) {
    built = codes;
    cells = [];
    const months = new Map();
    const copies = new Map();
    for (const code of codes.split(" ")) {
      const copy = copies.get(code) ?? 0;
      copies.set(code, copy + 1);
      const month = deck.month(code);
      if (!months.has(month)) months.set(month, make("div", "rec-month", { role: "group", "aria-label": data.months[month - 1], "data-month": month }));
      const cell = make("button", "rec-card", { type: "button", "data-card": code, "data-copy": copy });
      const picture = deck.picture(code, copy, true);
      crop(picture);
      cell.append(picture);
      cells.push({ cell, code, copy });
      months.get(month).append(cell);
    }
    grid.replaceChildren(...months.values());
  }
  for (const { cell, code, copy } of cells) {
    const now = state(code, copy);
    cell.className = `rec-card ${now}`;
    cell.setAttribute("aria-pressed", String(now === "on"));
    const said = { gone: word("seencard"), can: word("cancard") }[now];
    cell.setAttribute("aria-label", deck.title(code) + (said ? `, ${said}` : ""));
    cell.onclick = () => tap(code, copy);
  }
}

/** Shows the upper part of a picture alone, with the band that says which card it is. */
export function crop(picture) {
  picture.setAttribute("viewBox", "0 0 100 84");
  picture.setAttribute("preserveAspectRatio", "xMidYMin slice");
  const drawing = picture.querySelector("use");
  drawing.setAttribute("width", "100");
  drawing.setAttribute("height", "160");
}

/** The grid is another one from now on. */
export const forget = () => { built = ""; };

/** Counts a list, for cells that are the first, second or third of a code. */
export function counted(list) {
  const counts = new Map();
  for (const code of list) counts.set(code, (counts.get(code) ?? 0) + 1);
  return (code, copy) => copy < (counts.get(code) ?? 0);
}
