"""What a solver takes and what it returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from deals.checks import plain
from deals.errors import BadInput
from deals.words import plural
from solving.rules import Rule


class Status(StrEnum):
    """How a search ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    """A proof: every state that can be reached was looked at and none was lost."""
    EXHAUSTED = "exhausted"
    """The search ran dry, but had dropped states on the way: no proof of anything."""
    NODE_LIMIT = "node-limit"
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"

    @property
    def decided(self) -> bool:
        """Whether the deal was solved or proved unsolvable."""
        return self in (Status.SOLVED, Status.UNSOLVABLE)


LARGEST = 10**18
"""The largest limit: kernels count in 64 bits."""


class LimitError(BadInput):
    """A limit that is no positive number."""


@dataclass(frozen=True)
class Limits:
    """What a search may spend on a deal.

    Attributes:
        nodes: states it may generate.
        seconds: processor time it may use; None for no limit. A limit in
            seconds is not reproducible.
        memory: bytes its tables may take.

    Raises:
        LimitError: if a limit is no positive number, or larger than ``LARGEST``.
    """

    nodes: int = 2_000_000
    seconds: float | None = None
    memory: int = 500_000_000

    def __post_init__(self) -> None:
        for name in ("nodes", "seconds", "memory"):
            value = plain(getattr(self, name))
            if value is None and name == "seconds":
                continue
            if not isinstance(value, int | float) or isinstance(value, bool):
                raise LimitError(f"{name} must be a number, got {value!r:.60}")
            if not 0 < value <= LARGEST:
                allowed = "positive" if not value > 0 else f"at most {LARGEST:,}"
                raise LimitError(f"{name} must be {allowed}, got {value}")
            if name != "seconds":
                if value != int(value):
                    raise LimitError(f"{name} must be a whole number, got {value}")
                # A million is written 1e6, too.
                value = int(value)
            object.__setattr__(self, name, value)

    def unless(self, nodes: int | None, seconds: float | None) -> Limits:
        """These limits with others where they are given; seconds are limited only if given."""
        return replace(self, nodes=self.nodes if nodes is None else nodes, seconds=seconds)


