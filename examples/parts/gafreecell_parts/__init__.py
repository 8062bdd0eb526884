"""Parts for evolution runs, each in a file of its own."""
