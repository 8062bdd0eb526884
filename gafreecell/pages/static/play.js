"use strict";
/* The page of a game: asks the server for solutions and hints, and puts boards together. */
(() => {
const { element, counted, rankOf, signOf, FACE_DOWN, KNOWN, SUITS, SUIT_LETTERS, SUIT_SIGNS } = gafreecellTable;
const form = document.getElementById("ask");
const text = document.getElementById("text");
const said = document.getElementById("said");
const answer = document.querySelector(".answer");
const hints = document.getElementById("hints");
const replay = document.getElementById("replay");
const cancel = document.getElementById("cancel");
/* Deal, board and rules, which are folded while something is played or shown. */
const asked = document.getElementById("asked");
const game = form.dataset.game;
const NUMBER = /^\s*(game|deal)?\s*#?\s*\d{0,20}\s*$/i;
const fields = [...form.querySelectorAll("select, input")];
/* Random deals have numbers up to this one. */
const MOST = 1000000;
let shown = null, asking = null, here = new URLSearchParams();

function tell(message, fault = false, ...more) {
  message = message.slice(0, 1).toUpperCase() + message.slice(1);
  said.replaceChildren(message ? element("p", { className: fault ? "fault" : "" }, message) : "", ...more);
}

/* Say what is waited for; it goes when the answer is here. */
function tellWait(message) {
  said.replaceChildren(element("p", { className: "waits" }, message));
}

/* Buttons for the ways to read a text that the server could not read as it is. */
function choices(ways, again) {
  const buttons = ways.map(({ label, setting, value }) => {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      if (setting === "game") location.href = `/play/${value}#text=${encodeURIComponent(text.value)}`;
      else {
        form.layout.value = value;
        again();
      }
    });
    return button;
  });
  return element("p", { className: "row" }, ...buttons);
}

function variant() {
  const given = {};
  for (const field of form.querySelectorAll("[data-option]")) {
    /* A choice is JSON, as it may be a number or a word. */
    const value = field.type === "text" ? field.value : JSON.parse(field.value || "null");
    if (field.value !== field.dataset.default) given[field.dataset.option] = value;
  }
  return given;
}

/* The address says what is asked and which position is shown, so that links, bookmarks and the browser's
 * buttons lead there; the server never sees it. What the form holds is remembered for the next visit. */
const keyOf = (field) => field.dataset.option || field.name;
const usual = (field) => (field.options ? ([...field.options].find((one) => one.defaultSelected) || field.options[0]).value : field.defaultValue);

function note(what) {
  const said = new URLSearchParams({ text: text.value });
  for (const field of fields) if (field.value !== usual(field)) said.set(keyOf(field), field.value);
  try { localStorage.setItem(`gafreecell ${game}`, said); } catch { /* Then it is forgotten. */ }
  said.set("ask", what);
  here = said;
  if (location.hash !== `#${said}`) history.pushState(null, "", `#${said}`);
}

/* Fill the form as it was left. */
function recall() {
  try { fill(new URLSearchParams(localStorage.getItem(`gafreecell ${game}`) || "")); } catch { /* Nothing is remembered. */ }
}

function fill(said) {
  text.value = said.get("text") ?? text.defaultValue;
  text.rows = Math.max(4, Math.min(12, text.value.split("\n").length));
  for (const field of fields) {
    const given = said.get(keyOf(field)) ?? usual(field);
    field.value = given;
    /* A list has not every value; who writes an address may leave the quotes of JSON out. */
    if (field.options && !field.value) field.value = JSON.stringify(given);
    if (!field.value) field.value = usual(field);
  }
}

/* Do what the address says. */
async function follow() {
  const said = new URLSearchParams(location.hash.slice(1));
  if (said.get("ask") === "random") {
    /* Who comes back gets no other deal. */
    history.replaceState(null, "", location.pathname);
    recall();
    return dealt(true);
  }
  if (location.hash && !said.has("text")) return;
  /* The page without a question keeps the deal that was asked about last. */
  if (location.hash) fill(said);
  asking?.abort();
  here = said;
  const ask = { solve, hint, play }[said.get("ask")];
  if (!ask) {
    asked.open ||= said.has("text");
    clear();
    tell("");
    return;
  }
  const place = Number(said.get("move")) || 0;
  await ask();
  if (here === said && ask !== play) shown?.go(place);
}

