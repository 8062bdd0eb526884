"""Words of 64 bits, for kernels.

In a kernel ``int64`` and ``uint64`` are numba's types. With the JIT off they truncate numbers to 64
bits as the processor does, so that the same code computes the same values.

With the JIT off, numpy's small integers would overflow where numba computes in 64 bits, and int64
and uint64 do not mix. So kernels read arrays of small integers through ``int64``, and convert
explicitly where signed meets unsigned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gafreecell.jit.compiling import DISABLED

if TYPE_CHECKING or DISABLED:

    def int64(value: Any) -> int:
        """The lowest 64 bits of an integer, signed; a float is truncated first."""
        word = int(value) & 0xFFFFFFFFFFFFFFFF
        return word - (word >> 63 << 64)

    def uint64(value: Any) -> int:
        """The lowest 64 bits of an integer, unsigned."""
        word: int = np.uint64(int(value) & 0xFFFFFFFFFFFFFFFF)  # type: ignore[assignment]
        return word

else:
    from numba import int64, uint64

__all__ = ["int64", "uint64"]
