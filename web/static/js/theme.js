// Sets light or dark before the page is painted, and lets the visitor change it. A classic script in the head: it runs before the body
// is there, and listens on the document, so that no click comes too early.
(() => {
  const root = document.documentElement;
  const KEY = "hanafu-theme";
  const read = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const kept = read();
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  root.classList.add("scripts");

  const turn = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem(KEY, root.dataset.theme); } catch { /* a browser that keeps nothing */ }
    root.dispatchEvent(new CustomEvent("themechange"));
  };

  // The page in another language is at the address shown now, which a replay changes.
  const follow = (link) => {
    const address = new URL(location.href);
    address.searchParams.set("lang", link.dataset.lang);
    if (new URL(link.href).pathname === address.pathname) link.href = address.href;
  };

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("[data-theme-toggle]")) turn();
    const link = target?.closest("[data-lang]");
    if (link) follow(link);
  });
})();
