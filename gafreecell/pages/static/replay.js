/* Shows games move by move. It knows no rules: each position was computed when the page was made. */
const gafreecellReplay = (() => {
"use strict";

const { Table, element, drawn, counted } = gafreecellTable;
const ICONS = {
  start: "M2 2h3v12H2zM14 2v12L6 8z",
  back: "M11 1L4 8l7 7 2-2-5-5 5-5z",
  play: "M4 2v12l9-6z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  forward: "M5 1l7 7-7 7-2-2 5-5-5-5z",
  end: "M11 2h3v12h-3zM2 2v12l8-6z",
};

/* The shortest swipe, in pixels. */
const SWIPE = 40;

/* A share that is given in thousandths. */
function percent(share) {
  return (share / 10).toFixed(1);
}

/* One solution: its table (`board`); its caption, its list of moves and what else is said (`detail`). */
class Game extends Table {
  constructor(told, heading, secret, chosen, alone, onward, app) {
    super(told, secret);
    this.chosen = chosen;
    this.length = told.moves.length;
    this.board = element("section", { className: "board" });
    this.detail = element("section", { className: "detail" });
    this.detail.setAttribute("aria-label", told.name);
    this.board.append(element(heading, {}, (alone && told.result) || told.name));
    if (!alone) this.board.append(element("p", { className: "about" }, told.result));
    this.caption = element("p", { className: "caption" });
    this.board.append(this.felt);
    this.detail.append(this.caption);
    if (onward && told.piles && !told.hopeless) {
      this.onward = onward;
      this.link = element("a", {}, "Play on from here");
      this.detail.append(element("p", { className: "onward" }, this.link, app ? ` (while \u2018gafreecell serve\u2019 runs at port ${new URL(app).port})` : ""));
    }
    if (!told.piles) this.felt.append((this.text = element("pre", { className: "text", tabIndex: 0 })));
    if (this.length) this.list(chosen);
    if (told.thoughts) {
      this.thoughts = element("div", { className: "thoughts", tabIndex: -1 });
      this.detail.append(this.thoughts);
    }
    for (const note of told.notes) this.detail.append(element("p", { className: "note" }, note));
    if (told.summary) this.detail.append(element("p", { className: "about" }, element("b", {}, told.name), ` \u2013 ${told.summary}`));
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
    if (this.link) this.link.href = this.onward(this.told.moves.slice(0, place));
    this.mark(before);
    if (this.thoughts) this.think();
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
      this.thoughts.append(element("p", {}, this.place < this.length ? "Here the player had no choice to weigh." : this.told.result ? "The game is over." : "The advice ends here."));
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
  /* The address in the app at which one plays on from a position. */
  const onward = data.deal?.game && ((moves) => {
    const state = new URLSearchParams({ ...data.deal.state, ask: "play", moves: moves.map(([move]) => move).join(".") });
    return `${data.app || ""}/play/${encodeURIComponent(data.deal.game)}#${state}`;
  });
  const games = data.solutions.map((told) => new Game(told, data.heading || "h2", secret, (at) => { stop(); go(at); }, count === 1, onward, data.app));
  const most = Math.max(...games.map((game) => game.length));
  const grid = element("div", { className: count === 1 ? "games alone" : "games beside" });
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
  if (data.legend.length && !data.solutions.every((told) => told.hopeless)) {
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
