"""Where compiled kernels are kept, when they are compiled anew, and what importing changes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from gafreecell.jit.caching import KEPT_FOLDERS, _Files, drop_unused

STEP = """
from gafreecell.jit import kernel

@kernel
def step(x):
    return x + {step}
"""
HELD = "STEP = {step}"

TOLD = "print({0}(10), sum({0}.stats.cache_hits.values()))\n"
CALLS = """
from gafreecell.jit import kernel
from {package} import step

@kernel
def twice(x):
    return step(step(x))

""" + TOLD.format("twice")
HOLDS = """
from gafreecell.jit import kernel
from {package} import STEP

@kernel
def twice(x):
    return x + 2 * STEP

""" + TOLD.format("twice")


def write(folder: Path, **modules: str) -> None:
    """Write the sources of modules; ``toy_inner`` is ``inner`` in the package ``toy``."""
    for name, text in modules.items():
        package, _, module = name.rpartition("_")
        (folder / package).mkdir(exist_ok=True)
        (folder / package / f"{module or '__init__'}.py").write_text(text)


def python(code: str, folder: Path, **settings: str) -> tuple[list[str], str]:
    """Run code in a new process whose current folder it is; the words printed, and the errors."""
    environment = {**os.environ, "GAFREECELL_CACHE": str(folder / "cache"), **settings}
    environment["PYTHONPATH"] = os.pathsep.join([str(folder), *filter(None, sys.path)])
    # Python takes bytecode for that of a source of the same second and size: none is kept.
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    # Another test of this process may have said it already.
    environment.pop("GAFREECELL_CACHE_UNKEPT", None)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout.split(), done.stderr


class Layout(NamedTuple):
    """Modules of which one has a kernel that another one's code is part of.

    Attributes:
        sources: by module; those that change have a step.
        module: the one imported, which prints a number and whether its kernel was in the cache.
        numbers: what it prints for a step of 1, and of 5.
    """

    sources: Mapping[str, str]
    module: str
    numbers: tuple[str, str] = ("12", "20")


MIDDLE = """
import far.inner
from gafreecell.jit import kernel

@kernel
def twice(x):
    return far.inner.step(far.inner.step(x))
"""
PLUG = """
from middle import between
from gafreecell.jit import kernel

@kernel
def four(x):
    return between.twice(between.twice(x))

