"""The cache of compiled kernels.

A kernel is compiled once per machine and kept in the user's cache directory, never in the installed
package. Numba's own cache does not notice an edit in another module whose code a kernel calls. So
the name of a kernel's folder is a hash of numba's settings and of all sources whose code it can
contain. No edit in a package with kernels leaves a stale kernel; only a changed constant from a
package without kernels goes unnoticed.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
import sys
import time
import zlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher
from numba.core.runtime.nrt import rtsys

from gafreecell.jit import beside
from gafreecell.solving.cache import cache_directory, is_kept, say_unread, say_unwritten
from gafreecell.solving.loading import Part, compiling
from gafreecell.solving.saying import say
from gafreecell.solving.sources import unit_of

BENEATH = frozenset({"deals", "gafreecell.solving", "gafreecell.jit"})
"""Packages below all others: any kernel may call their kernels and use their constants."""

# Numba's settings that do not affect code. Each value of any other setting has its own folder.
_HARMLESS = re.compile(
    "CACHE|COLOR|DEBUG_CACHE|DEVELOPER|DISABLE_|DUMP|GDB|HIGHLIGHT|NUM_THREADS|REPORT|SHOW|THREAD"
    "|TRACE|VERBOSE|WARNINGS|WARN_"
)

_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*|[\w, \t]*)|import[ \t]+([\w., \t]+))",
    re.MULTILINE,
)

_WORD = re.compile(rb"\w+")
KEPT_FOLDERS = 64
KEPT_SECONDS = 30 * 86_400
_SURELY_KEPT_SECONDS = 86_400

_with_kernels = set(BENEATH)


def sources_of(function: Callable[..., Any]) -> frozenset[str] | None:
    """The packages whose code a kernel can contain; None if its own source is not in a file.

    These are its own package, those below all others, those of the kernels that its module has as
    attributes, and packages with kernels that any of these import. (What a kernel calls has been
    imported, and its kernels registered, before.)
    """
    module = sys.modules.get(function.__module__)
    file = getattr(module, "__file__", None)
    if file is None or not Path(file).is_file():
        return None
    own = _package_of(function.__module__)
    _with_kernels.add(own)
    found: set[str] = set()
    # A kernel may be re-exported, so import statements need not name its package.
    seen = {one.__module__ for one in vars(module).values() if isinstance(one, Dispatcher)}
    coming = {own, *BENEATH, *map(_package_of, seen & set(sys.modules))}
    while coming:
        package = coming.pop()
        found.add(package)
        coming |= (_imports_of(package) & _with_kernels) - found
    return frozenset(found)


def _package_of(module: str) -> str:
    spec = getattr(sys.modules[module], "__spec__", None)
    # A module run with ``python -m`` is called __main__, but its spec has its real name.
    return unit_of(str(spec.name if spec else module))


@cache
def _files_of(package: str) -> dict[str, bytes]:
    """The sources of a package, or of a script's folder, by relative path."""
    module = import_module(package)
    file = getattr(module, "__file__", None)
    if hasattr(module, "__path__"):
        # A namespace package has several folders and no file.
        folders, pattern = [Path(place) for place in module.__path__], "**/*.py"
    else:
        folders, pattern = [Path(str(file)).parent] if file else [], "*.py"
    found = {}
    for i, folder in enumerate(folders):
        for path in sorted(folder.glob(pattern)):
            name = path.relative_to(folder)
            # Editors and file systems leave files that begin with a dot.
            if not any(part.startswith(".") for part in name.parts):
                found[f"{i}/{name.as_posix()}"] = path.read_bytes()
    return found


@cache
def _imports_of(package: str) -> frozenset[str]:
    """The packages that a package's sources import by name."""
    names = set()
    for text in _files_of(package).values():
        for source, members, several in _IMPORT.findall(text):
            if source:
                # A member may be a package, too.
                names |= {source, *(source + b"." + one for one in _WORD.findall(members))}
            else:
                names |= {part.split()[0] for part in several.split(b",") if part.strip()}
    return frozenset(unit_of(name.decode()) for name in names)


@cache
def _hash_of(package: str) -> str:
    digest = hashlib.sha256()
    for name, text in _files_of(package).items():
        digest.update(f"{name} {len(text)} ".encode())
        digest.update(text)
    return digest.hexdigest()


@cache
def _decisive() -> tuple[str, ...]:
    """The names of numba's settings that affect code."""
    values: dict[str, Any] = vars(config)
    return tuple(
        name
        for name, value in sorted(values.items())
        if name.isupper()
        and isinstance(value, bool | int | float | str | None)
        and not _HARMLESS.search(name)
    )


def _settings() -> tuple[Any, ...]:
    return tuple(getattr(config, name) for name in _decisive())


@cache
def _name_for(sources: frozenset[str], settings: tuple[Any, ...]) -> str:
    """The name of the folder for kernels of these packages under these settings."""
    hashes = " ".join([*map(_hash_of, sorted(sources)), repr((_decisive(), settings))])
    return hashlib.sha256(hashes.encode()).hexdigest()[:16]


