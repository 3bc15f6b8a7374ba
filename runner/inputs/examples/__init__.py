"""The example files of `spellout example`, which README and docs use: programs, a data set, and recorded answers.

`bench/example_files.py` makes the data; the Python files are written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from corpora.errors import InputError

FILES = Path(__file__).with_name("files")
CONTENT = {
    "program.py": "the first program of the README",
    "before.py": "a program, and",
    "after.py": "a rewrite of it that differs, for `spellout verify`",
    "split.py": "a program with string operations, for `spellout plan` and `assess`",
    "fib.py": "a program whose trace is too long",
    "figure3.py": "the example of the paper's Figure 3, for `spellout audit`",
    "src/parts.py": "a folder of code to audit",
    "cases.jsonl": "16 programs with a call and a label: a data set",
    "outputs.jsonl": "answers to them: 16 traces of a small tracer, and 4 answers in other forms",
    "sampled.jsonl": "traces of the small tracer at temperature 1",
    "solutions.csv": "the data set with other column names, as CSV",
    "solutions.parquet": "and as Parquet",
}
"""The files and what they are for, in the order of the list that the command prints."""


def write_examples(folder: Path) -> Iterator[str]:
    """Writes the files into a folder, and yields their names.

    A file that is there already with the same content stays.

    Raises:
        InputError: If a file exists with another content, before anything is written; or if one cannot be written.
    """
    contents = {folder / name: (FILES / name).read_bytes() for name in CONTENT}
    for path, content in contents.items():
        if path.exists() and not (path.is_file() and path.read_bytes() == content):
            raise InputError("already exists and is not the example file; name another folder", where=str(path))
    for path, content in contents.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", where=str(path)) from None
        yield path.relative_to(folder).as_posix()
