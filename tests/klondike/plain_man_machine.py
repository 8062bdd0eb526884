"""The strategy of 2005 and its rollouts in plain Python, written from the poster.

Yan, Diaconis, Rusmevichientong and Van Roy 2005: "Basic Rules", "Scoring System", "A Heuristic
Strategy", "Rollouts". It works on names of cards and by recursion, and shares nothing with
the package but the series of random numbers, which it computes on its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from plain_hidden import STEP, mixed
from plain_kplus import SUITS, Move, State, changed, home_moves, token, twin

DRAW, REDEAL = ("draw", 0, 0, 0), ("redeal", 0, 0, 0)


def legal_moves(state: State) -> list[Move]:
    """Only whole blocks move, and only to the first of several empty piles."""
    found: list[Move] = []
    piles = list(enumerate(state.piles))
    turned = state.talon[state.cursor - 1] if state.cursor else ""
    for p, (_, up) in piles:
        if up and state.next_home(up[-1]):
            found.append(("ph", p, SUITS.index(up[-1][1]), 1))
    if turned and state.next_home(turned):
        found.append(("th", state.cursor - 1, SUITS.index(turned[1]), 1))
    for p, (down, up) in piles:
        if up and (down or up[0][0] != "K"):
            found += [("pp", p, q, len(up)) for q in state.takers(up[0])]
    if turned:
        found += [("tp", state.cursor - 1, q, 1) for q in state.takers(turned)]
    for suit, ranks in enumerate(state.home):
        if ranks:
            card = "A23456789TJQK"[ranks - 1] + SUITS[suit]
            found += [("hp", suit, q, 1) for q in state.takers(card)]
    if state.cursor < len(state.talon):
        found.append(DRAW)
    elif state.talon:
        found.append(REDEAL)
    return found


def after(state: State, move: Move) -> State:
    if move == DRAW:
        cursor = min(state.cursor + 3, len(state.talon))
        return State(state.piles, state.talon, cursor, state.home)
    if move == REDEAL:
        return State(state.piles, state.talon, 0, state.home)
    return changed(state, move)


class TooMany(Exception):
    """More states entered than allowed."""


@dataclass
class ManMachine:
    """Plays by iterated rollouts.

    With ``remembers`` it skips states that were entered with as many nestings before, as the search
    does; without it every simulation is played anew. ``listed`` and ``entered`` count states.
    """

    nesting: int
    first: str = "points"
    waste_home: int = 10
    piles: int = 5
    queens: str = "suit"
    ties: str = "first"
    avoid: str = "game"
    seed: int = 0
    most: int = 10**9
    remembers: bool = True
    listed: int = 0
    entered: int = 1
    _drawn: int = 0
    _known: dict[State, int] = field(default_factory=dict)

    def run(self, state: State) -> list[str] | None:
        """Tokens that win, or None.

        Raises:
            TooMany: if it would enter more than ``most`` states.
        """
        self._known[state] = self.nesting
        won = [] if state.won else self._game(state, self.nesting, [state])
        if won is None:
            return None
        for move in won:
            state = after(state, move)
        return [*map(token, won), *map(token, home_moves(state))]

    def _game(self, state: State, nestings: int, line: list[State]) -> list[Move] | None:
        avoids = self.avoid == "everywhere" or (self.avoid == "game" and nestings == self.nesting)
        own, played = {state}, []
        line = list(line)
        while True:
            self.listed += 1
            for move in self._shuffled(legal_moves(state)) if nestings else []:
                tried = self._enter(after(state, move))
                if tried.won:
                    return [*played, move]
                if self._is_new(tried, nestings - 1):
                    rest = self._game(tried, nestings - 1, [*line, tried])
                    if rest is not None:
                        return [*played, move, *rest]
            passed = line if avoids else []
            moves = [m for m in legal_moves(state) if after(state, m) not in passed]
            if not moves:
                return None
            move = self.choose(state, moves)
            state = self._enter(after(state, move))
            played.append(move)
            if state.won:
                return played
            if state in own or not self._is_new(state, nestings):
                return None
            own.add(state)
            line.append(state)

    def _enter(self, state: State) -> State:
        if self.entered >= self.most:
            raise TooMany
        self.entered += 1
        return state

    def _is_new(self, state: State, nestings: int) -> bool:
        if not self.remembers:
            return True
        if self._known.get(state, -1) >= nestings:
            return False
        self._known[state] = nestings
        return True

    def _shuffled(self, moves: list[Move]) -> list[Move]:
        for i in range(len(moves) - 1, 0, -1):
            self._drawn += 1
            j = _number(self.seed, self._drawn) % (i + 1)
            moves[i], moves[j] = moves[j], moves[i]
        return moves

    def choose(self, state: State, moves: list[Move]) -> Move:
        """The move of the hand-crafted strategy."""
        worths = [self._worth(state, move) for move in moves]
        equal = [m for m, worth in zip(moves, worths, strict=True) if worth == max(worths)]
        return equal[0 if self.ties == "first" else -1]

    def _worth(self, state: State, move: Move) -> tuple[int, int]:
        points, priority = {"ph": 5, "tp": 5, "hp": -10}.get(move[0], 0), 0
        if move[0] == "th":
            points = self.waste_home
        if move[0] == "pp":
            points, priority = self.piles, 1
            down = state.piles[move[1]][0]
            if down:
                priority = len(down) + 1
        if move[0] == "tp":
            card = state.talon[move[1]]
            hidden = {card for down, _ in state.piles for card in down}
            blocked = card[0] == "K" and not hidden.isdisjoint(self._matching(card))
            priority = -1 if blocked else 1
        return (points, priority) if self.first == "points" else (priority, points)

    def _matching(self, king: str) -> set[str]:
        queen = "Q" + king[1]
        if self.queens == "suit":
            return {queen}
        if self.queens == "colour":
            return {queen, twin(queen)}
        return {"Q" + suit for suit in SUITS} - {queen, twin(queen)}


def _number(seed: int, count: int) -> int:
    """The series splitmix64."""
    return mixed(seed + count * STEP)
