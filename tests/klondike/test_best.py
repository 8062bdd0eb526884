"""The player ``best``: its verdicts, its race, and its judgement of moves against a plain twin."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_klondike import RULES, PlainTable
from random_klondike import tables

from deals import BadInput, KlondikeBoard, klondike
from gafreecell.jit.kernels.draws import new_draws, shuffle
from gafreecell.jit.slices import SOLVED, UNSOLVABLE
from gafreecell.service.solvers import named_solver, player_weights
from gafreecell.solitaire.klondike.complete.kernels import search as complete
from gafreecell.solitaire.klondike.complete.kernels import states
from gafreecell.solitaire.klondike.complete.kernels.layout import unpack
from gafreecell.solitaire.klondike.complete.kernels.states import (
    BASE_DOWN,
    BASE_HOME,
    SWAP,
    TALON_DOWN,
    TALON_HOME,
)
from gafreecell.solitaire.klondike.game import GAME
from gafreecell.solitaire.klondike.hidden import advise, play
from gafreecell.solitaire.klondike.hidden.best import Best
from gafreecell.solitaire.klondike.hidden.judgement import (
    FEATURES,
    NONE,
    TERMS,
    Judgement,
    judgement_of,
)
from gafreecell.solitaire.klondike.hidden.kernels import foresight
from gafreecell.solitaire.klondike.hidden.kernels.judgement import judge
from gafreecell.solitaire.klondike.hidden.kernels.trees import new_tree
from gafreecell.solitaire.klondike.hidden.players import Clock
from gafreecell.solitaire.klondike.hidden.view import View
from gafreecell.solitaire.klondike.presets import CHOICES
from gafreecell.solving.outcome import Evaluator, Limits, Search
from gafreecell.solving.parameters import ParameterError
from gafreecell.solving.weights import Weights

FEATURE_NAMES = tuple(feature.name for feature in FEATURES)
NAMES = [feature.name.removeprefix("Judge") for feature in TERMS]


def seeing(board: KlondikeBoard, seed: int = 0) -> foresight.Mind:
    """The player's arrays, with a view taken in."""
    player = Best()
    player.start(new_draws(seed, 0), {"samples": 1}, Clock(None))
    player._see(View.of_board(board))
    return player._mind


def drawn_state(mind: foresight.Mind) -> tuple[np.uint64, ...]:
    """The state of a new determinization, its face-up cards and its bases."""
    shuffle(mind.determinization, mind.places, mind.registers.unseen, mind.draws)
    mind.registers.world += 1
    state = np.uint64(unpack(mind.unpacked, mind.determinization))
    return tuple(map(np.uint64, states.settled(mind.unpacked.deal, state)))


# ------------------------------------------------------------------ verdicts and the race


def can_be_won(mind: foresight.Mind, state: np.uint64) -> bool:
    """Whether a sound search wins the current determinization from a state."""
    work = complete.new_work(1 << 20, 1 << 12, 1 << 18)
    work.order[:] = mind.orders[0]
    complete.restart(work, 1)
    code = complete.advance(mind.unpacked.deal, work, state, states.PROVES, 900_000, 1 << 60)
    assert code in (SOLVED, UNSOLVABLE)
    return bool(code == SOLVED)


@settings(max_examples=6)
@given(tables(80, RULES))
def test_what_counts_as_won_can_be_won(table: PlainTable) -> None:
    mind = seeing(KlondikeBoard.from_text(table.text()))
    for _ in range(3):
        state, _, _ = drawn_state(mind)
        won = foresight._solves(mind, state, foresight.ROOT_SEARCHES)
        assert not won or can_be_won(mind, state)
        if not won:
            continue
        # So can every state of the memo.
        here = mind.verdicts == 2 * mind.registers.world + 1
        assert here.any()
        for known in mind.memo[here][:5]:
            assert can_be_won(mind, known)
            assert foresight._solves(mind, known, foresight.LEAF_SEARCHES)


