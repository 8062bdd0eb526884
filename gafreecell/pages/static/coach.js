/* The coach of a game that a person plays: what each position is worth, which move lost, what to play. */
const gafreecellCoach = (() => {
"use strict";

const { element, button, counted, signOf } = gafreecellTable;

/* Moves are the same whichever of their cards is named first. */
function same(one, other) {
  const plain = (move) => move.toLowerCase().split(" ").sort().join(" ");
  return plain(one) === plain(other);
}

/* A move in words, with the cards' suits as signs, and without cards that nobody knows yet. */
function signed(words) {
  const known = words.replace(/:( \?\?)+$/, "").replace(/\bthe \?\?/g, "a card");
  return known.replace(/\b[A2-9TJQK][CDHScdhs]\b/g, (card) => signOf(card.toUpperCase()));
}

/* A move with what it is worth, as a button. */
function rowOf(row, chosen) {
  const made = button("", chosen, { className: row.verdict || "" });
  made.append(element("span", { className: "notation" }, row.move), element("span", {}, row.worth));
  if (row.sure) made.append(element("span", { className: "sure" }, row.sure));
  if (row.words) made.append(element("span", { className: "words" }, signed(row.words)));
  if (row.chance) {
    const share = element("i");
    share.style.width = `${100 * row.chance[1]}%`;
    const bar = element("span", { className: "bar" }, share);
    bar.setAttribute("aria-hidden", "true");
    made.append(bar);
  }
  return made;
}

/* Its `light`, its `advice` and its list of `moves` stand beside the table of `game`. */
class Coach {
  constructor(game) {
    this.game = game;
    /* What each position of the game is worth. */
    this.verdicts = [];
    /* The moves that lost the game, those taken back included. */
    this.slips = new Set();
    /* Where a hint was taken. */
    this.hinted = new Set();
    this.light = element("p", { className: "light", role: "status" });
    this.blamed = element("div", { className: "advice" });
    this.advice = element("div", { className: "advice" });
    this.moves = element("ol", { className: "moves" });
    this.moves.setAttribute("aria-label", "Moves");
    this.moves.addEventListener("click", ({ target }) => { if (target.place) game.go(target.place); });
  }

  end() {
    this.thinking?.abort();
  }

  /* Begin to think about something else. */
  begin() {
    this.end();
    this.thinking = new AbortController();
    return this.thinking.signal;
  }

  /* A move is made. As long as one plays what the last search found, its rest is the answer; and a lost game stays
   * lost. */
  follow(move) {
    const { place } = this.game, last = this.verdicts[place - 1];
    this.verdicts.length = place;
    if (last?.moves?.length && same(last.moves[0], move)) this.verdicts[place] = { ...last, moves: last.moves.slice(1) };
    else if (last?.status === "lost") this.verdicts[place] = last;
  }

  ask(place, more, signal) {
    return this.game.ask("coach", { moves: this.game.moves.slice(0, place), open: this.game.open, ...more }, signal);
  }

  /* What a position is worth: as it is known, or by a search, and by a longer one if that leaves it open. */
  async know(place, signal) {
    for (const longer of [false, true]) {
      const known = this.verdicts[place];
      if (known && (known.status !== "open" || known.longer || !longer)) continue;
      const found = await this.ask(place, { longer }, signal);
      if (signal.aborted) return null;
      this.verdicts[place] = found ? { ...found, longer } : { status: "silent" };
      this.tell();
    }
    return this.verdicts[place];
  }

  /* Think about this position, if the coach is there or `asked`. */
  async judge(asked = this.game.settings.coach) {
    const signal = this.begin();
    this.tell();
    if (!asked) return null;
    const verdict = await this.know(this.game.place, signal);
    if (verdict?.status === "lost" && this.game.settings.coach) await this.blame(signal);
    return verdict;
  }

  /* Say what the answer waits for. */
  wait(told) {
    if (this.light.classList.contains("waits")) this.light.textContent = `${told || "The coach looks"} \u2026`;
  }

  /* Find the move that lost the game: between the last position that is won and the first that is lost. */
  async blame(signal) {
    for (;;) {
      const { lost, unknown } = this.turn();
      if (lost <= 0 || !unknown.length) break;
      if (!(await this.know(unknown[unknown.length >> 1], signal))) return;
    }
    this.tell();
  }

  /* The first position known to be lost, the last one before it known to be won, and those between of which nothing
   * is known. */
  turn() {
    const lost = this.verdicts.findIndex((one) => one?.status === "lost");
    let won = lost - 1;
    while (won >= 0 && this.verdicts[won]?.status !== "won") won--;
    const unknown = [];
    for (let place = won + 1; place < lost; place++) if (!this.verdicts[place]) unknown.push(place);
    return { lost, won, unknown };
  }

  /* Say what is known of this position and of the moves before it. */
  tell() {
    const { game } = this, on = game.settings.coach, verdict = this.verdicts[game.place];
    const [status, told] = !on ? ["", ""] : !verdict ? ["waits", "The coach looks \u2026"] : this.worth(verdict);
    this.light.className = `light ${status}`;
    this.light.textContent = told;
    this.list(on || game.at?.won);
    const { lost, won, unknown } = this.turn(), blamed = [];
    if (on && verdict?.status === "lost" && lost > 0 && !unknown.length) {
      const move = game.moves[lost - 1];
      blamed.push(element("p", {}, `Move ${lost}, `, element("span", { className: "notation" }, move), won === lost - 1 ? ", lost the win. " : ", or one before it, lost the win. ", button("Back to before it", () => game.go(Math.max(won, 0))), " ", button("Review this game", () => this.review())));
      this.slips.add(`${lost} (${move})`);
    }
    if (on && verdict?.sees) blamed.push(element("p", { className: "about" }, "The coach sees the hidden cards."));
    this.blamed.replaceChildren(...blamed);
  }

  /* The colour of the light, and what it says. */
  worth({ status, rows }) {
    if (this.game.at?.won) return ["won", "Won"];
    if (status === "won") return ["won", "Can be won"];
    if (status === "silent") return ["", "The coach has no answer here"];
    if (status === "lost") return ["lost", this.game.place ? "Cannot be won any more" : "This deal cannot be won"];
    if (status === "open") return ["open", "Not known whether it can be won"];
    const [low, , high] = rows[0].chance.map((share) => Math.round(100 * share));
    return ["open", `Chance to win: ${rows[0].worth} (${low} to ${high} %)`];
  }

  /* List the moves; those that lost something are marked, if that is to be `told`. */
  list(told) {
    const { moves, place } = this.game;
    while (this.moves.children.length > moves.length) this.moves.lastChild.remove();
    moves.forEach((move, index) => {
      let made = this.moves.children[index]?.firstChild;
      if (!made) {
        made = button("", () => {}, { className: "notation" });
        made.place = index + 1;
        this.moves.append(element("li", {}, made));
      }
      const lost = told ? this.lost(index + 1) : "", name = lost && lost !== "the win" ? `${move} \u2212${lost}` : move;
      if (made.textContent !== name) made.textContent = name;
      made.classList.toggle("bad", lost === "the win");
      made.setAttribute("aria-label", `Move ${index + 1}: ${move}${lost ? `, lost ${lost}` : ""}`);
      if (index + 1 === place) made.setAttribute("aria-current", "step");
      else made.removeAttribute("aria-current");
    });
    const here = this.moves.children[place - 1];
    if (here) this.moves.scrollTop = here.offsetTop - this.moves.clientHeight / 2;
  }

  /* What a move lost: the win, or so many per cent of chance beyond the error of sampling; or nothing that is known. */
  lost(place) {
    const before = this.verdicts[place - 1], after = this.verdicts[place];
    if (!before || !after) return "";
    if (after.status === "lost" && before.status !== "lost") return "the win";
    if (before.status !== "chance" || after.status !== "chance") return "";
    const [low, chance] = before.rows[0].chance, [, now, high] = after.rows[0].chance;
    return low > high ? `${Math.round(100 * (chance - now))} %` : "";
  }

  /* Show the best move, or what each is worth, and offer to play it. */
  async hint(every = false) {
    const { game } = this;
    await game.coming;
    if (!game.at || game.at.won) return;
    const { place } = game;
    game.tell();
    this.hinted.add(place);
    this.advice.replaceChildren(element("p", {}, "The coach looks for a move \u2026"));
    let verdict = await this.judge(true);
    if (every && verdict && !verdict.rows) verdict = { ...verdict, ...(await this.ask(place, { every }, this.thinking.signal)) };
    if (!verdict || place !== game.place || !game.at) return;
    const play = (moves) => { this.advice.replaceChildren(); game.playAll(moves); };
    const parts = [element("h3", {}, "Hint")], { status, rows = [], guess } = verdict;
    const best = guess ? [guess] : verdict.moves?.slice(0, 1) ?? (status === "chance" ? rows[0].moves : []);
    if (best.length) {
      const one = game.legal(best[0]), row = rows.find(({ moves }) => moves === best) || { move: best[0], words: one.words };
      game.point(one);
      if (guess) parts.push(element("p", {}, "Nothing is proved here, but the solver would play"));
      parts.push(element("p", {}, element("span", { className: "notation" }, row.move), row.words ? ` \u2013 ${signed(row.words)} ` : " ", button("Play it and go on", () => play(best))));
    } else if (status === "lost") parts.push(element("p", {}, "No move wins from here."));
    else if (!rows.length) parts.push(element("p", {}, "The coach knows no good move here."));
    /* Moves that the policy leaves out cannot be better than those that it weighs. */
    const others = status === "chance" ? game.at.moves.filter(({ move }) => !rows.some(({ moves }) => same(moves[0], move))) : [];
    const all = [...rows, ...others.map(({ move, words }) => ({ move, words, worth: "no better", moves: [move] }))];
    if (all.length) parts.push(element("ol", { className: "hints" }, ...all.map((row) => element("li", {}, rowOf(row, () => play(row.moves))))));
    else if (status !== "lost") parts.push(element("p", {}, button("What each move is worth", () => this.hint(true))));
    this.advice.replaceChildren(...parts);
  }

  /* Judge the whole game, and say what the player could have done. */
  async review() {
    const { moves, at: { won } } = this.game, signal = this.begin(), told = element("p", {});
    this.advice.replaceChildren(element("h3", {}, "Review"), told);
    const first = await this.know(0, signal);
    if (!first) return;
    if (first.status === "chance") {
      for (let place = 1; place <= moves.length; place++) {
        told.textContent = `The coach looks at move ${place} of ${moves.length} \u2026`;
        if (!(await this.know(place, signal))) return;
      }
    } else if (won) moves.forEach((_, place) => { if (this.verdicts[place]?.status !== "won") this.verdicts[place] = { status: "won", moves: moves.slice(place) }; });
    else if (await this.know(moves.length, signal)) await this.blame(signal);
    told.textContent = "The coach looks for a short solution \u2026";
    const short = first.status === "chance" ? null : await this.ask(0, { short: true }, signal);
    if (signal.aborted) return;
    this.tell();
    this.advice.replaceChildren(element("h3", {}, "Review"), ...this.summary(won, short).map((line) => element("p", {}, line)));
  }

  summary(won, short) {
    const { moves } = this.game, lines = [`${won ? "Won in" : "Played"} ${counted(moves.length, "move")}.`];
    if (short?.moves && !(won && short.moves.length >= moves.length)) lines.push(`The shortest solution that the coach found has ${counted(short.moves.length, "move")}.`);
    const lost = moves.map((_, index) => this.lost(index + 1)), fatal = lost.indexOf("the win");
    if (fatal >= 0) lines.push(`Move ${fatal + 1}, ${moves[fatal]}, lost the win.`);
    else if (this.verdicts[0].status === "lost") lines.push("This deal could not be won.");
    else if (won) lines.push("No move of this game lost the win.");
    const chances = lost.flatMap((share, index) => (share && index !== fatal ? [`${index + 1} (${moves[index]}), ${share}`] : []));
    if (chances.length) lines.push(`Moves that lost chances, beyond the error of sampling: ${chances.join("; ")}.`);
    const taken = [...this.slips].filter((slip) => slip !== `${fatal + 1} (${moves[fatal]})`);
    if (taken.length) lines.push(`You took back moves that lost the win: ${taken.join("; ")}.`);
    return lines;
  }
}

return { Coach, rowOf, same, signed };
})();
