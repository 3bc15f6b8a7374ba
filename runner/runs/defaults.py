"""Defaults of a run: its recipes and its folder."""

from __future__ import annotations

from pathlib import Path

NO_RECIPE = "none"


def chosen_recipes(chosen: list[str] | None) -> tuple[str, ...]:
    """The recipes of repeated `--recipe` options, without duplicates (default: `decompose`; `none` adds none).

    >>> chosen_recipes(None), chosen_recipes(["none"]), chosen_recipes(["none", "letters"])
    (('decompose',), (), ('letters',))
    """
    return tuple(dict.fromkeys(one for one in chosen or ["decompose"] if one != NO_RECIPE))


def default_folder(name: str, model: str) -> Path:
    """The folder `runs/NAME-MODEL`, with special characters replaced.

    >>> default_folder("data/cases.jsonl", "facebook/cwm").as_posix()
    'runs/data-cases.jsonl-facebook-cwm'
    """
    return Path("runs") / f"{_slug(name) or 'rows'}-{_slug(model)}"


def _slug(text: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in text).strip("-")
