"""Base classes of a game's searches, and the result of a search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np

from gafreecell.solving.outcome import Limits, Nodes, Phase, Status
from gafreecell.solving.parameters import Parameter, ParameterError, Value
from gafreecell.solving.policy import Policy

Position = TypeVar("Position")


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search, with moves in the engine's encoding.

    Attributes:
        status: how the search ended.
        moves: int64, the solution; None if there is none.
        nodes: the search's counts.
        seconds: processor time.
        bound: a proved lower bound on the solution's length, in the unit that the search saves;
            None if it proves none.
        lengths: the solution's lengths by unit, if they do not follow from the moves alone.
    """

    status: Status
    moves: np.ndarray | None
    nodes: Nodes
    seconds: float
    bound: int | None = None
    lengths: Mapping[str, int] | None = None


class GameSearch(ABC, Generic[Position]):
    """A search. Each thread has its own instance, which reuses its arrays from deal to deal."""

    name: ClassVar[str]
    guided: ClassVar[bool]
    """Whether it needs an evaluator."""
    weighs: ClassVar[frozenset[str]] = frozenset()
    """Features that only this search, and others that name them here, can weigh."""
    cannot_weigh: ClassVar[Mapping[str, str]] = {}
    """Features that this search cannot weigh, each with the reason."""
    schedules: ClassVar[bool] = False
    """Whether it takes a schedule instead of a single weighted sum."""
    rules: ClassVar[bool] = False
    """Whether it takes a policy of rules instead of a single weighted sum."""
    steady: ClassVar[frozenset[str]] = frozenset()
    """Limits of which more changes nothing where less was enough to decide a deal: it is decided by
    the same nodes with the same solution. Searches that go on after a solution have none."""
    parameters: ClassVar[tuple[Parameter, ...]]
    compiling: ClassVar[float] = 0.0
    """Roughly how many seconds its kernels take to compile on a slow machine; 0 if unknown."""
    beside: ClassVar[tuple[str, ...]] = ()
    """Modules with kernels that are needed afterwards (``solving.loading.Part``)."""

    @classmethod
    def check(cls, values: Mapping[str, Value]) -> None:
        """Raise ``ParameterError`` for parameters that cannot be combined."""
        return

    @classmethod
    def check_phases(cls, phases: Sequence[Phase], given: Mapping[str, Value]) -> None:
        """Check that the search takes a schedule, also with the given parameters.

        Raises:
            ParameterError: if it does not; the message says why.
        """
        if not cls.schedules:
            raise ParameterError(f"the search {cls.name} takes one weighted sum, not a schedule")

    @classmethod
    def check_rules(cls) -> None:
        """Check that the search takes a policy of rules.

        Raises:
            ParameterError: if it does not.
        """
        if not cls.rules:
            raise ParameterError(f"the search {cls.name} takes one weighted sum, no rules")

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load what only longer searches need, so that its time is not charged to a deal.

        Args:
            position: a position that is decided at once.
            weights: zero for every feature.
        """
        return

    def needs_weights(self, values: Mapping[str, Value]) -> bool:
        """Whether it needs an evaluator when run with these parameters."""
        return self.guided

    @abstractmethod
    def run(
        self,
        position: Position,
        weights: np.ndarray,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        """Search from a position.

        Args:
            position: as the game packs it.
            weights: float64, a weight for each feature of the game.
            values: a value for each parameter.
            limits: what it may spend.

        Raises:
            Interrupted: if the call is stopped (``solving.stopping``).
        """

    def run_policy(
        self, position: Position, policy: Policy, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a position, guided by a policy of rules; only if ``rules`` is true.

        Args:
            position, values, limits: as for ``run``.
            policy: in the order of the game's features.

        Raises:
            ParameterError: if the search takes no rules.
            Interrupted: as for ``run``.
        """
        self.check_rules()
        raise NotImplementedError(f"{type(self).__name__}.run_policy")

    def run_batch(
        self,
        positions: Sequence[Position],
        weights: np.ndarray,
        phases: Sequence[Phase],
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Iterable[Found]:
        """Search from many positions, by default one after another.

        Args:
            positions: as the game packs them.
            weights: float64[features]; for a schedule float64[phases, features].
            phases: of a schedule; empty for a single weighted sum.
            values: a value for each parameter.
            limits: what each search may spend.

        Raises:
            Interrupted: as for ``run``.
        """
        return [self.run(position, weights, values, limits) for position in positions]


class BatchSearch(GameSearch[Position]):
    """A search whose kernel takes many positions in one call."""

    def run(
        self,
        position: Position,
        weights: np.ndarray,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        """Search from one position: a batch of one."""
        [found] = self.run_batch((position,), weights, (), values, limits)
        return found

    @abstractmethod
    def run_batch(
        self,
        positions: Sequence[Position],
        weights: np.ndarray,
        phases: Sequence[Phase],
        values: Mapping[str, Value],
        limits: Limits,
    ) -> list[Found]:
        """Search from many positions in one call of the kernel."""
