"""How kernels are compiled: without Python objects, free of the GIL, cached on disk.

Kernels run in slices: a kernel keeps all its state in its arrays, returns after a bounded
number of nodes, and is called again (``jit.slices``). Between two slices Python checks the
clock, the memory and the call's stop token. So kernels need none of these, and Ctrl-C takes
effect within milliseconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import config as _config

from gafreecell.jit import gate

Function = TypeVar("Function", bound=Callable[..., Any])

_types: Any = types
config: Any = _config  # its attributes are made at run time, so mypy does not know them
DISABLED = bool(config.DISABLE_JIT)
"""Whether ``NUMBA_DISABLE_JIT`` asks for plain Python instead of compiled kernels."""

# In a kernel ``int64`` and ``uint64`` are numba's types. With the JIT off, numpy's small integers
# would overflow where numba computes in 64 bits, and int64 and uint64 do not mix. So kernels read
# arrays of small integers through ``int64``, and convert explicitly where signed meets unsigned.
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
    int64, uint64 = _types.int64, _types.uint64


def _load_numba_without_scipy() -> None:
    """Keep numba from importing scipy's linear algebra on import, which takes 0.2 s.

    Numba imports it to see whether it is available. As scipy is a dependency, it is, and numba
    loads it when a function needs it.
    """
    if "numba.np.arraymath" in sys.modules:
        return
    linalg: Any = import_module("numba.np.linalg")
    asks = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        arraymath: Any = import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = asks
    arraymath.ensure_blas = asks


def _index_from_the_start() -> None:
    """Compile kernels without the test for negative indices, which count from the end.

    Kernels never use negative indices, and the test costs them a fifteenth of their time
    (measured). Only code without reference counts omits it, so no other code is affected.
    """
    arrays: Any = import_module("numba.np.arrayobj")
    usual = arrays.fix_integer_index

    def fixed(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if context.enable_nrt:
            return usual(context, builder, kind, index, size)
        return context.cast(builder, index, kind, types.intp)

    arrays.fix_integer_index = fixed


if DISABLED:
    # Hashes are products modulo 2^64; numpy would warn of the overflow.
    np.seterr(over="ignore")
elif gate.TRIED:
    _load_numba_without_scipy()
    _index_from_the_start()
    # Imported here because both load parts of numba that would import scipy.
    from gafreecell.jit import interrupts, quicker
    from gafreecell.jit.caching import KernelCache, sources_of

    interrupts.install()
    if gate.QUICK:
        quicker.install()


def kernel(function: Function) -> Function:
    """Compile a function as a kernel and inline it into the kernels that call it.

    Kernels allocate nothing, so they are compiled without numba's reference counting.
    With it, every field read from a tuple of arrays costs two atomic operations, and
    searches take four times as long (measured). Negative indices are out of bounds.

    A kernel may use what its package imports from packages with kernels. If one of these
    changes, the kernel is compiled anew (``jit.caching``). A kernel without a source file, as in
    a notebook, is compiled in each process.
    """
    return _compiled(function, inlined=True)


def large_kernel(function: Function) -> Function:
    """Compile a kernel that is called, not inlined: for long ones with several callers.

    A call costs some ten nanoseconds, but saves seconds of compilation for each caller.
    """
    return _compiled(function, inlined=False)


def _compiled(function: Function, inlined: bool) -> Function:
    """A kernel that Python can call; other kernels call its ``_part`` instead."""
    if DISABLED:
        return function
    if not gate.TRIED:
        njit: Any = numba.njit
        plain: Function = njit(nogil=True, error_model="numpy")(function)
        return plain
    compiled = _dispatcher(function, inlined)
    # Made when a caller is compiled: a command whose kernels are in the cache needs none.
    part = cache(lambda: _part(_dispatcher(function, inlined)))
    compiled.get_call_template = lambda *types: part().get_call_template(*types)
    compiled.get_overload = lambda *types: part().get_overload(*types)
    compile_now = compiled._compiler.compile

    def compile_quickly(args: Any, return_type: Any) -> Any:
        with quicker.without_collections():
            return compile_now(args, return_type)

    compiled._compiler.compile = compile_quickly
    sources = sources_of(function)
    if sources is not None:
        compiled._cache = KernelCache(function, sources)
    compiled.compile = partial(_with_room, compiled.compile)
    result: Function = compiled
    return result


def _with_room(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function with enough stack space for the frames of all that it calls.

    Python keeps frames in chunks of 16 KB. A call that does not fit into the last chunk makes
    Python allocate another, which is freed when the call returns. The compiler's deep recursion
    does so half a million times, which takes a fifth of its time. This frame allocates a chunk so
    large that all further frames fit into it.
    """
    return function(*arguments)


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=1 << 17)


def _dispatcher(function: Function, inlined: bool) -> Any:
    njit: Any = numba.njit
    return njit(nogil=True, error_model="numpy", forceinline=inlined, _nrt=False)(function)


def _part(dispatcher: Any) -> Any:
    """A dispatcher whose code only becomes part of its callers.

    It needs neither machine code of its own nor a wrapper that unpacks Python's arguments, which
    are some hundred arrays for a search. This saves a third of the compile time.
    """

    def without_wrappers(flags: Any) -> Any:
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags

    def add_overload(result: Any) -> None:
        # Callers look the code up by its entry point; any unique object will do.
        key = object()
        result.target_context.insert_user_function(key, result.fndesc, [result.library])
        signature = tuple(result.signature.args)
        dispatcher.overloads[signature] = result._replace(entry_point=key)

    usual, unliteral = dispatcher.get_call_template, _types.unliteral

    def of_any_number(args: Any, named: Any) -> Any:
        # The code is inlined, so constant arguments do not need a specialization of their own.
        plain = {name: unliteral(kind) for name, kind in named.items()}
        return usual(tuple(map(unliteral, args)), plain)

    dispatcher.get_call_template = of_any_number
    dispatcher._compiler._customize_flags = without_wrappers
    dispatcher.add_overload = add_overload
    return dispatcher
