"""Every search and player on small tasks; ``test_klondike_jitted`` runs it with the JIT off.

Prints ``plain`` if the kernels are plain Python, then a line of results for each task.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from late_positions import late_position
from plain_klondike import RULES
from test_klondike_verifier import WON

from deals import klondike
from gafreecell.jit import DISABLED
from gafreecell.solitaire.klondike.engine import _VALUES, tasks
from gafreecell.solitaire.klondike.game import GAME
from gafreecell.solitaire.klondike.hidden.players import play_game
from gafreecell.solitaire.klondike.hidden.policies import _PLAYERS, POLICIES
from gafreecell.solitaire.klondike.rating import careless_games_won
from gafreecell.solitaire.klondike.verifier import Position
from gafreecell.solving.outcome import Limits, Search, Task

DEALS = (1, 10)
NODES = {"rollouts": 15}
PLAYED = 94
"""Moves of a game that is won, after which players play on: whole games take plain Python long."""
SMALL = {"samples": 2, "level": 0, "trajectories": 3, "trees": 2, "width": 1}
DEEP = 10
"""Samples of ``best``, with which its tree is deeper than one move."""


def results() -> list[str]:
    """The outcomes of searches with all their parameters, and games with hidden cards."""
    return [*_outcomes(), *_games()]


def _outcomes() -> Iterator[str]:
    small = [
        replace(task, limits=Limits(NODES.get(task.search.name, 60)))
        for task in tasks()
        if task.deal in DEALS
    ]
    small += _under_other_rules()
    for task, outcome in zip(small, GAME.run(small), strict=True):
        moves = " ".join(outcome.moves or ())
        deal = str(task.deal).replace("\n", "; ")
        yield f"{outcome.status} {task.search} {deal} {outcome.nodes} {moves}"


def _under_other_rules() -> Iterator[Task]:
    """Deals that few nodes do not decide, and late positions, some of which can be won."""
    for rules in RULES[1:]:
        late = late_position(random.Random(3), *rules)
        for board in (klondike(1, *rules), late):
            yield Task(board, None, Search("complete", {"shorten": 5}), Limits(60))
            yield Task(board, _VALUES, Search("rollouts", {"nesting": "0"}), Limits(15))


def _games() -> Iterator[str]:
    position = Position.from_board(klondike(3))
    for move in WON[:PLAYED]:
        position.play(move)
    late = position.board
    # The cards of its talon, unseen.
    unseen = replace(late, stock=late.waste + late.stock, waste=(), redeals=1, unseen=True)
    for board, policy in product((late, unseen), POLICIES):
        values = {parameter.name: SMALL[parameter.name] for parameter in policy.parameters}
        if policy.name == "best":
            values["samples"] = DEEP
        played = play_game(_PLAYERS[policy.name](), board, values)
        yield f"{policy.name} {played.won} {played.decisions} {' '.join(played.moves)}"
    yield from (f"{careless_games_won(board, 3)} of 3 games" for board in (late, unseen))


if __name__ == "__main__":
    print("plain" if DISABLED else "jitted")
    print(*results(), sep="\n")
