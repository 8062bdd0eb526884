"""Kernels that the engines share: sets of cards, the board of K+, dead ends, shortening."""
