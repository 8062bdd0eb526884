"""Arguments, exit statuses and errors of ``gafreecell``."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from deals.errors import BadInput

DONE, UNDECIDED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

DEALS_HELP = (
    "a number, a range 1-32000, a named set, a file of numbers or boards, or - for standard input"
)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and a hint."""

    def error(self, message: str) -> NoReturn:
        complain(f"{message}\ntry '{self.prog} --help'")
        sys.exit(BAD_INPUT)


class _Help(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=96)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and exit with its status."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    given = parser().parse_args(arguments)
    # Stopping in the middle, on Ctrl-C or when `head` has seen enough, is no news to the user.
    warnings.filterwarnings("ignore", module="joblib")
    try:
        command = importlib.import_module(f"gafreecell.cli.{given.module}")
        status = getattr(command, given.command)(given)
        sys.stdout.flush()
        return int(status)
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away, as `head` does: nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except BadInput as error:
        complain(str(error))
        return BAD_INPUT
    except OSError as error:
        fault = _fault_of(error)
        if fault:
            return fault
        about = (
            f"{error.filename}: {error.strerror}"
            if error.filename
            else error.strerror or str(error)
        )
        complain(about)
        return BAD_INPUT
    except Exception as error:
        fault = _fault_of(error)
        if not fault:
            raise
        return fault


def _fault_of(error: Exception) -> int:
    """Show an exception of a plug-in's as its fault, with its traceback; 0 for one of ours."""
    import traceback

    from gafreecell import plugins

    owner = plugins.fault_of(error)
    if not owner:
        return DONE
    traceback.print_exception(error)
    complain(f"this is a fault of {owner}, not of your input: tell those who wrote it")
    return UNDECIDED


def complain(message: str) -> None:
    """Say what is wrong on stderr, in at most three lines."""
    lines = message.splitlines()[:3]
    print("gafreecell: " + "\n  ".join(lines), file=sys.stderr)


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = Parser(
        prog="gafreecell",
        description="Evolve search heuristics for solitaire games, and solve deals with them.",
        formatter_class=_Help,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _evolution(commands)
    _solving(commands)
    return top


class _Version(argparse.Action):
    def __call__(self, *ignored: Any, **options: Any) -> None:
        from gafreecell.version import VERSION

        print(f"gafreecell {VERSION}")
        sys.exit(DONE)


def _add(commands: Any, name: str, module: str, help: str, description: str = "") -> Any:
    command = commands.add_parser(
        name, help=help, description=description or help, formatter_class=_Help
    )
    command.set_defaults(module=module, command=name.replace("-", "_"))
    command.add_argument("--no-progress", action="store_true", help="no progress on stderr")
    return command


def _evolution(commands: Any) -> None:
    evolve = _add(commands, "evolve", "evolution", "run an evolution job in a new run folder")
    evolve.add_argument("job", metavar="JOB.toml")
    evolve.add_argument("--out", metavar="DIR", help="the run folder (default out/<job>-s<seed>)")
    evolve.add_argument("--seed", type=_whole(0), metavar="N", help="instead of the job's seed")
    _generations(evolve, "instead of the job's number of generations")
    evolve.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="instead of the job's: a key, with its table as in solvers.population=10",
    )
    _workers(evolve)

    resume = _add(commands, "resume", "evolution", "resume a run where it stopped")
    resume.add_argument("run", metavar="RUN", help="a run folder")
    _generations(resume, "a new total of generations")
    resume.add_argument("--force", action="store_true", help="although another engine made the run")
    _workers(resume)

    show = _add(commands, "show", "evolution", "say where a run stands and what it found")
    show.add_argument("run", metavar="RUN", help="a run folder")

    export = _add(commands, "export", "evolution", "write a run's best weights to a file")
    export.add_argument("run", metavar="RUN", help="a run folder")
    export.add_argument("-o", "--output", metavar="FILE", required=True, help="weights.json")

    plot = _add(commands, "plot", "plotting", "draw runs as a figure")
    plot.add_argument(
        "runs",
        metavar="RUN",
        nargs="+",
        help="run folders; for a cactus plot presets and weights files too, "
        "to which it adds the game's baselines",
    )
    plot.add_argument("-o", "--output", metavar="FIGURE", required=True, help="png, svg or pdf")
    plot.add_argument(
        "--kind",
        default="fitness",
        metavar="NAME",
        help="fitness (the default), weights, front, cactus, or a figure that a package brings",
    )
    plot.add_argument(
        "--deals",
        action="append",
        metavar="DEALS",
        help="the deals of a cactus plot (default: those its game validates on), "
        "each with the first solver's node budget",
    )
    _game(plot)
    _layout(plot)
    _jobs_option(plot)


