"""Evolving search heuristics for solitaire games.

A solver solves deals, and a fitness measure turns its outcomes into a fitness. Fitness drives
populations of solvers and of problems. A run folder keeps what they leave behind.

- To solve: ``solve``, ``solve_many``, ``verify``; ``deal``, ``read_boards``; ``games``,
  ``presets``, ``read_weights``; ``features`` and ``score`` of a position.
- To evolve: ``evolve``, ``evolve_game``, ``resume``, ``load``, ``read_job``; ``study`` runs many
  jobs and seeds, ``load_study``, ``read_plan`` read what they left and were told; ``figures`` draws
  the runs, ``callbacks`` logs them.
- To drive a job yourself: ``BlackBox`` measures weights for any optimiser, ``AskTell`` is asked for
  solvers and told their outcomes.
- To compare: ``evaluate`` solvers on the same deals, ``compare`` jobs over the seeds of their runs.
- To bring your own game, trainer, scheme or fitness measure: ``BaseGame``, ``Feature``,
  ``Trainer``, ``Scheme``, ``Measure``, and what these take and return (``Task``, ``Outcome``,
  ``Drawing``, ``Rating``, ...). ``abilities`` says what else a game can do, and ``testing``
  checks all of it. A genetic operator of your own is a function.
"""

from __future__ import annotations

from typing import Any

from gafreecell.solving.neighbours import check_neighbours

check_neighbours()

# After the check, as this may be another project's package.
from deals.offered import offered  # noqa: E402

# Loaded on first use: the command line's help must not wait for numba and matplotlib.
__all__, _load = offered(__name__)


def __getattr__(name: str) -> Any:
    if name != "__version__":
        return _load(name)
    from gafreecell.installed import VERSION

    return VERSION


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
