/* Reads values off the pictures of a report, and shows the replays that its table links to. */
(() => {
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const NEAR = 48; /* In units of a picture: a value further away is not meant. */

const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("role", "status");
document.body.append(tip);

/* A picture. Its values are the cells of its tables, each with its place in the picture. */
class Picture {
  constructor(root) {
    this.sheet = root.querySelector(".sheet");
    this.svg = this.sheet.querySelector("svg");
    this.columns = [];
    for (const table of root.querySelectorAll("table.values")) {
      const names = [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.textContent);
      const columns = names.map(() => []);
      for (const row of table.tBodies[0].rows) {
        const across = row.cells[0].textContent;
        for (let place = 1; place < row.cells.length; place++) {
          const cell = row.cells[place];
          if (!cell.dataset.at) continue;
          const [x, y] = cell.dataset.at.split(" ").map(Number);
          const unit = table.dataset.unit ? ` ${table.dataset.unit}` : "";
          const where = across === "throughout" ? across : `${table.dataset.across} ${across}`;
          const level = across === "throughout";
          columns[place - 1].push({ x, y, level, text: `${names[place - 1]}, ${where}: ${cell.textContent}${unit}` });
        }
      }
      this.columns.push(...columns.filter((column) => column.length));
    }
    this.column = 0;
    this.place = -1;
    this.point = document.createElementNS(SVG, "circle");
    this.point.setAttribute("class", "point");
    this.point.setAttribute("r", 4);
    this.sheet.addEventListener("pointermove", (event) => this.pointed(event));
    this.sheet.addEventListener("pointerdown", (event) => this.pointed(event));
    this.sheet.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.hide(); });
    this.sheet.addEventListener("keydown", (event) => this.pressed(event));
    this.sheet.addEventListener("blur", () => this.hide());
  }

  /* The box of the picture, and its units in a pixel. */
  frame() {
    const box = this.svg.getBoundingClientRect();
    return { box, scale: this.svg.viewBox.baseVal.width / box.width };
  }

  pointed(event) {
    const { box, scale } = this.frame();
    const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    let best = NEAR;
    let found = null;
    this.columns.forEach((column, index) => column.forEach((value, place) => {
      /* A level is read wherever the pointer is, but a curve beside it is meant first. */
      const away = value.level ? 2 + Math.abs(value.y - y) : Math.hypot(value.x - x, value.y - y);
      if (away < best) {
        best = away;
        found = [index, place];
      }
    }));
    if (!found) this.hide();
    else this.show(...found, x);
  }

  pressed(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    const turn = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || !this.columns.length) return;
    if (event.key === "Escape") this.hide();
    if (step === undefined && turn === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    let column = this.column, place = this.place;
    if (place < 0) place = 0;
    else if (turn) {
      column = (column + turn + this.columns.length) % this.columns.length;
      /* The value of the other line that is nearest in x. */
      const now = this.columns[this.column][place];
      const aways = this.columns[column].map((value) => Math.abs(value.x - now.x));
      place = aways.indexOf(Math.min(...aways));
    } else place = Math.max(0, Math.min(this.columns[column].length - 1, place + step));
    this.show(column, place);
    const { box, scale } = this.frame();
    const x = this.columns[column][place].x / scale + box.left, seen = this.sheet.getBoundingClientRect();
    if (x < seen.left || x > seen.right) this.sheet.scrollLeft += x - (seen.left + seen.right) / 2;
    this.show(column, place);
  }

  show(column, place, across = null) {
    this.column = column;
    this.place = place;
    const value = this.columns[column][place], x = value.level && across !== null ? across : value.x;
    this.point.setAttribute("cx", x);
    this.point.setAttribute("cy", value.y);
    this.svg.append(this.point);
    if (tip.textContent !== value.text) tip.textContent = value.text;
    tip.hidden = false;
    const { box, scale } = this.frame();
    const left = box.left + x / scale, top = box.top + value.y / scale;
    tip.style.left = `${Math.max(8, Math.min(left - tip.offsetWidth / 2, document.documentElement.clientWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${top > tip.offsetHeight + 16 ? top - tip.offsetHeight - 10 : top + 14}px`;
  }

  hide() {
    tip.hidden = true;
    this.point.remove();
  }
}

for (const root of document.querySelectorAll(".picture")) new Picture(root);
addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

/* The replay that the address names, one at a time. */
let close = () => {};
function open() {
  close();
  close = () => {};
  const section = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!section || !section.classList.contains("deal")) return;
  section.hidden = false;
  const data = JSON.parse(section.querySelector("script").textContent);
  const shown = gafreecellReplay(section.querySelector(".replay"), data, section);
  close = () => {
    shown.end();
    section.hidden = true;
  };
  section.scrollIntoView();
  section.querySelector("h3").focus({ preventScroll: true });
}
addEventListener("hashchange", open);
open();
})();
