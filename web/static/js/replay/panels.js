// Beside the table: moves, yaku, the cards seen, notes.
import { Deck, arrange, codes, find, make, refill } from "./dom.js";

const LETTERS = ["B", "A", "R", "Y", "C"];

export class Panels {
  constructor(root, data, go) {
    this.root = root;
    this.data = data;
    this.words = data.words;
    this.deck = new Deck(data);
    this.go = go;
    for (const name of ["moves", "yaku", "seen", "notes"]) this[name] = find(root, name);
    this.buttons = new Map();
    this.full = this.wholeDeck();
    for (const list of [this.moves, this.notes]) {
      list.addEventListener("click", (event) => {
        const button = event.target.closest("[data-to]");
        if (button) go(Number(button.dataset.to));
      });
    }
  }

  open(round) {
    this.round = round;
    this.listMoves(round);
    this.listNotes(round);
    this.search(find(this.root, "search").value);
  }

  draw(round, step, state) {
    this.mark(step, state);
    this.drawYaku(step);
    this.drawSeen(step, state);
  }

  /** Brings a panel into view and gives it the focus; false where it is not there. */
  show(name) {
    const panel = find(this.root, name);
    if (panel.hidden) return false;
    panel.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
    return true;
  }

  listMoves(round) {
    this.buttons.clear();
    const marks = new Map(round.landmarks.map((mark) => [mark.step, mark.kind]));
    const rows = [];
    let row = null;
    let action = null;
    for (const step of round.steps) {
      const begins = row === null || step.action !== action || step.part === "end";
      if (begins) {
        action = step.part === "end" ? null : step.action;
        const who = step.seat ? this.data.players[step.seat - 1] : "";
        row = make("li", "move", {}, make("span", "move-number num", {}, step.part === "end" || !step.action ? "" : String(step.action)),
          make("span", "move-who", {}, who), make("span", "move-parts", {}));
        rows.push(row);
      }
      const kind = marks.get(step.step);
      const button = make("button", `move-part ${kind ? `mark ${kind}` : ""} ${step.conditional ? "as-played" : ""}`, { type: "button", "data-to": step.step, title: step.says, "aria-label": step.says }, this.short(step));
      row.lastChild.append(button);
      row.dataset.text = `${row.dataset.text ?? ""} ${step.says} ${button.textContent}`.toLowerCase();
      this.buttons.set(step.step, button);
    }
    this.moves.replaceChildren(...rows);
    this.current = null;
  }

  /** A step in a few signs. */
  short(step) {
    const lead = step.events.find((event) => ["played", "turned_up", "hiki"].includes(event.kind));
    const captured = step.events.find((event) => event.kind === "captured");
    if (captured) return `${captured.cards[0]} × ${captured.cards.slice(1).join(" + ")}`;
    if (lead) return lead.cards.join(" ");
    const called = step.events.find((event) => event.kind === "called");
    if (called) return called.args.call === "koi" ? "koi-koi" : called.args.call;
    const yaku = step.events.find((event) => event.kind === "yaku");
    if (yaku) return this.data.yaku[yaku.args.id]?.name ?? yaku.args.id;
    return step.part === "special" ? step.says : this.data.parts[step.part] ?? step.part;
  }

  mark(step, state) {
    this.current?.removeAttribute("aria-current");
    this.current = this.buttons.get(step.step);
    this.current?.setAttribute("aria-current", "step");
    const hide = state.result === "hidden";
    for (const [number, button] of this.buttons) button.classList.toggle("future", hide && number > step.step);
    for (const item of this.notes.children) item.classList.toggle("future", hide && Number(item.dataset.action) > step.action);
  }

