"""``make rating``: the scales of ``gafreecell rate``, and what its grades are worth.

Writes each scale, the nine scores that divide the winnable ones of its reference deals into tenths.
Then compares grades, on the winnable ones of other deals, with the share of games that weak players
lose (``benchmarks/players``), by Spearman's rank correlation. Writes a file docs/rating-*.csv for
each scale and the tables of docs/results; only for the scales that the command line names, if any.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from pages import fill
from players import freecell, klondike, pyramid
from scipy.stats import rankdata

import hsd.rating
from deals import parse_range
from deals.pyramid_deck import PyramidDeck
from gafreecell.installed import VERSION
from gafreecell.solitaire.klondike import GAME as KLONDIKE
from gafreecell.solitaire.pyramid import rating as pyramid_rating
from gafreecell.solving.files import write_atomically
from gafreecell.solving.rating import GRADES, Rating, Scale
from gafreecell.terminal.tables import table

REFERENCE, DEALS = "2300001-2310000", "2310001-2311000"
"""The same numbers for FreeCell and Pyramid, which deal them differently."""
KLONDIKE_REFERENCE, KLONDIKE_DEALS = "2300001-2303000", "2310001-2310400"
RESAMPLES, SEED = 1000, 1
SCORE = "score"
"""The name of the measure behind each grade."""

CHALLENGE = "austega.com, 1997 FreeCell Challenges"
NAMED = {
    f"extra hard ({CHALLENGE})": (
        454, 718, 1941, 6182, 8591, 13867, 14548, 15562, 20630, 21283, 21365, 21491, 25856,
    ),
    f"hard ({CHALLENGE})": (
        169, 617, 3701, 3710, 4806, 6837, 10623, 12384, 12445, 16624, 17565, 18938, 19253, 22272,
        25206, 25450, 25995, 27478, 27657, 28138, 28588, 29788, 30663,
    ),
    "hard for solvers": (13765, 57148, 739671, 861701),
}  # fmt: skip
"""Deals that others call hard. The first two lists are from a player. The third has deals that
fc-solve's fastest preset and searches of this project fail to solve."""
DECLARED = tuple(deal for deals in NAMED.values() for deal in deals)

SLOWEST = """
            Th
          2h  4d
        3h  Qd  8h
      9h  5d  Jc  Td
    7c  4c  Ts  Ac  9c
  8d  5s  2s  7h  6s  7s
2c  9d  Qs  3d  5c  5h  Ad
8s Js 6c 9s 4h Kh Jd 4s 2d 6d Ks Qc 3s 3c Kc 7d Tc Ah 6h Qh Kd 8c As Jh
"""
"""The deck that pyramid-solver's README calls the slowest."""


@dataclass(frozen=True)
class Rated:
    """A game with grades, under rules with a scale of their own.

    Attributes:
        title: the game in words.
        scale: the file of the scale.
        reference: the deals of which the winnable ones are divided into tenths.
        deals: those on which the grade is compared with what players lose.
        rate: rates a deal.
        players: the weak players.
        later: those of them that were added after the measures had been chosen.
        share_lost: the share of so many games that a player loses on a deal.
        games: how many games each player plays on a deal.
        after: text to follow the tables, from the scale and the grades of the deals.
    """

    title: str
    scale: Path
    reference: str
    deals: str
    rate: Callable[[Any], Rating]
    players: Mapping[str, Any]
    later: Sequence[str]
    share_lost: Callable[[Any, int, int], float]
    games: int
    after: Callable[[Scale, np.ndarray], str] = lambda *_: ""


def main(names: Sequence[str]) -> None:
    """Make scales, play, and write."""
    for name in names or SCALES:
        game = SCALES[name]
        scale = make_scale(game)
        deals, ratings = winnable(game, game.deals)
        grades = np.array([scale.grade(score_of(rating)) for rating in ratings])
        lost = {player: shares_lost(game, player, deals) for player in game.players}
        write_rows(Path(f"docs/rating-{name}.csv"), deals, grades, ratings, lost)
        text = f"{game.title}, {len(deals):,} winnable deals of {game.deals}:\n\n"
        text += correlations(game, grades, lost)
        fill(f"rating {name}", "\n\n".join(filter(None, (text, game.after(scale, grades)))))


