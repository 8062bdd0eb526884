"""K+ Solitaire and multistage nested rollouts in plain Python, written from the paper.

Bjarnason, Tadepalli and Fern 2007: sections 2.2 and 4, tables 1 and figure 9. It works on
names of cards and tuples, keeps every state it meets, and shares nothing with the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from plain_klondike import RANKS, PlainTable, fits

SUITS = "CSDH"


def rank(card: str) -> int:
    return RANKS.index(card[0])


def twin(card: str) -> str:
    """The other card of its rank and colour."""
    return card[0] + {"C": "S", "S": "C", "D": "H", "H": "D"}[card[1]]


@dataclass(frozen=True)
class State:
    """Piles of (face-down cards, face-up cards), the talon, its cursor, ranks home, and the rules.

    Of the rules, it has how many cards a draw turns, the redeals left (None: no limit), and whether
    the cards of the stock, of which there are some, are unseen.
    """

    piles: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    talon: tuple[str, ...]
    cursor: int
    home: tuple[int, ...]
    draw: int = 3
    redeals: int | None = None
    unseen: bool = False

    @classmethod
    def of(cls, table: PlainTable) -> State:
        return cls(
            tuple(
                (
                    tuple(card.strip("<>") for card in pile if "<" in card),
                    tuple(card for card in pile if "<" not in card),
                )
                for pile in table.piles
            ),
            tuple(table.waste + table.stock),
            len(table.waste),
            tuple(len(table.home[suit]) for suit in SUITS),
            table.draw,
            table.redeals,
            table.unseen,
        )

    @property
    def same(self) -> object:
        """Equal for positions of one state: piles in other orders, cursors that reach the same."""
        piles = frozenset((p, self.piles.count(p)) for p in self.piles)
        # A talon without cards leaves the redeals, which nobody needs any more.
        return piles, self.talon, frozenset(self.brought_up() or {(0, self.redeals)})

    def reached(self) -> tuple[int, ...]:
        """Talon indices that draws and redeals bring up."""
        return tuple(sorted({index for index, _ in self.brought_up()}))

    def brought_up(self) -> set[tuple[int, int | None]]:
        """Talon indices that draws and redeals bring up, by playing them all, and redeals left.

        An unseen stock does not tell what draws bring up.
        """
        if self.unseen:
            return {(self.cursor - 1, self.redeals)} if self.cursor else set()
        found, cards = set(), len(self.talon)
        waste, redeals = self.cursor, self.redeals
        seen: set[tuple[int, int | None]] = set()
        while (waste, redeals) not in seen:
            seen.add((waste, redeals))
            if waste:
                found.add((waste - 1, redeals))
            if waste < cards:
                waste = min(waste + self.draw, cards)
            elif waste and redeals != 0:
                waste = 0
                redeals = None if redeals is None else redeals - 1
        return found

    @property
    def won(self) -> bool:
        return not self.talon and not any(down for down, _ in self.piles)

    def next_home(self, card: str) -> bool:
        return self.home[SUITS.index(card[1])] == rank(card)

    def takers(self, card: str) -> list[int]:
        """The piles that take a card; only the leftmost of empty ones takes a king."""
        if card[0] == "K":
            return [q for q, (_, up) in enumerate(self.piles) if not up][:1]
        return [q for q, (_, up) in enumerate(self.piles) if up and fits(card, up[-1])]


Move = tuple[str, int, int, int]
"""Kind, source, target, count: "ph" pile home, "th" talon home, "pp", "tp", "hp", or a draw."""
DRAW: Move = "draw", 0, 0, 0


def changed(state: State, move: Move) -> State:
    """The state after a move."""
    if move == DRAW:
        cursor = min(state.cursor + state.draw, len(state.talon))
        return replace(state, cursor=cursor, unseen=cursor < len(state.talon))
    kind, source, target, count = move
    piles = [(list(down), list(up)) for down, up in state.piles]
    talon, cursor, home = list(state.talon), state.cursor, list(state.home)
    redeals = state.redeals
    if kind[0] == "p":
        down, up = piles[source]
        moved = up[-count:]
        del up[-count:]
        if down and not up:
            up.append(down.pop())
    elif kind[0] == "t":
        moved = [talon.pop(source)]
        cursor = source
        if redeals is not None:
            # Nobody turns the waste over without need.
            redeals = max(
                left for j, left in state.brought_up() if j == source and left is not None
            )
    else:
        home[source] -= 1
        moved = [RANKS[home[source]] + SUITS[source]]
    if kind[1] == "h":
        home[SUITS.index(moved[0][1])] += 1
    else:
        piles[target][1].extend(moved)
    return replace(
        state,
        piles=tuple((tuple(down), tuple(up)) for down, up in piles),
        talon=tuple(talon),
        cursor=cursor,
        home=tuple(home),
        redeals=redeals,
    )


def token(move: Move) -> str:
    """A move on the table as it is written, the draws before it left out."""
    kind, source, target, count = move
    if kind in ("draw", "redeal"):
        return kind
    start = {"p": str(source + 1), "t": "w", "h": SUITS[source % 4]}[kind[0]]
    goal = "h" if kind[1] == "h" else str(target + 1)
    return start + goal + (f"v{count:x}" if count > 1 else "")


def home_moves(state: State) -> Iterator[Move]:
    """Home moves alone, pile after pile, until nothing is left."""
    while any(up for _, up in state.piles):
        for p in range(7):
            up = state.piles[p][1]
            if up and state.next_home(up[-1]):
                move = ("ph", p, SUITS.index(up[-1][1]), 1)
                yield move
                state = changed(state, move)


def turns(state: State, move: Move) -> bool:
    kind, source, _, count = move
    return kind[0] == "p" and bool(state.piles[source][0]) and count == len(state.piles[source][1])


def moves(state: State) -> Iterator[Move]:
    """Moves by source, pile by pile, then from the talon and the foundations."""
    for p, (down, up) in enumerate(state.piles):
        if up and state.next_home(up[-1]):
            yield "ph", p, SUITS.index(up[-1][1]), 1
        for count in range(1, len(up) + 1):
            card = up[-count]
            bottom = not down and count == len(up)
            for q in state.takers(card):
                if q != p and not (bottom and card[0] == "K"):
                    yield "pp", p, q, count
    for j in state.reached():
        card = state.talon[j]
        if state.next_home(card):
            yield "th", j, SUITS.index(card[1]), 1
        for q in state.takers(card):
            yield "tp", j, q, 1
    for suit in range(4):
        top = state.home[suit]
        # Foundation progression: aces, twos and cards nobody needs stay.
        if top > 2 and min(state.home) < top - 2:
            for q in state.takers(RANKS[top - 1] + SUITS[suit]):
                yield "hp", suit, q, 1


def undoable(state: State, move: Move) -> bool:
    """Whether local loop prevention is about it: one action would restore the state."""
    kind, source, _, count = move
    if kind == "pp":
        return not turns(state, move) and count < len(state.piles[source][1])
    return kind == "hp"


def seconds(state: State, first: Move) -> Iterator[Move]:
    """Moves that the first makes possible and that could not be undone at once.

    It lays a card bare on the pile that it leaves, or a card from its foundation on the pile
    where it goes.
    """
    after = changed(state, first)
    bare = first[2] if first[0] == "hp" else first[1]
    for move in moves(after):
        kind, source, target, _ = move
        takes_it = kind == "ph" and source == bare and first[0] == "pp"
        covers_it = kind in ("pp", "tp") and target == bare
        if (takes_it or covers_it) and not undoable(after, move):
            yield move


def order(state: State, move: Move) -> int:
    """The class of a move, 1 to 6."""
    kind = move[0]
    if kind == "ph" and turns(state, move):
        return 1
    if kind in ("ph", "th"):
        return 2
    if kind == "pp":
        return 3 if turns(state, move) else 6
    return 4 if kind == "tp" else 5


Action = tuple[Move, ...]


def actions(state: State) -> list[Action]:
    """All actions in order."""
    single = [move for move in moves(state) if not undoable(state, move)]
    listed: list[tuple[int, Action]] = [(order(state, move), (move,)) for move in single]
    for first in moves(state):
        if undoable(state, first):
            after = changed(state, first)
            for second in seconds(state, first):
                listed.append((order(after, second), (first, second)))
    draws: list[Action] = [(DRAW,)] if state.unseen else []
    return [action for _, action in sorted(listed, key=lambda pair: pair[0])] + draws


def result(state: State, action: Action) -> State:
    for move in action:
        state = changed(state, move)
    return state


def features(state: State) -> list[int]:
    """The six features of table 1, the first two as a count and a sum of rank values."""
    hidden = [card for down, _ in state.piles for card in down]
    suit = build = 0
    for down, up in state.piles:
        pile = [*down, *up]
        for k in range(1, len(pile)):
            if k <= len(down):  # It lies directly on a face-down card.
                for below in pile[:k]:
                    suit += below[1] == pile[k][1] and rank(below) < rank(pile[k])
                    build += fits(pile[k], below)
    return [
        sum(state.home),
        sum(r for top in state.home for r in range(top)),
        len(hidden),
        sum(rank(card) for card in hidden),
        len(state.reached()),
        sum(twin(card) in hidden for card in hidden) // 2,
        suit,
        build,
    ]


def won_when_relaxed(state: State) -> bool:
    """Whether the delete relaxation, where what becomes possible stays possible, can be won."""
    return len(delete_relaxation(state)[0]) == 52


def delete_relaxation(state: State, fast: str = "") -> tuple[set[str], set[str]]:
    """The cards that get home, and those that can be built on, in the delete relaxation.

    A card that is held fast never leaves its pile.
    """
    home = {
        RANKS[r] + suit for suit, top in zip(SUITS, state.home, strict=True) for r in range(top)
    }
    open_cards = {card for _, up in state.piles for card in up}
    free = home | open_cards | {state.talon[j] for j in state.reached()}
    piles = [[*down, *up[:1]] for down, up in state.piles]
    while True:
        before = len(free), len(open_cards), len(home), [len(pile) for pile in piles]
        empty = any(not pile for pile in piles)
        home |= {c for c in free if rank(c) == 0 or RANKS[rank(c) - 1] + c[1] in home}
        placed = {
            c
            for c in free
            if (empty and c[0] == "K") or any(fits(c, other) for other in open_cards)
        }
        open_cards |= placed
        gone = placed | home
        for pile in piles:
            if pile and pile[-1] in gone and pile[-1] != fast:
                pile.pop()
                if pile:
                    free.add(pile[-1])
                    open_cards.add(pile[-1])
        for j, card in enumerate(state.talon):
            earlier = sum(other in gone for other in state.talon[:j])
            after = j + 1 < len(state.talon) and state.talon[j + 1] in gone
            if after or (state.redeals != 0 and earlier >= (j + 1) % state.draw):
                free.add(card)
        if before == (len(free), len(open_cards), len(home), [len(pile) for pile in piles]):
            return home, open_cards


def hold_each_other(state: State, wide: bool) -> bool:
    """Whether a pile holds a pair of which neither can leave while the lower stays.

    Unless wide, one of the cards they can be built on lies beneath them.
    """
    for down, up in state.piles:
        for k, lower in enumerate(down):
            upper = twin(lower)
            if lower[0] in "AK" or upper not in down[k + 1 :] + up:
                continue
            if not wide and not any(fits(lower, card) for card in down[:k]):
                continue
            home, open_cards = delete_relaxation(state, lower)
            before = RANKS[rank(lower) - 1]
            to_build = [card for card in open_cards if fits(lower, card)]
            if not {before + lower[1], before + upper[1]} & home and len(to_build) < 2:
                return True
    return False


def held_fast(state: State) -> bool:
    """The second pattern: two cards of a rank and colour in a pile, the lower one face down."""
    for down, up in state.piles:
        for k, lower in enumerate(down):
            beneath = down[:k]
            if (
                twin(lower) in down[k + 1 :] + up
                and any(fits(lower, card) for card in beneath)
                and all(
                    any(c[1] == one[1] and rank(c) < rank(one) for c in beneath)
                    for one in (lower, twin(lower))
                )
            ):
                return True
    return False


LOSS = float("-inf")


class Won(Exception):
    """Carries the actions that won."""


class OutOfNodes(Exception):
    pass


class Rollout:
    """Figure 9 by recursion.

    Attributes:
        entered, listed: counts of states.
    """

    def __init__(self, weights: list[list[float]], levels: list[int], most: int = 10**9) -> None:
        self.weights, self.levels, self.most = weights, levels, most
        self.entered = self.listed = 0
        self.cache: list[dict[object, int]] = [{} for _ in levels]

    def value(self, state: State, h: int) -> float:
        return sum(w * f for w, f in zip(self.weights[h], features(state), strict=True))

    def run(self, state: State) -> tuple[str, list[Action]]:
        self.entered = 1
        if state.won:
            return "solved", []
        if not won_when_relaxed(state) or held_fast(state):
            return "unsolvable", []
        try:
            self.walk(state, 0, self.levels[0], [])
        except Won as won:
            return "solved", won.args[0]
        except OutOfNodes:
            return "node-limit", []
        return "exhausted", []

    def walk(self, state: State, h: int, level: int, made: list[Action]) -> float:
        last = h == len(self.levels) - 1
        if self.cache[h].get(state.same, -1) >= level:  # Lines 4 to 6.
            if last:
                return self.value(state, h)
            return self.walk(state, h + 1, self.levels[h + 1], made)
        if level > 0 and (state.same in self.cache[h] or len(self.cache[h]) < 5000):
            self.cache[h][state.same] = level
        path = {state.same}
        while True:
            here = self.value(state, h)
            best, following = LOSS, None
            if self.entered >= self.most:
                raise OutOfNodes
            self.listed += 1
            for action in actions(state):
                if level > 0 and self.entered >= self.most:
                    raise OutOfNodes
                self.entered += 1
                after = result(state, action)
                if after.won:
                    raise Won([*made, action])
                if after.same in path or not won_when_relaxed(after) or held_fast(after):
                    continue
                if level == 0:
                    value = self.value(after, h)
                else:
                    value = self.walk(after, h, level - 1, [*made, action])
                if value > best:
                    best, following = value, action
            if following is None or (not last and best <= here):  # Lines 11 to 13.
                if last:
                    return here
                return self.walk(state, h + 1, self.levels[h + 1], made)
            state, made = result(state, following), [*made, following]
            path.add(state.same)
