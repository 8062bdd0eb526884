"""``score``: what weights make of a position."""

from __future__ import annotations

import json
from argparse import Namespace

from gafreecell.cli.notes import warn
from gafreecell.cli.options import varied
from gafreecell.cli.statuses import DONE
from gafreecell.service.inputs import InputError, board_of, read_deals
from gafreecell.service.solvers import default_solver, named_solver
from gafreecell.solitaire.abilities import MeasuresBoards
from gafreecell.solitaire.game import able
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.scoring import score_of
from gafreecell.terminal.tables import table


def score(given: Namespace) -> int:
    """Print the features of positions, and their score by some weights."""
    game = varied(find_game(given.game), given)
    measuring = able(game, MeasuresBoards, "does not tell the features of a position")
    name = given.weights or default_solver(game)
    evaluator = named_solver(name, game).evaluator
    if evaluator is None:
        raise InputError(f"{name} has no weights, so it scores nothing")
    phase = given.phase or 1
    deals = read_deals(given.deals, game)
    warn(deals.boards())
    for place, deal in enumerate(deals):
        values = measuring.feature_values(board_of(deal, game))
        found = score_of(evaluator, values, phase)
        if given.format == "jsonl":
            line = {"deal": deal.name, "weights": name, "score": found, "features": values}
            print(json.dumps(line))
            continue
        row = evaluator.rows[phase - 1] if not evaluator.rules else None
        weights = dict(zip(evaluator.features, row, strict=True)) if row else {}
        lines = [
            [key, f"{value:.6g}", *_products(weights, key, value)] for key, value in values.items()
        ]
        print("\n" * bool(place) + f"deal {deal.name}: {found:.9g} by {name}")
        print(table(["feature", "value", "weight", "product"][: 4 if row else 2], lines))
    return DONE


def _products(weights: dict[str, float], name: str, value: float) -> list[str]:
    """The weight of a feature and their product; nothing for rules, which have several."""
    if not weights:
        return []
    weight = weights.get(name)
    return ["", ""] if weight is None else [f"{weight:.6g}", f"{weight * value + 0.0:.6g}"]