""" + TOLD.format("four")

LAYOUTS = {
    "a kernel of its package": Layout(
        {"one_": "", "one_inner": STEP, "one_outer": CALLS.format(package="one.inner")},
        "one.outer",
    ),
    "a constant of its package": Layout(
        {"two_": "", "two_inner": HELD, "two_outer": HOLDS.format(package="two.inner")},
        "two.outer",
    ),
    "a kernel of another package": Layout(
        {"three_": "", "other_": "", "other_inner": STEP}
        | {"three_outer": CALLS.format(package="other.inner")},
        "three.outer",
    ),
    # It sees the kernels of ``middle`` alone, reached through a module, and these call others.
    "a kernel that those it calls call": Layout(
        {"plug_": "", "middle_": "", "far_": "", "far_inner": STEP}
        | {"middle_between": MIDDLE, "plug_outer": PLUG},
        "plug.outer",
        ("14", "30"),
    ),
    "a kernel that a package without kernels hands on": Layout(
        {"four_": "", "home_": "", "home_inner": STEP, "between_": "from home.inner import step\n"}
        | {"four_outer": CALLS.format(package="between")},
        "four.outer",
    ),
    # Such a package has no file; what lies in the current folder is not part of it.
    "a kernel of its namespace package": Layout(
        {"spread_inner": STEP, "spread_outer": CALLS.format(package="spread.inner")},
        "spread.outer",
    ),
}


def test_kernels_are_compiled_once_said_so_and_never_stale(tmp_path: Path) -> None:
    def write_all(step: int) -> None:
        for layout in LAYOUTS.values():
            write(
                tmp_path,
                **{n: text.replace("{step}", f"{step}") for n, text in layout.sources.items()},
            )

    def printed() -> tuple[dict[str, list[str]], str]:
        modules = ", ".join(layout.module for layout in LAYOUTS.values())
        words, said = python(f"import {modules}", tmp_path)
        return {name: words[2 * i : 2 * i + 2] for i, name in enumerate(LAYOUTS)}, said

    old = tmp_path / "cache" / "kernels" / "old"
    old.mkdir(parents=True)
    os.utime(old, (0, 0))
    write_all(1)
    first, said = printed()
    assert first == {name: [layout.numbers[0], "0"] for name, layout in LAYOUTS.items()}
    assert said.count("Compiling") == 1 and said.count("\n") == 1
    assert not old.exists(), "a new folder drops old ones"
    # What editors leave there is no source.
    for package in ("one", "other"):
        (tmp_path / package / ".#inner.py").symlink_to("somebody@somewhere.1234")
        write(tmp_path / package, **{".kept_inner": STEP.format(step=7)})
    write(tmp_path, beside="x = 1")
    again = {name: [layout.numbers[0], "1"] for name, layout in LAYOUTS.items()}
    assert printed() == (again, "")
    # Numba alone would reuse the kernels of the outer modules, which did not change.
    write_all(5)
    changed = {name: [layout.numbers[1], "0"] for name, layout in LAYOUTS.items()}
    assert printed()[0] == changed
    assert not list(tmp_path.glob("*/*.nbi"))


def test_kernels_work_where_nothing_can_be_cached(tmp_path: Path) -> None:
    write(tmp_path, reads=READS)
    assert python(TRIES, tmp_path, GAFREECELL_CACHE=str(tmp_path / "reads.py"))[0][1] == "0"


def test_a_damaged_file_of_a_kernel_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, kept = _Files(str(tmp_path), "kernel", ""), ("code", list(range(40)))
    for path in (tmp_path / "kernel.nbi", tmp_path / "kernel.1.nbc"):
        files.save("signature", kept)
        whole = path.read_bytes()
        cut = [whole[:size] for size in (0, 3, 4, len(whole) // 2, len(whole) - 1)]
        bits = [
            bytes([*whole[:i], whole[i] ^ 1 << i % 8, *whole[i + 1 :]]) for i in range(len(whole))
        ]
        for damaged in [*cut, *bits]:
            path.write_bytes(damaged)
            assert files.load("signature") is None
            files.save("signature", kept)
            assert files.load("signature") == kept
        path.unlink()
        assert files.load("signature") is None
        path.mkdir()
        assert files.load("signature") is None
        path.rmdir()
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"{tmp_path / 'kernel.nbi'} cannot be read (it does not match its check")


def test_kernels_work_with_damaged_files_and_a_full_disk(tmp_path: Path) -> None:
    write(tmp_path, inner=STEP.format(step=1), outer=CALLS.format(package="inner"))
    assert python("import outer", tmp_path)[0] == ["12", "0"]
    for path in (tmp_path / "cache").glob("kernels/*/*"):
        path.write_bytes(path.read_bytes()[:-9])
    words, said = python("import outer", tmp_path)
    assert words == ["12", "0"]
    assert said.count("cannot be read") == 1 and "Traceback" not in said
    assert python("import outer", tmp_path) == (["12", "1"], "")
    # A limit on the size of files fails as a full disk does.
    full = "import resource as r\nr.setrlimit(r.RLIMIT_FSIZE, (200, 200))\nimport outer"
    words, said = python(full, tmp_path, GAFREECELL_CACHE=str(tmp_path / "other"))
    assert words == ["12", "0"]
    assert "other cannot be written to (File too large)" in said and said.count("\n") == 2


READS = """
import numpy as np
from gafreecell.jit import kernel

@kernel
def beyond(values):
    return values[3]
"""

TRIES = """
import numpy as np
from reads import beyond
try:
    beyond(np.arange(8)[:2])
    found = "unchecked"
