"""What a run takes where the command line says nothing: recipes, and the folder it writes to."""

from __future__ import annotations

from pathlib import Path

NO_RECIPE = "none"


def recipes_of(chosen: list[str] | None) -> tuple[str, ...]:
    """The recipes of repeated `--recipe` options, each once (default: `decompose`); `none` alone is no recipe."""
    return () if chosen == [NO_RECIPE] else tuple(dict.fromkeys(chosen or ("decompose",)))


def default_folder(name: str, model: str) -> Path:
    """`runs/NAME-MODEL`, with characters that a file name should not have replaced.

    >>> default_folder("data/cases.jsonl", "facebook/cwm").as_posix()
    'runs/data-cases.jsonl-facebook-cwm'
    """
    return Path("runs") / f"{_slug(name) or 'rows'}-{_slug(model)}"


def _slug(text: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in text).strip("-")
