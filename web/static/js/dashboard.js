// Fetches each chart as it comes into view, draws it over its table, and leads from a mark to the records behind it. The numbers stand in
// the page; nothing is worked out here.

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A colour of the page as Plotly can read it: the page's variables depend on light and dark. */
function colour(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** Two colours in one, as Plotly can read it; `share` of the first. */
function mixed(first, second, share) {
  const parts = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number);
  const under = parts(second);
  return `rgb(${parts(first).map((part, at) => Math.round(part * share + under[at] * (1 - share))).join(",")})`;
}

/** A text in two lines, divided at the blank nearest its middle. */
function halved(text) {
  const blanks = [...text.matchAll(/ /g)].map((found) => found.index);
  const at = blanks.sort((one, other) => Math.abs(one - text.length / 2) - Math.abs(other - text.length / 2))[0];
  return at === undefined ? text : `${text.slice(0, at)}<br>${text.slice(at + 1)}`;
}

const NARROW = 400;
const READABLE = 32;

/** What the template leaves to the page, for a plot of that width in pixels. */
function themed(figure, width) {
  const narrow = width < NARROW;
  const ink = colour("--ink");
  const line = colour("--line");
  const axis = { gridcolor: line, linecolor: colour("--line-strong"), zerolinecolor: colour("--line-strong"), tickcolor: colour("--line-strong") };
  const series = [1, 2, 3, 4, 5, 6, 7].map((number) => colour(`--series-${number}`));
  const layout = structuredClone(figure.layout);
  const template = layout.template.layout;
  Object.assign(template, { colorway: series, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", hoverlabel: { bgcolor: colour("--paper-raised"), bordercolor: line, font: { color: ink } } });
  Object.assign(template.font, { color: ink, family: style("--sans") });
  Object.assign(template.xaxis, axis);
  Object.assign(template.yaxis, axis);
  // Names take the left half of a phone, and a title stands in the middle of what is left.
  const title = layout.xaxis?.title;
  if (narrow && title?.text.length > 14) title.text = halved(title.text);
  const data = structuredClone(figure.data).map((trace) => {
    // A heatmap that begins at nothing rises to one colour; the others have a middle. No cell is so strong that its number could not be read.
    const paper = colour("--paper-sunk");
    const [high, low] = series.map((each) => mixed(each, paper, 0.5));
    if (trace.type === "heatmap") Object.assign(trace, { colorscale: trace.zmin === 0 ? [[0, paper], [1, high]] : [[0, low], [0.5, paper], [1, high]], textfont: { color: ink } });
    // Cells too small for a number that can be read have none; the table has them all. Text of its own says what a cell is, and stays.
    if (trace.type === "heatmap" && !trace.text && width / new Set(trace.x).size < READABLE) delete trace.texttemplate;
    if (trace.marker?.pattern) Object.assign(trace.marker.pattern, { fgcolor: colour("--paper-raised"), fillmode: "overlay", fgopacity: 0.45, size: 7 });
    return trace;
  });
  return { data, layout };
}

/** How many lines of text stand down the side, where names do, with room for what the colours mean; 0 where numbers do. */
function lines({ data, layout }) {
  if (layout.yaxis?.type !== "category") return 0;
  const names = [...new Set(data.flatMap((trace) => trace.y))].join("<br>").split("<br>").length;
  return data.some((trace) => trace.colorbar) ? names + 6 : names;
}

class Card {
  constructor(root) {
    this.root = root;
    const { figure, links } = JSON.parse(root.querySelector("[data-figure]").textContent);
    this.figure = figure;
    this.links = links;
    this.plot = root.querySelector("[data-plot]");
    this.plot.style.setProperty("--lines", lines(figure));
    this.tabs = [...root.querySelectorAll('[role="tab"]')];
    root.querySelector("[data-tabs]").hidden = false;
    for (const [at, tab] of this.tabs.entries()) {
      tab.addEventListener("click", () => this.show(at));
      tab.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const to = (at + by + this.tabs.length) % this.tabs.length;
        this.show(to);
        this.tabs[to].focus();
      });
    }
    this.show(0);
  }

  show(at) {
    this.tabs.forEach((tab, number) => {
      const on = number === at;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !on;
    });
    if (at === 0) this.draw();
  }

  draw() {
    const { data, layout } = themed(this.figure, this.plot.clientWidth);
    const config = { displayModeBar: false, responsive: true };
    window.Plotly.react(this.plot, data, layout, config).then(() => {
      if (this.leads) return;
      this.leads = true;
      this.plot.on("plotly_click", (event) => {
        const at = event.points[0].customdata ?? event.points[0].data.customdata?.[event.points[0].pointNumber];
        const link = this.links[at];
        if (link) location.assign(link);
      });
    });
  }
}

const cards = new Set();

/** The chart of a page that is fetched, in the place of what stands there now. A chart with no rows is only named below the others. */
async function fetched(address, place) {
  const url = new URL(address, location.href);
  url.searchParams.set("part", "1");
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(String(answer.status));
  const template = document.createElement("template");
  template.innerHTML = await answer.text();
  const root = template.content.querySelector("[data-chart]");
  const nothing = document.querySelector("[data-nothing]");
  if (nothing && root.hasAttribute("data-empty")) {
    const line = document.createElement("li");
    line.textContent = root.querySelector("[data-about]").textContent;
    nothing.querySelector("ul").append(line);
    nothing.hidden = false;
    place.remove();
    return null;
  }
  place.replaceWith(root);
  begin(root);
  return root;
}

/** Brings a chart that stands in the page to life. */
function begin(root) {
  if (!root.querySelector("[data-figure]")) return;
  const card = new Card(root);
  cards.add(card);
  const more = root.querySelector("[data-more]");
  more?.addEventListener("click", async (event) => {
    event.preventDefault();
    if (root.getAttribute("aria-busy") === "true") return;
    root.setAttribute("aria-busy", "true");
    try {
      const next = await fetched(more.href, root);
      cards.delete(card);
      // The button may be gone: the sentence that changed is where to go on from.
      (next?.querySelector("[data-more]") ?? next?.querySelector("h2"))?.focus();
    } catch {
      location.assign(more.href);
    }
  });
}

async function load(shell) {
  shell.setAttribute("aria-busy", "true");
  shell.querySelector("[data-waiting]").hidden = false;
  try {
    await fetched(shell.querySelector("a").href, shell);
  } catch {
    shell.removeAttribute("aria-busy");
    shell.querySelector("[data-waiting]").hidden = true;
    shell.querySelector("[data-failed]").hidden = false;
  }
}

document.querySelectorAll("[data-chart]").forEach(begin);
document.querySelectorAll("[data-plain]").forEach((each) => each.remove());
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    load(target);
  }
}, { rootMargin: "50% 0px" });
document.querySelectorAll("[data-shell]").forEach((shell) => near.observe(shell));

const again = () => cards.forEach((card) => { if (!card.plot.closest("[data-panel]").hidden) card.draw(); });
document.documentElement.addEventListener("themechange", again);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