def test_a_verdict_is_kept_for_its_determinization_alone() -> None:
    mind = seeing(klondike(1_000_003))
    verdicts, kept = [], 0
    for _ in range(40):
        state, _, _ = drawn_state(mind)
        before = mind.registers.states
        verdicts.append(foresight._solves(mind, state, foresight.ROOT_SEARCHES))
        # The root is the same state in all determinizations, and has to be solved in each.
        assert mind.registers.states > before
        before = mind.registers.states
        assert foresight._solves(mind, state, foresight.ROOT_SEARCHES) == verdicts[-1]
        kept += int(mind.registers.states == before)
    assert 0 < sum(verdicts) < 40
    # Other states of a path may have taken the slot.
    assert kept >= 36


@pytest.mark.parametrize(("difference", "error"), [(0.0, 0.1), (0.05, 0.1), (0.3, 0.1), (0.2, 1.0)])
def test_the_expected_gain_is_an_integral(difference: float, error: float) -> None:
    # The worse move turns out to be better by max(0, x), x normal around minus the difference.
    x = np.linspace(0, 10 * error, 200_001)
    density = np.exp(-(((x + difference) / error) ** 2) / 2) / (error * math.sqrt(2 * math.pi))
    expected = float(np.trapezoid(x * density, x))
    assert foresight._expected_gain(difference, error) == pytest.approx(expected, abs=1e-7)


def raced(results: list[list[int]], price: float, drawn: int = 0) -> list[int]:
    """The moves left after a race with these results, a line for each determinization won."""
    many = len(results[0])
    mind, tree = seeing(klondike(1)), new_tree()
    edges = np.arange(many)
    won = np.array(results)
    mind.registers.won = len(results)
    mind.registers.drawn = drawn or len(results)
    mind.registers.root_states = 100 * mind.registers.drawn
    mind.registers.states = mind.registers.root_states + 50 * won.size
    tree.wins[:many] = won.sum(axis=0)
    for i in range(many):
        for j in range(many):
            mind.ahead[i, j] = (won[:, i] > won[:, j]).sum()
    return edges[: foresight._race(mind, tree, edges, many, price)].tolist()


def test_a_race_drops_what_is_not_worth_its_price() -> None:
    # The first two moves win as often, in other determinizations; the third one wins less.
    lines = [[int(n % 5 != 0), int(n % 5 != 1), int(n % 5 > 1)] for n in range(60)]
    assert raced(lines, price=-1.0) == [0, 1, 2]
    assert raced(lines, price=1e-10) == [0, 1, 2]
    assert raced(lines, price=1e-6) == [0, 1]
    assert len(raced(lines, price=1e-5)) == 1
    # Moves that win and lose together are soon told to be equal: they differ in few cases.
    alike = [[line[0], line[0], line[2]] for line in lines]
    assert raced(alike, price=1e-10) == [0, 1, 2]
    assert len(raced(alike, price=1e-6)) == 1


def test_a_race_ends_early_where_hardly_a_determinization_is_won() -> None:
    lines = [[1, 0], [0, 1]]
    assert len(raced(lines, price=1e-5, drawn=5)) == 2
    assert len(raced(lines, price=1e-5, drawn=400)) == 1
    # A single move is dropped only once there are a few determinizations.
    few = [[1, 1, 0]] * (foresight.FEWEST - 1)
    assert raced(few, price=1e-8) == [0, 1, 2]


# ------------------------------------------------------------------ terms


class Root(NamedTuple):
    """A state in a determinization, with its moves."""

    mind: foresight.Mind
    state: np.uint64
    up: np.uint64
    bases: np.uint64
    moves: list[int]

    def terms(self) -> np.ndarray:
        """The terms of each move, less their means: a column for each term."""
        columns = []
        for term in range(len(TERMS)):
            weights, worths = np.zeros(len(TERMS)), np.zeros(len(self.moves))
            weights[term] = 1.0
            judge(
                self.mind.unpacked.deal, self.state, self.up, self.bases,
                np.array(self.moves, np.int64), len(self.moves), weights, self.mind.terms, worths,
            )  # fmt: skip
            columns.append(worths)
        return np.stack(columns, axis=1)


