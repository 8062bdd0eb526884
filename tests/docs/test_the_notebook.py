"""The notebook runs from top to bottom, and is kept with outputs that name no machine.

``python tests/docs/test_the_notebook.py`` runs it and writes its outputs anew.
"""

from __future__ import annotations

import base64
import io
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import nbformat
import pytest
from page_runner import ROOT, execute

NOTEBOOK = ROOT / "docs" / "train" / "notebook.ipynb"
LARGEST = 400_000
COLOURS = 64
"""Of a picture: enough for curves, text and a heat map, in half of the bytes."""
METADATA = {
    "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}
TIMES = (
    re.compile(r"<tr><th[^>]*>time</th><td[^>]*>[^<]*</td></tr>"),
    re.compile(r"seconds=[0-9.e-]+, "),
    re.compile(r", [0-9.,]+ evaluations/s"),
)
"""How long something took, as outcomes and progress bars tell it."""
ABSOLUTE = re.compile(
    r"(?<![\w.<:/])/(?:home|root|tmp|usr|var|opt|work|Users|private)/|\b[A-Z]:\\\\"
)
"""A path of a machine, as ``/home/me`` or ``C:\\\\Users``."""


def read() -> Any:
    """The notebook as it is committed."""
    return nbformat.read(NOTEBOOK, as_version=4)


def code_cells(notebook: Any) -> list[Any]:
    """Its code cells."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(cell: Any) -> list[str]:
    """What a cell says and shows, pictures left out."""
    found = [cell.source]
    for output in cell.outputs:
        found.append(output.get("text", ""))
        data = output.get("data", {})
        found += [value for kind, value in data.items() if not kind.startswith("image/")]
    return found


def run(folder: Path) -> Any:
    """The notebook, executed in a folder that then holds a copy of ``runs/``."""
    shutil.copytree(ROOT / "runs", folder / "runs")
    notebook = read()
    execute(notebook, folder)
    return notebook


def clean(notebook: Any) -> None:
    """Leave nothing in a notebook that tells when or where it was run, and shrink its pictures."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number:02}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
        for output in cell.get("outputs", []):
            output.pop("transient", None)
            if "metadata" in output:
                output.metadata = {}
            data = output.get("data", {})
            for kind, value in data.items():
                if kind == "image/png":
                    data[kind] = _shrunk(value)
                else:
                    for time in TIMES:
                        value = time.sub("", value)
                    data[kind] = value


def _joined(outputs: list[Any]) -> list[Any]:
    """Outputs with the pieces of a stream in one, however they were cut."""
    joined: list[Any] = []
    for output in outputs:
        if output.output_type == "stream" and joined and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _shrunk(picture: str) -> str:
    from PIL import Image

    image = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB")
    buffer = io.BytesIO()
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(buffer, "png", optimize=True)
    return base64.b64encode(buffer.getvalue()).decode()


def test_the_notebook_is_kept_with_its_outputs() -> None:
    assert NOTEBOOK.stat().st_size < LARGEST
    notebook = read()
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == [*range(1, len(counts) + 1)], "its cells were not run once, from the top"
    for cell in code_cells(notebook):
        assert cell.outputs, f"no output: {cell.source}"
        assert not any(output.output_type == "error" for output in cell.outputs), cell.source
        assert not cell.metadata, f"metadata: {cell.metadata}"
        for text in texts(cell):
            assert not ABSOLUTE.search(text), f"a path of a machine: {text}"


@pytest.mark.long
def test_the_notebook_runs(tmp_path: Path) -> None:
    run(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"runs", "out"}


def main() -> None:
    """Run the notebook and write its outputs anew."""
    with tempfile.TemporaryDirectory() as folder:
        notebook = run(Path(folder))
    clean(notebook)
    nbformat.write(notebook, NOTEBOOK)


if __name__ == "__main__":
    main()
