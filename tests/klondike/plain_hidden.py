"""Play with hidden cards in plain Python: random, greedy, and UCT, on the plain twin of K+.

A player here holds the true state and uses only the open cards, or draws determinizations
by a generator of its own. It keeps all states it meets and shares nothing with the package.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from plain_klondike import RANKS, PlainTable
from plain_kplus import DRAW, SUITS, Action, State, actions, home_moves, result

STEP = 0x9E3779B97F4A7C15
_WORD = 2**64 - 1


def mixed(z: int) -> int:
    """What splitmix64 makes of a counter."""
    z &= _WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return z ^ (z >> 31)


class PlainDraws:
    """Splitmix64 on Python's numbers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, n: int) -> int:
        self.state = (self.state + STEP) & _WORD
        return ((mixed(self.state) >> 32) * n) >> 32


def seen(state: State) -> object:
    """The information set of a state."""
    piles = tuple(sorted(up for _, up in state.piles))
    talon = state.talon[: len(state.talon) - len(stock(state))]
    return frozenset(hidden(state)), piles, talon, frozenset(state.brought_up()), state.home


def stock(state: State) -> tuple[str, ...]:
    """The stock, if it is unseen."""
    return state.talon[state.cursor :] if state.unseen else ()


def hidden(state: State) -> list[str]:
    """The unseen cards, pile by pile, then those of the stock."""
    return [*(card for down, _ in state.piles for card in down), *stock(state)]


def shown(state: State, action: Action) -> list[int]:
    """The places in ``hidden`` of the cards that an action turns up, in the order of turns."""
    downs = [len(down) for down, _ in state.piles]
    if action == (DRAW,):
        return list(range(sum(downs), len(hidden(state))))[: state.draw]
    after = [len(down) for down, _ in result(state, action).piles]
    return [sum(downs[: p + 1]) - 1 for p in range(7) if after[p] < downs[p]]


def allowed(state: State, past: list[object]) -> list[Action]:
    """Actions that bring no state back that was ever met; ``past`` includes this state."""
    return [action for action in actions(state) if seen(result(state, action)) not in past]


def greedy_end(state: State, past: list[object]) -> list[Action] | None:
    """The greedy search for the goal with all cards seen, home moves at the end included."""
    past, made = [*past], []
    while not state.won:
        choices = allowed(state, past)
        if not choices:
            return None
        made.append(choices[0])
        state = result(state, choices[0])
        past.append(seen(state))
    return made + [(move,) for move in home_moves(state)]


def play_out(table: PlainTable, choose: Callable[[int], int]) -> tuple[list[Action], int]:
    """A game of a player who does not plan.

    Args:
        table: the game.
        choose: the place of the action to play, in the greedy order, from how many there are: two
            or more.

    Returns:
        The actions, and how often there were two or more.
    """
    state = State.of(table)
    past, made, choices = [seen(state)], list[Action](), 0
    while True:
        if not hidden(state):
            end = greedy_end(state, past)
            if end is not None:
                return made + end, choices
        listed = allowed(state, past)
        if not listed:
            return made, choices
        choices += len(listed) > 1
        action = listed[choose(len(listed)) if len(listed) > 1 else 0]
        made.append(action)
        state = result(state, action)
        past.append(seen(state))


class Node:
    """An information set after a history; its actions, those tried first."""

    def __init__(self, state: State, past: list[object]) -> None:
        self.won = state.won or (not hidden(state) and greedy_end(state, past) is not None)
        self.actions = [] if self.won else allowed(state, past)
        self.tried = self.visits = 0
        self.runs = [0] * len(self.actions)
        self.wins = [0] * len(self.actions)
        self.children: list[list[tuple[tuple[str, ...], Node]]] = [[] for _ in self.actions]


class PlainUct:
    """One tree, grown in determinizations of a state.

    Args:
        state: only the set of its unseen cards is used, not their places.
        draws: the player's random numbers.
        width: outcomes that are distinguished, 0 for all.
    """

    def __init__(self, state: State, draws: PlainDraws, width: int) -> None:
        self.state, self.draws, self.width = state, draws, width
        order = [RANKS[i >> 2] + SUITS[i & 3] for i in range(52)]
        self.cards = [card for card in order if card in hidden(state)]
        self.root: Node | None = None

    def _laid(self, state: State, cards: list[str]) -> State:
        """A state with these unseen cards, pile by pile, then in the stock."""
        rest = iter(cards)
        piles = tuple((tuple(next(rest) for _ in down), up) for down, up in state.piles)
        known = len(state.talon) - len(stock(state))
        return replace(state, piles=piles, talon=(*state.talon[:known], *rest))

    def determinized(self) -> State:
        """The state with its unseen cards in a new order."""
        for i in range(len(self.cards) - 1, 0, -1):
            j = self.draws.below(i + 1)
            self.cards[i], self.cards[j] = self.cards[j], self.cards[i]
        return self._laid(self.state, self.cards)

    def trajectory(self) -> None:
        state = self.determinized()
        past = [seen(state)]
        if self.root is None:
            self.root = Node(state, past)
        node, path = self.root, list[tuple[Node, int]]()
        while node.actions:
            i = self._select(node)
            path.append((node, i))
            action, children = node.actions[i], node.children[i]
            turned = shown(state, action)
            if not turned:
                state = result(state, action)
                past.append(seen(state))
                if not children:
                    children.append(((), Node(state, past)))
                node = children[0][1]
                continue
            chosen = None
            if self.width and len(children) == self.width:
                # The latest one comes first.
                cards, chosen = children[::-1][self.draws.below(self.width)]
                state = self._exchanged(state, turned, cards)
            cards = tuple(hidden(state)[place] for place in turned)
            state = result(state, action)
            past.append(seen(state))
            if chosen is None and not self.width:
                chosen = dict(children).get(cards)
            if chosen is None:
                chosen = Node(state, past)
                children.append((cards, chosen))
            node = chosen
        for visited, i in path:
            visited.runs[i] += 1
            visited.wins[i] += node.won

    def _exchanged(self, state: State, places: list[int], cards: tuple[str, ...]) -> State:
        """A state whose unseen cards were swapped, one by one, so that these lie there."""
        laid = hidden(state)
        for place, card in zip(reversed(places), reversed(cards), strict=True):
            at = laid.index(card)
            laid[at], laid[place] = laid[place], laid[at]
        return self._laid(state, laid)

    def _select(self, node: Node) -> int:
        node.visits += 1
        if node.tried < len(node.actions):
            i = node.tried
            drawn = i + self.draws.below(len(node.actions) - i)
            node.actions[i], node.actions[drawn] = node.actions[drawn], node.actions[i]
            node.tried += 1
            return i
        bounds = [
            w / n + math.sqrt(math.log(node.visits) / n)
            for w, n in zip(node.wins, node.runs, strict=True)
        ]
        return bounds.index(max(bounds))
