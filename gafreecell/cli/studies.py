"""``study``: the runs of a plan, side by side; and what ``show`` prints of a study."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from deals.words import plural
from gafreecell.cli import evolution
from gafreecell.cli.evolution import duration, time_limit, warnings_in_a_line
from gafreecell.cli.statuses import DONE, INTERRUPTED, UNDECIDED, complain
from gafreecell.comparing.pairs import pairs_of
from gafreecell.comparing.statistics import least_rank_p
from gafreecell.runs.plan import make_plan, with_seeds
from gafreecell.runs.study import Progress, Study, is_study, load_study
from gafreecell.runs.study import study as run_study
from gafreecell.terminal.tables import table


def study(given: Namespace) -> int:
    """Run a study, or go on with one."""
    folder = Path(given.plan) if Path(given.plan).is_dir() else None
    plan = load_study(folder).plan if folder else make_plan(given.plan)
    if given.seeds is not None:
        plan = with_seeds(plan, given.seeds)
    out = given.out or folder or Path("out") / plan.name
    try:
        with warnings_in_a_line(), time_limit(given.hours):
            found = run_study(
                plan,
                out,
                given.jobs,
                scheduler=given.scheduler,
                wait=given.wait,
                progress=not given.no_progress,
            )
    except KeyboardInterrupt:
        complain(f"stopped; what was done is saved\ngo on: gafreecell study {out}")
        return INTERRUPTED
    return _show(found)


def show(given: Namespace) -> int:
    """Print how far a study is, or a run's progress and its best weights."""
    if not is_study(Path(given.run)):
        return evolution.show(given)
    _show(load_study(given.run))
    return DONE


def _show(found: Study) -> int:
    """Print how far a study is; returns the exit status of ``study``."""
    progress = found.progress()
    finished = sum(one.finished for one in progress)
    print(f"{found.folder}: {finished} of {plural(len(progress), 'run')} finished")
    rows = []
    for arm in found.arms:
        ones = [one for one in progress if one.arm == arm.name]
        rows.append(
            [
                arm.name,
                f"{sum(one.finished for one in ones)} of {len(ones)}",
                f"{sum(one.running for one in ones)}",
                f"{sum(one.generation for one in ones):,}",
                f"{sum(one.evaluations for one in ones):,}",
                f"{sum(one.nodes for one in ones):,}",
                duration(sum(one.seconds for one in ones)),
            ]
        )
    header = ["arm", "finished", "running", "generations", "evaluations", "nodes", "time"]
    print(table(header, rows))
    spent = sum(one.seconds for one in progress)
    print(f"time is processor time of searches, {duration(spent)} in all{_left(progress)}")
    if others := found.left_out:
        print(
            f"the plan leaves out {plural(len(others), 'run')} of the folder ({others[0]}, ...): "
            "its seeds or settings have changed"
        )
    if few := _too_few(found):
        print(few)
    print()
    if finished < len(progress):
        print(f"go on:   gafreecell study {found.folder}")
    print(f"compare: gafreecell compare {found.folder}")
    print(f"draw:    gafreecell plot {found.folder} -o progress.png")
    return DONE if finished == len(progress) else UNDECIDED


def _too_few(found: Study) -> str:
    """A warning if no difference between arms could be shown with so many seeds."""
    seeds, pairs = len(found.plan.numbers), len(pairs_of([arm.name for arm in found.arms]))
    if not pairs or pairs * least_rank_p(seeds, seeds, True) <= 0.05:
        return ""
    enough = next(n for n in count(seeds) if pairs * least_rank_p(n, n, True) <= 0.05)
    return (
        f"with {plural(seeds, 'seed')} no pair of arms can differ at 5 %: "
        f"{plural(pairs, 'pair')} {'needs' if pairs == 1 else 'need'} {enough} seeds at least"
    )


def _left(progress: Sequence[Progress]) -> str:
    """What is still to do, at the cost of the generations so far."""
    done = sum(one.generation for one in progress if one.seconds)
    left = sum(one.generations - one.generation for one in progress if not one.finished)
    if not (done and left):
        return ""
    seconds = sum(one.seconds for one in progress) / done * left
    return f"; {plural(left, 'generation')} to do, which will take about {duration(seconds)} more"