def _solving(commands: Any) -> None:
    evaluate = _add(
        commands,
        "evaluate",
        "evaluation",
        "compare solvers on many deals, with confidence intervals",
    )
    evaluate.add_argument("solvers", metavar="PRESET|WEIGHTS.json|RUN", nargs="+")
    evaluate.add_argument(
        "--deals", required=True, action="append", metavar="DEALS", help=DEALS_HELP
    )
    _game(evaluate)
    _variant(evaluate)
    evaluate.add_argument("-o", "--output", metavar="FILE.csv", help="write every outcome as a row")
    evaluate.add_argument("--format", default="table", choices=("table", "json"))
    _limits(evaluate)
    _jobs_option(evaluate)

    solve = _add(commands, "solve", "solving", "solve deals")
    solve.add_argument("deals", metavar="DEALS", nargs="+", help=DEALS_HELP)
    _game(solve)
    solve.add_argument("--preset", metavar="NAME", help="see 'gafreecell presets'")
    solve.add_argument(
        "--weights", metavar="NAME|FILE|RUN", help="weights of a preset, a file or a run"
    )
    solve.add_argument("--search", metavar="NAME", help="another search for the weights")
    _set(solve, "a parameter of the search")
    _goal(solve)
    _variant(solve)
    _limits(solve)
    _jobs_option(solve)
    solve.add_argument("--format", default="text", choices=("text", "jsonl"))
    solve.add_argument("--draw", action="store_true", help="Pyramid: draw each position")
    solve.add_argument(
        "--keep-going",
        action="store_true",
        help="solve the other boards of a file that has wrong ones",
    )
    solve.add_argument("-o", "--output", metavar="FILE", help="write to a file")
    solve.add_argument("--resume", action="store_true", help="resume the output file where it ends")

    _playing(commands)

    deal = _add(commands, "deal", "solving", "print deals as text")
    deal.add_argument("deals", metavar="DEALS", nargs="+", help=DEALS_HELP)
    deal.add_argument(
        "--reachable",
        action="store_true",
        help="Klondike: mark the talon's cards that can be played now, in parentheses",
    )
    _game(deal)
    _variant(deal)

    verify = _add(commands, "verify", "solving", "replay a solution by the rules alone")
    verify.add_argument("deal", metavar="DEAL", help="a number, a file, or - for standard input")
    verify.add_argument(
        "solution",
        metavar="SOLUTION",
        help="a file or -: moves in any white space, or a line of solve's JSON",
    )
    _game(verify)
    _goal(verify)
    _variant(verify)

    presets = _add(commands, "presets", "solving", "list a game's presets")
    _game(presets)


def _goal(command: Any) -> None:
    command.add_argument(
        "--goal",
        metavar="GOAL",
        help="Pyramid: clear, score, score:N, cards:Q or cards:Q:N (most points, or queens, or N)",
    )


