"""The named sets of deals and the ranges that people write."""

from __future__ import annotations

import pytest

from deals import MS32K, UNSOLVABLE, DealError, named, parse_range, split
from deals.microsoft import LARGEST_DEAL
from deals.sets import NAMES, SPLIT_SEED, split_numbers

SPLITS = ("train", "validation", "test")


def test_sizes_and_where_they_lie() -> None:
    train, validation, test = (split(name) for name in SPLITS)
    assert (len(train), len(validation), len(test)) == (1000, 2000, 31000)
    assert sorted(train + test) == list(MS32K) == list(range(1, 32001))
    assert 32000 < validation[0] <= validation[-1] <= 1_000_000
    for deals in (train, validation, test):
        assert list(deals) == sorted(set(deals))
        assert all(type(number) is int for number in deals)


@pytest.mark.parametrize("seed", [*range(3), SPLIT_SEED])
def test_splits_share_no_deal_and_nobody_trains_on_the_unsolvable(seed: int) -> None:
    train, validation, test = (set(split(name, seed)) for name in SPLITS)
    assert not train & validation and not train & test and not validation & test
    assert not (train | validation) & UNSOLVABLE
    assert 11982 in test


@pytest.mark.parametrize("name", SPLITS)
def test_a_seed_gives_a_split_again_and_another_one_another(name: str) -> None:
    assert split(name, 5) == split(name, 5)
    assert split(name) == split(name, SPLIT_SEED)
    assert len({split(name, seed) for seed in range(6)}) == 6


def test_training_deals_come_from_the_whole_suite() -> None:
    train = split("train")
    by_thousand = [sum(n // 1000 == part for n in train) for part in range(32)]
    assert min(by_thousand) >= 10


def test_named_sets() -> None:
    assert named("ms32k") == tuple(range(1, 32001))
    for name in SPLITS:
        assert named(f"ms32k-{name}") == split(name)
        assert named(f"ms32k-{name}", 7) == split(name, 7)
    assert all(named(name) for name in NAMES)


def test_the_deals_of_progress_belong_to_no_other_set() -> None:
    progress = named("ms-progress")
    assert len(progress) == 200 and progress[0] > 2_000_000_000
    others = [named(name) for name in NAMES if name != "ms-progress"]
    assert not any({*progress} & {*other} for other in others)
    assert progress[-1] <= LARGEST_DEAL and not {*progress} & UNSOLVABLE


@pytest.mark.parametrize("name", ["ms32k-", "ms32k-all", "train", "", "MS32K"])
def test_unknown_set_names_those_there_are(name: str) -> None:
    with pytest.raises(DealError) as fault:
        named(name)
    assert repr(name) in str(fault.value)
    assert all(known in str(fault.value) for known in NAMES)


def test_unknown_split_names_those_there_are() -> None:
    with pytest.raises(DealError, match=r"'dev'.* train, validation, test"):
        split("dev")


def test_unsolvable_deals_are_those_of_the_literature() -> None:
    assert len(UNSOLVABLE) == 8
    assert [n for n in UNSOLVABLE if n in MS32K] == [11982]


@pytest.mark.parametrize(
    ("text", "deals"),
    [
        *[("617", range(617, 618)), ("1", range(1, 2)), ("1-32000", range(1, 32001))],
        *[("5-5", range(5, 6)), (" 3-7\n", range(3, 8))],
        *[(f"{2**31 - first}-{2**31 - 1}", range(2**31 - first, 2**31)) for first in (1, 2)],
        ("2147483647", range(2**31 - 1, 2**31)),
    ],
)
def test_ranges(text: str, deals: range) -> None:
    assert parse_range(text) == deals


@pytest.mark.parametrize(
    "text", ["", "x", "-", "5-", "1-x", "x-1", "1-2-3", "1.5", "1e3", "JD KD 2S", "board.txt"]
)
def test_what_is_no_range(text: str) -> None:
    assert parse_range(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *[(text, "there is no deal 0") for text in ("0", "0-5")],
        *[(text, "there is no deal 2147483648") for text in ("2147483648", "1-2147483648")],
        ("-5", "there is no deal -5"),
        ("5-3", "5-3 runs backwards: write 3-5"),
    ],
)
def test_ranges_that_hold_no_deals(text: str, reason: str) -> None:
    with pytest.raises(DealError, match=reason):
        parse_range(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        *[("11,982", ["11982"]), ("1,000,000", ["1000000"]), ("2,147,483,647", ["2147483647"])],
        *[("1-32,000", ["1-32000"]), ("1,000-2,000", ["1000-2000"]), ("11,982,", ["11982"])],
        *[("1,2,3", ["1", "2", "3"]), ("1000,200", ["1000", "200"]), ("1,5-9", ["1", "5-9"])],
        *[("617,1204", ["617", "1204"]), ("1,100-200", ["1", "100-200"]), ("1,,2", ["1", "2"])],
    ],
)
def test_commas_in_numbers_and_between_them(text: str, parts: list[str]) -> None:
    assert split_numbers(text) == parts
    if len(parts) == 1 and not text.endswith(","):
        assert parse_range(text) == parse_range(parts[0])


@pytest.mark.parametrize(
    "text",
    ["617,164", "1-5,100", "1-11,982", "1,2,345", "0,617", "001,002", "100,200,300", "1,234-5,678"],
)
def test_a_comma_that_can_be_both_is_refused(text: str) -> None:
    with pytest.raises(DealError, match="may stand within a number or between deals"):
        split_numbers(text)
