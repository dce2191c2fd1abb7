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

/** A number of points as people write it: halves as ½, a true minus. */
export function points(value) {
  const whole = Math.trunc(Math.abs(value));
  const half = Math.abs(value) - whole === 0.5;
  return `${value < 0 ? "−" : ""}${half && !whole ? "" : whole}${half ? "½" : ""}`;
}

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

  /** List items, one a card; `fresh` is a list of codes to mark, each as often as it stands there. */
  items(list, fresh = []) {
    const seen = new Map();
    const marks = [...fresh];
    return list.map((code) => {
      const copy = seen.get(code) ?? 0;
      seen.set(code, copy + 1);
      const at = marks.indexOf(code);
      if (at >= 0) marks.splice(at, 1);
      return make("li", at >= 0 ? "fresh" : "", {}, this.picture(code, copy));
    });
  }
}
