// The table at one step: hands, field by month, draw pile, piles by kind, and what just happened.
import { Deck, codes, find, make, pointWord, points as written, refill } from "./dom.js";

const KIND_ORDER = ["B", "A", "R", "C"];

export class Table {
  constructor(root, data) {
    this.data = data;
    this.words = data.words;
    this.deck = new Deck(data);
    for (const name of ["others", "own", "field", "doing"]) this[name] = find(root, name);
    this.stock = find(root, "draw");
    this.seats = new Map();
    this.shown = null;
  }

  draw(round, step, state) {
    this.arrange(state.seat);
    const fresh = this.fresh(step);
    this.data.players.forEach((_, at) => this.seat(round, step, state, at + 1, fresh));
    this.drawField(step, fresh.field);
    this.drawPile(step, state);
    this.drawDoing(round, step);
  }

  /** The seat whose view it is sits nearest; the others follow in turn order. */
  arrange(mine) {
    if (this.shown === mine) return;
    this.shown = mine;
    const seats = this.data.players.length;
    const element = (seat) => {
      if (!this.seats.has(seat)) this.seats.set(seat, this.seatFrame(seat));
      return this.seats.get(seat);
    };
    const others = [];
    for (let by = 1; by < seats; by += 1) others.push(element(((mine - 1 + by) % seats) + 1));
    this.others.dataset.seats = others.length;
    this.others.replaceChildren(...others);
    this.own.replaceChildren(element(mine));
    for (const [seat, frame] of this.seats) frame.classList.toggle("own", seat === mine);
  }

  seatFrame(seat) {
    const name = this.data.players[seat - 1];
    const title = make("h2", "seat-name", { id: `seat-name-${seat}` }, name);
    return make("section", "seat", { "aria-labelledby": `seat-name-${seat}`, "data-seat-number": seat },
      make("div", "seat-head", {}, title, make("div", "seat-tags", {})),
      make("div", "hand", {}), make("div", "pile", {}));
  }

  seat(round, step, state, seat, fresh) {
    const frame = this.seats.get(seat);
    const words = this.words;
    const side = this.sideOf(seat);
    const points = step.points?.[step.points.length === this.data.players.length ? seat - 1 : side];
    const tags = [];
    if (round.dealer === seat) tags.push(make("span", "tag", {}, words.dealer));
    if (step.next === seat) tags.push(make("span", "tag next", {}, words.next));
    if (typeof points === "number") tags.push(make("span", "seat-points num", {}, words[pointWord(points)].replace("{n}", written(points))));
    refill(frame.querySelector(".seat-tags"), JSON.stringify([round.dealer === seat, step.next === seat, points]), () => tags);
    frame.classList.toggle("active", step.seat === seat);
    this.hand(frame.querySelector(".hand"), round, step, state, seat);
    const shared = step.piles.length !== this.data.players.length;
    this.pile(frame.querySelector(".pile"), step.piles[shared ? side : seat - 1] ?? "", fresh.piles[seat] ?? []);
  }

  sideOf(seat) {
    return this.data.sides ? this.data.sides.findIndex((side) => side.includes(seat)) : seat - 1;
  }

  hand(element, round, step, state, seat) {
    const { words } = this;
    const text = step.hands[seat - 1];
    const count = step.hand_counts[seat - 1] ?? 0;
    const open = state.reveal !== "seen" || state.seat === seat;
    const how = count === 1 ? words.card : words.cards.replace("{n}", count);
    const played = round.level === "full" || round.level === "moves";
    if (played && open && text !== null && text !== undefined) {
      refill(element, "open", () => make("ul", "cards"));
      this.deck.lay(element.firstChild, codes(text)).setAttribute("aria-label", `${words.hand}: ${how}`);
      return;
    }
    refill(element, JSON.stringify([count, open, played]), () => {
      if (!played) return make("p", "small soft", {}, `${words.hand}: ${words.unrecorded}`);
      const backs = Array.from({ length: count }, () => make("li", "", {}, this.deck.back()));
      const why = open ? words.unrecorded : words.hidden;
      return make("div", "closed", {}, make("ul", "cards backs", { "aria-hidden": "true" }, ...backs), make("p", "small", {}, `${how}, ${why}`));
    });
  }

  pile(element, text, fresh) {
    const list = codes(text);
    refill(element, String(list.length > 0), () => (list.length ? KIND_ORDER.map(() => make("div", "kind")) : make("p", "small none", {}, `${this.words.pile}: ${this.words.nothing}`)));
    if (!list.length) return;
    KIND_ORDER.forEach((kind, at) => {
      const mine = list.filter((code) => this.deck.kind(code) === kind);
      const marks = fresh.filter((code) => this.deck.kind(code) === kind);
      element.children[at].hidden = !mine.length;
      if (!mine.length) return;
      const name = this.data.kinds[kind];
      refill(element.children[at], kind, () => [make("span", "kind-name small", { "aria-hidden": "true" }, `${name} `, make("b", "num")), make("ul", "cards heap")]);
      const [label, heap] = element.children[at].children;
      label.lastChild.textContent = mine.length;
      this.deck.lay(heap, mine, marks).setAttribute("aria-label", `${name}, ${mine.length}`);
    });
  }

