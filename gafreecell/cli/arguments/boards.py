"""``deal`` and ``presets``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import add_deals, add_game, add_variant
from gafreecell.cli.parsing import add


def declare(commands: Any) -> None:
    """Add the commands."""
    deal = add(
        commands,
        "deal",
        "solving",
        "print deals as text",
        examples=("gafreecell deal 164 > board.txt", "gafreecell deal 1-20 --game pyramid"),
    )
    add_deals(deal)
    deal.add_argument(
        "--reachable",
        action="store_true",
        help="Klondike: mark the talon's cards that can be played now, in parentheses",
    )
    add_game(deal)
    add_variant(deal)

    presets = add(
        commands,
        "presets",
        "solving",
        "list a game's presets, searches and features",
        examples=("gafreecell presets", "gafreecell presets --game klondike"),
    )
    add_game(presets)
