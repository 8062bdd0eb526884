"""The hall of fame of a run: the best of its generations, ranked on the validation problems.

A file beside the log keeps the values, one line a generation; the log's lines have the weights.
So the hall of fame is a function of the two files, and an interrupted run has the same one as an
uninterrupted run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gafreecell.evolution.validation import Champion

FILE = "validation.jsonl"
Line = Mapping[str, Any]
_KEYS = ("generation", "value", "solved", "nodes")


def members(lines: Sequence[Line], validated: Iterable[Line], size: int) -> list[Champion]:
    """The best distinct solvers, best first; the earlier one first if values are equal.

    Like DEAP's ``HallOfFame`` it holds each solver once and never shrinks. It ranks by the value
    on the validation problems, not by fitness, which each generation measures on other problems.

    Args:
        lines: the run's log.
        validated: the values of the generations' best on the validation problems. Some
            reference runs lack them. Of their generations, only solvers that became champion
            count, because the log has their values.
        size: the maximum number of solvers.
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
    """The line that records a generation's best solver on the validation problems."""
    return {
        "generation": generation,
        "value": best.value,
        "solved": best.solved,
        "nodes": best.nodes,
    }


def read(path: Path, generations: int) -> list[dict[str, Any]]:
    """The lines of a run's file up to a generation; empty if there is no file.

    Later lines are left out, because their generations will be run again.

    Raises:
        ValueError: naming the line that is damaged.
        OSError: if the file cannot be read.
    """
    lines: list[dict[str, Any]] = []
    texts = path.read_bytes().split(b"\n") if path.exists() else []
    for number, text in enumerate(texts, start=1):
        if lines and lines[-1]["generation"] >= generations:
            break
        try:
            line = json.loads(text)
            numbers = all(isinstance(line[key], int | float) for key in _KEYS)
            if not numbers or (lines and line["generation"] <= lines[-1]["generation"]):
                raise ValueError
        except (ValueError, KeyError, TypeError):
            if number == len(texts):
                # Half a line, or nothing behind the last newline.
                break
            raise ValueError(f"line {number} does not hold a generation's validation") from None
        lines.append(line)
    return [line for line in lines if line["generation"] <= generations]
