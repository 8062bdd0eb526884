"""How breaches of a contract are found and reported."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from deals.errors import BadInput
from gafreecell.evolution.operators.global_random import global_generators_kept
from gafreecell.solving.contract import GameError, breach

UNKNOWN = "no-such-thing"
"""A name that no game uses."""


def require(kept: object, asked: str, came: object, mend: str) -> None:
    """Raise ``AssertionError`` unless a part of the contract is kept.

    Args:
        kept: whether it is kept.
        asked: what the contract asks for, as a main clause.
        came: what there is instead.
        mend: what the author can do about it.
    """
    if not kept:
        raise AssertionError(breach(asked, came, mend))


@contextmanager
def told_as_breaches(what: str) -> Iterator[None]:
    """A context for the game under test, in which every error becomes an ``AssertionError``.

    Args:
        what: what is being checked.
    """
    try:
        yield
    except AssertionError:
        raise
    except GameError as error:
        raise AssertionError(str(error)) from None
    except Exception as error:
        notes = "; ".join(getattr(error, "__notes__", ()))
        came = f"{error!r}{f' ({notes})' if notes else ''}"
        mend = "the traceback above says where"
        raise AssertionError(breach(f"a game must not fail ({what})", came, mend)) from error


def require_refusal(action: Callable[[], object], what: str) -> None:
    """Require that an action is refused with ``BadInput``, whose text users see."""
    came = "no complaint"
    try:
        action()
    except BadInput as error:
        if str(error).strip():
            return
        came = "a BadInput without a text"
    except Exception as error:
        came = repr(error)
    require(
        False,
        f"{what} must be refused with deals.errors.BadInput or a subclass",
        came,
        "raise it with a sentence that says what there is instead",
    )


def require_acceptance(action: Callable[[], object], what: str) -> None:
    """Require that an action is not refused."""
    try:
        action()
    except BadInput as error:
        require(False, f"{what} must be accepted", f"a complaint ({error})", "change either")


def require_json(value: Any, what: str) -> Any:
    """Require that a value can go through JSON; returns what comes back."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise AssertionError(
            f"{what} must be plain numbers, words, lists and mappings that JSON can hold, "
            f"got {error}: convert numpy's numbers with .item() or .tolist()"
        ) from None


@contextmanager
def global_generators_untouched(what: str, seed: int) -> Iterator[None]:
    """A context that seeds the global generators, from which nobody may draw."""
    with global_generators_kept():
        random.seed(seed)
        np.random.seed(seed)
        before = _global_states()
        yield
        require(
            _global_states() == before,
            f"{what} must leave the global random generators alone",
            "draws from them",
            "draw from moment.rng(purpose), the generator of the moment that it is given",
        )


def _global_states() -> Sequence[object]:
    _, numbers, place, *gauss = np.random.get_state()
    return random.getstate(), np.asarray(numbers).tolist(), place, gauss
