"use strict";
/* Sorts a table's lines by the column whose head is clicked, and tells once what all lines have in
 * common instead of in a column. Returns a function that does so again, for new lines. */
const gafreecellTableOf = (table) => {
const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
const shared = Object.assign(document.createElement("p"), { className: "quiet" });
const { compare } = new Intl.Collator("en", { numeric: true });
/* A line that only tells a fault has fewer cells, and none of its columns. */
const text = (line, column) => (line.cells.length === heads.length ? line.cells[column].textContent.trim().replace(/(\d),(?=\d)/g, "$1") : "");
let by = null, turn = 1;

function arrange() {
  const lines = [...body.rows], whole = lines.filter((line) => line.cells.length === heads.length), common = [];
  heads.forEach((head, column) => {
    if (head.tagName !== "TH") return;
    const told = new Set(whole.map((line) => line.cells[column].textContent.trim()));
    const same = whole.length > 1 && told.size === 1 && !("kept" in head.dataset);
    if (same && !told.has("")) common.push(`${head.textContent.trim()}: ${[...told][0]}`);
    for (const cell of [head, ...whole.map((line) => line.cells[column])]) {
      cell.hidden = same;
      if (head.className) cell.className = head.className;
    }
  });
  shared.textContent = common.length ? `The same in all of them: ${common.join("; ")}.` : "";
  if (by === null) return;
  const first = (line) => text(line, by) === "";
  lines.sort((one, other) => first(one) - first(other) || turn * compare(text(one, by), text(other, by)));
  body.append(...lines);
}

heads.forEach((head, column) => {
  if (head.tagName !== "TH") return;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "sort", title: "Sort by this column" });
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    turn = by === column ? -turn : 1;
    by = column;
    for (const one of heads) one.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", turn > 0 ? "ascending" : "descending");
    arrange();
  });
});
table.parentNode.after(shared);
arrange();
return arrange;
};
for (const table of document.querySelectorAll("form table.sorts")) gafreecellTableOf(table);
