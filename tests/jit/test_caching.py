"""Where compiled kernels are kept, when they are compiled anew, and what importing changes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gafreecell.jit.caching import KEPT_FOLDERS, _Files, drop_unused

CALLED = """
from gafreecell.jit import kernel

@kernel
def step(x):
    return x + {step}
"""

HELD = "STEP = {step}"

CALLS = """
from gafreecell.jit import kernel
from {package}.inner import step

@kernel
def twice(x):
    return step(step(x))

print(twice(10), sum(twice.stats.cache_hits.values()))
"""

HOLDS = """
from gafreecell.jit import kernel
from {package}.inner import STEP

@kernel
def twice(x):
    return x + 2 * STEP

print(twice(10), sum(twice.stats.cache_hits.values()))
"""


def run_toy(folder: Path, cache: Path) -> tuple[list[str], str]:
    """Import the toy package in a new process; the words it prints and its standard error."""
    environment = dict(os.environ, GAFREECELL_CACHE=str(cache))
    environment["PYTHONPATH"] = os.pathsep.join([str(folder), *sys.path])
    # Its own bytecode would be stale within the second.
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run(
        [sys.executable, "-c", "import toy.outer"],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout.split(), done.stderr


@pytest.mark.parametrize(
    ("package", "outer", "inner"),
    [
        pytest.param("toy", CALLS, CALLED, id="a kernel of its package"),
        pytest.param("toy", HOLDS, HELD, id="a constant of its package", marks=pytest.mark.long),
        pytest.param("other", CALLS, CALLED, id="a kernel of another package"),
    ],
)
def test_kernels_are_compiled_once_said_so_and_never_stale(
    package: str, outer: str, inner: str, tmp_path: Path
) -> None:
    toy, below, cache = tmp_path / "toy", tmp_path / package, tmp_path / "cache"
    for folder in (toy, below):
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").write_text("")
    (below / "inner.py").write_text(inner.format(step=1))
    (toy / "outer.py").write_text(outer.format(package=package))
    words, said = run_toy(tmp_path, cache)
    assert words == ["12", "0"]
    assert said.count("Compiling") == 1 and said.count("\n") == 1
    # What editors leave there is no source.
    (below / ".#inner.py").symlink_to("somebody@somewhere.1234")
    (below / ".kept").mkdir()
    (below / ".kept" / "inner.py").write_text(inner.format(step=7))
    words, said = run_toy(tmp_path, cache)
    assert words == ["12", "1"]
    assert said == ""
    # Numba alone would reuse the kernel of outer.py, which did not change.
    (below / "inner.py").write_text(inner.format(step=5))
    words, said = run_toy(tmp_path, cache)
    assert words == ["20", "0"]
    assert not list(tmp_path.glob("*/*.nbi"))


def test_kernels_work_where_nothing_can_be_cached(tmp_path: Path) -> None:
    (tmp_path / "reads.py").write_text(READS)
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
    (tmp_path / "inner.py").write_text(CALLED.format(step=1))
    (tmp_path / "outer.py").write_text(CALLS.replace("{package}.", ""))
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
    print("unchecked", sum(beyond.stats.cache_hits.values()))
except IndexError:
    print("checked", sum(beyond.stats.cache_hits.values()))
"""


def test_settings_of_numba_have_kernels_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "reads.py").write_text(READS)
    assert python(TRIES, tmp_path, NUMBA_BOUNDSCHECK="1")[0] == ["checked", "0"]
    assert python(TRIES, tmp_path, NUMBA_BOUNDSCHECK="0")[0] == ["unchecked", "0"]
    assert python(TRIES, tmp_path, NUMBA_BOUNDSCHECK="1")[0] == ["checked", "1"]
    # How many threads there are changes no code.
    words, said = python(TRIES, tmp_path, NUMBA_BOUNDSCHECK="1", NUMBA_NUM_THREADS="1")
    assert (words, said) == (["checked", "1"], "")


@pytest.mark.long
def test_a_namespace_package_hashes_its_own_folders(tmp_path: Path) -> None:
    """Such a package has no file; what lies in the current folder is not part of it."""
    package = tmp_path / "spread"
    package.mkdir()
    (package / "inner.py").write_text(CALLED.format(step=1))
    (package / "outer.py").write_text(CALLS.format(package="spread"))
    assert python("import spread.outer", tmp_path)[0] == ["12", "0"]
    (tmp_path / "beside.py").write_text("x = 1")
    assert python("import spread.outer", tmp_path)[0] == ["12", "1"]
    (package / "inner.py").write_text(CALLED.format(step=5))
    assert python("import spread.outer", tmp_path)[0] == ["20", "0"]


