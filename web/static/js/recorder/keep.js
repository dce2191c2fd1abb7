// Games in this browser: each is written whole at each tap, before anything else happens.

const PREFIX = "hanafu-recorder:";

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

/** Keeps a game. False where the browser refuses. */
export function save(game) {
  game.changed = Date.now();
  try {
    localStorage.setItem(PREFIX + game.id, JSON.stringify(game));
    return true;
  } catch {
    return false;
  }
}

export const remove = (id) => localStorage.removeItem(PREFIX + id);

/** Asks the browser not to clear what it keeps when it runs short. */
export const persist = () => navigator.storage?.persist?.().catch(() => false);
