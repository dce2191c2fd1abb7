// Keeps the recorder at hand without a network. SHELL (what is kept) and VERSION stand before this file.
// Its scope, /record, is the beginning of other addresses too: what is not kept here goes its own way.

const NAME = `recorder-${VERSION}`;
const PATIENCE = 3000;
const plain = (url) => { const address = new URL(url, location.origin); return address.pathname + address.search; };
const KEPT = new Set(SHELL.map(plain));

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name.startsWith("recorder-") && name !== NAME) await caches.delete(name);
  };
  event.waitUntil(old().then(() => self.clients.claim()));
});

/** From the server, and where it does not answer in time, as it was kept. */
async function fetched(request, key) {
  const cache = await caches.open(NAME);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const asked = fetch(request).then(async (answer) => {
    if (answer.ok) await cache.put(key, answer.clone());
    return answer;
  });
  const first = await Promise.race([asked.catch(() => null), late]);
  return first ?? (await cache.match(key)) ?? asked;
}

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== location.origin) return;
  const page = event.request.mode === "navigate" && KEPT.has(address.pathname);
  const key = page ? address.pathname : address.pathname + address.search;
  if (KEPT.has(key)) event.respondWith(fetched(event.request, key));
});