@dataclass(frozen=True, slots=True)
class Nodes:
    """Counts of search states.

    Attributes:
        expanded: states whose successors were produced.
        generated: distinct states entered in the table, after forced moves.
            A budget of nodes and every figure about nodes mean this count.
        scored: with partial expansion the successors scored, of which few are built and
            entered; None for searches that generate all successors of a state.
    """

    expanded: int
    generated: int
    scored: int | None = None

    def __add__(self, other: Nodes) -> Nodes:
        scored = None
        if self.scored is not None or other.scored is not None:
            scored = (self.scored or 0) + (other.scored or 0)
        return Nodes(self.expanded + other.expanded, self.generated + other.generated, scored)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search made of a deal.

    Attributes:
        status: how it ended.
        moves: the solution in the game's notation; None unless solved.
        lengths: the solution's length by unit; None unless solved.
        nodes: what it counted.
        seconds: processor time of the search, recovery of the solution included. A ``solve`` of
            one's own may leave it at 0: ``BaseGame`` then says how long it took.
        cost: what the problem cost where that is not nodes, as the regret of a choice in a
            stored position; None where nodes count.
    """

    status: Status
    moves: tuple[str, ...] | None
    lengths: Mapping[str, int] | None
    nodes: Nodes
    seconds: float = 0.0
    cost: float | None = None

    @property
    def spent(self) -> float:
        """What fitness measures count: the cost if there is one, else the nodes generated."""
        return self.nodes.generated if self.cost is None else self.cost

    def _repr_html_(self) -> str:
        """The outcome as notebooks show it: a table of status, lengths, nodes and moves."""
        from html import escape

        lengths = ", ".join(f"{unit} {count}" for unit, count in (self.lengths or {}).items())
        short = self.seconds < 1
        rows = {
            "status": self.status.value,
            "length": lengths,
            "nodes": f"{self.nodes.generated:,} generated, {self.nodes.expanded:,} expanded",
            "time": f"{1000 * self.seconds:.3g} ms" if short else f"{self.seconds:,.1f} s",
            "moves": " ".join(self.moves or ()),
        }
        left = ' style="text-align: left"'
        cells = "".join(
            f'<tr><th scope="row"{left}>{name}</th><td{left}>{escape(text)}</td></tr>'
            for name, text in rows.items()
            if text
        )
        return f"<table><tbody>{cells}</tbody></table>"

    def without_moves(self) -> Outcome:
        """The same outcome without its move list, for keeping many of them."""
        return self if self.moves is None else replace(self, moves=None)


LINEAR, SCHEDULE, RULES = "linear", "schedule", "rules"
"""Kinds of evaluators."""
BEST_FIRST, DEPTH_IN_TURN = "best-first", "depth-in-turn"
PHASE_RULES = BEST_FIRST, DEPTH_IN_TURN
"""Rules by which a phase of a schedule chooses the state to expand."""


@dataclass(frozen=True, slots=True)
class Phase:
    """How long a phase of a schedule searches, and how it chooses.

    Attributes:
        nodes: states it may generate before the next phase begins afresh; None in the last
            phase, which searches on.
        rule: which state is next: the best of all (``BEST_FIRST``), or the best of each depth
            in turn (``DEPTH_IN_TURN``).
    """

    nodes: int | None = None
    rule: str = BEST_FIRST


@dataclass(frozen=True, slots=True)
class Evaluator:
    """What guides a search: a weighted sum of named features, one for each phase, or rules.

    A policy of rules gives each rule an offset and weights of its own. The value of a state is the
    offset and the weighted sum of the first rule whose condition holds, or of the default, the last
    row, where none does (Elyasaf, Hauptman and Sipper 2012, "Evolutionary Design of FreeCell
    Solvers").

    Attributes:
        features: names of the features that are weighed or compared, in order.
        weights: one weight a feature, in the same order; of a schedule those of its phases, one
            phase after the other; of rules those of each rule, then those of the default.
        phases: of a schedule; none of other evaluators.
        rules: the conditions of a policy of rules; none of other evaluators.
        offsets: of each rule, then of the default; none of other evaluators.
    """

    features: tuple[str, ...]
    weights: tuple[float, ...]
    phases: tuple[Phase, ...] = ()
    rules: tuple[Rule, ...] = ()
    offsets: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.phases and self.rules:
            raise ValueError("an evaluator has phases or rules, not both")
        wanted = len(self.features) * self._rows
        if wanted != len(self.weights):
            each = f" for {plural(len(self.phases), 'phase')}" if self.phases else ""
            if self.rules:
                each = f" for {plural(len(self.rules), 'rule')} and the default"
            raise ValueError(
                f"{plural(len(self.features), 'feature')} but "
                f"{plural(len(self.weights), 'weight')}{each}"
            )
        self._check_phases()
        self._check_rules()

    def _check_phases(self) -> None:
        limits = [phase.nodes for phase in self.phases]
        if not all(n is not None and n > 0 for n in limits[:-1]) or limits[-1:] not in ([], [None]):
            raise ValueError("every phase but the last needs a limit, and the last has none")
        for phase in self.phases:
            if phase.rule not in PHASE_RULES:
                raise ValueError(
                    f"a phase's rule is {' or '.join(PHASE_RULES)}, got {phase.rule!r:.40}"
                )

    def _check_rules(self) -> None:
        wanted = self._rows if self.rules else 0
        if len(self.offsets) != wanted:
            raise ValueError(
                f"{plural(len(self.rules), 'rule')} but {plural(len(self.offsets), 'offset')}: "
                "each rule has one, and so has the default"
            )
        for comparison in (one for rule in self.rules for one in rule.comparisons):
            if comparison.feature not in self.features:
                raise ValueError(
                    f"a rule compares {comparison.feature!r:.60}, which is none of the features: "
                    "name it among them, with weights of 0 if it is only compared"
                )

    @property
    def kind(self) -> str:
        """How the weights are put together."""
        if self.rules:
            return RULES
        return SCHEDULE if self.phases else LINEAR

    @property
    def _rows(self) -> int:
        """How many times the features are weighed."""
        return len(self.rules) + 1 if self.rules else max(len(self.phases), 1)

    @property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """The weights of each phase, or of each rule and the default; of a single sum one row."""
        width = len(self.features)
        return tuple(self.weights[width * i : width * (i + 1)] for i in range(self._rows))


@dataclass(frozen=True)
class Search:
    """A search by name with its parameters, as a weights file or a job writes it."""

    name: str
    parameters: Mapping[str, int | float | str | bool] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self.parameters.items()))))


@dataclass(frozen=True, slots=True)
class Task:
    """One problem for one solver.

    Attributes:
        deal: a deal number, a board of the game, or the name of another problem that the
            game knows, such as a stored position.
        evaluator: what guides the search; None for a blind one.
        search: which search, with its parameters.
        limits: what it may spend.
        seed: of whatever the search draws; unused by deterministic searches.
    """

    deal: object
    evaluator: Evaluator | None
    search: Search
    limits: Limits
    seed: int = 0
