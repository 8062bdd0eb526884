"""``make lists``: the sums of the lists in docs/solve/lists.md, and what a published list says.

The share of Klondike's deals that can be won comes from two samples (double sampling, Cochran,
"Sampling Techniques", chapter 12): many fresh deals within few nodes, most of which decide the
deal, and a list without open deals, which tells how many of those left open can be won.

With a path to PySol FC's list of Klondike deals (``pysollib/games/solvable_seeds/
klondike_solvable_seeds.py``), it only compares its numbers with those of the list klondike-draw-1;
with one to Pringle's and Fish's list of lost FreeCell deals (``data/
impossible-with-4freecells-deals.txt`` of github.com/shlomif/freecell-pro-impossible-deals), with
those of the FreeCell lists.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from pages import fill

from gafreecell.comparing.statistics import wilson
from gafreecell.service.survey import GRADE, PART, STATUS, STATUSES, Survey, read_survey
from gafreecell.solving.outcome import Status
from gafreecell.terminal.tables import table

PAGE = Path("docs/solve/lists.md")
LISTS = Path("lists")
PYSOL = (range(32_000, 54_209), range(54_401, 110_023), range(200_002, 211_080))
"""The numbers that PySol FC's list covers, by its source. 32,000 is another deal there."""
PUBLISHED = {
    "klondike-draw-3": "81.945 ± 0.084, 81.95 ± 0.03",
    "klondike-draw-1": "90.480 ± 0.116",
    "freecell": "99.998881 ± 0.000207",
    "freecell-verdicts": "99.998881 ± 0.000207",
}
"""Shares that can be won, %: Blake and Gent (2026), and lonelybot."""
SAMPLES = {"klondike-sample-3": "klondike-draw-3", "klondike-sample-1": "klondike-draw-1"}
"""Samples within few nodes, and the lists that tell about their open deals."""
WON, LOST = STATUSES.index(Status.SOLVED), STATUSES.index(Status.UNSOLVABLE)


def shards(found: Survey) -> Iterator[tuple[range, np.ndarray, np.ndarray | None]]:
    """The deals of each shard that is there, their statuses, and their grades if any."""
    for shard in found.complete:
        columns = found.read(shard)
        yield shard, columns[STATUS], columns.get(GRADE)


def row(folder: Path) -> list[str]:
    """The sums of a list."""
    found = read_survey(folder)
    parts = [*shards(found)]
    statuses = np.concatenate([status for _, status, _ in parts])
    won, lost = (int((statuses == code).sum()) for code in (WON, LOST))
    graded = sum(int((grades >= 1).sum()) for *_, grades in parts if grades is not None)
    low, high = wilson(won, len(statuses))
    size = sum(file.stat().st_size for file in folder.iterdir() if file.suffix != PART)
    return [
        folder.name, f"{len(statuses):,}", f"{won:,}", f"{lost:,}",
        f"{len(statuses) - won - lost:,}", f"{100 * won / len(statuses):.4f}",
        f"{100 * low:.4f} to {100 * high:.4f}", PUBLISHED.get(folder.name, "-"), f"{graded:,}",
        f"{size / 1000:,.0f} kB",
    ]  # fmt: skip


def compared(theirs: Iterable[int], found: Survey) -> Iterator[tuple[str, list[int], list[int]]]:
    """The deals that are in a list of winnable ones and not, by what ours says of them."""
    parts = [*shards(found)]
    deals = np.concatenate([np.arange(shard.start, shard.stop) for shard, *_ in parts])
    statuses = np.concatenate([status for _, status, _ in parts])
    covered = np.any([(deals >= one.start) & (deals < one.stop) for one in PYSOL], axis=0)
    covered &= deals != PYSOL[0].start
    listed = np.isin(deals, [*theirs])
    for code, status in enumerate(STATUSES):
        met = covered & (statuses == code)
        if met.any():
            yield status.value, deals[met & listed].tolist(), deals[met & ~listed].tolist()


def share(few: Survey, full: Survey) -> list[str]:
    """The share of deals that can be won, from a sample within few nodes and a full list.

    Args:
        few: verdicts of fresh deals within a limit of nodes.
        full: verdicts and nodes of other deals, none open.
    """
    limit = few.weights.limits.nodes
    status = np.concatenate([status for _, status, _ in shards(few)])
    known = [full.read(shard) for shard in full.complete]
    list_status = np.concatenate([columns[STATUS] for columns in known])
    late = np.concatenate([columns["generated"] for columns in known]) > limit
    assert np.isin(status, [WON, LOST, STATUSES.index(Status.NODE_LIMIT)]).all(), few.folder
    assert np.isin(list_status, [WON, LOST]).all(), full.folder
    fresh = np.array([(status == WON).sum(), (status > LOST).sum(), len(status)])
    listed = np.array([((list_status == WON) & ~late).sum(), late.sum(), len(late)])
    won = (list_status[late] == WON).sum()
    return [
        few.folder.name, f"{len(status):,}", f"{limit:,}", f"{100 * fresh[1] / fresh[2]:.2f}",
        f"{won:,} of {late.sum():,}", estimated(*fresh, won, late.sum()),
        estimated(*(fresh + listed), won, late.sum()), PUBLISHED[full.folder.name],
    ]  # fmt: skip


