"""What is jitted lies in folders named ``kernels``, and nothing else does."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import pytest
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic

from jit import DISABLED

ROOMS = ("solving", "jit", "hsd", "klondike", "pyramid_solitaire")

pytestmark = pytest.mark.skipif(DISABLED, reason="with the JIT off nothing is jitted")


def modules(room: str) -> Iterator[ModuleType]:
    """A package's modules, those of its own packages too, without packages themselves."""
    package = import_module(room)
    for found in pkgutil.walk_packages(package.__path__, f"{room}."):
        if not found.ispkg:
            yield import_module(found.name)


def jitted(module: ModuleType) -> list[str]:
    """The names of the compiled functions and intrinsics that a module defines."""
    return [
        name
        for name, value in vars(module).items()
        if isinstance(value, Dispatcher | _Intrinsic) and value.__module__ == module.__name__
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_kernels_and_nothing_else_lie_in_folders_of_that_name(room: str) -> None:
    for module in modules(room):
        in_kernels = module.__name__.split(".")[-2] == "kernels"
        if in_kernels:
            assert jitted(module), f"{module.__name__} has no kernel"
        else:
            assert not jitted(module), f"{module.__name__} has kernels: {jitted(module)}"


def test_the_rooms_with_kernels() -> None:
    """The walk above finds them."""
    found = {room for room in ROOMS if any(map(jitted, modules(room)))}
    assert found == {*ROOMS} - {"solving"}


@pytest.mark.parametrize("room", ROOMS)
def test_a_folder_of_kernels_says_what_is_in_it_and_no_more(room: str) -> None:
    for found in pkgutil.walk_packages(import_module(room).__path__, f"{room}."):
        if found.ispkg and found.name.endswith(".kernels"):
            (docstring,) = ast.parse(inspect.getsource(import_module(found.name))).body
            assert isinstance(docstring, ast.Expr), found.name
