"""The command line. Each command's code is loaded when it is called."""

from gafreecell.cli.main import main

__all__ = ["main"]
