"""Calls the callbacks of a run: functions, and objects with ``on_...`` methods.

Callbacks are called after the generation is saved. They get a copy of the run, which they share,
and one of its record each, so nothing they do affects the run's random numbers, digests or files.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from deals.checks import shown
from deals.errors import BadInput
from gafreecell.solving.contract import named_errors, noted

if TYPE_CHECKING:
    from gafreecell.runs.record import Run

EVENTS = ("on_start", "on_generation", "on_end", "on_phase", "on_progress")


class CallbackError(BadInput):
    """Something given as a callback that cannot be called."""


def _check_takes_two(function: Callable[..., Any]) -> None:
    """Refuse a function that cannot be called as ``f(run, record)``, before the run starts."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        # Functions written in C may have no signature.
        return
    try:
        signature.bind(None, None)
    except TypeError:
        raise CallbackError(
            f"a callback must take two arguments, f(run, record), but this one takes "
            f"{signature}: {function!r:.60}"
        ) from None


def _called(event: str, method: Callable[..., Any], *given: Any) -> Any:
    with named_errors(f"{event} of the callback {method!r:.80}", CallbackError):
        return method(*given)


class Callbacks:
    """Several callbacks as one.

    Each is a function ``f(run, record)``, called after every generation, or an object with
    any of these methods:

    - ``on_start(run)``: the run begins, or resumes, after ``run.generation`` generations;
    - ``on_generation(run, record)``: a generation is done and saved; ``record`` is its line
      of the log. Return True to end the run here, otherwise None or False; an ended run can be
      resumed;
    - ``on_end(run)``: the run stops, for whatever reason; not called unless ``on_start``, if there
      is one, was called and returned;
    - ``on_phase(name)``: ``solvers``, ``baseline`` or ``validation`` deals are being solved,
      or, before the run begins, ``earlier phases`` are tried on its deals;
    - ``on_progress(done, total)``: ``done`` of the phase's ``total`` evaluations are done.

    Args:
        given: a callback, or a sequence of them.

    Raises:
        CallbackError: if one is not a function and has none of these methods, or something else
            in the place of one.
    """

    def __init__(self, given: Any = ()) -> None:
        self._given: list[dict[str, partial[Any]]] = []
        self._started = 0
        for one in given if isinstance(given, Sequence) else [given]:
            methods = {}
            if not isinstance(one, type):
                methods = {event: getattr(one, event) for event in EVENTS if hasattr(one, event)}
                if not methods and callable(one):
                    _check_takes_two(one)
                    methods = {"on_generation": one}
            for event, method in methods.items():
                if not callable(method):
                    raise CallbackError(
                        f"the {event} of a callback must be a method, got {shown(method)} in "
                        f"{shown(one)}: define it, or leave it out"
                    )
            if not methods:
                raise CallbackError(
                    f"a callback must be a function f(run, record) or an object with any of "
                    f"{', '.join(EVENTS)}, got {one!r:.60}"
                )
            self._given.append({e: partial(_called, e, method) for e, method in methods.items()})

    def start(self, run: Run) -> None:
        """The run begins."""
        for one in self._given:
            if "on_start" in one:
                one["on_start"](run)
            self._started += 1

    def generation(self, run: Run, record: Mapping[str, Any]) -> bool:
        """A generation is saved; returns whether a callback ends the run."""
        # Call every callback, even after one of them has ended the run.
        calls = self._calls("on_generation")
        ends = [(call(run, copy.deepcopy(record)), call) for call in calls]
        for end, call in ends:
            if end is not None and not isinstance(end, bool | np.bool_):
                raise CallbackError(
                    "a callback must return True to end the run here, otherwise None or False, "
                    f"got {shown(end)} from {call.args[1]!r:.60}"
                )
        return any(end for end, _ in ends)

    def end(self, run: Run, error: BaseException | None = None) -> None:
        """The run stops; every callback that has started is told so, whatever the others raise.

        Args:
            run: the run.
            error: what ended it; gets a note of each error of a callback. Without it, the first
                of these is raised in the end.
        """
        started, self._started = self._given[: self._started], 0
        raised = None
        for one in started:
            try:
                if "on_end" in one:
                    one["on_end"](run)
            except BaseException as fault:
                if error is None:
                    error = raised = fault
                else:
                    noted(error, f"after that, {one['on_end'].args[1]!r:.80} raised {fault!r:.200}")
        if raised is not None:
            raise raised

    def phase(self, name: str) -> None:
        """Another phase is being computed."""
        self._all("on_phase", name)

    def progress(self, done: int, total: int) -> None:
        """Some of the phase's evaluations are done."""
        self._all("on_progress", done, total)

    def _all(self, event: str, *arguments: Any) -> None:
        for call in self._calls(event):
            call(*arguments)

    def _calls(self, event: str) -> list[partial[Any]]:
        return [one[event] for one in self._given if event in one]
