// Sets light or dark before the page is painted, and lets the visitor change it. A classic script: it must run before the body.
(() => {
  const root = document.documentElement;
  const KEY = "hanafu-theme";
  const read = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const kept = read();
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  document.addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll("[data-lang]")) {
      link.addEventListener("click", () => {
        const address = new URL(location.href);
        address.searchParams.set("lang", link.dataset.lang);
        if (new URL(link.href).pathname === address.pathname) link.href = address.href;
      });
    }
    const button = document.querySelector("[data-theme-toggle]");
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem(KEY, root.dataset.theme); } catch { /* a browser that keeps nothing */ }
      root.dispatchEvent(new CustomEvent("themechange"));
    });
  });
})();
