"""The rules of Klondike that vary, as text and as options: the draw and the redeals."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from deals.cards import DealError
from deals.checks import shown, whole

DRAW = 3
"""Cards that a draw turns by default."""
DRAWS = 3, 1
REDEALS = 0, 1, 2, 3
"""How often the waste may be turned over, if that is limited."""
UNLIMITED = "unlimited"

_SETTING = re.compile(r"(draw|redeals)\s*=\s*(\w+)", re.IGNORECASE)


def check_rules(draw: Any, redeals: Any) -> None:
    """Refuse rules that no game here has.

    Args:
        draw: cards that a draw turns.
        redeals: how often the waste may be turned over; None for no limit.

    Raises:
        DealError: saying which rules there are.
    """
    if whole(draw) not in DRAWS:
        raise DealError(f"expected draw=3 or draw=1, got {shown(draw, 40)}")
    if redeals is not None and whole(redeals) not in REDEALS:
        raise DealError(f"expected redeals=0 to redeals=3 or no limit, got {shown(redeals, 40)}")


def rules_text(draw: int, redeals: int | None) -> str:
    """The rules that are not the default, as the line ``Rules:`` of a board has them."""
    settings = []
    if draw != DRAW:
        settings.append(f"draw={draw}")
    if redeals is not None:
        settings.append(f"redeals={redeals}")
    return " ".join(settings)


class Rules(NamedTuple):
    """Rules that were named; None for each that was not.

    Attributes:
        draw: cards that a draw turns.
        redeals: how often the waste may still be turned over, a number or ``UNLIMITED``.
    """

    draw: int | None = None
    redeals: int | str | None = None

    def under(self, asked: Rules, where: str) -> tuple[int, int | None]:
        """The rules of a board that names these, in a game for which others were asked.

        Args:
            asked: the rules of the game.
            where: the place of the board's rules, for messages.

        Returns:
            The draw, and the redeals left; None for no limit.

        Raises:
            DealError: if they contradict each other.
        """
        mend = "change the board's line, or ask for its rules"
        if self.draw and asked.draw and self.draw != asked.draw:
            raise DealError(
                f"{where}: expected draw={asked.draw}, as the options or the weights say, got "
                f"draw={self.draw}: {mend}"
            )
        # A game in progress may have fewer redeals left than the rules allow.
        if self.redeals is not None and asked.redeals is not None:
            most = limit_of(asked.redeals)
            left = limit_of(self.redeals)
            if most is not None and (left is None or left > most):
                raise DealError(
                    f"{where}: expected at most redeals={asked.redeals}, as the options or the "
                    f"weights say, got redeals={self.redeals}: {mend}"
                )
        redeals = self.redeals if self.redeals is not None else asked.redeals
        return self.draw or asked.draw or DRAW, limit_of(redeals)


def limit_of(redeals: Any) -> int | None:
    """How often the waste may be turned over, from an option's value or None; None for no limit."""
    return None if redeals is None or redeals == UNLIMITED else int(redeals)


def read_rules(text: str, line: int) -> Rules:
    """Read what follows ``Rules:``.

    Raises:
        DealError: naming the line and what is wrong with it.
    """
    found: dict[str, int | str] = {}
    settings = _SETTING.findall(text.lower())
    for name, value in settings:
        found[name] = int(value) if value.isdecimal() else value
    rest = _SETTING.sub("", text).replace(",", " ").split()
    draw, redeals = found.get("draw", DRAW), found.get("redeals", UNLIMITED)
    expected = ""
    if any(word.lower().startswith("stock") for word in rest):
        expected = (
            "draw and redeals alone: to say that nobody has seen the stock, write its cards in "
            "angle brackets or as ??"
        )
    elif rest or not found:
        expected = "rules such as draw=1 redeals=2: draw is 3 or 1, redeals 0 to 3 or unlimited"
    elif len(settings) > len(found):
        expected = "each rule once"
    elif draw not in DRAWS:
        expected = "draw=3 or draw=1"
    elif redeals not in (*REDEALS, UNLIMITED):
        expected = f"redeals=0 to redeals=3, or redeals={UNLIMITED}"
    if expected:
        got = shown(" ".join(text.split())) if text.strip() else "none"
        raise DealError(f"line {line}: expected {expected}; got {got}")
    return Rules(found.get("draw"), found.get("redeals"))  # type: ignore[arg-type]


DEFAULT = Rules()
"""No rule named."""
