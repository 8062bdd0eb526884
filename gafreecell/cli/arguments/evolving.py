"""``evolve`` to ``report``, ``evaluate`` and ``compare``: the commands for runs and solvers."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import DEALS_HELP, Command, add
from gafreecell.cli.parsing import positive, workers

_ENDS = {
    1: "done, but no solver solved a validation deal: the weights say nothing",
    130: "stopped by Ctrl-C; finished generations are saved: go on with resume",
}


def evolve(commands: Any) -> None:
    evolve = add(
        commands,
        "evolve",
        "evolution",
        "run an evolution job in a new run folder, or jobs made for a game",
        "Run an evolution job in a new run folder. With --game instead of a job, train weights for "
        "a game from nothing: a run for each phase of its search, in folders below --out. The same "
        "command goes on with them.",
        examples=(
            "gafreecell evolve runs/demo.toml --out out/mine",
            "gafreecell evolve runs/demo.toml --seed 2 --set solvers.population=10",
            "gafreecell evolve --game my-game.toml",
        ),
        statuses=_ENDS,
    )
    evolve.add_value("job", "JOB.toml", "a job file", nargs="?")
    evolve.add_value("--game", "GAME", "a game, or the file of its rules, instead of a job")
    evolve.add_value(
        "--out", "DIR", "the run folder (default out/<job>-s<seed>; of a game out/<game>)"
    )
    evolve.add_number("--seed", 0, "seed, instead of the job's")
    evolve.add_number("--generations", 1, "number of generations, instead of the job's")
    evolve.add_set("change a key of the job; name its table too: solvers.population=10")
    _workers(evolve)


def study(commands: Any) -> None:
    study = add(
        commands,
        "study",
        "studies",
        "run a study: jobs with several settings and seeds, or go on with one",
        "Run a study: every job with every setting and every seed of its plan, side by side. A "
        "study that was stopped goes on, and one whose plan gained settings or seeds is extended. "
        "Several machines that share the folder can work on one study.",
        examples=(
            "gafreecell study rates.toml",
            "gafreecell study out/rates --seeds 1-20",
            "gafreecell compare out/rates",
        ),
        statuses={
            1: "some runs are not finished, because other processes work on them",
            130: "stopped by Ctrl-C; what was done is saved: the same command goes on",
        },
    )
    study.add_value("plan", "PLAN.toml|STUDY", "the plan of a study, or a study's folder")
    study.add_value("--out", "DIR", "the study's folder (default out/<name>)")
    study.add_value("--seeds", "SEEDS", "seeds such as 1-20, instead of the plan's")
    _hours(study, "study")
    study.add_value(
        "--jobs", "N", "runs at once (default -1: one per core)", type=workers, default=-1
    )
    study.add_scheduler("address of a dask scheduler whose workers solve the deals of all runs")


def resume(commands: Any) -> None:
    resume = add(
        commands,
        "resume",
        "evolution",
        "resume a run where it stopped",
        examples=("gafreecell resume out/mine", "gafreecell resume out/mine --generations 40"),
        statuses=_ENDS,
    )
    resume.add_run()
    resume.add_number("--generations", 1, "new total number of generations, those done included")
    resume.add_flag(
        "--force",
        "resume even if another version of the game's engine made the run, or files were changed",
    )
    _workers(resume)


def show(commands: Any) -> None:
    show = add(
        commands,
        "show",
        "studies",
        "show a run's progress and what it found, or how far a study is",
        examples=("gafreecell show runs/freecell-nine", "gafreecell show out/rates"),
    )
    show.add_value("run", "RUN|STUDY", "the folder of a run or a study")


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
    export.add_run()
    export.add_number(
        "--front",
        0,
        "for a run of nsga-ii: export the weights at place N of its front instead of the "
        "best ones; place 0 is the fastest, 'gafreecell show RUN' lists all",
    )
    export.add_written("FILE", "weights file to write", required=True)


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
    plot.add_runs(
        "folders of runs; of studies for progress, validation, fitness, deals, ranks; a single "
        "run for weights, front, importance, interactions, lineage; cactus and phases also take "
        "presets and weights files (cactus adds the game's baselines)",
    )
    plot.add_written("FIGURE", "file to write: .png, .svg or .pdf", required=True)
    plot.add_value(
        "--kind",
        "NAME",
        "progress (the default: solvers on deals they never trained on), validation (the best "
        "weights so far on the validation deals), fitness, weights, front, deals (what each "
        "generation's deals were like), importance (what it costs to change each weight of the "
        "run's best), interactions (which weights matter, and how they "
        "depend on each other), ranks (of three jobs or more, and which differ), "
        "lineage (the ancestors of a run's best, if its job keeps individuals), "
        "cactus, phases (of one schedule), or a figure "
        "that a package brings",
        default="progress",
    )
    plot.add_deals_option(
        "progress, front, importance, interactions, ranks: deal numbers or named sets (default: "
        "those of the study's plan, or deals that no run trained or validated on); cactus, phases: "
        "deals to solve, each within the first solver's node budget (default: the game's "
        "validation deals)",
    )
    plot.add_number(
        "--generations",
        1,
        "progress: how many generations to measure, evenly spread over all runs (default 100) "
        "with at least 12 of each run; generations with a new champion are added",
        default=100,
    )
    plot.add_number(
        "--vectors",
        1,
        "interactions: how many weight vectors to draw (default 500)",
        default=500,
    )
    plot.add_nodes(
        "progress, interactions, ranks: node budget of each deal, not the runs' own; cactus: not "
        "the first solver's"
    )
    plot.add_flag("--no-baselines", "cactus: leave the game's baselines out, which can be slow")
    plot.add_game_of_solvers()
    plot.add_layout()
    plot.add_jobs()


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
    report.add_runs()
    report.add_written("FILE.html", "page to write; replaces an earlier one", required=True)
    report.add_deals_option(
        f"{DEALS_HELP}; boards are refused (default: those of the study's plan, or deals that the "
        "runs neither trained nor validated on)",
    )
    report.add_nodes("node budget of each deal, instead of the runs'")
    report.add_jobs()


def _workers(command: Command) -> None:
    _hours(command, "run")
    command.add_workers()


def _hours(command: Command, what: str) -> None:
    command.add_value(
        "--hours",
        "H",
        f"stop after H hours, as Ctrl-C does; the {what} can be resumed later",
        type=positive("hours"),
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
    evaluate.add_value(
        "solvers",
        "PRESET|WEIGHTS.json|RUN",
        "presets, weights files or run folders",
        nargs="+",
    )
    evaluate.add_deals_option(DEALS_HELP, required=True)
    evaluate.add_set("a parameter of the search, for every solver")
    evaluate.add_game_of_solvers()
    evaluate.add_variant()
    evaluate.add_written("FILE.csv", "write every outcome as a row of a new file")
    _tables(evaluate, "solvers (the default), pairs, deals or ranks")
    evaluate.add_flag(
        "--penalty",
        "also print mean nodes with 1000M for each unsolved deal, as in the GA-FreeCell paper",
    )
    evaluate.add_limits()
    evaluate.add_workers()


def _tables(command: Command, names: str) -> None:
    command.add_format(
        ("table", "json", "csv", "latex", "markdown"),
        "a report for people (the default), one JSON document, or one table for a paper",
    )
    command.add_value("--table", "NAME", f"the table of csv, latex or markdown: {names}")


def compare(commands: Any) -> None:
    compare = add(
        commands,
        "compare",
        "measuring",
        "compare jobs over the seeds of their runs, with intervals and tests",
        "Compare jobs over the seeds of their runs. Runs that differ only in the seed form a "
        "group; those of a study are its arms. The best weights of each run are measured on the "
        "same deals, and groups are compared with each run as one observation.",
        examples=(
            "gafreecell compare out/mine-s1 out/mine-s2 out/other-s1 out/other-s2",
            "gafreecell compare out/* --deals ms32k-sample --nodes 100000 --format json",
        ),
    )
    compare.add_argument(
        "--submit",
        choices=("champion", "last", "front"),
        help="which weights of a run to compare: champion, the best on its validation deals (the "
        "default, unless a study's plan says otherwise), last, the candidate of its last "
        "generation, which needs no validation, or front, for runs of nsga-ii: all solvers of "
        "their fronts, by hypervolume",
    )
    compare.add_runs()
    compare.add_deals_option(
        f"{DEALS_HELP} (default: those of the study's plan, or deals that the runs neither "
        "trained nor validated on)"
    )
    _tables(compare, "groups (the default), pairs, runs or ranks; of fronts points")
    compare.add_nodes("node budget of each deal, instead of the runs'")
    compare.add_workers()
