"""Policies of rules as DEAP's typed trees, for operators that change their structure.

A tree says which features each rule compares, in which direction, how its comparisons are joined,
and which sum it takes: ``policy(both(over(feature0, 0.5), at_most(feature2, 0.25), sum1),
one(...))``. Features are numbered by their places among the trained ones. A threshold is a share:
how far it lies from the least to the largest possible one. The sums are numbers beside the tree,
scaled to [0, 1] like the shares.

A rule's weights are stored as their differences from the default's. So what is better for all
states is learnt once, and a rule that moves to another policy takes along only what is its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deap import gp

from gafreecell.evolution.draws import GENERATOR
from gafreecell.evolution.rule_genes import Policies
from gafreecell.solving.features import Feature

MIDDLE = 0.5
"""The scaled number of a rule that adds nothing to the default's."""
REACH = 0.5
"""The size of the interval from which a rule's difference comes, as a share of the range."""


class Kind(type):
    """Types of nodes. DEAP puts them in sets, whose order must not depend on addresses."""

    place: int

    def __hash__(cls) -> int:
        return cls.place


def _kind(name: str, place: int) -> Any:
    return Kind(name, (), {"place": place})


Policy = _kind("Policy", 0)
"""The whole policy: one rule after another."""
Rule = _kind("Rule", 1)
"""A condition of one comparison or two, and a sum."""
Comparison = _kind("Comparison", 2)
"""Whether a feature is over a threshold, or at most at it."""
Compared = _kind("Compared", 3)
"""A feature."""
Share = _kind("Share", 4)
"""A threshold, from the least to the largest."""
Sum = _kind("Sum", 5)
"""The name of an offset and weights."""
Row = tuple[float, ...]


@dataclass(frozen=True)
class Ruled:
    """A policy: a tree and numbers, all scaled to [0, 1].

    Attributes:
        tree: the tree, whose rules take the sums 1, 2, ... in this order.
        default: the weights where no rule holds.
        sums: for each rule its offset and what it adds to the default's weights.
    """

    tree: gp.PrimitiveTree
    default: Row
    sums: tuple[Row, ...]

    @property
    def numbers(self) -> list[float]:
        """All that can change without the structure: weights, offsets and shares."""
        shares = [node.value for node in self.tree if node.ret is Share]
        return [*self.default, *(x for row in self.sums for x in row), *shares]

    def with_numbers(self, numbers: Sequence[float]) -> Ruled:
        """The same structure with other numbers, in the order of ``numbers``, clipped."""
        left = iter([min(max(float(x), 0.0), 1.0) for x in numbers])
        default = tuple(next(left) for _ in self.default)
        sums = tuple(tuple(next(left) for _ in row) for row in self.sums)
        nodes = [_share(next(left)) if node.ret is Share else node for node in self.tree]
        return Ruled(gp.PrimitiveTree(nodes), default, sums)

    def as_document(self) -> dict[str, Any]:
        """The tree as text, and the numbers beside it."""
        sums = [list(row) for row in self.sums]
        return {"tree": str(self.tree), "default": list(self.default), "sums": sums}


