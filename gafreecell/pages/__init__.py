"""Pages for a browser: games to watch move by move, and reports of runs (``report``).

Each page is one file that needs no network: styles, script and data stand in it. A page knows no
rules; what it shows was computed here, by the games' verifiers.
"""

from gafreecell.pages.replay import Course, Replay, drawings, piles_of, replay, replay_page, solved

__all__ = ["Course", "Replay", "drawings", "piles_of", "replay", "replay_page", "solved"]
