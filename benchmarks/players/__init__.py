"""Weak players, whose lost games show which deals are hard for people."""
