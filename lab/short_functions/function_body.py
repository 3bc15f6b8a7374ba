"""The parts of a short function, and how they become a program with one call."""

from __future__ import annotations

from dataclasses import dataclass

from corpora.program import Case


@dataclass(frozen=True)
class FunctionBody:
    """A function without its name.

    Attributes:
        lines: The lines of its body, indented by one level less than in the function.
        arguments: The repr of each argument, by parameter name.
        before: The sources of the functions that come before it.
        size: What the kind of the case says besides its name ("8 letters"), or "".
    """

    lines: tuple[str, ...]
    arguments: dict[str, str]
    before: tuple[str, ...] = ()
    size: str = ""


def build_case(body: FunctionBody, kind: str) -> Case:
    """A program `f` with one call. The caller fills in the id of the case."""
    own = function_source("f", tuple(body.arguments), body.lines)
    source = "\n\n".join((*body.before, own))
    call = f"f({', '.join(body.arguments.values())})"
    return Case("", source, call, benchmark="short functions", kind=f"{kind}, {body.size}" if body.size else kind)


def function_source(name: str, parameters: tuple[str, ...], lines: tuple[str, ...]) -> str:
    """The source of one function, without a newline at its end."""
    return f"def {name}({', '.join(parameters)}):\n" + "\n".join(f"    {line}" for line in lines)
