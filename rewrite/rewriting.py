"""From source to source: parse, look at scopes, rewrite function by function, print, and say what was done."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from corpora.errors import InputError
from rewrite import recipe as recipes
from rewrite.intervention import Applied, Intervention, Left, Rewritten
from rewrite.names import Names
from rewrite.positions import Printed, origins
from rewrite.scopes import BUILTINS, Scopes
from rewrite.statements import CLASS_BODY, MODULE_LEVEL, Bodies
from rewrite.steps import Report, Steps


def rewrite_source(source: str, recipe: str = "decompose", *, filename: str = "", **options: object) -> Rewritten:
    """The program with hidden values spelled out, and the same program otherwise.

    recipe: `decompose` (nested expressions and the paper's string operations), `expressions`, `strings`, another recipe
    or the name of a single intervention. options: those of the interventions, such as `threshold=2`. Raises InputError,
    with line and column, for source that does not parse, and for a recipe or option that there is not.

    >>> print(rewrite_source("def f(a, b):\\n    return (a + b) * 2\\n").source, end="")
    def f(a, b):
        _t0 = a + b
        return _t0 * 2
    """
    chosen = recipes.make(recipe, options)
    module = parse(source, filename)
    report = Report()
    new = rewrite_module(module, chosen, report)
    return _result(source, module, new, report)


def parse(source: str, filename: str = "") -> cst.Module:
    """The tree of a module; InputError names file, line and column of what does not parse."""
    try:
        return cst.parse_module(source)
    except cst.ParserSyntaxError as error:
        where = f"{filename or '<source>'}:{error.raw_line}:{error.raw_column + 1}"
        raise InputError(error.message, where=where) from error


def rewrite_module(module: cst.Module, interventions: Sequence[Intervention], report: Report) -> cst.Module:
    """Rewrite a tree; what was done and left goes into `report`."""
    scopes = Scopes(module)
    names = Names(module.code)
    steps = Steps(interventions, scopes, scopes.module, names.of_scope(), report)
    body = _Definitions(interventions, scopes, names, report).bodies(steps, MODULE_LEVEL).body(module.body)
    same = all(a is b for a, b in zip(body, module.body, strict=True))
    return module if same else module.with_changes(body=body)


class _Definitions:
    """Enters functions and classes: each has names and steps of its own."""

    def __init__(self, interventions: Sequence[Intervention], scopes: Scopes, names: Names, report: Report) -> None:
        self.interventions = interventions
        self.scopes = scopes
        self.names = names
        self.report = report

    def bodies(self, steps: Steps, frozen: str) -> Bodies:
        return Bodies(steps, frozen, self.enter)

    def enter(self, node: cst.FunctionDef | cst.ClassDef) -> cst.BaseSuite:
        scope = self.scopes.of(node)
        steps = Steps(self.interventions, self.scopes, scope, self.names.of_scope(), self.report)
        steps.bound = {name for name, found in scope.bindings.items() if any(b.how == "parameter" for b in found)}
        frozen = CLASS_BODY if scope.kind == "class" else ""
        reflection = sorted(n for n in scope.reflection if n not in BUILTINS or scope.is_builtin(n))
        if reflection:
            frozen = f"the scope uses {', '.join(reflection)}"
        return self.bodies(steps, frozen).suite(node.body)


def _result(source: str, module: cst.Module, new: cst.Module, report: Report) -> Rewritten:
    old = Printed(module)
    printed = old if new is module else Printed(new)
    made = {key: old.line(node) for key, (_, node) in report.origins.items() if id(node) in old.index}
    # Where an operation is written twice, under a guard and in its else branch, the original counts.
    applied = [(name, node) for name, node in report.applied if id(node) in old.index]
    left = [(node, reason) for node, reason in report.left.values() if id(node) in old.index]
    return Rewritten(
        source=printed.text,
        changed=printed.text != source,
        applied=tuple(Applied(name, old.line(node)) for name, node in applied),
        left=tuple(sorted(Left(old.line(node), reason) for node, reason in left)),
        origins=origins(old, printed, made),
    )
