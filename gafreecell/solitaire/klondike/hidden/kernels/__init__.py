"""The kernels of play with hidden cards: seats, trees, UCT, and foresight."""
