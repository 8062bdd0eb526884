"""Named parameters: defaults, ranges, and the messages for values that are not allowed."""

from __future__ import annotations

import pytest

from deals import BadInput
from gafreecell.solving.parameters import Parameter, ParameterError, Value, read_parameters

DEPTH = Parameter("depth", 2, "moves", 1, 16)
NOISE = Parameter("noise", 0.5, "share", 0, 1)
TABLE = Parameter("table", 0, "states")
HOME = Parameter("automatic", "safe", "home moves", choices=("safe", "none"))
ALL = (DEPTH, NOISE, TABLE, HOME)


@pytest.mark.parametrize(
    ("parameter", "given", "value"),
    [
        *[(DEPTH, 1, 1), (DEPTH, 16, 16), (DEPTH, 7, 7), (NOISE, 1, 1.0), (NOISE, 0.25, 0.25)],
        *[(TABLE, 200_000, 200_000), (HOME, "none", "none")],
    ],
)
def test_allowed(parameter: Parameter, given: Value, value: Value) -> None:
    read = parameter.read(given)
    assert read == value
    assert type(read) is type(parameter.default)


@pytest.mark.parametrize(
    ("parameter", "given", "reason"),
    [
        (DEPTH, 0, "depth must be 1 to 16, got 0"),
        (DEPTH, 17, "depth must be 1 to 16, got 17"),
        # A weights file is JSON and may hold anything.
        *[
            (DEPTH, wrong, f"depth must be a whole number, got {wrong!r}")
            for wrong in (2.0, "2", "2.5", "deep", "", True, None, [2])
        ],
        (DEPTH, "9" * 5000, "depth must be "),
        (NOISE, -0.01, "noise must be 0 to 1, got -0.01"),
        (NOISE, float("nan"), "noise must be 0 to 1, got nan"),
        (NOISE, float("inf"), "noise must be 0 to 1, got inf"),
        (NOISE, False, "noise must be a number, got False"),
        (NOISE, "half", "noise must be a number, got 'half'"),
        (TABLE, -1, "table must be 0 or more, got -1"),
        (HOME, "all", "automatic must be safe or none, got 'all'"),
        (HOME, 1, "automatic must be safe or none, got 1"),
        (NOISE, {}, "noise must be a number, got {}"),
        (HOME, ["safe"], "automatic must be safe or none, got ['safe']"),
    ],
)
def test_refused(parameter: Parameter, given: Value, reason: str) -> None:
    with pytest.raises(ParameterError) as fault:
        parameter.read(given)
    assert str(fault.value).startswith(reason)
    assert isinstance(fault.value, BadInput)


def test_those_not_given_have_their_defaults() -> None:
    everything = {"depth": 2, "noise": 0.5, "table": 0, "automatic": "safe"}
    assert read_parameters("it", ALL, {}) == everything
    given: dict[str, Value] = {"automatic": "none", "depth": 3}
    assert read_parameters("it", ALL, given) == everything | {"automatic": "none", "depth": 3}
    assert given == {"automatic": "none", "depth": 3}


def test_an_unknown_one_is_named_with_those_there_are() -> None:
    with pytest.raises(ParameterError) as fault:
        read_parameters("the search staged", ALL, {"depht": 3})
    reason = (
        "the search staged has no parameter 'depht'; it has depth, noise, table, automatic; "
        "did you mean 'depth'?"
    )
    assert str(fault.value) == reason
    with pytest.raises(ParameterError, match="it has none"):
        read_parameters("the search blind", (), {"depth": 3})
