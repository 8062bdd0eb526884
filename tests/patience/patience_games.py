"""Rules of some games, for tests."""

from __future__ import annotations

from gafreecell.solitaire.patience.rules import (
    Cells,
    Foundations,
    Hole,
    Piles,
    Reserve,
    Rules,
    Stock,
)

FREECELL = Rules("FreeCell", cells=Cells(4))
EIGHT_OFF = Rules("Eight Off", piles=Piles(8, build="suit", space="king"), cells=Cells(8, filled=4))
KLONDIKE = Rules(
    "Klondike",
    piles=Piles(7, dealt="triangle", face_down="covered", move="run", space="king"),
    foundations=Foundations(back=True),
    stock=Stock(24, draw=3, redeals=-1),
)
SPIDER = Rules(
    "Spider",
    decks=2,
    piles=Piles(10, face_down="covered", build="any", move="run", run="suit"),
    foundations=Foundations(runs=True),
    stock=Stock(50, to="piles", spaces=False),
)
YUKON = Rules(
    "Yukon",
    piles=Piles(7, "1 6 7 8 9 10 11", "0 1 2 3 4 5 6", move="loose", space="king"),
)
CANFIELD = Rules(
    "Canfield",
    piles=Piles(4, move="pile", fill="reserve, waste"),
    foundations=Foundations(base="first", filled=1),
    reserve=Reserve(13, stacked=True),
    stock=Stock(34, draw=3, redeals=-1),
)
GOLF = Rules(
    "Golf",
    piles=Piles(7, build="none", space="none"),
    stock=Stock(16, to="hole"),
    hole=Hole("first", wraps=False),
)
BLACK_HOLE = Rules("Black Hole", piles=Piles(17, build="none", space="none"), hole=Hole("AS"))
FAN = Rules("Fan", piles=Piles(18, build="suit", space="king"))
FORTY_THIEVES = Rules(
    "Forty Thieves", decks=2, piles=Piles(10, build="suit"), stock=Stock(64, redeals=0)
)
BELEAGUERED_CASTLE = Rules(
    "Beleaguered Castle", piles=Piles(8, build="any"), foundations=Foundations(filled=4)
)
KING_ALBERT = Rules("King Albert", piles=Piles(9, dealt="1 2 3 4 5 6 7 8 9"), reserve=Reserve(7))
GARGANTUA = Rules(
    "Gargantua",
    decks=2,
    piles=Piles(9, dealt="triangle", face_down="covered", move="run", space="king", fill="waste"),
    foundations=Foundations(back=True),
    stock=Stock(59, redeals=1),
)
"""With a rule that the game does not have: the waste fills spaces."""
GAMES = (
    FREECELL,
    EIGHT_OFF,
    KLONDIKE,
    SPIDER,
    YUKON,
    CANFIELD,
    GOLF,
    BLACK_HOLE,
    FAN,
    FORTY_THIEVES,
    BELEAGUERED_CASTLE,
    KING_ALBERT,
    GARGANTUA,
)
