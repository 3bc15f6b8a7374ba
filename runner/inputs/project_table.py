"""The table `[tool.spellout]` of a project's pyproject.toml, with the defaults of `spellout rewrite` and `audit`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from corpora.errors import InputError

FILE = "pyproject.toml"


def find_table(names: Sequence[str]) -> tuple[Path, dict[str, Any]]:
    """The nearest pyproject.toml at or above the first of the given names, and its table `[tool.spellout]`.

    Without a pyproject.toml, the table is empty and the path that of one in the working directory. Without the table,
    it is empty.

    Raises:
        InputError: the file cannot be read, or `tool.spellout` is no table.
    """
    named = [name for name in names[:1] if name != "-"]
    start = Path(*named).absolute()
    for folder in (start, *start.parents):
        file = folder / FILE
        if file.is_file():
            break
    else:
        return Path(FILE), {}
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("spellout", {})
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(str(error).partition("\n")[0], where=str(file)) from None
    if not isinstance(table, dict):
        raise InputError("must be a table", where=f"{file}: [tool.spellout]")
    return file, table


def anchored(patterns: Iterable[str], root: Path) -> tuple[str, ...]:
    """Glob patterns of names, and the same as absolute paths below the folder of the pyproject.toml."""
    return tuple(one for pattern in patterns for one in (pattern, str(root.absolute() / pattern)))
