// One key, one deed. Off in inputs, with modifiers, in a dialog, and where the visitor turned them off.
import { find } from "./dom.js";

const KEYS = {
  ArrowLeft: "back", k: "back", ArrowRight: "on", j: "on", ArrowUp: "turn-back", ArrowDown: "turn-on", Home: "first", End: "last",
  "[": "round-back", "]": "round-on", ",": "finding-back", ".": "finding-on", " ": "play", "-": "slower", "−": "slower", "+": "faster", "=": "faster",
  h: "hands", u: "unseen", y: "yaku", c: "note", s: "copy", "/": "search", "?": "help",
};
const STORED = "hanafu-keys";

const typing = (target) => {
  if (!(target instanceof Element)) return false;
  if (target.closest("textarea, select, [contenteditable], dialog")) return true;
  const input = target.closest("input");
  return Boolean(input) && input.type !== "range" && input.type !== "checkbox" && input.type !== "radio";
};

/** Calls `deed` with the name of what a key does, and for 1–7 with "seat" and its number. */
export function keys(root, deed) {
  const box = find(root, "keys-on");
  try { box.checked = localStorage.getItem(STORED) !== "off"; } catch { /* a browser that keeps nothing */ }
  box.addEventListener("change", () => { try { localStorage.setItem(STORED, box.checked ? "on" : "off"); } catch { /* as above */ } });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || typing(event.target)) return;
    const target = event.target instanceof Element ? event.target : null;
    // A button, a link, a tick and a choice keep the keys that work them.
    if (event.key === " " && target?.closest("button, a, input, summary")) return;
    if (event.key.startsWith("Arrow") && target?.closest('input[type="radio"]')) return;
    if (!box.checked && event.key !== "?" && !(target?.closest('input[type="range"]'))) return;
    if (/^[1-7]$/.test(event.key)) deed("seat", Number(event.key));
    else if (KEYS[event.key]) deed(KEYS[event.key]);
    else return;
    event.preventDefault();
  });
  find(root, "search").addEventListener("keydown", (event) => {
    if (event.key === "Escape") { event.target.value = ""; event.target.dispatchEvent(new Event("input")); event.target.blur(); }
  });
}
