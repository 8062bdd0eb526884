"""Shell completion: argcomplete completes commands and options; values are completed here."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any


def complete(parser: argparse.ArgumentParser) -> None:
    """Print the completions of the shell's line and exit; return if no shell asks."""
    import argcomplete

    commands = _commands(parser)
    for command in commands.values():
        for action in command._actions:
            if action.dest == "about":
                action.completer = lambda **ignored: [*commands]  # type: ignore[attr-defined]
            named = action.option_strings[0] if action.option_strings else action.dest
            if named in _NAMES:
                action.completer = _NAMES[named]  # type: ignore[attr-defined]
    argcomplete.autocomplete(parser)


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return dict(commands.choices)


def _games(**ignored: Any) -> list[str]:
    from gafreecell.solitaire.game import games

    return games()


def _game(parsed_args: argparse.Namespace) -> Any:
    """The game that the line names so far, or the default."""
    from gafreecell.solitaire.game import DEFAULT, game

    return game(getattr(parsed_args, "game", None) or DEFAULT)


def _presets(parsed_args: argparse.Namespace, **ignored: Any) -> list[str]:
    from gafreecell.solitaire.game import presets_of

    return list(presets_of(_game(parsed_args)))


def _solvers(prefix: str, parsed_args: argparse.Namespace, **ignored: Any) -> list[str]:
    """Presets, files and folders."""
    from argcomplete.completers import FilesCompleter

    return [*_presets(parsed_args), *FilesCompleter()(prefix)]


def _searches(parsed_args: argparse.Namespace, **ignored: Any) -> list[str]:
    from gafreecell.solitaire.abilities import Searches

    game = _game(parsed_args)
    return list(game.searches) if isinstance(game, Searches) else []


def _policies(parsed_args: argparse.Namespace, **ignored: Any) -> list[str]:
    from gafreecell.solitaire.abilities import HiddenPlay

    game = _game(parsed_args)
    return [policy.name for policy in game.player.policies] if isinstance(game, HiddenPlay) else []


def _deals(prefix: str, parsed_args: argparse.Namespace, **ignored: Any) -> list[str]:
    """Named sets of deals, and files."""
    from argcomplete.completers import FilesCompleter

    # ``sets`` is optional and serves completion only, so no protocol has it.
    sets = getattr(_game(parsed_args), "sets", ())
    return [*sets, *FilesCompleter()(prefix)]


def _settings(parsed_args: argparse.Namespace, **ignored: Any) -> list[str]:
    """Keys of jobs for ``evolve``; else parameters of the chosen search, or of all searches."""
    from gafreecell.solitaire.abilities import Searches

    if not hasattr(parsed_args, "search") and not hasattr(parsed_args, "solvers"):
        return _job_keys()
    game = _game(parsed_args)
    searches = game.searches if isinstance(game, Searches) else ()
    asked = getattr(parsed_args, "search", None)
    chosen = [name for name in searches if name == asked] or searches
    return [f"{one.name}=" for name in chosen for one in game.parameters(name)]


def _job_keys() -> list[str]:
    from gafreecell.evolution.key_list import keys_of, tables

    found = []
    for table, kind in tables().items():
        if table not in ("exports", "phases"):
            where = "" if table == "job" else f"{table}."
            found += [f"{where}{key.name}=" for key in keys_of(kind)]
    return found


def _job_tables(parsed_args: argparse.Namespace, **ignored: Any) -> list[str]:
    from gafreecell.cli.listing import PLANS
    from gafreecell.evolution.key_list import tables

    return [*tables(), *PLANS] if parsed_args.what == "keys" else []


def _figures(**ignored: Any) -> list[str]:
    from gafreecell.installed import plugins

    return plugins.names("figure")


_NAMES: dict[str, Callable[..., list[str]]] = {
    "--game": _games,
    "--preset": _presets,
    "--weights": _solvers,
    "solvers": _solvers,
    "--search": _searches,
    "--policy": _policies,
    "--kind": _figures,
    "--deals": _deals,
    "--set": _settings,
    "table": _job_tables,
    "deals": _deals,
    "position": _deals,
    "deal": _deals,
}
"""What completes the values of an option or argument."""
