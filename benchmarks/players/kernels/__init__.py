"""The kernels of the weak players, one module for each game."""
