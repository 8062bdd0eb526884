"""Kernels that several games share: bits, random numbers, heaps, hash tables."""
