"""Weak players, whose lost games tell which deals are hard for people."""
