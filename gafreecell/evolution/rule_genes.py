"""Policies of rules as genomes of numbers, so that any trainer can evolve them.

The genes are, in order, the default's weights, and for each rule its offset, its weights and the
thresholds of its comparisons. (The default has no offset: only differences between offsets matter.)
A policy's structure says which features are compared, in which direction, and how two comparisons
are joined. It is drawn once from the job's seed, or it is part of each genome. Then each rule has
further genes, of which only the integer parts count.

Elyasaf, Hauptman and Sipper evolved such policies by genetic programming ("Evolutionary Design of
FreeCell Solvers", 2012).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Annotated, Any

import numpy as np

from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.rules import AND, AT_MOST, OR, OVER, Comparison, Rule
from gafreecell.solving.settings import Between, OneOf

DRAWN, EVOLVED = "drawn", "evolved"
STREAM = 6
"""Stream of random numbers that draws structures; ``generation.Purpose`` has the others."""
THRESHOLDS = (0.0, 1.0)
"""Default range of thresholds: features are distances up to 1."""


@dataclass(frozen=True)
class Policies:
    """Policies of rules instead of weighted sums.

    Attributes:
        count: rules besides the default; 0 for a weighted sum alone.
        comparisons: the largest number of comparisons in a condition.
        structure: which features are compared, in which direction (``<=``, ``>``), and how two
            comparisons are joined. ``drawn``: drawn from the seed before the run, the same for
            all solvers. ``evolved``: further genes, of which only the integer parts count.
        offset: the largest offset of a rule; the smallest is its negative.
        thresholds: the smallest and the largest number that a feature is compared with,
            ``{MovesMade = [0, 0.5]}``; 0 and 1 unless given.
    """

    count: Annotated[int, Between(0, 100)] = 0
    comparisons: Annotated[int, Between(1, 2)] = 2
    structure: Annotated[str, OneOf((DRAWN, EVOLVED))] = DRAWN
    offset: Annotated[float, Between(1e-9, 1e9)] = 1.0
    thresholds: Mapping[str, Any] = field(default_factory=dict)


def genes_of(features: Sequence[Feature], policies: Policies) -> tuple[Feature, ...]:
    """The genes of a job's solvers as features: their names, meanings and ranges.

    Args:
        features: the trained features, with the ranges of their weights.
        policies: the rules; without any, the features themselves are the genes.
    """
    found = list(features)
    for number in range(1, policies.count + 1):
        rule = f"rule{number}."
        meaning = f"of rule {number}"
        found.append(Feature(f"{rule}offset", meaning, -policies.offset, policies.offset))
        found += [replace(f, name=rule + f.name, baseline=max(f.low, 0.0)) for f in features]
        sides = range(1, policies.comparisons + 1)
        found += [Feature(f"{rule}threshold{side}", meaning) for side in sides]
        if policies.structure == EVOLVED:
            found += [Feature(*one) for one in _structure_genes(rule, len(features), policies)]
    return tuple(found)


def weight_places(features: int, policies: Policies) -> list[int]:
    """The places of feature weights among the genes: the default's, then each rule's.

    Args:
        features: the number of trained features.
        policies: the rules; without any, all genes are weights.
    """
    sides = policies.comparisons
    structure = 2 * sides + (sides == 2) if policies.structure == EVOLVED else 0
    rule = 1 + features + sides + structure
    # A rule's offset comes before its weights.
    starts = [0, *(features + number * rule + 1 for number in range(policies.count))]
    return [start + place for start in starts for place in range(features)]


def _structure_genes(
    rule: str, features: int, policies: Policies
) -> Iterator[tuple[str, str, float, float]]:
    """Name, meaning and range of the genes that say what a rule compares."""
    for side in range(1, policies.comparisons + 1):
        yield f"{rule}feature{side}", "the place of the feature compared", 0.0, float(features)
        yield f"{rule}over{side}", "0 for <=, 1 for >", 0.0, 2.0
    if policies.comparisons == 2:
        yield f"{rule}joined", "0 for the first comparison alone, 1 for and, 2 for or", 0.0, 3.0


def policy(
    features: Sequence[str], policies: Policies, seed: int, genome: Sequence[float]
) -> Evaluator:
    """The evaluator that a genome stands for.

    Args:
        features: names of the trained features.
        policies: the rules.
        seed: the job's.
        genome: numbers in the order of ``genes_of``.
    """
    width, sides = len(features), policies.comparisons
    genes = iter(genome)
    default = [next(genes) for _ in range(width)]
    drawn = iter(_drawn(width, policies, seed))
    rules, offsets, weights = [], [], []
    for _ in range(policies.count):
        offsets.append(next(genes))
        weights += [next(genes) for _ in range(width)]
        shares = [next(genes) for _ in range(sides)]
        structure = genes if policies.structure == EVOLVED else drawn
        comparisons = []
        for share in shares:
            name = features[_whole(next(structure), width)]
            sign = (AT_MOST, OVER)[_whole(next(structure), 2)]
            low, high = policies.thresholds.get(name, THRESHOLDS)
            comparisons.append(Comparison(name, sign, low + share * (high - low)))
        joined = _whole(next(structure), 3) if sides == 2 else 0
        # A comparison that is left out has no effect, but its genes remain.
        rules.append(Rule(tuple(comparisons[: 1 if joined == 0 else 2]), (AND, AND, OR)[joined]))
    return Evaluator(
        tuple(features), (*weights, *default), rules=tuple(rules), offsets=(*offsets, 0.0)
    )


def _whole(gene: float, count: int) -> int:
    """The integer part of a gene, limited to 0 to ``count - 1``."""
    return min(max(int(gene), 0), count - 1)


@lru_cache(maxsize=100)
def _numbers(width: int, count: int, comparisons: int, seed: int) -> tuple[float, ...]:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(STREAM, 0)))
    genes: list[float] = []
    for _ in range(count):
        # The two comparisons of a condition use different features if there are at least two.
        features = rng.permutation(width).tolist()
        for side in range(comparisons):
            genes += [features[side % width], int(rng.integers(2))]
        if comparisons == 2:
            genes.append(int(rng.integers(3)))
    return tuple(map(float, genes))


def _drawn(width: int, policies: Policies, seed: int) -> tuple[float, ...]:
    """A structure drawn uniformly, encoded as the genes of an evolved one."""
    return _numbers(width, policies.count, policies.comparisons, seed)
