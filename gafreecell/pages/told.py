"""What a report consists of besides tables: a few figures, each run in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fact:
    """A figure that a page begins with.

    Attributes:
        name: what it is.
        value: the figure.
        about: what to compare it with, or how sure it is.
    """

    name: str
    value: str
    about: str = ""


@dataclass(frozen=True)
class Story:
    """A run in words.

    Attributes:
        name: of the run.
        paragraphs: what its job does, without what all jobs of the page have in common.
        job: the job file with every key.
        rules: the conditions of a policy of rules, one a line.
        command: runs the job again.
    """

    name: str
    paragraphs: Sequence[str]
    job: str
    rules: Sequence[str]
    command: str


@dataclass(frozen=True)
class Hard:
    """One of the hardest deals.

    Attributes:
        title: the deal's name.
        place: where its replay stands on the page: ``deal-7`` for a link to ``#deal-7``.
        cells: what each solver made of it.
        replay: as ``static/replay.js`` reads it; None if there is nothing to show.
    """

    title: str
    place: str
    cells: Sequence[str]
    replay: Mapping[str, Any] | None
