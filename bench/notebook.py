"""Executes docs/tutorial.ipynb and writes its outputs into it: about a minute on two idle cores.

    .venv/bin/python bench/notebook.py

Standard error is left out: it shows progress and depends on the time.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "tutorial.ipynb"


def executed(notebook: Any) -> Any:
    """The notebook with new outputs. Raises CellExecutionError if a cell raises."""
    new = nbformat.from_dict(notebook)
    NotebookClient(new, timeout=600, record_timing=False, coalesce_streams=True).execute()
    new.metadata = notebook.metadata  # execution adds the version of Python
    for cell in new.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return new


def read() -> Any:
    """The committed notebook."""
    return nbformat.read(NOTEBOOK, as_version=4)


if __name__ == "__main__":
    nbformat.write(executed(read()), NOTEBOOK)
    print(f"wrote {NOTEBOOK}", file=sys.stderr)
