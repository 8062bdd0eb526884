/* Shows games move by move. It knows no rules: each position was computed when the page was made. */
const gafreecellReplay = (() => {
"use strict";

const RANKS = ["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const RANK_NAMES = { 1: "ace", 11: "jack", 12: "queen", 13: "king" };
const SUITS = ["clubs", "diamonds", "hearts", "spades"], SUIT_SIGNS = "\u2663\u2666\u2665\u2660";
const SUIT_SHAPES = [
  "M50 8a21 21 0 0 1 19 30a21 21 0 1 1-14 33q2 14 11 21H34q9-7 11-21a21 21 0 1 1-14-33A21 21 0 0 1 50 8z",
  "M50 4L84 50L50 96L16 50z",
  "M50 94C22 68 6 52 6 31A23 23 0 0 1 50 23A23 23 0 0 1 94 31C94 52 78 68 50 94z",
  "M50 6C58 24 92 38 92 62A20 20 0 0 1 55 71Q57 84 66 92H34Q43 84 45 71A20 20 0 0 1 8 62C8 38 42 24 50 6z",
];
/* Added to a card that lies face down; 100 alone is an unknown card. A player knows the cards from 200 on. */
const FACE_DOWN = 100, KNOWN = 200;
const ICONS = {
  start: "M2 2h3v12H2zM14 2v12L6 8z",
  back: "M11 1L4 8l7 7 2-2-5-5 5-5z",
  play: "M4 2v12l9-6z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  forward: "M5 1l7 7-7 7-2-2 5-5-5-5z",
  end: "M11 2h3v12h-3zM2 2v12l8-6z",
};
/* In widths of a card. */
const COLUMN = 1.14, ROW = 1.78, MARGIN = 0.14, TOP = 0.34, TALL = 1.4;
/* A covered card shows its letter as a whole: without its tail, a Q is an O. */
const FAN = 0.44, FAN_DOWN = 0.3, FAN_RIGHT = 0.46, DEEPEST = 5.6;

/* The shortest swipe, in pixels. */
const SWIPE = 40;

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made && key !== "style") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function drawn(path, box, name = "") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${box} ${box}`);
  svg.setAttribute("aria-hidden", "true");
  if (name) svg.setAttribute("class", name);
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

function cardName(card) {
  return `${RANK_NAMES[card >> 2] || card >> 2} of ${SUITS[card & 3]}`;
}

/* A share that is given in thousandths. */
function percent(share) {
  return (share / 10).toFixed(1);
}

function counted(number, what) {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

/* One solution: its table (`board`); its caption, its list of moves and what else is said (`detail`). */
class Game {
  constructor(told, heading, secret, chosen, alone) {
    this.told = told;
    this.secret = secret;
    this.chosen = chosen;
    this.place = -1;
    this.length = told.moves.length;
    this.board = element("section", { className: "board" });
    this.detail = element("section", { className: "detail" });
    this.detail.setAttribute("aria-label", told.name);
    this.board.append(element(heading, {}, (alone && told.result) || told.name));
    if (!alone) this.board.append(element("p", { className: "about" }, told.result));
    this.felt = element("div", { className: "felt" });
    this.caption = element("p", { className: "caption" });
    this.board.append(this.felt);
    this.detail.append(this.caption);
    if (told.row) this.layRow();
    if (told.piles) this.layOut();
    else this.felt.append((this.text = element("pre", { className: "text", tabIndex: 0 })));
    if (this.length) this.list(chosen);
    if (told.thoughts) {
      this.thoughts = element("div", { className: "thoughts", tabIndex: -1 });
      this.detail.append(this.thoughts);
    }
    for (const note of told.notes) this.detail.append(element("p", { className: "note" }, note));
    if (told.summary) this.detail.append(element("p", { className: "about" }, element("b", {}, told.name), ` \u2013 ${told.summary}`));
  }

  layOut() {
    const { piles, first, changes } = this.told;
    this.frames = [first];
    for (const change of changes) {
      const next = this.frames.at(-1).slice();
      for (const pile of Object.keys(change)) next[pile] = change[pile];
      this.frames.push(next);
    }
    this.wide = this.tall = 0;
    piles.forEach((pile, index) => {
      pile.left = MARGIN + pile.x * COLUMN;
      pile.top = TOP + pile.y * ROW;
      this.wide = Math.max(this.wide, pile.left + 1 + MARGIN);
      let last = null;
      for (const frame of this.frames) {
        if (frame[index] === last) continue;
        last = frame[index];
        this.tall = Math.max(this.tall, this.bottom(pile, last));
        /* Cards that cannot be seen are counted. */
        pile.counted ||= last.length > 1 && pile.spread !== "down" && pile.suit === undefined;
      }
    });
    this.table = element("div", { className: "table" });
    this.table.setAttribute("aria-hidden", "true");
    this.spoken = element("ul", { className: "unseen" });
    this.spoken.setAttribute("aria-label", "Cards on the table");
    this.says = piles.map((pile) => {
      const said = element("li");
      this.spoken.append(said);
      const place = element("div", { className: pile.bare ? "place bare" : "place" });
      if (pile.suit !== undefined) place.append(drawn(SUIT_SHAPES[pile.suit], 100));
      this.put(place, pile.left, pile.top);
      this.table.append(place);
      if (pile.label) {
        const suit = pile.suit === undefined ? "" : ` ${SUIT_SIGNS[pile.suit]}\ufe0e`;
        /* A long label at the right edge reaches to the left. */
        const last = pile.counted && pile.left + 1 + MARGIN === this.wide;
        pile.shown = element("div", { className: last ? "label last" : "label" }, pile.label + suit);
        this.put(pile.shown, pile.left - (last ? 1 : 0), pile.top - 0.27);
        this.table.append(pile.shown);
      }
      return said;
    });
    this.reached = element("li");
    if (this.told.row) this.spoken.prepend(this.reached);
    this.done = element("p", { className: "done", hidden: true }, this.told.result || "");
    this.table.append(this.done);
    this.felt.append(this.table, this.spoken);
    this.cards = new Map();
    this.moved = [];
  }

  /* Some piles once more, all their cards in one row. */
  layRow() {
    this.rows = [];
    for (const change of this.told.rows) this.rows.push(change || this.rows.at(-1));
    this.row = element("div", { className: "lineup" });
    this.row.setAttribute("aria-hidden", "true");
    this.felt.append(this.row, element("p", { className: "key" }, this.told.row.note));
    this.felt.classList.add("rowed");
  }

  drawRow(before) {
    const now = this.rows[this.place], marked = new Set(now.at(-1));
    if (before >= 0 && this.rows[before] === now && !this.anew) return;
    let place = 0;
    const reached = [];
    this.row.replaceChildren(...this.told.row.names.map((name, index) => {
      const cards = now[index].map((card) => {
        const made = element("span", { className: "small-card" }), unknown = this.hides(card), known = card % FACE_DOWN;
        if (unknown) made.append("?");
        else made.append(RANKS[known >> 2], drawn(SUIT_SHAPES[known & 3], 100));
        if (!unknown && (known & 3) % 3) made.classList.add("red");
        if (marked.has(place++)) {
          made.classList.add("marked");
          reached.push(unknown ? "unknown card" : cardName(known));
        }
        return made;
      });
      return element("span", { className: "part" }, element("span", { className: "name" }, cards.length ? name : `${name} \u2013`), ...cards);
    }));
    this.reached.textContent = `Raised in the row of ${this.told.row.names.join(" and ")}: ${reached.join("; ") || "none"}`;
  }

  put(what, left, top) {
    const to = `translate(calc(${left.toFixed(3)} * var(--u)), calc(${top.toFixed(3)} * var(--u)))`;
    /* A style that is written again is computed again, so a card that stays is left alone. */
    if (what.lies === to) return;
    what.style.transform = what.lies = to;
  }

  stack(card, depth) {
    if (card.depth !== depth) card.style.zIndex = card.depth = depth;
  }

  /* Where a pile ends, with the margin below it. */
  bottom(pile, cards) {
    const down = pile.spread === "down" && cards.length ? this.offsets(pile, cards).at(-1) : 0;
    return pile.top + TALL + MARGIN + down;
  }

  /* How far each card of a pile lies from the pile's corner, along its spread. */
  offsets(pile, cards) {
    if (pile.spread === "right") return cards.map((_, i) => FAN_RIGHT * Math.max(0, i - Math.max(0, cards.length - 3)));
    if (pile.spread !== "down") return cards.map(() => 0);
    const steps = cards.map((card) => (card >= FACE_DOWN ? FAN_DOWN : FAN));
    const scale = this.squeezed(pile, cards);
    let at = 0;
    return steps.map((step) => {
      const here = at;
      at += step * scale;
      return here;
    });
  }

  /* By how much the cards of a pile lie closer together than usual: 1 for not at all. */
  squeezed(pile, cards) {
    if (pile.spread !== "down") return 1;
    const total = cards.slice(0, -1).reduce((sum, card) => sum + (card >= FACE_DOWN ? FAN_DOWN : FAN), 0);
    return Math.min(1, DEEPEST / (total || 1));
  }

  cardAt(card, pile, index) {
    const known = card % FACE_DOWN;
    const key = known || `${pile}:${index}`;
    let made = this.cards.get(key);
    if (!made) {
      made = element("div", { className: "card" });
      if (known) {
        made.append(element("b", {}, RANKS[known >> 2]));
        made.append(drawn(SUIT_SHAPES[known & 3], 100, "small"), drawn(SUIT_SHAPES[known & 3], 100, "large"));
      }
      this.cards.set(key, made);
      this.table.append(made);
    }
    return made;
  }

  /* Draw the position after `place` moves. */
  show(place) {
    place = Math.min(place, this.length);
    if (place === this.place) return;
    const before = this.place;
    this.place = place;
    if (this.row) this.drawRow(before);
    if (this.frames) this.draw(before);
    else this.text.textContent = this.told.texts[place] || "The game draws no positions: follow the moves.";
    this.describe();
    this.mark(before);
    if (this.thoughts) this.think();
  }

  draw(before) {
    const frame = this.frames[this.place], old = before < 0 ? null : this.frames[before];
    const shown = new Set();
    frame.forEach((cards, index) => {
      if (old && old[index] === cards && !this.anew) return;
      const pile = this.told.piles[index], offsets = this.offsets(pile, cards), squeezed = this.squeezed(pile, cards);
      cards.forEach((card, at) => {
        const made = this.cardAt(card, index, at), down = card >= FACE_DOWN;
        const right = pile.spread === "right" ? offsets[at] : 0;
        this.put(made, pile.left + right, pile.top + (pile.spread === "down" ? offsets[at] : 0));
        const unknown = this.hides(card);
        const name = `card${(card & 3) % 3 ? " red" : ""}${down ? " down" : ""}${unknown ? " unknown" : ""}`;
        if (made.className !== name) made.className = name;
        if (made.squeezed !== squeezed) made.style.setProperty("--squeezed", (made.squeezed = squeezed));
        made.rests = at + 1;
        this.stack(made, at + 1);
        if (made.style.visibility) made.style.visibility = "";
        shown.add(made);
      });
      if (pile.counted && pile.shown) pile.shown.textContent = `${pile.label} ${cards.length}`;
      this.says[index].textContent = `${pile.name}: ${this.spell(cards)}`;
    });
    const moved = this.movedLast();
    for (const card of this.moved) {
      if (moved.includes(card)) continue;
      card.classList.remove("moved");
      this.stack(card, card.rests);
    }
    for (const card of moved) {
      card.classList.add("moved");
      this.stack(card, 99 + card.rests);
    }
    this.moved = moved;
    this.done.hidden = !this.length || this.place < this.length || !this.told.result;
    /* An unknown card that was turned up leaves its place to a known one. */
    if (this.cards.size > 52 || [...this.cards.keys()].some((key) => typeof key === "string")) {
      frame.forEach((cards, index) => cards.forEach((card, at) => shown.add(this.cardAt(card, index, at))));
      for (const made of this.cards.values()) if (!shown.has(made)) made.style.visibility = "hidden";
    }
    this.anew = false;
  }

  /* The cards that the move before this position has moved, however one came here. */
  movedLast() {
    if (!this.place) return [];
    const last = this.frames[this.place - 1];
    return this.frames[this.place].flatMap((cards, index) => {
      if (cards === last[index]) return [];
      const had = new Set(last[index].map((card) => card % FACE_DOWN));
      return cards.flatMap((card, at) => (had.has(card % FACE_DOWN) ? [] : [this.cardAt(card, index, at)]));
    });
  }

  /* Whether a card is shown as one that nobody knows. */
  hides(card) {
    return card === FACE_DOWN || (card > FACE_DOWN && card < KNOWN && this.secret());
  }

  spell(cards) {
    if (!cards.length) return "empty";
    const names = [];
    let hidden = 0;
    for (const card of cards) {
      if (this.hides(card)) hidden++;
      else names.push(cardName(card % FACE_DOWN) + (card > FACE_DOWN ? ", face down" : ""));
    }
    if (hidden) names.unshift(`${counted(hidden, "unknown card")}`);
    return names.join("; ");
  }

  describe() {
    const { place, length } = this;
    this.caption.textContent = "";
    if (!length) {
      if (!this.told.found) this.caption.append("There is no solution to show.");
    } else if (place === 0) {
      this.caption.append(`The deal, before ${counted(length, "move")}.`);
    } else {
      const [move, words] = this.told.moves[place - 1];
      this.caption.append(`Move ${place} of ${length}: `, element("span", { className: "notation" }, move));
      if (words) this.caption.append(` \u2013 ${words}`);
    }
    const state = this.told.states?.[place];
    if (state) this.caption.append(` \u00b7 ${state}`);
    if (length && place === length && this.told.result) this.caption.append(` \u00b7 ${this.told.result}`);
  }

  list(chosen) {
    this.buttons = this.told.moves.map(([move, words], index) => {
      /* The list is one stop of the tab key: the present move, or the first. */
      const button = element("button", { type: "button", className: "notation", tabIndex: index ? -1 : 0 }, move);
      button.dataset.words = words;
      button.setAttribute("aria-label", `Move ${index + 1}: ${move}${words ? `, ${words}` : ""}`);
      button.addEventListener("click", () => chosen(index + 1));
      return button;
    });
    this.moves = element("ol", { className: "moves" });
    this.moves.setAttribute("aria-label", `Moves of ${this.told.name}`);
    for (const button of this.buttons) this.moves.append(element("li", {}, button));
    this.detail.append(this.moves);
  }

  mark(before) {
    if (!this.buttons) return;
    const inside = this.moves.contains(document.activeElement);
    const last = this.buttons[Math.max(0, before - 1)], button = this.buttons[Math.max(0, this.place - 1)];
    last.removeAttribute("aria-current");
    last.tabIndex = -1;
    button.tabIndex = 0;
    if (inside) button.focus({ preventScroll: true });
    if (this.place === 0) {
      /* Not before the page is laid out, which it would have to be at once. */
      if (before > 0) this.moves.scrollTop = 0;
      return;
    }
    button.setAttribute("aria-current", "step");
    if (this.scrollTo !== null) this.moves.scrollTop = this.scrollTo;
  }

  /* Where the list must be scrolled to for a place; measured before anything is drawn, as that is cheap. */
  measure(place) {
    this.scrollTo = null;
    place = Math.min(place, this.length);
    if (!this.buttons || place < 1) return;
    const top = this.buttons[place - 1].parentNode.offsetTop, { scrollTop, clientHeight } = this.moves;
    if (top < scrollTop || top + 40 > scrollTop + clientHeight) this.scrollTo = top - clientHeight / 2;
  }

  /* Scroll the list to the present move, once it is seen. */
  reveal() {
    this.measure(this.place);
    if (this.scrollTo !== null) this.moves.scrollTop = this.scrollTo;
  }

  /* What the player thought of each move at the decision that the position belongs to. */
  think() {
    const { thoughts } = this.told;
    let first = this.place;
    while (first > 0 && !thoughts[first]) first--;
    let rows = thoughts[first];
    this.thoughts.textContent = "";
    /* The first move was chosen; it may take several steps, such as draws. */
    if (rows && this.place >= first + rows[0][0]) rows = null;
    if (!rows) {
      this.thoughts.append(element("p", {}, this.place < this.length ? "Here the player had no choice to weigh." : "The game is over."));
      return;
    }
    if (this.place > first) {
      const back = element("button", { type: "button" }, "Show the decision");
      /* The button is not there any more, but the focus stays here. */
      back.addEventListener("click", () => { this.chosen(first); this.thoughts.focus({ preventScroll: true }); });
      const step = `step ${this.place - first + 1} of ${rows[0][0]} of what it chose comes next`;
      this.thoughts.append(element("p", {}, `Decided ${first ? `after move ${first}` : "at the start"}; ${step}. `, back));
    }
    const when = this.place > first ? "gave each move then" : "gives each move here";
    this.thoughts.append(element("p", {}, `The chance to win that the player ${when}, with its 99 % interval:`));
    const list = element("ol");
    rows.forEach(([, move, words, chance, low, high, samples], index) => {
      const bar = element("span", { className: "bar" });
      bar.setAttribute("aria-hidden", "true");
      bar.append(
        element("i", { style: `width:${chance / 10}%` }),
        element("u", { style: `left:${low / 10}%;width:${Math.max(0.5, (high - low) / 10)}%` }),
      );
      list.append(element("li", { className: index ? "" : "chosen" },
        element("span", { className: "notation" }, move),
        element("span", { className: "share" }, `${percent(chance)}\u00a0%`),
        bar,
        element("span", { className: "sure" }, `${percent(low)} to ${percent(high)}\u00a0%, ${counted(samples, "sample")}`),
        element("span", { className: "words" }, index ? words : `chosen${words ? `: ${words}` : ""}`),
      ));
    });
    this.thoughts.append(list);
  }
}

/* Show all solutions of `data` in `root`, with one set of controls, which also obeys keys pressed
 * within `heard`. `settled` is told the place where the steps pause. Returns functions to go to a
 * place and to end it. */
function mount(root, data, heard = document, settled = () => {}) {
  const count = data.solutions.length;
  let place = 0, playing = 0, begun = false, showsHidden = !data.hidden;
  const secret = () => !showsHidden;
  const games = data.solutions.map((told) => new Game(told, data.heading || "h2", secret, (at) => { stop(); go(at); }, count === 1));
  const most = Math.max(...games.map((game) => game.length));
  const grid = element("div", { className: count === 1 ? "games alone" : "games" });
  if (games.some((game) => game.row)) grid.classList.add("rowed");
  /* All tables have the same size, so that they align, and the controls stand still. */
  for (const name of ["wide", "tall"]) grid.style.setProperty(`--${name}`, Math.max(...games.map((game) => game[name] || 1)).toFixed(3));
  root.textContent = "";
  root.append(grid);
  const choices = element("div", { className: "choices" });

  function button(icon, label, action) {
    const made = element("button", { type: "button", title: label }, drawn(ICONS[icon], 16));
    made.setAttribute("aria-label", label);
    made.addEventListener("click", action);
    return made;
  }
  const toStart = button("start", "First position (Home)", () => { stop(); go(0); });
  const back = button("back", "Back (left arrow)", () => { stop(); go(place - 1); });
  const play = button("play", "Play (space)", () => (playing ? stop() : start()));
  const forward = button("forward", "Forward (right arrow)", () => { stop(); go(place + 1); });
  const toEnd = button("end", "Last position (End)", () => { stop(); go(most); });
  const slider = element("input", { type: "range", min: 0, max: most, value: 0 });
  slider.setAttribute("aria-label", "Move");
  slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
  const counter = element("span", { className: "counter" });
  const speed = element("select", {});
  speed.title = "Moves played in a second";
  speed.setAttribute("aria-label", "Moves played in a second");
  for (const [rate, told] of [[0.5, "slow"], [1, "1 a second"], [2, "2 a second"], [4, "4 a second"], [10, "fast"]]) {
    speed.append(element("option", { value: rate, selected: rate === 2 }, told));
  }
  const controls = element("div", { className: "controls", role: "group" });
  controls.setAttribute("aria-label", "Controls");
  /* On a narrow screen these are in a row of their own, which stays at the end of the page. */
  for (const one of [toStart, toEnd, speed]) one.classList.add("rare");
  controls.append(toStart, back, play, forward, toEnd, speed, element("span", { className: "jump" }, slider, counter));
  /* What a screen reader says of a step. */
  const said = element("p", { className: "unseen", role: "status" });
  let saying = 0;
  const stage = element("div", { className: "stage" }, choices, element("div", { className: "boards" }, ...games.map((game) => game.board)));
  grid.append(stage, element("div", { className: "details" }, ...games.map((game) => game.detail)));
  if (most) {
    counter.style.minWidth = `${3 + 2 * String(most).length}ch`;
    stage.append(controls);
    root.append(said);
  }
  if (count > 1) {
    /* A narrow screen shows one board at a time. */
    const choose = (chosen) => games.forEach((game, index) => {
      for (const part of [game.board, game.detail]) part.classList.toggle("other", game !== chosen);
      switches[index].setAttribute("aria-pressed", String(game === chosen));
      if (game === chosen) game.reveal();
    });
    const switches = games.map((game) => {
      const made = element("button", { type: "button", className: "switch" }, game.told.name);
      made.addEventListener("click", () => choose(game));
      return made;
    });
    choices.append(...switches);
    choose(games[0]);
  }
  if (data.hidden) {
    const box = element("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      showsHidden = box.checked;
      for (const game of games) {
        const now = game.place;
        game.anew = true;
        if (game.row) game.drawRow(now);
        game.draw(now);
      }
    });
    choices.append(element("label", {}, box, " Show hidden cards"));
    root.append(element("p", { className: "knows" }, data.knows));
  }
  if (data.legend.length) {
    const legend = element("details", { className: "legend" }, element("summary", {}, "How to read the moves"));
    for (const line of data.legend) legend.append(element("p", {}, line));
    root.append(legend);
  }
  const tip = element("div", { className: "tip", hidden: true });
  tip.setAttribute("aria-hidden", "true");
  root.append(tip);

  function go(to) {
    place = Math.max(0, Math.min(most, to));
    for (const game of games) game.measure(place);
    for (const game of games) game.show(place);
    slider.value = place;
    slider.setAttribute("aria-valuetext", `move ${place} of ${most}`);
    counter.textContent = `${place} / ${most}`;
    /* A button that were disabled would lose the focus. */
    for (const one of [toStart, back]) one.setAttribute("aria-disabled", place === 0);
    for (const one of [forward, toEnd]) one.setAttribute("aria-disabled", place === most);
    /* Only where the steps pause; not each move of a game that plays by itself. */
    clearTimeout(saying);
    if (begun && !playing) saying = setTimeout(tellPlace, 300);
  }
  function tellPlace() {
    settled(place);
    said.textContent = games.map((game) => (count > 1 ? `${game.told.name}: ` : "") + game.caption.textContent).join(" ");
  }
  function tell(icon, label) {
    play.replaceChildren(drawn(ICONS[icon], 16));
    play.title = label;
    play.setAttribute("aria-label", label);
  }
  function start() {
    if (place === most) go(0);
    clearTimeout(saying);
    tell("pause", "Pause (space)");
    const next = () => {
      go(place + 1);
      if (place < most) playing = setTimeout(next, 1000 / speed.value);
      else stop();
    };
    playing = setTimeout(next, 300);
  }
  function stop() {
    clearTimeout(playing);
    if (playing) saying = setTimeout(tellPlace, 300);
    playing = 0;
    tell("play", "Play (space)");
  }
  function pressed(event) {
    if (event.key === "Escape") tip.hidden = true;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented || !most) return;
    const on = event.target;
    if (on.matches("textarea, select, input:not([type=range], [type=checkbox])")) return;
    const keys = {
      ArrowLeft: () => { stop(); go(place - 1); },
      ArrowRight: () => { stop(); go(place + 1); },
      Home: () => { stop(); go(0); },
      End: () => { stop(); go(most); },
    };
    /* On a button or a box, space presses it. */
    if (!on.matches("button, summary, a, input[type=checkbox]")) keys[" "] = () => (playing ? stop() : start());
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
  function hint(event) {
    /* A finger would hide it, and the move that it chooses is described beside the table. */
    if (event.pointerType === "touch") return;
    const on = event.target.closest && event.target.closest("[data-words]");
    tip.hidden = !on || !on.dataset.words;
    if (tip.hidden) return;
    tip.textContent = on.dataset.words;
    const box = on.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${box.top > 60 ? box.top - tip.offsetHeight - 6 : box.bottom + 6}px`;
  }
  /* A swipe over a table steps: to the left forward, as one turns a page. */
  let touched = null;
  grid.addEventListener("pointerdown", (event) => { touched = event.pointerType === "touch" && event.target.closest(".table") && event; });
  grid.addEventListener("pointerup", (event) => {
    if (!touched) return;
    const right = event.clientX - touched.clientX, down = event.clientY - touched.clientY;
    touched = null;
    if (Math.abs(right) < SWIPE || Math.abs(right) < 2 * Math.abs(down)) return;
    stop();
    go(place - Math.sign(right));
  });
  heard.addEventListener("keydown", pressed);
  root.addEventListener("pointerover", hint);
  root.addEventListener("focusin", hint);
  root.addEventListener("focusout", () => { tip.hidden = true; });
  root.addEventListener("pointerleave", () => { tip.hidden = true; });
  go(0);
  tell("play", "Play (space)");
  begun = true;
  return {
    go: (to) => { stop(); go(to); },
    end: () => {
      stop();
      clearTimeout(saying);
      heard.removeEventListener("keydown", pressed);
    },
  };
}

return mount;
})();
