"""``help``, ``completion`` and ``warm-up``, which compiles everything once."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Sequence

from deals.errors import did_you_mean
from gafreecell.cli.statuses import DONE
from gafreecell.service.inputs import InputError
from gafreecell.solitaire.abilities import Compiles
from gafreecell.solitaire.game import game, games
from gafreecell.solving.cache import cache_directory
from gafreecell.solving.loading import Part
from gafreecell.terminal.progress import counted, duration


def help(given: Namespace) -> int:
    """Print the help of one command, or the list of all."""
    known = given.commands.choices
    if given.about is None:
        from gafreecell.cli.arguments import parser

        parser().print_help()
        return DONE
    if given.about not in known:
        guess = did_you_mean(given.about, known)
        raise InputError(f"there is no command {given.about!r}{guess or '; see gafreecell help'}")
    known[given.about].print_help()
    return DONE


def completion(given: Namespace) -> int:
    """Print the shell code that sets up completion."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["gafreecell"], shell=given.shell))
    return DONE


ALL = "all"
COMPILED_SECONDS = 1.5
"""A part that took less time was loaded from the cache, not compiled."""


def warm_up(given: Namespace) -> int:
    """Compile the solvers of one game or all; each part's line says how much time is left."""
    names = games() if given.game == ALL else [given.game]
    chosen = [one for one in map(game, names) if isinstance(one, Compiles)]
    work = [(one, part) for one in chosen for part in one.parts]
    taken: list[tuple[Part, float]] = []
    # Each part prints a line anyway, so only a terminal gets a bar.
    with counted(len(work), sys.stderr.isatty(), unit="parts", good="") as advance:
        for place, (one, part) in enumerate(work, start=1):
            began = time.monotonic()
            one.load(part)
            taken.append((part, time.monotonic() - began))
            left = expected([part for _, part in work[place:]], taken)
            what = duration(taken[-1][1]) if taken[-1][1] >= COMPILED_SECONDS else "ready"
            more = f"; about {duration(left)} left" if left else ""
            with advance.printing_to(sys.stdout):
                print(f"{place:>2} of {len(work)}: {part.name}: {what}{more}", flush=True)
            advance(1, 0)
    total = duration(sum(seconds for _, seconds in taken))
    print(f"Everything is compiled, after {total}; the cache is {cache_directory()}.")
    return DONE


def expected(parts: Sequence[Part], taken: Sequence[tuple[Part, float]]) -> float:
    """Seconds that the parts will take, at the pace of those that were compiled so far.

    0 if nothing had to be compiled so far: the others are then likely to be in the cache, too.
    """
    compiled = [(part, seconds) for part, seconds in taken if seconds >= COMPILED_SECONDS]
    usual = sum(part.seconds for part, _ in compiled)
    if not usual:
        return 0.0
    pace = sum(seconds for _, seconds in compiled) / usual
    return pace * sum(part.seconds for part in parts)
