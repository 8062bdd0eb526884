/* Draws positions of a game as cards on a table. It knows no rules. */
const gafreecellTable = (() => {
"use strict";

const RANKS = ["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const RANK_NAMES = { 1: "ace", 11: "jack", 12: "queen", 13: "king" };
const SUITS = ["clubs", "diamonds", "hearts", "spades"], SUIT_LETTERS = "CDHS";
/* Shown as text, not as pictures. */
const SUIT_SIGNS = ["\u2663\ufe0e", "\u2666\ufe0e", "\u2665\ufe0e", "\u2660\ufe0e"];
const SUIT_SHAPES = [
  "M50 8a21 21 0 0 1 19 30a21 21 0 1 1-14 33q2 14 11 21H34q9-7 11-21a21 21 0 1 1-14-33A21 21 0 0 1 50 8z",
  "M50 4L84 50L50 96L16 50z",
  "M50 94C22 68 6 52 6 31A23 23 0 0 1 50 23A23 23 0 0 1 94 31C94 52 78 68 50 94z",
  "M50 6C58 24 92 38 92 62A20 20 0 0 1 55 71Q57 84 66 92H34Q43 84 45 71A20 20 0 0 1 8 62C8 38 42 24 50 6z",
];
/* Added to the other one of two cards that are alike, and to a card that lies face down: FACE_DOWN alone is an unknown
 * card. A player knows the cards from KNOWN on. */
const COPY = 64, FACE_DOWN = 128, KNOWN = 256;
/* In widths of a card. */
const COLUMN = 1.14, MARGIN = 0.14, TALL = 1.4;
/* From this column on a table is broad. */
const BROAD = 9;
/* A covered card shows its letter as a whole: without its tail, a Q is an O. */
const FAN = 0.44, FAN_DOWN = 0.3, FAN_RIGHT = 0.46, DEEPEST = 5.6;

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made && key !== "style") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function button(name, action, properties = {}) {
  const made = element("button", { type: "button", ...properties }, name);
  made.addEventListener("click", action);
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

/* Ace is 1. */
function rankOf(card) {
  return (card % COPY) >> 2;
}

function cardName(card) {
  const rank = rankOf(card);
  return `${RANK_NAMES[rank] || rank} of ${SUITS[card & 3]}`;
}

function counted(number, what) {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

/* A table (`felt`) on which one of the positions `frames` is drawn. Each is the list of the cards of each
 * pile; a pile that does not change is the same list. `told` has the piles, the cards of the first position, what
 * the further ones change, and `deepest`, how many widths of a card a pile may be long, if positions will be added.
 * `secret` tells whether unknown cards are hidden. */
/* A card of two letters, as its rank and the sign of its suit. */
function signOf([rank, suit]) {
  return `${rank === "T" ? "10" : rank}${SUIT_SIGNS[SUIT_LETTERS.indexOf(suit)]}`;
}

class Table {
  constructor(told, secret) {
    this.told = told;
    this.secret = secret;
    this.place = -1;
    this.felt = element("div", { className: "felt" });
    if (told.row) this.layRow();
    if (told.piles) this.layOut();
  }

  /* Whether the position is the last one. */
  get ended() {
    return this.place === this.frames.length - 1;
  }

  layOut() {
    const { piles, first, changes, deepest } = this.told;
    this.frames = [first];
    for (const change of changes || []) {
      const next = this.frames.at(-1).slice();
      for (const pile of Object.keys(change)) next[pile] = change[pile];
      this.frames.push(next);
    }
    this.wide = this.tall = 0;
    /* In a narrow window the cards of a broad table are small, but the labels above them are not. */
    const broad = piles.some(({ x }) => x >= BROAD), label = broad ? 0.39 : 0.27, row = TALL + label + 0.11;
    piles.forEach((pile, index) => {
      pile.left = MARGIN + pile.x * COLUMN;
      pile.top = label + 0.07 + pile.y * row;
      /* A pile ends above the one below it. */
      const below = piles.filter(({ x, y }) => x === pile.x && y > pile.y).map(({ y }) => (y - pile.y) * row - TALL - label);
      pile.deepest = Math.min(deepest || DEEPEST, ...below);
      this.wide = Math.max(this.wide, pile.left + 1 + MARGIN);
      if (deepest) this.tall = Math.max(this.tall, pile.top + TALL + MARGIN + (pile.spread === "down" ? pile.deepest : 0));
      let last = null;
      for (const frame of this.frames) {
        if (frame[index] === last) continue;
        last = frame[index];
        this.tall = Math.max(this.tall, this.bottom(pile, last));
        this.count(pile, last);
      }
    });
    this.table = element("div", { className: broad ? "table broad" : "table" });
    this.table.setAttribute("aria-hidden", "true");
    this.spoken = element("ul", { className: "unseen" });
    this.spoken.setAttribute("aria-label", "Cards on the table");
    this.places = [];
    this.says = piles.map((pile, index) => {
      const said = element("li");
      this.spoken.append(said);
      const place = element("div", { className: pile.bare ? "place bare" : "place" });
      if (pile.suit !== undefined) place.append(drawn(SUIT_SHAPES[pile.suit], 100));
      this.put(place, pile.left, pile.top);
      place.pile = index;
      this.places.push(place);
      this.table.append(place);
      if (pile.label) {
        const suit = pile.suit === undefined ? "" : ` ${SUIT_SIGNS[pile.suit]}`;
        /* A long label at the right edge reaches to the left. */
        const last = (pile.counted || (deepest && pile.label.length > 3)) && pile.left + 1 + MARGIN === this.wide;
        pile.shown = element("div", { className: last ? "label last" : "label" }, pile.label + suit);
        this.put(pile.shown, pile.left - (last ? 1 : 0), pile.top - label);
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
        const made = element("span", { className: "small-card" }), unknown = this.hides(card);
        if (unknown) made.append("?");
        else made.append(RANKS[rankOf(card)], drawn(SUIT_SHAPES[card & 3], 100));
        if (!unknown && (card & 3) % 3) made.classList.add("red");
        if (marked.has(place++)) {
          made.classList.add("marked");
          reached.push(unknown ? "unknown card" : cardName(card));
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

  /* Cards that cannot be seen are counted. */
  count(pile, cards) {
    pile.counted ||= cards.length > 1 && pile.spread !== "down" && pile.suit === undefined;
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
    return Math.min(1, pile.deepest / (total || 1));
  }

  cardAt(card, pile, index) {
    const known = card % FACE_DOWN;
    const key = known || `${pile}:${index}`;
    let made = this.cards.get(key);
    if (!made) {
      made = element("div", { className: "card" });
      if (known) {
        made.append(element("b", {}, RANKS[rankOf(card)]));
        made.append(drawn(SUIT_SHAPES[card & 3], 100, "small"), drawn(SUIT_SHAPES[card & 3], 100, "large"));
      }
      this.cards.set(key, made);
      this.table.append(made);
    }
    return made;
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
        made.pile = index;
        this.stack(made, at + 1);
        if (made.style.visibility) made.style.visibility = "";
        shown.add(made);
      });
      this.count(pile, cards);
      if (pile.counted && pile.shown) pile.shown.replaceChildren(element("span", { className: "word" }, `${pile.label} `), cards.length);
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
    this.done.hidden = !this.told.result || !this.place || !this.ended;
    /* An unknown card that was turned up leaves its place to a known one. */
    if ([...this.cards.keys()].some((key) => typeof key === "string")) {
      frame.forEach((cards, index) => cards.forEach((card, at) => shown.add(this.cardAt(card, index, at))));
      for (const made of this.cards.values()) if (!shown.has(made)) made.style.visibility = "hidden";
    }
    this.anew = false;
  }

  /* The cards that the move before this position has moved, however one came here. */
  movedLast() {
    const last = this.frames[this.place - 1];
    if (!last) return [];
    return this.frames[this.place].flatMap((cards, index) => {
      if (cards === last[index]) return [];
      const had = new Set(last[index].map((card) => card % FACE_DOWN));
      /* Unknown cards are all alike: of them the number says how many came. */
      const stayed = (card, at) => (card === FACE_DOWN ? at < last[index].length : had.has(card % FACE_DOWN) || last[index][at] === FACE_DOWN);
      return cards.flatMap((card, at) => (stayed(card, at) ? [] : [this.cardAt(card, index, at)]));
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
      else names.push(cardName(card) + (card > FACE_DOWN ? ", face down" : ""));
    }
    if (hidden) names.unshift(`${counted(hidden, "unknown card")}`);
    return names.join("; ");
  }
}

return { Table, TALL, COPY, FACE_DOWN, KNOWN, SUITS, SUIT_LETTERS, SUIT_SIGNS, element, button, drawn, counted, rankOf, signOf };
})();
