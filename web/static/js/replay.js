// The replay page: which round, which step, whose view. Everything shown comes from the positions that the server worked out;
// nothing here knows a rule or adds a score.
import { find } from "./replay/dom.js";
import { Table } from "./replay/table.js";
import { Panels } from "./replay/panels.js";
import { Chart } from "./replay/chart.js";
import { keys } from "./replay/keys.js";

const root = document.querySelector("[data-replay]");
const data = JSON.parse(find(root, "payload").textContent);
const words = data.words;
const SPEEDS = [4, 2.5, 1.6, 1, 0.6, 0.35];
const REVEALS = ["seen", "open", "all"];

class Replay {
  constructor() {
    this.rounds = new Map([[data.view.round, data.round]]);
    this.state = { ...data.view };
    this.speed = 3;
    this.timer = 0;
    this.table = new Table(root, data);
    this.panels = new Panels(root, data, (step) => this.go(step));
    this.chart = new Chart(find(root, "chart"), find(root, "legend"), data, (step) => this.go(step));
    this.scrubber = find(root, "scrubber");
    this.actions = {
      back: () => this.go(this.state.step - 1),
      on: () => this.go(this.state.step + 1),
      "turn-back": () => this.turn(-1),
      "turn-on": () => this.turn(1),
      first: () => this.go(0),
      last: () => this.go(this.last),
      "round-back": () => this.toRound(this.state.round - 1, words.firstround),
      "round-on": () => this.toRound(this.state.round + 1, words.lastround),
      "finding-back": () => this.finding(-1),
      "finding-on": () => this.finding(1),
      play: () => this.play(!this.timer),
      slower: () => this.pace(-1),
      faster: () => this.pace(1),
      hands: () => this.set({ reveal: this.state.reveal === "seen" ? "open" : "seen" }),
      unseen: () => this.set({ reveal: this.state.reveal === "all" ? "seen" : "all" }),
      yaku: () => this.panels.show("yaku-panel"),
      note: () => this.panels.show("notes-panel") || this.toast(words.nonote),
      copy: () => this.copy(),
      png: () => this.png(),
      search: () => find(root, "search").focus(),
      help: () => find(root, "keys").showModal(),
    };
    this.listen();
    this.open();
  }

  get round() { return this.rounds.get(this.state.round); }
  get last() { return this.round.steps.length - 1; }