except IndexError:
    found = "checked"
print(found, sum(beyond.stats.cache_hits.values()))
"""


def test_settings_of_numba_have_kernels_of_their_own(tmp_path: Path) -> None:
    """A setting that a program changes, too, which leaves nothing behind for the others."""
    write(tmp_path, reads=READS)
    later = "from reads import beyond\nimport numba\nnumba.config.BOUNDSCHECK = 1\n"
    assert python(later + TRIES, tmp_path)[0] == ["checked", "0"]
    assert python(TRIES, tmp_path)[0] == ["unchecked", "0"]
    assert python(later + TRIES, tmp_path)[0] == ["checked", "0"]
    assert python(TRIES, tmp_path, NUMBA_BOUNDSCHECK="1")[0] == ["checked", "0"]
    # How many threads there are changes no code.
    found = python(TRIES, tmp_path, NUMBA_BOUNDSCHECK="1", NUMBA_NUM_THREADS="1")
    assert found == (["checked", "1"], "")


def test_kernels_of_a_notebook_are_compiled_in_each_process(tmp_path: Path) -> None:
    code = "".join(
        f"exec({STEP.format(step=1)!r} + 'print(step(1))', {{'__name__': {name!r}}})\n"
        for name in ("__main__", "nowhere")
    )
    assert python(code, tmp_path) == (["2", "2"], "")
    assert not list((tmp_path / "cache").glob("kernels/*/*step*"))


def test_folders_that_are_not_used_are_dropped(tmp_path: Path) -> None:
    now, day = time.time(), 86_400
    for age in [0.0, 0.5, 2, 29, 31, 400]:
        folder = tmp_path / f"{age}"
        folder.mkdir()
        (folder / "kernel.nbc").write_bytes(b"")
        os.utime(folder, (now - age * day, now - age * day))
    drop_unused(tmp_path, now)
    assert sorted(float(path.name) for path in tmp_path.iterdir()) == [0, 0.5, 2, 29]
    for i in range(KEPT_FOLDERS):
        (tmp_path / f"new{i}").mkdir()
    drop_unused(tmp_path, now)
    # Beyond so many folders only those of the last day stay.
    assert sorted(path.name for path in tmp_path.iterdir() if path.name[0] != "n") == ["0.0", "0.5"]


IMPORTED = """
from numba.core import config
before = config.CACHE_DIR
import numba
import gafreecell.jit.kernels.heap
import numpy as np
assert config.CACHE_DIR == before

@numba.njit
def last_of_square(matrix):
    return (matrix @ matrix)[-1, -1]

print(last_of_square(2 * np.eye(2)), last_of_square._cache.cache_path)
from numba.np import arraymath, linalg
assert arraymath.ensure_blas is linalg.ensure_blas
print(arraymath._HAVE_BLAS, linalg.ensure_blas.__name__)
"""


def test_importing_changes_nothing_for_the_numba_functions_of_others(tmp_path: Path) -> None:
    assert python(IMPORTED, tmp_path) == (["4.0", "None", "True", "ensure_blas"], "")


NEEDS = """
from math import lgamma
from gafreecell.jit import kernel

@kernel
def size(x):
    return int(lgamma(x))
"""
SIZE = """
import sys
from gafreecell.jit import caching
from needs import size
if {missing}:
    caching.binding.address_of_symbol = {{"lgamma": None}}.get
print(size(10.0), sum(size.stats.cache_hits.values()), "numba.typed.typedlist" in sys.modules)
"""


def test_numba_is_set_up_for_what_kernels_need_from_outside(tmp_path: Path) -> None:
    write(tmp_path, needs=NEEDS)
    words = [python(SIZE.format(missing=gone), tmp_path)[0] for gone in (False, False, True)]
    # Loading code takes a third of the time of all that numba can compile.
    assert words == [["12", "0", "True"], ["12", "1", "False"], ["12", "1", "True"]]
