"""The solitaire games: the protocol that the framework sees, their registry, and two of them."""