def rooted(board: KlondikeBoard, seed: int) -> Root:
    """A determinization of a board, drawn with a seed."""
    mind = seeing(board, seed)
    root = drawn_state(mind)
    many, _ = foresight.list_root_moves(mind)
    return Root(mind, *root, mind.moves[:many].tolist())


@settings(max_examples=25)
@given(tables(100), st.integers(0, 1000))
def test_a_judgement_does_not_see_hidden_cards(table: PlainTable, seed: int) -> None:
    board = KlondikeBoard.from_text(table.text())
    one, other = rooted(board, seed), rooted(board, seed + 1)
    assert one.moves == other.moves
    assert np.array_equal(one.terms(), other.terms())


# ------------------------------------------------------------------ a plain twin

Card = tuple[int, int]
"""Rank, 1 to 13, and suit, 0 to 3, of which the first two are black."""


def card_of(i: int) -> Card:
    return (i >> 2) + 1, i & 3


def cards_in(word: np.uint64) -> set[Card]:
    return {card_of(i) for i in range(52) if word >> i & 1}


class Places:
    """Which cards find a place: open cards, some of them loose, and the ranks at home."""

    def __init__(self, up: set[Card], bases: set[Card], home: list[int]) -> None:
        self.up, self.bases, self.home = up, bases, list(home)
        while ready := [c for c in self.loose() if self.is_next(c) and self.uncovered(c)]:
            self.home[ready[0][1]] += 1

    def open(self) -> set[Card]:
        return {(rank, suit) for rank, suit in self.up if rank > self.home[suit]}

    def loose(self) -> set[Card]:
        return self.open() - self.bases

    def is_next(self, card: Card) -> bool:
        return self.home[card[1]] == card[0] - 1

    def free_on(self, rank: int, red: bool) -> bool:
        """Whether a card of a rank and a colour has room for another one on it."""
        there = sum(1 for r, s in self.open() if r == rank and (s > 1) == red)
        lying = sum(1 for r, s in self.loose() if r == rank - 1 and (s > 1) != red)
        return there > lying

    def uncovered(self, card: Card) -> bool:
        return self.free_on(card[0], card[1] > 1)

    def empty(self) -> int:
        return 7 - len(self.bases) - sum(1 for rank, _ in self.loose() if rank == 13)

    def fits(self, cards: set[Card], filled: int = 0) -> int:
        found = 0
        for card in cards:
            rank, suit = card
            room = self.empty() > filled if rank == 13 else self.free_on(rank + 1, suit <= 1)
            found += self.is_next(card) or room
        return found


