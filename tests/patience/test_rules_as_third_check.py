"""FreeCell and Klondike given as rules, beside their own engines: verdicts never differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from gafreecell.solitaire.game import Game, game
from gafreecell.solving.outcome import Limits, Task

IMPOSSIBLE = (11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948)
"""The deals of 1 to 1,000,000 that cannot be won."""


def verdicts(played: Game, preset: str, deals: Iterable[int], nodes: int) -> list[str]:
    weights = played.preset(preset)
    limits = Limits(nodes)
    tasks = [Task(deal, weights.evaluator, weights.search, limits) for deal in deals]
    outcomes = played.run(tasks)
    for task, outcome in zip(tasks, outcomes, strict=True):
        if outcome.moves is not None:
            assert not played.verify(played.deal(task.deal), outcome.moves)
    return [str(outcome.status) for outcome in outcomes]


def compared(
    name: str, own: Game, preset: str, deals: Iterable[int], nodes: int
) -> Counter[tuple[str, str]]:
    """Pairs of verdicts, of the game given as rules and of the game's own engine."""
    every = [*deals]
    rules = game(name)
    ours = verdicts(rules, rules.default_preset, every, nodes)
    pairs = Counter(zip(ours, verdicts(own, preset, every, nodes), strict=True))
    assert not pairs["solved", "unsolvable"]
    assert not pairs["unsolvable", "solved"]
    return pairs


def freecell(deals: Iterable[int]) -> Counter[tuple[str, str]]:
    return compared("free-cell", game("freecell"), "fast", deals, 2_000_000)


def klondike(draw: int, deals: Iterable[int], nodes: int) -> Counter[tuple[str, str]]:
    own = game("klondike").vary(draw=draw)
    return compared(f"klondike-deal-{draw}", own, "complete", deals, nodes)


def test_freecell_has_the_verdicts_of_its_own_engine() -> None:
    pairs = freecell([*range(1, 31), *IMPOSSIBLE[:2]])
    assert pairs == {("solved", "solved"): 30, ("unsolvable", "unsolvable"): 2}


@pytest.mark.parametrize("draw", [1, 3])
def test_klondike_has_the_verdicts_of_its_own_engine(draw: int) -> None:
    pairs = klondike(draw, range(1, 11), 20_000)
    assert pairs["solved", "solved"] >= 3


@pytest.mark.long
def test_freecell_has_the_verdicts_of_its_own_engine_on_many_deals() -> None:
    pairs = freecell([*range(1, 10_001), *IMPOSSIBLE])
    assert pairs == {("solved", "solved"): 10_000, ("unsolvable", "unsolvable"): len(IMPOSSIBLE)}


@pytest.mark.long
@pytest.mark.parametrize("draw", [1, 3])
def test_klondike_has_the_verdicts_of_its_own_engine_on_many_deals(draw: int) -> None:
    pairs = klondike(draw, range(1, 1_001), 200_000)
    assert pairs["solved", "solved"] > 500
    assert pairs["unsolvable", "unsolvable"] > 10
