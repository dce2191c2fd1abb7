// What waits to be stored. A record that is sent twice is stored once: its identity is its content.

import { data } from "./dom.js";
import { send as post, there } from "./hints.js";
import * as keep from "./keep.js";
import { written } from "./record.js";
import { alone } from "./tabs.js";

/** Sends a game's record to be kept, and writes into `game` what became of it: `stored` (an id) or `refused` (why). The verdict and the
 * id of the record that it replaces; null where the server cannot be reached: then it waits. */
export async function send(game, body = written(game)) {
  const answer = await post(data.records, JSON.stringify(body));
  if (!answer) return null;
  const { told } = answer;
  if (answer.status >= 300) {
    const faults = (told.errors ?? []).map((each) => [each.pointer, each.detail].filter(Boolean).join(" ")).join(" ");
    Object.assign(game, { pending: false, refused: faults || told.detail || String(answer.status) });
    return {};
  }
  const id = told.record.replace("sha256:", "");
  Object.assign(game, { pending: false, refused: null, stored: id });
  const replaced = body.x_replaces?.replace("sha256:", "");
  return { verdict: told.verdict, replaced: replaced === id ? undefined : replaced };
}

/** Sends all games that wait and that no other tab has open, but one. Whether there were any. */
export async function sendAll(but) {
  const waiting = there() === "on" ? keep.all().filter((each) => each.pending && each.id !== but) : [];
  for (const { id } of waiting) {
    await alone(id, async () => {
      const game = keep.load(id);
      if (game?.pending && (await send(game))) keep.save(game, game.changed);
    });
  }
  return waiting.length > 0;
}
