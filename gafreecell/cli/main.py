"""``gafreecell``: runs a command and turns errors into a message and an exit status."""

from __future__ import annotations

import importlib
import os
import select
import shlex
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn, TextIO

from deals.errors import BadInput
from gafreecell.cli.arguments import parser
from gafreecell.cli.statuses import (
    BAD_INPUT,
    DONE,
    INTERRUPTED,
    UNDECIDED,
    Stopped,
    complain,
    is_compiling,
    leave,
)
from gafreecell.solving.stopping import graceful


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and exit with its status."""
    with graceful(to_the_end=True) as signals:
        status = run(arguments)
        if status == INTERRUPTED:
            # By convention, 128 and the number of the signal.
            status = 128 + signals[0] if signals else INTERRUPTED
            if is_compiling():
                leave(status)
    sys.exit(status)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    whole = parser()
    if "_ARGCOMPLETE" in os.environ:
        from gafreecell.cli.completing import complete

        complete(whole)
    if not words:
        whole.print_help(sys.stderr)
        return BAD_INPUT
    given = whole.parse_args(words)
    given.command_line = shlex.join(["gafreecell", *words])
    # joblib warns if work stops early, on Ctrl-C or a closed pipe. Users know that already.
    warnings.filterwarnings("ignore", module="joblib")
    try:
        command = importlib.import_module(f"gafreecell.cli.{given.module}")
        status = getattr(command, given.command)(given)
        sys.stdout.flush()
        return int(status)
    except Stopped as stopped:
        complain(str(stopped))
        return INTERRUPTED
    except KeyboardInterrupt:
        complain(f"interrupted; nothing was saved\nbegin again: {given.command_line}")
        return INTERRUPTED
    except BadInput as error:
        complain("\n".join([str(error), *getattr(error, "__notes__", ())]))
        return BAD_INPUT
    except BaseException as error:
        fault = _fault_of(error)
        if fault:
            return fault
        if isinstance(error, BrokenPipeError) and _is_unread(sys.stdout):
            # The reader of our output went away, as `head` does: nothing is wrong.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return DONE
        if not isinstance(error, OSError):
            raise
        about = (
            f"{error.filename}: {error.strerror}"
            if error.filename
            else error.strerror or str(error)
        )
        complain(about)
        return BAD_INPUT


def _is_unread(stream: TextIO) -> bool:
    """Whether a stream is a pipe that nobody reads any more."""
    poll = select.poll()
    poll.register(stream, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def _fault_of(error: BaseException) -> int:
    """Print an exception that a plug-in raised, with its traceback; 0 if it is ours."""
    import traceback

    from gafreecell.installed import plugins

    owner = plugins.fault_of(error)
    if not owner:
        return DONE
    traceback.print_exception(error)
    complain(f"this is a bug in {owner}, not in your input: please report it to the authors")
    return UNDECIDED
