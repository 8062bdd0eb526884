"""The names of licences, and that the page names all packages that pyproject asks for."""

from __future__ import annotations

import tomllib
from email.message import Message
from pathlib import Path

import pytest
from licences import licence_of, needed
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
BSD = "License :: OSI Approved :: BSD License"
ISC = "License :: OSI Approved :: ISC License (ISCL)"


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ({"License-Expression": "MIT OR Apache-2.0", "License": "something"}, "MIT OR Apache-2.0"),
        ({"License": "BSD 3-Clause License\n\nCopyright (c) 2020"}, "BSD-3-Clause"),
        ({"License": "MIT"}, "MIT"),
        ({"License": "Copyright (c) 2015, somebody", "Classifier": BSD}, "BSD"),
        ({"License": "=====\nThe terms\n=====", "Classifier": BSD}, "BSD"),
        ({"License": "UNKNOWN", "Classifier": ISC}, "ISC"),
        ({"Classifier": "Topic :: Games"}, "unknown"),
    ],
)
def test_the_name_of_a_licence(lines: dict[str, str], name: str) -> None:
    about = Message()
    for key, value in lines.items():
        about[key] = value
    assert licence_of(about) == name


def test_packages_that_others_need_are_found_once() -> None:
    found = list(needed(["numba", "rich"]))
    assert {"numba", "llvmlite", "numpy", "rich", "pygments"} <= set(found)
    assert len(found) == len(set(found))


def test_the_page_names_what_is_asked_for() -> None:
    page = (ROOT / "docs/licences.md").read_text(encoding="utf-8").lower().replace("_", "-")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {Requirement(one).name for part in wanted for one in part} - {"gafreecell"}
    assert not [name for name in names if f"**{name}**" not in page]
