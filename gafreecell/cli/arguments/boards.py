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
        "boards",
        "print deals as text",
        examples=(
            "gafreecell deal 164 > board.txt",
            "gafreecell deal 1-20 --game pyramid",
            "gafreecell deal --number board.txt",
        ),
        statuses={1: "with --number: some board is not a numbered deal; its line says why"},
    )
    add_deals(deal)
    either = deal.add_mutually_exclusive_group()
    either.add_argument(
        "--number",
        action="store_true",
        help="instead of boards, print the number of each one that is a numbered deal",
    )
    either.add_argument(
        "--reachable",
        action="store_true",
        help="Klondike: put the talon's cards that can be played now in parentheses",
    )
    add_game(deal)
    add_variant(deal)

    presets = add(
        commands,
        "presets",
        "boards",
        "list a game's presets, searches and features",
        examples=(
            "gafreecell presets",
            "gafreecell presets fast",
            "gafreecell presets --game klondike",
        ),
    )
    presets.add_argument(
        "preset",
        metavar="PRESET",
        nargs="?",
        help="show only this preset, with its limit, phases and weights",
    )
    add_game(presets)
