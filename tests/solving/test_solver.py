"""What the searches of all games have in common."""

from __future__ import annotations

import pytest
from late_kernels import late_kernels

import hsd.solver
from gafreecell.solitaire.klondike import solver as klondike
from gafreecell.solitaire.pyramid import solver as pyramid

SOLVERS = {
    "hsd": hsd.solver.SOLVER,
    "gafreecell.solitaire.klondike": klondike.SOLVER,
    "gafreecell.solitaire.pyramid": pyramid.SOLVER,
}


@pytest.mark.parametrize("package", SOLVERS)
def test_compiling_is_no_time_of_a_deal(package: str) -> None:
    assert late_kernels(package) == {name: [] for name in SOLVERS[package].searches}
