"""Hashes: of every position from scratch, and the numbers they are made of."""

from __future__ import annotations

import random

import numpy as np
import pytest
from engine import Engine
from hypothesis import given
from plain_twin import Key
from positions import turned_about
from random_games import SEEDS, starts, walk

from deals import FreeCellBoard
from hsd.kernels.zobrist import zobrist


@given(starts(), SEEDS)
def test_states_and_hashes_are_one_to_one(board: FreeCellBoard, seed: int) -> None:
    hashes: dict[Key, tuple[int, int]] = {}
    states: tuple[dict[int, Key], dict[int, Key]] = ({}, {})
    generator = random.Random(seed)
    for engine in walk(board, seed, 12):
        here = engine.twin().key()
        turned = Engine(turned_about(engine.as_board(), generator))
        pairs = [(here, engine.key()), (here, turned.key())]
        for move in engine.moves():
            with engine.made(move):
                pairs.append((engine.twin().key(), engine.key()))
        for state, key in pairs:
            assert hashes.setdefault(state, key) == key
            # Each word alone distinguishes the states.
            for word in (0, 1):
                assert states[word].setdefault(key[word], state) == state


def pair_keys() -> np.ndarray:
    """The Zobrist numbers of all pairs that occur, a row for each pair, a column for each word."""
    pairs = [(card, beneath) for card in range(4, 56) for beneath in range(56)]
    return np.array([[zobrist(*pair, 0), zobrist(*pair, 1)] for pair in pairs], np.uint64)


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
