"""Deals of any game: where each card goes, and which decks are refused."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from games import (
    BELEAGUERED_CASTLE,
    BLACK_HOLE,
    CANFIELD,
    EIGHT_OFF,
    FREECELL,
    GAMES,
    GARGANTUA,
    GOLF,
    KLONDIKE,
    SPIDER,
    YUKON,
)
from random_positions import scattered, shortened, shuffled

from deals import freecell
from deals.cards import DECK, DealError, card_name, parse_card
from deals.microsoft import microsoft_deck
from gafreecell.solitaire.patience.position import arranged, check, dealt, settled
from gafreecell.solitaire.patience.rules import Piles, Rules


def cards(text: str) -> tuple[int, ...]:
    return tuple(map(parse_card, text.split()))
