"""The screenshots of the documentation, ``docs/images/pages-*.png``.

``python benchmarks/screenshots.py`` (``make screenshots``) makes them anew: a page of ``gafreecell
solve --html``, one of ``gafreecell play --html``, and three of ``gafreecell serve``. It needs
Chromium.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from chromium import NoChromium, started
from PIL import Image

from gafreecell.cli.main import run

IMAGES = Path("docs/images")
COLOURS = 128
"""Of an image; more only make the file larger."""
WIDTH = 1200
POSITION = """Foundations: C-0 D-1 H-3 S-1
Waste: AC KH 6C TD 2S 3C 9H KD 7S 9S 2C
Stock: JC 5H 8C 4S 5S 5C
8D 7C 6D
8H
?? 9D 8S 7D
?? ?? ?? 4H 3S
QC JD
?? ?? ?? ?? 5D 4C 3D
?? ?? ?? ?? ?? ?? KS QH
"""


def main() -> None:
    """Make all five."""
    try:
        with started() as browser, tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            tab = opened(browser, written(page, "solve", "617"), 745)
            step(tab, 24)
            kept(tab, "pages-freecell")
            tab = opened(browser, written(page, "play", "3"), 760, color_scheme="dark")
            step(tab, 60)
            kept(tab, "pages-klondike")
            with served(Path.cwd()) as address:
                tab = opened(browser, f"{address}/play/freecell#text=617&ask=play&moves=83", 860)
                tab.locator(".light.won").wait_for()
                tab.get_by_role("button", name="Hint").click()
                tab.get_by_role("button", name="Play it").wait_for()
                kept(tab, "pages-play")
                tab = opened(browser, f"{address}/play/klondike", 1000)
                tab.locator("#asked > summary").click()
                tab.get_by_label("Deal number or board").fill(POSITION)
                tab.get_by_role("button", name="Hint").click()
                tab.locator(".hints li button").nth(1).click()
                tab.get_by_role("heading", name="What each move").scroll_into_view_if_needed()
                kept(tab, "pages-hint")
                tab = opened(browser, f"{address}/runs/runs/freecell-nine", 760)
                kept(tab, "pages-run")
    except NoChromium as error:
        raise SystemExit(str(error)) from None


def written(page: Path, *words: str) -> str:
    """The address of a page that a command writes."""
    with redirect_stdout(StringIO()):
        run([*words, "--html", str(page)])
    return page.as_uri()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of the local app, started in a folder."""
    command = [sys.executable, "-m", "gafreecell", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        address = re.search(r"http://\S+", process.stderr.readline())
        assert address is not None
        try:
            yield address[0]
        finally:
            process.terminate()


def opened(browser: Any, address: str, height: int, **options: Any) -> Any:
    """A window that shows an address."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": height}, reduced_motion="reduce", **options
    )
    tab = context.new_page()
    tab.goto(address)
    return tab


def step(tab: Any, moves: int) -> None:
    """Step forward."""
    for _ in range(moves):
        tab.keyboard.press("ArrowRight")


def kept(tab: Any, name: str) -> None:
    """Write what the window shows, with few colours."""
    tab.wait_for_timeout(300)
    image = Image.open(BytesIO(tab.screenshot())).convert("RGB").quantize(COLOURS)
    IMAGES.mkdir(parents=True, exist_ok=True)
    file = IMAGES / f"{name}.png"
    image.save(file, optimize=True)
    print(f"wrote {file}: {file.stat().st_size / 1000:.0f} kB", file=sys.stderr)


if __name__ == "__main__":
    main()
