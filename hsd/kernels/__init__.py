"""The jitted engine: board, moves, features and their sums, the deadlock bound."""
