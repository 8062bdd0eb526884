"""Starts a headless Chromium, as the system has it, for measurements, screenshots and tests."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DEBIAN = "/usr/bin/chromium"
"""Where Debian's package puts it."""
# It stays in this machine: no updates, no reports, no look at what is new.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class NoChromium(Exception):
    """Chromium or Playwright is missing; the message says how to get it."""


def missing() -> str:
    """What is missing and how to get it; empty if nothing is."""
    if importlib.util.find_spec("playwright") is None:
        return "Playwright, which drives the browser, is missing: pip install playwright"
    if executable() is None:
        return f"there is no Chromium, neither {DEBIAN} nor in PATH: apt-get install chromium"
    return ""


def executable() -> str | None:
    """The path of Chromium; None if there is none."""
    return DEBIAN if Path(DEBIAN).exists() else shutil.which("chromium")


@contextmanager
def started() -> Iterator[Browser]:
    """A headless Chromium.

    Raises:
        NoChromium: if it or Playwright is missing.
    """
    why = missing()
    if why:
        raise NoChromium(why)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=[*ARGUMENTS])
        try:
            yield browser
        finally:
            browser.close()
