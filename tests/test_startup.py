"""What a command imports: a budget of modules for each, and packages that it must not load.

Modules, not seconds: a test of seconds fails on a busy machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from runner.inputs.examples import write_examples

MEASURE = """
import json, sys
from spellout.__main__ import main
sys.argv[1:] = json.loads(sys.argv[1])
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.__stderr__)
"""
CALL = ("--call", "f([1, 1, 3])")
BUDGETS = {
    ("--help",): (135, "rich libcst numpy tokenizers"),
    ("example", "elsewhere"): (140, "rich libcst numpy tokenizers"),
    ("rewrite", "program.py"): (500, "rich numpy tokenizers scipy hypothesis multiprocessing ctypes"),
    ("rewrite", "program.py", *CALL): (615, "rich numpy tiktoken scipy hypothesis multiprocessing"),
    ("trace", "program.py", *CALL): (350, "libcst tiktoken scipy hypothesis"),
    ("audit", "figure3.py"): (585, "libcst tiktoken scipy hypothesis"),
    ("plan", "program.py", *CALL): (825, "numpy tiktoken scipy multiprocessing"),
    ("assess", "program.py", *CALL): (615, "tiktoken scipy hypothesis"),
}
"""By command: the most modules that it may import, and packages that it must not."""


def imported(command: tuple[str, ...], folder: Path) -> set[str]:
    """The modules of a process that has run a command."""
    arguments = [sys.executable, "-c", MEASURE, json.dumps(command)]
    environment = {**os.environ, "COLUMNS": "100"}
    done: Any = subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.medium
@pytest.mark.parametrize("command", BUDGETS, ids=" ".join)
def test_a_command_imports_what_it_needs(command: tuple[str, ...], tmp_path: Path) -> None:
    list(write_examples(tmp_path))
    modules = imported(command, tmp_path)
    budget, forbidden = BUDGETS[command]
    assert [name for name in forbidden.split() if name in modules] == []
    assert len(modules) <= budget