  /** A place a month, always the same one; the jokers have theirs where there are any. */
  drawField(step, fresh) {
    const list = codes(step.field);
    const jokers = list.some((code) => code[0] === "J");
    refill(this.field, `${jokers} ${list.includes("?")}`, () => {
      const months = this.data.months.slice(0, jokers ? 13 : 12);
      const slots = months.map((name, at) => make("li", "slot", {}, make("ul", "cards", { "aria-label": name }), make("span", "month", { "aria-hidden": "true" }, make("b", "", {}, String(at + 1)), ` ${name}`)));
      if (list.includes("?")) slots.push(make("li", "slot", {}, make("ul", "cards", {})));
      return make("ul", "slots plain", { "aria-label": this.words.onfield }, ...slots);
    });
    [...this.field.firstChild.children].forEach((slot, at) => {
      const mine = list.filter((code) => (at >= (jokers ? 13 : 12) ? code === "?" : code !== "?" && this.deck.month(code) === at + 1));
      const marks = fresh.filter((code) => mine.includes(code));
      slot.classList.toggle("bare", !mine.length);
      slot.toggleAttribute("aria-hidden", !mine.length);
      if (!mine.length) slot.setAttribute("aria-hidden", "true");
      this.deck.lay(slot.firstChild, mine, marks);
    });
  }

  drawPile(step, state) {
    const pile = step.draw_pile;
    const open = state.reveal === "all" && pile.cards !== null && pile.cards !== undefined;
    const how = pile.count === 1 ? this.words.card : this.words.cards.replace("{n}", pile.count);
    refill(this.stock, JSON.stringify([pile, open]), () => {
      const stack = make("div", pile.count ? "stack" : "stack empty", { style: `--depth: ${Math.min(5, Math.ceil(pile.count / 5))}` }, pile.count ? this.deck.back() : "");
      const count = make("p", "small stack-count", {}, make("b", "num", {}, String(pile.count)), make("span", "visually-hidden", {}, ` ${how}`));
      const known = open ? make("ul", "cards coming", { "aria-label": how }, ...this.deck.items(codes(pile.cards))) : null;
      return [stack, count, known].filter(Boolean);
    });
  }

  /** Cards that moved in this step, by where they lie now. */
  fresh(step) {
    const marks = { field: [], piles: {} };
    for (const event of step.events) {
      if (event.kind === "stayed") marks.field.push(...event.cards);
      if (event.kind === "captured" || event.kind === "hiki") marks.piles[event.seat] = [...(marks.piles[event.seat] ?? []), ...event.cards];
      if (event.kind === "moved") {
        const to = typeof event.args?.to === "number" ? event.args.to : event.seat;
        if (to) marks.piles[to] = [...(marks.piles[to] ?? []), ...event.cards];
      }
    }
    return marks;
  }

  /** The rule behind what happened, in its own words. */
  why(rule) {
    const text = this.data.rules[rule];
    return make("p", "why small", { "data-rule": rule }, text ? make("a", "rule-id", { href: `${this.data.rulesPage}#${rule}` }, rule) : make("span", "rule-id", {}, rule), text ? ` ${text}` : "");
  }

  /** What just happened, large: the card, what it took, what followed. */
  drawDoing(round, step) {
    refill(this.doing, `${round.round}:${step.step}`, () => {
      const fault = step.events.some((event) => event.kind === "fault");
      const parts = [make("p", "eyebrow", {}, this.data.parts[step.part] ?? step.part)];
      const lead = step.events.find((event) => ["played", "turned_up", "hiki"].includes(event.kind));
      const captured = step.events.find((event) => event.kind === "captured");
      const cards = (list) => make("ul", "cards", {}, ...this.deck.items(list));
      if (lead || captured) {
        const taken = captured ? captured.cards.slice(1) : [];
        const first = lead ? lead.cards : captured.cards.slice(0, 1);
        const row = make("div", "act", {}, fault ? make("ul", "cards", {}, ...first.map((code) => make("li", "", {}, this.deck.hatched(code)))) : cards(first));
        if (taken.length) row.append(make("span", "verb", {}, this.words.takes), cards(taken));
        else if (step.events.some((event) => event.kind === "stayed")) row.append(make("span", "verb", {}, this.words.stays));
        parts.push(row);
      }
      for (const event of step.events) {
        if (event.kind === "moved" && event.cards.length) {
          const to = typeof event.args?.to === "number" ? event.args.to : event.seat;
          parts.push(make("div", "act", {}, cards(event.cards), to ? make("span", "verb", {}, `→ ${this.data.players[to - 1]}`) : ""));
        }
        if (["moved", "owner", "claim"].includes(event.kind)) parts.push(this.why(event.rule));
        if (event.kind === "yaku") {
          const known = this.data.yaku[event.args.id];
          parts.push(make("p", "made", {}, make("strong", "", {}, known?.name ?? event.args.id), known ? make("span", "", { lang: "ja" }, ` ${known.kanji}`) : ""));
        }
        if (event.kind === "called") parts.push(make("p", "made call", {}, event.args.call === "koi" ? "koi-koi" : event.args.call));
        if (event.kind === "fault") {
          const title = this.data.findings[event.args.code] ?? event.args.code;
          parts.push(make("p", "fault", {}, make("strong", "", {}, title[0].toUpperCase() + title.slice(1))), this.why(event.rule));
        }
      }
      if (round.level !== "full") parts.push(make("p", "level small soft", {}, this.data.levels[round.level]));
      if (step.conditional) parts.push(make("p", "conditional small", {}, this.words.conditional));
      return parts.filter((part, at) => !(part.dataset.rule && parts.findIndex((other) => other.dataset.rule === part.dataset.rule) < at));
    });
    this.doing.classList.toggle("at-fault", step.findings.length > 0);
  }
}
