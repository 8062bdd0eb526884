"""``demo``, ``examples``, ``help``, ``warm-up`` and ``completion``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import add_jobs
from gafreecell.cli.parsing import GAMES, add


def declare(commands: Any) -> None:
    """Add the commands."""
    demo = add(
        commands,
        "demo",
        "demo",
        "evolve weights in a minute, draw and evaluate them",
        "Evolve weights for FreeCell in a small run, draw figures of it, and compare the weights "
        "with a published heuristic on other deals. The commands that do so are printed.",
        examples=("gafreecell demo", "gafreecell demo --out tried"),
    )
    demo.add_argument(
        "--out",
        metavar="DIR",
        default="out/demo",
        help="the run folder (default out/demo); an earlier demo there is replaced",
    )
    add_jobs(demo)

    examples = add(
        commands,
        "examples",
        "demo",
        "copy the job files, reference runs and example packages",
        "Copy the job files and reference runs (to runs/) and the example packages (to examples/) "
        "that come with gafreecell. With them the commands of the documentation work as printed.",
        examples=("gafreecell examples", "gafreecell examples somewhere"),
    )
    examples.add_argument(
        "folder",
        metavar="DIR",
        nargs="?",
        default=".",
        help="the folder to copy to (default: the current folder)",
    )

    helping = add(
        commands,
        "help",
        "helping",
        "show the help of a command",
        examples=("gafreecell help", "gafreecell help solve"),
    )
    helping.add_argument(
        "about", metavar="COMMAND", nargs="?", help="the command (default: all of them)"
    )
    helping.set_defaults(commands=commands)

    warm_up = add(
        commands,
        "warm-up",
        "warming",
        "compile all solvers once, so that no later command waits for it",
        "Compile all solvers for this machine once, so that no later command waits for it. The "
        "compiled code is kept in the user's cache directory, or in the directory that "
        "GAFREECELL_CACHE names.",
        examples=("gafreecell warm-up", "gafreecell warm-up --game klondike"),
    )
    warm_up.add_argument("--game", default="all", metavar="G", help=f"all (the default), {GAMES}")

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
