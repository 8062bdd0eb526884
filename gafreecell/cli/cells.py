"""``least-cells``: the fewest free cells with which deals can be won."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from deals.words import plural
from gafreecell.cli.outputs import JSON_LINES, check_resume, format_of
from gafreecell.cli.series import Marker, Series
from gafreecell.cli.statuses import DONE, UNDECIDED
from gafreecell.cli.telling import folded
from gafreecell.service.inputs import GivenDeal, InputError, read_deals
from gafreecell.service.least_cells import LeastCells, cells_of, least_cells_of, limits_for
from gafreecell.service.solvers import default_solver, named_solver
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.outcome import Status


def least_cells(given: Namespace) -> int:
    """Print for each deal the fewest cells, in order, then a summary."""
    given.format = format_of(given)
    game = find_game(given.game)
    cells_of(game)
    deals = read_deals(given.deals, game)
    for board in deals.boards():
        raise InputError(f"{board.title}: expected the number of a deal, got a board")
    grown = given.format == JSON_LINES
    check_resume(given, grows=grown)
    weights = named_solver(default_solver(game), game)
    limits = limits_for(weights, game).unless(given.nodes, given.seconds, given.memory)

    def work(first: int, piece: Sequence[GivenDeal]) -> list[LeastCells]:
        return [least_cells_of(deal.board, weights, game, limits) for deal in piece]

    kept = Series(
        given,
        game,
        deals,
        work=work,
        lines=partial(_lines, grown, game.name),
        keep=lambda found: (found.status, found.cells),
        read=lambda entry: (Status(entry["status"]), entry["cells"]),
        well=lambda one: one[0].decided,
        marker=Marker(
            given.output if grown else None,
            {"game": game.name, "limits": [limits.nodes, limits.seconds, limits.memory]},
            deals,
            "limits",
        ),
        summary=_summary,
    ).run()
    return DONE if all(status.decided for status, _ in kept) else UNDECIDED


def _lines(grown: bool, game: str, deal: GivenDeal, found: LeastCells) -> list[str]:
    if not grown:
        return [folded(f"{deal.title}: {_sentence(found)}", "  ")]
    told: dict[str, Any] = {
        "game": game,
        "deal": deal.name,
        "status": found.status.value,
        "cells": found.cells,
        "moves": list(found.moves) if found.moves is not None else None,
        "tried": {str(cells): one.status.value for cells, one in sorted(found.outcomes.items())},
        "nodes": {"expanded": found.nodes.expanded, "generated": found.nodes.generated},
        "seconds": found.seconds,
    }
    return [json.dumps(told)]


def _sentence(found: LeastCells) -> str:
    """The answer, and what is proved."""
    tried = sorted(found.outcomes)
    if found.cells is None:
        most = plural(tried[-1], "free cell")
        if found.proved:
            return f"cannot be won, not even with {most}"
        return f"no solution found with {most}, and nothing proved ({found.status.value})"
    won = f"can be won with {plural(found.cells, 'free cell')}"
    if found.proved:
        return f"{won}, and not with fewer" if found.cells else f"{won}: with none at all"
    return f"{won}; whether with fewer is not decided ({found.status.value})"


def _summary(kept: Sequence[tuple[Status, int | None]]) -> str:
    """The deals by their fewest cells."""
    counts = Counter(cells for status, cells in kept if status is Status.SOLVED)
    parts = [f"{counts[cells]:,} with {cells}" for cells in sorted(counts, key=str)]
    lost = sum(status is Status.UNSOLVABLE for status, _ in kept)
    open_ = sum(not status.decided for status, _ in kept)
    parts += [f"{lost:,} with none"] * bool(lost) + [f"{open_:,} not decided"] * bool(open_)
    return folded(f"{plural(len(kept), 'deal')} by the fewest free cells: {', '.join(parts)}")
