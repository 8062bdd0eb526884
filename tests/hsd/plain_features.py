"""The features beyond Table 1 in plain Python on the plain twin, from their meanings.

Each is a function of its own that looks at every card; none uses another's count.
"""

from __future__ import annotations

from plain_twin import Twin, fits

from deals.cards import rank_of, suit_of


def values_of(twin: Twin) -> dict[str, float]:
    """The features of a position that are computed from a board alone, by name."""
    return twin.heuristics() | {name: function(twin) for name, function in FUNCTIONS.items()}


def value_of(twin: Twin, name: str) -> float:
    """One of these features."""
    return FUNCTIONS[name](twin) if name in FUNCTIONS else twin.heuristics()[name]


def cards_above(twin: Twin, card: int) -> int:
    """How many cards lie on a card; none if it is in a cell or home."""
    for column in twin.cascades:
        if card in column:
            return len(column) - 1 - column.index(card)
    return 0


def next_cards(twin: Twin, ahead: int) -> list[int]:
    """Of each suit that has one, the card so many ranks above the one home."""
    ranks = [home + ahead for home in twin.foundations]
    return [4 * rank + suit for suit, rank in enumerate(ranks) if rank <= 13]


def with_beneath(twin: Twin) -> list[tuple[int, list[int]]]:
    """Every card in cascades with the cards beneath it."""
    return [(card, column[:i]) for column in twin.cascades for i, card in enumerate(column)]


def above_next(twin: Twin) -> float:
    return sum(cards_above(twin, card) for card in next_cards(twin, 1)) / 48


def above_second(twin: Twin) -> float:
    return sum(cards_above(twin, card) for card in next_cards(twin, 2)) / 48


def least_above_next(twin: Twin) -> float:
    return min((cards_above(twin, card) for card in next_cards(twin, 1)), default=0) / 18


def own_suit_below(twin: Twin) -> float:
    count = 0
    for card, beneath in with_beneath(twin):
        mates = [other for other in beneath if suit_of(other) == suit_of(card)]
        count += any(rank_of(other) < rank_of(card) for other in mates)
    return count / 48


def sequence_breaks(twin: Twin) -> float:
    return sum(bool(b) and not fits(card, b[-1]) for card, b in with_beneath(twin)) / 51


def inversions(twin: Twin) -> float:
    count = 0
    for card, beneath in with_beneath(twin):
        count += any(rank_of(other) < rank_of(card) for other in beneath)
    return count / 51


def inversion_depth(twin: Twin) -> float:
    ranks = 0
    for card, beneath in with_beneath(twin):
        lower = [rank_of(other) for other in beneath if rank_of(other) < rank_of(card)]
        ranks += rank_of(card) - min(lower) if lower else 0
    return ranks / 200


def not_placed(twin: Twin) -> float:
    count = len(twin.cells)
    for column in twin.cascades:
        run = 0
        while run < len(column) and (run == 0 or fits(column[run], column[run - 1])):
            run += 1
        count += len(column) - run
    return count / 52


def kings_buried(twin: Twin) -> float:
    count = sum(rank_of(card) == 13 for card in twin.cells)
    for column in twin.cascades:
        count += sum(rank_of(card) == 13 for card in column[1:])
    return count / 4


def cells_used(twin: Twin) -> float:
    return len(twin.cells) / twin.cell_count if twin.cell_count else 0.0


def cells_used_squared(twin: Twin) -> float:
    return (len(twin.cells) / twin.cell_count) ** 2 if twin.cell_count else 0.0


def cells_full(twin: Twin) -> float:
    return 1.0 if twin.free_cells() == 0 else 0.0


def cell_ranks(twin: Twin) -> float:
    """Its turn is when the card of its suit one rank lower has gone home."""
    ranks = sum(rank_of(card) - 1 - twin.foundations[suit_of(card)] for card in twin.cells)
    return ranks / (12 * twin.cell_count) if twin.cell_count else 0.0


def occupied_columns(twin: Twin) -> float:
    return sum(bool(column) for column in twin.cascades) / len(twin.cascades)


def cells_times_columns(twin: Twin) -> float:
    return cells_used(twin) * occupied_columns(twin)


FUNCTIONS = {
    "AboveNext": above_next,
    "AboveSecond": above_second,
    "LeastAboveNext": least_above_next,
    "OwnSuitBelow": own_suit_below,
    "SequenceBreaks": sequence_breaks,
    "Inversions": inversions,
    "InversionDepth": inversion_depth,
    "NotPlaced": not_placed,
    "KingsBuried": kings_buried,
    "CellsUsed": cells_used,
    "CellsUsedSquared": cells_used_squared,
    "CellsFull": cells_full,
    "CellRanks": cell_ranks,
    "OccupiedColumns": occupied_columns,
    "CellsTimesColumns": cells_times_columns,
}
