"""Hashes: of every position from scratch, and the numbers they are made of."""

from __future__ import annotations

import random

import numpy as np
import pytest
from engine import Engine
from hypothesis import given
from plain_twin import Key
from random_games import SEEDS, starts, walk

from deals import FreeCellBoard
from gafreecell.jit import kernel
from hsd.kernels.zobrist import zobrist


@given(starts(), SEEDS)
def test_the_incremental_hash_is_the_hash_from_scratch(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 40):
        assert engine.key() == engine.fresh_key()


@given(starts(), SEEDS)
def test_states_and_hashes_are_one_to_one(board: FreeCellBoard, seed: int) -> None:
    hashes: dict[Key, tuple[int, int]] = {}
    states: tuple[dict[int, Key], dict[int, Key]] = ({}, {})
    generator = random.Random(seed)
    for engine in walk(board, seed, 12):
        twin = engine.twin()
        generator.shuffle(twin.cascades)
        generator.shuffle(twin.cells)
        pairs = [(twin.key(), engine.key()), (twin.key(), Engine(twin.as_board()).key())]
        for move in engine.moves():
            suit = engine.suit_home(move)
            engine.play(move)
            pairs.append((engine.twin().key(), engine.key()))
            engine.unplay(move, suit)
        for state, key in pairs:
            assert hashes.setdefault(state, key) == key
            # Each word alone distinguishes the states.
            for word in (0, 1):
                assert states[word].setdefault(key[word], state) == state


def pair_keys() -> np.ndarray:
    """The Zobrist numbers of all pairs that occur, a row for each pair, a column for each word."""

    @kernel
    def fill(numbers):  # type: ignore[no-untyped-def]
        for card in range(4, 56):
            for beneath in range(56):
                for word in range(2):
                    numbers[card, beneath, word] = zobrist(np.uint8(card), np.uint8(beneath), word)

    numbers = np.zeros((64, 64, 2), np.uint64)
    fill(numbers)
    return numbers[4:56, :56].reshape(-1, 2)


def test_hashes_differ_for_every_pair_of_cards() -> None:
    drawn = pair_keys().ravel()
    assert np.unique(drawn).size == drawn.size
    assert (drawn != 0).all()


def test_no_bit_of_the_hash_follows_from_the_others() -> None:
    """The 128 bits are independent: no sum of some of them is the same for all pairs."""
    vectors = [(first << 64 | second) << 1 | 1 for first, second in pair_keys().tolist()]
    # Gauss's elimination over two elements; the last bit stands for a sum that is always one.
    reduced: dict[int, int] = {}
    for vector in vectors:
        while vector and vector.bit_length() in reduced:
            vector ^= reduced[vector.bit_length()]
        if vector:
            reduced[vector.bit_length()] = vector
    assert len(reduced) == 129


@pytest.mark.parametrize("word", [0, 1])
def test_each_word_takes_every_bit_as_often_as_not(word: int) -> None:
    drawn = pair_keys()[:, word]
    for bit in range(64):
        share = float(np.mean((drawn >> np.uint64(bit)) & np.uint64(1)))
        # Five standard deviations of a fair coin.
        assert abs(share - 0.5) < 2.5 / np.sqrt(drawn.size)
