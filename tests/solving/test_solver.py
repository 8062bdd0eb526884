"""What the searches of all games have in common."""

from __future__ import annotations

import pytest
from late_kernels import late_kernels

import hsd.solver
import klondike.solver
import pyramid_solitaire.solver

SOLVERS = {
    "hsd": hsd.solver.SOLVER,
    "klondike": klondike.solver.SOLVER,
    "pyramid_solitaire": pyramid_solitaire.solver.SOLVER,
}


@pytest.mark.parametrize("package", SOLVERS)
def test_compiling_is_no_time_of_a_deal(package: str) -> None:
    assert late_kernels(package) == {name: [] for name in SOLVERS[package].searches}