def each(work: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """Apply a function to all items, on all cores."""
    done: list[Any] = Parallel(n_jobs=-1, backend="threading")(map(delayed(work), items))
    return done


def winnable(game: Rated, deals: str) -> tuple[list[int], list[Rating]]:
    """The deals of a range that can be won, and their ratings."""
    numbers = list(parse_range(deals) or ())
    ratings = each(game.rate, numbers)
    kept = [i for i, rating in enumerate(ratings) if rating.grade is not None]
    return [numbers[i] for i in kept], [ratings[i] for i in kept]


def score_of(rating: Rating) -> float:
    """The score of a deal that can be won."""
    score = rating.measures[SCORE]
    assert score is not None
    return score


def make_scale(game: Rated) -> Scale:
    """The scale from the reference deals; written to the game's package."""
    deals, ratings = winnable(game, game.reference)
    scores = [score_of(rating) for rating in ratings]
    provenance = {
        "deals": game.reference,
        "winnable": len(deals),
        "made_by": "make rating",
        "package": VERSION,
    }
    scale = Scale.of(scores, provenance)
    write_atomically(game.scale, scale.to_text())
    return scale


def shares_lost(game: Rated, name: str, deals: Sequence[int]) -> np.ndarray:
    """For each deal, the share of games that a player loses."""
    player = game.players[name]
    return np.array(each(lambda deal: game.share_lost(player, deal, game.games), deals))


def spearman(one: np.ndarray, other: np.ndarray) -> float:
    """Spearman's rank correlation."""
    return float(np.corrcoef(rankdata(one), rankdata(other))[0, 1])


def interval(measure: Callable[[np.ndarray], float], size: int) -> str:
    """The 95 % interval of a measure, by the bootstrap over deals.

    Args:
        measure: returns the measure of the deals at given indices.
        size: how many deals there are.
    """
    draw = np.random.default_rng(SEED)
    values = [measure(draw.integers(size, size=size)) for _ in range(RESAMPLES)]
    low, high = np.quantile(values, (0.025, 0.975))
    return f"{low:.2f} to {high:.2f}"


def correlations(game: Rated, grades: np.ndarray, lost: dict[str, np.ndarray]) -> str:
    """A table with a row for each player."""
    rows = []
    for name, share in lost.items():
        others = [spearman(share, other) for key, other in lost.items() if key != name]
        rows.append(
            [
                name + (" *" if name in game.later else ""),
                f"{100 * (1 - share.mean()):.0f}",
                f"{spearman(grades, share):.2f}",
                interval(lambda at, share=share: spearman(grades[at], share[at]), len(grades)),
                f"{min(others):.2f} to {max(others):.2f}",
            ]
        )
    header = ["player", "won, %", "Spearman", "95 % interval", "Spearman with the other players"]
    means = [
        f"{np.mean([share[grades == grade].mean() for share in lost.values()]) * 100:.1f}"
        for grade in range(1, GRADES + 1)
    ]
    by_grade = table(["grade", *map(str, range(1, GRADES + 1))], [["games lost, %", *means]])
    return f"{table(header, rows)}\n\n{by_grade}"


def named(scale: Scale, grades: np.ndarray) -> str:
    """A table with a row for each list of deals that others call hard."""
    rows = []
    for name, deals in NAMED.items():
        found = each(hsd.rating.rate, deals)
        theirs = np.array([scale.grade(score_of(rating)) for rating in found])
        every = np.concatenate([grades, theirs])
        are_named = np.repeat([0, 1], [len(grades), len(theirs)])
        most = spearman(are_named, np.concatenate([np.sort(grades), theirs * 0 + GRADES + 1]))
        rows.append(
            [
                name,
                str(len(deals)),
                " ".join(map(str, np.sort(theirs)[::-1])),
                f"{theirs.mean():.1f}",
                f"{100 * _above(theirs, grades):.0f}",
                f"{spearman(are_named, every):.2f} of {most:.2f}",
            ]
        )
    header = [
        "called", "deals", "their grades", "mean", "above a random deal, %",
        "Spearman (largest possible)",
    ]  # fmt: skip
    return table(header, rows, right=False)


def _above(some: np.ndarray, others: np.ndarray) -> float:
    """The share of pairs in which the first value is larger; a tie counts half."""
    return float((some[:, None] > others).mean() + (some[:, None] == others).mean() / 2)


def write_rows(
    path: Path,
    deals: Sequence[int],
    grades: np.ndarray,
    ratings: Sequence[Rating],
    lost: dict[str, np.ndarray],
) -> None:
    """Write the CSV with a row for each deal."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["deal", "grade", *ratings[0].measures, *lost])
        for i, deal in enumerate(deals):
            measures = ["" if m is None else round(m, 4) for m in ratings[i].measures.values()]
            writer.writerow(
                [deal, grades[i], *measures, *(f"{share[i]:.3g}" for share in lost.values())]
            )


def _slowest(*_: Any) -> str:
    status = pyramid_rating.rate(PyramidDeck.from_text(SLOWEST)).status.value
    return f"The deck that pyramid-solver's README calls the slowest is {status}."


def _klondike(draw: int) -> Rated:
    return Rated(
        f"Klondike, drawing {'one card' if draw == 1 else 'three cards'}",
        Path(f"gafreecell/solitaire/klondike/rating-draw-{draw}.json"),
        KLONDIKE_REFERENCE,
        KLONDIKE_DEALS,
        KLONDIKE.vary(draw=draw).rate,
        klondike.PLAYERS,
        klondike.LATER,
        partial(klondike.share_lost, draw=draw),
        20,
    )


SCALES = {
    "freecell": Rated(
        "FreeCell",
        Path("hsd/rating.json"),
        REFERENCE,
        DEALS,
        hsd.rating.rate,
        freecell.PLAYERS,
        freecell.LATER,
        freecell.share_lost,
        40,
        named,
    ),
    "pyramid": Rated(
        "Pyramid",
        Path("gafreecell/solitaire/pyramid/rating.json"),
        REFERENCE,
        DEALS,
        pyramid_rating.rate,
        pyramid.PLAYERS,
        pyramid.LATER,
        pyramid.share_lost,
        100,
        _slowest,
    ),
    "klondike-draw-1": _klondike(1),
    "klondike-draw-3": _klondike(3),
}


if __name__ == "__main__":
    main(sys.argv[1:])
