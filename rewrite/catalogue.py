"""The page of all interventions, made from their examples: `python -m rewrite.catalogue > docs/interventions.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from rewrite import paper
from rewrite.anf.intervention import Intervention
from rewrite.recipe import known, recipes

HEAD = """\
# The interventions

Made from the examples in `rewrite/interventions` by `python -m rewrite.catalogue > docs/interventions.md`; the tests
run every example, as text and as behaviour, and fail when this page is stale.

"""


def page() -> str:
    """The whole page, as Markdown."""
    return (
        HEAD + "\n".join((*_recipes(), *(line for intervention in known() for line in _section(intervention)))) + "\n"
    )


def _recipes() -> Iterator[str]:
    yield "| recipe | interventions, in the order in which they are asked |"
    yield "|---|---|"
    for name, members in recipes().items():
        yield f"| `{name}` | {', '.join(f'[{member}](#{member})' for member in members)} |"
    yield f"| `{paper.NAME}` | none: {paper.SUMMARY} (`rewrite/paper.py`) |"
    yield ""


def _section(intervention: type[Intervention]) -> Iterator[str]:
    yield f"## {intervention.name}"
    yield ""
    yield f"{intervention.summary[0].upper()}{intervention.summary[1:]}."
    for example in intervention.EXAMPLES:
        yield f"\n{example.note}:\n\n```python\n{example.before}```\n\nbecomes\n\n```python\n{example.after}```"
    if intervention.UNTOUCHED:
        yield "\nLeft alone:\n"
    for case in intervention.UNTOUCHED:
        reason = f" (reported: {case.reason})" if case.reason else ""
        yield f"- {case.note}{reason}\n\n  ```python\n{_indented(case.source)}  ```\n"
    yield ""


def _indented(source: str) -> str:
    return "".join(f"  {line}" for line in source.splitlines(keepends=True))


if __name__ == "__main__":
    sys.stdout.write(page())
