"""``evolve``, ``resume``, ``show``, ``export``, ``plot`` and ``report``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import (
    DEALS_HELP,
    add_game_of_solvers,
    add_jobs,
    add_layout,
)
from gafreecell.cli.parsing import add, positive, whole

_STOPPED = {130: "stopped by Ctrl-C; finished generations are saved: go on with resume"}


def declare(commands: Any) -> None:
    """Add the commands."""
    evolve = add(
        commands,
        "evolve",
        "evolution",
        "run an evolution job in a new run folder",
        examples=(
            "gafreecell evolve runs/demo.toml --out out/mine",
            "gafreecell evolve runs/demo.toml --seed 2 --set solvers.population=10",
        ),
        statuses=_STOPPED,
    )
    evolve.add_argument("job", metavar="JOB.toml", help="a job file")
    evolve.add_argument("--out", metavar="DIR", help="the run folder (default out/<job>-s<seed>)")
    evolve.add_argument("--seed", type=whole(0), metavar="N", help="seed, instead of the job's")
    _generations(evolve, "number of generations, instead of the job's")
    evolve.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change a key of the job; name its table too: solvers.population=10",
    )
    _workers(evolve)

    resume = add(
        commands,
        "resume",
        "evolution",
        "resume a run where it stopped",
        examples=("gafreecell resume out/mine", "gafreecell resume out/mine --generations 40"),
        statuses=_STOPPED,
    )
    resume.add_argument("run", metavar="RUN", help="a run folder")
    _generations(resume, "new total number of generations, those done included")
    resume.add_argument(
        "--force",
        action="store_true",
        help="resume even if another version of the game's engine made the run, or files were "
        "changed",
    )
    _workers(resume)

    show = add(
        commands,
        "show",
        "evolution",
        "show a run's progress and what it found",
        examples=("gafreecell show runs/freecell-nine",),
    )
    show.add_argument("run", metavar="RUN", help="a run folder")

    export = add(
        commands,
        "export",
        "evolution",
        "write a run's best weights to a file",
        examples=(
            "gafreecell export out/mine -o mine.json",
            "gafreecell solve 164 --weights mine.json",
            "gafreecell export runs/freecell-tradeoff --front 3 -o third.json",
        ),
    )
    export.add_argument("run", metavar="RUN", help="a run folder")
    export.add_argument(
        "--front",
        type=whole(0),
        metavar="N",
        help="for a run of nsga-ii: export the weights at place N of its front instead of the "
        "best ones; place 0 is the fastest, 'gafreecell show RUN' lists all",
    )
    export.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="weights file to write"
    )

    _plot(commands)
    _report(commands)


def _plot(commands: Any) -> None:
    plot = add(
        commands,
        "plot",
        "plotting",
        "draw runs as a figure",
        examples=(
            "gafreecell plot out/mine -o progress.png",
            "gafreecell plot out/mine --kind fitness -o fitness.png",
            "gafreecell plot mine.json --kind cactus --deals 50001-50400 -o cactus.png",
        ),
    )
    plot.add_argument(
        "runs",
        metavar="RUN",
        nargs="+",
        help="run folders; cactus and phases also take presets and weights files "
        "(cactus adds the game's baselines)",
    )
    plot.add_argument(
        "-o", "--output", metavar="FIGURE", required=True, help="file to write: .png, .svg or .pdf"
    )
    plot.add_argument(
        "--kind",
        default="progress",
        metavar="NAME",
        help="progress (the default: solvers on deals they never trained on), fitness, weights, "
        "front, problems (what each generation's deals were like), cactus, phases (of one "
        "schedule), or a figure that a package brings",
    )
    plot.add_argument(
        "--deals",
        action="append",
        metavar="DEALS",
        help="progress: deal numbers or named sets (default: deals that no run trained or "
        "validated on); cactus, phases: deals to solve, each within the first solver's node budget "
        "(default: the game's validation deals)",
    )
    plot.add_argument(
        "--generations",
        type=whole(1),
        default=100,
        metavar="N",
        help="progress: how many generations to measure, evenly spread over all runs (default 100) "
        "with at least 12 of each run; generations with a new champion are added",
    )
    add_game_of_solvers(plot)
    add_layout(plot)
    add_jobs(plot)


def _report(commands: Any) -> None:
    report = add(
        commands,
        "report",
        "reporting",
        "write a page about runs: what evolved, how, and how good it is",
        "Write a page about one run, or about several side by side: what evolved and how, its "
        "progress, the weights, the deals that taught, and how the best weights do against the "
        "baseline on deals that no run used, with replays of the hardest. The page is one file "
        "that needs no network.",
        examples=(
            "gafreecell report out/mine -o report.html",
            "gafreecell report out/cma-es-s1 out/random-s1 -o both.html",
        ),
    )
    report.add_argument("runs", metavar="RUN", nargs="+", help="run folders")
    report.add_argument(
        "-o",
        "--output",
        metavar="FILE.html",
        required=True,
        help="page to write; replaces an earlier one",
    )
    report.add_argument(
        "--deals",
        action="append",
        metavar="DEALS",
        help=f"{DEALS_HELP}; boards are refused (default: deals that the runs neither trained nor "
        "validated on)",
    )
    add_jobs(report)


def _generations(command: Any, help: str) -> None:
    command.add_argument("--generations", type=whole(1), metavar="N", help=help)


def _workers(command: Any) -> None:
    command.add_argument(
        "--hours",
        type=positive("hours"),
        metavar="H",
        help="stop after H hours, as Ctrl-C does; the run can be resumed later",
    )
    add_jobs(command)
    command.add_argument(
        "--backend",
        default="threading",
        choices=("threading", "loky", "dask"),
        help="kind of workers: threads (the default), processes (loky) or dask workers",
    )
    command.add_argument(
        "--scheduler", metavar="ADDRESS", help="address of a dask scheduler, for --backend dask"
    )
    command.add_argument(
        "--wait",
        type=positive("seconds"),
        default=20.0,
        metavar="S",
        help="stop if the scheduler has no worker for S seconds, because they come late or have "
        "ended (default 20)",
    )
