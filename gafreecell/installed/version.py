"""The package's version, from its metadata."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("gafreecell")
except PackageNotFoundError:
    VERSION = "unknown"
