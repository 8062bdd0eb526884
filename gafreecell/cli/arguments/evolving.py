"""``evolve`` to ``report``, ``evaluate`` and ``compare``: the commands for runs and solvers."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import (
    DEALS_HELP,
    add_choice,
    add_deals_option,
    add_flag,
    add_game_of_solvers,
    add_jobs,
    add_layout,
    add_limits,
    add_nodes,
    add_number,
    add_run,
    add_runs,
    add_set,
    add_value,
    add_variant,
    add_written,
)
from gafreecell.cli.parsing import add, positive

_STOPPED = {130: "stopped by Ctrl-C; finished generations are saved: go on with resume"}


def evolve(commands: Any) -> None:
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
    add_value(evolve, "job", "JOB.toml", "a job file")
    add_value(evolve, "--out", "DIR", "the run folder (default out/<job>-s<seed>)")
    add_number(evolve, "--seed", 0, "seed, instead of the job's")
    _generations(evolve, "number of generations, instead of the job's")
    add_value(
        evolve,
        "--set",
        "KEY=VALUE",
        "change a key of the job; name its table too: solvers.population=10",
        action="append",
        default=[],
    )
    _workers(evolve)


def resume(commands: Any) -> None:
    resume = add(
        commands,
        "resume",
        "evolution",
        "resume a run where it stopped",
        examples=("gafreecell resume out/mine", "gafreecell resume out/mine --generations 40"),
        statuses=_STOPPED,
    )
    add_run(resume)
    _generations(resume, "new total number of generations, those done included")
    add_flag(
        resume,
        "--force",
        "resume even if another version of the game's engine made the run, or files were changed",
    )
    _workers(resume)


def show(commands: Any) -> None:
    show = add(
        commands,
        "show",
        "evolution",
        "show a run's progress and what it found",
        examples=("gafreecell show runs/freecell-nine",),
    )
    add_run(show)


def export(commands: Any) -> None:
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
    add_run(export)
    add_number(
        export,
        "--front",
        0,
        "for a run of nsga-ii: export the weights at place N of its front instead of the "
        "best ones; place 0 is the fastest, 'gafreecell show RUN' lists all",
    )
    add_written(export, "FILE", "weights file to write", required=True)


def plot(commands: Any) -> None:
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
    add_runs(
        plot,
        "run folders; cactus and phases also take presets and weights files "
        "(cactus adds the game's baselines)",
    )
    add_written(plot, "FIGURE", "file to write: .png, .svg or .pdf", required=True)
    add_value(
        plot,
        "--kind",
        "NAME",
        "progress (the default: solvers on deals they never trained on), fitness, weights, "
        "front, problems (what each generation's deals were like), cactus, phases (of one "
        "schedule), or a figure that a package brings",
        default="progress",
    )
    add_deals_option(
        plot,
        "progress: deal numbers or named sets (default: deals that no run trained or "
        "validated on); cactus, phases: deals to solve, each within the first solver's node budget "
        "(default: the game's validation deals)",
    )
    add_number(
        plot,
        "--generations",
        1,
        "progress: how many generations to measure, evenly spread over all runs (default 100) "
        "with at least 12 of each run; generations with a new champion are added",
        default=100,
    )
    add_game_of_solvers(plot)
    add_layout(plot)
    add_jobs(plot)


def report(commands: Any) -> None:
    report = add(
        commands,
        "report",
        "plotting",
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
    add_runs(report)
    add_written(report, "FILE.html", "page to write; replaces an earlier one", required=True)
    add_deals_option(
        report,
        f"{DEALS_HELP}; boards are refused (default: deals that the runs neither trained nor "
        "validated on)",
    )
    add_jobs(report)


def _generations(command: Any, help: str) -> None:
    add_number(command, "--generations", 1, help)


def _workers(command: Any) -> None:
    add_value(
        command,
        "--hours",
        "H",
        "stop after H hours, as Ctrl-C does; the run can be resumed later",
        type=positive("hours"),
    )
    add_jobs(command)
    command.add_argument(
        "--backend",
        default="threading",
        choices=("threading", "loky", "dask"),
        help="kind of workers: threads (the default), processes (loky) or dask workers",
    )
    add_value(command, "--scheduler", "ADDRESS", "address of a dask scheduler, for --backend dask")
    add_value(
        command,
        "--wait",
        "S",
        "stop if the scheduler has no worker for S seconds, because they come late or have "
        "ended (default 20)",
        type=positive("seconds"),
        default=20.0,
    )


def evaluate(commands: Any) -> None:
    evaluate = add(
        commands,
        "evaluate",
        "measuring",
        "compare solvers on the same deals, with intervals and tests",
        examples=(
            "gafreecell evaluate fast hsdh --deals 50001-50400",
            "gafreecell evaluate mine.json hsd-evolved --deals 50001-50400 --nodes 100000",
        ),
    )
    add_value(
        evaluate,
        "solvers",
        "PRESET|WEIGHTS.json|RUN",
        "presets, weights files or run folders",
        nargs="+",
    )
    add_deals_option(evaluate, DEALS_HELP, required=True)
    add_set(evaluate, "a parameter of the search, for every solver")
    add_game_of_solvers(evaluate)
    add_variant(evaluate)
    add_written(evaluate, "FILE.csv", "write every outcome as a row of a new file")
    add_choice(evaluate, ("table", "json"), "tables for people (the default), or one JSON document")
    add_flag(
        evaluate,
        "--penalty",
        "also print mean nodes with 1000M for each unsolved deal, as in the GA-FreeCell paper",
    )
    add_limits(evaluate)
    add_jobs(evaluate)


def compare(commands: Any) -> None:
    compare = add(
        commands,
        "compare",
        "measuring",
        "compare jobs over the seeds of their runs, with intervals and tests",
        "Compare jobs over the seeds of their runs. Runs that differ only in the seed form a "
        "group. The best weights of each run are measured on the same deals, and groups are "
        "compared with each run as one observation.",
        examples=(
            "gafreecell compare out/mine-s1 out/mine-s2 out/other-s1 out/other-s2",
            "gafreecell compare out/* --deals ms32k-sample --nodes 100000 --format json",
        ),
    )
    compare.add_argument(
        "--submit",
        choices=("champion", "last"),
        default="champion",
        help="which weights of a run to compare: champion, the best on its validation deals (the "
        "default), or last, the candidate of its last generation, which needs no validation",
    )
    add_runs(compare)
    add_deals_option(
        compare, f"{DEALS_HELP} (default: deals that the runs neither trained nor validated on)"
    )
    add_choice(compare, ("table", "json"), "tables for people (the default), or one JSON document")
    add_nodes(compare, "node budget of each deal, instead of the runs'")
    add_jobs(compare)
