"""Print the page of all interventions, which the documentation site has: `python bench/interventions.py`.

The page shows the examples of the interventions and the reference implementations of string operations.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from textwrap import indent

from rewrite.analysis.exact_types import STRING_METHODS
from rewrite.anf.intervention import BaseIntervention
from rewrite.baselines import PAPER
from rewrite.baselines.paper import SUMMARY
from rewrite.evidence.context import DEFAULT_CONTEXT
from rewrite.pipeline.builtin_interventions import builtin_interventions
from rewrite.pipeline.driver import rewrite_once
from rewrite.pipeline.recipes import recipes
from rewrite.string_methods.expansion import StringOperationIntervention
from rewrite.string_methods.reference import OPERATIONS, references
from runner.terminal.tables import table_lines

HEAD = """\
# Interventions

This page lists every intervention with examples, and every reference implementation that replaces a string operation.
`python bench/interventions.py` prints it. The tests run every example, and compare every reference
implementation with `str`.

"""
STRINGS = """\
## String operations

A reference implementation is a plain function for one variant of a method. A rewrite inlines its body: variables are
renamed, parameters are replaced by the arguments, and constants are folded. Its annotations are its preconditions. The
source may prove a precondition; otherwise, a guard tests it, with the original operation in the else branch. The first
reference implementation that applies is used. For example,

```python
{before}```

becomes

```python
{after}```

"""
_BEFORE = "def f(text):\n    return text.partition('=')\n"


def page() -> str:
    """Return the page as Markdown."""
    plain = [one for one in builtin_interventions() if not issubclass(one, StringOperationIntervention)]
    lines = [*_recipes(), *(line for intervention in plain for line in _section(intervention)), *_strings()]
    return HEAD + "\n".join(lines) + "\n"


def _recipes() -> Iterator[str]:
    rows = [(f"`{name}`", _links(members)) for name, members in recipes().items()]
    rows.append((f"`{PAPER}`", f"none: {SUMMARY} (`rewrite/baselines/paper.py`)"))
    yield from table_lines(("recipe", "interventions, in the order in which they are tried"), rows, "---")
    yield ""


def _section(intervention: type[BaseIntervention]) -> Iterator[str]:
    yield f"## {intervention.name}"
    yield ""
    yield f"{intervention.summary[0].upper()}{intervention.summary[1:]}."
    for example in intervention.EXAMPLES:
        yield f"\n{example.note}:\n\n```python\n{example.before}```\n\nbecomes\n\n```python\n{example.after}```"
    if intervention.UNTOUCHED:
        yield "\nNot changed:\n"
    for case in intervention.UNTOUCHED:
        reason = f" (reported: {case.reason})" if case.reason else ""
        yield f"- {case.note}{reason}\n\n  ```python\n{indent(case.source, '  ', bool)}  ```\n"
    yield ""


def _strings() -> Iterator[str]:
    """The string operations with and without an intervention, then every reference implementation."""
    after = rewrite_once(_BEFORE, "methods", DEFAULT_CONTEXT, options={}).source
    yield STRINGS.format(before=_BEFORE, after=after)
    rows = (
        (OPERATIONS.get(method, f"`{method}`"), _links(dict.fromkeys(form.name for form in forms)))
        for method, forms in sorted(references().items(), key=lambda item: (item[0] in OPERATIONS, item[0]))
    )
    yield from table_lines(
        ("operation", "reference implementations, in the order in which they are tried"), rows, "---"
    )
    missing = sorted(STRING_METHODS - references().keys())
    yield f"\nNot supported are the methods {', '.join(f'`{name}`' for name in missing)}, the operator `%`, format"
    yield "specifications, and methods of the class `str` itself. The recipe `methods` reports each occurrence.\n"
    codes: dict[str, str] = {}
    for form in chain.from_iterable(references().values()):
        codes.setdefault(form.name, form.code)
    yield from (f"### {name}\n\n```python\n{code}```\n" for name, code in codes.items())


def _links(names: Iterable[str]) -> str:
    return ", ".join(f"[{name}](#{name})" for name in names)


if __name__ == "__main__":
    sys.stdout.write(page())
