"""What a solver takes and what it returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from deals.checks import plain, shown
from deals.errors import BadInput
from deals.words import plural
from gafreecell.solving.rules import Rule


class Status(StrEnum):
    """How a search ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    """Proved: the search covered every reachable state."""
    EXHAUSTED = "exhausted"
    """The open list ran empty, but the search had dropped states, so nothing is proved."""
    NODE_LIMIT = "node-limit"
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"

    @property
    def decided(self) -> bool:
        """Whether the deal was solved or proved unsolvable."""
        return self in (Status.SOLVED, Status.UNSOLVABLE)


BOUND = "bound"
"""Among the lengths of a solution: no solution is shorter, in the unit that stands first."""
LARGEST = 10**18
"""The largest limit: kernels count in 64 bits."""


class LimitError(BadInput):
    """A limit that is not a positive number."""


@dataclass(frozen=True)
class Limits:
    """What a search may spend on a deal.

    Attributes:
        nodes: states it may generate.
        seconds: processor time it may use; None for no limit. A limit in
            seconds is not reproducible.
        memory: bytes its tables may take.

    Raises:
        LimitError: if a limit is not a positive number, or is larger than ``LARGEST``.
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
                raise LimitError(f"{name} must be a number, got {shown(value)}")
            if not 0 < value <= LARGEST:
                allowed = "positive" if not value > 0 else f"at most {LARGEST:,}"
                raise LimitError(f"{name} must be {allowed}, got {value}")
            if name != "seconds":
                if value != int(value):
                    raise LimitError(f"{name} must be a whole number, got {value}")
                # Whole floats such as 1e6 are allowed.
                value = int(value)
            object.__setattr__(self, name, value)

    def unless(self, nodes: int | None, seconds: float | None, memory: int | None = None) -> Limits:
        """These limits, with the given ones in place; seconds are limited only if given."""
        return Limits(
            self.nodes if nodes is None else nodes,
            seconds,
            self.memory if memory is None else memory,
        )

    def within(self, most: Limits) -> Limits:
        """These limits, each lowered to that of ``most``."""
        seconds = [one for one in (self.seconds, most.seconds) if one is not None]
        return Limits(
            min(self.nodes, most.nodes),
            min(seconds, default=None),
            min(self.memory, most.memory),
        )


@dataclass(frozen=True, slots=True)
class Nodes:
    """Counts of search states.

    Attributes:
        expanded: states whose successors were generated.
        generated: distinct states entered in the transposition table, after forced
            moves. Node budgets and all figures about nodes use this count.
        scored: with partial expansion, the successors scored; only few of them are
            generated. None for searches that generate all successors of a state.
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
    """The result of a search on a deal.

    Attributes:
        status: how it ended.
        moves: the solution in the game's notation; None unless solved.
        lengths: the solution's length by unit; None unless solved.
        nodes: the search's counts.
        seconds: processor time of the search, including the recovery of the solution. The
            ``solve`` of your own game may leave it at 0; ``BaseGame`` then fills it in.
        cost: what the deal cost, if that is not nodes, such as the regret of a choice in a
            stored position; None if nodes count.
    """

    status: Status
    moves: tuple[str, ...] | None
    lengths: Mapping[str, int] | None
    nodes: Nodes
    seconds: float = 0.0
    cost: float | None = None

    @property
    def spent(self) -> float:
        """What fitness measures use: the cost if there is one, else the nodes generated."""
        return self.nodes.generated if self.cost is None else self.cost

    def _repr_html_(self) -> str:
        """A table of status, lengths, nodes and moves, for notebooks."""
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
        """The same outcome without its moves, to save memory."""
        return self if self.moves is None else replace(self, moves=None)


LINEAR, SCHEDULE, RULES = "linear", "schedule", "rules"
"""Kinds of evaluators."""
BEST_FIRST, DEPTH_IN_TURN = "best-first", "depth-in-turn"
PHASE_RULES = BEST_FIRST, DEPTH_IN_TURN
"""Rules by which a phase of a schedule chooses the next state to expand."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of a schedule: how long it searches, and how it chooses states.

    Attributes:
        nodes: how many states it may generate before the next phase starts a new search; None
            for the last phase, which has no limit of its own.
        rule: which state to expand next: the best of all (``BEST_FIRST``), or the best of each
            depth in turn (``DEPTH_IN_TURN``).
    """

    nodes: int | None = None
    rule: str = BEST_FIRST


@dataclass(frozen=True, slots=True)
class Evaluator:
    """What guides a search: a weighted sum of features, a sum for each phase, or rules.

    In a policy of rules, each rule has its own offset and weights. The value of a state is the
    offset plus the weighted sum of the first rule whose condition holds, or of the default if none
    holds (Elyasaf, Hauptman and Sipper 2012, "Evolutionary Design of FreeCell Solvers").

    Attributes:
        features: names of the features that are weighed or compared, in order.
        weights: one weight for each feature, in the same order; for a schedule those of the first
            phase, then of the second, and so on; for rules those of each rule, then the default's.
        phases: of a schedule; empty for other evaluators.
        rules: the conditions of a policy of rules; empty for other evaluators.
        offsets: of each rule, then of the default; empty for other evaluators.
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
            raise ValueError("every phase but the last needs a limit, and the last must have none")
        for phase in self.phases:
            if phase.rule not in PHASE_RULES:
                raise ValueError(
                    f"a phase's rule must be {' or '.join(PHASE_RULES)}, "
                    f"got {shown(phase.rule, 40)}"
                )

    def _check_rules(self) -> None:
        wanted = self._rows if self.rules else 0
        if len(self.offsets) != wanted:
            raise ValueError(
                f"{plural(len(self.rules), 'rule')} but {plural(len(self.offsets), 'offset')}: "
                "each rule needs one, and so does the default"
            )
        for comparison in (one for rule in self.rules for one in rule.comparisons):
            if comparison.feature not in self.features:
                raise ValueError(
                    f"a rule compares {shown(comparison.feature)}, which is none of the features: "
                    "add it to them, with weights of 0 if it is only compared"
                )

    @property
    def kind(self) -> str:
        """``LINEAR``, ``SCHEDULE`` or ``RULES``."""
        if self.rules:
            return RULES
        return SCHEDULE if self.phases else LINEAR

    @property
    def _rows(self) -> int:
        """The number of weighted sums."""
        return len(self.rules) + 1 if self.rules else max(len(self.phases), 1)

    @property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """The weights of each phase, or of each rule and the default; one row for a single sum."""
        width = len(self.features)
        return tuple(self.weights[width * i : width * (i + 1)] for i in range(self._rows))


@dataclass(frozen=True)
class Search:
    """The name of a search and its parameters, as in a weights file or a job."""

    name: str
    parameters: Mapping[str, int | float | str | bool] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self.parameters.items()))))


@dataclass(frozen=True, slots=True)
class Task:
    """One deal for one solver.

    Attributes:
        deal: a deal number, a board of the game, or a name that the
            game knows, such as a stored position.
        evaluator: what guides the search; None for an uninformed search.
        search: its name and parameters.
        limits: what it may spend.
        seed: of the search's random numbers; unused by deterministic searches.
    """

    deal: object
    evaluator: Evaluator | None
    search: Search
    limits: Limits
    seed: int = 0
