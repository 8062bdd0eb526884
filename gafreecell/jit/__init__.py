"""The runtime of jitted kernels: how they are compiled, cached, driven and interrupted.

Every jitted function lies in a folder named ``kernels``, here and in the games' packages. With
``NUMBA_DISABLE_JIT=1`` they run as plain Python, slowly, for debuggers and coverage.
"""

from gafreecell.jit.compiling import DISABLED, int64, kernel, large_kernel, uint64
from gafreecell.jit.registers import Registers, clear, new_registers

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
