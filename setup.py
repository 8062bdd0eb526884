"""Puts the reference runs and the examples into the wheel; pyproject.toml says everything else."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SHIPPED = ("runs", "examples")
"""Folders beside the packages that ``gafreecell examples`` copies."""
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist")


class BuildWithExamples(build_py):
    """Builds the packages, then copies the folders below ``gafreecell/shipped``."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        shipped = Path(self.build_lib) / "gafreecell" / "shipped"
        shutil.rmtree(shipped, ignore_errors=True)
        for name in SHIPPED:
            shutil.copytree(name, shipped / name, ignore=LEFT_OUT)


setup(cmdclass={"build_py": BuildWithExamples})
