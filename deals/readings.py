"""Texts that are boards of another game, or that can be read in more than one way."""

from __future__ import annotations

from typing import Literal

from deals.cards import DealError

Way = tuple[Literal["game", "layout"], str]
"""A setting and its value, such as ``("layout", "rows")``."""


class OtherReading(DealError):
    """A text that can be read once a setting is chosen.

    Args:
        fault: what is wrong or unclear; the message goes on with how to mend it on the command
            line.
        ways: the settings under which the text can be read.
        more: what else to do, as the end of that sentence.

    Attributes:
        fault, ways, more: as given, for those who offer the ways without a command line.
    """

    def __init__(self, fault: str, *ways: Way, more: str = "") -> None:
        self.fault, self.ways, self.more = fault, ways, more
        options = [f"--{value}" if what == "layout" else f"--game {value}" for what, value in ways]
        super().__init__(f"{fault}: say {' or '.join(options)}{more}")


ROWS: Way = ("layout", "rows")
COLUMNS: Way = ("layout", "columns")
