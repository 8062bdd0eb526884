"""The deals that measure what training is worth, and the solvers to compare with."""

from __future__ import annotations

from typing import Any

import handed_in
import pytest
from conftest import job_table
from toy_game import HIDDEN, LARGEST, Toy

import gafreecell
from gafreecell.comparing.held_out import held_out, named, rivals
from gafreecell.evolution.job import Job
from gafreecell.evolution.job_reading import make_job, read_job
from gafreecell.installed import plugins
from gafreecell.solitaire.game import game
from gafreecell.testing import check_game


def toy_job(train: str = "1-60", validation: str = "101-120", **changes: Any) -> Job:
    deals = {"train": train, "validation": validation, "overlap": "allowed"}
    return make_job(job_table(deals=deals, **changes))


def freecell_job(train: str, **changes: Any) -> Job:
    table = {"name": "f", "generations": 1, "trained": {"search": "staged"}}
    return make_job({**table, "deals": {"train": train}, **changes})


@pytest.mark.parametrize("name", ["freecell", "klondike"])
def test_games_hold_two_hundred_deals_out(name: str) -> None:
    chosen = game(name)
    search = {"freecell": "staged", "klondike": "rollouts"}[name]
    job = make_job({"name": "f", "game": name, "generations": 1, "trained": {"search": search}})
    found = held_out([job], chosen)
    assert (found.name, len(found.deals), found.seen) == (chosen.held_out, 200, 0)
    used = {*chosen.deals(chosen.training), *chosen.deals(chosen.validation)}
    assert not used & {*found.deals}


def test_deals_that_a_job_trains_on_are_left_out() -> None:
    job = freecell_job("2000000001-2000000050")
    found = held_out([job, freecell_job("1-10")], game("freecell"))
    assert list(found.deals) == list(range(2_000_000_051, 2_000_000_201))
    assert (found.name, found.seen) == ("ms-progress", 0)


def test_where_most_were_used_the_deals_that_follow_are_taken() -> None:
    found = held_out([freecell_job("2000000001-2000000150")], game("freecell"))
    assert found.name == "2000000151-2000000350" and len(found.deals) == 200


@pytest.mark.parametrize(
    ("pairs", "name"),
    [
        ([("1-60", "101-120")], "121-320"),
        ([("1-60", "few")], "61-260"),
        ([("1-60", "101-120"), ("500-600", "few")], "601-800"),
    ],
)
def test_a_game_that_names_none_has_those_after_its_jobs(
    toy: Toy, pairs: list[tuple[str, str]], name: str
) -> None:
    found = held_out([toy_job(*pair) for pair in pairs], toy)
    first = int(name.partition("-")[0])
    assert found.name == name and found.seen == 0
    assert list(found.deals) == list(range(first, first + 200))


def test_where_numbers_end_the_validation_deals_are_taken_and_said_to_be_seen(toy: Toy) -> None:
    found = held_out([toy_job(validation=f"{LARGEST - 29}-{LARGEST}")], toy)
    assert (found.name, found.seen) == (f"{LARGEST - 29}-{LARGEST}", 30)
    assert list(found.deals) == list(range(LARGEST - 29, LARGEST + 1))


def test_deals_without_numbers_are_those_of_the_validation() -> None:
    job = {"name": "regret", "game": "positions", "generations": 1, "trained": {"search": "solve"}}
    plugins.hand_in("game", handed_in.Positions)
    checked = make_job(job)
    found = held_out([checked], checked.load_game())
    assert list(found.deals) == [f"validation-{number}" for number in range(1, 21)]
    assert (found.name, found.seen) == ("validation", 20)


def test_deals_of_ones_choice_are_counted_where_a_run_used_them(toy: Toy) -> None:
    found = named([59, 60, 61, 62], [toy_job()], toy)
    assert (found.name, found.seen) == ("59-62", 2)
    assert named([110, 7, 5000], [toy_job()], toy).seen == 2
    assert named([110, 7, 5000], [toy_job()], toy).name == "as given"


def test_published_solvers_are_told_apart_by_their_weights_and_named_with_their_authors() -> None:
    job = read_job("runs/freecell-nine.toml")
    hsdh, heineman, published, alone = rivals(job, game("freecell"))
    assert hsdh.name == "hsdh-same-search"
    assert hsdh.source == published.source
    assert (heineman.name, heineman.source) == ("heineman-2009", "Heineman 2009")
    # Its preset looks seven moves ahead, the job two.
    assert heineman.title == "weights of heineman-2009"
    assert hsdh.title == hsdh.name
    assert hsdh.evaluator.features == ("HSDH",)
    assert published.name == "ga-freecell-2011"
    assert published.source == "Elyasaf, Hauptman and Sipper 2011"
    assert len(published.evaluator.features) == 9
    # Nobody published the rival that evolved weights find hardest to beat.
    assert (alone.name, alone.source) == ("well-placed", "one feature alone")
    assert alone.evaluator.features == ("NumberWellPlaced",)


def test_presets_that_mean_nothing_in_a_search_give_way_to_the_baseline() -> None:
    """Klondike's complete search takes the rollouts' weights and does not look at them."""
    klondike = game("klondike")
    order = read_job("runs/klondike-order.toml")
    (baseline,) = rivals(order, klondike)
    assert baseline.name == "no heuristic: all weights 0"
    assert baseline.evaluator.features == order.trained.features
    assert set(baseline.evaluator.weights) == {0.0}
    (published,) = rivals(read_job("runs/klondike-values.toml"), klondike)
    assert published.name == "rollouts-2007"


def test_a_game_of_a_third_party_is_compared_with_its_own_presets(toy: Toy) -> None:
    (guess,) = rivals(toy_job(), toy)
    assert (guess.name, guess.source) == ("guess", "")
    assert guess.evaluator == toy.preset("guess").evaluator
    assert guess.evaluator.weights != HIDDEN


class Overlapping(handed_in.Countdown):
    name = "overlapping"
    held_out = "900-1100"


class Apart(handed_in.Countdown):
    name = "apart"
    held_out = "1201-1300"


def test_the_contract_asks_that_nothing_trains_on_held_out_deals() -> None:
    assert "held out" in check_game(Apart)
    with pytest.raises(AssertionError, match=r"held_out, '900-1100', must share nothing with '1-"):
        check_game(Overlapping)
    assert gafreecell.BaseGame.held_out == ""
