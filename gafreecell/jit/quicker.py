"""Makes numba compile faster; the compiled code is as good.

The first command of a game spends most of its time compiling, and numba spends more than half of
that on work that kernels do not need. We patch numba for the whole process. Some changes affect
only kernels, which are recognized by their lack of reference counting; code of other libraries
compiles to the same result, only faster.

This is done with one version of numba alone (``gate.QUICK``). With others kernels compile more
slowly.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from numba.core import codegen as _codegen
from numba.core import types

codegen: Any = _codegen
targetconfig: Any = import_module("numba.core.targetconfig")
functions: Any = import_module("numba.core.types.functions")

_OPERATORS = frozenset(one for one in vars(operator).values() if callable(one))


class KernelLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of a function and of all that it calls.

    Numba optimizes each function together with its callees, makes machine code of it, and does
    both again in each caller. We link functions inside a kernel (``no_compile``) without optimizing
    them, so that the whole kernel is optimized once, as in compilers of other languages. The passes
    for reference counts and those before linking are then not needed.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._linking_libraries: list[Any]
        flags = targetconfig.ConfigStack.top_or_none()
        self._of_kernel = flags is not None and not flags.nrt
        self._of_part = self._of_kernel and flags.no_compile

    def finalize(self) -> None:
        """Make the code ready to be linked or run."""
        if self._of_part:
            self._finalized = True
            return
        # Parts add the libraries that they call, so the list grows; each is in it once.
        libraries: list[Any] = list(dict.fromkeys(self._linking_libraries))
        seen = set(libraries)
        for library in libraries:
            if isinstance(library, KernelLibrary) and library._of_part:
                more = dict.fromkeys(one for one in library._linking_libraries if one not in seen)
                libraries += more
                seen.update(more)
        self._linking_libraries = libraries
        super().finalize()

    def _optimize_functions(self, ll_module: Any) -> None:
        if self._of_kernel:
            ll_module.data_layout = self._codegen._data_layout
        else:
            super()._optimize_functions(ll_module)

    def _optimize_final_module(self) -> None:
        if self._of_kernel:
            manager, builder = self._codegen._module_pass_manager()
            manager.run(self._final_module, builder)
        else:
            super()._optimize_final_module()


class _QuickConfig:
    """Faster comparison and hashing of compiler settings, which are keys of frequent lookups."""

    def __eq__(self: Any, other: Any) -> Any:
        if not isinstance(other, targetconfig.TargetConfig):
            return NotImplemented
        return self is other or self.values() == other.values()

    def __hash__(self: Any) -> int:
        options = self.options
        changed = [(k, str(v)) for k, v in self._values.items() if v != options[k].default]
        return hash(tuple(sorted(changed)))

    def values(self: Any) -> dict[str, Any]:
        """Every setting, in the order of declaration."""
        found = {name: one.default for name, one in self.options.items()}
        found.update(self._values)
        return found


def _remember_operators() -> None:
    """Cache the types of operators on numbers; numba would try a dozen overloads each time."""
    usual = functions.BaseFunction.get_call_type
    known: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        numbers = all(isinstance(one, types.Number | types.Boolean) for one in args)
        if kws or not numbers or self.typing_key not in _OPERATORS:
            return usual(self, context, args, kws)
        key = self.typing_key, context, tuple(args)
        found = known.get(key)
        # A different object for the same operator still has to find its implementation.
        if found is None or found.args not in self._impl_keys:
            found = known[key] = usual(self, context, args, kws)
        return found

    functions.BaseFunction.get_call_type = get_call_type


@contextmanager
def without_collections() -> Iterator[None]:
    """Context without garbage collection: compiling makes many objects, but little garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def install() -> None:
    """Patch numba."""
    codegen.JITCPUCodegen._library_class = KernelLibrary
    for name in ("__eq__", "__hash__", "values"):
        setattr(targetconfig.TargetConfig, name, vars(_QuickConfig)[name])
    _remember_operators()
