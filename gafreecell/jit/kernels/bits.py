"""Processor instructions that numba does not offer.

Each has a plain Python twin, which replaces it if the JIT is off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic

from gafreecell.jit.compiling import DISABLED

Function = TypeVar("Function", bound=Callable[..., Any])
cgutils: Any = _cgutils


@intrinsic
def _lowest_bit(context: Any, mask: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        never = context.get_constant(types.boolean, False)
        return builder.cttz(arguments[0], never)

    return types.int64(mask), code


@intrinsic
def _highest_bit(context: Any, mask: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        never = context.get_constant(types.boolean, False)
        zeros = builder.ctlz(arguments[0], never)
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.uint64), code


@intrinsic
def _count_bits(context: Any, mask: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(mask), code


@intrinsic
def _prefetch(context: Any, array: Any, index: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        view = context.make_array(kind)(context, builder, arguments[0])
        element = cgutils.get_item_pointer(
            context, builder, kind, view, [arguments[1]], wraparound=False
        )
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [byte, word, word, word]),
            "llvm.prefetch.p0i8",
        )
        read, keep, data = (ir.Constant(word, value) for value in (0, 3, 1))
        builder.call(function, [builder.bitcast(element, byte), read, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), code


def instruction(jitted: Any) -> Callable[[Function], Function]:
    """Put an instruction in the place of its plain twin, unless the JIT is off."""
    return lambda plain: plain if DISABLED else jitted


@instruction(_lowest_bit)
def lowest_bit(mask: int) -> int:
    """Index of the lowest set bit of a uint64, 64 if there is none."""
    word = int(mask)
    return (word & -word).bit_length() - 1 if word else 64


@instruction(_highest_bit)
def highest_bit(mask: int) -> int:
    """Index of the highest set bit of a uint64, -1 if there is none."""
    return int(mask).bit_length() - 1


@instruction(_count_bits)
def count_bits(mask: int) -> int:
    """The number of set bits of a uint64."""
    return int(mask).bit_count()


@instruction(_prefetch)
def prefetch(array: np.ndarray, index: int) -> None:
    """Start loading an array element into the processor's cache; changes no value."""
