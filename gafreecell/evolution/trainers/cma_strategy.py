"""The distribution that CMA-ES draws solvers from: the package ``cmaes`` computes it.

Between two generations its state is plain numbers, with a format version and the versions of the
libraries that computed them. The package offers no way to restore a state: its pickles hold its
private attributes, but lose the last bits of the covariance matrix. So this module reads and sets
these attributes itself. Before the first use in a process it checks on a small sampler that a
restored one draws and learns exactly as one that was never saved.

The last bits depend on the library versions and on the processor type, but not on the number
of threads: linear algebra runs on one thread.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from deals.errors import BadInput
from gafreecell.evolution.populations import Draw
from gafreecell.solving.formats import Document, Format

FORMAT = Format("gafreecell-cma-es", "the state of CMA-ES", version=2)
_PRIVATE = ("_sigma", "_C", "_p_sigma", "_pc", "_g")
_alone = RLock()


class StrategyError(BadInput):
    """An invalid state, or a version of ``cmaes`` whose state cannot be saved."""


@dataclass(frozen=True)
class Strategy:
    """The distribution that solvers are drawn from, and how it got there.

    Attributes:
        mean: the mean of each scaled weight.
        spread: the standard deviation that all directions share (the step size).
        covariance: the covariance matrix, row by row.
        step_path, covariance_path: the evolution paths, one number for each weight.
        updates: how often it was updated.
        libraries: the versions that computed it: one mapping, and another one for each time that
            they changed, with the update ``since`` which they were used.
    """

    mean: list[float]
    spread: float
    covariance: list[list[float]]
    step_path: list[float]
    covariance_path: list[float]
    updates: int
    libraries: list[dict[str, Any]]

    def as_document(self) -> Document:
        """The strategy as plain numbers, strings, lists and mappings."""
        return {"format": FORMAT.head, **asdict(self)}

    @classmethod
    def from_document(cls, kept: Mapping[str, Any]) -> Strategy:
        """The strategy of a document.

        Raises:
            KeyError, TypeError, ValueError: if the document is not a strategy.
        """
        document = FORMAT.read(kept, StrategyError)
        del document["format"]
        strategy = cls(**document)
        paths, rows = (strategy.step_path, strategy.covariance_path), strategy.covariance
        sizes = {len(rows), *map(len, paths), *map(len, rows)}
        if sizes != {len(strategy.mean)}:
            raise StrategyError("its mean, covariance and paths are not of one size")
        numbers = [strategy.spread, *strategy.mean, *chain(*paths), *chain(*rows)]
        if not all(isinstance(one, int | float) and math.isfinite(one) for one in numbers):
            raise StrategyError("its mean, spread, covariance and paths must be finite numbers")
        if strategy.spread <= 0:
            raise StrategyError(f"its spread must be positive, got {strategy.spread}")
        if type(strategy.updates) is not int or strategy.updates < 0:
            raise StrategyError(f"its updates must be a whole number, got {strategy.updates!r}")
        made = strategy.libraries
        if not isinstance(made, list) or not all(isinstance(one, dict) for one in made):
            raise StrategyError(f"its libraries must be a list of tables, got {made!r:.60}")
        return strategy

    def differences(self) -> str:
        """Which libraries differ from those that computed it; empty if none, or if it names none.

        Raises:
            StrategyError: if this version of ``cmaes`` cannot continue it at all.
        """
        _checked_kind()
        if not self.libraries:
            return ""
        made, here = self.libraries[-1], libraries()
        differ = [name for name in here if made.get(name) != here[name]]
        return ", ".join(f"{name} {made.get(name)} then and {here[name]} here" for name in differ)


def begin(start: Sequence[float], spread: float) -> Strategy:
    """The strategy of a new run: around scaled weights, with the same spread in all directions."""
    size = len(start)
    paths = [0.0] * size, [0.0] * size
    return Strategy(list(start), spread, np.eye(size).tolist(), *paths, 0, _noted([], 0))


def draw(strategy: Strategy, population: int, rng: Draw) -> list[list[float]]:
    """Draw this number of scaled genomes, all within [0, 1]."""
    return _draw(_checked_kind(), strategy, population, int(rng.integers(2**32)))


def follow(
    strategy: Strategy, genomes: Sequence[Sequence[float]], fitness: Sequence[float]
) -> Strategy:
    """The strategy after it has seen how fit its genomes are; larger is fitter."""
    return _follow(_checked_kind(), strategy, genomes, fitness)


@cache
def libraries() -> dict[str, str]:
    """What decides the last bits here: versions, and the processor type that BLAS has chosen."""
    import cmaes

    loaded = [one for one in threadpool_info() if one["user_api"] == "blas"]
    # scipy may bring another BLAS than numpy's.
    numpys = [one for one in loaded if _is_numpys(one["filepath"])] or loaded
    words = ("internal_api", "version", "architecture")
    blas = sorted(" ".join(str(one[word]) for word in words if one.get(word)) for one in numpys)
    return {
        "cmaes": cmaes.__version__,
        "numpy": np.__version__,
        "blas": " and ".join(blas) or "unknown",
    }


def _is_numpys(library: str) -> bool:
    """Whether a library lies where numpy's wheels keep theirs."""
    return any(part in ("numpy", "numpy.libs") for part in Path(library).parts[-3:])


