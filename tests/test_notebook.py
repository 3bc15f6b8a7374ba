"""The notebook docs/tutorial.ipynb runs, and its committed outputs are what its cells print."""

from __future__ import annotations

import runpy
from typing import Any

import pytest

from tests.places import ROOT


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.filterwarnings("default")  # of Jupyter's packages
def test_the_committed_outputs_are_current() -> None:
    pytest.importorskip("torch", reason="torch is missing (extra model)")
    script: dict[str, Any] = runpy.run_path(str(ROOT / "bench" / "notebook.py"))
    committed = script["read"]()
    assert script["executed"](committed) == committed, "run bench/notebook.py"
    assert all(cell.outputs for cell in committed.cells if cell.cell_type == "code")
