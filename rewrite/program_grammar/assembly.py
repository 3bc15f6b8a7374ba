"""Assembles a program: the helpers that it calls, module-level lines, the entry function `f`, and what follows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rewrite.program_grammar.form_filling import indent
from rewrite.program_grammar.generated_program import Program
from rewrite.program_grammar.helpers import prelude
from rewrite.program_grammar.templates import LABEL


def assembled(
    body: Iterable[str],
    calls: Iterable[str],
    parameters: Iterable[str],
    module: Sequence[str] = (),
    ending: Sequence[str] = (),
) -> Program:
    """Return the program; logged operands are numbered in the order of the text.

    Args:
        body: the logical lines of `f`.
        calls: calls of `f`.
        parameters: the names of its parameters.
        module: lines before `f`.
        ending: lines after `f`.
    """
    text = "\n".join([*module, f"def f({', '.join(parameters)}):", *indent(body), *ending, ""])
    if re.search(r"\bo\b", text):
        text = f"o = Obj()\n{text}"
    first, *others = text.split(LABEL)
    text = first + "".join(f"{number}{part}" for number, part in enumerate(others, 1))
    return Program(prelude(text + " ".join(calls := tuple(calls))) + text, calls)
