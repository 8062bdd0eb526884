"""``help`` and ``completion``."""

from __future__ import annotations

from argparse import Namespace

from deals.errors import did_you_mean
from gafreecell.cli.statuses import DONE
from gafreecell.service.inputs import InputError


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
