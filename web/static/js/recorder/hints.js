// What the server says of the game so far. Without a server there are no hints, and recording goes on.

import { make } from "../replay/dom.js";
import { data, root, word } from "./dom.js";
import { asked } from "./record.js";

const PATIENCE = 5000;
const AGAIN = 4000;
let state = navigator.onLine ? "on" : "off";
let last = { key: "", told: null };
let changed = () => {};

/** Whether the server answered when it was last asked: "on", "off", or "locked" (it wants to know who asks). */
export const there = () => state;

/** `tell` is called when the server goes or comes back. */
export const watch = (tell) => { changed = tell; };

/** Says it on the page; where the server wants to know who asks, with the way to sign in. */
export function show(element) {
  const way = state === "locked" ? make("a", "", { href: `${data.pages.login}?${new URLSearchParams({ next: location.pathname })}` }, word("signin")) : "";
  element.replaceChildren(word({ on: "online", off: "offline", locked: "locked" }[state]), way);
  element.className = `rec-state ${state === "on" ? "on" : "off"}`;
}

function heard(now) {
  const before = state;
  state = now;
  if (before !== now) changed(now === "on");
}

let token = root.querySelector("[name=csrf_token]")?.value;

/** Whether the page has another token by now than `used`: somebody may have signed in, or out, since it was opened. */
async function renewed(used) {
  const page = await fetch(location.pathname, { signal: AbortSignal.timeout(PATIENCE) });
  token = new DOMParser().parseFromString(await page.text(), "text/html").querySelector("[name=csrf_token]")?.value;
  return token !== used;
}

async function sent(address, method, body, last = false) {
  const headers = { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...(token ? { "X-CSRF-Token": token } : {}) };
  const go = () => fetch(address, { method, body, headers, keepalive: last, signal: AbortSignal.timeout(PATIENCE) });
  const answer = await go();
  if (![401, 403].includes(answer.status) || !headers["X-CSRF-Token"] || !(await renewed(headers["X-CSRF-Token"]))) return answer;
  headers["X-CSRF-Token"] = token;
  return go();
}

/** What is no JSON says nothing; an answer that breaks off is none. */
function empty(error) {
  if (error instanceof SyntaxError) return {};
  throw error;
}

/** Sends something to the server: its answer, or null where it cannot be reached or does not know who asks. While it is away nobody waits
 * for it: `look` finds out when it is back. `last`: the page may close meanwhile. */
export async function send(address, body, method = "POST", last = false) {
  if (state !== "on") return null;
  try {
    const answer = await sent(address, method, body, last);
    if (answer.status === 401) {
      heard("locked");
      return null;
    }
    if (answer.status === 429 || answer.status >= 500) throw new Error(answer.statusText);
    return { status: answer.status, told: answer.status === 204 ? {} : await answer.json().catch(empty) };
  } catch {
    heard("off");
    return null;
  }
}

/** Asks whether the server is back. */
async function look() {
  if (state === "on" || !navigator.onLine) return;
  try {
    const answer = await sent(data.whoami, "GET");
    if (answer.ok) heard((await answer.json()).may.includes("audit") ? "on" : "locked");
  } catch { /* not yet */ }
}

setInterval(look, AGAIN);
self.addEventListener("online", look);
self.addEventListener("offline", () => heard("off"));
self.addEventListener("focus", look);

/** The hints for a game as it stands: null without a server, `{errors}` where the sheet cannot be read. */
export async function ask(game) {
  const body = JSON.stringify(asked(game));
  const key = `${game.turn}\n${body}`;
  if (last.key === key && last.told) return last.told;
  const answer = await send(`${data.hints}?${new URLSearchParams({ turn: game.turn })}`, body);
  if (!answer) return null;
  const told = answer.status === 200 ? answer.told : { errors: answer.told.errors?.length ? answer.told.errors : [{ detail: answer.told.detail ?? String(answer.status) }] };
  last = { key, told };
  return told;
}
