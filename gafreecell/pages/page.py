"""Fills the templates of pages, with styles and scripts written into them."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deals.words import speakable
from gafreecell.installed import VERSION

if TYPE_CHECKING:
    from jinja2 import Environment

GENERATOR = b'<meta name="generator" content="gafreecell">'
"""By this a page is known as one of ours."""


def render(template: str, **content: Any) -> str:
    """A page, with all texts escaped.

    Args:
        template: a file in ``templates``.
        content: what the template shows.
    """
    return speakable(environment().get_template(template).render(**content))


def is_page(path: Path) -> bool:
    """Whether a file begins as the pages do that commands write."""
    with path.open("rb") as file:
        return GENERATOR in file.read(500)


@cache
def environment() -> Environment:
    """The templates of this package, which escape what they show."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    found = Environment(
        loader=PackageLoader("gafreecell.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Styles and scripts are ours and contain no texts of users.
    found.globals["static"] = lambda name: Markup(static(name))
    found.globals["version"] = VERSION
    found.filters["data"] = lambda value: Markup(as_data(value))
    # Pictures are made by matplotlib, which escapes the texts in them.
    found.filters["svg"] = Markup
    found.filters["capitalized"] = lambda text: text[:1].upper() + text[1:]
    return found


@cache
def static(name: str) -> str:
    """A style sheet or script of this package, without comments and indentation."""
    text = (files("gafreecell.pages") / "static" / name).read_text(encoding="utf-8")
    return re.sub(r"^\s+", "", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL), flags=re.MULTILINE)


def as_data(value: Any) -> str:
    """Plain data as JSON that can stand in a ``<script>`` whatever texts it holds."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    # No text can end the element or open a comment in it.
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
