"""Searches as tests run them: with weights by name, and checks of every outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from plain_staged import Result, forced_moves_sorted

from deals import FreeCellBoard
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Search, Status
from hsd import solver
from hsd.presets import preset
from hsd.verifier import verify

HSDH = {"HSDH": 1.0}
PRESET = preset("hsd-evolved").evaluator
assert PRESET is not None
EVOLVED = dict(zip(PRESET.features, PRESET.weights, strict=True))
QUICK = {"NotPlaced": 1.0, "OwnSuitBelow": 0.7, "CellsUsedSquared": 0.4, "AboveNext": 0.5}
ASTRAY = {"NumCardsNotAtFoundations": -1.0, "DifferenceFromTop": -0.37}

BOTH = [False, True]
OPTIONS = list(product(BOTH, BOTH))
"""Safe home moves forced, supermoves."""


def evaluator(weights: Mapping[str, float]) -> Evaluator:
    """Weights by name as an evaluator."""
    return Evaluator(tuple(weights), tuple(weights.values()))


def run(
    deal: FreeCellBoard | int,
    name: str,
    weights: Mapping[str, float],
    parameters: Mapping[str, int | str],
    nodes: int = 200_000,
    **more: float,
) -> Outcome:
    """Run a search; its further limits by name."""
    limits = Limits(nodes=nodes, **more)  # type: ignore[arg-type]
    return solver.run(deal, evaluator(weights), Search(name, parameters), limits)


def options(safe: bool, supermoves: bool) -> dict[str, str]:
    """Both as parameters, for solutions exactly as the search found them."""
    automatic, runs = "safe" if safe else "none", "yes" if supermoves else "no"
    return {"automatic": automatic, "supermoves": runs, "shorten": "no"}


def found(outcome: Outcome) -> tuple[object, ...]:
    """Everything but the seconds."""
    return outcome.status, outcome.moves, outcome.lengths, outcome.nodes


def check_solution(board: FreeCellBoard, outcome: Outcome, bounded: bool = False) -> None:
    """If there are moves, they solve the board and have the lengths given."""
    assert (outcome.moves is not None) == (outcome.status is Status.SOLVED)
    if outcome.moves is None:
        assert outcome.lengths is None
        return
    verdict = verify(board, outcome.moves)
    assert verdict.reason == ""
    assert outcome.lengths is not None
    counted = dict(outcome.lengths)
    if bounded:
        assert 52 - sum(board.foundations) <= counted.pop("bound") <= verdict.single
    assert counted == {"single": verdict.single, "column": verdict.column, "manual": verdict.manual}


def as_plain(outcome: Outcome) -> Result:
    """An outcome in the form of a plain search's result."""
    moves = None if outcome.moves is None else list(outcome.moves)
    expanded, generated = outcome.nodes.expanded, outcome.nodes.generated
    return in_order(Result(outcome.status, moves, expanded, generated))


def in_order(result: Result) -> Result:
    """A plain search's result with consecutive home moves sorted."""
    moves = None if result.moves is None else forced_moves_sorted(result.moves)
    return replace(result, moves=moves)
