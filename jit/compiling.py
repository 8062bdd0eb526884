"""How kernels are compiled: without Python objects, free of the GIL, cached on disk.

Kernels run in slices: a kernel returns after a bounded number of nodes with
all its state in its workspace, and is called again (``jit.slices``). Between two slices Python
checks the clock, the memory and the call's stop token. So kernels need none of these, and
Ctrl-C takes effect within milliseconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import config as _config

Function = TypeVar("Function", bound=Callable[..., Any])

_types: Any = types
config: Any = _config  # its settings are attributes made at run time
DISABLED = bool(config.DISABLE_JIT)
"""Whether ``NUMBA_DISABLE_JIT`` asks for plain Python in place of kernels."""


def _load_numba_without_scipy() -> None:
    """Keep numba from importing scipy's linear algebra at once, which takes a fifth of a second.

    Numba asks on import whether it can be had. It can, as scipy is required, and numba loads it
    as soon as a function needs it.
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
    """Compile kernels without the test whether an index counts from the end of the array.

    Kernels never index like that. The test costs them a fifteenth of their time (measured). Only
    code without reference counts goes without it, so no other code of the program is touched.
    """
    arrays: Any = import_module("numba.np.arrayobj")
    usual = arrays.fix_integer_index

    def fixed(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if context.enable_nrt:
            return usual(context, builder, kind, index, size)
        return context.cast(builder, index, kind, types.intp)

    arrays.fix_integer_index = fixed


if DISABLED:
    # Hashes are products modulo 2^64, of which numpy would warn.
    np.seterr(over="ignore")
else:
    _load_numba_without_scipy()
    _index_from_the_start()
    # Both modules load the parts of numba that ask for scipy.
    from jit import interrupts, quicker
    from jit.caching import KernelCache, sources_of

    interrupts.install()
    quicker.install()


def kernel(function: Function) -> Function:
    """Compile a function, inlined into the kernels that call it.

    Kernels allocate nothing, so they are compiled without numba's reference counting.
    With it, every field read from a tuple of arrays costs two atomic operations, and
    searches take four times as long (measured). Indices do not count from the end: -1 is out
    of bounds.

    A kernel may use what its package imports from packages with kernels: when one of these
    changes, it is compiled anew (``jit.caching``). One that is written where there is no file, in a
    notebook, is compiled in each process.
    """
    return _compiled(function, inlined=True)


def large_kernel(function: Function) -> Function:
    """A kernel that is called, not inlined: for long ones with several callers.

    A call costs some ten nanoseconds and saves seconds of compilation for each caller.
    """
    return _compiled(function, inlined=False)


def _compiled(function: Function, inlined: bool) -> Function:
    """A kernel as Python calls it; the kernels that call it take ``_part`` of it in its place."""
    if DISABLED:
        return function
    compiled, part = _dispatcher(function, inlined), _part(_dispatcher(function, inlined))
    compiled.get_call_template = part.get_call_template
    compiled.get_overload = part.get_overload
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
    """Call a function, with room for the frames of all that it calls.

    Python keeps frames in chunks of 16 KB. A call that does not fit in the last one asks the system
    for another, which is given back when the call returns. The compiler's calls are so deep that
    half a million do this, a fifth of its time. This frame asks for a chunk of its own, so large
    that all further ones fit in as well.
    """
    return function(*arguments)


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=1 << 17)


def _dispatcher(function: Function, inlined: bool) -> Any:
    njit: Any = numba.njit
    return njit(nogil=True, error_model="numpy", forceinline=inlined, _nrt=False)(function)


def _part(dispatcher: Any) -> Any:
    """A dispatcher whose code goes into its callers alone.

    By itself it needs neither machine code nor a wrapper that unpacks Python's arguments, some
    hundred arrays for a search. That is a third of what compiling takes.
    """

    def without_wrappers(flags: Any) -> Any:
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags

    def add_overload(result: Any) -> None:
        # Callers look the code up by what Python would call: anything of its own will do.
        key = object()
        result.target_context.insert_user_function(key, result.fndesc, [result.library])
        signature = tuple(result.signature.args)
        dispatcher.overloads[signature] = result._replace(entry_point=key)

    usual, unliteral = dispatcher.get_call_template, _types.unliteral

    def of_any_number(args: Any, named: Any) -> Any:
        # Code goes into its callers, so a constant needs none of its own.
        plain = {name: unliteral(kind) for name, kind in named.items()}
        return usual(tuple(map(unliteral, args)), plain)

    dispatcher.get_call_template = of_any_number
    dispatcher._compiler._customize_flags = without_wrappers
    dispatcher.add_overload = add_overload
    return dispatcher
