"""Checks what a user's game returns.

A breach of the contract raises a ``GameError`` that says what the contract asks for, what came and
how to mend it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from deals.checks import finite, plain, shown, too_large, whole
from deals.errors import BadInput
from gafreecell.solving.outcome import LARGEST, Nodes, Outcome, Status, Task
from gafreecell.solving.parameters import Parameter
from gafreecell.solving.stopping import Interrupted

SLACK = 100
"""How many nodes beyond its budget a search may generate, to finish an expansion."""
LONGEST = 300
"""How many characters of the wrong value a message shows."""


class GameError(BadInput):
    """A game cannot do what was asked, or its code breaks the contract of games."""


def breach(asked: str, came: object, mend: str) -> str:
    """The message for a breach of the contract.

    Args:
        asked: what the contract asks for, a main clause.
        came: what came instead.
        mend: how the author can mend it.
    """
    text = came if isinstance(came, str) else shown(came, LONGEST + 1)
    return f"{asked}, got {text if len(text) <= LONGEST else f'{text[:LONGEST]}...'}: {mend}"


def require(kept: object, asked: str, came: object, mend: str) -> None:
    """Raise ``GameError`` unless ``kept`` is true; the other arguments are those of ``breach``."""
    if not kept:
        raise GameError(breach(asked, came, mend))


def called(deal: object) -> str:
    """How messages refer to a deal: by its number or name. Boards would be too long."""
    return f"deal {deal}" if isinstance(deal, int | str) else "a board"


def noted(error: BaseException, note: str) -> BaseException:
    """The error with a note, or, if it does not let itself be changed, another that quotes it."""
    try:
        error.add_note(note)
    except Exception:
        # An error that is a frozen dataclass could not even leave a ``with`` block.
        quoted = RuntimeError(f"{type(error).__name__}: {error}")
        quoted.add_note(note)
        quoted.__cause__ = error
        return quoted
    return error


@contextmanager
def named_errors(
    what: str, kind: type[BadInput], passed: type[BadInput] = BadInput
) -> Iterator[None]:
    """Context in which a method of a plug-in or a callback runs; its errors say so.

    Args:
        what: the part and its method.
        kind: the error in place of ``SystemExit`` and others that would end the process, a
            thread or a loop without a word.
        passed: errors that already say what is wrong.
    """
    try:
        yield
    except (KeyboardInterrupt, Interrupted, passed):
        raise
    except SystemExit as error:
        code = "" if error.code is None else repr(error.code)
        raise kind(f"{what} called sys.exit({code}): return, or raise an exception") from error
    except BaseException as error:
        if isinstance(error, StopIteration) or not isinstance(error, Exception):
            said = f"{error!r:.{LONGEST}}"
            raise kind(f"{what} raised {said}: catch it, or raise another exception") from error
        if not is_named(error):
            error = noted(error, f"raised by {what}")
        raise error


@contextmanager
def blaming(game: str, deal: object, method: str) -> Iterator[None]:
    """Context in which a game's method runs; its errors name the game, the deal and the method."""
    where = f"the game {game!r}, {called(deal)}"
    with named_errors(f"{where}: {method}", GameError, GameError):
        try:
            yield
        except GameError as error:
            raise GameError(f"{where}: {error}") from None


def is_named(error: BaseException) -> bool:
    """Whether an error says what raised it, or is none of a plug-in's code."""
    if isinstance(error, GameError | KeyboardInterrupt | Interrupted):
        return True
    return any(note.startswith("raised by ") for note in getattr(error, "__notes__", ()))


def check_parameters(known: object, what: str) -> None:
    """Check that parameters have distinct names and allow their own defaults."""
    fine = isinstance(known, tuple) and all(isinstance(one, Parameter) for one in known)
    mend = "make it one; a tuple of one is written (Parameter(...),)"
    require(fine, f"{what} must be a tuple of Parameter", repr(known), mend)
    names = [parameter.name for parameter in known]  # type: ignore[attr-defined]
    require(len(set(names)) == len(names), f"{what} must have distinct names", names, "rename one")
    for parameter in known:  # type: ignore[attr-defined]
        try:
            parameter.read(parameter.default)
        except BadInput as error:
            raise GameError(
                f"{what}: {parameter.name} must allow its own default ({error}): change the "
                "default or the allowed values"
            ) from None


