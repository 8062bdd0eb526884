"""A baseline that solves too little is said to, once a run, and changes nothing."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import job_table, shell
from handed_in import Countdown
from outcomes import failed, solved
from run_folders import ONE, log_of, write_job

from gafreecell import evolve
from gafreecell.evolution.generation import Setting
from gafreecell.evolution.job_reading import make_job
from gafreecell.evolution.measures import BaselineWarning, Judge
from gafreecell.evolution.schemes.coevolution import UnsolvableWarning

# The baseline's weights (1, 0, 0) solve only the easiest of the toy game's deals within these.
FEW = {"nodes": 5000}
OF_DEALS = r"solves only \d+ of the \d+ deals of a generation.* a problem that solvers solve has"
OF_WEIGHTS = r"^the baseline \(the weights of fitness.weights\) .*, in place of fitness.weights, to"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"trained": FEW}, "^near, the baseline, solves only .*: set fitness.baseline to"),
        # Coevolution needs a baseline whatever the measure, and looks at its problems: this one
        # solves two thirds of the deals, so hardly a set of twelve.
        ({"trained": FEW, "fitness": {"measure": "log-nodes"}}, OF_DEALS),
        (
            {"trained": {"nodes": 7000}, "problems": {"deals": 12}},
            "fails .* in 6 of the 6 problems",
        ),
        ({"trained": FEW, "fitness": {"weights": {"near": 1.0}}}, OF_WEIGHTS),
    ],
)
def test_a_poor_baseline_is_named_once_a_run_and_changes_nothing(
    changes: dict[str, Any], said: str, toy: Any, tmp_path: Path
) -> None:
    with pytest.warns(BaselineWarning, match=said) as caught:
        run = evolve(job_table(**changes), tmp_path / "warned", ONE)
    assert len(caught) == 1
    assert caught[0].filename == __file__, "where the run was begun, not where it was judged"
    assert run.finished
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        evolve(job_table(**changes), tmp_path / "silent", ONE)
    assert log_of(tmp_path / "warned") == log_of(tmp_path / "silent")


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"trained": FEW, "fitness": {"baseline": "known"}},
        {"trained": FEW, "fitness": {"measure": "log-nodes"}, "scheme": "resampled"},
    ],
    ids=["it solves", "a preset that solves", "another measure"],
)
def test_nothing_is_said_where_the_baseline_solves_or_does_not_matter(
    toy: Any, tmp_path: Path, changes: dict[str, Any]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evolve(job_table(**changes), tmp_path / "run", ONE)


def test_a_failure_in_most_problems_is_named_though_most_deals_are_solved(toy: Any) -> None:
    setting = Setting(make_job(job_table()), toy, lambda deals: [])
    whole, broken = [solved(10)] * 3, [solved(10), solved(10), failed(10)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Judge(setting, "").look_at_sets([whole, broken, broken, broken])
        # Too few deals at all: that is for ``look_at`` to say.
        Judge(setting, "").look_at_sets([[failed(10), failed(10), solved(10)]] * 4)
    judge = Judge(setting, "")
    with pytest.warns(BaselineWarning, match="fails on a deal in 4 of the 5 problems") as caught:
        for _ in range(2):
            judge.look_at_sets([whole, *[broken] * 4])
    assert len(caught) == 1
    assert "or lower problems.deals" in str(caught[0].message)


@pytest.mark.parametrize(
    ("scheme", "known", "warned"),
    [("coevolution", (), True), ("resampled", (), False), ("coevolution", (3,), False)],
)
def test_coevolution_of_deals_that_may_be_unsolvable_is_owned_up_to(
    tmp_path: Path, scheme: str, known: tuple[int, ...], warned: bool
) -> None:
    class Stones(Countdown):
        name = "stones"

        def unsolvable(self) -> frozenset[int]:
            return frozenset(known)

        def why_unsolvable(self, *given: Any) -> list[str]:
            return ["no stones"]

    job = {"name": "s", "generations": 1, "scheme": scheme, "trained": {"search": "solve"}}
    job |= {"solvers": {"population": 4}, "problems": {"population": 4}}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        evolve(job, tmp_path / "run", ONE, game=Stones)
    said = [one for one in caught if one.category is UnsolvableWarning]
    assert len(said) == warned
    assert all("take the scheme 'resampled' or 'informative'" in str(one.message) for one in said)


def test_the_command_line_says_it_in_a_line(toy: Any, tmp_path: Path) -> None:
    job = write_job(tmp_path, trained=FEW)
    done = shell("evolve", job, "--out", tmp_path / "run", "--jobs", 1)
    assert done.status == 0
    (said,) = [line for line in done.lines if "baseline" in line]
    assert said.startswith("gafreecell: near, the baseline, solves")
