"""Pages as a browser takes them in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder

VOID = {"meta", "link", "br", "img", "input"}


class Page(HTMLParser):
    """The elements of a page, all of which must be closed in order.

    Attributes:
        root: the element ``html``.
        comments: all comments.
        words: all text outside scripts.
    """

    def __init__(self, source: str) -> None:
        super().__init__()
        self._tree, self._depth = TreeBuilder(), 0
        self.comments: list[str] = []
        self.words = ""
        self.feed(source)
        self.close()
        assert self._depth == 0
        self.root: Element = self._tree.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tree.start(tag, dict(attrs))  # type: ignore[arg-type]
        self._depth += 1
        if tag in VOID:
            self.handle_endtag(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._tree.end(tag).tag == tag
        self._depth -= 1

    def handle_data(self, data: str) -> None:
        self._tree.data(data)
        if self.cdata_elem != "script":
            self.words += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def of(self, *names: str) -> Iterator[Element]:
        """The elements of these names, in order."""
        return (one for one in self.root.iter() if one.tag in names)

    def texts(self, *names: str) -> list[str]:
        """Their texts."""
        return [text(one) for one in self.of(*names)]

    @property
    def data(self) -> list[Any]:
        """What the page's script reads."""
        scripts = self.of("script")
        return [json.loads(text(one)) for one in scripts if one.get("type") == "application/json"]


def text(element: Element) -> str:
    """The text of an element, with that of all elements in it."""
    return "".join(element.itertext())
