"""What a short function for training `pocket` is made of, and how that becomes a program with one call.

What it does not do: draw anything (`runner.pocket.programs`, `texts` and `calls` do).
"""

from __future__ import annotations

from dataclasses import dataclass

from corpora.program import Case


@dataclass(frozen=True)
class Body:
    """A function without its name.

    lines: of its body, one indentation deep; arguments: their reprs by parameter; before: the sources of the functions
    that stand before it; size: what the kind is counted by besides its name ("8 letters"), or nothing.
    """

    lines: tuple[str, ...]
    arguments: dict[str, str]
    before: tuple[str, ...] = ()
    size: str = ""


def program(body: Body, kind: str) -> Case:
    """A program `f` with one call. The Case's id is filled in by the caller."""
    own = function("f", tuple(body.arguments), body.lines)
    source = "\n\n".join((*body.before, own))
    call = f"f({', '.join(body.arguments.values())})"
    return Case("", source, call, benchmark="pocket", kind=f"{kind}, {body.size}" if body.size else kind)


def function(name: str, parameters: tuple[str, ...], lines: tuple[str, ...]) -> str:
    """The source of one function without a newline at its end."""
    return f"def {name}({', '.join(parameters)}):\n" + "\n".join(f"    {line}" for line in lines)
