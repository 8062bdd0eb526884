"""Kernels that are compiled or loaded while deals are solved or played, whose time they take.

A script for a process of its own, in which nothing is loaded yet: ``late_kernels.py GAME`` tries
each search of a game's package, ``late_kernels.py hidden JSON`` each policy with parameters.
It prints a list of kernels for each.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

from numba.core.dispatcher import Dispatcher

from deals import KlondikeBoard, klondike
from deals.klondike_board import UNKNOWN
from gafreecell.solving.outcome import Evaluator, Limits, Search

ROOMS = "gafreecell", "hsd"


def late_kernels(*words: str) -> dict[str, list[str]]:
    """The output of the script."""
    path = os.pathsep.join(part for part in sys.path if part)
    done = subprocess.run(
        [sys.executable, __file__, *words],
        env=dict(os.environ, PYTHONPATH=path), capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def overloads() -> dict[str, int]:
    """The number of compiled versions of each kernel, one for each set of types."""
    modules = [(n, m) for n, m in sys.modules.items() if n.partition(".")[0] in ROOMS]
    found = {
        id(value): (f"{name}.{key}", len(value.overloads))
        for name, module in modules
        for key, value in vars(module).items()
        if isinstance(value, Dispatcher)
    }
    return dict(found.values())


def since(before: dict[str, int]) -> list[str]:
    """The kernels compiled or loaded since."""
    return sorted(dict(overloads().items() - before.items()))


def searches(package: str) -> dict[str, list[str]]:
    """Each search of a game on three deals, some of which are large."""
    solver = importlib.import_module(f"{package}.solver").SOLVER
    presets = [solver.weights(name) for name in solver.presets.names]
    found = {}
    # The first search loads the kernels that searches share, so those built on others come first.
    for name in reversed(solver.searches):
        solver.instance(name)
        before = overloads()
        for weights in [w for w in presets if w.search.name == name] or presets[-1:]:
            same = weights.search.name == name
            search = weights.search if same else Search(name, {})
            evaluator = weights.evaluator
            if evaluator and set(evaluator.features) & set(solver.searches[name].cannot_weigh):
                evaluator = Evaluator(("AboveNext",), (1.0,))
            for deal in range(1, 4):
                solver.run(deal, evaluator, search, Limits(60_000), weights.variant)
        found[name] = since(before)
    return found


def policies(parameters: dict[str, Any]) -> dict[str, list[str]]:
    """Each policy on three deals, and for hints if it gives them."""
    from gafreecell.solitaire.klondike.hidden import advise, play

    last = KlondikeBoard(((55,), *[()] * 6), (0,) * 7, (), (), (13, 13, 13, 12))
    found = {}
    for policy, values in parameters.items():
        play(last, policy, values)
        before = overloads()
        for place in range(3):
            play(klondike(1_000_011 + place), policy, values, place=place)
        if policy == "best":
            for board in klondike(1), replace(klondike(1), stock=(UNKNOWN,) * 24):
                advise(board, policy, values)
        found[policy] = since(before)
    return found


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    print(json.dumps(policies(json.loads(*rest)) if what == "hidden" else searches(what)))
