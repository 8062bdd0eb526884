"""The kernels of the rollouts of 2005: the game, its strategy, the search."""
