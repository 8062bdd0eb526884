"""The kernels of the rollouts of 2007: actions of K+, value functions, the search."""
