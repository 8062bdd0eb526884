"""Move ordering by weights, and solutions made shorter."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest

from deals import klondike
from gafreecell.jit import uint64
from gafreecell.solitaire.klondike import shorten
from gafreecell.solitaire.klondike.complete.kernels.layout import new_unpacked, unpack
from gafreecell.solitaire.klondike.complete.kernels.search import new_work, sort_moves
from gafreecell.solitaire.klondike.complete.kernels.states import after_move, list_moves, settled
from gafreecell.solitaire.klondike.complete.order import ORDER, order_weights
from gafreecell.solitaire.klondike.complete.search import Complete
from gafreecell.solitaire.klondike.features import FEATURES
from gafreecell.solitaire.klondike.game import GAME
from gafreecell.solitaire.klondike.moves import token
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solitaire.klondike.shorten import shortened
from gafreecell.solitaire.klondike.verifier import verify
from gafreecell.solving.loading import loaded
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.parameters import read_parameters
from gafreecell.solving.search import Found

SEARCH = Complete()
BASE_DOWN, BASE_HOME, TALON_DOWN, TALON_HOME = range(4)


def run(number: int, nodes: int = 20_000, weights: np.ndarray | None = None, **given: int) -> Found:
    vector = np.zeros(len(FEATURES))
    if weights is not None:
        vector[-len(ORDER) :] = weights
    values = read_parameters("complete", SEARCH.parameters, given)
    return SEARCH.run(pack_board(klondike(number)), vector, values, Limits(nodes=nodes))


# ------------------------------------------------------------------ order


def plain_score(position: object, state: int, up: int, weights: list[int], move: int) -> int:
    """The score by which ``sort_moves`` sorts, in Python's whole numbers."""
    deal = position.deal  # type: ignore[attr-defined]
    kind, card, after = move & 7, move >> 3 & 63, move >> 16 & 0xFFFF
    home = state >> 17 & 0xFFFF
    at_home = {4 * r + s for s in range(4) for r in range(home >> 4 * s & 15)}
    back = {4 * r + s for s in range(4) for r in range(after >> 4 * s & 15, home >> 4 * s & 15)}
    exposed = {i for i in range(52) if up >> i & 1} - at_home
    score = weights[9] * (card // 4 + 1) + weights[10] * len(back)
    score += weights[0] * (kind in (BASE_HOME, TALON_HOME))
    if kind in (TALON_DOWN, TALON_HOME):
        score += weights[7] + weights[8] * int(deal.place[card])
    if kind in (BASE_DOWN, BASE_HOME):
        beneath = int(deal.beneath[card]).bit_length() - 1
        if beneath < 0:
            return score + weights[6]
        shift, mask = [(0, 1), (1, 3), (3, 3), (5, 7), (8, 7), (11, 7), (14, 7)][deal.pile[card]]
        score += weights[1] + weights[2] * ((state >> shift & mask) - 1)
        score += weights[3] * ((home >> 4 * (beneath % 4) & 15) == beneath // 4)
        fits = any(i // 4 == beneath // 4 + 1 and (i ^ beneath) & 2 for i in exposed)
        score += weights[4] * fits + weights[5] * (beneath // 4 + 1)
    return score


@pytest.mark.parametrize("seed", range(12))
def test_moves_are_sorted_by_what_they_do(seed: int) -> None:
    generator = random.Random(seed)
    weights = order_weights(np.array([generator.uniform(-1, 1) for _ in ORDER]))
    position, work = new_unpacked(), new_work()
    root = np.uint64(unpack(position, pack_board(klondike(1000 + seed))))
    state, up, bases = map(uint64, settled(position.deal, root))
    sorted_lists = 0
    for _ in range(60):
        end = list_moves(position.deal, state, up, bases, 3, work.moves, 5, work.found)
        listed = work.moves[5:end].tolist()
        if not listed:
            break
        sort_moves(position.deal, state, up, weights, work.moves, work.scores, 5, end)
        expected = sorted(
            listed,
            key=lambda m: plain_score(position, int(state), int(up), weights.tolist(), m),
        )
        assert work.moves[5:end].tolist() == expected
        sorted_lists += expected != listed
        reached = after_move(position.deal, state, up, bases, generator.choice(listed))
        state, up, bases = map(uint64, reached)
    assert sorted_lists > 0


def test_any_order_gives_the_same_verdicts() -> None:
    generator = np.random.default_rng(4)
    verdicts = {Status.SOLVED, Status.UNSOLVABLE}
    nodes = set()
    for number in range(1, 31):
        found = [run(number), run(number, weights=generator.uniform(-1, 1, len(ORDER)))]
        assert len({one.status for one in found} & verdicts) <= 1
        nodes.add(found[0].nodes == found[1].nodes)
        for one in found:
            if one.moves is not None:
                assert verify(klondike(number), map(token, one.moves.tolist())).solved
    assert False in nodes


# ------------------------------------------------------------------ shorter solutions


def test_solutions_become_shorter_within_their_budget() -> None:
    lengths = []
    for number in range(1, 16):
        found = [run(number, shorten=budget) for budget in (0, 500, 20_000)]
        if found[0].moves is None:
            continue
        for one in found:
            assert one.moves is not None
            assert verify(klondike(number), map(token, one.moves.tolist())).solved
            assert one.nodes == found[0].nodes
        lengths.append([len(one.moves) for one in found if one.moves is not None])
    totals = np.sum(lengths, axis=0)
    assert all(a >= b >= c for a, b, c in lengths)
    assert totals[2] < 0.93 * totals[0]


def test_redundant_moves_are_left_out() -> None:
    number = next(n for n in range(1, 50) if run(n).moves is not None)
    moves = run(number).moves
    assert moves is not None
    packed = pack_board(klondike(number))
    best = shortened(packed, moves, 10**6, Limits(), 0.0)
    # A round through the stock that plays nothing.
    through = [0] * 8 + [1]
    longer = np.array([*through, *best.tolist()])
    assert verify(klondike(number), map(token, longer.tolist())).solved
    again = shortened(packed, longer, 1, Limits(), 0.0)
    assert len(again) <= len(best)


def test_shortening_keeps_to_its_seconds() -> None:
    number = next(n for n in range(1, 50) if run(n).moves is not None)
    moves = run(number).moves
    assert moves is not None
    packed = pack_board(klondike(number))
    over = shortened(packed, moves, 10**6, Limits(seconds=1e-6), 0.0)
    assert len(over) <= len(moves)
    assert verify(klondike(number), map(token, over.tolist())).solved


_LATE = """
from dataclasses import replace
from deals import klondike
from gafreecell.solitaire.klondike import preset, solve
from gafreecell.solitaire.klondike.game import GAME
from gafreecell.solitaire.klondike.kernels import shorten
from gafreecell.solitaire.klondike.shorten import SHORTENING

kernels = shorten.steps_of, shorten.improve, shorten.replay
GAME.load(SHORTENING)
before = [len(kernel.overloads) for kernel in kernels]
longer = preset("complete")
search = replace(longer.search, parameters={**longer.search.parameters, "shorten": 20_000})
found = solve(3, replace(longer, search=search))
print(len(found.moves) < len(solve(3).moves))
print([len(kernel.overloads) for kernel in kernels] == before == [1, 1, 1])
"""


def test_what_shortens_is_compiled_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    named = []
    for kernel in "steps_of", "improve", "replay":
        monkeypatch.setattr(shorten, kernel, lambda *_: named.append(loaded()))
    assert shorten.SHORTENING in GAME.parts
    shorten.load_kernels(pack_board(klondike(3)))
    assert named == [shorten.SHORTENING] * 3


def test_compiling_is_no_time_of_shortening() -> None:
    done = subprocess.run([sys.executable, "-c", _LATE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"]