/* Say what a question waits for, as long as it waits. */
async function wait(ticket, waits, tell) {
  let last = null;
  while (waits()) {
    let told = "";
    try { ({ told } = await (await fetch(`/api/waiting?ticket=${ticket}`)).json()); } catch { /* The question itself will fail. */ }
    if (!waits()) return;
    if (told !== last) tell((last = told));
    await new Promise((done) => setTimeout(done, 1000));
  }
}

/* Send a question, and tell what it waits for if that takes long. */
async function send(what, question, signal, tell) {
  let waits = true;
  const ticket = Math.random().toString(36).slice(2);
  const slow = setTimeout(() => wait(ticket, () => waits && !signal.aborted, tell), 300);
  try {
    return await fetch(`/api/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ game, variant: variant(), layout: form.layout?.value, ticket, ...question }),
      signal,
    });
  } finally {
    waits = false;
    clearTimeout(slow);
  }
}

/* Send a question; returns the answer, or null if it was refused or cancelled. `again` asks it once
 * more, when the text is to be read in another way. */
async function ask(what, question, again = null, quietly = false) {
  if (asking) asking.abort();
  const mine = (asking = new AbortController());
  cancel.hidden = false;
  try {
    const response = await send(what, question, mine.signal, (told) => tellWait(`${told || "Searching"} \u2026`));
    const found = await response.json();
    if (response.ok) return found;
    if (!quietly) tell(found.error, true, ...(again && found.ways?.length ? [choices(found.ways, () => { note(what); again(); })] : []));
  } catch (error) {
    if (error.name === "AbortError") { if (asking === mine) tell("Cancelled."); }
    else tell("The server does not answer: is it still running?", true);
  } finally {
    if (asking === mine) {
      asking = null;
      cancel.hidden = true;
      said.querySelector(".waits")?.remove();
    }
  }
  return null;
}

function show(data) {
  shown?.end();
  replay.hidden = false;
  const mine = here;
  shown = gafreecellReplay(replay, data, document, (place) => {
    mine.set("move", place);
    if (here === mine) history.replaceState(null, "", `#${mine}`);
  });
  /* The keys go to the game, not to the button that asked for it. */
  if (form.contains(document.activeElement)) replay.focus({ preventScroll: true });
}

/* While one plays, the form makes room for the table, whose heading names the game. */
function makeRoom(plays) {
  document.body.classList.toggle("at-play", plays);
  document.querySelector("h1").classList.toggle("unseen", plays);
}

function clear() {
  document.getElementById("dealt")?.remove();
  makeRoom(false);
  shown?.end();
  shown = null;
  replay.hidden = hints.hidden = true;
  replay.replaceChildren();
  hints.replaceChildren();
  answer.classList.remove("hinted");
}

async function solve() {
  const found = await ask("solve", { text: text.value, preset: form.preset.value }, solve);
  /* What was found before does not belong to what is said now. */
  clear();
  asked.open = !found;
  if (!found) return;
  const [one] = found.replay.solutions;
  tell([`${found.title}: ${one.result[0].toLowerCase()}${one.result.slice(1)}`, ...found.assumed].join(". "));
  one.result = "";
  show(found.replay);
  reveal(said);
}

