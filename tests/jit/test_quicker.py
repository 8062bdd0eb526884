"""Numba's compiler in less time: its code does what it did."""

from __future__ import annotations

import gc
import operator
from importlib import import_module
from itertools import product
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import event as _event
from numba.core import types
from numba.core.caching import NullCache

from gafreecell.jit import DISABLED, kernel, large_kernel
from gafreecell.jit.gate import QUICK

event: Any = _event

pytestmark = pytest.mark.skipif(DISABLED, reason="nothing is compiled")


@large_kernel
def _least(values: np.ndarray) -> int:
    found = values[0]
    for i in range(1, values.size):
        found = min(found, values[i])
    return int(found)


@kernel
def _spread(values: np.ndarray) -> int:
    values[0] += 1
    return int(values[2]) - _least(values)


@kernel
def _both_ways(values: np.ndarray) -> int:
    return 1000 * _spread(values) + _least(values)


def test_a_kernel_that_meets_another_on_two_ways() -> None:
    values = np.array([5, 3, 9])
    assert _both_ways(values) == 6003
    assert values.tolist() == [6, 3, 9]


def test_parts_have_no_machine_code_of_their_own() -> None:
    _both_ways(np.array([5, 3, 9]))
    compiled: Any = _least
    assert not compiled.overloads


def test_other_code_is_compiled_with_reference_counts() -> None:
    njit: Any = numba.njit

    @njit  # type: ignore[untyped-decorator]
    def squares(n: int) -> list[int]:
        return [i**2 for i in range(n) if i % 2 == 0]

    assert squares(6) == [0, 4, 16]


def test_settings_compare_by_their_values() -> None:
    flags: Any = import_module("numba.core.compiler").Flags
    plain, same, other = flags(), flags(), flags()
    same.nrt = False  # Its default.
    other.nrt = True
    assert plain == same != other != plain
    assert hash(plain) == hash(same)
    assert plain.values() == {name: getattr(plain, name) for name in plain.options}
    assert other.values()["nrt"] is True
    assert plain != "flags"


@pytest.mark.parametrize("sign", [operator.add, operator.and_, operator.truediv, operator.lt])
def test_operators_have_the_types_that_numba_gives_them(sign: Any) -> None:
    context: Any = import_module("numba.core.registry").cpu_target.typing_context
    context.refresh()
    function = context.resolve_value_type(sign)
    template: Any = import_module("numba.core.types.functions").BaseFunction
    if not QUICK:
        assert template.get_call_type.__closure__ is None, "other versions are left as they are"
        return
    # The usual way is kept inside the quick one.
    usual = next(
        cell.cell_contents
        for cell in template.get_call_type.__closure__
        if getattr(cell.cell_contents, "__name__", "") == "get_call_type"
    )
    whole = types.int64, types.uint64, types.boolean
    for pair in product(whole if sign is operator.and_ else (*whole, types.float64), whole):
        for _ in range(2):
            found = function.get_call_type(context, pair, {})
        assert found == usual(function, context, pair, {})


def test_collections_go_on_after_compiling() -> None:
    assert gc.isenabled()
    _spread(np.array([2.5, 1.5, 3.5]))
    assert gc.isenabled()


@kernel
def _plus(values: np.ndarray, one: int, other: int) -> int:
    return int(values[0]) + one * other


@kernel
def _sums(values: np.ndarray) -> int:
    return _plus(values, 2, 3) + _plus(values, 4, int(values[1])) + _plus(values, int(values[2]), 5)


def test_constants_need_no_code_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[Any] = []
    # What an earlier run of the tests left in the cache would not be compiled.
    monkeypatch.setattr(_sums, "_cache", NullCache())

    class Count(event.Listener):  # type: ignore[misc]
        def on_start(self, started: Any) -> None:
            compiled.append(started.data["dispatcher"].py_func.__name__)

        def on_end(self, ended: Any) -> None:
            pass

    with event.install_listener("numba:compile", Count()):
        assert _sums(np.array([1, 10, 100])) == 1 + 6 + 1 + 40 + 1 + 500
    assert compiled.count("_plus") == 1
