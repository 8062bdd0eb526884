"""Reads files that users name, and writes files atomically."""

from __future__ import annotations

import codecs
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EISDIR
from pathlib import Path

from deals.checks import shown
from deals.errors import BadInput


def read_text(path: str | os.PathLike[str], what: str, error: type[BadInput]) -> str:
    """The text of a file that a user named.

    Args:
        path: of the file, in UTF-8, or in UTF-16 if it begins with a byte-order mark.
        what: the content expected, for messages.
        error: the class of error to raise.

    Raises:
        BadInput: as ``error``, if the file is a directory, is not text or cannot be read.
    """
    if not isinstance(path, str | os.PathLike):
        raise error(f"expected the path of {what}, got {shown(path)}")
    try:
        return decoded(Path(path).read_bytes())
    except IsADirectoryError:
        raise error(f"{path} is a directory, expected {what}") from None
    except OSError as fault:
        raise error(f"cannot read {path}: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise error(f"{path} is not text, expected {what}") from None
    except ValueError:
        # Some characters, such as NUL, cannot be part of a path.
        raise error(f"{path!r} is not a path, expected {what}") from None


def decoded(data: bytes) -> str:
    """The text of bytes in UTF-8, or in UTF-16 (Windows' "Unicode") with a byte-order mark.

    Raises:
        UnicodeDecodeError: if they are neither, or have a NUL, as UTF-16 without the mark has.
    """
    in_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = data.decode("utf-16" if in_16 else "utf-8-sig")
    if "\0" in text:
        raise UnicodeDecodeError("utf-8", data, 0, 1, "a NUL is no text")
    return text


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file atomically: to a temporary file, which is synced and then renamed.

    Raises:
        OSError: if the folder cannot be written to; an old file is then left as it was.
    """
    data = content.encode() if isinstance(content, str) else content
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    if path.exists() and not path.is_file():
        # A device or a pipe cannot be replaced.
        path.write_bytes(data)
        return
    with naming(path):
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        sync_directory(path.parent)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Have system errors name a file; those of a full disk name none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def sync_directory(directory: Path) -> None:
    """Make a rename in a directory survive a power cut, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