def outcome_of(found: object, budget: int, seconds: float, limit: float | None = None) -> Outcome:
    """Make an outcome of what a game's ``solve`` returned, and check it.

    Args:
        found: the moves, None without a solution, and the number of nodes generated; or an
            ``Outcome``, which gets ``seconds`` if it has none.
        budget: how many nodes it could generate.
        seconds: processor time it took.
        limit: processor time it could take; None for any.

    Raises:
        GameError: if ``found`` is neither, or if it cannot be true.
    """
    if not isinstance(found, Outcome):
        found = _made(found, budget, seconds, limit)
    elif finite(found.seconds) == 0:
        found = replace(found, seconds=seconds)
    return checked_outcome(found, budget, "what solve returns")


def outcomes_of_run(found: object, tasks: Sequence[Task], game: str) -> list[Outcome]:
    """What a game's own ``run`` returned, checked.

    Args:
        found: an outcome for each task, in their order.
        tasks: what it had to solve.
        game: its name.

    Raises:
        GameError: naming the game, and the deal of an outcome that cannot be true.
    """
    fine = isinstance(found, Sequence) and len(found) == len(tasks)
    asked = f"the game {game!r}: run must return a list of {len(tasks)}, an outcome a task"
    require(fine, asked, shown(found, LONGEST), "solve the tasks one after another")
    outcomes = []
    for task, outcome in zip(tasks, found, strict=True):  # type: ignore[call-overload]
        with blaming(game, task.deal, "run"):
            fine = isinstance(outcome, Outcome)
            mend = "return gafreecell.Outcome objects"
            require(fine, "run must return an Outcome for each task", shown(outcome), mend)
            outcomes.append(checked_outcome(outcome, task.limits.nodes, "what run returns"))
    return outcomes


def checked_outcome(outcome: Outcome, budget: int, where: str) -> Outcome:
    """A copy of the outcome, if it keeps the contract; numpy's numbers become Python's.

    Nothing that the game does to its lengths later reaches the copy.

    Args:
        outcome: with its moves.
        budget: how many nodes the search could generate.
        where: how messages refer to it.
    """
    lengths = outcome.lengths
    if isinstance(lengths, Mapping):
        lengths = {unit: plain(length) for unit, length in lengths.items()}
    outcome = replace(outcome, lengths=lengths, seconds=plain(outcome.seconds))
    check_outcome(outcome, where)
    check_budget(outcome, budget)
    if outcome.cost is None or type(outcome.cost) in (int, float):
        return outcome
    return replace(outcome, cost=finite(outcome.cost))


def kept_outcome(
    status: Any, lengths: Any, nodes: Sequence[Any], seconds: Any, cost: Any
) -> Outcome:
    """An outcome without its moves, from the values of a file.

    Args:
        lengths: None if the file does not keep those of solutions.
        status, nodes, seconds, cost: as they are in the file.

    Raises:
        ValueError: if they are not those of an outcome.
    """
    found = Outcome(Status(status), None, lengths, Nodes(*nodes), seconds, cost)
    solved = found.status is Status.SOLVED
    whole_one = replace(found, moves=(), lengths={"": 0} if lengths is None else lengths)
    check_outcome(whole_one if solved else found, "an outcome")
    return found


