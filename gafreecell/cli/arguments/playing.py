"""``hint`` and ``play``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import add
from gafreecell.cli.parsing import whole

_BUDGETS = {
    "samples": "number of sampled arrangements of the hidden cards (determinizations). best: "
    "roughly for a choice, with --hint as for the command hint; hop: for each move",
    "level": "hop: nesting level of its rollouts",
    "trees": "hop-uct and the ensembles: trees for each decision",
    "trajectories": "uct and its variants: trajectories in each tree",
    "width": "sparse-uct, ensemble-sparse-uct: sampled outcomes of an action that turns up cards",
}


def hint(commands: Any) -> None:
    hint = add(
        commands,
        "hint",
        "hinting",
        "show the best move of a position, and which moves keep the win",
        "Show the best move of a position, and for every legal move whether it keeps the win: yes "
        "(a solution was found after it), no (proved), or unknown within the limits. If cards of a "
        "Klondike position are unknown (??), or its stock is hidden, show the chance to win after "
        "each move instead.",
        examples=(
            "gafreecell hint 617",
            "gafreecell hint board.txt --cells 3",
            "gafreecell hint position.txt --game pyramid",
            "gafreecell deal 7 --game klondike > p.txt && gafreecell hint p.txt --game klondike",
        ),
        statuses={
            0: "every move is decided",
            1: "some move is not decided, within the limits or because cards are hidden",
        },
    )
    hint.add_value("position", "POSITION", "a file, - for standard input, or a deal number")
    hint.add_game()
    hint.add_value(
        "--preset",
        "NAME",
        "the preset that solves (default: FreeCell short; Klondike complete, with its "
        "solutions shortened; Pyramid optimal)",
    )
    hint.add_value(
        "--weights",
        "NAME|FILE|RUN",
        "weights of a preset, a file or a run; where cards are hidden, also a judgement of "
        "moves, as play takes it",
    )
    hint.add_variant()
    hint.add_numbers()
    hint.add_nodes("node budget of each position that is searched (default 1000000)")
    hint.add_seconds(
        "limit of processor time in seconds of each position that is searched, or of the whole "
        "answer if cards are hidden; not reproducible",
    )
    hint.add_memory()
    hint.add_jobs()
    hint.add_html("show the position and what follows the best move on a page for a browser")
    hint.add_format(("text", "jsonl"), "text for people (the default), or a line of JSON")
    hidden = hint.add_argument_group("where cards are hidden")
    hidden.add_argument(
        "--policy",
        metavar="NAME",
        help="the policy that advises (default best): any but random and greedy",
    )
    hidden.add_argument(
        "--samples",
        type=whole(1),
        metavar="N",
        help="sampled arrangements of the hidden cards (determinizations). best: those that can be "
        "won, the same for each move; four times as many are drawn at most (default 1000). hop: "
        "for each move (default 10)",
    )
    hidden.add_argument(
        "--seed", type=whole(0), metavar="N", help="seed of the samples (default 0)"
    )


def play(commands: Any) -> None:
    play = add(
        commands,
        "play",
        "playing",
        "watch the computer play Klondike with hidden cards",
        "Let the computer play Klondike with hidden cards: the policy does not see the face-down "
        "cards of the piles. It knows the cards of the stock, unless --variant stock=hidden hides "
        "those until they are turned. The rules are three cards a draw and redeals without limit, "
        "unless --variant or the weights say otherwise. A single game is printed move by move with "
        "the cards that turn up. Several games get a line each, and a summary.",
        examples=(
            "gafreecell play 3",
            "gafreecell play 3 --draw",
            "gafreecell play 1-100 -o games.jsonl",
            "gafreecell play 1-1000 --policy greedy",
            "gafreecell play 1-100 --variant draw=1 --variant stock=hidden",
        ),
    )
    play.add_deals()
    play.add_game("klondike", rules=False)
    play.add_value(
        "--policy",
        "NAME",
        "the policy that plays (default best): random; greedy; hop (samples 10, level 0); uct "
        "(trajectories 1000); hop-uct (trajectories 100, trees 20); sparse-uct (trajectories 1000, "
        "width 5); ensemble-uct (trajectories 200, trees 20); ensemble-sparse-uct (trajectories "
        "50, trees 50, width 2); or best (samples 1000)",
        default="best",
    )
    play.add_number(
        "--seed",
        0,
        "seed (default 0); a game's random numbers also depend on its place in the series, so "
        "a deal can be won alone and lost in a list",
        default=0,
    )
    play.add_set("set a parameter of the policy")
    for name, meaning in _BUDGETS.items():
        play.add_number(f"--{name}", 0, meaning)
    play.add_seconds(
        "limit of processor time in seconds of each game, instead of the counted budget (samples; "
        "trajectories of uct and sparse-uct; trees of the others); not reproducible",
    )
    play.add_value(
        "--weights",
        "NAME|FILE|RUN",
        "best: weights for its solver, the search complete: a preset's, a file's or a run's; "
        "those of a file or a run bring their rules along. Or a judgement of moves, which evolves "
        "in the game klondike-choices (examples/choices)",
    )
    play.add_flag(
        "--hint",
        "show a hint instead of playing: the best move and the chance to win after each, "
        "for a player who does not see the face-down cards",
    )
    play.add_argument(
        "--format",
        choices=("text", "jsonl"),
        help="text for people (the default), or a line of JSON for each game (the default with -o)",
    )
    play.add_flag("--draw", "draw the position before each move as the player sees it")
    play.add_html("show the game on a page for a browser, with what the player thought")
    play.add_options()
    play.add_numbers()
    play.add_workers()
    play.add_output()
