"""Instructions of the processor that numba has no name for."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def lowest_bit(context: Any, mask: Any) -> Any:
    """Index of the lowest bit that is set in a uint64, 64 if none is."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        never = context.get_constant(types.boolean, False)
        return builder.cttz(arguments[0], never)

    return types.int64(types.uint64), code


@intrinsic
def highest_bit(context: Any, mask: Any) -> Any:
    """Index of the highest bit that is set in a uint64, -1 if none is."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        never = context.get_constant(types.boolean, False)
        zeros = builder.ctlz(arguments[0], never)
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.uint64), code


@intrinsic
def count_bits(context: Any, mask: Any) -> Any:
    """How many bits of a uint64 are set."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), code


@intrinsic
def prefetch(context: Any, array: Any, index: Any) -> Any:
    """Start to load an array's element into the cache; changes nothing."""

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