/* Play the deal in the field, from the position that the address names. */
function play() {
  asking?.abort();
  clear();
  tell("");
  const mine = here, deal = text.value;
  const made = mine.get("moves");
  const question = async (what, more, signal) => {
    try {
      const response = await send(what, { text: deal, ...more }, signal, (told) => { if (what === "coach") shown.coach.wait(told); });
      const found = await response.json();
      if (response.ok) return found;
      /* Without its coach a game goes on. */
      if (what !== "coach") makeRoom(false);
      tell(found.error, true);
    } catch (error) {
      if (error.name === "AbortError") return null;
      if (what !== "coach") makeRoom(false);
      tell("The server does not answer: is it still running?", true);
    }
    return null;
  };
  let noting = 0;
  const noted = (player) => {
    mine.set("moves", player.moves.join("."));
    mine.set("move", player.place);
    clearTimeout(noting);
    noting = setTimeout(() => {
      if (here === mine) history.replaceState(null, "", `#${mine}`);
      if (player.moves.length) keepGame(mine, player);
    }, 300);
  };
  replay.hidden = false;
  for (const composer of document.querySelectorAll("#composer")) composer.hidden = true;
  makeRoom(true);
  shown = gafreecellPlayer(replay, { moves: made ? made.split(".") : [], place: mine.has("move") ? Number(mine.get("move")) : undefined }, question, noted);
  shown.next = () => dealt(false);
  shown.renew = () => dealt(true);
  shown.other = () => { makeRoom(false); asked.open = true; form.scrollIntoView(); text.focus(); };
  shown.tally = () => {
    const others = keptGames().filter((one) => one.deal !== dealOf(mine));
    return others.length ? `${1 + others.filter(({ told }) => told.includes(": won in ")).length} of your last ${1 + others.length} games won` : "";
  };
  scrollTo(0, 0);
  replay.focus({ preventScroll: true });
}

/* The games that were played last, the present one first. They are kept in this browser alone. */
const GAMES = `gafreecell games ${game}`, MOST_GAMES = 20;

function keptGames() {
  try { return JSON.parse(localStorage.getItem(GAMES) || "[]"); } catch { return []; }
}

/* The address of a deal, without what was played. */
function dealOf(state) {
  const deal = new URLSearchParams(state);
  for (const key of ["moves", "move"]) deal.delete(key);
  return String(deal);
}

function keepGame(state, player) {
  const deal = dealOf(state);
  const told = `${player.title.textContent}: ${player.at?.won ? "won in " : ""}${counted(player.moves.length, "move")}`;
  const others = keptGames().filter((one) => one.deal !== deal);
  const games = [{ deal, address: String(state), told }, ...others].slice(0, MOST_GAMES);
  try { localStorage.setItem(GAMES, JSON.stringify(games)); } catch { /* Then they are forgotten. */ }
  listGames();
}

function listGames() {
  const list = document.getElementById("games"), games = keptGames();
  if (!list) return;
  list.hidden = !games.length;
  list.querySelector("ul").replaceChildren(...games.map(({ address, told }) => element("li", {}, element("a", { href: `#${address}` }, told))));
}

/* Deal a game of the kind that the form names and play it: a random one, or the next after the one in the field. */
async function dealt(random) {
  const number = Number(text.value.match(/^\D*(\d+)\s*$/)?.[1]);
  const since = random || !number ? 1 + Math.floor(MOST * Math.random()) : number + 1;
  const found = await ask("deal", { kind: form.kind.value, since });
  if (!found) return;
  text.value = found.deal;
  note("play");
  play();
}

/* Scroll to `what` unless the whole table is seen already. */
function reveal(what) {
  const { top, bottom } = replay.querySelector(".felt").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight - 70) what.scrollIntoView();
}

async function hint() {
  const found = await ask("hint", { text: text.value }, hint);
  clear();
  asked.open = !found;
  if (!found) return;
  tell([`${found.title}: ${found.said}`, ...found.assumed].join(" "));
  found.replay.solutions[0].summary = "";
  show(found.replay);
  reveal(said);
  if (!found.hints.length) return;
  answer.classList.add("hinted");
  const list = element("ol");
  let chosen = null;
  found.hints.forEach((row) => {
    const made = gafreecellCoach.rowOf(row, () => {
      here.set("hint", row.move);
      for (const other of list.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === made));
      show(row.replay);
      shown.go(Infinity);
      reveal(replay);
    });
    made.setAttribute("aria-pressed", "false");
    if (row.move === here.get("hint")) chosen = made;
    list.append(element("li", {}, made));
  });
  hints.append(element("h2", {}, "What each move is worth"), element("p", { className: "quiet" }, `The best first${found.hints[0].sure ? ", each with its 99 % interval" : ""}. Choose one to see it on the table.`), list);
  hints.hidden = false;
  chosen?.click();
}

