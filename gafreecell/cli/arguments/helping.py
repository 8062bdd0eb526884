"""``help``, ``warm-up`` and ``completion``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.parsing import GAMES, add


def declare(commands: Any) -> None:
    """Add the commands."""
    helping = add(
        commands,
        "help",
        "helping",
        "show the help of a command",
        examples=("gafreecell help", "gafreecell help solve"),
    )
    helping.add_argument("about", metavar="COMMAND", nargs="?", help="all commands by default")
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
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
