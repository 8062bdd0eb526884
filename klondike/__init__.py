"""Klondike, three cards a draw, redeals without limit: a verifier in plain Python so far."""