  /** Scrolls the list to the step. It asks for measures, so it comes when all else of a step is drawn. */
  follow() {
    if (!this.current) return;
    const list = this.moves;
    const row = this.current.closest("li");
    const top = row.offsetTop;
    if (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }

  search(text) {
    const asked = text.trim().toLowerCase();
    for (const row of this.moves.children) row.hidden = Boolean(asked) && !(row.dataset.text ?? "").includes(asked);
  }

  listNotes(round) {
    const notes = Object.entries(round.notes ?? {}).sort((one, other) => Number(one[0]) - Number(other[0]));
    find(this.root, "notes-panel").hidden = !notes.length;
    this.notes.replaceChildren(...notes.map(([action, text]) => {
      const step = round.steps.find((each) => each.action === Number(action))?.step ?? 0;
      return make("li", "note", { "data-action": action }, make("button", "move-part num", { type: "button", "data-to": step }, action), make("span", "", {}, text));
    }));
  }

  /** By seat, or by side where partners' piles are one: yaku made, and those begun with what each still needs. */
  drawYaku(step) {
    refill(this.yaku, String(step.yaku.length), () => step.yaku.map(() => make("section", "yaku-of")));
    step.yaku.forEach((made, at) => {
      const begun = (step.possible_yaku?.[at] ?? []).filter((each) => codes(each.have).length && codes(each.need).length)
        .sort((one, other) => codes(one.need).length - codes(other.need).length);
      const lines = [
        ...made.map((each) => this.yakuLine(each.id, each.points, codes(each.cards), [], "is-made")),
        ...begun.slice(0, 6).map((each) => this.yakuLine(each.id, null, codes(each.have), codes(each.need), "is-begun")),
      ];
      arrange(this.yaku.children[at], [
        { key: "owner", build: () => make("h3", "", {}, this.owner(step, at)) },
        ...(lines.length ? lines : [{ key: "nothing", build: () => make("p", "small soft", {}, this.words.nothing) }]),
      ]);
    });
  }

  owner(step, at) {
    const { players, sides } = this.data;
    return step.yaku.length === players.length ? players[at] : (sides?.[at] ?? []).map((seat) => players[seat - 1]).join(" + ");
  }

  /** A yaku as a child of its section: its name, what it is worth or still needs, its cards. */
  yakuLine(id, points, have, need, state) {
    const known = this.data.yaku[id];
    const worth = typeof points === "number" ? String(points) : ` ${this.words.needs}: ${need.map((code) => this.deck.title(code)).join(", ")}`;
    return {
      key: `${state} ${id}`,
      build: () => make("div", `yaku-line ${state}`, {},
        make("p", "yaku-name", {}, make("span", "", {}, known?.name ?? id), known ? make("span", "soft small", { lang: "ja" }, ` ${known.kanji}`) : "", make(...(typeof points === "number" ? ["b", "num"] : ["span", "small soft visually-hidden"]))),
        make("ul", "cards")),
      update: (line) => {
        const [name, cards] = line.children;
        name.lastChild.textContent = worth;
        this.deck.layChips(cards, have, need);
      },
    };
  }

  /** Every card of the deck, a month a row: with twins as often as there are. */
  wholeDeck() {
    const all = Object.keys(this.data.faces).filter((code) => code !== "?");
    const months = Array.from({ length: 12 }, () => []);
    for (const code of all) {
      const month = this.deck.month(code);
      if (month > 12) continue;
      months[month - 1].push(...Array(this.data.copies[code]).fill(code));
    }
    for (const month of months) month.sort((one, other) => LETTERS.indexOf(one.at(-1)) - LETTERS.indexOf(other.at(-1)));
    return months;
  }

  /** The grid stands from the beginning; a step changes what its cells say. */
  seenCells() {
    const { words, data } = this;
    const cells = [];
    const rows = this.full.map((month, at) => make("tr", "", {}, make("th", "", { scope: "row" }, make("b", "num", {}, String(at + 1)), make("span", "visually-hidden", {}, ` ${data.months[at]}`)),
      ...month.map((code) => {
        const picture = this.deck.chip(code);
        const cell = { code, place: "", picture, element: make("td", "", {}, picture) };
        cells.push(cell);
        return cell.element;
      })));
    const legend = ["onfield", "inhand", "inpile", "unseen"].map((place) => make("li", `key at-${place}`, {}, make("i", "", { "aria-hidden": "true" }), words[place]));
    this.seen.replaceChildren(make("table", "seen", {}, make("tbody", "", {}, ...rows)), make("ul", "plain legend small", {}, ...legend));
    return cells;
  }

  drawSeen(step, state) {
    this.cells ??= this.seenCells();
    const places = new Map();
    const put = (list, place) => list.forEach((code) => places.set(code, [...(places.get(code) ?? []), place]));
    put(codes(step.field), "onfield");
    step.piles.forEach((pile) => put(codes(pile), "inpile"));
    step.hands.forEach((hand, at) => { if (hand && (state.reveal !== "seen" || at + 1 === state.seat)) put(codes(hand), "inhand"); });
    // Where a game counts the yellow chaff as a plain one, its place is that of a third twin.
    const take = (code) => places.get(code)?.shift() ?? (code === "12Y" ? places.get("12C")?.pop() : undefined) ?? "unseen";
    for (const cell of this.cells) {
      const place = take(cell.code);
      if (place === cell.place) continue;
      cell.place = place;
      cell.element.className = `at-${place}`;
      const label = `${this.deck.title(cell.code)}: ${this.words[place]}`;
      cell.element.title = label;
      cell.picture.setAttribute("aria-label", label);
    }
  }
}
