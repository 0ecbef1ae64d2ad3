"""Executes the notebooks of docs/notebooks/ and keeps what their cells print.

    python docs/run_notebooks.py trace          run one, in a temporary folder, and write its outputs into it
    python docs/run_notebooks.py                run all

Kept are texts: pictures and pages that a cell shows are left out of the file. Needs nbclient and ipykernel,
which the extra `docs` brings.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "notebooks"


def executed(path: Path, folder: Path, *, timeout_s: int = 900) -> Any:
    """The notebook after a run in that folder; an error of a cell is raised."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=timeout_s, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    for cell in notebook.cells:
        cell.pop("execution_count", None)
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [kept for output in cell.outputs if (kept := _text_alone(output))]
    return notebook


def _text_alone(output: Any) -> Any:
    """An output without what is no text; None where nothing is left, or where it went to standard error."""
    if output.output_type == "stream":
        return output if output.name == "stdout" else None
    data = output.get("data", {})
    if "text/plain" not in data or "application/vnd.jupyter.widget-view+json" in data:
        return None
    output.data = {"text/plain": data["text/plain"]}
    if "execution_count" in output:
        output.execution_count = None
    return output


def main(names: list[str]) -> None:
    """Run the named notebooks, or all of them."""
    import nbformat

    for path in [FOLDER / f"{name}.ipynb" for name in names] or sorted(FOLDER.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(executed(path, Path(folder)), path)
        print(f"{path.name}: run")


if __name__ == "__main__":
    main(sys.argv[1:])
