"""Kernels of Pyramid: states and their successors, bounds, and the search."""
