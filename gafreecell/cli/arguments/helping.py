"""``serve``, ``demo``, ``examples``, ``help``, ``warm-up`` and ``completion``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import add
from gafreecell.cli.parsing import GAMES


def serve(commands: Any) -> None:
    serve = add(
        commands,
        "serve",
        "serving",
        "open a local web app: play with a coach, solve, watch runs",
        "Serve a web app on this machine: play with a coach, solve deals and get hints in a "
        "browser, put a board together card by card, and watch the runs below the current folder "
        "while they evolve. It listens on 127.0.0.1 alone, so no other machine can reach it, and "
        "needs the extra web: pip install 'gafreecell[web]'.",
        examples=("gafreecell serve", "gafreecell serve --port 8080 --game my-game.toml"),
        statuses={0: "stopped by Ctrl-C", 130: "stopped by Ctrl-C before it listened"},
    )
    serve.add_number("--port", 0, "the port (default 8000); 0 for any free one", default=8000)
    serve.add_value(
        "--host",
        "ADDRESS",
        "the address to listen on (default 127.0.0.1). Any other address lets other machines "
        "use the app, which has no passwords",
        default="127.0.0.1",
    )
    serve.add_value(
        "--game",
        "FILE",
        "the rules of a game of your own, which gets a page, too. Repeat it for several",
        action="append",
        default=[],
    )
    serve.add_jobs()


def demo(commands: Any) -> None:
    demo = add(
        commands,
        "demo",
        "demo",
        "evolve weights in a minute, draw and evaluate them",
        "Evolve weights for FreeCell in a small run, draw figures of it, and compare the weights "
        "with a published heuristic on other deals. The commands that do so are printed.",
        examples=("gafreecell demo", "gafreecell demo --out tried"),
    )
    demo.add_value(
        "--out",
        "DIR",
        "the run folder (default out/demo); an earlier demo there is replaced",
        default="out/demo",
    )
    demo.add_jobs()


def games(commands: Any) -> None:
    games = add(
        commands,
        "games",
        "listing",
        "list the games there are, those given as rules by family, or tell the rules of one",
        "List the games: first those with an engine of their own, then those given as rules, by "
        "family. --game takes each of the names, and a file of rules of your own "
        "(--game my-game.toml). With a game, tell its rules in words, which shows how a file "
        "of rules is understood.",
        examples=(
            "gafreecell games",
            "gafreecell games | grep -i spider",
            "gafreecell games yukon",
        ),
    )
    games.set_defaults(command="list_games")
    games.add_value("game", "GAME", "a game, or a file of rules", nargs="?")


def list(commands: Any) -> None:
    listed = add(
        commands,
        "list",
        "listing",
        "list the trainers, schemes, measures, operators, figures and keys of jobs",
        "List what jobs can name: trainers, schemes, measures, operators and figures, those of "
        "installed packages, too; or the keys of jobs and of plans of studies, by table, and those "
        "of one table with their defaults, what is allowed, and what they are for.",
        examples=(
            "gafreecell list",
            "gafreecell list trainers",
            "gafreecell list keys",
            "gafreecell list keys solvers",
        ),
    )
    listed.set_defaults(command="list_parts")
    listed.add_argument(
        "what",
        nargs="?",
        metavar="WHAT",
        choices=("trainers", "schemes", "measures", "operators", "figures", "keys"),
        help="trainers, schemes, measures, operators, figures, or keys; all parts by default",
    )
    listed.add_value(
        "table",
        "TABLE",
        "keys: a table of a job or a plan, such as solvers; an overview by default",
        nargs="?",
    )


def examples(commands: Any) -> None:
    examples = add(
        commands,
        "examples",
        "demo",
        "copy the job files, reference runs and example packages",
        "Copy the job files and reference runs (to runs/) and the example packages (to examples/) "
        "that come with gafreecell. With them the commands of the documentation work as printed.",
        examples=("gafreecell examples", "gafreecell examples somewhere"),
    )
    examples.add_value(
        "folder",
        "DIR",
        "the folder to copy to (default: the current folder)",
        nargs="?",
        default=".",
    )


def help(commands: Any) -> None:
    helping = add(
        commands,
        "help",
        "helping",
        "show the help of a command",
        examples=("gafreecell help", "gafreecell help solve"),
    )
    helping.add_value("about", "COMMAND", "the command (default: all of them)", nargs="?")
    helping.set_defaults(commands=commands)


def warm_up(commands: Any) -> None:
    warm_up = add(
        commands,
        "warm-up",
        "helping",
        "compile all solvers once, so that no later command waits for it",
        "Compile all solvers for this machine once, so that no later command waits for it. The "
        "compiled code is kept in the user's cache directory, or in the directory that "
        "GAFREECELL_CACHE names.",
        examples=("gafreecell warm-up", "gafreecell warm-up --game klondike"),
    )
    warm_up.add_value("--game", "G", f"all (the default), {GAMES}", default="all")


def completion(commands: Any) -> None:
    completion = add(
        commands,
        "completion",
        "helping",
        "print shell code that completes commands, options and names",
        examples=(
            'eval "$(gafreecell completion bash)"       # in ~/.bashrc',
            'eval "$(gafreecell completion zsh)"        # in ~/.zshrc, after compinit',
            "gafreecell completion fish | source        # in ~/.config/fish/config.fish",
        ),
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
