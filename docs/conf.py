"""How Sphinx makes the site: 'make docs' builds it in out/site and stops at any broken link."""

from __future__ import annotations

from importlib.metadata import version as installed
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "gafreecell"
author = "the gafreecell developers"
copyright = author
release = version = installed("gafreecell")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
nb_ipywidgets_js = {}  # Nothing is loaded from elsewhere.
nb_execution_mode = "off"  # The tests run the notebook; its committed outputs are shown.
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 4
exclude_patterns = ["_*"]
smartquotes = False  # Two hyphens are an empty cell, and begin an option.

html_theme = "furo"
html_title = "gafreecell"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_theme_options = {"sidebar_hide_name": False}

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
# Docstrings write names in double backquotes, which is reStructuredText already.
nitpicky = False
suppress_warnings = ["misc.highlighting_failure"]  # Python cells with a shell command.
copybutton_prompt_text = "$ "


def without_comments(app: Sphinx, doctree: nodes.document) -> None:
    """Drop HTML comments: they adapt a page's code blocks for the tests."""
    for node in list(doctree.findall(nodes.raw)):
        if node.astext().lstrip().startswith("<!--"):
            node.parent.remove(node)


def setup(app: Sphinx) -> None:
    """Register the hook."""
    app.connect("doctree-read", without_comments)