listGames();
form.addEventListener("submit", (event) => { event.preventDefault(); note("solve"); solve(); });
document.getElementById("play")?.addEventListener("click", () => { if (form.reportValidity()) { note("play"); play(); } });
document.getElementById("hint")?.addEventListener("click", () => { if (form.reportValidity()) { note("hint"); hint(); } });
document.getElementById("random")?.addEventListener("click", () => { if (form.reportValidity()) dealt(true); });
addEventListener("popstate", follow);
if (location.hash) follow();
else recall();
/* What is wrong in a folded form must be seen. */
form.addEventListener("invalid", () => { asked.open = true; }, true);
cancel.addEventListener("click", () => {
  asking?.abort();
  /* This button goes, but the focus stays near. */
  (asked.open ? form.querySelector("[type=submit]") : asked.firstElementChild).focus();
});
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey || NUMBER.test(text.value))) {
    event.preventDefault();
    form.requestSubmit();
  }
});

/* Putting a board together: choose a place, then the cards that lie on it. */
const composer = document.getElementById("composer"), lay = document.getElementById("lay");
const RANK_LETTERS = "A23456789TJQK";
const NAMES = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
let piles = null, places = [], sizes = [], chosen = 0, down = false, typed = "";

/* The cards of the board or the deal in the text field; null if it cannot be read. */
async function laid() {
  const read = text.value.trim() && (await ask("board", { text: text.value }, null, true));
  if (!read || !read.board.piles) return null;
  showRules(read.variant);
  const { piles, first } = read.board;
  return { piles, sizes: read.sizes, places: first.map((cards, index) => cards.map((card) => asText(card, piles[index]))) };
}

/* Show the rules that a board names, so that they stay with it while it is put together. */
function showRules(rules) {
  for (const field of form.querySelectorAll("[data-option]")) {
    const value = rules[field.dataset.option];
    const choice = JSON.stringify(value);
    if (field.type !== "select-one") field.value = value;
    else field.value = choice === field.dataset.solved ? "null" : choice;
  }
}

/* A card of a page's data as text. Of those of the stock, only cards that nobody has seen are in brackets. */
function asText(card, pile) {
  const plain = RANK_LETTERS[rankOf(card) - 1] + SUIT_LETTERS[card & 3];
  if (card === FACE_DOWN) return "??";
  return card < FACE_DOWN || (card >= KNOWN && pile.spread !== "down") ? plain : `<${plain}>`;
}

async function open() {
  const found = (await laid()) || (!piles && (await ask("table", {})));
  if (found) layOut(found, found.places || found.piles.map(() => []));
  if (!piles) return;
  composer.hidden = false;
  lay.setAttribute("aria-expanded", "true");
}

/* The table of other options, with the cards of those places that it has, too. */
async function change() {
  const found = await ask("table", {});
  if (!found || !piles) return;
  const kept = new Map(piles.map((pile, index) => [pile.name, places[index]]));
  const cards = found.piles.map(({ name }) => kept.get(name) || []);
  const lost = places.flat().length - cards.flat().length;
  layOut(found, cards);
  if (lost) tell(`${lost === 1 ? "1 card lies" : `${lost} cards lie`} on the table no more, as ${lost === 1 ? "its place is" : "their places are"} gone.`);
}

function layOut(table, cards, focus = null) {
  ({ piles, sizes } = table);
  places = cards;
  chosen = piles.findIndex((pile) => pile.spread === "down");
  if (chosen < 0) chosen = piles.findIndex((pile) => pile.bare);
  draw(focus);
}

function nameOf(card) {
  if (card === "??") return "unknown card";
  const plain = card.replace(/[<>]/g, "");
  return `${NAMES[plain[0]] || plain[0]} of ${SUITS[SUIT_LETTERS.indexOf(plain[1])]}${card[0] === "<" ? ", face down" : ""}`;
}

function shortOf(card) {
  if (card === "??") return "??";
  const plain = card.replace(/[<>]/g, "");
  return card[0] === "<" ? `(${signOf(plain)})` : signOf(plain);
}

