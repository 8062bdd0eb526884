"""Named sets of Microsoft deals: training, validation and test splits.

``ms32k`` is the field's benchmark: deals 1 to 32000. Its training split is a
seeded sample of 1,000, its test split the other 31,000. The validation split
lies above 32,000, so no choice made during training ever depends on a test
deal. Training and validation leave out the deals known to be unsolvable.

``ms-progress`` has 200 deals with large numbers, 2000000001 to 2000000200, for figures of a run's
progress. They serve neither training nor validation nor test: training beyond 32,000 counts up
from 1,000,001 and stays below two billion.
"""

from __future__ import annotations

import re
from functools import cache

from deals.cards import DealError
from deals.checks import expected, shown, whole
from deals.errors import did_you_mean
from deals.microsoft import LARGEST_DEAL

MS32K = range(1, 32001)
# The unsolvable deals among the first million with four free cells, on which exhaustive
# searches of several independent solvers agree.
UNSOLVABLE = frozenset({11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948})
PROGRESS = range(2_000_000_001, 2_000_000_201)
TRAINING_SIZE = 1000
VALIDATION_SIZE = 2000
SAMPLE_SIZE = 1000
SPLIT_SEED = 2011


def split(name: str, seed: int = SPLIT_SEED) -> tuple[int, ...]:
    """The deals of ``train``, ``validation``, ``test`` or ``sample``, in ascending order.

    Args:
        name: of the split; ``sample`` is a part of the test split for slow solvers.
        seed: of the random samples; another seed gives other splits.

    Raises:
        DealError: if there is no split of this name; the message lists them.
    """
    expected(name, str, "a split is train, validation, test or sample", DealError)
    if (whole(seed) or 0) < 0 or whole(seed) is None:
        raise DealError(f"a seed is a whole number, 0 or more, got {shown(seed)}")
    return _split(name, seed)


@cache
def _split(name: str, seed: int) -> tuple[int, ...]:
    import numpy as np

    draw = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    candidates = np.array([n for n in MS32K if n not in UNSOLVABLE])
    train = np.sort(draw.choice(candidates, size=TRAINING_SIZE, replace=False))
    if name == "train":
        return tuple(train.tolist())
    if name == "test":
        return tuple(sorted(set(MS32K) - set(train.tolist())))
    if name == "sample":
        draw = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2,)))
        test = np.array(sorted(set(MS32K) - set(train.tolist())))
        return tuple(np.sort(draw.choice(test, size=SAMPLE_SIZE, replace=False)).tolist())
    if name == "validation":
        draw = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
        beyond = np.array([n for n in range(32001, 1000001) if n not in UNSOLVABLE])
        return tuple(np.sort(draw.choice(beyond, size=VALIDATION_SIZE, replace=False)).tolist())
    raise DealError(f"there is no split {name!r}: the splits are train, validation, test, sample")


NAMES = (
    "ms32k", "ms32k-train", "ms32k-validation", "ms32k-test", "ms32k-sample", "ms-progress",
)  # fmt: skip


def named(name: str, seed: int = SPLIT_SEED) -> tuple[int, ...]:
    """The deals of a named set (see ``NAMES``).

    Raises:
        DealError: if there is no set of that name.
    """
    expected(name, str, f"a set of deals is one of {', '.join(NAMES)}", DealError)
    if name == "ms32k":
        return tuple(MS32K)
    if name == "ms-progress":
        return tuple(PROGRESS)
    if name in NAMES:
        return split(name.removeprefix("ms32k-"), seed)
    sets = ", ".join(NAMES)
    raise DealError(
        f"there is no set of deals {name!r}: the sets are {sets}{did_you_mean(name, NAMES)}"
    )


_THOUSANDS = r"[1-9]\d{0,2}(?:,\d{3})++"
_NUMBER = rf"(?:{_THOUSANDS}|\d++)(?!,)"
_WITH_COMMAS = re.compile(rf"{_NUMBER}(?:-{_NUMBER})?")
_HAS_COMMA = re.compile(r"(?<!\d)\d{1,3},\d{3}(?!\d)")


def split_numbers(text: str) -> list[str]:
    """The numbers and ranges of a word like ``1,5-9`` or ``11,982``, without their commas.

    A comma with three digits behind it stands within a number, as in ``11,982``, unless three
    digits are before it, too: ``617,164`` may be two deals. So may be the end of a range.

    Args:
        text: digits, hyphens and commas.

    Raises:
        DealError: if it can be read in both ways.
    """
    text = text.strip(",")
    parts = [part for part in text.split(",") if part]
    # Such as 1,0000: no deal has zeros before its number.
    if not _HAS_COMMA.search(text) and not re.search(r",0\d", text):
        return parts
    as_number = text.replace(",", "") if _WITH_COMMAS.fullmatch(text) else ""
    first, hyphen, last = as_number.partition("-")
    if hyphen and int(first) > int(last):
        as_number = ""
    zeros = any(part.startswith("0") for part in re.split("[,-]", text))
    if as_number and (zeros or not (hyphen or re.match(r"\d{3},", text))):
        return [as_number]
    if not zeros and not as_number and hyphen:
        return parts
    ways = f": as {as_number}, or as {len(parts)} deals or ranges" if as_number else ""
    raise DealError(
        f"{shown(text)} has a comma that may stand within a number or between deals{ways}: write "
        "numbers without commas, and blanks between deals"
    )


def parse_range(text: str, largest: int = LARGEST_DEAL, smallest: int = 1) -> range | None:
    """The deals of ``617``, ``1-32000`` or ``1-32,000``; None if the text is neither.

    Args:
        text: the user's input.
        largest, smallest: the game's largest and smallest deal number.

    Raises:
        DealError: if a range runs backwards, or a number is not one of the game's.
    """
    expected(text, str, "a range of deals must be a string such as '1-100'", DealError)
    if re.fullmatch(r"\s*+\d[\d,-]*+\s*+", text) and "," in text and text.strip()[-1] != ",":
        given = split_numbers(text.strip())
        text = given[0] if len(given) == 1 else text
    first, hyphen, last = text.strip().partition("-")
    numbered = f"deals are numbered {smallest} to {largest:,}"
    if not first and last.isdecimal():
        raise DealError(f"there is no deal -{last[:20]}: {numbered}")
    if not first.isdecimal() or (hyphen and not last.isdecimal()):
        return None
    for digits in (first, last):
        if len(digits) > len(str(largest)):
            what = f"with {len(digits)} digits" if len(digits) > 40 else digits
            more = "; a Klondike deal in digits has 156" if len(digits) > 40 else ""
            raise DealError(f"there is no deal {what}: {numbered}{more}")
    low, high = int(first), int(last) if hyphen else int(first)
    for number in (low, high):
        if not smallest <= number <= largest:
            raise DealError(f"there is no deal {number}: {numbered}")
    if high < low:
        raise DealError(f"the range {text.strip()} runs backwards: write {high}-{low}")
    return range(low, high + 1)
