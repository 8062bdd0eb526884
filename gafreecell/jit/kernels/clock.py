"""The thread's processor time, readable in kernels."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from gafreecell.jit.kernels.bits import instruction

CLOCK: int | None = getattr(time, "CLOCK_THREAD_CPUTIME_ID", None)
"""The system's number of this clock; None if there is no such clock."""


@intrinsic
def _thread_seconds(context: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, whole, real = ir.IntType(64), ir.IntType(32), ir.DoubleType()
        if CLOCK is None:
            return ir.Constant(real, 0.0)
        # struct timespec: seconds and nanoseconds.
        pair = ir.ArrayType(word, 2)
        with builder.goto_entry_block():
            place = builder.alloca(pair)
        kind = ir.FunctionType(whole, [whole, pair.as_pointer()])
        function = builder.module.globals.get("clock_gettime")
        if function is None:
            function = ir.Function(builder.module, kind, "clock_gettime")
        builder.call(function, [ir.Constant(whole, CLOCK), place])
        both = builder.load(place)
        seconds = builder.sitofp(builder.extract_value(both, 0), real)
        parts = builder.sitofp(builder.extract_value(both, 1), real)
        return builder.fadd(seconds, builder.fmul(parts, ir.Constant(real, 1e-9)))

    return types.float64(), code


@instruction(_thread_seconds)
def thread_seconds() -> float:
    """The processor time of this thread in seconds; 0 if the system has no clock for it."""
    return time.thread_time() if CLOCK is not None else 0.0
