"""Solitaire games given as rules: one engine for all of them."""
