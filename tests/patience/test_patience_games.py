"""The files of games, and how they are found."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from pathlib import Path

import portfolios
import pytest

from deals import parse_range
from deals.errors import BadInput
from gafreecell.solitaire.game import game
from gafreecell.solitaire.patience import library, telling
from gafreecell.solitaire.patience.dealing import deck_of
from gafreecell.solitaire.patience.moves import is_won, legal_moves
from gafreecell.solitaire.patience.position import check, dealt
from gafreecell.solitaire.patience.rules import FIRST

FOLDER = resources.files("gafreecell.solitaire.patience") / "games"
FAMILIES = {
    *("freecell", "castle", "fan", "spider", "yukon", "klondike", "canfield", "forty-thieves"),
    *("golf", "others"),
}
ENGINES = ("freecell", "klondike", "pyramid")
"""Names of games with engines of their own."""


@pytest.mark.parametrize("name", library.names())
def test_a_file(name: str) -> None:
    lines = (FOLDER / f"{name}.toml").read_text(encoding="utf-8").splitlines()
    assert 5 <= len(lines) <= 15
    assert all(len(line) <= 100 for line in lines)
    rules = library.rules(name)
    assert rules.title and rules.source
    assert rules.family in FAMILIES


@pytest.mark.parametrize("number", [1, 40_000])
@pytest.mark.parametrize("name", library.names())
def test_a_deal(name: str, number: int) -> None:
    rules = library.rules(name)
    deck = deck_of(rules, number)
    assert Counter(deck) == dict.fromkeys(range(4, 4 * rules.ranks + 4), rules.decks)
    position = dealt(rules, deck)
    check(position)
    assert sum(map(len, position.piles)) == rules.in_piles
    assert tuple(map(len, position.piles)) == rules.sizes
    assert len(position.reserve) == rules.reserve.count
    assert len(position.stock) == rules.stock.count
    assert sum(card > 0 for card in position.cells) == rules.cells.filled
    assert sum(position.home) == (0 if rules.hole.base else rules.foundations.filled)
    assert not is_won(position)
    assert legal_moves(position) or not rules.stock.count


@pytest.mark.parametrize("name", library.names())
def test_rules_that_do_nothing_are_left_out(name: str) -> None:
    rules = library.rules(name)
    piles = rules.piles
    assert piles.run != piles.build
    assert not piles.run or piles.move == "run"
    assert bool(piles.fill) <= (piles.space == "any")
    assert (piles.build == "none") <= (piles.space == "none")
    assert rules.stock.to != "piles" or not rules.stock.redeals
    assert rules.stock.count or rules.stock == type(rules.stock)()
    if rules.foundations.base == FIRST:
        assert rules.order.startswith("base")


def test_names_are_of_one_game() -> None:
    others = [other for name in library.names() for other in library.rules(name).names]
    count = Counter([*library.names(), *others, *ENGINES])
    assert max(count.values()) == 1
    assert all(name == name.lower() and " " not in name for name in count)


def test_no_two_games_have_the_same_rules() -> None:
    told = Counter(
        str((rules.decks, rules.ranks, rules.piles, rules.cells, rules.foundations))
        + str((rules.reserve, rules.stock, rules.hole))
        for rules in map(library.rules, library.names())
    )
    assert max(told.values()) == 1


def test_names() -> None:
    assert library.proper_name("ko-bakers-game") == "kings-only-bakers-game"
    assert library.proper_name("spider") == "spider"
    assert library.proper_name("no-game") == "no-game"
    assert library.rules("easthaven") is library.rules("east-haven")
    with pytest.raises(BadInput, match="no game 'spidre' given as rules; did you mean 'spider'"):
        library.rules("spidre")


def test_rules_in_sentences() -> None:
    told = {name: telling.told(library.rules(name)) for name in library.names()}
    assert told["canfield"] == (
        "Bring all cards to the foundations, up in suit from the rank of the first card there; the "
        "ace follows the king. Build the piles down in alternating colours. Runs in alternating "
        "colours move together. The reserve fills an empty pile at once. The reserve's top card "
        "can be played, but nothing goes there. The stock turns 3 cards at a time to the waste. "
        "You go through it as often as you like."
    )
    for name, sentences in told.items():
        rules = library.rules(name)
        assert ("the hole" in sentences) == bool(rules.hole.base)
        assert ("free cell" in sentences) == bool(rules.cells.count)
        assert ("The stock" in sentences) == bool(rules.stock.count)
        assert ("face down" in sentences) == any(rules.down)


def test_listing() -> None:
    lines = library.listing()
    families = [line for line in lines if not line.startswith(" ")]
    assert {*families} == FAMILIES
    assert len(lines) == len(families) + len(library.names())
    (line,) = (line for line in lines if line.startswith("  east-haven "))
    assert line.split(maxsplit=1)[1] == "Easthaven (also easthaven)"
    assert lines.index("spider") < lines.index(next(one for one in lines if "Mrs. Mop" in one))


# Files of a user's own

WRONG = {
    "piles = {count = 7}": "title is missing",
    'title = "A"\npiles = {cuont = 7}': r"piles\.cuont is not a key.*has count, dealt",
    'title = "A"\npiles = {count = 70}': r"piles\.count must be 1 to 24, got 70",
    'title = "A"\npiles = {build = "up"}': r"piles\.build must be none or suit or colour or any",
    'title = "A"\nstock = {count = 60}': "more than the 52 cards there are",
    'title = "A"\nnumbers = "windows"': "numbers must be microsoft or pysol, got 'windows'",
    'title = "A"\nnumbers = "microsoft"\ndecks = 2': "numbers must be pysol unless",
    'title = "A"\norder = "jokers"': "order must be some of base, piles",
    "title": "is not TOML",
    'title = "A"\nstock = {count = 8, to = "piles", draw = 3}': r"stock\.draw must be 1 where",
    'title = "A"\nstock = {redeals = 2}': r"stock\.redeals must be 0 where there is no waste",
    'title = "A"\nstock = {count = 8, spaces = false}': r"stock\.spaces must be true unless",
    'title = "A"\nreserve = {stacked = true}': r"reserve\.stacked must be false without",
    'title = "A"\npiles = {run = "suit"}': r"piles\.run must be left out where only single",
}


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('title = "Own game"\npiles = {count = 10}\n', encoding="utf-8")
    assert library.rules(str(path)).sizes == (6, 6, *[5] * 8)
    path = tmp_path / "own.json"
    path.write_text('{"tableau piles": {"count": 10}}', encoding="utf-8")
    assert library.rules(str(path)).sizes == (6, 6, *[5] * 8)
    assert library.rules(str(path)).piles.build == "any"


@pytest.mark.parametrize("text", WRONG)
def test_wrong_files_are_told_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"wrong\.toml: .*" + WRONG[text]):
        library.rules(str(path))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(
        BadInput, match=r"there is no file .*none\.toml in .* the file of its rules where it was"
    ):
        library.rules(str(tmp_path / "none.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(BadInput, match=r"bytes\.toml is not text, expected a file of rules"):
        library.rules(str(tmp_path / "bytes.toml"))


def test_weights_are_compared_on_deals_that_did_not_train_them() -> None:
    compared = {*parse_range(portfolios.TRAINED_DEALS), *parse_range(portfolios.OTHER_DEALS)}
    for name in library.names():
        if name in library.weights(name, library.rules(name)):
            provenance = game(name).preset("evolved").provenance
            for role in ("trained", "validated"):
                assert compared.isdisjoint(parse_range(provenance[role])), name
