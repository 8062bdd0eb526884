"""Pyramid drawn: whoever follows the words alone comes to each position as it is drawn."""

from __future__ import annotations

import re

import pytest

from deals.pyramid_deck import PyramidDeck, pyramid, pyramid_card_name
from gafreecell.solitaire import pyramid as pyramid_solitaire
from gafreecell.solitaire.pyramid.drawing import LEGEND, positions
from gafreecell.solitaire.pyramid.verifier import IllegalStep
from gafreecell.solving.drawing import Drawing

FROM = r"from the (pyramid|stock|waste)"
Places = dict[str, list[str]]


def places_of(deck: PyramidDeck) -> Places:
    names = [*map(pyramid_card_name, deck.cards)]
    return {"pyramid": names[:28], "stock": names[28:], "waste": []}


def follow(words: str, places: Places) -> None:
    """Play a step by what is said of it; the tops of stock and waste come first."""
    drawn = re.fullmatch("turn the (..) of the stock onto the waste", words)
    if drawn:
        assert places["stock"].pop(0) == drawn[1]
        places["waste"].insert(0, drawn[1])
        return
    if words == "turn the waste over: it is the stock again":
        assert not places["stock"]
        places["stock"], places["waste"] = places["waste"][::-1], []
        return
    one = re.fullmatch(rf"take the (..) {FROM}", words)
    both = re.fullmatch(rf"take the (..) and the (..) {FROM}", words)
    each = re.fullmatch(rf"take the (..) {FROM} and the (..) {FROM}", words)
    if one:
        taken = [(one[1], one[2])]
    elif both:
        taken = [(both[1], both[3]), (both[2], both[3])]
    else:
        assert each, words
        taken = [(each[1], each[2]), (each[3], each[4])]
    for card, place in taken:
        cards = places[place]
        assert cards.index(card) == 0 or place == "pyramid"
        if place == "pyramid":
            cards[cards.index(card)] = "."
        else:
            cards.remove(card)


def read(drawing: Drawing) -> Places:
    lines = [line for line in str(drawing).splitlines() if not line.startswith("recycles")]
    *rows, stock, waste = lines
    pyramid_cards = [card for row in rows for card in row.split()]
    assert [len(row.split()) for row in rows] == [*range(1, 8)]
    both = [line.split(": ")[1].split() for line in (stock, waste)]
    tops = [[] if cards == ["empty"] else cards for cards in both]
    return {"pyramid": pyramid_cards, "stock": tops[0], "waste": tops[1]}


@pytest.mark.parametrize("number", [5, 7, 8])
def test_the_words_alone_lead_from_position_to_position(number: int) -> None:
    steps = pyramid_solitaire.solve(number).moves
    assert steps is not None
    places = places_of(pyramid(number))
    *drawn, last = positions(pyramid(number), steps)
    assert [drawing.move for drawing in drawn] == list(steps)
    recycles = 0
    for drawing in drawn:
        assert read(drawing) == places
        assert (f"recycles: {recycles}" in str(drawing)) == (recycles > 0)
        follow(drawing.words, places)
        recycles += drawing.move == "Recycle"
    assert read(last) == places
    assert set(places["pyramid"]) == {"."}


def test_an_illegal_step_is_not_drawn() -> None:
    for step in ("Recycle", "Remove Kd", "", "Deal"):
        with pytest.raises(IllegalStep):
            list(positions(pyramid(5), [step]))


def test_four_lines_explain_the_notation() -> None:
    assert len(LEGEND) == 4 and max(map(len, LEGEND)) < 80
