"""``play``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import (
    add_deals,
    add_game,
    add_jobs,
    add_options,
    add_output,
    add_set,
)
from gafreecell.cli.parsing import add, positive, whole

_BUDGETS = {
    "samples": "hop, best: samples of what the hidden cards can be",
    "level": "hop: level of nesting of its rollouts",
    "trees": "hop-uct, ensembles: trees for each choice",
    "trajectories": "uct and its kin: trajectories in a tree",
    "width": "sparse-uct, ensemble-sparse-uct: outcomes drawn of what an action turns up",
}


def declare(commands: Any) -> None:
    """Add the command."""
    play = add(
        commands,
        "play",
        "playing",
        "play Klondike with hidden cards",
        "Play Klondike with hidden cards: the policy does not see the face-down cards of the "
        "piles; it knows the cards of the stock. A line of JSON for each game.",
        examples=(
            "gafreecell play 1-100 --policy best -o games.jsonl",
            "gafreecell play position.txt --policy best --hint",
        ),
    )
    add_deals(play)
    add_game(play, "klondike")
    play.add_argument(
        "--policy",
        required=True,
        metavar="NAME",
        help="random; greedy; hop (samples 10, level 0); uct (trajectories 1000); hop-uct "
        "(trajectories 100, trees 20); sparse-uct (trajectories 1000, width 5); ensemble-uct "
        "(trajectories 200, trees 20); ensemble-sparse-uct (trajectories 50, trees 50, width 2); "
        "or best (samples 1000)",
    )
    play.add_argument(
        "--seed",
        type=whole(0),
        default=0,
        metavar="N",
        help="a game's random numbers come from this and its place in the series (default 0)",
    )
    add_set(play, "a parameter of the policy")
    for name, meaning in _BUDGETS.items():
        play.add_argument(f"--{name}", type=whole(0), metavar="N", help=meaning)
    play.add_argument(
        "--seconds",
        type=positive("seconds"),
        metavar="S",
        help="processor time of each game in place of the counted budget (samples; trajectories "
        "of uct and sparse-uct; trees of the others); not reproducible",
    )
    play.add_argument(
        "--weights",
        metavar="NAME|FILE|RUN",
        help="best: weights for the search complete, its solver, of a preset, a file or a run",
    )
    play.add_argument(
        "--hint",
        action="store_true",
        help="the best move in a position, whose unknown cards are ??, and the chance to win "
        "after each",
    )
    add_options(play)
    add_jobs(play)
    add_output(play)
