// Small helpers to build the page.

/** The element marked `data-<name>` inside `root`. */
export const find = (root, name) => root.querySelector(`[data-${name}]`);

/** An element with classes, attributes and children. */
export function make(tag, classes, attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes. */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Writes only where the content would differ: `key` says what it depends on. */
export function refill(element, key, build) {
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.replaceChildren(...[build()].flat());
}

/** Sets the children of an element: each has a key, what `build` makes of it and what `update` does to it. One that is there stays in its
 * place, for nothing costs a browser as much as a card that is drawn anew. */
export function arrange(element, wanted) {
  const keys = new Set(wanted.map(({ key }) => key));
  const here = new Map();
  for (const child of [...element.children]) {
    if (keys.has(child.dataset.is)) here.set(child.dataset.is, child);
    else child.remove();
  }
  let next = element.firstElementChild;
  for (const { key, build, update } of wanted) {
    const child = here.get(key) ?? build();
    child.dataset.is = key;
    if (child === next) next = next.nextElementSibling;
    else element.insertBefore(child, next);
    update?.(child);
  }
  return element;
}

/** A number of points as people write it: halves as ½, a true minus. */
export function points(value) {
  const whole = Math.trunc(Math.abs(value));
  const half = Math.abs(value) - whole === 0.5;
  return `${value < 0 ? "−" : ""}${half && !whole ? "" : whole}${half ? "½" : ""}`;
}

/** Whether a number of points is told as one point or as points: one, a half, and the same below nothing are told as one. */
export const pointWord = (value) => (value !== 0 && Math.abs(value) <= 1 ? "point" : "points");

/** Codes of a list of cards. */
export const codes = (text) => (text ? text.split(" ").filter(Boolean) : []);

/** Pictures of cards, by code; twins have pictures of their own. */
export class Deck {
  constructor(data) {
    this.data = data;
  }

  title(code) { return this.data.titles[code] ?? code; }

  month(code) { return code[0] === "J" ? 13 : Number(code.slice(0, -1)); }

  kind(code) { return code.at(-1) === "Y" ? "C" : code.at(-1); }

  /** One picture. `copy` counts twins from 0; `hidden` leaves it out of what a screen reader says. */
  picture(code, copy = 0, hidden = false, label = this.title(code)) {
    const symbols = this.data.faces[code] ?? this.data.faces["?"];
    const svg = draw("svg", { class: "card", viewBox: "0 0 100 160", ...(hidden ? { "aria-hidden": "true" } : { role: "img", "aria-label": label }) });
    svg.append(draw("use", { href: `${this.data.sprite}#${symbols[Math.min(copy, symbols.length - 1)]}` }));
    return svg;
  }

  /** The band alone, for where a card would be too small to know. */
  chip(code) {
    const svg = draw("svg", { class: "card chip-card", viewBox: "0 0 100 40", role: "img", "aria-label": this.title(code) });
    svg.append(draw("use", { href: `${this.data.sprite}#chip-${code}` }));
    return svg;
  }

  /** The picture of an unlawful card: the same, hatched. */
  hatched(code) {
    const svg = this.picture(code);
    svg.append(draw("use", { href: `${this.data.sprite}#card-hatch` }));
    return svg;
  }

  back(label) {
    const svg = draw("svg", { class: "card", viewBox: "0 0 100 160", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) });
    svg.append(draw("use", { href: `${this.data.sprite}#${this.data.back}` }));
    return svg;
  }

  /** List items, one a card. */
  items(list) {
    return [...this.lay(make("ul"), list).children];
  }

  /** Lays a list of cards into an element; `fresh` is a list of codes to mark, each as often as it stands there. */
  lay(element, list, fresh = []) {
    const marks = [...fresh];
    return this.spread(element, list, (code, copy) => this.picture(code, copy), (code) => {
      const at = marks.indexOf(code);
      if (at >= 0) marks.splice(at, 1);
      return at >= 0 ? "fresh" : "";
    });
  }

  /** Lays the bands of cards into an element: those that are there, and those needed. */
  layChips(element, have, need) {
    let left = have.length;
    return this.spread(element, [...have, ...need], (code) => this.chip(code), () => {
      left -= 1;
      return left < 0 ? "needed" : "";
    });
  }

  /** A list item a card, which `draw` draws and `name` gives a class. */
  spread(element, list, draw, name) {
    const seen = new Map();
    return arrange(element, list.map((code) => {
      const copy = seen.get(code) ?? 0;
      seen.set(code, copy + 1);
      const classes = name(code);
      return { key: `${code} ${copy}`, build: () => make("li", "", {}, draw(code, copy)), update: (item) => { if (item.className !== classes) item.className = classes; } };
    }));
  }
}
