"""Solvers and runs measured on the same deals and compared: figures, intervals, words."""