def _made(found: Any, budget: int, seconds: float, limit: float | None) -> Outcome:
    asked = "solve must return (moves, nodes generated) or a gafreecell.Outcome"
    mend = "end it with `return moves, count`, moves None without a solution"
    require(isinstance(found, tuple | list) and len(found) == 2, asked, repr(found), mend)
    moves, given = found
    count = whole(given)
    mend = "count the states generated, the first included, in whole numbers"
    if count is None:
        raise GameError(breach(f"{asked}; the nodes must be a whole number", repr(given), mend))
    if moves is not None:
        listed = isinstance(moves, Sequence) and not isinstance(moves, str | bytes)
        fine = listed and all(isinstance(move, str) for move in moves)
        mend = "return a list of strings, as list(map(str, moves)), or None without a solution"
        require(fine, f"{asked}; the moves must be a list of strings or None", repr(moves), mend)
        texts = tuple(map(str, moves))
        return Outcome(Status.SOLVED, texts, {"moves": len(texts)}, Nodes(count, count), seconds)
    if count >= budget:
        status = Status.NODE_LIMIT
    else:
        out_of_time = limit is not None and seconds >= limit
        status = Status.TIME_LIMIT if out_of_time else Status.EXHAUSTED
    return Outcome(status, None, None, Nodes(count, count), seconds)


def check_outcome(outcome: Outcome, where: str) -> None:
    """Raise ``GameError`` if a game's outcome breaks the contract or cannot be true.

    Args:
        outcome: with its moves.
        where: how messages refer to it.
    """
    status, nodes, seconds = outcome.status, outcome.nodes, outcome.seconds
    fine = isinstance(status, Status)
    mend = "take one of gafreecell.Status, as Status.SOLVED"
    require(fine, f"{where} must have a Status", shown(status), mend)
    solved = status is Status.SOLVED
    for part in ("moves", "lengths"):
        value = getattr(outcome, part)
        asked = f"{where}, {status}, must have {part if solved else f'None as {part}'}"
        mend = "give moves and lengths for solved deals only"
        require((value is not None) == solved, asked, shown(value), mend)
    moves = outcome.moves or ()
    fine = isinstance(moves, tuple) and all(type(move) is str for move in moves)
    require(
        fine,
        f"{where} must have a tuple of strings as moves",
        shown(moves, LONGEST),
        "convert them",
    )
    lengths = outcome.lengths if solved else {"none": 0}
    fine = isinstance(lengths, Mapping) and bool(lengths)
    fine = fine and all(
        isinstance(unit, str) and type(length) is int and 0 <= length <= LARGEST
        for unit, length in (lengths or {}).items()
    )
    mend = 'give it in plain int, as {"moves": 12}'
    require(fine, f"{where} must have the solution's length by unit", shown(lengths, LONGEST), mend)
    fine = isinstance(nodes, Nodes) and {type(nodes.expanded), type(nodes.generated)} == {int}
    mend = "count every state, the first included, and turn numpy's numbers into int"
    fine = fine and 0 < nodes.generated <= LARGEST and 0 <= nodes.expanded <= LARGEST
    fine = fine and (nodes.scored is None or (type(nodes.scored) is int and nodes.scored >= 0))
    asked = f"{where} must count its nodes, at least one generated"
    require(fine, asked, shown(nodes, LONGEST), mend)
    fine = isinstance(seconds, int | float) and finite(seconds) is not None and seconds >= 0
    asked = f"{where} must have its processor time"
    require(fine, asked, f"{shown(seconds)} seconds", "use time.thread_time()")
    if outcome.cost is not None:
        cost = finite(outcome.cost)
        asked = f"{where} must have a finite cost of 0 or more{too_large(outcome.cost)}, or None"
        require(cost is not None and cost >= 0, asked, shown(outcome.cost), "give a number")


def check_budget(outcome: Outcome, nodes: int) -> None:
    """Raise ``GameError`` if a search did not stop at its limit of nodes."""
    asked = f"a search must stop at its limit of {nodes:,}, or at most {SLACK} nodes later"
    mend = "stop as soon as the number of states generated reaches `nodes` (or `task.limits.nodes`)"
    came = f"{outcome.status} after {outcome.nodes.generated:,}"
    require(outcome.nodes.generated <= nodes + SLACK, asked, came, mend)
