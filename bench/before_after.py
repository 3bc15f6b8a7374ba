"""Writes docs/before_after.md: functions before and after rewriting, with their calls, for people to read.

    python bench/before_after.py > docs/before_after.md

Every fifth program that the model answered wrongly (`../shared/data`), rewritten by `decompose` with its own call.
Docstrings are shortened on the page, not in the rewrite.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from density import failures

from rewrite import check_equivalence, rewrite_source

EVERY = 5
HEAD = """\
# Before and after

This page shows real functions before and after `spellout rewrite --call …` with the recipe `decompose`. They are every
fifth program that the model answered wrongly. For each, it lists the trace tokens, the assumptions of the rewrite, and
the expressions that were not changed, with the reason. `python bench/before_after.py > docs/before_after.md` generates
it and compares each rewrite with its original on its call and on 50 inputs that meet the assumptions. Docstrings are
shortened.
"""
_DOCSTRING = re.compile(r'"""(.*?)\n.*?"""', re.DOTALL)


def section(number: int, source: str, call: str) -> str:
    """The section of one program, as Markdown."""
    made = rewrite_source(source, calls=[call])
    verdict = check_equivalence(source, made.source, [call], examples=50, assumes=made.assumes)
    assert verdict.equivalent is not False, verdict.counterexample
    ratio = f"{made.tokens / made.original_tokens:.2f}" if made.tokens and made.original_tokens else "?"
    lines = [f"## {number}. `{call}`", "", f"{made.original_tokens} → {made.tokens} tokens (× {ratio}).", ""]
    lines += ["```python", _short(source), "```", ""]
    lines += (
        ["```python", _short(made.source), "```"]
        if made.changed
        else ["Unchanged: it has no hidden intermediate value."]
    )
    if made.assumes:
        shown = ", ".join(f"`{one.expression}` {one.what} (line {one.line})" for one in made.assumes)
        lines += ["", f"Assumed: {shown}."]
    if made.left:
        lines += ["", *(f"Not changed in line {line}: {reason}." for line, reason in made.left)]
    return "\n".join(lines)


def _short(source: str) -> str:
    return _DOCSTRING.sub(lambda found: f'"""{found[1].strip()} …"""', source.strip("\n"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    chosen = list(failures(parser.parse_args().data))[::EVERY][:15]
    print("\n".join([HEAD, *(section(number, *program) + "\n" for number, program in enumerate(chosen, 1))]), end="")


if __name__ == "__main__":
    main()
