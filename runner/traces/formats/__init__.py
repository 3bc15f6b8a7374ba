"""The formats of traces. A format is a module of this folder, found by being here.

A module has `SUMMARY`, a line about the format, and `render(case, trace, tokenizer)`, which returns a `RenderedTrace`.
Its name is the value of `--format`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

from analyze.gold_trace.trace import Trace
from analyze.tokens.tokenizer import Tokenizer
from corpora import Case
from runner.traces.rendered_trace import RenderedTrace

Renderer = Callable[[Case, Trace, Tokenizer], RenderedTrace]


@cache
def format_summaries() -> dict[str, str]:
    """The formats by name, each with its summary."""
    names = sorted(found.name for found in pkgutil.iter_modules(__path__))
    return {name: importlib.import_module(f"{__name__}.{name}").SUMMARY for name in names}


@cache
def renderer(name: str) -> Renderer:
    """The renderer of a format."""
    render: Renderer = importlib.import_module(f"{__name__}.{name}").render
    return render
