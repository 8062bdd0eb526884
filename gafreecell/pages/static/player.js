/* A game that a person plays. The server knows the rules: for each position it lists the legal moves and what each
 * changes on the table, so that a move is shown at once. */
const gafreecellPlayer = (() => {
"use strict";

const { Table, element, button, counted, TALL, COPY, FACE_DOWN } = gafreecellTable;
const { Coach, same, signed } = gafreecellCoach;
/* How long a pile may be, in widths of a card; how far a finger moves before it drags, in pixels; the longest time
 * between the clicks of a double click, and the pause between moves that are made by themselves, in milliseconds. */
const DEEPEST = 4.6, SLIP = 6, TWICE = 400, PAUSE = 120;
const KEPT = "gafreecell playing";
const CLICK = matchMedia("(pointer: coarse)").matches ? "Tap" : "Click";
const USUAL = { home: "safe", coach: true, once: false };

class Player {
  /* `game` has the moves made and how many of them are played, `ask` asks the server, and `noted` is told of
   * each position. */
  constructor(root, game, ask, noted) {
    this.root = root;
    this.ask = ask;
    this.noted = noted;
    this.moves = game.moves || [];
    this.place = Math.max(0, Math.min(game.place ?? this.moves.length, this.moves.length));
    this.words = [];
    /* Which moves were made by themselves. */
    this.alone = [];
    this.queue = [];
    this.chosen = null;
    this.marked = [];
    this.open = false;
    this.settings = { ...USUAL };
    try { Object.assign(this.settings, JSON.parse(localStorage.getItem(KEPT) || "{}")); } catch { /* Nothing is remembered. */ }
    this.gone = new AbortController();
    this.coach = new Coach(this);
    this.arrive();
  }

  end() {
    this.gone.abort();
    this.coach.end();
  }

  keep(changed) {
    Object.assign(this.settings, changed);
    try { localStorage.setItem(KEPT, JSON.stringify(this.settings)); } catch { /* Then it is forgotten. */ }
  }

  get frame() {
    return this.table?.frames[this.place];
  }

  /* The known frame that is the fewest moves from here; none if nothing is drawn. */
  get nearest() {
    const { frames } = this.table, away = (at) => Math.abs(at - this.place);
    const [at] = Object.keys(frames).sort((one, other) => away(one) - away(other));
    return frames[at];
  }

  /* Ask what can be played here. `onward` lets moves that follow by themselves be made. */
  arrive(onward = false) {
    this.at = null;
    const mine = (this.coming = this.reach(onward, () => this.coming === mine));
    this.coach.judge();
    return mine;
  }

  async reach(onward, current) {
    const found = await this.ask("position", { moves: this.moves.slice(0, this.place), open: this.open }, this.gone.signal);
    if (!found || !current()) return;
    this.at = found;
    /* Now the cards are known that the last move turned up. */
    if (this.place) this.words[this.place - 1] = found.words;
    if (this.table) this.adopt(found);
    else this.lay(found);
    this.settle(found.cards);
    this.tell();
    this.mark();
    this.noted(this);
    if (onward) this.follow();
  }

  /* The server tells two cards that are alike apart by where they lie now; here each stays what it was. */
  adopt(found) {
    const known = this.nearest, other = new Set();
    if (!known) return;
    found.cards.forEach((cards, index) => cards.forEach((card, at) => {
      if ((known[index][at] ^ card) % FACE_DOWN === COPY) other.add(card % COPY);
    }));
    const mine = (cards) => cards.map((card) => (other.has(card % COPY) ? card ^ COPY : card));
    found.cards = found.cards.map(mine);
    for (const { changes } of found.moves) for (const pile of Object.keys(changes)) changes[pile] = mine(changes[pile]);
  }

  /* Draw what the server says of this position. A pile that is the same stays as it is, and so does the order of
   * cards that are done with. */
  settle(cards) {
    const known = this.frame, sorted = (pile) => [...pile].sort().join();
    const last = this.table.place;
    this.table.frames[this.place] = cards.map((pile, index) => {
      const old = known?.[index];
      return old && (this.at.piles[index].home ? sorted(old) === sorted(pile) : String(old) === String(pile)) ? old : pile;
    });
    this.table.anew = true;
    this.table.place = this.place;
    this.table.draw(last);
  }

  /* Make moves that follow by themselves: those of a hint, or those that bring cards home. */
  follow() {
    const next = this.queue.shift();
    const move = next ? this.legal(next) : this.homing();
    if (!move) return;
    const coming = this.coming;
    setTimeout(() => { if (this.coming === coming && !this.gone.signal.aborted) this.make(move, !next); }, PAUSE);
  }

  /* The legal move of that name; the server knows more names of it than its list has. */
  legal(name) {
    return this.at.moves.find(({ move }) => same(move, name)) || { move: name, words: "", takes: [], changes: {} };
  }

  /* A move that brings a card home which no other card needs; or any, if all are to go home. */
  homing() {
    const { home } = this.settings, { piles, moves } = this.at;
    if (home === "hand") return null;
    const sizes = piles.flatMap((pile, index) => (pile.suit === undefined ? [] : [this.frame[index].length]));
    const least = Math.min(...sizes) + 1;
    return moves.find(({ to }) => piles[to].suit !== undefined && (home === "all" || this.frame[to].length <= least)) || null;
  }

  make(one, alone = false) {
    const { frames } = this.table, next = this.frame.slice();
    for (const [pile, cards] of Object.entries(one.changes)) next[pile] = cards;
    this.words.length = this.moves.length = this.place;
    this.words.push(one.words);
    this.moves.push(one.move);
    this.alone[this.place] = alone;
    frames.length = this.place + 1;
    this.place++;
    this.coach.follow(one.move);
    frames[this.place] = next;
    this.show();
    this.arrive(true);
  }

  show() {
    this.at = null;
    const last = this.table.place;
    this.choose(null);
    this.coach.advice.replaceChildren();
    this.table.place = this.place;
    this.table.anew = true;
    if (this.frame) this.table.draw(last);
    this.tell();
  }

  go(place) {
    this.queue = [];
    this.place = Math.max(0, Math.min(this.moves.length, place));
    this.show();
    this.arrive();
  }

  undo() {
    if (!this.place) return;
    let to = this.place - 1;
    while (to && this.alone[to]) to--;
    this.go(to);
  }

  redo() {
    if (this.place === this.moves.length) return;
    let to = this.place + 1;
    while (to < this.moves.length && this.alone[to]) to++;
    this.go(to);
  }

  /* The moves that take cards from a pile, those of most cards first. */
  from(pile) {
    const starts = ({ takes }) => takes.find(([from]) => from === pile)?.[1];
    return this.at.moves.filter((one) => one.tap === undefined && starts(one) !== undefined)
      .map((one) => ({ one, start: starts(one) })).sort((a, b) => a.start - b.start);
  }

  /* The move of the cards from `start` on to another pile, or of another number of them, unless `exactly` is asked. */
  fitting(pile, start, to, exactly = false) {
    const fits = this.from(pile).filter(({ one }) => (one.takes.length > 1 ? one.takes.some(([from]) => from === to && from !== pile) : one.to === to));
    const found = fits.find((fit) => fit.start === start) || (!exactly && fits[0]);
    return found ? found.one : null;
  }

  /* Do something once all that was asked for before is done. */
  act(work) {
    this.acting = (async () => {
      await this.acting;
      if (!this.at) await this.coming;
      if (this.at) work();
    })();
  }

  /* A click on a card or an empty place, at a time; by keyboard there is neither a card nor a time. After a label that
   * is `typed` there comes another one. */
  press(pile, start, when = 0, typed = false) {
    /* The first click of a double click may have played the card. */
    const { played } = this;
    this.played = null;
    if (when && played?.pile === pile && when - played.when < TWICE) return;
    const { chosen } = this, twice = when && chosen?.pile === pile && when - this.when < TWICE;
    if (chosen && chosen.pile !== pile) {
      const move = this.fitting(chosen.pile, chosen.start, pile);
      if (move) return this.make(move);
    }
    const all = this.from(pile), homes = all.filter(({ one }) => this.at.piles[one.to].home && one.takes.length === 1);
    const tapped = this.at.moves.find(({ tap }) => tap === pile);
    /* A king on Pyramid's stock goes before the next card is drawn. */
    if (tapped && !homes.length) return this.make(tapped);
    if (!all.length) {
      if (chosen) this.choose(null);
      return this.say(chosen ? "These cards do not go there." : "Nothing can be played from there.");
    }
    const only = homes.length && (homes.length === all.length || tapped);
    if (twice || (!typed && (this.settings.once || only))) {
      this.played = twice ? null : { pile, when };
      return this.make(this.best(tapped ? homes : all, start));
    }
    const starts = [...new Set(all.map((fit) => fit.start))];
    if (start === undefined) {
      /* By keyboard: first all cards that can move, then fewer, then none. */
      const next = chosen?.pile === pile ? starts[starts.indexOf(chosen.start) + 1] : starts[0];
      return this.choose(next === undefined ? null : { pile, start: next });
    }
    const nearest = starts.includes(start) ? start : starts.find((one) => one > start) ?? starts.at(-1);
    this.choose(chosen?.pile === pile && chosen.start === nearest ? null : { pile, start: nearest }, when);
  }

  /* What a double click plays: home, else onto a card, else to an empty place. */
  best(all, start) {
    const given = all.filter((fit) => fit.start === start);
    const worth = ({ to }) => (this.at.piles[to].home ? 0 : this.frame[to].length ? 1 : this.at.piles[to].spread ? 2 : 3);
    return (given.length ? given : all).map(({ one }) => one).sort((a, b) => worth(a) - worth(b))[0];
  }

  choose(chosen, when = 0) {
    const last = this.chosen;
    this.chosen = chosen;
    this.when = when;
    if (!this.table) return;
    if (chosen) this.say(`${this.table.spell(this.frame[chosen.pile].slice(chosen.start))}: where to?`);
    else if (last) this.tell();
    this.mark();
  }

  /* Show which cards can be taken, which are chosen, and where these can go. */
  mark() {
    for (const [what, name] of this.marked) what.classList.remove(name);
    this.marked = [];
    if (!this.at || !this.frame) return;
    const add = (what, name) => { what.classList.add(name); this.marked.push([what, name]); };
    const cards = (pile, start) => this.frame[pile].slice(start).map((card, at) => this.table.cardAt(card, pile, start + at));
    const last = (pile) => (this.frame[pile].length ? cards(pile, this.frame[pile].length - 1)[0] : this.table.places[pile]);
    for (const { takes, tap } of this.at.moves) {
      if (tap !== undefined) for (const name of ["free", "tapped"]) add(last(tap), name);
      else for (const [pile, start] of takes) for (const card of cards(pile, start)) add(card, "free");
    }
    if (!this.chosen) return;
    const { pile, start, only } = this.chosen;
    for (const card of cards(pile, start)) add(card, "chosen");
    for (const { one, start: first } of this.from(pile)) {
      if (first !== start || (only && one !== only)) continue;
      const pair = one.takes.find(([from]) => from !== pile);
      add(last(pair ? pair[0] : one.to), "goal");
    }
  }

  say(text) {
    this.caption.textContent = text;
  }

  /* Say where the game stands. */
  tell() {
    if (!this.table) return;
    const { place, moves } = this, at = this.at, move = moves[place - 1];
    this.title.textContent = at ? at.title : this.title.textContent;
    this.counter.textContent = place < moves.length ? `${place} of ${moves.length} moves` : counted(place, "move");
    this.back.setAttribute("aria-disabled", !place);
    this.forth.setAttribute("aria-disabled", place === moves.length);
    this.caption.textContent = "";
    if (move) this.caption.append(element("span", { className: "notation" }, move), this.words[place - 1] ? ` \u2013 ${signed(this.words[place - 1])}` : "");
    else this.caption.append(this.pairs ? `${CLICK} the two cards of a pair, or a king alone.` : `${CLICK} a card, then where it goes; or drag it.`);
    if (!at) return;
    if (at.state) this.caption.append(` \u00b7 ${at.state}`);
    this.table.done.textContent = at.won ? `Won in ${counted(place, "move")}` : "No move is left";
    this.table.done.hidden = !at.won && at.moves.length > 0;
    this.spots.forEach((spot, pile) => spot.setAttribute("aria-label", `${at.piles[pile].name}: ${this.table.spell(this.frame[pile])}`));
    this.root.classList.toggle("won", at.won);
    this.banner.hidden = this.table.done.hidden;
    const hints = this.coach.hinted.size;
    this.score.textContent = at.won ? [hints ? counted(hints, "hint") : "without a hint", this.tally?.()].filter(Boolean).join(" \u00b7 ") : "";
    this.asks.setAttribute("aria-disabled", at.won);
    this.coach.tell();
  }

  /* Lay the table and everything around it. */
  lay(found) {
    /* Where nothing is built, cards go in pairs. */
    this.pairs = !found.piles.some(({ spread }) => spread === "down");
    this.table = new Table({ piles: found.piles, first: found.cards, deepest: DEEPEST }, () => !this.open);
    const { table } = this.table;
    this.table.frames = [];
    this.table.spoken.remove();
    this.title = element("span");
    const head = element("h2", {}, ...[document.querySelector("h1")].filter(Boolean).map((one) => `${one.textContent}: `), this.title);
    this.counter = element("span", { className: "counter" });
    this.caption = element("p", { className: "caption", role: "status" });
    this.score = element("p");
    const finish = element("div", { className: "finish" }, button("Next game", () => this.next(), { className: "main" }), button("Review this game", () => this.coach.review()), button("The same deal again", () => this.go(0)));
    /* What is said at the end, in the middle of the table. */
    this.banner = element("div", { className: "banner", hidden: true }, this.table.done, this.score, finish);
    this.table.felt.append(this.banner);
    this.back = button("Undo", () => this.undo(), { title: "Undo (Ctrl+Z)" });
    this.forth = button("Redo", () => this.redo(), { title: "Redo (Ctrl+Y)" });
    this.asks = button("Hint", () => this.coach.hint(), { title: "Hint (?)" });
    const renew = button("New game", () => this.renew()), other = button("Other deal \u2026", () => this.other());
    const controls = element("div", { className: "controls single", role: "group" }, this.back, this.forth, this.asks, renew, other, this.counter);
    controls.setAttribute("aria-label", "Controls");
    const board = element("section", { className: "board" }, head, this.coach.light, this.table.felt);
    const stage = element("div", { className: "stage" }, element("div", { className: "boards" }, board), controls);
    const detail = element("section", { className: "detail" }, this.caption, this.coach.blamed, this.coach.advice, this.coach.moves, this.choices(), this.help(found), element("p", { className: "about" }, found.rules));
    detail.setAttribute("aria-label", "Moves and settings");
    const grid = element("div", { className: "games alone playing" }, stage, element("div", { className: "details" }, detail));
    for (const name of ["wide", "tall"]) grid.style.setProperty(`--${name}`, this.table[name].toFixed(3));
    this.spots = found.piles.map((pile, index) => this.spot(pile, index));
    const spots = element("div", { className: "spots", role: "group" }, ...this.spots);
    spots.setAttribute("aria-label", "Cards on the table");
    this.table.felt.append(spots);
    this.root.replaceChildren(grid);
    const { signal } = this.gone;
    for (const [kind, heard] of [["pointerdown", "grab"], ["pointermove", "drag"], ["pointerup", "drop"], ["pointercancel", "miss"]]) {
      table.addEventListener(kind, (event) => this[heard](event), { signal });
    }
    document.addEventListener("keydown", (event) => this.key(event), { signal });
  }

  choices() {
    const select = element("select", {});
    for (const [value, told] of [["hand", "by hand"], ["safe", "if no other card needs them"], ["all", "as soon as they can"]]) {
      select.append(element("option", { value, selected: value === this.settings.home }, told));
    }
    select.addEventListener("change", () => { this.keep({ home: select.value }); if (this.at) this.follow(); });
    const box = (name, told, changed) => {
      const made = element("input", { type: "checkbox", checked: name in this.settings ? this.settings[name] : this[name] });
      made.addEventListener("change", () => changed(made.checked));
      return element("label", {}, made, ` ${told}`);
    };
    const suits = this.at.piles.some(({ suit }) => suit !== undefined);
    const all = [
      ...(suits ? [element("label", {}, "Cards go home ", select)] : []),
      box("once", "One click plays a card", (once) => this.keep({ once })),
      box("coach", "Coach", (coach) => { this.keep({ coach }); this.coach.judge(); }),
    ];
    if (this.at.hidden) all.push(box("open", "Show hidden cards", (open) => { this.open = open; this.coach.verdicts = []; this.table.frames = []; this.arrive(); }));
    return element("div", { className: "settings" }, ...all);
  }

  help({ piles }) {
    const stock = piles.some(({ name }) => name === "stock") ? "; s is the stock" : "";
    const rules = document.getElementById("how");
    const lines = [
      ...(rules ? [rules.textContent] : []),
      this.pairs ? `${CLICK} the two cards of a pair, or drag one to the other; a king goes with one ${CLICK.toLowerCase()}.` : `${CLICK} a card and then where it goes, or drag it. A double ${CLICK.toLowerCase()} plays it home, or where it fits.`,
      `By keyboard: type the labels of two piles, such as 2 6 or 2 h (home)${stock}. Or go to the table with Tab and from pile to pile with the arrows: Enter takes cards, Enter again takes fewer, and Enter elsewhere puts them down.`,
      "Ctrl+Z takes a move back, Ctrl+Y plays it again, ? asks for a hint.",
    ];
    return element("details", {}, element("summary", {}, "How to play"), ...lines.map((line) => element("p", {}, line)));
  }

  /* A place of the table that the keyboard reaches. */
  spot(pile, index) {
    const made = button("", () => this.act(() => this.press(index)), { className: "spot", tabIndex: index ? -1 : 0 });
    this.table.put(made, pile.left, pile.top);
    made.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const { piles } = this.at || { piles: [] };
      const far = (other) => {
        const x = other.x - pile.x, y = other.y - pile.y, along = x * way[0] + y * way[1];
        return along > 0 ? along + 3 * Math.abs(x * way[1] + y * way[0]) : Infinity;
      };
      const near = piles.map((other, at) => [far(other), at]).sort((one, other) => one[0] - other[0])[0];
      if (!near || near[0] === Infinity) return;
      this.spots[index].tabIndex = -1;
      this.spots[near[1]].tabIndex = 0;
      this.spots[near[1]].focus({ preventScroll: true });
    });
    return made;
  }

  key(event) {
    if (event.defaultPrevented || event.altKey || event.target.closest("textarea, select, input:not([type=checkbox])")) return;
    const key = event.key.toLowerCase();
    const command = event.ctrlKey || event.metaKey;
    const undo = command && key === "z" && !event.shiftKey, redo = command && (key === "y" || (key === "z" && event.shiftKey));
    if (undo || (!command && event.key === "Backspace")) this.undo();
    else if (redo) this.redo();
    else if (command) return;
    else if (event.key === "Escape") this.choose(null);
    else if (event.key === "?") this.coach.hint();
    else if (key.length > 1 || key === " " || !this.named(key)) return;
    event.preventDefault();
  }

  /* Play by the labels of piles; whether there is one that begins so. */
  named(key) {
    if (!this.table) return false;
    const { piles } = this.table.told;
    const found = [...piles.keys()].filter((pile) => piles[pile].label?.[0].toLowerCase() === key && !/^[a-z]\d/.test(piles[pile].label));
    if (!found.length) return false;
    this.act(() => {
      const { chosen } = this;
      const fits = chosen && found.find((pile) => this.fitting(chosen.pile, chosen.start, pile));
      this.press(fits ?? found.find((pile) => this.from(pile).length) ?? found[0], undefined, 0, true);
    });
    return true;
  }

  /* Where an event happens on the table, in widths of a card. */
  where(event) {
    const box = this.table.table.getBoundingClientRect(), unit = box.width / this.table.wide;
    return { x: (event.clientX - box.left) / unit, y: (event.clientY - box.top) / unit, unit };
  }

  grab(event) {
    if (event.button || this.held) return;
    const on = event.target.closest(".card, .place");
    if (!on) return this.choose(null);
    const pile = on.pile, start = on.rests ? on.rests - 1 : 0;
    this.held = { pile, start, id: event.pointerId, at: this.where(event), now: this.lie(on), cards: null };
  }

  /* Where a card or a place lies. */
  lie(what) {
    return what.lies.match(/-?[\d.]+(?= \*)/g).map(Number);
  }

  drag(event) {
    const { held } = this;
    if (!held || held.id !== event.pointerId) return;
    const { x, y, unit } = this.where(event), right = x - held.at.x, down = y - held.at.y;
    held.slips ||= Math.hypot(right, down) * unit >= SLIP;
    if (!held.slips) return;
    if (!held.cards) {
      if (!this.at || !this.from(held.pile).some(({ start }) => start === held.start)) return;
      this.table.table.setPointerCapture(held.id);
      this.choose({ pile: held.pile, start: held.start });
      held.cards = this.frame[held.pile].slice(held.start).map((card, index) => this.table.cardAt(card, held.pile, held.start + index));
      held.lies = held.cards.map((card) => this.lie(card));
      held.cards.forEach((card, index) => { card.classList.add("dragged"); card.style.zIndex = 200 + index; });
    }
    held.cards.forEach((card, index) => this.table.put(card, held.lies[index][0] + right, held.lies[index][1] + down));
  }

  async drop(event) {
    const { held } = this;
    if (!held || held.id !== event.pointerId) return;
    const { x, y } = this.where(event), at = [held.now[0] + x - held.at.x, held.now[1] + y - held.at.y];
    this.release();
    if (!held.slips) return this.act(() => this.press(held.pile, held.start, event.timeStamp));
    if (!this.at) await this.coming;
    const move = this.at && this.over(held, at);
    if (move) this.make(move);
    else if (held.cards) this.choose(null);
  }

  miss() {
    const cards = this.held?.cards;
    this.release();
    if (cards) this.choose(null);
  }

  /* Put the cards that were dragged back where they lie. */
  release() {
    const { held } = this;
    this.held = null;
    held?.cards?.forEach((card, index) => {
      card.classList.remove("dragged");
      card.depth = null;
      this.table.stack(card, card.rests);
      this.table.put(card, ...held.lies[index]);
    });
  }

  /* The move to the pile over which dragged cards hang most. A pile with less than a third of that is not meant. */
  over({ pile, start }, now) {
    const shares = this.table.told.piles.map((place, to) => {
      const bottom = this.table.bottom(place, this.frame[to]) - place.top;
      const wide = 1 - Math.abs(now[0] - place.left), tall = Math.min(now[1] + TALL, place.top + bottom) - Math.max(now[1], place.top);
      return [wide > 0 && tall > 0 ? wide * Math.min(tall, TALL) : 0, to];
    });
    const [[most]] = shares.sort((one, other) => other[0] - one[0]);
    for (const [share, to] of shares) {
      const move = share > most / 3 && this.fitting(pile, start, to, true);
      if (move) return move;
    }
    return null;
  }

  /* Mark the cards of a move and where they go. */
  point(only) {
    const { takes: [first], tap } = only;
    if (!first) return;
    this.chosen = tap === undefined ? { pile: first[0], start: first[1], only } : null;
    this.mark();
  }

  /* Make several moves, one after another. */
  playAll(moves) {
    this.queue = [...moves];
    if (this.at) this.follow();
  }
}

return (root, game, ask, noted) => new Player(root, game, ask, noted);
})();