def _noted(earlier: Sequence[dict[str, Any]], update: int) -> list[dict[str, Any]]:
    """The libraries that computed a strategy, including those of the present update."""
    here = libraries()
    if earlier and {**earlier[-1], **here} == earlier[-1]:
        return list(earlier)
    return [*earlier, {"since": update, **here}]


@cache
def _checked_kind() -> Any:
    """The package's class, after a check that its state can be saved and restored.

    Raises:
        StrategyError: if this version keeps its state in another way.
    """
    # It takes a second to load, and only this trainer needs it.
    from cmaes import CMA

    made = CMA(np.zeros(2), 1.0)
    lacking = [name for name in _PRIVATE if not hasattr(made, name)]
    if lacking:
        fault = f"it has no {' or '.join(lacking)}"
    elif not _comes_back(CMA):
        fault = "a restored sampler differs from one that was never saved"
    else:
        return CMA
    raise StrategyError(
        f"cma-es cannot keep the state of cmaes {libraries()['cmaes']}: {fault}; install a version "
        "that gafreecell's requirements allow"
    )


@contextmanager
def _one_thread() -> Iterator[None]:
    """A context in which BLAS uses one thread; with several, sums can differ in their last bits."""
    # The number holds for the whole process, so no other run may reset it meanwhile.
    with _alone, threadpool_limits(limits=1, user_api="blas"):
        yield


@_one_thread()
def _comes_back(kind: Any) -> bool:
    """Whether samplers that are restored at each step do the same as one that is never saved."""
    strategy, size = begin([0.3, 0.6], 0.2), 6
    never = _restored(kind, strategy, size)
    for seed in range(3):
        never.reseed_rng(seed)
        drawn = [never.ask().tolist() for _ in range(size)]
        if drawn != _draw(kind, strategy, size, seed):
            return False
        strategy = _follow(kind, strategy, drawn, [sum(genome) for genome in drawn])
        never.tell([(np.array(genome), -sum(genome)) for genome in drawn])
        if strategy != _taken(never, strategy):
            return False
    return True


@_one_thread()
def _draw(kind: Any, strategy: Strategy, population: int, seed: int) -> list[list[float]]:
    sampler = _restored(kind, strategy, population)
    sampler.reseed_rng(seed)
    return [sampler.ask().tolist() for _ in range(population)]


@_one_thread()
def _follow(
    kind: Any, strategy: Strategy, genomes: Sequence[Sequence[float]], fitness: Sequence[float]
) -> Strategy:
    learner = _restored(kind, strategy, len(genomes))
    learner.tell([(np.array(g), -value) for g, value in zip(genomes, fitness, strict=True)])
    after = _taken(learner, strategy)
    return replace(after, libraries=_noted(strategy.libraries, after.updates))


def _restored(kind: Any, strategy: Strategy, population: int) -> Any:
    """The package's object in the strategy's state."""
    # Of two or three solvers only one is a parent. Then the rate of the rank-mu update is 0, which
    # the package divides by: its bounds 50 and 52 become infinite, and 51 holds.
    mean = np.array(strategy.mean)
    with np.errstate(divide="ignore"):
        made = kind(
            mean=np.clip(mean, 0, 1),
            sigma=strategy.spread,
            bounds=np.array([[0.0, 1.0]] * len(strategy.mean)),
            population_size=population,
            cov=np.array(strategy.covariance),
        )
    # Where all parents lie on a bound, rounding may take their mean beyond it.
    made._mean = mean
    made._p_sigma = np.array(strategy.step_path)
    made._pc = np.array(strategy.covariance_path)
    made._g = strategy.updates
    return made


def _taken(sampler: Any, before: Strategy) -> Strategy:
    """The state of the package's object."""
    return Strategy(
        sampler.mean.tolist(),
        float(sampler._sigma),
        sampler._C.tolist(),
        sampler._p_sigma.tolist(),
        sampler._pc.tolist(),
        int(sampler._g),
        before.libraries,
    )
