"""What a user waits for: whole commands, compared with an interpreter that imports what they cannot do without."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from measured_row import Row, compare

SMALL = "def f(text):\n    return len(text.strip()) + 1\n"
FIB = """def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def f(n):
    return fib(n)
"""
PARSER = """def f(text):
    result = {}
    for part in text.split(';'):
        name, _, value = part.partition('=')
        if value.strip().isdigit():
            result[name.strip()] = int(value)
        else:
            result[name.strip()] = value.strip().lower()
    return sorted(result.items())
"""
CALLS = {"small.py": "f(' ab ')", "fib.py": "f(15)", "parser.py": "f('a=1; b = Two;c=3')"}
ROUNDS = 3
# (command, module that it needs at least, goal): seconds on two quiet cores, divided by those of the floor there.
COMMANDS = (
    ("--help", "argparse", 7.0),
    ("rewrite small.py", "libcst", 2.0),
    ("rewrite small.py --call", "libcst", 4.0),
    ("audit small.py", "libcst", 3.0),
    ("assess small.py --call", "libcst", 5.0),
    ("plan fib.py --call", "libcst", 10.0),
    ("verify fib.py planned.py --call", "libcst", 10.0),
    ("plan parser.py --call", "libcst", 6.5),  # 1 s, where the import takes 0.153 s
)


def rows() -> Iterator[Row]:
    """Yield a row for each command."""
    with tempfile.TemporaryDirectory() as folder:
        for name, source in (("small.py", SMALL), ("fib.py", FIB), ("parser.py", PARSER)):
            (Path(folder) / name).write_text(source, encoding="utf-8")
        planned = _spellout(folder, "plan fib.py --call")
        (Path(folder) / "planned.py").write_text(planned, encoding="utf-8")
        for command, module, goal in COMMANDS:
            ours, floor = partial(_spellout, folder, command), partial(_python, folder, "-c", f"import {module}")
            yield compare(f"spellout {command}", ours, f"import {module}", floor, goal, ROUNDS, "wall")
        ours, peer = partial(_spellout, folder, "--help"), partial(_python, folder, "-m", "ruff", "--help")
        yield compare("spellout --help", ours, "python -m ruff --help", peer, None, ROUNDS, "wall")


def _spellout(folder: str, command: str) -> str:
    words = command.split()
    call = [CALLS[words[1]]] if words[-1] == "--call" else []
    return _python(folder, "-m", "spellout", *words, *call)


def _python(folder: str, *arguments: str) -> str:
    """Run an interpreter in the folder of programs, and return its output. Any exit status but 0 and 1 is an error."""
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{arguments}: exit status {done.returncode}: {done.stderr}")
    return done.stdout
