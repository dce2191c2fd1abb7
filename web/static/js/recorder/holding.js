// Who writes the game that is open: this page, another tab of this browser, or another device. Who does not write looks on.

import * as keep from "./keep.js";
import * as presence from "./presence.js";
import * as tabs from "./tabs.js";

const BEAT = 5000;
const PAUSE = 1000;
let open = null;
let timer = 0;

/** Whether the game is written here. */
export const writes = () => open?.where === "here";

/** How it stands: `where` ("here", "tab", "device"), whether it was `taken` from here, and `who` writes it (presence.js). */
export const standing = () => open;

/** Opens a game, or looks on where another device is `seen` to write it. `moves`: `now()` gives the game as it is shown, `show(game)` shows it as another one wrote it, `adopt(game)` goes on with
 * that, `tell()` hears when something here changes. */
export async function start(game, moves, seen = null) {
  close();
  const mine = { id: game.id, where: seen?.held && !seen.mine ? "device" : "here", taken: false, who: seen, agreed: false, moves };
  open = mine;
  if (!(await tabs.hold(game.id, () => lost("tab")))) mine.where = "tab";
  if (open === mine) await beat();
  moves.tell();
}

/** Writes here from now on. */
export async function take() {
  const { id, where, moves } = open;
  if (where === "tab") {
    await tabs.take(id, () => lost("tab"));
    await moves.adopt(keep.load(id));
  }
  Object.assign(open, { where: "here", taken: false, who: null, agreed: false });
  await beat(where === "device");
  moves.tell();
}

/** Closes the game. */
export function close() {
  clearTimeout(timer);
  if (writes()) presence.leave(open.id);
  open = null;
  tabs.leave();
}

/** The game has changed: another device that looks on hears of it. */
export function changed() {
  clearTimeout(timer);
  timer = setTimeout(beat, PAUSE);
}

function lost(where, who = null) {
  Object.assign(open, { where, who, taken: open.agreed || where === "tab" });
  open.moves.tell();
}

/** Says at the server that the game is written here, or asks who writes it. */
async function beat(taking = false) {
  const mine = open;
  clearTimeout(timer);
  if (!mine) return;
  if (mine.where === "here") await hold(mine, taking);
  else if (mine.where === "device") await look(mine);
  if (open === mine) timer = setTimeout(beat, BEAT);
}

async function hold(mine, take) {
  const { agreed } = mine;
  const game = agreed ? mine.moves.now() : null;
  const at = game?.changed;
  const answer = await presence.hold(mine.id, { game, take });
  if (open !== mine || mine.where !== "here" || !answer) return;
  if (!answer.mine) {
    lost("device", answer);
    if (answer.game) await mine.moves.show(answer.game);
  } else if (agreed) {
    if (answer.game === null && game.changed === at) keep.save(Object.assign(game, { sent: at }), at);
  } else if (!mine.agreed) {
    mine.agreed = true;
    if (answer.game) await mine.moves.adopt(answer.game);
    await hold(mine, false);
  }
}

async function look(mine) {
  const answer = await presence.see(mine.id);
  if (open !== mine || mine.where !== "device" || !answer) return;
  if (JSON.stringify({ ...answer, game: 0 }) !== JSON.stringify({ ...mine.who, game: 0 })) {
    mine.who = answer;
    mine.moves.tell();
  }
  if (answer.game) await mine.moves.show(answer.game);
}

self.addEventListener("pagehide", () => { if (writes()) presence.leave(open.id); });
self.addEventListener("pageshow", () => { if (open) changed(); });
keep.follow((id) => { if (open?.where === "tab" && id === open.id) open.moves.show(keep.load(id)); });