  listen() {
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-do]");
      if (button) this.actions[button.dataset.do]();
    });
    this.scrubber.addEventListener("input", () => this.go(Number(this.scrubber.value)));
    find(root, "round").addEventListener("change", (event) => this.toRound(Number(event.target.value)));
    find(root, "seat").addEventListener("change", (event) => this.set({ seat: Number(event.target.value) }));
    find(root, "hide-result").addEventListener("change", (event) => this.set({ result: event.target.checked ? "hidden" : "" }));
    find(root, "view").addEventListener("change", (event) => {
      if (event.target.name === "reveal") this.set({ reveal: event.target.value });
    });
    find(root, "view").addEventListener("submit", (event) => event.preventDefault());
    find(root, "search").addEventListener("input", (event) => this.panels.search(event.target.value));
    keys(root, (name, seat) => {
      if (name === "seat") { if (seat <= data.players.length) this.set({ seat }); } else this.actions[name]();
    });
  }

  /** A round is shown from its beginning: all that does not change with the step. */
  open() {
    this.scrubber.max = this.last;
    find(root, "finding-buttons").hidden = !this.round.landmarks.some((mark) => mark.kind === "finding");
    find(root, "transcript").href = this.round.transcript;
    this.panels.open(this.round);
    this.chart.open(this.round);
    this.draw(false);
  }

  go(step) {
    const to = Math.max(0, Math.min(this.last, step));
    if (this.timer && to === this.last) this.play(false);
    if (to === this.state.step) return;
    this.state.step = to;
    this.draw();
  }

  set(change) {
    Object.assign(this.state, change);
    this.draw();
  }

  /** To where the turn begins, or where the next one does. */
  turn(by) {
    const { steps } = this.round;
    let step = this.state.step;
    const here = steps[step].turn;
    if (by > 0) {
      while (step < this.last && steps[step].turn === here) step += 1;
    } else {
      if (step > 0) step -= 1;
      while (step > 0 && steps[step - 1].turn === steps[step].turn) step -= 1;
    }
    this.go(step);
  }

  finding(by) {
    const found = this.round.landmarks.filter((mark) => mark.kind === "finding").map((mark) => mark.step);
    const to = by > 0 ? found.find((step) => step > this.state.step) : found.reverse().find((step) => step < this.state.step);
    if (to === undefined) this.toast(by > 0 ? words.nofinding : words.nofindingbefore);
    else this.go(to);
  }

  async toRound(number, otherwise) {
    if (number < 1 || number > data.rounds) { this.toast(otherwise); return; }
    this.play(false);
    if (!this.rounds.has(number)) {
      const answer = await fetch(`${data.positions}?round=${number}`).catch(() => null);
      if (!answer?.ok) { this.toast(words.lost); find(root, "round").value = this.state.round; return; }
      this.rounds.set(number, await answer.json());
    }
    Object.assign(this.state, { round: number, step: 0 });
    this.open();
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = 0;
    if (on) {
      if (this.state.step === this.last) this.go(0);
      this.timer = setInterval(() => this.go(this.state.step + 1), SPEEDS[this.speed] * 1000);
    }
    root.querySelector('[data-do="play"]').setAttribute("aria-pressed", String(on));
    root.classList.toggle("playing", on);
  }

  pace(by) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + by));
    this.toast(words.speed.replace("{n}", SPEEDS[this.speed].toLocaleString(document.documentElement.lang)));
    if (this.timer) this.play(true);
  }

  async copy() {
    this.address(true);
    try {
      await navigator.clipboard.writeText(location.href);
      this.toast(words.copied);
    } catch { this.toast(words.notcopied); }
  }

  /** Draws the server's picture of the position as PNG and hands it over as a file. */
  async png() {
    const picture = new Image();
    picture.src = find(root, "picture").href;
    try { await picture.decode(); } catch { this.toast(words.lost); return; }
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth * 2;
    canvas.height = picture.naturalHeight * 2;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `hanafu-${data.id.slice(0, 12)}-${this.state.round}-${this.state.step}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  toast(text) {
    const toast = find(root, "toast");
    toast.textContent = text;
    toast.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => { toast.hidden = true; }, 2500);
  }

  /** The state as an address has it. */
  query() {
    const asked = new URLSearchParams();
    for (const name of ["round", "step", "seat", "reveal"]) asked.set(name, this.state[name]);
    if (this.state.result) asked.set("result", this.state.result);
    return asked;
  }

  /** The address holds the whole state. Browsers refuse it too often in a row, so while dragging it follows a little later. */
  address(now) {
    clearTimeout(this.addressTimer);
    const write = () => {
      history.replaceState(null, "", `${location.pathname}?${this.query()}`);
      find(root, "picture").href = `${data.picture}?${this.query()}`;
      find(root, "frame").value = `<iframe src="${data.frame}?${this.query()}" width="100%" height="720" loading="lazy" title="Hanafu"></iframe>`;
    };
    if (now) write(); else this.addressTimer = setTimeout(write, 120);
  }

  draw(speak = true) {
    const { round, state } = this;
    const step = round.steps[state.step];
    this.scrubber.value = state.step;
    this.scrubber.setAttribute("aria-valuetext", `${state.step}: ${step.says}`);
    find(root, "round").value = state.round;
    find(root, "seat").value = state.seat;
    find(root, "hide-result").checked = state.result === "hidden";
    root.querySelector(`[name="reveal"][value="${REVEALS.includes(state.reveal) ? state.reveal : "seen"}"]`).checked = true;
    find(root, "result").hidden = state.result === "hidden";
    find(root, "count").textContent = words.stepof.replace("{n}", state.step).replace("{all}", this.last);
    const says = find(root, "says");
    if (speak || says.textContent.trim() !== step.says) says.textContent = step.says;
    this.table.draw(round, step, state);
    this.panels.draw(round, step, state);
    this.chart.draw(state);
    this.panels.follow();
    root.classList.add("drawn");
    this.address(false);
  }
}

root.replay = new Replay();
