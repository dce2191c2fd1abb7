// What the recorder's modules share: the words, the deck, buttons, and dialogs.

import { Deck, find, make } from "../replay/dom.js";

export const root = document.querySelector("[data-recorder]");
export const data = JSON.parse(find(root, "payload").textContent);
export const deck = new Deck(data);
export const part = (name) => find(root, name);

/** A word of the page, its gaps filled. */
export function word(name, gaps = {}) {
  return (data.words[name] ?? name).replace(/\{(\w+)\}/g, (gap, key) => gaps[key] ?? gap);
}

/** A button; `key` lets it keep the focus when it is drawn anew. */
export function button(text, act, { classes = "button", key = text, ...attributes } = {}, ...more) {
  const made = make("button", classes, { type: "button", "data-key": key, ...attributes }, ...more, text);
  made.addEventListener("click", act);
  return made;
}

/** A labelled control. */
export function labelled(text, control, classes = "field") {
  return make("label", classes, {}, make("span", "label", {}, text), control);
}

/** A select of [value, text] pairs. */
export function select(pairs, value, change, attributes = {}) {
  const made = make("select", "", attributes, ...pairs.map(([each, text]) => make("option", "", { value: each, selected: String(each) === String(value) }, text)));
  made.addEventListener("change", () => change(made.value));
  return made;
}

/** An input whose every change is told. */
export function input(value, change, attributes = {}) {
  const made = make("input", "", attributes);
  made.value = value ?? "";
  made.addEventListener("input", () => change(made.value));
  return made;
}

/** Fills an element anew; what had the focus has it again. */
export function fill(element, ...children) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  element.replaceChildren(...children.flat().filter(Boolean));
  if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** Opens the dialog with a title; the content is what `build(close)` gives. */
export function dialog(title, build) {
  const box = part("dialog");
  const close = () => box.close();
  const content = build(close);
  box.replaceChildren(
    make("div", "row spread", {}, make("h2", "", { id: "rec-dialog-title" }, title), button("×", close, { classes: "button quiet icon", "aria-label": word("close") })),
    ...[content].flat().filter(Boolean),
  );
  if (!box.open) box.showModal();
}

/** Pictures of cards in a row. */
export function row(text, label) {
  const list = Array.isArray(text) ? text : text.split(" ").filter(Boolean);
  return make("ul", "cards rec-row", { "aria-label": label }, ...deck.items(list));
}

/** Gives a text to the visitor as a file. */
export function download(name, text, type) {
  const link = make("a", "", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
