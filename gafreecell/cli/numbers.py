"""The numbers of deals, where only these are asked for."""

from __future__ import annotations

from deals.errors import BadInput
from gafreecell.service.inputs import Deal
from gafreecell.solitaire.abilities import Recognises
from gafreecell.solitaire.game import Game, able


def number_line(deal: Deal, game: Game) -> tuple[str, bool]:
    """A deal's number, and True; or a comment that says why it has none, and False.

    Commands that read deals pass over comments, so they can read the lines of many deals.
    """
    if isinstance(deal.board, int):
        return str(deal.board), True
    try:
        recognises = able(game, Recognises, "does not recognise its deals")
        return str(recognises.recognised(deal.board)), True
    except BadInput as error:
        return f"# {deal.title} is not recognised: {error}", False
