"""``make licences``: the lists of docs/licences.md, from the metadata of installed packages.

Lists the packages that gafreecell needs, those that each extra adds, and their dependencies, by
licence. A package is listed only once, where it comes first, and marked if it is not installed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Sequence
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path
from textwrap import fill as fill_lines

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pages import fill

PAGE = Path("docs/licences.md")
OWN = "gafreecell"
WIDTH = 120
MISSING = "not installed here"
NAMED = {"deap": "LGPL-3.0-or-later", "axe-playwright-python": "MIT AND MPL-2.0"}
"""Packages whose licence file and source headers are more precise than their metadata."""
SHORT = {
    "3-clause bsd": "BSD-3-Clause",
    "3-clause bsd license": "BSD-3-Clause",
    "apache 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd 2-clause license": "BSD-2-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "bsd license": "BSD",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "gnu general public license (gpl)": "GPL",
    "public domain": "public domain",
    "python software foundation license": "PSF",
}
"""Common names of licences, by their names in metadata."""
_LONGEST = 30
"""The longest name of a licence; anything longer is its text."""


def licence_of(about: Message) -> str:
    """The name of a package's licence, from its metadata.

    Args:
        about: the metadata. Newer packages have a licence expression, older ones free text or
            classifiers.
    """
    expression = about.get("License-Expression")
    if expression:
        return str(expression)
    words = str(about.get("License") or "").strip().partition("\n")[0].strip()
    if re.fullmatch(rf"(?!UNKNOWN|Copyright)[\w .-]{{2,{_LONGEST}}}", words):
        return SHORT.get(words.lower(), words)
    kinds = [str(one) for one in about.get_all("Classifier", []) if str(one).startswith("License")]
    names = [one.rpartition(" :: ")[2] for one in kinds]
    return " and ".join(SHORT.get(name.lower(), name) for name in names) or "unknown"


def needed(requirements: Sequence[str]) -> Iterator[str]:
    """The names of all required packages and of their dependencies."""
    waiting = [(Requirement(one), "") for one in requirements]
    met = set()
    while waiting:
        one, extra = waiting.pop()
        if one.marker and not one.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(one.name)
        for wanted in ("", *one.extras):
            if (name, wanted) in met:
                continue
            met.add((name, wanted))
            if not wanted and name != OWN:
                yield name
            try:
                further = requires(name) or []
            except PackageNotFoundError:
                continue
            waiting += [(Requirement(each), wanted) for each in further if name != OWN or wanted]


def listed(names: Iterable[str], own: Container[str]) -> str:
    """Packages by licence.

    Args:
        names: of the packages.
        own: those to print in bold.
    """
    by_licence: dict[str, list[str]] = {}
    for name in sorted(names):
        try:
            about = metadata(name)
            licence, shown = NAMED.get(name) or licence_of(about), str(about["Name"])
        except PackageNotFoundError:
            licence, shown = MISSING, name
        by_licence.setdefault(licence, []).append(f"**{shown}**" if name in own else shown)
    lines = [f"- {licence}: {', '.join(names)}" for licence, names in sorted(by_licence.items())]
    whole = {"break_on_hyphens": False, "break_long_words": False}
    return "\n".join(fill_lines(line, WIDTH, subsequent_indent="  ", **whole) for line in lines)


def main() -> None:
    """Write the lists."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    parts = {"Always": project["dependencies"]}
    parts |= {f"Extra `{k}`": v for k, v in project["optional-dependencies"].items()}
    own = {canonicalize_name(Requirement(one).name) for wanted in parts.values() for one in wanted}
    known: set[str] = set()
    texts = []
    for title, wanted in parts.items():
        names = set(needed(wanted)) - known
        known |= names
        texts.append(f"### {title}\n\n{listed(names, own)}")
    fill("licences", "\n\n".join(texts), PAGE)


if __name__ == "__main__":
    main()