class Grammar:
    """The grammar of trees, and the operators on them, which draw from ``draws.GENERATOR``.

    Args:
        features: all genes of the job, with their ranges.
        names: the names of the trained features.
        policies: how many rules and comparisons there are; their structure is evolved.
    """

    def __init__(self, features: Sequence[Feature], names: Sequence[str], policies: Policies):
        self._genes, self._width, self._policies = features, len(names), policies
        pset = gp.PrimitiveSetTyped("rules", [], Policy)
        pset.addPrimitive(_nothing, [Rule] * policies.count, Policy, "policy")
        pset.addPrimitive(_nothing, [Comparison, Sum], Rule, "one")
        if policies.comparisons == 2:
            for name in ("both", "either"):
                pset.addPrimitive(_nothing, [Comparison, Comparison, Sum], Rule, name)
        for name in ("at_most", "over"):
            pset.addPrimitive(_nothing, [Compared, Share], Comparison, name)
        for place in range(self._width):
            pset.addTerminal(place, Compared, f"feature{place}")
        # A new rule starts as the default, or with the numbers of an existing rule.
        pset.addTerminal(0, Sum, "default")
        for number in range(1, policies.count + 1):
            pset.addTerminal(number, Sum, f"sum{number}")
        self._pset = pset
        self._same: Row = (MIDDLE,) * (self._width + 1)

    def drawn(self, default: Row) -> Ruled:
        """A policy of random structure in which all rules start as the default."""
        tree = gp.PrimitiveTree(self._grown(self._pset, Policy))
        return self._settled(tree, default, dict.fromkeys(self._sum_names(), self._same))

    def crossed(self, one: Ruled, other: Ruled) -> tuple[Ruled, Ruled]:
        """Two children, which exchange a subtree; a rule takes its numbers along."""
        first, second = gp.PrimitiveTree(one.tree), gp.PrimitiveTree(other.tree)
        for place, node in enumerate(second):
            if node.ret is Sum:
                second[place] = gp.Terminal(f"other_{node.value}", True, Sum)
        first, second = gp.cxOnePoint(first, second)
        rows = self._rows(one) | {f"other_{name}": row for name, row in self._rows(other).items()}
        return self._settled(first, one.default, rows), self._settled(second, other.default, rows)

    def mutated(self, one: Ruled) -> Ruled:
        """A copy with a random subtree in place of one of its own."""
        (tree,) = gp.mutUniform(gp.PrimitiveTree(one.tree), self._grown, self._pset)
        return self._settled(tree, one.default, self._rows(one))

    def genome(self, one: Ruled) -> tuple[float, ...]:
        """The same policy as genes, as ``rule_genes`` describes them."""
        ranges = [(gene.low, gene.high - gene.low) for gene in self._genes]
        scaled = list(self._scaled_genes(one))
        return tuple(low + x * size for x, (low, size) in zip(scaled, ranges, strict=True))

    def _scaled_genes(self, one: Ruled) -> Iterator[float]:
        sides = self._policies.comparisons
        yield from one.default
        at = 1
        for row in one.sums:
            rule = one.tree[at : one.tree.searchSubtree(at).stop]
            at += len(rule)
            yield row[0]
            for weight, x in zip(one.default, row[1:], strict=True):
                yield min(max(weight + (x - MIDDLE) * REACH, 0.0), 1.0)
            features = [node.value for node in rule if node.ret is Compared]
            shares = [node.value for node in rule if node.ret is Share]
            signs = [node.name for node in rule if node.ret is Comparison]
            used = len(shares)
            yield from [*shares, 0.0][:sides]
            for side in range(sides):
                # The middle of the interval that stands for this choice; unused genes are constant.
                place = int(features[side].removeprefix("feature")) if side < used else 0
                over = side < used and signs[side] == "over"
                yield (place + 0.5) / self._width
                yield 0.75 if over else 0.25
            if sides == 2:
                yield (("one", "both", "either").index(rule[0].name) + 0.5) / 3

    def read(self, document: Mapping[str, Any]) -> Ruled:
        """The policy of a document.

        Raises:
            KeyError, TypeError, ValueError: if the document is not a policy.
        """
        tree = self._parsed(document["tree"])
        default = _row(document["default"], self._width)
        sums = tuple(_row(row, self._width + 1) for row in document["sums"])
        if len(sums) != self._policies.count:
            raise ValueError(f"a policy has {self._policies.count} sums, got {len(sums)}")
        return Ruled(tree, default, sums)

    def _parsed(self, text: str) -> gp.PrimitiveTree:
        """Parse the text of a tree. (DEAP's own parser evaluates words that it does not know.)"""
        wanted: list[Kind] = [Policy]
        nodes: list[Any] = []
        for token in re.findall(r"[^\s(),]+", text):
            if not wanted:
                raise ValueError(f"a tree should have ended before {token!r:.40}")
            kind = wanted.pop()
            node = _share(float(token)) if kind is Share else self._pset.mapping[token]
            if node.ret is not kind:
                raise ValueError(f"a tree has {token!r:.40} where {kind.__name__} belongs")
            nodes.append(node)
            wanted += reversed(getattr(node, "args", ()))
        if wanted:
            raise ValueError("a tree ends too early")
        tree = gp.PrimitiveTree(nodes)
        if [node.value for node in tree if node.ret is Sum] != self._sum_names()[1:]:
            raise ValueError("the rules of a tree do not take the sums in their order")
        return tree

    def _grown(self, pset: gp.PrimitiveSetTyped, type_: Kind) -> list[Any]:
        """A random subtree of a type, as ``mutUniform`` asks for it."""
        nodes: list[Any] = []
        wanted = [type_]
        while wanted:
            kind = wanted.pop()
            if kind is Share:
                nodes.append(_share(GENERATOR.random()))
                continue
            # Each type has either primitives or terminals.
            node = GENERATOR.choice(pset.primitives[kind] or pset.terminals[kind])
            nodes.append(node)
            wanted += reversed(getattr(node, "args", ()))
        return nodes

    def _settled(self, tree: gp.PrimitiveTree, default: Row, rows: Mapping[str, Row]) -> Ruled:
        """The policy of a tree, whose sums are numbered anew in the order of its rules."""
        sums = []
        for place, node in enumerate(tree):
            if node.ret is Sum:
                sums.append(rows[node.value])
                tree[place] = self._pset.mapping[f"sum{len(sums)}"]
        return Ruled(tree, default, tuple(sums))

    def _rows(self, one: Ruled) -> dict[str, Row]:
        """A policy's sums by the names of their terminals."""
        return dict(zip(self._sum_names(), (self._same, *one.sums), strict=True))

    def _sum_names(self) -> list[str]:
        return ["default", *(f"sum{number}" for number in range(1, self._policies.count + 1))]


def _share(value: float) -> gp.Terminal:
    if not 0 <= value <= 1:
        raise ValueError(f"a share is 0 to 1, got {value}")
    return gp.Terminal(value, False, Share)


def _row(numbers: Sequence[Any], size: int) -> Row:
    row = tuple(float(x) for x in numbers)
    if len(row) != size or not all(0 <= x <= 1 for x in row):
        raise ValueError(f"a sum is {size} numbers of 0 to 1, got {numbers!r:.60}")
    return row


def _nothing(*_: Any) -> None:
    """Primitives compute nothing: a tree is read, not run."""
