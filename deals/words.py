"""Counts in words."""

from __future__ import annotations


def plural(count: float, noun: str, many: str = "", digits: str = ",") -> str:
    """A count and what is counted: ``1 deal``, ``12,000 deals``.

    Args:
        count: how many.
        noun: of one.
        many: of more, or of none; ``noun`` with an s by default.
        digits: how the count is written, as ``format`` takes it.
    """
    text = f"{count:{digits}}"
    return f"{text} {noun if text == '1' else many or noun + 's'}"