def _playing(commands: Any) -> None:
    play = _add(
        commands,
        "play",
        "playing",
        "play Klondike with hidden cards",
        "Play Klondike with hidden cards: the policy does not see the face-down cards of the "
        "piles; it knows the cards of the stock. A line of JSON for each game.",
    )
    play.add_argument("deals", metavar="DEALS", nargs="+", help=DEALS_HELP)
    play.add_argument("--game", default="klondike", metavar="G", help="default klondike")
    play.add_argument(
        "--policy",
        required=True,
        metavar="NAME",
        help="random; greedy; hop (samples 10, level 0); uct (trajectories 1000); hop-uct "
        "(trajectories 100, trees 20); sparse-uct (trajectories 1000, width 5); ensemble-uct "
        "(trajectories 200, trees 20); ensemble-sparse-uct (trajectories 50, trees 50, width 2); "
        "or best (samples 1000)",
    )
    play.add_argument(
        "--seed",
        type=_whole(0),
        default=0,
        metavar="N",
        help="a game's random numbers come from this and its place in the series (default 0)",
    )
    _set(play, "a parameter of the policy")
    for name, meaning in _BUDGETS.items():
        play.add_argument(f"--{name}", type=_whole(0), metavar="N", help=meaning)
    play.add_argument(
        "--seconds",
        type=_positive("seconds"),
        metavar="S",
        help="processor time of each game in place of the counted budget (samples; trajectories "
        "of uct and sparse-uct; trees of the others); not reproducible",
    )
    play.add_argument(
        "--weights",
        metavar="NAME|FILE|RUN",
        help="best: weights for the search complete, its solver, of a preset, a file or a run",
    )
    play.add_argument(
        "--hint",
        action="store_true",
        help="the best move in a position, whose unknown cards are ??, and the chance to win "
        "after each",
    )
    _options(play)
    _jobs_option(play)
    play.add_argument("-o", "--output", metavar="FILE", help="write to a file")
    play.add_argument("--resume", action="store_true", help="resume the output file where it ends")


_BUDGETS = {
    "samples": "hop, best: samples of what the hidden cards can be",
    "level": "hop: level of nesting of its rollouts",
    "trees": "hop-uct, ensembles: trees for each choice",
    "trajectories": "uct and its kin: trajectories in a tree",
    "width": "sparse-uct, ensemble-sparse-uct: outcomes drawn of what an action turns up",
}


def _game(command: Any) -> None:
    command.add_argument("--game", default="freecell", metavar="G", help="default freecell")


def _set(command: Any, what: str) -> None:
    command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help=what)


def _options(command: Any) -> None:
    command.add_argument(
        "--variant",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the game, such as cells=3",
    )


def _variant(command: Any) -> None:
    _options(command)
    command.add_argument(
        "--cells", type=_whole(0), metavar="N", help="FreeCell: free cells, 0 to 7 (4)"
    )
    command.add_argument(
        "--cascades", type=_whole(1), metavar="N", help="FreeCell: cascades, 4 to 9 (8)"
    )
    _layout(command)


def _layout(command: Any) -> None:
    either = command.add_mutually_exclusive_group()
    for layout, meaning in (
        ("rows", "lines of FreeCell boards are rows, as a screen shows them"),
        ("columns", "lines of FreeCell boards are cascades, also where they could be rows"),
    ):
        either.add_argument(
            f"--{layout}", dest="layout", action="store_const", const=layout, help=meaning
        )


def _limits(command: Any) -> None:
    command.add_argument(
        "--nodes",
        type=_whole(1),
        metavar="N",
        help="node budget of each deal instead of the preset's",
    )
    command.add_argument(
        "--seconds",
        type=_positive("seconds"),
        metavar="S",
        help="processor time of each deal; not reproducible",
    )


def _generations(command: Any, help: str) -> None:
    command.add_argument("--generations", type=_whole(1), metavar="N", help=help)


def _workers(command: Any) -> None:
    command.add_argument(
        "--hours",
        type=_positive("hours"),
        metavar="H",
        help="stop after so long, as Ctrl-C does; resume the run later",
    )
    _jobs_option(command)
    command.add_argument("--backend", default="threading", choices=("threading", "loky", "dask"))
    command.add_argument("--scheduler", metavar="ADDRESS", help="of a dask scheduler")


def _jobs_option(command: Any) -> None:
    command.add_argument(
        "--jobs", type=_jobs, default=-1, metavar="N", help="workers (default -1: one a core)"
    )


def _whole(least: int) -> Any:
    def read(text: str) -> int:
        if not text.strip().isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least}, got {text!r}")
        return int(text)

    return read


def _jobs(text: str) -> int:
    if text.strip() == "-1":
        return -1
    if not text.strip().isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"expected a positive number, or -1 for all cores, got {text!r}"
        )
    return int(text)


def _positive(unit: str) -> Any:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not 0 < value < float("inf"):
            raise argparse.ArgumentTypeError(f"expected a positive number of {unit}, got {text!r}")
        return value

    return read
