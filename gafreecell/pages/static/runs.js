"use strict";
/* The page of a run: follows its log and asks it to stop. */
(() => {
const root = document.getElementById("run"), name = root.dataset.name;
const first = JSON.parse(document.getElementById("data").textContent);
const lines = [];
const at = (id) => document.getElementById(id);
const path = name.split("/").map(encodeURIComponent).join("/");
const LOOK = 1000, SHOWN = 12;
let failed = 0;

function update(told) {
  /* A line that was sent twice is not added twice. */
  for (const line of told.lines) if (line.generation === lines.length + 1) lines.push(line);
  const done = `${told.generation} of ${told.generations} generations done`;
  let state = told.ending ? `Finished: ${told.ending}.` : told.running ? (told.begun ? `Running: ${done}.` : "Being set up: the first generation has not begun.") : `Not running: ${done}. To go on: ${told.resume}`;
  if (told.asked && told.running) state = `Stopping: ${done}.`;
  if (at("state").textContent !== state) at("state").textContent = state;
  at("done").max = told.generations;
  at("done").value = told.generation;
  at("stop").hidden = !told.running || told.asked;
  at("best").textContent = told.best ? `Best weights: ${told.best}.` : "";
  if (!told.lines.length) return;
  curve(at("values"), "value on the validation deals", [lines.map((line) => line.value)]);
  curve(at("fitness"), "fitness", [lines.map((line) => line.best), lines.map((line) => line.mean)]);
  at("lines").replaceChildren(...lines.slice(-SHOWN).reverse().map((line) => {
    const row = document.createElement("tr");
    const cells = [line.generation, figure(line.best), figure(line.mean), figure(line.value), `${line.solved} of ${line.evaluations}`, figure(line.seconds)];
    for (const cell of cells) row.append(Object.assign(document.createElement("td"), { textContent: cell }));
    return row;
  }));
}

function figure(value) {
  return value === null || value === undefined ? "" : Number(value.toPrecision(4)).toLocaleString("en");
}

/* Curves by generation, drawn anew. */
function curve(place, what, series) {
  const all = series.flat().filter((value) => value !== null);
  if (!all.length) return;
  const low = Math.min(...all), high = Math.max(...all);
  const wide = 420, tall = 180, left = 56, bottom = 26, top = 10;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const add = (kind, properties, content = "") => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
    made.textContent = content;
    svg.append(made);
    return made;
  };
  const many = series[0].length;
  const x = (place) => left + (many > 1 ? (place * (wide - left - 8)) / (many - 1) : 0);
  const y = (value) => top + ((high - value) * (tall - bottom - top)) / (high - low || 1);
  svg.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
  svg.setAttribute("class", "curve");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${what}: ${figure(series[0][0])} in generation 1, ${figure(series[0].at(-1))} in generation ${many}`);
  add("path", { class: "axis", d: `M${left} ${top}V${tall - bottom}H${wide - 8}`, fill: "none" });
  add("text", { x: left - 6, y: top + 8, "text-anchor": "end" }, figure(high));
  add("text", { x: left - 6, y: tall - bottom, "text-anchor": "end" }, figure(low));
  add("text", { x: left, y: tall - 8 }, "1");
  add("text", { x: wide - 8, y: tall - 8, "text-anchor": "end" }, `generation ${many}`);
  series.forEach((values, which) => {
    const points = values.flatMap((value, place) => (value === null ? [] : `${x(place).toFixed(1)} ${y(value).toFixed(1)}`));
    const line = add("path", { class: which ? "other" : "line", d: `M${points.join("L")}${points.length === 1 ? "h3" : ""}` });
    line.append(Object.assign(document.createElementNS("http://www.w3.org/2000/svg", "title"), { textContent: which ? `mean ${what}` : what }));
  });
  place.replaceChildren(svg);
}

async function look() {
  try {
    const response = await fetch(`/api/progress/${path}?since=${lines.length}`);
    const told = await response.json();
    if (!response.ok) throw new Error(told.error);
    failed = 0;
    update(told);
    if (told.ending && !told.running) return;
  } catch (error) {
    if (++failed > 3) at("state").textContent = `The server does not answer: ${error.message}`;
  }
  setTimeout(look, document.hidden ? 5 * LOOK : LOOK);
}

at("stop").addEventListener("click", async () => {
  if (!confirm("Stop this run? The generations done are saved, and it can be resumed.")) return;
  at("stop").disabled = true;
  try {
    const response = await fetch(`/api/stop/${path}`, { method: "POST" });
    if (!response.ok) at("state").textContent = (await response.json()).error;
  } catch (error) {
    at("state").textContent = `The server does not answer: ${error.message}`;
  }
  at("stop").disabled = false;
});
update(first);
setTimeout(look, LOOK);
})();
