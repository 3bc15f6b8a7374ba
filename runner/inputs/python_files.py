"""Expands the files and folders of a command line to Python files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from corpora.errors import InputError
from corpora.reading.streams import COMPRESSIONS, FORMATS, STANDARD_INPUT


def python_files(names: Sequence[str], exclude: Iterable[str] = ()) -> list[str]:
    """The given files, and the `.py` files in the given folders, without duplicates.

    Within a folder, files are sorted; hidden files, `__pycache__` and virtual environments are skipped.

    Args:
        names: files, folders, or "-" for standard input.
        exclude: glob patterns of names, or of paths relative to the folder, that are skipped too.

    Raises:
        InputError: a folder has no Python files.
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


def refuse_data_set(name: str, text: str = "") -> None:
    """Raises InputError if a file is a data set by its name or content. JSON often parses as Python."""
    suffix = Path(name).suffix.lower()
    if suffix in {*FORMATS, *COMPRESSIONS} or _is_json(text):
        shown = "standard input" if name == STANDARD_INPUT else name
        raise InputError("is a data set, not a program: add --output FILE for the rewritten rows", where=shown)


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
