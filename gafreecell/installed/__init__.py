"""What is installed: plug-ins, optional packages, the files that come along, the version."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("gafreecell")
except PackageNotFoundError:
    VERSION = "unknown"