function textOf(card) {
  const plain = card.replace(/[<>]/g, "");
  return element("span", { className: SUIT_LETTERS.indexOf(plain[1]) % 3 > 0 ? "red" : "" }, shortOf(card));
}

/* A button for a place: the cards of a cascade, or the last card of another pile and their number. */
function placeOf(pile, index, rows) {
  const cards = places[index], fans = pile.spread === "down";
  const spot = element("button", { type: "button" });
  spot.append(element("span", { className: "label" }, pile.suit === undefined ? pile.label || "" : SUIT_SIGNS[pile.suit]));
  spot.append(...(fans ? cards : cards.slice(-1)).map(textOf));
  if (!fans && cards.length > 1) spot.append(element("span", { className: "label" }, `(${cards.length})`));
  spot.style.gridColumnStart = Math.round(2 * pile.x) + 1;
  spot.style.gridRow = rows.indexOf(pile.y) + 1;
  spot.setAttribute("aria-pressed", String(index === chosen));
  spot.setAttribute("aria-label", `${pile.name}: ${cards.map(nameOf).join("; ") || "empty"}`);
  spot.dataset.key = `p${index}`;
  spot.addEventListener("click", () => { chosen = index; draw(spot.dataset.key); });
  return spot;
}

function cardButton(card, used) {
  const button = element("button", { type: "button", className: SUIT_LETTERS.indexOf(card[1]) % 3 ? "red" : "", disabled: used.has(card) }, shortOf(card));
  button.setAttribute("aria-label", nameOf(card));
  button.dataset.key = card;
  button.addEventListener("click", () => put(card));
  return button;
}

/* Buttons that are one stop of the tab key; arrows go from one to the next. */
function toolbar(label, className, ...children) {
  const bar = element("div", { className, role: "toolbar" }, ...children);
  bar.setAttribute("aria-label", label);
  const all = () => [...bar.querySelectorAll("button:not(:disabled)")];
  const stop = (at) => { for (const one of bar.querySelectorAll("button")) one.tabIndex = one === at ? 0 : -1; };
  stop(bar.querySelector("[aria-pressed=true]") || all()[0]);
  bar.addEventListener("focusin", (event) => stop(event.target));
  bar.addEventListener("keydown", (event) => {
    const buttons = all(), at = buttons.indexOf(event.target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    buttons.at(to % buttons.length).focus();
  });
  return bar;
}

/* Draw the composer anew, and focus what has this key or, if that can no longer be pressed, the next. */
function draw(focus = null) {
  const pile = piles[chosen], cards = places[chosen];
  const rows = [...new Set(piles.map((one) => one.y))].sort((one, other) => one - other);
  const used = new Set(places.flat().map((card) => card.replace(/[<>]/g, "")));
  const suits = [...SUIT_LETTERS].map((suit) => element("div", { className: "suit" }, ...[...RANK_LETTERS].map((rank) => cardButton(rank + suit, used))));
  const row = element("div", { className: "row" });
  const take = element("button", { type: "button", disabled: !cards.length }, "Take back the last card");
  take.dataset.key = "take";
  take.addEventListener("click", () => { places[chosen].pop(); draw("take"); });
  const empty = element("button", { type: "button" }, "Empty the table");
  empty.dataset.key = "empty";
  empty.addEventListener("click", () => { layOut({ piles, sizes }, piles.map(() => []), "empty"); });
  row.append(take, empty);
  if (game === "klondike") {
    const box = element("input", { type: "checkbox", checked: down });
    box.addEventListener("change", () => { down = box.checked; });
    const unknown = element("button", { type: "button" }, "Unknown card");
    unknown.dataset.key = "??";
    unknown.addEventListener("click", () => put("??"));
    row.append(unknown, element("label", {}, box, " the next cards lie face down"));
  }
  const field = element("input", { type: "text", autocomplete: "off", value: typed, placeholder: "9H TD AS" });
  field.dataset.key = "typed";
  field.addEventListener("input", () => type(field));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && typed.trim()) tell(`\u201c${typed.trim()}\u201d is no card: type its rank and its suit, such as 9H, TD or AS.`, true);
  });
  row.append(element("label", {}, "Type cards ", field));
  const left = 52 - places.flat().length;
  const use = element("button", { type: "button", className: "main" }, "Use this board");
  use.addEventListener("click", take_over);
  row.append(use, element("span", { className: "quiet" }, left === 0 ? "All 52 cards lie on the table." : `${counted(left, "card")} ${left === 1 ? "is" : "are"} left.`));
  composer.replaceChildren(
    element("p", {}, "Choose a place on the table, then the cards that lie on it, the deepest first."),
    toolbar("Places", "composing", ...piles.map((one, index) => placeOf(one, index, rows))),
    element("p", { className: "picked" }, element("strong", {}, pile.name), `: ${cards.map(shortOf).join(" ") || "empty"}`),
    toolbar("Cards", "palette", ...suits),
    row,
  );
  if (!focus) return;
  const wanted = composer.querySelector(`[data-key="${focus}"]`);
  const around = [...wanted.closest("[role=toolbar], .row").querySelectorAll("button, input")];
  [...around.slice(around.indexOf(wanted)), ...around].find((one) => !one.disabled)?.focus({ preventScroll: true });
}

