"""``play`` and ``hint``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import (
    add_deals,
    add_game,
    add_jobs,
    add_nodes,
    add_options,
    add_output,
    add_seconds,
    add_set,
    add_variant,
)
from gafreecell.cli.parsing import add, whole

_BUDGETS = {
    "samples": "hop, best: samples of what the hidden cards can be",
    "level": "hop: level of nesting of its rollouts",
    "trees": "hop-uct, ensembles: trees for each choice",
    "trajectories": "uct and its kin: trajectories in a tree",
    "width": "sparse-uct, ensemble-sparse-uct: outcomes drawn of what an action turns up",
}


def declare(commands: Any) -> None:
    """Add the commands."""
    _hint(commands)
    _play(commands)


def _hint(commands: Any) -> None:
    hint = add(
        commands,
        "hint",
        "hinting",
        "the best move of a position, and which moves keep the win",
        "The best move of a position, and of every legal move whether it keeps the win: yes (a "
        "solution was found after it), no (proved), or unknown within the limits. Where cards of "
        "Klondike are unknown, ?? in the position, the chance to win after each move instead.",
        examples=(
            "gafreecell hint 617",
            "gafreecell hint board.txt --cells 3",
            "gafreecell hint position.txt --game pyramid",
            "gafreecell deal 7 --game klondike > p.txt && gafreecell hint p.txt --game klondike",
        ),
        statuses={
            0: "every move is decided",
            1: "some move is not decided within the limits, or for cards that are hidden",
        },
    )
    hint.add_argument(
        "position", metavar="POSITION", help="a file, - for standard input, or a deal number"
    )
    add_game(hint)
    hint.add_argument(
        "--preset",
        metavar="NAME",
        help="whose solutions to take (default: FreeCell short; Klondike complete, its solutions "
        "shortened; Pyramid optimal)",
    )
    hint.add_argument(
        "--weights", metavar="NAME|FILE|RUN", help="weights of a preset, a file or a run"
    )
    add_variant(hint)
    add_nodes(hint, "node budget of each position that is searched (default 1000000)")
    add_seconds(
        hint,
        "processor time of each position that is searched; with hidden cards, of all; "
        "not reproducible",
    )
    add_jobs(hint)
    hint.add_argument("--format", default="text", choices=("text", "jsonl"))
    hidden = hint.add_argument_group("where cards are hidden")
    hidden.add_argument("--policy", metavar="NAME", help="what advises (default best)")
    hidden.add_argument("--samples", type=whole(1), metavar="N", help=_BUDGETS["samples"])
    hidden.add_argument("--seed", type=whole(0), metavar="N", help="of the samples (default 0)")


def _play(commands: Any) -> None:
    play = add(
        commands,
        "play",
        "playing",
        "play Klondike with hidden cards",
        "Play Klondike with hidden cards, three cards a draw and redeals without limit: the policy "
        "does not see the face-down cards of the piles; it knows the cards of the stock. One "
        "game is told move by move, with the cards that turn up; of several each has a line, and "
        "a summary follows.",
        examples=(
            "gafreecell play 3",
            "gafreecell play 3 --draw",
            "gafreecell play 1-100 -o games.jsonl",
            "gafreecell play 1-1000 --policy greedy",
        ),
    )
    add_deals(play)
    add_game(play, "klondike")
    play.add_argument(
        "--policy",
        default="best",
        metavar="NAME",
        help="what plays (default best): random; greedy; hop (samples 10, level 0); uct "
        "(trajectories 1000); hop-uct (trajectories 100, trees 20); sparse-uct (trajectories 1000, "
        "width 5); ensemble-uct (trajectories 200, trees 20); ensemble-sparse-uct (trajectories "
        "50, trees 50, width 2); or best (samples 1000)",
    )
    play.add_argument(
        "--seed",
        type=whole(0),
        default=0,
        metavar="N",
        help="a game's random numbers come from this and its place in the series (default 0): the "
        "same deal can be won alone and lost in a list",
    )
    add_set(play, "a parameter of the policy")
    for name, meaning in _BUDGETS.items():
        play.add_argument(f"--{name}", type=whole(0), metavar="N", help=meaning)
    add_seconds(
        play,
        "processor time of each game in place of the counted budget (samples; trajectories "
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
        "after each (as 'gafreecell hint' says where cards are unknown)",
    )
    play.add_argument(
        "--format",
        choices=("text", "jsonl"),
        help="text for people (the default), or a line of JSON for each game (the default with -o)",
    )
    play.add_argument(
        "--draw",
        action="store_true",
        help="draw the position before each move as the player sees it",
    )
    add_options(play)
    add_jobs(play)
    add_output(play)
