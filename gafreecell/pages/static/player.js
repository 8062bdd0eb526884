/* A game that a person plays. The server knows the rules: for each position it lists the legal moves and what each
 * changes on the table, so that a move is shown at once. */
const gafreecellPlayer = (() => {
"use strict";

const { Table, element, counted, FACE_DOWN, TALL } = gafreecellTable;
/* How long a pile may be, in widths of a card; how far a finger moves before it drags, in pixels; the longest time
 * between the clicks of a double click, and the pause between moves that are made by themselves, in milliseconds. */
const DEEPEST = 4.6, SLIP = 6, TWICE = 400, PAUSE = 120;
const KEPT = "gafreecell playing";
const USUAL = { home: "safe", coach: true, once: false };

function button(name, action, properties = {}) {
  const made = element("button", { type: "button", ...properties }, name);
  made.addEventListener("click", action);
  return made;
}

/* Moves are the same whichever of their cards is named first. */
function same(one, other) {
  const plain = (move) => move.toLowerCase().split(" ").sort().join(" ");
  return plain(one) === plain(other);
}

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
    /* What the coach said of each position of the game. */
    this.verdicts = [];
    this.queue = [];
    this.chosen = null;
    this.marked = [];
    /* The moves that lost the game, those taken back included. */
    this.slips = new Set();
    this.list = new Moves((to) => this.go(to));
    this.open = false;
    this.settings = { ...USUAL };
    try { Object.assign(this.settings, JSON.parse(localStorage.getItem(KEPT) || "{}")); } catch { /* Nothing is remembered. */ }
    this.gone = new AbortController();
    this.arrive();
  }

  end() {
    this.gone.abort();
    this.thinking?.abort();
  }

  keep(changed) {
    Object.assign(this.settings, changed);
    try { localStorage.setItem(KEPT, JSON.stringify(this.settings)); } catch { /* Then it is forgotten. */ }
  }

  get frame() {
    return this.table.frames[this.place];
  }

  /* Ask what can be played here. `onward` lets moves that follow by themselves be made. */
  arrive(onward = false) {
    this.at = null;
    const mine = (this.coming = this.reach(onward, () => this.coming === mine));
    this.judge();
    return mine;
  }

  async reach(onward, current) {
    const found = await this.ask("position", { moves: this.moves.slice(0, this.place), open: this.open }, this.gone.signal);
    if (!found || !current()) return;
    this.at = found;
    if (!this.table) this.lay(found);
    this.settle(found.cards);
    this.tell();
    this.mark();
    this.noted(this);
    if (onward) this.follow();
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
    frames.length = this.verdicts.length = this.place + 1;
    const last = this.verdicts[this.place];
    this.place++;
    /* What the last search found is the answer, as long as one plays what it found; and a lost game stays lost. */
    if (last?.moves?.length && same(last.moves[0], one.move)) this.verdicts[this.place] = { ...last, moves: last.moves.slice(1) };
    else if (last?.status === "lost") this.verdicts[this.place] = last;
    frames[this.place] = next;
    this.show();
    this.arrive(true);
  }

  show() {
    const last = this.table.place;
    this.choose(null);
    this.hinted?.replaceChildren();
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

  /* A click on a card or an empty place, at a time; by keyboard there is neither a card nor a time. */
  press(pile, start, when = 0) {
    /* The first click of a double click may have played the card. */
    if (when && this.played?.pile === pile && when - this.played.when < TWICE) return;
    const { chosen } = this, twice = when && chosen?.pile === pile && when - this.when < TWICE;
    if (chosen && chosen.pile !== pile) {
      const move = this.fitting(chosen.pile, chosen.start, pile);
      if (move) return this.make(move);
    }
    const tapped = this.at.moves.find(({ tap }) => tap === pile);
    if (tapped) return this.make(tapped);
    const all = this.from(pile), homes = all.filter(({ one }) => this.at.piles[one.to].home && one.takes.length === 1);
    if (!all.length) {
      if (chosen) this.choose(null);
      return this.say(chosen ? "These cards do not go there." : "Nothing can be played from there.");
    }
    if (twice || this.settings.once || (homes.length && homes.length === all.length)) {
      this.played = { pile, when };
      return this.make(this.best(all, start));
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
      if (tap !== undefined) add(last(tap), "free");
      else for (const [pile, start] of takes) for (const card of cards(pile, start)) add(card, "free");
    }
    if (!this.chosen) return;
    const { pile, start } = this.chosen;
    for (const card of cards(pile, start)) add(card, "chosen");
    for (const { one, start: first } of this.from(pile)) {
      if (first !== start) continue;
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
    if (move) this.caption.append(element("span", { className: "notation" }, move), this.words[place - 1] ? ` \u2013 ${this.words[place - 1]}` : "");
    else this.caption.append("Click a card, then where it goes; or drag it.");
    if (!at) return;
    if (at.state) this.caption.append(` \u00b7 ${at.state}`);
    this.table.done.textContent = at.won ? `Won in ${counted(place, "move")}` : "No move is left";
    this.table.done.hidden = !at.won && at.moves.length > 0;
    this.spots.forEach((spot, pile) => spot.setAttribute("aria-label", `${at.piles[pile].name}: ${this.table.spell(this.frame[pile])}`));
    this.root.classList.toggle("won", at.won);
    this.finish.hidden = !at.won && at.moves.length > 0;
    this.judged();
  }

  /* Lay the table and everything around it. */
  lay(found) {
    this.table = new Table({ piles: found.piles, first: found.cards, deepest: DEEPEST }, () => true);
    const { table } = this.table;
    this.table.frames = [];
    this.table.spoken.remove();
    this.title = element("h2");
    this.counter = element("span", { className: "counter" });
    this.caption = element("p", { className: "caption", role: "status" });
    this.light = element("p", { className: "light", role: "status" });
    this.advice = element("div", { className: "advice" });
    this.hinted = element("div", { className: "advice" });
    this.finish = element("div", { className: "finish", hidden: true });
    this.finish.append(button("Review this game", () => this.review(), { className: "main" }), button("Next game", () => this.next()), button("The same deal again", () => this.go(0)));
    this.back = button("Undo", () => this.undo(), { title: "Undo (Ctrl+Z)" });
    this.forth = button("Redo", () => this.redo(), { title: "Redo (Ctrl+Y)" });
    const hint = button("Hint", () => this.hint(), { title: "Hint (?)" });
    const renew = button("New game", () => this.renew());
    const controls = element("div", { className: "controls single", role: "group" }, this.back, this.forth, hint, renew, this.counter);
    controls.setAttribute("aria-label", "Controls");
    const board = element("section", { className: "board" }, this.title, this.light, this.table.felt);
    const stage = element("div", { className: "stage" }, element("div", { className: "boards" }, board), controls);
    const detail = element("section", { className: "detail" }, this.caption, this.finish, this.advice, this.hinted, this.list.list, this.choices(), this.help(), element("p", { className: "about" }, found.rules));
    detail.setAttribute("aria-label", "The game");
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
      box("coach", "Coach", (coach) => { this.keep({ coach }); this.judge(); this.judged(); }),
    ];
    if (this.at.hidden) all.push(box("open", "Show hidden cards", (open) => { this.open = open; this.verdicts = []; this.table.frames = []; this.arrive(); }));
    return element("div", { className: "settings" }, ...all);
  }

  help() {
    const lines = [
      "Click a card and then where it goes, or drag it. A double click plays it home, or where it fits.",
      "By keyboard: type the labels of two piles, such as 2 6 or 2 h (home); s is the stock. Or go to the table with Tab and from pile to pile with the arrows: Enter takes cards, Enter again takes fewer, and Enter elsewhere puts them down.",
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
    else if (event.key === "?") this.hint();
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
      this.press(fits ?? found[0]);
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

  /* The move to the pile over which dragged cards hang most. */
  over({ pile, start }, now) {
    const shares = this.table.told.piles.map((place, to) => {
      const bottom = this.table.bottom(place, this.frame[to]) - place.top;
      const wide = 1 - Math.abs(now[0] - place.left), tall = Math.min(now[1] + TALL, place.top + bottom) - Math.max(now[1], place.top);
      return [wide > 0 && tall > 0 ? wide * Math.min(tall, TALL) : 0, to];
    });
    for (const [share, to] of shares.sort((one, other) => other[0] - one[0])) {
      const move = share > 0 && this.fitting(pile, start, to, true);
      if (move) return move;
    }
    return null;
  }

  /* Ask the coach of a position, unless it is known what it is worth. */
  async ask_coach(place, signal, more = {}) {
    const moves = this.moves.slice(0, place);
    for (const longer of [false, true]) {
      if (this.verdicts[place] && this.verdicts[place].status !== "open") break;
      const found = await this.ask("coach", { moves, open: this.open, longer, ...more }, signal);
      if (!found || signal.aborted) return null;
      this.verdicts[place] = found;
      this.judged();
    }
    return this.verdicts[place];
  }

  /* Let the coach think about this position, if it is there or `asked`. */
  async judge(asked = this.settings.coach) {
    this.thinking?.abort();
    this.thinking = new AbortController();
    this.judged();
    if (!asked) return null;
    const { signal } = this.thinking, verdict = await this.ask_coach(this.place, signal);
    if (verdict?.status === "lost" && this.settings.coach) await this.blame(signal);
    return verdict;
  }

  /* Find the move that lost the game: between the last position that is won and the first that is lost. */
  async blame(signal) {
    for (;;) {
      const { lost, won, unknown } = this.turn();
      if (lost === 0 || !unknown.length) break;
      if (!(await this.ask_coach(unknown[unknown.length >> 1], signal))) return;
      if (won === lost) return;
    }
    this.judged();
  }

  /* The first position known to be lost, the last one before it known to be won, and those between of which
   * nothing is known. */
  turn() {
    const lost = this.verdicts.findIndex((one) => one?.status === "lost");
    let won = lost - 1;
    while (won >= 0 && this.verdicts[won]?.status !== "won") won--;
    const unknown = [];
    for (let place = won + 1; place < lost; place++) if (!this.verdicts[place]) unknown.push(place);
    return { lost, won, unknown };
  }

  /* Say what the coach knows. */
  judged() {
    if (!this.light) return;
    const verdict = this.verdicts[this.place], on = this.settings.coach;
    const [status, told] = !on ? ["", ""] : !verdict ? ["waits", "The coach looks \u2026"] : this.worth(verdict);
    this.light.className = `light ${status}`;
    this.light.textContent = told;
    this.list.mark(this);
    const advice = [];
    if (on && verdict?.status === "lost") {
      const { lost, won, unknown } = this.turn();
      if (lost > 0 && !unknown.length) {
        const sure = won === lost - 1, back = sure ? lost - 1 : Math.max(won, 0);
        advice.push(element("p", {}, `Move ${lost}, `, element("span", { className: "notation" }, this.moves[lost - 1]), sure ? ", lost the win. " : ", or one before it, lost the win. ", button("Back to before it", () => this.go(back))));
        this.slips.add(`${lost}: ${this.moves[lost - 1]}`);
      }
    }
    this.advice.replaceChildren(...advice);
  }

  worth({ status, moves, rows, sees }) {
    const whole = sees ? ", as the coach sees all cards" : "";
    if (this.at?.won) return ["won", "Won"];
    if (status === "won") return ["won", `This can be won, in ${counted(moves.length, "more move")} or fewer${whole}`];
    if (status === "lost") return ["lost", (this.place ? "This cannot be won any more" : "This deal cannot be won") + whole];
    if (status === "open") return ["open", "The coach does not know whether this can be won"];
    const [low, , high] = rows[0].chance.map((share) => Math.round(100 * share));
    return ["open", `Chance to win: ${rows[0].worth} (${low} to ${high} %)`];
  }

  /* Show the best move, and offer to play it. */
  async hint(every = false) {
    if (!this.at) await this.coming;
    if (!this.at || this.at.won) return;
    const { place } = this;
    this.hinted.replaceChildren(element("p", {}, "The coach looks for a move \u2026"));
    let verdict = await this.judge(true);
    if (every && verdict && !verdict.rows) verdict = { ...verdict, ...(await this.ask("coach", { moves: this.moves.slice(0, place), open: this.open, every: true }, this.thinking.signal)) };
    if (!verdict || place !== this.place || !this.at) return this.hinted.replaceChildren();
    const play = (moves) => { this.queue = [...moves]; this.hinted.replaceChildren(); this.follow(); };
    const parts = [element("h3", {}, "Hint")];
    if (verdict.moves?.length) {
      const [move] = verdict.moves, one = this.legal(move);
      if (one.takes.length) this.point(one);
      parts.push(element("p", {}, element("span", { className: "notation" }, move), one.words ? ` \u2013 ${one.words} ` : " ", button("Play it and go on", () => play([move]))));
    } else if (verdict.status === "lost") parts.push(element("p", {}, "No move wins from here."));
    else if (!verdict.rows) parts.push(element("p", {}, "The coach knows no good move here."));
    const rows = verdict.rows || [];
    if (rows.length) parts.push(element("ol", { className: "hints" }, ...rows.map((row) => element("li", {}, rowOf(row, () => play(row.moves))))));
    else if (!every && verdict.status !== "lost") parts.push(element("p", {}, button("What each move is worth", () => this.hint(true))));
    this.hinted.replaceChildren(...parts);
  }

  /* Mark the cards of a move and where they go. */
  point(one) {
    const [pile, start] = one.takes[0];
    this.chosen = one.tap === undefined ? { pile, start } : null;
    this.mark();
  }

  /* Judge every position of the game, and say what the player could have done. */
  async review() {
    this.thinking?.abort();
    this.thinking = new AbortController();
    const { signal } = this.thinking, { moves } = this, told = element("p", {});
    this.hinted.replaceChildren(element("h3", {}, "Review"), told);
    for (let place = 0; place <= moves.length; place++) {
      told.textContent = `The coach looks at move ${place} of ${moves.length} \u2026`;
      if (!this.verdicts[place] && !(await this.ask_coach(place, signal))) return;
    }
    const short = this.at.hidden && !this.open ? null : await this.ask("coach", { moves: [], open: this.open, short: true }, signal);
    if (signal.aborted) return;
    this.judged();
    const lines = [`${this.at.won ? "Won in" : "Played"} ${counted(moves.length, "move")}.`];
    if (short?.moves) lines.push(`The shortest solution that the coach found has ${counted(short.moves.length, "move")}.`);
    const marks = moves.map((_, index) => this.slip(index + 1));
    const lost = marks.findIndex((mark) => mark === "bad");
    if (lost >= 0) lines.push(`Move ${lost + 1}, ${moves[lost]}, lost the win.`);
    else if (short) lines.push("No move of this game lost the win.");
    const chances = marks.flatMap((mark, index) => (mark && mark !== "bad" ? [`${index + 1} (${moves[index]}), ${mark}`] : []));
    if (chances.length) lines.push(`Moves that lost chances, beyond the error of sampling: ${chances.join("; ")}.`);
    else if (!short) lines.push("No move lost chances beyond the error of sampling.");
    const taken = [...this.slips].filter((slip) => slip !== `${lost + 1}: ${moves[lost]}`);
    if (taken.length) lines.push(`Moves that lost the win and that you took back: ${taken.join("; ")}.`);
    this.hinted.replaceChildren(element("h3", {}, "Review"), ...lines.map((line) => element("p", {}, line)));
  }

  /* What a move lost: "bad" for the win, a number of per cent for chances, or nothing that is known. */
  slip(place) {
    const before = this.verdicts[place - 1], after = this.verdicts[place];
    if (!before || !after) return "";
    if (after.status === "lost" && before.status !== "lost") return "bad";
    if (before.status !== "chance" || after.status !== "chance") return "";
    const [low, chance] = before.rows[0].chance, [, now, high] = after.rows[0].chance;
    return low > high ? `\u2212${Math.round(100 * (chance - now))} %` : "";
  }
}

/* The moves of a game in a list; those that lost something are marked. */
class Moves {
  constructor(chosen) {
    this.list = element("ol", { className: "moves" });
    this.list.setAttribute("aria-label", "Moves");
    this.list.addEventListener("click", (event) => { if (event.target.place) chosen(event.target.place); });
  }

  mark(game) {
    const { moves, place } = game;
    while (this.list.children.length > moves.length) this.list.lastChild.remove();
    moves.forEach((move, index) => {
      let made = this.list.children[index]?.firstChild;
      if (!made) {
        made = button("", () => {}, { className: "notation" });
        made.place = index + 1;
        this.list.append(element("li", {}, made));
      }
      const lost = game.settings.coach || game.at?.won ? game.slip(index + 1) : "";
      const told = lost && lost !== "bad" ? `${move} ${lost}` : move;
      if (made.textContent !== told) made.textContent = told;
      made.classList.toggle("bad", lost === "bad");
      made.setAttribute("aria-label", `Move ${index + 1}: ${move}${lost ? `, lost ${lost === "bad" ? "the win" : lost.slice(1)}` : ""}`);
      if (index + 1 === place) made.setAttribute("aria-current", "step");
      else made.removeAttribute("aria-current");
    });
    const here = this.list.children[place - 1];
    if (here) this.list.scrollTop = here.offsetTop - this.list.clientHeight / 2;
  }
}

/* A move with what it is worth, as a button. */
function rowOf(row, chosen) {
  const made = button("", chosen, { className: row.verdict });
  made.append(element("span", { className: "notation" }, row.move), element("span", {}, row.worth));
  if (row.sure) made.append(element("span", { className: "sure" }, row.sure));
  if (row.words) made.append(element("span", { className: "words" }, row.words));
  if (row.chance) {
    const share = element("i");
    share.style.width = `${100 * row.chance[1]}%`;
    const bar = element("span", { className: "bar" }, share);
    bar.setAttribute("aria-hidden", "true");
    made.append(bar);
  }
  return made;
}

const play = (root, game, ask, noted) => new Player(root, game, ask, noted);
return { play, rowOf };
})();
