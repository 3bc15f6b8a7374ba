"""Expands the files and folders of a command line to Python files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from corpora.errors import InputError
from corpora.reading.streams import COMPRESSIONS, FORMATS, STANDARD_INPUT

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def is_python(source: str) -> bool:
    """Whether an argument is a Python file or a folder, not a data set."""
    return source.endswith(".py") or Path(source).is_dir()


def python_files(names: Sequence[str], exclude: Iterable[str] = ()) -> list[str]:
    """The given files, and the `.py` files in the given folders, without duplicates.

    Within a folder, files are sorted; hidden files, `__pycache__`, virtual environments and what `.gitignore` files
    exclude are skipped.

    Args:
        names: files, folders, or "-" for standard input.
        exclude: glob patterns of names, of paths relative to the folder, or of absolute paths, that are skipped too.

    Raises:
        InputError: a folder has no Python files.
    """
    found: dict[str, None] = {}
    patterns = tuple(exclude)
    for name in names:
        if name == STANDARD_INPUT or not Path(name).is_dir():
            found[name] = None
            continue
        inside = sorted(str(path) for path in _below(Path(name), Path(name), patterns, _rules_above(Path(name))))
        if not inside:
            raise InputError(f"no Python files in this folder{_data_hint(Path(name))}", where=name)
        found |= dict.fromkeys(inside)
    return list(found)


def _data_hint(folder: Path) -> str:
    """Names a file of a folder that holds a data set, as those of Hugging Face do."""
    data = sorted(path for path in folder.rglob("*") if path.suffix in {".jsonl", ".parquet"})
    return f"; a data set is named by its file, such as {data[0]}" if data else ""


IgnoreRules = tuple[tuple[Path, "GitIgnoreSpec"], ...]
"""Folders with a `.gitignore`, from the top of the repository down, and its rules."""


def _rules_in(folder: Path) -> IgnoreRules:
    try:
        lines = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    from pathspec import GitIgnoreSpec

    return ((folder.absolute(), GitIgnoreSpec.from_lines(lines)),)


def _rules_above(folder: Path) -> IgnoreRules:
    """The rules of the folders above, up to that of the repository; none outside a repository."""
    above = folder.absolute().parents
    top = next((number for number, parent in enumerate(above) if (parent / ".git").exists()), None)
    if top is None or (folder / ".git").exists():
        return ()
    return tuple(rule for parent in reversed(above[: top + 1]) for rule in _rules_in(parent))


def _is_ignored(path: Path, is_folder: bool, rules: IgnoreRules) -> bool:
    """Whether the last rule that matches excludes the path, as in git."""
    for folder, spec in reversed(rules):
        name = path.absolute().relative_to(folder).as_posix() + "/" * is_folder
        verdict = spec.check_file(name).include
        if verdict is not None:
            return verdict
    return False


def _below(folder: Path, top: Path, exclude: Sequence[str], above: IgnoreRules) -> Iterator[Path]:
    try:
        entries = list(folder.iterdir())
    except OSError as error:
        raise InputError(error.strerror or str(error), where=str(folder)) from None
    rules = above + _rules_in(folder)
    for path in entries:
        names = (path.name, path.relative_to(top).as_posix(), str(path.absolute()))
        if path.name.startswith(".") or any(fnmatch(name, one) for one in exclude for name in names):
            continue
        is_folder = path.is_dir() and not path.is_symlink()
        if rules and _is_ignored(path, is_folder, rules):
            continue
        if is_folder:
            if path.name != "__pycache__" and not (path / "pyvenv.cfg").exists():
                yield from _below(path, top, exclude, rules)
        elif is_python_file(path.name) and path.is_file():
            yield path


def is_python_file(name: str) -> bool:
    """Whether a file is a Python program by its name."""
    return Path(name).suffix == ".py"


def refuse_data_set(name: str, text: str = "", hint: str = "") -> None:
    """Raises InputError if a file is a data set by its name or content. JSON often parses as Python.

    Args:
        name: the file, or "-" for standard input.
        text: its content (default: only the name is checked).
        hint: what to do instead.
    """
    suffix = Path(name).suffix.lower()
    if suffix in {*FORMATS, *COMPRESSIONS} or _is_json(text):
        shown = "standard input" if name == STANDARD_INPUT else name
        raise InputError(f"is a data set, not a program{hint}", where=shown)


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
