"use strict";
/* The page of a run, or of several: follows their logs, and asks a run to stop. */
(() => {
const root = document.getElementById("watched"), alone = "name" in root.dataset;
const at = (id) => document.getElementById(id);
const LOOK = alone ? 1000 : 3000;
const asked = alone ? new URLSearchParams({ run: root.dataset.name }) : new URLSearchParams(location.search);
const show = gafreecellCharts(at("charts"));
const arrange = gafreecellTableOf(document.querySelector("table.list"));
let failed = 0, seen = "";

/* Always as many digits, so that a column is easy to compare. */
const figure = (value) => (value === null || value === undefined ? "" : value.toLocaleString("en", { minimumSignificantDigits: 4, maximumSignificantDigits: 4 }));
const row = (...cells) => {
  const made = document.createElement("tr");
  for (const cell of cells) {
    const place = document.createElement("td");
    place.append(cell);
    made.append(place);
  }
  return made;
};
const many = (number, word) => `${Math.round(number).toLocaleString("en")} ${word}`;

function update(told) {
  seen = told.stamp;
  if (alone) one(told.runs[0]);
  else several(told.runs);
  if (!told.charts) return;
  show(told.charts);
  if (alone) weights(told.charts.weights);
}

function one(told) {
  const done = `${told.generation} of ${told.generations} generations done`;
  let state = told.ending ? `Finished after generation ${told.generation.toLocaleString("en")}: ${told.ending}.` : told.running ? (told.begun ? `Running: ${done}.` : "Being set up: the first generation has not begun.") : `Not running: ${done}. To go on: ${told.resume}`;
  if (told.asked && told.running) state = `Stopping: ${done}.`;
  if (at("state").textContent !== state) at("state").textContent = state;
  at("done").value = told.share;
  at("stop").hidden = !told.running || told.asked;
  at("best").textContent = told.best || "none yet";
  at("left").textContent = told.left ? `about ${told.left}` : told.running ? "known after two generations" : told.ending ? "none: it is finished" : "unknown: it is not running";
  at("cost").textContent = `${many(told.costs.evaluations, "evaluations")}, ${many(told.costs.nodes, "nodes")}${told.costs.time ? `, ${told.costs.time} of processor time` : ""}`;
  at("shares").textContent = told.costs.shares || "";
  at("lines").replaceChildren(...[...told.lines].reverse().map((line) => row(String(line.generation), figure(line.best), figure(line.mean), figure(line.value), `${line.solved} of ${line.evaluations}`, `${line.seconds.toFixed(1)} s`)));
  arrange();
}

function several(runs) {
  const running = runs.filter((run) => run.running).length;
  const state = `${runs.length} runs, ${running} of them running`;
  if (at("state").textContent !== state) at("state").textContent = state;
  at("runs").replaceChildren(...runs.map((run) => {
    const link = Object.assign(document.createElement("a"), { href: `/runs/${run.name.split("/").map(encodeURIComponent).join("/")}`, textContent: run.name });
    const bar = Object.assign(document.createElement("progress"), { value: run.share });
    bar.setAttribute("aria-label", `how far ${run.name} is`);
    const state = document.createElement("span");
    state.append(bar, run.ending ? ` finished after ${run.generation}` : ` ${run.generation} of ${run.generations}, ${run.running ? "running" : "not running"}`);
    return row(link, run.job, `${run.trainer}, ${run.scheme}`, String(run.seed), state, run.left || "", many(run.costs.nodes, ""), run.validation, run.solved === null ? "" : many(run.solved, ""), run.nodes === null ? "" : many(run.nodes, ""));
  }));
  arrange();
}

/* The weights of each generation's best as a heat map, and where the solvers' weights lie now. */
function weights(told) {
  const canvas = at("heat"), wide = told.generations.length, tall = told.features.length;
  Object.assign(canvas, { width: wide, height: tall });
  canvas.style.height = `${1.4 * tall}rem`;
  const pen = canvas.getContext("2d"), style = getComputedStyle(canvas);
  told.rows.forEach((values, y) => values.forEach((value, x) => {
    pen.globalAlpha = Math.abs(value);
    pen.fillStyle = style.getPropertyValue(value < 0 ? "--tint-1" : "--tint-0");
    pen.fillRect(x, y, 1, 1);
  }));
  at("heat-names").replaceChildren(...told.features.map((name) => Object.assign(document.createElement("li"), { textContent: name })));
  at("heat-last").textContent = wide.toLocaleString("en");
  canvas.onpointermove = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = Math.min(wide - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * wide)));
    const y = Math.min(tall - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * tall)));
    at("heat-read").textContent = `${told.features[y]}, generation ${told.generations[x]}: ${told.rows[y][x]}`;
  };
  at("values-part").hidden = !told.values.length;
  at("values").replaceChildren(...told.features.map((name, place) => row(name, figure(told.values[place]))));
  at("spread-part").hidden = !told.spread.length;
  at("spread").replaceChildren(...told.spread.map(([champion, low, first, middle, third, high], place) => {
    const bar = document.createElement("span");
    bar.className = "range";
    for (const [kind, from, to] of [["whole", low, high], ["half", first, third], ["mark", champion, champion]]) {
      const part = document.createElement("i");
      part.className = kind;
      part.style.left = `${100 * from}%`;
      if (kind !== "mark") part.style.width = `${100 * (to - from)}%`;
      bar.append(part);
    }
    const percent = (value) => `${Math.round(100 * value)} %`;
    return row(told.features[place], bar, percent(champion), `${percent(first)} to ${percent(third)}`);
  }));
}

async function look() {
  try {
    const response = await fetch(`/api/progress?${asked}&seen=${seen}`);
    const told = await response.json();
    if (!response.ok) throw new Error(told.error);
    failed = 0;
    update(told);
    if (told.runs.every((run) => run.ending && !run.running)) return;
  } catch (error) {
    if (++failed > 3) at("state").textContent = `The server does not answer: ${error.message}`;
  }
  setTimeout(look, document.hidden ? 5 * LOOK : LOOK);
}

at("stop")?.addEventListener("click", async () => {
  if (!confirm("Stop this run? The generations done are saved, and it can be resumed.")) return;
  at("stop").disabled = true;
  try {
    const response = await fetch(`/api/stop/${root.dataset.name.split("/").map(encodeURIComponent).join("/")}`, { method: "POST" });
    if (!response.ok) at("state").textContent = (await response.json()).error;
  } catch (error) {
    at("state").textContent = `The server does not answer: ${error.message}`;
  }
  at("stop").disabled = false;
});
update(JSON.parse(document.getElementById("data").textContent));
setTimeout(look, LOOK);
})();
