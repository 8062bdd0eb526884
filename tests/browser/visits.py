"""What a person does with a page, what is to be seen on it, and the local app to visit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WINDOWS: list[dict[str, Any]] = [
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"forced_colors": "active"},
    {"width": 375, "height": 812, "has_touch": True},
]
"""Windows in which every page must be accessible."""
TESTS = Path(__file__).parents[1]
TOY = (TESTS / "gafreecell" / "data" / "toy", TESTS / "gafreecell")
RANKS = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

_PILES = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const shapes = all(".place svg path").map((one) => one.getAttribute("d"));
  const places = all(".place").map((one) => {
    const { x, y } = one.getBoundingClientRect();
    return { x, y, cards: [] };
  });
  for (const card of all(".card")) {
    if (getComputedStyle(card).visibility !== "visible") continue;
    const { x, y } = card.getBoundingClientRect();
    const under = places.filter((one) => Math.abs(one.x - x) < 2 && one.y < y + 2);
    const place = under.reduce((one, other) => (other.y > one.y ? other : one));
    const rank = card.querySelector("b")?.textContent;
    const suit = shapes.indexOf(card.querySelector("path")?.getAttribute("d"));
    // Cards that have just moved lie above all others.
    const depth = Number(card.style.zIndex);
    place.cards.push([rank, suit, y, depth < 100 ? depth : depth - 99]);
  }
  const deeper = (one, other) => one[2] - other[2] || one[3] - other[3];
  return places.map(({ cards }) => cards.sort(deeper).map((card) => card.slice(0, 2)));
}"""

_SPOKEN = """() => [...document.querySelectorAll('[aria-label="Cards on the table"] li')]
  .map((one) => one.textContent)"""
STATE = f"""() => ({{
  piles: ({_PILES})(),
  spoken: ({_SPOKEN})(),
  caption: document.querySelector(".caption").innerText,
  marked: [...document.querySelectorAll(".moves [aria-current=step]")].map((one) => one.innerText),
}})"""
"""What a replay shows of a position: ``Visit.piles``, ``Visit.spoken`` and the move."""


