"use strict";
/* Shows of all games those whose names or rules have the words that are typed. */
document.getElementById("find").addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/);
  for (const family of document.querySelectorAll(".family")) {
    for (const one of family.querySelectorAll("li")) one.hidden = !words.every((word) => one.textContent.toLowerCase().includes(word));
    family.hidden = !family.querySelector("li:not([hidden])");
  }
});
