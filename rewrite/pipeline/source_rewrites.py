"""Rewrites of whole sources from outside: functions from source to source, and LibCST codemods.

They pass the same gate as a recipe: the result compiles, a second application changes nothing, and with calls both
programs do the same. Otherwise the program stays as it is, with the reason.
"""

from __future__ import annotations

import copy
import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from rewrite.anf.rewrite_result import ExpressionChange, Rewritten, SkippedExpression
from rewrite.pipeline.compile_check import find_compile_failure
from rewrite.pipeline.recipe import Recipe, RewriteTask
from rewrite.syntax.source_map import SourcePosition

if TYPE_CHECKING:
    from libcst.codemod import Codemod  # its import takes a third of a second, so functions import it

UNSTABLE = "a second application changes the program again"


@dataclass(frozen=True)
class SourceRecipe(Recipe):
    """A rewrite of whole sources.

    Attributes:
        name: its name, as in records.
        function: returns the new source.
    """

    name: str
    function: Callable[[str], str]
    is_whole: bool = True
    is_local: bool = True

    def rewrite(self, task: RewriteTask) -> Rewritten:
        """See `Recipe`. If the function raises, the program stays, with the exception as the reason."""
        self.check_options(task.options)
        return _rewritten(self, task.source)


def is_codemod(given: object) -> bool:
    """Whether an object is a LibCST codemod or transformer, or a class of one."""
    from libcst.codemod import Codemod

    kinds = (Codemod, cst.CSTTransformer)
    return issubclass(given, kinds) if isinstance(given, type) else isinstance(given, kinds)


def codemod_recipe(name: str, given: object) -> SourceRecipe:
    """Return a codemod or transformer as a rewrite of sources; each application gets a new instance or a copy."""
    from libcst.codemod import Codemod

    def rewrite(source: str) -> str:
        module = cst.parse_module(source)
        made = _instance(given)
        return made.transform_module(module).code if isinstance(made, Codemod) else module.visit(made).code

    return SourceRecipe(name, rewrite)


def _instance(given: object) -> Codemod | cst.CSTTransformer:
    from libcst.codemod import Codemod, CodemodContext

    if not isinstance(given, type):
        made = copy.deepcopy(given)
    elif issubclass(given, Codemod):
        made = given(CodemodContext())
    else:
        made = given()
    assert isinstance(made, (Codemod, cst.CSTTransformer))
    return made


def _rewritten(rewrite: SourceRecipe, source: str) -> Rewritten:
    """The rewritten program, if it compiles and a second application changes nothing."""
    lines = source.count("\n") + 1
    unchanged = Rewritten(source, False, positions=tuple(SourcePosition(n + 1, 1) for n in range(lines)))
    try:
        after = rewrite.function(source)
        reason = _gate(rewrite, source, after)
    except Exception as error:  # noqa: BLE001 - a rewrite from outside may raise anything
        after, reason = source, f"{rewrite.name} raised {type(error).__name__}: {error}"
    if reason:
        return replace(unchanged, left=(SkippedExpression(1, reason),))
    if after == source:
        return unchanged
    changes, positions = _compared(rewrite.name, source, after)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    spans = tuple((starts[change.line - 1], starts[min(change.line, len(starts) - 1)]) for change in changes)
    return Rewritten(after, True, changes=changes, positions=positions, spans=spans)


def _gate(rewrite: SourceRecipe, source: str, after: object) -> str:
    """Why the result is refused, or ""."""
    if not isinstance(after, str):
        return f"{rewrite.name} returned {type(after).__name__}, not a source"
    failure = find_compile_failure(source, after) if after != source else None
    if failure is not None:
        return failure.reason
    return UNSTABLE if after != source and rewrite.function(after) != after else ""


def _compared(name: str, source: str, after: str) -> tuple[tuple[ExpressionChange, ...], tuple[SourcePosition, ...]]:
    """The changed places of the original, one for each block of lines, and the origin of each line."""
    old, new = source.split("\n"), after.split("\n")
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(_changes(name, old, blocks)), tuple(_positions(old, blocks))


_Blocks = Sequence[tuple[str, int, int, int, int]]


def _changes(name: str, old: list[str], blocks: _Blocks) -> Iterator[ExpressionChange]:
    for tag, start, _, _, _ in blocks:
        if tag != "equal":
            text = old[min(start, len(old) - 1)]
            column = len(text) - len(text.lstrip()) + 1
            yield ExpressionChange(name, min(start, len(old) - 1) + 1, column, text.strip())


def _positions(old: list[str], blocks: _Blocks) -> Iterator[SourcePosition]:
    for tag, start, end, first, last in blocks:
        for line in range(last - first):
            at = start + (line if tag == "equal" else min(line, max(end - start - 1, 0)))
            yield SourcePosition(min(at, len(old) - 1) + 1, 1)


def snake_case(name: str) -> str:
    """Return a Python name in snake case.

    Example:
        >>> snake_case("MyCodemod")
        'my_codemod'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("<>")
