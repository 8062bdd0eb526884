"""The jitted engine of games given as rules."""
