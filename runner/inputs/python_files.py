"""The Python files that are meant by the files and folders of a command line. Reads no program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from corpora.errors import InputError
from corpora.reading.streams import FORMS, PACKED, STANDARD_INPUT


def python_files(names: Sequence[str], exclude: Iterable[str] = ()) -> list[str]:
    """The files named, and the `.py` files in the folders named, sorted within each; none twice.

    Left out of folders: what is hidden, `__pycache__`, virtual environments, and what `exclude` matches (patterns of a
    path below the folder, or of a name in it). Raises InputError for a folder without any.
    """
    found: dict[str, None] = {}
    patterns = tuple(exclude)
    for name in names:
        if name == STANDARD_INPUT or not Path(name).is_dir():
            found[name] = None
            continue
        inside = sorted(str(path) for path in _below(Path(name), Path(name), patterns))
        if not inside:
            raise InputError("no Python files in this folder", where=name)
        found |= dict.fromkeys(inside)
    return list(found)


def _below(folder: Path, top: Path, exclude: Sequence[str]) -> Iterator[Path]:
    try:
        entries = list(folder.iterdir())
    except OSError as error:
        raise InputError(error.strerror or str(error), where=str(folder)) from None
    for path in entries:
        below = path.relative_to(top).as_posix()
        if path.name.startswith(".") or any(fnmatch(below, one) or fnmatch(path.name, one) for one in exclude):
            continue
        if path.is_dir() and not path.is_symlink():
            if path.name != "__pycache__" and not (path / "pyvenv.cfg").exists():
                yield from _below(path, top, exclude)
        elif path.suffix == ".py" and path.is_file():
            yield path


def refuse_rows(name: str, text: str = "") -> None:
    """Raises InputError for what is a data set by its name or by its text (JSON is often Python, and no program)."""
    suffix = Path(name).suffix.lower()
    if suffix in {*FORMS, *PACKED} or _is_json(text):
        shown = "standard input" if name == STANDARD_INPUT else name
        raise InputError(
            "rows of a data set, not a program: name the file for the rewritten ones, --output", where=shown
        )


def _is_json(text: str) -> bool:
    first = text.lstrip("\ufeff \t\r\n")[:1]
    if first not in ("{", "["):
        return False
    for part in (text, text.strip().partition("\n")[0]):
        try:
            return isinstance(json.loads(part), (dict, list))
        except (ValueError, RecursionError):
            continue
    return False