def test_kernels_of_a_notebook_are_compiled_in_each_process(tmp_path: Path) -> None:
    code = "".join(
        f"exec({CALLED.format(step=1)!r} + 'print(step(1))', {{'__name__': {name!r}}})\n"
        for name in ("__main__", "nowhere")
    )
    assert python(code, tmp_path) == (["2", "2"], "")
    assert not list((tmp_path / "cache").glob("kernels/*/*step*"))


def test_a_plug_in_is_compiled_anew_when_a_kernel_that_it_reaches_changes(tmp_path: Path) -> None:
    """It sees the kernels of ``middle`` alone, reached through a module, and these call others."""
    for name in ("plug", "middle", "far"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "far" / "inner.py").write_text(CALLED.format(step=1))
    (tmp_path / "middle" / "between.py").write_text(
        "import far.inner\nfrom gafreecell.jit import kernel\n\n"
        "@kernel\ndef twice(x):\n    return far.inner.step(far.inner.step(x))\n"
    )
    (tmp_path / "plug" / "outer.py").write_text(
        "from middle import between\nfrom gafreecell.jit import kernel\n\n"
        "@kernel\ndef four(x):\n    return between.twice(between.twice(x))\n\n"
        "print(four(10), sum(four.stats.cache_hits.values()))\n"
    )
    assert python("import plug.outer", tmp_path)[0] == ["14", "0"]
    assert python("import plug.outer", tmp_path)[0] == ["14", "1"]
    (tmp_path / "far" / "inner.py").write_text(CALLED.format(step=5))
    assert python("import plug.outer", tmp_path)[0] == ["30", "0"]


@pytest.mark.long
def test_a_kernel_that_a_package_without_kernels_hands_on_is_never_stale(tmp_path: Path) -> None:
    for name in ("plug", "middle", "far"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "far" / "inner.py").write_text(CALLED.format(step=1))
    (tmp_path / "middle" / "__init__.py").write_text("from far.inner import step\n")
    (tmp_path / "plug" / "outer.py").write_text(
        CALLS.format(package="middle").replace("middle.inner", "middle")
    )
    assert python("import plug.outer", tmp_path)[0] == ["12", "0"]
    (tmp_path / "far" / "inner.py").write_text(CALLED.format(step=5))
    assert python("import plug.outer", tmp_path)[0] == ["20", "0"]


def test_a_setting_that_a_program_changes_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "reads.py").write_text(READS)
    later = "from reads import beyond\nimport numba\nnumba.config.BOUNDSCHECK = 1\n"
    assert python(later + TRIES, tmp_path)[0] == ["checked", "0"]
    assert python(TRIES, tmp_path)[0] == ["unchecked", "0"]
    assert python(TRIES, tmp_path)[0] == ["unchecked", "1"]
    assert python(later + TRIES, tmp_path)[0] == ["checked", "0"]


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


def test_a_new_folder_drops_old_ones(tmp_path: Path) -> None:
    old = tmp_path / "cache" / "kernels" / "old"
    old.mkdir(parents=True)
    os.utime(old, (0, 0))
    (tmp_path / "reads.py").write_text(READS)
    python(TRIES, tmp_path)
    assert not old.exists()
    assert len(list(old.parent.iterdir())) == 1


IMPORTED = """
import sys
from numba.core import config
before = config.CACHE_DIR
import numba
import gafreecell.jit.kernels.heap
import numpy as np
assert config.CACHE_DIR == before

@numba.njit
def inverse(matrix):
    return np.linalg.inv(matrix) @ matrix

print(inverse(2 * np.eye(2))[0, 0], inverse._cache.cache_path)
from numba.np import arraymath, linalg
assert arraymath.ensure_blas is linalg.ensure_blas
print(arraymath._HAVE_BLAS, linalg.ensure_blas.__name__)
"""


def test_importing_changes_nothing_for_the_numba_functions_of_others(tmp_path: Path) -> None:
    words, said = python(IMPORTED, tmp_path)
    assert words == ["1.0", "None", "True", "ensure_blas"]
    assert said == ""


NEEDS = """
import sys
from math import lgamma
from gafreecell.jit import caching, kernel

@kernel
def size(x):
    return int(lgamma(x))

if "missing" in sys.argv[1:]:
    caching.binding.address_of_symbol = {"lgamma": None}.get
print(size(10.0), sum(size.stats.cache_hits.values()), "numba.typed.typedlist" in sys.modules)
"""


def test_numba_is_set_up_for_what_kernels_need_from_outside(tmp_path: Path) -> None:
    script = tmp_path / "needs.py"
    script.write_text(NEEDS)
    environment = dict(os.environ, GAFREECELL_CACHE=str(tmp_path / "cache"))
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    words = [
        subprocess.run(
            [sys.executable, script, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        ).stdout.split()
        for arguments in ([], [], ["missing"])
    ]
    # Loading code takes a third of the time of all that numba can compile.
    assert words == [["12", "0", "True"], ["12", "1", "False"], ["12", "1", "True"]]
