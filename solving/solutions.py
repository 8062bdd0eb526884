"""Solutions as text: what people write, and what ``solve`` and ``play`` print."""

from __future__ import annotations

import json


class IllegalMove(ValueError):
    """A move that the position does not allow; the message says what was expected."""


def read_moves(text: str) -> list[str]:
    """The move tokens of a text: tokens in white space, or the output of ``solve``.

    That output is a line of JSON, or text whose first line names the deal.

    Raises:
        ValueError: if it is JSON without a list of moves, or not quite JSON.
    """
    if text.lstrip().startswith("Deal "):
        text = text.lstrip().partition("\n")[2]
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
