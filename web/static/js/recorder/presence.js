// One game, one place to write it: other devices. The server knows for a while which device writes a game; the sheet goes along sealed, so
// that a device that has the game's address, and nobody else, can read it and go on with it. Without a server nobody is told.

import { data } from "./dom.js";
import { send, there } from "./hints.js";
import { hex } from "./keep.js";

const LONGEST = 190_000;
const KEY = "hanafu-device";
const ID = /^[0-9a-f]{64}$/;
const subtle = self.crypto?.subtle;

function device() {
  const known = localStorage.getItem(KEY) ?? hex(16);
  localStorage.setItem(KEY, known);
  return known;
}

/** What kind of device this is, in a word. */
function label() {
  const known = navigator.userAgentData?.platform || navigator.userAgent.match(/iPhone|iPad|Android|Windows|Mac OS X|CrOS|Linux/)?.[0];
  return (known ?? "").slice(0, 40);
}

const address = (id) => `${data.games_at}/${id.slice(0, 32)}/presence`;
const asking = (id) => `${address(id)}?${new URLSearchParams({ device: device() })}`;
const sealing = (id) => subtle.importKey("raw", Uint8Array.from(id.slice(32).match(/../g), (pair) => parseInt(pair, 16)), "AES-GCM", false, ["encrypt", "decrypt"]);

/** A game, sealed; null where this browser cannot, or it is too long. */
async function seal(game) {
  if (!subtle) return null;
  const start = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify(game));
  const sealed = new Uint8Array(await subtle.encrypt({ name: "AES-GCM", iv: start }, await sealing(game.id), text));
  const whole = btoa([...start, ...sealed].map((byte) => String.fromCharCode(byte)).join(""));
  return whole.length > LONGEST ? null : whole;
}

/** What was sealed; null where this browser cannot read it. */
async function unseal(id, sheet) {
  if (!subtle || !sheet) return null;
  try {
    const bytes = Uint8Array.from(atob(sheet), (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await subtle.decrypt({ name: "AES-GCM", iv: bytes.subarray(0, 12) }, await sealing(id), bytes.subarray(12))));
  } catch {
    return null;
  }
}

async function read(id, answer) {
  if (answer?.status !== 200) return null;
  const { mine, held, label: who, since, quiet, sheet } = answer.told;
  return { mine, held, quiet, who, since, game: await unseal(id, sheet) };
}

/** Says that a game is written here, `sheet` how it stands, `take` also where another device writes it. Null where the server does not
 * answer; else `{mine, held, who, since, quiet, game}`: `game` is how another device left it. */
export async function hold(id, { game = null, take = false } = {}) {
  if (!ID.test(id)) return null;
  const sheet = game && (await seal(game));
  return read(id, await send(address(id), JSON.stringify({ device: device(), label: label(), take, sheet }), "PUT"));
}

/** Who writes a game, and how it stands there. */
export const see = async (id) => (ID.test(id) ? read(id, await send(asking(id), undefined, "GET")) : null);

/** Closes a game here. */
export function leave(id) {
  if (ID.test(id) && there() === "on") send(asking(id), undefined, "DELETE", true);
}