def estimated(won: int, open_: int, deals: int, late_won: int, late: int) -> str:
    """The share that can be won and its 95 % interval, %, by double sampling.

    Args:
        won, open_, deals: the deals that are won early, those left open, and all.
        late_won, late: of the deals that were decided although a sample leaves them open, those
            that are won, and all.
    """
    early, left, later = won / deals, open_ / deals, late_won / late
    found = early + left * later
    # Of one deal's value, 1 if it is won early and `later` if it is left open, and of `later`.
    variance = (early + left * later**2 - found**2) / deals + left**2 * later * (1 - later) / late
    return f"{100 * found:.3f} ± {196 * variance**0.5:.3f}"


def compare_lost(path: Path) -> None:
    """Print how a list of lost FreeCell deals compares with freecell and freecell-verdicts."""
    theirs = np.loadtxt(path, np.int64)
    for name in ("freecell", "freecell-verdicts"):
        found = read_survey(LISTS / name)
        ours = [n for shard, status, _ in shards(found) for n in np.array(shard)[status == LOST]]
        covered = theirs[theirs < found.deals[-1].stop]
        print(
            f"{name}: {len(ours):,} lost, {len(covered):,} in the published list; only here: "
            f"{np.setdiff1d(ours, covered)}, only there: {np.setdiff1d(covered, ours)}"
        )


def compare(path: Path) -> None:
    """Print how PySol FC's list compares with ours, and the numbers where they disagree."""
    (assigned,) = ast.parse(path.read_text(encoding="utf-8")).body
    assert isinstance(assigned, ast.Assign)
    theirs = {*ast.literal_eval(assigned.value)}
    told = [*compared(theirs, read_survey(LISTS / "klondike-draw-1"))]
    counts = [[verdict, f"{len(there):,}", f"{len(not_):,}"] for verdict, there, not_ in told]
    print(table(["ours", "in the published list", "not in it"], counts), end="\n\n")
    rows = []
    for part in (*PYSOL, range(PYSOL[0].start, PYSOL[-1].stop)):
        within = {
            verdict: [sum(deal in part for deal in deals) for deals in both]
            for verdict, *both in told
        }
        total, won = sum(map(sum, within.values())), within[Status.SOLVED]
        cells = [f"{n:,}" for n in (total, sum(won), *won)]
        rows.append([f"{part[0]:,} to {part[-1]:,}", *cells, f"{100 * sum(won) / total:.2f}"])
    header = ["numbers", "compared", "can be won", "of these in the list", "not in it", "won, %"]
    print(table(header, rows), end="\n\n")
    left_out = theirs.difference(*(there for _, there, _ in told))
    print("in the published list, but not compared:", *sorted(left_out))
    for verdict, there, not_ in told:
        where, other = ("not in it", not_) if verdict == Status.SOLVED else ("in it", there)
        print(f"{verdict}, but {where}:", *(other or ["none"]))


def main() -> None:
    """Write the tables; if a published list is given, print how it compares instead."""
    if published := sys.argv[1:]:
        for path in map(Path, published):
            (compare if path.suffix == ".py" else compare_lost)(path)
        return
    # A list that was just begun has no shard yet.
    folders = sorted({shard.parent for shard in LISTS.glob("*/*.npz")})
    rows = [row(folder) for folder in folders if folder.name not in SAMPLES]
    header = ["list", "deals", "won", "lost", "open", "can be won, %", "95 % interval"]
    header += ["published, %", "graded", "size"]
    tables = [table(header, rows)]
    shares = [
        share(read_survey(one), read_survey(LISTS / SAMPLES[one.name]))
        for one in folders
        if one.name in SAMPLES
    ]
    header = ["sample", "fresh deals", "nodes", "left open, %", "of the list's open ones won"]
    header += ["can be won, %", "with the list's deals, %", "published, %"]
    if shares:
        tables.append(table(header, shares))
    fill("lists", "\n\n".join(tables), PAGE)


if __name__ == "__main__":
    main()
