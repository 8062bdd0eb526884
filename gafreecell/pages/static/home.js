"use strict";
/* Pictures of dealt tables, on the start page and on that of a game. */
for (const tile of document.querySelectorAll("[data-dealt]")) {
  const { piles, cards } = JSON.parse(tile.dataset.dealt);
  const table = new gafreecellTable.Table({ piles, first: cards }, () => true);
  for (const name of ["wide", "tall"]) tile.style.setProperty(`--${name}`, table[name].toFixed(3));
  table.place = 0;
  table.draw(-1);
  table.spoken.remove();
  tile.append(table.felt);
}
