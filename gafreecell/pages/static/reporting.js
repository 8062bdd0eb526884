"use strict";
/* The page that waits for a report: has it made, tells how far it is, and goes to it. */
(async () => {
const runs = new URLSearchParams(location.search).getAll("run");
const asked = new URLSearchParams(runs.map((run) => ["run", run]));
const state = document.getElementById("state"), done = document.getElementById("done");
let ended = false;

(async () => {
  while (!ended) {
    try {
      const told = await (await fetch(`/api/reporting?${asked}`)).json();
      if (!ended && told.what) {
        done.max = told.total || 1;
        done.value = told.done;
        if (!told.total) done.removeAttribute("value");
        state.textContent = told.what + (told.total ? `: ${told.done.toLocaleString("en")} of ${told.total.toLocaleString("en")}` : "");
      }
    } catch { /* The request for the report will fail, too. */ }
    await new Promise((over) => setTimeout(over, 500));
  }
})();
try {
  const response = await fetch("/api/report", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ runs }) });
  if (!response.ok) throw new Error((await response.json()).error);
  location.replace(`/report?${asked}&made=1`);
} catch (error) {
  state.textContent = `No report was made: ${error.message}`;
  done.hidden = true;
}
ended = true;
})();
