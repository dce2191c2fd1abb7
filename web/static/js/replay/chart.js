// Running points, a line a side, drawn over the scrubber; dragging on it steps. Where a game has no card points the lines count
// the cards captured.
import { codes, draw } from "./dom.js";

const WIDTH = 1000;
const HEIGHT = 100;
const DASHES = ["", "7 4", "2 4", "10 3 2 3", "1 3", "12 6", "4 2"];
const MARKS = { finding: "M-5-2.500-2.500-5h5L5-2.500v5L2.500 5h-5L-5 2.500z", yaku: "M0-6 1.800-2 6-1.600 2.800 1.200 3.800 5.400 0 3.200-3.800 5.400-2.800 1.200-6-1.600-1.800-2z", call: "M0-5a5 5 0 1 0 .01 0z", rule: "M0-5 5 0 0 5-5 0z" };

export class Chart {
  constructor(svg, legend, data, go) {
    this.svg = svg;
    this.legend = legend;
    this.data = data;
    this.go = go;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.follow(event);
    });
    svg.addEventListener("pointermove", (event) => { if (this.dragging) this.follow(event); });
    for (const kind of ["pointerup", "pointercancel"]) svg.addEventListener(kind, () => { this.dragging = false; });
  }

  follow(event) {
    const box = this.svg.getBoundingClientRect();
    this.go(Math.round(((event.clientX - box.left) / box.width) * this.last));
  }

  open(round) {
    this.last = Math.max(1, round.steps.length - 1);
    const rows = round.steps.map((step) => step.points ?? step.piles.map((pile) => codes(pile).length));
    this.name(round, rows[0] ?? []);
    const low = Math.min(0, ...rows.flat());
    const high = Math.max(1, ...rows.flat());
    const x = (step) => (step / this.last) * WIDTH;
    const y = (value) => HEIGHT - 8 - ((value - low) / (high - low)) * (HEIGHT - 26);
    const lines = (rows[0] ?? []).map((_, at) => {
      let path = `M0 ${y(rows[0][at])}`;
      rows.forEach((row, step) => { if (step) path += `H${x(step).toFixed(1)}V${y(row[at]).toFixed(1)}`; });
      return draw("path", { d: path, class: `line line-${at + 1}`, "stroke-dasharray": DASHES[at % DASHES.length], "vector-effect": "non-scaling-stroke" });
    });
    this.marks = round.landmarks.map((mark) => {
      const group = draw("g", { class: `landmark ${mark.kind}`, transform: `translate(${x(mark.step).toFixed(1)} 9)`, "data-step": mark.step }, draw("path", { d: MARKS[mark.kind] }));
      group.append(draw("title", {}, mark.says));
      return group;
    });
    this.now = draw("path", { class: "now", d: `M0 0V${HEIGHT}`, "vector-effect": "non-scaling-stroke" });
    this.veil = draw("rect", { class: "veil", y: 0, height: HEIGHT, width: 0 });
    this.svg.replaceChildren(draw("path", { class: "base", d: `M0 ${y(0)}H${WIDTH}`, "vector-effect": "non-scaling-stroke" }), ...lines, ...this.marks, this.veil, this.now);
    this.fit();
  }

  /** What the lines are: a dash and a name each. */
  name(round, row) {
    const { players, sides, words } = this.data;
    const names = row.map((_, at) => (row.length === players.length ? players[at] : (sides?.[at] ?? []).map((seat) => players[seat - 1]).join(" + ")));
    const what = round.steps.some((step) => step.points) ? words.running : words.runningcards;
    this.legend.replaceChildren(document.createTextNode(what), ...names.map((name, at) => {
      const dash = draw("svg", { viewBox: "0 0 28 8", width: 28, height: 8 }, draw("path", { d: "M0 4H28", class: `line line-${at + 1}`, "stroke-dasharray": DASHES[at % DASHES.length] }));
      const item = document.createElement("span");
      item.append(dash, ` ${name}`);
      return item;
    }));
  }

  /** The picture is stretched to the width of the page; its marks keep their shape. */
  fit() {
    const box = this.svg.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const across = (WIDTH / box.width);
    const down = (HEIGHT / box.height);
    for (const mark of this.marks) mark.firstChild.setAttribute("transform", `scale(${across.toFixed(4)} ${down.toFixed(4)})`);
    if (!this.watching) {
      this.watching = new ResizeObserver(() => this.fit());
      this.watching.observe(this.svg);
    }
  }

  draw(state) {
    const x = (state.step / this.last) * WIDTH;
    this.now.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
    this.veil.setAttribute("x", x.toFixed(1));
    this.veil.setAttribute("width", state.result === "hidden" ? (WIDTH - x).toFixed(1) : 0);
  }
}
