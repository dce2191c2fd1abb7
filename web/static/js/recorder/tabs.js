// One game, one place to write it: other tabs and windows of this browser. Where the browser has locks one tab holds the game's; else
// (a page without TLS on another machine) the tabs ask each other.

const NAME = "hanafu-recorder:";
const PATIENCE = 250;
const locks = navigator.locks ?? null;
const channel = !locks && "BroadcastChannel" in self ? new BroadcastChannel("hanafu-recorder") : null;
const me = Math.random().toString(36).slice(2);
let mine = { id: null, taken: () => {}, answered: () => {} };
let release = () => {};

/** Writes a game here, if no other tab does: whether it is so. `taken` is called when another tab takes it over. */
export function hold(id, taken) {
  leave();
  mine = { id, taken, answered: () => {} };
  return locks ? held(id, { ifAvailable: true }, taken) : asked(id);
}

/** Writes a game here from now on, whoever did. */
export function take(id, taken) {
  leave();
  mine = { id, taken, answered: () => {} };
  channel?.postMessage({ kind: "take", id, from: me });
  return locks ? held(id, { steal: true }, taken) : Promise.resolve(true);
}

/** Closes the game. */
export function leave() {
  mine.id = null;
  release();
  release = () => {};
}

/** Does something with a game that no other tab has open; nothing where one has. */
export const alone = (id, act) => (locks ? locks.request(NAME + id, { ifAvailable: true }, (lock) => lock && act()) : act());

function held(id, how, taken) {
  return new Promise((answer) => {
    const stolen = () => { if (mine.id === id) taken(); };
    locks.request(NAME + id, how, (lock) => {
      answer(lock !== null);
      return lock && new Promise((end) => { release = end; });
    }).catch(stolen);
  });
}

function asked(id) {
  if (!channel) return Promise.resolve(true);
  channel.postMessage({ kind: "open", id, from: me });
  return new Promise((answer) => {
    const late = setTimeout(() => answer(true), PATIENCE);
    mine.answered = () => { clearTimeout(late); answer(false); };
  });
}

channel?.addEventListener("message", ({ data }) => {
  if (data.id !== mine.id || mine.id === null || data.from === me || (data.to && data.to !== me)) return;
  if (data.kind === "open") channel.postMessage({ kind: "held", id: mine.id, from: me, to: data.from });
  if (data.kind === "held") mine.answered();
  if (data.kind === "take") mine.taken();
});
