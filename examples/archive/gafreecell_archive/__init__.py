"""MAP-Elites (Mouret and Clune 2015): an archive of fast solvers that play in different ways."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import gafreecell
from gafreecell import Outcome

JOB = Path(__file__).parent / "archive.toml"
"""What is sought: the search, its budget, the features and the deals."""
CELLS = tuple(tenth / 10 for tenth in range(0, 31, 2))
"""Edges of the bins of cells."""
SIGMA, LINE = 0.05, 0.2
"""Steps of a child: Gaussian ones as a share of each range, and along the line to another elite."""


def cells_used(moves: Sequence[str]) -> float:
    """How many free cells hold a card, as a mean over the positions after each move of a solution.

    Args:
        moves: of FreeCell in standard notation, such as ``6a``, ``a3``, ``bh``, ``26v3``.
    """
    held: set[str] = set()
    total = 0
    for move in moves:
        source, target = move[0], move[1]
        held.discard(source)
        if target.islower() and target != "h":
            held.add(target)
        total += len(held)
    return total / max(len(moves), 1)


@dataclass(frozen=True)
class Play:
    """How a solver plays some deals.

    Attributes:
        nodes: geometric mean of the states generated; a deal that it failed counts all of them.
        length: mean number of single-card moves of its solutions.
        cells: mean of ``cells_used`` over its solutions.
        solved: the share of the deals that it solved.
    """

    nodes: float
    length: float
    cells: float
    solved: float

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Play:
        """The play that outcomes show, one for each deal, with their moves."""
        found = [one for one in outcomes if one.moves is not None and one.lengths is not None]
        nodes = np.log([one.nodes.generated for one in outcomes])
        return cls(
            float(np.exp(nodes.mean())),
            float(np.mean([float((one.lengths or {})["single"]) for one in found] or [np.nan])),
            float(np.mean([cells_used(one.moves or ()) for one in found] or [np.nan])),
            len(found) / len(outcomes),
        )


@dataclass(frozen=True)
class Elite:
    """A solver in an archive.

    Attributes:
        weights: shape ``(features,)``.
        play: how it plays the training deals.
    """

    weights: NDArray[np.float64]
    play: Play


class Archive:
    """The solver of fewest nodes in each bin of length and cells.

    Attributes:
        lengths, cells: the edges of the bins.
        elites: by bin ``(length, cells)``, both from 0.
    """

    def __init__(
        self, lengths: Sequence[float] = range(90, 175, 5), cells: Sequence[float] = CELLS
    ) -> None:
        self.lengths, self.cells = lengths, cells
        self.elites: dict[tuple[int, int], Elite] = {}

    @property
    def bins(self) -> int:
        """How many bins there are."""
        return (len(self.lengths) - 1) * (len(self.cells) - 1)

    def add(self, elite: Elite) -> bool:
        """Keep a solver that solves all deals and beats the one in its bin; say whether it does."""
        play = elite.play
        place = (
            int(np.searchsorted(self.lengths, play.length, "right")) - 1,
            int(np.searchsorted(self.cells, play.cells, "right")) - 1,
        )
        inside = 0 <= place[0] < len(self.lengths) - 1 and 0 <= place[1] < len(self.cells) - 1
        if play.solved < 1 or not inside:
            return False
        if place in self.elites and self.elites[place].play.nodes <= play.nodes:
            return False
        self.elites[place] = elite
        return True

    def children(
        self,
        count: int,
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> NDArray[np.float64]:
        """New weights from elites, by the operator of Vassiliades and Mouret (2018).

        Args:
            count: how many.
            low, high: ends of the ranges of the weights, shape ``(features,)``.
            rng: draws parents and steps.

        Returns:
            An array of shape ``(count, features)``; uniform while there are no elites.
        """  # fmt: skip
        if not self.elites:
            return rng.uniform(low, high, (count, len(low)))
        elites = np.array([one.weights for one in self.elites.values()])
        first, second = elites[rng.integers(len(elites), size=(2, count))]
        own = SIGMA * (high - low) * rng.normal(size=first.shape)
        along = LINE * rng.normal(size=(count, 1)) * (second - first)
        made: NDArray[np.float64] = np.clip(first + own + along, low, high)
        return made


class Spent(Exception):
    """A player has measured all the solvers that it may."""


class Player:
    """Plays deals with the weights of a job, and keeps all that it saw in an archive.

    Args:
        deals: that decide which solvers are elites.
        jobs: how many deals are solved at once.
        solvers: how many distinct solvers it measures at most; any number by default.
    """

    def __init__(
        self, deals: Sequence[int | str], jobs: int = 1, solvers: int | None = None
    ) -> None:
        self.box = gafreecell.BlackBox(JOB)
        self.deals, self.jobs, self.solvers = deals, jobs, solvers
        self.archive = Archive()
        self._met: dict[tuple[float, ...], list[Outcome]] = {}

    def outcomes(self, weights: Sequence[float] | NDArray[np.float64]) -> list[Outcome]:
        """The outcomes of the deals with some weights, with moves."""
        made = self.box.weights(weights)
        return gafreecell.solve_many(
            self.deals, made, nodes=self.box.job.limits.nodes, jobs=self.jobs
        )

    def play(self, weights: Sequence[float] | NDArray[np.float64]) -> list[Outcome]:
        """The same, and the archive gets what they show; solvers met before are remembered.

        Raises:
            Spent: if this would be one distinct solver too many.
        """
        key = tuple(map(float, weights))
        if key not in self._met:
            if len(self._met) == self.solvers:
                raise Spent
            self._met[key] = self.outcomes(weights)
            self.archive.add(Elite(np.array(weights), Play.of(self._met[key])))
        return self._met[key]


def map_elites(
    player: Player, rng: np.random.Generator, batch: int = 40, founders: int = 120
) -> Iterator[Archive]:
    """Fill the archive of a player; each step measures a batch of solvers.

    Args:
        player: measures them.
        rng: draws them.
        batch: solvers of a step.
        founders: how many solvers are drawn uniformly at first.

    Yields:
        The archive, after each step.
    """
    low, high = player.box.low, player.box.high
    seen = 0
    while True:
        if seen < founders:
            drawn = rng.uniform(low, high, (batch, len(low)))
        else:
            drawn = player.archive.children(batch, low, high, rng)
        for weights in drawn:
            player.play(weights)
        seen += batch
        yield player.archive


def random_search(player: Player, rng: np.random.Generator, batch: int = 40) -> Iterator[Archive]:
    """The same with solvers that are drawn uniformly."""
    return map_elites(player, rng, batch, founders=sys.maxsize)


def nsga_ii(player: Player, rng: np.random.Generator) -> Iterator[Archive]:
    """The same with the solvers of NSGA-II, which knows nothing of the archive."""
    driven = gafreecell.AskTell(
        JOB, seed=int(rng.integers(2**31)), sample={"deals": len(player.deals)}
    )
    while True:
        asked = driven.ask()
        driven.tell([player.play(one.weights) for one in asked])
        yield player.archive
