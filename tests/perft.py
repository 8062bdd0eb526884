"""Perft: how many positions there are by depth, and tables of that."""

from __future__ import annotations

import csv
from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

Node = TypeVar("Node")


def by_depth(
    start: Node,
    moves: Callable[[Node], Iterable[Node]],
    depth: int,
    name: Callable[[Node], Hashable] = lambda node: node,
) -> list[int]:
    """How many nodes are reached in so many moves and no fewer, from none to ``depth``.

    Args:
        start: the first node.
        moves: the nodes one move on.
        depth: the greatest.
        name: equal for nodes that are the same position.
    """
    seen, level, counts = {name(start)}, [start], [1]
    for _ in range(depth):
        following = []
        for node in level:
            for after in moves(node):
                if (known := name(after)) not in seen:
                    seen.add(known)
                    following.append(after)
        level = following
        counts.append(len(level))
    return counts


def rows(table: Path) -> list[dict[str, str]]:
    """The rows of a table whose lines before the first one begin with ``#``."""
    lines = table.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def read_counts(table: Path) -> dict[tuple[str, int], list[int]]:
    """A table that ``write_counts`` wrote: by count and deal, the positions from depth 0 on."""
    found: dict[tuple[str, int], list[int]] = {}
    for row in rows(table):
        counts = found.setdefault((row["count"], int(row["deal"])), [])
        assert int(row["depth"]) == len(counts)
        counts.append(int(row["positions"]))
    return found


def check_table(
    table: Mapping[tuple[str, int], list[int]],
    name: str,
    count: Callable[[int, int], Iterable[int]],
    deals: Iterable[int],
    most: int,
) -> None:
    """Compare a count with its table, for each deal as deep as there are fewer positions."""
    assert {deal for other, deal in table if other == name} == {*deals}
    for deal in deals:
        counts = fewer(table[name, deal], most)
        assert count(deal, len(counts) - 1) == counts


def fewer(counts: list[int], most: int) -> list[int]:
    """The counts as deep as there are fewer positions."""
    return [
        here for here, all_told in zip(counts, accumulate(counts), strict=True) if all_told < most
    ]


def write_counts(
    table: Path,
    header: str,
    counts: Mapping[str, Callable[[int, int], Iterable[int]]],
    deals: Iterable[int],
    depths: Mapping[str, int],
) -> None:
    """Count everything anew.

    Args:
        table: the file.
        header: the lines before the first one.
        counts: by name, what counts the positions of a deal at each depth up to a greatest.
        deals: their numbers.
        depths: the greatest depth of each count.
    """
    lines = [header, "count,deal,depth,positions\n"]
    for name, count in counts.items():
        for deal in deals:
            for depth, positions in enumerate(count(deal, depths[name])):
                lines.append(f"{name},{deal},{depth},{positions}\n")
    table.write_text("".join(lines), encoding="utf-8")
