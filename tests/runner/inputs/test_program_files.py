"""Programs that commands read from a file."""

import sys
from pathlib import Path

import pytest

from corpora.errors import InputError
from runner.inputs.program_files import read_program


@pytest.mark.parametrize("source", ["def f(:\n", "x = '\x00'\n"])
def test_what_no_version_parses_gets_no_remark(source: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(source)
    with pytest.raises(InputError, match=r"does not parse: [^(]*$"):
        read_program(str(path))


@pytest.mark.parametrize(("name", "text"), [("rows.csv", "a,b\n"), ("rows", '{"code": "x = 1"}\n'), ("rows", "[1]\n")])
def test_a_data_set_is_no_program(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=r"is a data set, not a program$"):
        read_program(str(path))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this version has the syntax")
def test_newer_syntax_is_named(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text('x = f"{"a"}"\n')
    with pytest.raises(InputError, match=r"program.py:1:\d+: does not parse: .* a newer version may accept it\)$"):
        read_program(str(path))
