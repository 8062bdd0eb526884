"""``python -m gafreecell``."""

from gafreecell.cli import main

main()
