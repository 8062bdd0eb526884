"""Counts in words, and names that can be written."""

from __future__ import annotations


def plural(count: float, noun: str, many: str = "", digits: str = ",") -> str:
    """A count with its noun: ``1 deal``, ``12,000 deals``.

    Args:
        count: how many there are.
        noun: the singular.
        many: the plural, also used for 0; by default ``noun`` with an s.
        digits: how to write the count, a format specification.
    """
    text = f"{count:{digits}}"
    return f"{text} {noun if text == '1' else many or noun + 's'}"


def speakable(text: str) -> str:
    """A text that UTF-8 can encode.

    Bytes of a file's name that are no text, which Python keeps as surrogates, become ``\\udcff``.
    """
    return text.encode("utf-8", "backslashreplace").decode()
