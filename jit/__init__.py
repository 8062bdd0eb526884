"""The runtime of jitted kernels: how they are compiled, cached, driven and interrupted.

What is jitted lies in folders named ``kernels``, here and in the games' packages, and nothing else
does. With ``NUMBA_DISABLE_JIT=1`` all of it runs as plain Python, slowly, so that a debugger and
coverage reach it.
"""

from jit.compiling import DISABLED, kernel, large_kernel
from jit.registers import Registers, clear, new_registers
from jit.words import int64, uint64

__all__ = [
    "DISABLED",
    "Registers",
    "clear",
    "int64",
    "kernel",
    "large_kernel",
    "new_registers",
    "uint64",
]
