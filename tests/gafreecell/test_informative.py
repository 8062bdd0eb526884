"""The scheme ``informative``: which deals are new ones, and what a race tells of deals."""

from __future__ import annotations

from typing import Any

import pytest
from bench import Bench
from conftest import job_table
from outcomes import solved

from gafreecell.evolution.generation import Encounter, Moment, Result
from gafreecell.evolution.job import JobError
from gafreecell.evolution.job_reading import make_job
from gafreecell.evolution.loop import Evolution
from gafreecell.evolution.schemes.informative import met_again

RELATIVE = {"measure": "relative"}


def informative(**changes: Any) -> Bench:
    return Bench(scheme="informative", fitness=RELATIVE, **changes)


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("population", "age", "deals", "train"),
    [(50, 10, 10, "1-56"), (12, 10, 8, "1-17"), (3, 10, 8, "1-8"), (50, 2, 6, "1-9")],
)
def test_new_deals_are_never_remembered_ones(
    population: int, age: int, deals: int, train: str
) -> None:
    """In the smallest pools that are allowed; of each the deal 13 is left out."""
    rules = {"population": population, "age": age}
    bench = informative(
        generations=40, informative=rules, sample={"deals": deals}, deals={"train": train}
    )
    again = []
    for before, _, line in bench.generations():
        problems = bench.deals_met(before)[0]
        assert len(set(problems)) == len(problems) == deals
        again.append(line["problems"]["met_again"])
    assert again == [0] + [min(deals // 2, population)] * (len(again) - 1)
    shorter = f"1-{int(train[2:]) - 1}"
    with pytest.raises(JobError, match=r"deals.train holds \d+ deals, fewer"):
        make_job(
            job_table(
                scheme="informative",
                informative=rules,
                sample={"deals": deals},
                deals={"train": shorter},
            )
        )


@pytest.mark.usefixtures("toy")
def test_a_pool_too_small_is_told_in_numbers() -> None:
    expected = (
        "informative: deals.train holds 29 deals, fewer than 55: up to 50 are remembered "
        r"\(informative.population and age\), and 5 of the 10 of a generation are new ones"
    )
    with pytest.raises(JobError, match=expected):
        make_job(job_table(scheme="informative", deals={"train": "1-30"}))


@pytest.mark.usefixtures("toy")
def test_where_nothing_is_remembered_the_sample_is_that_of_resampled_deals() -> None:
    first, resampled = (
        {task.deal for task in bench.evolution.ask(bench.evolution.found()).tasks}
        for bench in (informative(), Bench(scheme="resampled"))
    )
    assert first == resampled


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("fresh", "deals", "expected"),
    [(0.9, 10, 1), (0.8, 5, 1), (0.7, 10, 3), (0.5, 9, 4), (0.99, 10, 0), (1, 10, 0), (0.6, 5, 2)],
)
def test_the_share_counts_as_it_is_written(fresh: float, deals: int, expected: int) -> None:
    rules, sample = {"fresh": fresh, "population": 9}, {"deals": deals}
    job = make_job(job_table(scheme="informative", informative=rules, sample=sample))
    assert met_again(deals, job) == expected


@pytest.mark.usefixtures("toy")
def test_who_fell_behind_in_a_race_says_nothing_of_deals() -> None:
    bench = informative(sample={"deals": 4})
    costs = {1: (10, 20, 40), 2: (12, 18, 44), 3: (9, 30, 50), 4: (11, 21, 39)}

    def told(*behind: int) -> Any:
        scheme = Evolution(bench.job, bench.spy).parts.scheme
        whole = Encounter((1, 2, 3, 4))
        results = [
            Result((0.0,), whole, tuple(solved(costs[deal][place]) for deal in costs))
            for place in range(3)
        ]
        half = Encounter((1, 2))
        results += [Result((0.0,), half, (solved(nodes), solved(nodes))) for nodes in behind]
        scheme.tell(Moment(1, 1), results)
        return scheme.state()

    alone = told()
    assert [one["problem"] for one in alone["known"]]
    assert any(one["told"] > 0.5 for one in alone["known"])
    assert told(400, 900, 5000) == alone