class _Folder:
    """Tells numba's cache where a kernel is kept."""

    def __init__(self, function: Callable[..., Any], path: Path) -> None:
        self._path = path
        self._py_file = function.__code__.co_filename
        self._line = function.__code__.co_firstlineno

    def ensure_cache_path(self) -> None:
        """Make the folder; if it is new, remove folders that were not used for long."""
        if not self._path.is_dir():
            self._path.mkdir(parents=True, exist_ok=True)
            drop_unused(self._path.parent)

    def get_cache_path(self) -> str:
        """The folder; its name stands for all that the code depends on."""
        return str(self._path)

    def get_source_stamp(self) -> str:
        """Empty, as the folder's name stands for the sources."""
        return ""

    def get_disambiguator(self) -> str:
        """The line number of the kernel."""
        return str(self._line)


class _Kept(CompileResultCacheImpl):
    """Tells numba's cache the names of a kernel's files, and how to pack its code."""

    def __init__(self, function: Callable[..., Any], path: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Folder(function, path)
        name = f"{function.__module__}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, getattr(sys, "abiflags", ""))

    def reduce(self, data: Any) -> tuple[list[str], Any]:
        """What is kept of compiled code: its external symbols, and what numba itself keeps."""
        module = data.library._final_module
        return [
            one.name
            for one in (*module.functions, *module.global_variables)
            if one.is_declaration and not one.name.startswith("llvm.")
        ], super().reduce(data)

    def rebuild(self, target_context: Any, payload: tuple[list[str], Any]) -> Any:
        """The compiled code from what was kept.

        Numba would first register everything that it can compile, which takes 0.3 s. We do so only
        if one of the code's external symbols is missing.
        """
        needed, kept = payload
        rtsys.initialize(target_context)
        if not all(map(binding.address_of_symbol, needed)):
            target_context.refresh()
        return super().rebuild(target_context, kept)


class _Files(IndexDataCacheFile):
    """Numba's files of a kernel, each with a checksum before it.

    Numba would unpickle any bytes. Those of a damaged file may fail in any way, or become wrong
    code. Here such a file is as good as none, and it is overwritten.
    """

    def _save_index(self, overloads: Any) -> None:
        self._save_data(self._index_name, (self._version, overloads))

    def _load_index(self) -> Any:
        version, overloads = self._load_data(self._index_name) or (None, {})
        return overloads if version == self._version else {}

    def _dump(self, content: Any) -> bytes:
        pickled: bytes = super()._dump(content)
        return zlib.crc32(pickled).to_bytes(4) + pickled

    def _load_data(self, name: str) -> Any:
        path = self._data_path(name)
        try:
            kept = Path(path).read_bytes()
            if zlib.crc32(kept[4:]).to_bytes(4) != kept[:4]:
                raise ValueError("it does not match its checksum")
            return pickle.loads(kept[4:])
        except FileNotFoundError:
            return None
        except Exception as error:
            # Other versions of libraries may have written it.
            say_unread(Path(path), error)
            return None


class KernelCache(FunctionCache):
    """Numba's cache of a function, in the user's cache directory under the hash of its sources."""

    def __init__(self, function: Callable[..., Any], sources: frozenset[str]) -> None:
        self._settings = _settings()
        self._module = function.__module__
        path = cache_directory() / "kernels" / _name_for(sources, self._settings)
        _note_use(path)
        self._impl_class: Any = lambda function: _Kept(function, path)
        super().__init__(function)
        self._cache_file = _Files(path, self._impl.filename_base, "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature; None if it has to be compiled now."""
        if not self._is_its_own():
            _say_once(compiling())
            return None
        found = self._load_overload(sig, target_context)
        if found is None:
            part = compiling()
            _say_once(part)
            beside.start(part)
            if beside.wait_for(self._module):
                found = self._load_overload(sig, target_context)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled code for a signature."""
        if self._is_its_own():
            try:
                super().save_overload(sig, data)
            except OSError as error:
                say_unwritten(error)

    def _is_its_own(self) -> bool:
        """Whether numba's settings are still those of the folder; a program can change them."""
        return _settings() == self._settings


@cache
def _say_once(part: Part) -> None:
    """Print to stderr that kernels are being compiled, as that takes a while."""
    time = f"up to {part.seconds:.0f} s" if part.seconds else "up to a minute"
    once = ", once" if is_kept() else ""
    say(f"Compiling {part.name} for this machine{once}: {time} ...")


@cache
def _note_use(folder: Path) -> None:
    """Set a folder's modification time to now, to note when it was last used."""
    try:
        os.utime(folder)
    except OSError:
        # The folder does not exist yet or belongs to another user.
        return


def drop_unused(folder: Path, now: float | None = None) -> None:
    """Remove folders of kernels that no process used lately.

    Folders unused for a month are removed. So are the oldest beyond ``KEPT_FOLDERS``, if they were
    not used for a day.

    Args:
        folder: the folder that contains them.
        now: seconds since the epoch; None for the clock's time.
    """
    now = time.time() if now is None else now
    ages = []
    for path in folder.iterdir():
        try:
            ages.append((now - path.stat().st_mtime, path))
        except OSError:
            continue
    for place, (age, path) in enumerate(sorted(ages)):
        if age > KEPT_SECONDS or (place >= KEPT_FOLDERS and age > _SURELY_KEPT_SECONDS):
            shutil.rmtree(path, ignore_errors=True)