def plain_terms(root: Root) -> list[dict[str, float]]:
    """The terms of each move by the words of their meanings."""
    deal, state = root.mind.unpacked.deal, root.state
    up, bases = cards_in(root.up), cards_in(root.bases)
    home = [states.home_of(state) >> 4 * suit & 15 for suit in range(4)]
    talon = [card_of(int(deal.talon[k])) for k in range(24) if states.talon_of(state) >> k & 1]
    places = [k for k in range(24) if states.talon_of(state) >> k & 1]
    waste = sum(k < state >> 57 & 31 for k in places)
    hidden = {(r, s) for r in range(1, 14) for s in range(4)} - up - set(talon)
    downs = [max(0, states.held(state, p) - 1) for p in range(7)]
    before = Places(up, bases, home)
    found = []
    for move in root.moves:
        kind, i = move & 7, move >> 3 & 63
        card, ranks = card_of(i), [move >> 16 >> 4 * suit & 15 for suit in range(4)]
        of_home = kind in (BASE_HOME, TALON_HOME)
        from_talon = kind in (TALON_DOWN, TALON_HOME)
        below = downs[deal.pile[i]] if kind in (BASE_DOWN, BASE_HOME) else 0
        filled = int(below > 0)
        now = list(ranks)
        if of_home or kind == SWAP:
            now[card[1]] += 1
        after = Places(
            up | {card} if from_talon else up,
            bases - {card} if kind in (BASE_DOWN, BASE_HOME) else bases,
            now,
        )
        reached = reached_cards(talon, waste)
        left = list(talon)
        if from_talon:
            at = talon.index(card)
            left.remove(card)
            now_reached = reached_cards(left, at)
        else:
            now_reached = reached
        fits = after.fits(hidden, filled) - before.fits(hidden)
        others = bases - {card}
        found.append(
            {
                "Turns": float(below > 0),
                "TurnsDeep": below / 6,
                "TurnsEarly": (below > 0) * sum(downs) / 21,
                "TurnsMost": float(below > 0 and below == max(downs)),
                "TurnsFewest": float(below > 0 and below == min(d for d in downs if d)),
                "Empties": float(kind in (BASE_DOWN, BASE_HOME) and below == 0),
                "HomeFromPile": float(kind == BASE_HOME),
                "HomeFromTalon": float(kind == TALON_HOME),
                "HomeAhead": of_home * (card[0] - 1 - min(home)) / 13,
                "Talon": float(kind == TALON_DOWN),
                "TalonRank": (kind == TALON_DOWN) * card[0] / 13,
                "TalonPlace": deal.place[i] / 24 if from_talon else 0.0,
                "TalonLeft": len(talon) / 24 if from_talon else 0.0,
                "Swap": float(kind == SWAP),
                "Back": float(sum(home) - sum(ranks)),
                "PileRank": (kind == BASE_DOWN) * card[0] / 13,
                "King": float(card[0] == 13 and not of_home and kind != SWAP),
                "Draw": 0.0,
                "HiddenFits": fits / max(1, len(hidden)),
                "TalonReach": (len(now_reached) - len(reached)) / 24,
                "TalonFits": (after.fits(now_reached, filled) - before.fits(reached)) / 24,
                "PilesFit": (
                    after.fits(after.bases & others, filled) - before.fits(others)
                ) / 7,
                "EmptyPiles": float(after.empty() - filled - before.empty()),
                "TwinHidden": float(card_of(i ^ 1) in hidden),
            }
        )  # fmt: skip
    return found


def reached_cards(talon: list[Card], waste: int) -> set[Card]:
    """The cards that draws of three and redeals without limit bring up."""
    if not talon:
        return set()
    last = len(talon) - 1
    places = {last, *range(2, last, 3), *range(waste + 2, last, 3), *([waste - 1] if waste else [])}
    return {talon[k] for k in places}


@settings(max_examples=40)
@given(tables(100), st.integers(0, 1000))
def test_terms_against_plain_sets(table: PlainTable, seed: int) -> None:
    root = rooted(KlondikeBoard.from_text(table.text()), seed)
    if len(root.moves) < 2:
        return
    assert states.redeals_of(root.state) == 0
    plain = np.array([[line[name] for name in NAMES] for line in plain_terms(root)])
    assert np.allclose(root.terms(), plain - plain.mean(axis=0), atol=1e-12)


# ------------------------------------------------------------------ the player


def test_weights_become_a_judgement() -> None:
    assert all(
        np.array_equal(one, other)
        for one, other in zip(judgement_of(Evaluator((), ())), NONE, strict=True)
    )
    given = judgement_of(Evaluator(("JudgeTrust", "JudgeKing"), (0.5, 1.0)))
    assert given.trust.tolist() == [21.0, 1.0]
    assert given.weights[NAMES.index("King")] == 0.1
    assert np.count_nonzero(given.weights) == 1


