"""Reads solutions as people write them and as ``solve`` and ``play`` print them."""

from __future__ import annotations

import json
import re

_HEAD = re.compile(r"Deal .*|.*: solved, length .*")
"""What ``solve`` prints above a solution."""
_WITHOUT = re.compile(r"\S.*: (?:unsolvable after|not decided within) ")
"""What it prints for a deal without a solution."""
_STEP = re.compile(r" *\d+\. (\S+(?: \S+)*)(?:  .*)?")
"""A move below a drawing: its number, the move itself and, farther right, the move in words."""


class IllegalMove(ValueError):
    """A move that the position does not allow; the message says what was expected."""


def read_moves(text: str) -> list[str]:
    """The move tokens of a text: tokens separated by white space, or the output of ``solve``.

    This output is a line of JSON, or moves below a line that names the deal, or numbered moves
    between drawings.

    Raises:
        ValueError: if the text says that there is no solution, or is malformed JSON, or JSON
            without a list of moves.
    """
    numbered = numbered_moves(text)
    if numbered:
        return numbered
    lines = text.splitlines()
    without = next((line for line in lines if _WITHOUT.match(line)), "")
    if without:
        raise ValueError(f"expected a solution, got {without.strip()!r:.60}")
    heads = [number for number, line in enumerate(lines) if _HEAD.fullmatch(line)]
    text = "\n".join(lines[heads[0] + 1 :] if heads else lines)
    if not text.lstrip().startswith(("{", "[")):
        return text.split()
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"expected one JSON object with moves, got malformed JSON: {error}"
        ) from None
    if not isinstance(record, dict) or "moves" not in record:
        raise ValueError('expected a JSON object with "moves", got none')
    moves = record["moves"]
    if moves is None:
        raise ValueError(f"expected moves, got null: the deal's status is {record.get('status')!r}")
    if not isinstance(moves, list) or not all(isinstance(token, str) for token in moves):
        raise ValueError('expected "moves" to be a list of strings')
    return list(moves)


def numbered_moves(text: str) -> list[str]:
    """The moves of lines such as `` 12. 26v3   three cards ...``; empty without such lines."""
    steps = map(_STEP.fullmatch, text.splitlines())
    return [step[1] for step in steps if step]
