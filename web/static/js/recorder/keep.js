// Games in this browser: each is written whole at each tap, before anything else happens.

const PREFIX = "hanafu-recorder:";

/** Random hexadecimal digits, two a byte. */
export const hex = (bytes) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** An id for a new game. Half of it is its name at the server, the other half the key that seals its sheet. */
export const newId = () => hex(32);

/** All games that are kept, the latest first. */
export function all() {
  const found = [];
  for (let at = 0; at < localStorage.length; at += 1) {
    const key = localStorage.key(at);
    if (key.startsWith(PREFIX)) found.push(load(key.slice(PREFIX.length)));
  }
  return found.filter(Boolean).sort((a, b) => b.changed - a.changed);
}

/** A game by its id; null where there is none, or it cannot be read. */
export function load(id) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + id));
  } catch {
    return null;
  }
}

/** Keeps a game, as changed just now where it is not said otherwise. False where the browser refuses. */
export function save(game, changed = Date.now()) {
  game.changed = changed;
  try {
    localStorage.setItem(PREFIX + game.id, JSON.stringify(game));
    return true;
  } catch {
    return false;
  }
}

/** Hears of a game that another tab or window has written. */
export const follow = (tell) => self.addEventListener("storage", ({ key, newValue }) => { if (newValue && key?.startsWith(PREFIX)) tell(key.slice(PREFIX.length)); });

export const remove = (id) => localStorage.removeItem(PREFIX + id);

/** Asks the browser not to clear what it keeps when it runs short. */
export const persist = () => navigator.storage?.persist?.().catch(() => false);
