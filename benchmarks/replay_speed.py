"""``make replay-speed``: how large replay pages are, how soon they paint, and what a step costs.

Chromium opens each page and steps through its whole game with a rendered frame after each step.
"Key to layout" is the time from the key to the end of the style and layout that it causes. "All
work" is what the main thread does in the quarter of a second after a key: script, style, layout,
paint and the frames in which the cards fly, in processor time; with reduced motion they do not
fly. A long task is one that keeps the main thread for more than 50 ms. Every page is opened several
times; the figures are medians over all steps, and the longest of all tasks. Other work on the
machine lengthens tasks and paints.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from chromium import NoChromium, started

from gafreecell.cli.main import run

PAGES = {
    "FreeCell, deal 617": ("solve", "617"),
    "FreeCell, deal 164, three solutions": (
        *("solve", "164", "--against", "shortest", "--against", "best-first"),
    ),
    "Klondike, deal 3, solved": ("solve", "3", "--game", "klondike"),
    "Klondike, deal 3, played with hidden cards": ("play", "3"),
    "Pyramid, deal 7": ("solve", "7", "--game", "pyramid"),
}
VISITS = 3
STEPS = 30
"""Steps of each visit for which all work is measured."""
STEP_MILLISECONDS = 250
# Tasks are observed from before the page's own script.
_WATCH = """
window.tasks = [];
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.tasks.push(task.duration);
}).observe({ type: "longtask", buffered: true });
"""
_STEP = """async (most) => {
  const work = [];
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  for (let step = 0; step < most; step++) {
    const began = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    for (const game of document.querySelectorAll(".board, .detail")) game.getBoundingClientRect();
    work.push(performance.now() - began);
    await frame();
  }
  return work;
}"""
_PAINT = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0"""


@dataclass(frozen=True)
class Figures:
    """What was measured on a page.

    Attributes:
        bytes: of the file.
        moves: the most moves of its solutions.
        paint: milliseconds from the start of the navigation to the first paint with content.
        opening, stepping: the longest task in milliseconds while the page opened, and in the
            steps; 0 if none took 50 ms.
        steps: milliseconds from the key to the layout, for each step.
        whole: milliseconds of all work of the main thread, for some steps.
        still: the same with reduced motion, where cards do not fly.
    """

    bytes: int
    moves: int
    paint: float
    opening: float
    stepping: float
    steps: Sequence[float]
    whole: Sequence[float]
    still: Sequence[float]


def measured(browser: Any, page: Path, visits: int) -> Figures:
    """Open a page and step through its games."""
    paints, opening, stepping, steps, whole, still = [], [0.0], [0.0], [], [], []
    moves = 0
    for _ in range(visits):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(_WATCH)
        tab = context.new_page()
        tab.goto(page.as_uri())
        tab.wait_for_timeout(500)
        paints.append(tab.evaluate(_PAINT))
        opening += tab.evaluate("window.tasks.splice(0)")
        moves = int(tab.inner_text(".counter").split()[-1])
        steps += tab.evaluate(_STEP, moves)
        tab.wait_for_timeout(200)
        stepping += tab.evaluate("window.tasks.splice(0)")
        assert tab.inner_text(".counter") == f"{moves} / {moves}"
        whole += worked(context.new_cdp_session(tab), tab, min(moves // 2, STEPS))
        tab.emulate_media(reduced_motion="reduce")
        still += worked(context.new_cdp_session(tab), tab, min(moves // 2, STEPS))
        context.close()
    size = page.stat().st_size
    return Figures(
        size, moves, float(np.median(paints)), max(opening), max(stepping), steps, whole, still
    )


def worked(session: Any, tab: Any, steps: int) -> list[float]:
    """Milliseconds that the main thread works for each of some steps back from the end."""

    def busy() -> float:
        found = {
            one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]
        }
        return 1000 * float(found["TaskDuration"])

    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    tab.wait_for_timeout(500)
    # What the counters cost themselves is taken off.
    before = busy()
    tab.wait_for_timeout(STEP_MILLISECONDS)
    idle = busy() - before
    work = []
    for _ in range(steps):
        before = busy()
        tab.keyboard.press("ArrowLeft")
        tab.wait_for_timeout(STEP_MILLISECONDS)
        work.append(max(0.0, busy() - before - idle))
    return work


def main() -> None:
    """Print a line for each page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--visits", type=int, default=VISITS, help="of each page")
    visits = parser.parse_args().visits
    rows = [
        "| page | kB | moves | first paint | longest task, opening | longest task, stepping | "
        "key to layout: median | 99 % | all work for a step: median | 99 % | reduced motion |",
        "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |",
    ]
    try:
        with started() as browser, tempfile.TemporaryDirectory() as folder:
            for name, words in PAGES.items():
                page = Path(folder) / "page.html"
                with redirect_stdout(StringIO()):
                    run([*words, "--html", str(page)])
                found = measured(browser, page, visits)
                longest = [
                    f"{task:.0f} ms" if task else "< 50 ms"
                    for task in (found.opening, found.stepping)
                ]
                costs = [
                    *np.percentile(found.steps, [50, 99]),
                    *np.percentile(found.whole, [50, 99]),
                    np.median(found.still),
                ]
                cells = [
                    name,
                    f"{found.bytes / 1000:.1f}",
                    str(found.moves),
                    f"{found.paint:.0f} ms",
                    *longest,
                    *[f"{cost:.1f} ms" for cost in costs],
                ]
                rows.append(f"| {' | '.join(cells)} |")
    except NoChromium as error:
        raise SystemExit(str(error)) from None
    print("\n".join(rows))


if __name__ == "__main__":
    sys.exit(main())
