"""The best solvers of a run: what each generation's best made of the validation problems.

The values are kept in a file of their own, a line a generation, beside the log, whose lines say
which weights they belong to. So the hall of fame is a function of the two files, and a run that
was interrupted has the same one as a run that was not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gafreecell.validation import Champion

FILE = "validation.jsonl"
Line = Mapping[str, Any]
_KEYS = ("generation", "value", "solved", "nodes")


def members(lines: Sequence[Line], validated: Iterable[Line], size: int) -> list[Champion]:
    """The best distinct solvers, the best first, of equals the earlier.

    Like DEAP's ``HallOfFame`` it holds each solver once and does not shrink; ranked is the value
    on the validation problems, not the fitness, which is measured on other problems in every
    generation.

    Args:
        lines: the run's log.
        validated: what the generations' best made of the validation problems. Of generations that
            are not among them, made by a version that did not keep the values, only those count
            that were the best until then: the log has theirs.
        size: how many solvers it holds at most.
    """
    values: dict[int, Line] = {line["generation"]: line for line in validated}
    found: dict[tuple[float, ...], Champion] = {}
    for line in lines:
        value: Line = values.get(line["generation"]) or line["validation"]
        if value["generation"] == line["generation"]:
            weights = tuple(line["best_weights"])
            found.setdefault(weights, Champion.from_document({**value, "weights": weights}))
    return sorted(found.values(), key=lambda one: (one.value, one.generation))[:size]


def value_line(generation: int, best: Champion) -> dict[str, Any]:
    """The line of a generation whose best solver did so well on the validation problems."""
    return {
        "generation": generation,
        "value": best.value,
        "solved": best.solved,
        "nodes": best.nodes,
    }


def read(path: Path, generations: int) -> list[dict[str, Any]]:
    """The lines of a run's file up to a generation, none if there is no file.

    Whatever comes after that one is left out: its generation is done again.

    Raises:
        ValueError: naming the line that is none.
        OSError: if the file cannot be read.
    """
    lines: list[dict[str, Any]] = []
    texts = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    for number, text in enumerate(texts, start=1):
        if lines and lines[-1]["generation"] >= generations:
            break
        try:
            line = json.loads(text)
            numbers = all(isinstance(line[key], int | float) for key in _KEYS)
            if not numbers or (lines and line["generation"] <= lines[-1]["generation"]):
                raise ValueError
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"line {number} is not what a generation's best solved") from None
        lines.append(line)
    return [line for line in lines if line["generation"] <= generations]
