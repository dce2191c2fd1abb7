// What the server says of the game so far. Without a server there are no hints, and recording goes on.

import { data } from "./dom.js";
import { asked } from "./record.js";

const PATIENCE = 5000;
const AGAIN = 4000;
let failed = 0;
let last = { key: "", told: null };
let changed = () => {};

/** Whether the server answered when it was last asked. */
export const online = () => failed === 0;

/** `tell` is called when the server goes or comes back. */
export const watch = (tell) => { changed = tell; };

/** Sends something to the server: its answer, or null where it cannot be reached. */
export async function send(address, body, type = "application/json") {
  if (failed && Date.now() - failed < AGAIN && !navigator.onLine) return null;
  try {
    const answer = await fetch(address, { method: "POST", body, headers: { "Content-Type": type, Accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status >= 502) throw new Error(answer.statusText);
    heard(true);
    return { status: answer.status, location: answer.headers.get("Location"), told: await answer.json().catch(() => ({})) };
  } catch {
    heard(false);
    return null;
  }
}

function heard(well) {
  const before = failed;
  failed = well ? 0 : Date.now();
  if (!before !== well) changed(well);
}

/** The hints for a game as it stands: null without a server, `{errors}` where the sheet cannot be read. */
export async function ask(game) {
  const body = JSON.stringify(asked(game));
  const key = `${game.turn}\n${body}`;
  if (last.key === key && last.told) return last.told;
  if (!navigator.onLine) {
    heard(false);
    return null;
  }
  const answer = await send(`${data.hints}?${new URLSearchParams({ turn: game.turn })}`, body);
  if (!answer) return null;
  const told = answer.status === 200 ? answer.told : { errors: answer.told.errors?.length ? answer.told.errors : [{ detail: answer.told.detail ?? String(answer.status) }] };
  last = { key, told };
  return told;
}