def test_a_judgement_that_counts_for_much_decides() -> None:
    """With hardly a sample, the move with the most worth is played."""
    drawn = 0
    for number in range(1, 9):
        board = klondike(number)
        player = Best()
        for sign in (1.0, -1.0):
            weights = np.zeros(len(TERMS))
            weights[NAMES.index("Talon")] = sign
            player.judge(Judgement(np.array([1e6, 1.0]), 0.25, weights))
            player.start(new_draws(1, 0), {"samples": 1}, Clock(None))
            view = View.of_board(board)
            edge, _ = player.decide(view)
            move = int(player._tree.action[edge])
            kinds = player._tree.action[: player._tree.size[0]] & 7
            if 0 < (kinds == TALON_DOWN).sum() < kinds.size:
                drawn += 1
                assert (move & 7 == TALON_DOWN) == (sign > 0)
    assert drawn > 4


def weighing(evaluator: Evaluator | None) -> Weights:
    """Weights of a judgement."""
    return Weights(CHOICES, {}, evaluator, Search("choose"), Limits(), {"published": "a"})


def test_play_takes_a_judgement() -> None:
    baselines = tuple(feature.baseline for feature in FEATURES)
    order = random.Random(1)
    others = tuple(order.uniform(0, 1) for _ in FEATURES)
    none, same, changed = (
        [
            play(klondike(n, *rules), "best", {"samples": 5}, weights=weights).moves
            for n, rules in enumerate([(3,), (1,), (3,), (1,)], 1)
        ]
        for weights in (
            None,
            weighing(Evaluator(FEATURE_NAMES, baselines)),
            weighing(Evaluator(FEATURE_NAMES, others)),
        )
    )
    # Weights that say nothing change nothing.
    assert none == same != changed
    empty = weighing(Evaluator((), ()))
    assert play(klondike(1), "best", {"samples": 5}, weights=empty).moves == none[0]


def test_what_is_no_judgement_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for evaluator, fault in (
        (None, "one weighted sum"),
        (Evaluator(("JudgeTurn",), (1.0,)), "'JudgeTurn'.*did you mean 'JudgeTurns'"),
        (Evaluator(("JudgeTrust",), (-0.5,)), "JudgeTrust must be from 0 to 1, got -0.5"),
        (Evaluator(("JudgeTurns",), (float("nan"),)), "JudgeTurns must be a finite number"),
    ):
        with pytest.raises(ParameterError, match=fault):
            play(klondike(1), "best", {"samples": 1}, weights=weighing(evaluator))
    with pytest.raises(ParameterError, match="the policy hop takes no weights"):
        play(klondike(1), "hop", {"samples": 1}, weights=weighing(Evaluator((), ())))
    # A folder does not hide a preset of the same name.
    monkeypatch.chdir(tmp_path)
    Path("vegas-1").mkdir()
    assert player_weights("vegas-1", GAME) == GAME.preset("vegas-1")
    kept = Path("judgement.json")
    weighing(Evaluator(("JudgeTurns",), (0.5,))).write(kept)
    assert player_weights(str(kept), GAME).game == CHOICES
    with pytest.raises(BadInput, match="weights for klondike-choices"):
        named_solver(str(kept), GAME)


@pytest.mark.parametrize(("rules", "unseen"), [((3, 2), False), ((1, 0), True)])
def test_a_judgement_is_refused_under_rules_for_which_none_can_evolve(
    rules: tuple[int, int], unseen: bool
) -> None:
    weights = weighing(Evaluator(FEATURE_NAMES, (0.5,) * len(FEATURES)))
    board = klondike(2, *rules, unseen)
    left = {0: "no redeal is", 2: "2 redeals are"}[rules[1]]
    for asked in (play, advise):
        with pytest.raises(ParameterError, match=f"here {left} left"):
            asked(board, "best", {"samples": 5}, weights=weights)
    with pytest.raises(ParameterError, match="unlimited redeals"):
        GAME.vary(redeals=rules[1]).player.check("best", {}, False, weights)


def test_what_is_no_board_is_refused() -> None:
    for asked in (play, advise):
        with pytest.raises(ParameterError, match=r"expected a KlondikeBoard, got 3: .*klondike\("):
            asked(3, "best")  # type: ignore[operator]
    with pytest.raises(ParameterError, match="read_weights"):
        play(klondike(1), "best", weights="best.json")  # type: ignore[arg-type]