/* Put each card that is typed in full; what is left may become one. */
function type(field) {
  typed = field.value.toUpperCase().replaceAll("10", "T");
  for (const card of typed.match(game === "klondike" ? /[A2-9TJQK][CDHS]|\?\?/g : /[A2-9TJQK][CDHS]/g) || []) {
    typed = typed.slice(typed.indexOf(card) + 2);
    const at = places.findIndex((cards) => cards.some((one) => one.replace(/[<>]/g, "") === card));
    if (card !== "??" && at >= 0) tell(`The ${nameOf(card)} lies in ${piles[at].name} already.`, true);
    else put(card, "typed");
  }
  if (typed !== field.value) draw("typed");
}

function put(card, focus = card) {
  const pile = piles[chosen], home = pile.suit !== undefined;
  if (home && card !== "??") {
    /* All lower cards of the suit lie below a card that is home. */
    const top = RANK_LETTERS.indexOf(card[0]), suit = card[1];
    if (SUIT_LETTERS[pile.suit] !== suit) {
      tell(`Only ${SUITS[pile.suit]} go there.`, true);
      return;
    }
    const cards = [...RANK_LETTERS].slice(0, top + 1).map((rank) => rank + suit);
    for (const [index, others] of places.entries()) {
      const twice = index !== chosen && others.find((other) => cards.includes(other.replace(/[<>]/g, "")));
      if (twice) {
        tell(`The ${nameOf(twice)} lies in ${piles[index].name}: take it back first, as all lower cards lie below one that is home.`, true);
        return;
      }
    }
    places[chosen] = cards;
  } else {
    places[chosen].push(down && card !== "??" && pile.spread === "down" ? `<${card}>` : card);
  }
  tell(`${nameOf(places[chosen].at(-1))}: ${pile.name}`);
  /* A pile of the size that the deal gives it is full, and so is a cell with a card: go on to the next. */
  const most = (index) => sizes[index] || (/^cell /.test(piles[index].name) ? 1 : 0);
  if (!home && places[chosen].length === most(chosen)) {
    const others = [...piles.keys()].filter((index) => !sizes[index] === !sizes[chosen] && places[index].length < most(index));
    chosen = others.find((index) => index > chosen) ?? others[0] ?? chosen;
  }
  draw(focus);
}

async function take_over() {
  /* The board's own text needs no other reading. */
  if (form.layout) form.layout.value = "";
  const found = await ask("board", { places });
  if (!found) return;
  text.value = found.text;
  text.rows = Math.min(12, found.text.split("\n").length);
  composer.hidden = true;
  lay.setAttribute("aria-expanded", "false");
  tell("The board is in the field above: solve it, or ask for a hint.");
  text.focus();
}

lay?.addEventListener("click", () => {
  if (composer.hidden) open();
  else {
    composer.hidden = true;
    lay.setAttribute("aria-expanded", "false");
  }
});
for (const field of form.querySelectorAll("[data-option]")) {
  field.addEventListener("change", () => { if (piles && form.reportValidity()) change(); });
}
})();
