"use strict";
/* Draws the panels of curves that a server tells of, with a legend, ticks, and values to read. */
const gafreecellCharts = (root) => {
const SVG = "http://www.w3.org/2000/svg";
const TINTS = 6, TALL = 230, LEFT = 62, RIGHT = 16, TOP = 10, BOTTOM = 34, MOST_READ = 14;
const hidden = new Set();
const make = (kind, properties = {}, ...content) => {
  const made = Object.assign(document.createElement(kind), properties);
  made.append(...content);
  return made;
};
const drawn = (kind, properties, content = "") => {
  const made = document.createElementNS(SVG, kind);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  made.textContent = content;
  return made;
};
const legend = make("ul", { className: "groups" });
legend.setAttribute("aria-label", "Shown in the charts");
const notes = make("div", { className: "quiet" });
const panels = make("div", { className: "panels" });
const tip = make("div", { className: "tip", hidden: true });
tip.setAttribute("role", "status");
/* What the x axis counts; evaluations and nodes are those of the solvers in training. */
const across = make("select"), chooser = make("label", { className: "across", hidden: true }, "Compare at the same number of ", across);
across.append(...["nodes", "evaluations", "generations"].map((name) => make("option", { textContent: name })));
if ([...across.options].some(({ value }) => `#${value}` === location.hash)) across.value = location.hash.slice(1);
across.addEventListener("change", () => {
  history.replaceState(null, "", `#${across.value}`);
  draw();
});
root.replaceChildren(legend, chooser, panels, notes);
document.body.append(tip);
let told = { groups: [], panels: [], notes: [], spent: {} };
let charts = [];

const tint = (group) => (told.groups.length <= TINTS ? `var(--tint-${group})` : `hsl(${Math.round((360 * group) / told.groups.length)} 65% 50%)`);
const figure = (value) => (value >= 1e5 ? value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 4 }) : Number(value.toPrecision(4)).toLocaleString("en", { maximumFractionDigits: 6 }));
const what = (curve) => curve.label.slice(curve.label.lastIndexOf(": ") + 1).trim();

/* Round numbers from low to high, about as many as wanted. */
function ticks(low, high, wanted, least = 0) {
  const rough = (high - low || 1) / wanted, power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(least, power * [1, 2, 5, 10].find((one) => one * power >= rough));
  const found = [];
  for (let at = Math.ceil(low / step); at * step <= high + step * 1e-9; at++) found.push(at * step);
  return found;
}
function decades(low, high) {
  const multiples = high / low > 200 ? [1] : high / low > 4 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) found.push(...multiples.map((one) => one * 10 ** power));
  return found.filter((value) => value >= low && value <= high);
}

/* What a line or a band looks like. */
function sample(content) {
  const svg = drawn("svg", { width: 28, height: 12, "aria-hidden": "true" });
  svg.append(content);
  return svg;
}
function sampleOf({ kind }, colour) {
  return sample(drawn("path", { class: `curve ${kind}`, d: "M0 6h28", style: `stroke: ${colour}` }));
}

