from __future__ import annotations

from pathlib import Path

from lab.pocket.doctest_programs import main, programs_in
from lab.pocket.real_programs import FILE, read_programs

SOURCE = '''
"""A module."""
import math
LIMIT: int = 3

def helper(x: int) -> int:
    """Doubles."""
    return x * 2

def unused():
    return 1

def double(values: list[int], *, scale: float = 1.0) -> list[int]:
    """
    >>> double([1, 2])
    [2, 4]
    >>> double(list(range(3)))
    [0, 2, 4]
    >>> sorted(double([3], scale=2.0))
    [6]
    >>> double([1, 2])
    [2, 4]
    """
    result: list[int] = []
    for value in values[:LIMIT]:
        result.append(helper(value))
    return result
'''


def test_a_program_has_what_it_needs_without_docstrings_and_annotations() -> None:
    [program] = programs_in(SOURCE, "a")
    assert program.calls == ("double([1, 2])", "double([3], scale=2.0)")
    assert "LIMIT = 3" in program.code
    assert "def helper(x):" in program.code
    for absent in ("unused", "math", '"""', "->", "int"):
        assert absent not in program.code
    namespace: dict[str, object] = {}
    exec(program.code, namespace)
    assert eval(program.calls[0], namespace) == [2, 4]


def test_a_file_that_does_not_parse_has_no_programs() -> None:
    assert list(programs_in("def f(:", "a")) == []


def test_the_command_writes_what_is_read(tmp_path: Path) -> None:
    clone = tmp_path / "clone" / "math"
    clone.mkdir(parents=True)
    (clone / "double.py").write_text(SOURCE, encoding="utf-8")
    (clone / "broken.py").write_text("def f(:", encoding="utf-8")
    assert main([str(tmp_path / "clone"), str(tmp_path / FILE)]) == 0
    [program] = read_programs(tmp_path)
    assert program.id == "doctest_0"
    assert main([]) == 2