class Windows:
    """Windows of a browser; a visit that is over leaves its window, as if new, to the next.

    Args:
        browser: the browser.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: dict[str, list[Any]] = {}

    def open(self, address: str, width: int = 1440, height: int = 900, **options: Any) -> Visit:
        """Visit an address in a window of that size, in CSS pixels.

        Args:
            address: of the page.
            width, height: of the window.
            options: more of the window, such as ``color_scheme``.
        """
        # Cards then are where they belong at once.
        options = {"reduced_motion": "reduce", **options}
        free = self._free.setdefault(repr(sorted(options.items())), [])
        # Opening a window costs more than all that a test does in it.
        page = free.pop() if free else self._browser.new_context(**options).new_page()
        page.set_default_timeout(60_000)
        page.set_viewport_size({"width": width, "height": height})
        return Visit(page, address, free)


class Visit:
    """A page in a window of its own.

    Args:
        page: the window.
        address: of the page.
        free: where the window goes when the visit is over.

    Attributes:
        page: the page, to be driven.
        errors: what was written to the console as an error; a test that expects one clears it.
        requests: the addresses that the page asked for.
    """

    def __init__(self, page: Any, address: str, free: list[Any]) -> None:
        self.page, self._free = page, free
        self._heard: list[tuple[str, Callable[[Any], object]]] = []
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.on("request", lambda one: self.requests.append(one.url))
        self.on(
            "console",
            lambda one: self.errors.append(one.text) if one.type in ("error", "warning") else None,
        )
        self.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(address)

    def on(self, event: str, hear: Callable[[Any], object]) -> None:
        """Hear of an event until the visit is over."""
        self.page.on(event, hear)
        self._heard.append((event, hear))

    def end(self) -> None:
        """Leave the page, and see that nothing went wrong in it."""
        # The next visitor knows nothing of this one.
        self.page.evaluate("localStorage.clear()")
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        for event, hear in self._heard:
            self.page.remove_listener(event, hear)
        self._free.append(self.page)
        assert self.errors == []
        for address in self.requests:
            assert re.match(r"file:///|data:|http://127\.0\.0\.1:\d+/", address), address

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def until(self, condition: Callable[[], object]) -> None:
        """Wait until something holds; the page's policy lets no code of ours wait in it."""
        for _ in range(3000):
            if condition():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError("it never came")

    def text(self, selector: str) -> str:
        """The text of an element, with single spaces."""
        return " ".join(self.page.inner_text(selector).split())

    def piles(self) -> list[list[list[Any]]]:
        """The cards on the table where they are seen, by place: rank and suit of each."""
        found: list[list[list[Any]]] = self.page.evaluate(_PILES)
        return found

    def spoken(self) -> list[str]:
        """What a screen reader reads of the table, a pile at a time."""
        found: list[str] = self.page.evaluate(_SPOKEN)
        return found

    def walk(self, steps: int, look: str = STATE) -> list[Any]:
        """What a function finds on a replay before so many steps forward and after each."""
        found: list[Any] = self.page.evaluate(
            f"""(steps) => [...Array(steps + 1).keys()].map((step) => {{
              if (step) document.querySelector("[aria-label^=Forward]").click();
              return ({look})();
            }})""",
            steps,
        )
        return found

    def unfold(self) -> None:
        """Open what asks for deal, board and rules, where it is."""
        self.page.evaluate("document.getElementById('asked')?.setAttribute('open', '')")

    def click(self, name: str) -> None:
        """Press the button of that name."""
        self.unfold()
        self.page.get_by_role("button", name=name).click()

    @property
    def board(self) -> Any:
        """The field for a deal's number or a board."""
        self.unfold()
        return self.page.get_by_label("Deal number or board")

    def must_be_sound(self) -> None:
        """The page is no wider than the window, and axe-core finds nothing of weight."""
        assert self.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
        assert self.serious_findings() == []

    def focused(self) -> str:
        """The name of what has the focus, as a screen reader says it; empty if nothing has it."""
        found: str = self.page.evaluate(
            "(({ activeElement: on }) => on === document.body ? '' : on.getAttribute('aria-label')"
            " || on.labels?.[0]?.innerText || on.innerText)(document)"
        )
        return found.strip()

    def serious_findings(self) -> list[str]:
        """What axe-core finds that is more than minor."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        return [
            f"{one['id']}: {node['html'][:200]} ({node['failureSummary']})"
            for one in found
            for node in one["nodes"]
            if one["impact"] != "minor"
        ]


def wait_for(condition: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something holds that is not on a page."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def seen(cards: Sequence[int]) -> list[list[Any]]:
    """Cards of a verifier's position as ``Visit.piles`` has them."""
    return [[RANKS[one >> 2], one & 3] for one in cards]


@dataclass(frozen=True)
class Server:
    """The local app.

    Attributes:
        address: of its first page.
        folder: in which it was started.
        environment: for commands that know what it knows.
    """

    address: str
    folder: Path
    environment: dict[str, str]

    @contextmanager
    def evolving(self, job: str, folder: str) -> Iterator[subprocess.Popen[bytes]]:
        """``gafreecell evolve`` of a job, below the app's folder, once its log has a line."""
        (self.folder / "job.toml").write_text(job)
        words, log = ["evolve", "job.toml", "--out", folder, "--jobs", "1"], self.log(folder)
        with _begun(words, self.folder, self.environment) as process:
            wait_for(lambda: log.exists() and log.read_bytes())
            yield process

    def log(self, folder: str) -> Path:
        """The log of such a run."""
        return self.folder / folder / "log.jsonl"


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """``gafreecell serve`` in a folder, with the tests' toy game."""
    paths = [*map(str, TOY), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    environment |= {"GAFREECELL_CACHE": str(folder / ".cache"), "TOY_PAUSE": "0.01"}
    kept = {key: value for key, value in environment.items() if key != "GAFREECELL_CACHE"}
    with _begun(["serve", "--port", "0", "--jobs", "1"], folder, kept) as process:
        assert process.stderr is not None
        for line in iter(process.stderr.readline, b""):
            address = re.search(rb"http://\S+", line)
            if address:
                yield Server(address[0].decode(), folder, environment)
                return
        raise AssertionError("the server ended before it listened")


@contextmanager
def _begun(
    words: Sequence[str], folder: Path, environment: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", "from gafreecell.cli import main; main()", *words]
    process = subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