class Chart {
  constructor() {
    this.caption = make("figcaption");
    this.note = make("p", { className: "quiet" });
    this.samples = make("p", { className: "samples" });
    this.plot = make("div", { className: "plot", tabIndex: 0 });
    this.plot.setAttribute("role", "img");
    this.root = make("figure", { className: "chart" }, this.caption, this.note, this.plot, this.samples);
    this.plot.addEventListener("pointermove", (event) => this.pointed(event));
    this.plot.addEventListener("pointerdown", (event) => this.pointed(event));
    this.plot.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.hide(); });
    this.plot.addEventListener("keydown", (event) => this.pressed(event));
    this.plot.addEventListener("blur", () => this.hide());
    this.place = null;
  }

  show(panel) {
    this.panel = panel;
    this.unit = chooser.hidden ? "generations" : across.value;
    const spent = told.spent[this.unit];
    const placed = (one) => (spent ? { ...one, at: one.at.map((generation) => spent[one.group][generation]) } : one);
    this.curves = panel.curves.filter((curve) => !hidden.has(curve.group)).map(placed);
    const bands = panel.bands.filter((band) => !hidden.has(band.group)).map(placed);
    this.caption.textContent = panel.title;
    this.note.textContent = panel.note;
    this.note.hidden = !panel.note;
    this.ends(this.curves, bands);
    this.svg = drawn("svg", { viewBox: `0 0 ${this.wide} ${TALL}`, width: this.wide, height: TALL });
    this.axes();
    for (const band of bands) this.band(band);
    for (const curve of this.curves) this.curve(curve);
    this.rule = drawn("path", { class: "rule", visibility: "hidden" });
    this.svg.append(this.rule);
    this.plot.replaceChildren(make("span", { className: "axis-label", textContent: panel.label.replaceAll("\n", " ") }), this.svg);
    this.keys(bands);
    const seen = this.curves.filter((curve) => curve.kind === "main" && curve.at.length);
    const ends = seen.slice(0, 4).map((curve) => `${curve.label} ${figure(curve.values[0] ?? 0)} ${this.when(curve.at[0])}, ${figure(curve.values.at(-1) ?? 0)} ${this.when(curve.at.at(-1))}`);
    this.plot.setAttribute("aria-label", `${panel.title}: ${ends.join("; ")}. Arrow keys read values.`);
    if (this.place !== null) this.read(this.place);
  }

  when(at) {
    return this.unit === "generations" ? `in generation ${at}` : `after ${figure(at)} ${this.unit}`;
  }

  ends(curves, bands) {
    const values = [...curves.flatMap((curve) => curve.values), ...bands.flatMap((band) => [...band.low, ...band.high])].filter((value) => value !== null && (!this.panel.logs || value > 0));
    this.generations = [...new Set(curves.flatMap((curve) => curve.at))].sort((one, other) => one - other);
    this.low = values.length ? Math.min(...values) : this.panel.logs ? 1 : 0;
    this.high = values.length ? Math.max(...values) : this.panel.logs ? 10 : 1;
    if (this.panel.logs) [this.low, this.high] = [this.low / 1.1, this.high * 1.1];
    else {
      const room = (this.high - this.low || Math.abs(this.high) || 1) * 0.05;
      [this.low, this.high] = [this.low - room, this.high + room];
    }
    this.first = this.generations[0] ?? 1;
    this.last = this.generations.at(-1) ?? 1;
    this.wide = Math.max(240, Math.round(this.plot.clientWidth) || 600);
  }

  x(generation) {
    return LEFT + ((generation - this.first) / (this.last - this.first || 1)) * (this.wide - LEFT - RIGHT);
  }

  y(value) {
    const on = this.panel.logs ? Math.log : Number;
    const share = (on(value) - on(this.low)) / (on(this.high) - on(this.low));
    return TALL - BOTTOM - share * (TALL - TOP - BOTTOM);
  }

  axes() {
    const rows = this.panel.logs ? decades(this.low, this.high) : ticks(this.low, this.high, 5);
    for (const value of rows) {
      this.svg.append(drawn("path", { class: "grid", d: `M${LEFT} ${this.y(value)}H${this.wide - RIGHT}` }));
      this.svg.append(drawn("text", { x: LEFT - 6, y: this.y(value) + 4, "text-anchor": "end" }, figure(Number(value.toPrecision(12)))));
    }
    for (const at of ticks(this.first, this.last, Math.max(2, (this.wide - LEFT) / 90), 1)) {
      this.svg.append(drawn("path", { class: "tick", d: `M${this.x(at)} ${TALL - BOTTOM}v4` }));
      this.svg.append(drawn("text", { x: this.x(at), y: TALL - BOTTOM + 17, "text-anchor": "middle" }, figure(at)));
    }
    this.svg.append(drawn("path", { class: "axis", d: `M${LEFT} ${TOP}V${TALL - BOTTOM}H${this.wide - RIGHT}` }));
    this.svg.append(drawn("text", { x: this.wide - RIGHT, y: TALL - 5, "text-anchor": "end" }, this.unit === "generations" ? "generation" : `${this.unit} of the solvers in training`));
  }

  /* The points of a line; a generation without a value is left out. */
  points(at, values) {
    return at.flatMap((generation, place) => (values[place] === null ? [] : [`${this.x(generation).toFixed(1)} ${this.y(values[place]).toFixed(1)}`]));
  }

  band({ at, low, high, group, opacity }) {
    const points = [...this.points(at, low), ...this.points(at, high).reverse()];
    if (points.length > 2) this.svg.append(drawn("path", { d: `M${points.join("L")}Z`, style: `fill: ${tint(group)}; fill-opacity: ${opacity}` }));
  }

  curve({ at, values, group, kind, steps }) {
    const points = this.points(at, values);
    if (!points.length) return;
    const line = steps ? points.map((point, place) => (place ? `H${point.split(" ")[0]}V${point.split(" ")[1]}` : `M${point}`)).join("") : `M${points.join("L")}`;
    this.svg.append(drawn("path", { class: `curve ${kind}`, d: points.length > 1 ? line : `M${points[0]}h6`, style: `stroke: ${tint(group)}` }));
  }

  keys(bands) {
    const lines = new Map(this.curves.map((curve) => [what(curve), curve]));
    const areas = new Map(bands.map((band) => [band.label.replaceAll("\n", " "), band]));
    const colour = (one) => (told.groups.length > 1 ? "var(--quiet)" : tint(one.group));
    this.samples.replaceChildren(
      ...[...lines].map(([name, curve]) => make("span", {}, sampleOf(curve, colour(curve)), name)),
      ...[...areas].map(([name, band]) => make("span", {}, sample(drawn("rect", { width: 28, height: 12, style: `fill: ${colour(band)}; fill-opacity: ${band.opacity}` })), name)),
    );
  }

  pointed(event) {
    const across = event.clientX - this.svg.getBoundingClientRect().left;
    const near = this.generations.reduce((best, one) => (Math.abs(this.x(one) - across) < Math.abs(this.x(best) - across) ? one : best), this.first);
    this.read(near);
  }

  pressed(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (event.key === "Escape") this.hide();
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    /* The first key begins at the end that its direction leaves. */
    const begin = step < 0 ? this.generations.length : -1;
    const place = this.place === null ? begin : this.generations.indexOf(this.place);
    this.read(this.generations[Math.max(0, Math.min(this.generations.length - 1, place + step))]);
  }

  /* Shows the values of a generation. */
  read(generation) {
    if (generation === undefined) return;
    this.place = generation;
    const rows = this.curves.flatMap((curve) => {
      /* Curves of other groups have their points elsewhere. */
      const value = generation > curve.at.at(-1) ? null : curve.values[curve.at.findLastIndex((at) => at <= generation)];
      return value === undefined || value === null ? [] : [[value, curve]];
    }).sort(([one], [other]) => other - one);
    const text = rows.slice(0, MOST_READ).map(([value, curve]) => make("div", {}, sampleOf(curve, tint(curve.group)), ` ${curve.label}: ${figure(value)}`));
    if (rows.length > MOST_READ) text.push(make("div", { textContent: `and ${rows.length - MOST_READ} more` }));
    const when = this.when(generation);
    tip.replaceChildren(make("strong", { textContent: when[0].toUpperCase() + when.slice(1) }), ...text);
    tip.hidden = false;
    this.rule.setAttribute("d", `M${this.x(generation)} ${TOP}V${TALL - BOTTOM}`);
    this.rule.setAttribute("visibility", "visible");
    const box = this.svg.getBoundingClientRect(), at = box.left + this.x(generation), wide = tip.offsetWidth;
    const left = at + 14 + wide < document.documentElement.clientWidth ? at + 14 : at - 14 - wide;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.max(4, box.top + 12)}px`;
  }

  hide() {
    this.place = null;
    tip.hidden = true;
    this.rule?.setAttribute("visibility", "hidden");
  }
}

function draw() {
  if (charts.length !== told.panels.length) {
    charts = told.panels.map(() => new Chart());
    panels.replaceChildren(...charts.map((chart) => chart.root));
  }
  told.panels.forEach((panel, place) => charts[place].show(panel));
}

function show(next) {
  if (next.groups.join("\n") !== told.groups.join("\n")) {
    told = next;
    hidden.clear();
    legend.replaceChildren(...next.groups.map((name, group) => {
      const swatch = make("i"), button = make("button", { type: "button" }, swatch, name);
      swatch.style.background = tint(group);
      button.setAttribute("aria-pressed", "true");
      button.addEventListener("click", () => {
        if (!hidden.delete(group)) hidden.add(group);
        button.setAttribute("aria-pressed", String(!hidden.has(group)));
        draw();
      });
      return make("li", {}, button);
    }));
    legend.hidden = chooser.hidden = next.groups.length < 2;
  }
  told = next;
  notes.replaceChildren(...next.notes.map((note) => make("p", { textContent: note })));
  draw();
}

let width = 0;
new ResizeObserver(() => {
  if (panels.clientWidth !== width) draw();
  width = panels.clientWidth;
}).observe(panels);
addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
return show;
};
