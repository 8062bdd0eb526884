"""Files that commands write."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from gafreecell.service.inputs import GivenDeal, InputError

JSON_LINES = "jsonl"
"""The format, and the suffix of the files that have it."""


def format_of(given: Namespace) -> str:
    """The format of a command that writes text or JSON lines.

    It is what ``--format`` asks for, else what the output file's name stands for, else text.
    """
    named = Path(given.output or "").suffix.removeprefix(".")
    return given.format or (JSON_LINES if named == JSON_LINES else "text")


def source_of(deal: GivenDeal) -> dict[str, str]:
    """The key of a JSON line that says where its board was read; none for a number."""
    return {"source": deal.source} if deal.source else {}


def make_folder(path: str) -> None:
    """Make the folder of a file that is to be written, with those above it."""
    folder = Path(path).parent
    # What is there and is no folder shows when the file is opened.
    if not folder.exists():
        folder.mkdir(parents=True)


def check_writable(path: str) -> None:
    """Raise ``OSError`` unless a file can be written there; an existing one is left unchanged.

    Creates missing folders above it.
    """
    make_folder(path)
    existed = Path(path).exists()
    with Path(path).open("a", encoding="utf-8"):
        pass
    if not existed:
        Path(path).unlink()


def refuse_existing(path: str | None, resume: str = "") -> None:
    """Refuse to overwrite a file that is not empty.

    Args:
        path: the value of ``-o``; None, ``-`` and anything but a regular file are fine.
        resume: how to complete the file instead, in words that follow "or"; empty if the command
            cannot.

    Raises:
        InputError: saying what to do instead.
    """
    if not path or path == "-" or not Path(path).is_file() or not Path(path).stat().st_size:
        return
    ways = "name another file" + (f", or {resume}" if resume else ", or remove it")
    raise InputError(f"{path} exists and will not be overwritten: {ways}")


@contextmanager
def output(path: str | None, append: bool) -> Iterator[TextIO]:
    """Open a file for lines; standard output for None or ``-``."""
    if not path or path == "-":
        yield sys.stdout
        return
    make_folder(path)
    with Path(path).open("a" if append else "w", encoding="utf-8") as file:
        yield file


def check_resume(given: Namespace, *, grows: bool) -> None:
    """Refuse ``--resume`` without a file, or with a format that has no line for each deal.

    Args:
        given: the options of the command.
        grows: whether the output has a line for each deal.

    Raises:
        InputError: saying what is missing.
    """
    if given.resume and (not given.output or given.output == "-"):
        raise InputError("--resume needs the output file: -o FILE")
    if given.resume and not grows:
        raise InputError("--resume needs --format jsonl, or a file that is named so: -o FILE.jsonl")
