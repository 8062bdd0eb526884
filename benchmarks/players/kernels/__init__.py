"""The kernels of the weak players: a game each."""
