"""What a search of a game is: a name, its parameters, ``run``, and what it found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np

from solving.outcome import Limits, Nodes, Phase, Status
from solving.parameters import Parameter, ParameterError, Value
from solving.policy import Policy

Position = TypeVar("Position")


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: an outcome whose moves are still the engine's (int64), or None.

    ``bound`` is a proved lower bound on the number of single-card moves; None if the
    search has none.
    """

    status: Status
    moves: np.ndarray | None
    nodes: Nodes
    seconds: float
    bound: int | None = None


class GameSearch(ABC, Generic[Position]):
    """A search: one instance a thread, its arrays kept from deal to deal."""

    name: ClassVar[str]
    guided: ClassVar[bool]
    """Whether it needs an evaluator."""
    weighs: ClassVar[frozenset[str]] = frozenset()
    """Features that this search knows and that others of its game may not know."""
    cannot_weigh: ClassVar[Mapping[str, str]] = {}
    """Features that this search does not know, and why."""
    schedules: ClassVar[bool] = False
    """Whether it takes a schedule in place of a single weighted sum."""
    rules: ClassVar[bool] = False
    """Whether it takes a policy of rules in place of a single weighted sum."""
    parameters: ClassVar[tuple[Parameter, ...]]
    compiling: ClassVar[float] = 0.0
    """Seconds that its kernels take to compile, roughly; 0 if nobody knows."""
    beside: ClassVar[tuple[str, ...]] = ()
    """Modules with kernels that are needed afterwards (``solving.loading.Part``)."""

    @classmethod
    def check(cls, values: Mapping[str, Value]) -> None:
        """Refuse parameters that do not go together with a ``ParameterError``."""
        return

    @classmethod
    def check_phases(cls, phases: Sequence[Phase], given: Mapping[str, Value]) -> None:
        """Refuse a schedule that it does not take, or not with the parameters given.

        Raises:
            ParameterError: saying why.
        """
        if not cls.schedules:
            raise ParameterError(f"the search {cls.name} takes one weighted sum, not a schedule")

    @classmethod
    def check_rules(cls) -> None:
        """Refuse a policy of rules unless it takes one.

        Raises:
            ParameterError: saying so.
        """
        if not cls.rules:
            raise ParameterError(f"the search {cls.name} takes one weighted sum, no rules")

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load what only longer searches need, so that no deal is charged for it.

        Args:
            position: one that is decided at once.
            weights: of every feature, zero.
        """
        return

    def needs_weights(self, values: Mapping[str, Value]) -> bool:
        """Whether it needs an evaluator with these parameters."""
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
            Interrupted: if the call is stopped meanwhile (``solving.stopping``).
        """

    def run_policy(
        self, position: Position, policy: Policy, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a position by a policy of rules, where ``rules`` says that it takes one.

        Args:
            position, values, limits: as ``run`` takes them.
            policy: in the order of the game's features.

        Raises:
            ParameterError: if it takes none.
            Interrupted: as ``run`` does.
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
        """Search from many positions; by default from one after the other.

        Args:
            positions: as the game packs them.
            weights: float64[features]; of a schedule float64[phases, features].
            phases: of a schedule, for a search that takes them; none for a single weighted sum.
            values: a value for each parameter.
            limits: what each search may spend.

        Raises:
            Interrupted: as ``run`` does.
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
