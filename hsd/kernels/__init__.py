"""The jitted engine: board, moves, features and their weighted sums, the deadlock bound."""
