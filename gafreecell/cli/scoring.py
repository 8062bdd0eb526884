"""``score``: what weights make of a position."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping

from gafreecell.cli.notes import warn
from gafreecell.cli.options import varied
from gafreecell.cli.outputs import source_of
from gafreecell.cli.statuses import DONE
from gafreecell.service.inputs import InputError, board_of, read_deals
from gafreecell.service.solvers import default_solver, measuring, named_solver
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.scoring import score_of
from gafreecell.terminal.tables import table


def score(given: Namespace) -> int:
    """Print the features of positions, and their score by some weights."""
    game = varied(find_game(given.game), given)
    told = measuring(game)
    name = given.weights or default_solver(game)
    evaluator = named_solver(name, game).evaluator
    if evaluator is None:
        raise InputError(f"{name} has no weights, so it scores nothing")
    deals = read_deals(given.deals, game)
    warn(deals.boards())
    for place, deal in enumerate(deals):
        values = told.feature_values(board_of(deal, game))
        found = score_of(evaluator, values, given.phase)
        if given.format == "jsonl":
            about = {"deal": deal.name, **source_of(deal), "weights": name}
            line = {**about, "score": found, "features": values}
            print(json.dumps(line))
            continue
        print("\n" * bool(place) + f"{deal.title}: {found:.9g} by {name}")
        print(_table(evaluator, values, given.phase))
    return DONE


def _table(evaluator: Evaluator, values: Mapping[str, float], phase: int) -> str:
    """The features, with their weights and products; rules have several weights, so without."""
    if evaluator.rules:
        rows = [[name, f"{value:.6g}"] for name, value in values.items()]
        return table(["feature", "value"], rows)
    weights = dict(zip(evaluator.features, evaluator.rows[phase - 1], strict=True))
    rows = [
        [name, f"{value:.6g}", f"{weights[name]:.6g}", f"{weights[name] * value + 0.0:.6g}"]
        if name in weights
        else [name, f"{value:.6g}", "", ""]
        for name, value in values.items()
    ]
    return table(["feature", "value", "weight", "product"], rows)
