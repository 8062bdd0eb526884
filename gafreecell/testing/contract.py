"""How breaches of a contract are told."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from deals.errors import BadInput
from solving.parameters import Parameter

UNKNOWN = "no-such-thing"
"""What no game has."""
LONGEST = 300
"""Letters that a message shows of what came."""
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def require(kept: object, asked: str, came: object, mend: str) -> None:
    """Raise ``AssertionError`` unless a part of the contract is kept.

    Args:
        kept: whether it is.
        asked: what the contract asks, a main clause.
        came: what there is instead.
        mend: what the author can do about it.
    """
    if not kept:
        raise AssertionError(f"{asked}, got {_short(came)}: {mend}")


def require_word(name: object, what: str) -> None:
    """A name has to do for files, TOML keys and the command line."""
    require(
        isinstance(name, str) and _WORD.fullmatch(name),
        f"{what} must be a word of letters, digits, '-' and '_'",
        repr(name),
        "choose one that can be typed on a command line and be part of a file's name",
    )


def require_parameters(known: object, what: str) -> None:
    """Parameters have distinct names, and defaults that they take themselves."""
    fine = isinstance(known, tuple) and all(isinstance(one, Parameter) for one in known)
    require(fine, f"{what} must be a tuple of Parameter", repr(known), "make it one")
    names = [parameter.name for parameter in known]  # type: ignore[attr-defined]
    require(len(set(names)) == len(names), f"{what} must have distinct names", names, "rename one")
    for parameter in known:  # type: ignore[attr-defined]
        try:
            parameter.read(parameter.default)
        except BadInput as error:
            raise AssertionError(
                f"{what}: {parameter.name} must allow its own default ({error}): change either"
            ) from None


def require_refusal(action: Callable[[], object], what: str) -> None:
    """What cannot be done has to be refused with ``BadInput``, whose text users are shown."""
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
    """What is fine must not be refused."""
    try:
        action()
    except BadInput as error:
        require(False, f"{what} must be accepted", f"a complaint ({error})", "change either")


def require_json(value: Any, what: str) -> Any:
    """A value has to go through JSON; returns what comes back."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise AssertionError(
            f"{what} must be plain numbers, words, lists and mappings that JSON can hold, "
            f"got {error}: convert numpy's numbers with .item() or .tolist()"
        ) from None


def _short(came: object) -> str:
    text = str(came)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


@contextmanager
def global_generators_untouched(what: str, seed: int) -> Iterator[None]:
    """Within it, the global generators start from a seed, and nobody may draw from them."""
    kept = random.getstate(), np.random.get_state()
    try:
        random.seed(seed)
        np.random.seed(seed)
        before = _global_states()
        yield
        require(
            _global_states() == before,
            f"{what} must leave the global random generators alone",
            "draws from them",
            "draw from the generator of the moment it is handed: moment.rng(purpose)",
        )
    finally:
        random.setstate(kept[0])
        np.random.set_state(kept[1])


def _global_states() -> Sequence[object]:
    _, numbers, place, *gauss = np.random.get_state()
    return random.getstate(), np.asarray(numbers).tolist(), place, gauss
