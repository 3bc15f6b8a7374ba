"""The intervention `enumerated_loop`: a loop over the places of a string gets the character at each place, too.

`for i in range(len(text))` becomes `for i, c in enumerate(text)`, and `text[i]` in the loop becomes `c`: a state shows
the character before a step uses it, and nothing reads the string from a place in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from rewrite.analysis.effects import binds_name, may_be_rebound
from rewrite.anf.intervention import RewriteExample, StatementIntervention, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, is_known
from rewrite.syntax.tree import children, replace_nodes, walk

_LATER = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


class EnumeratedLoop(StatementIntervention):
    """Reads each character once, in the head of the loop.

    The string cannot change, and no statement of the loop binds the variable of the string or of the place. Not in
    scope: lists, which may change while the loop runs, and places that functions and comprehensions in the loop read.
    """

    name = "enumerated_loop"
    summary = "a loop over the places of a string as a loop over places and characters"
    recipes = ("elements",)
    kind = "idioms"
    order = 6
    statements = (cst.For,)
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Each character",
            """
            def f(text):
                found = []
                for i in range(len(text)):
                    if text[i] == 'a':
                        found.append(i)
                return found
            """,
            """
            def f(text):
                found = []
                for i, _t0 in enumerate(text):
                    if _t0 == 'a':
                        found.append(i)
                return found
            """,
            "f('banana')",
            with_call=True,
        ),
        RewriteExample(
            "A range from zero, and a character that is read twice",
            """
            def f(text):
                counts = {}
                for i in range(0, len(text)):
                    counts[text[i]] = counts.get(text[i], 0) + i
                return counts
            """,
            """
            def f(text):
                counts = {}
                for i, _t0 in enumerate(text):
                    counts[_t0] = counts.get(_t0, 0) + i
                return counts
            """,
            "f('banana')",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A value that may be no string",
            """
            def f(text):
                for i in range(len(text)):
                    print(text[i])
            """,
        ),
        UntouchedExample(
            "A string that another one replaces",
            """
            def f():
                s = 'abc'
                for i in range(len(s)):
                    s = s[i] + 'bc'
                return s
            """,
        ),
        UntouchedExample(
            "A place that changes",
            """
            def f():
                text = 'abc'
                for i in range(len(text)):
                    i = 0
                    print(text[i])
            """,
        ),
        UntouchedExample(
            "A function that reads the place later",
            """
            def f():
                text = 'abc'
                later = []
                for i in range(len(text)):
                    later.append(lambda: text[i])
                return later
            """,
        ),
    )

    def claims(self, node: cst.For, plan: LoweringPlan) -> bool:
        text = _enumerated(node, plan)
        return text is not None and is_known(text, exactly("str"), plan)

    def expand(self, node: cst.For, steps: Lowering) -> cst.For:
        text = _enumerated(node, steps)
        assert text is not None and isinstance(node.target, cst.Name)
        assume(text, exactly("str"), steps)
        reads = list(_reads(node.body, text.value, node.target.value))
        character = steps.fresh_temporary("char", reads[0])
        body = replace_nodes(node.body, {id(one): cst.Name(character) for one in reads})
        target = cst.Tuple([cst.Element(node.target), cst.Element(cst.Name(character))], lpar=[], rpar=[])
        return node.with_changes(target=target, iter=cst.Call(cst.Name("enumerate"), [cst.Arg(text)]), body=body)


def _enumerated(node: cst.For, plan: LoweringPlan) -> cst.Name | None:
    """The string of a loop over its places that can be a loop over places and characters; None for another loop."""
    match node:
        case cst.For(
            target=cst.Name(place),
            iter=cst.Call(cst.Name("range"), args=[*zero, cst.Arg(cst.Call(cst.Name("len"), args=[cst.Arg(text)]))]),
            asynchronous=None,
        ) if isinstance(text, cst.Name) and place != text.value and _starts_at_zero(zero):
            free = plan.scope.kind == "function" and all(map(plan.scope.is_builtin, ("range", "len", "enumerate")))
            steady = not any(_may_change(name, node, plan) for name in (place, text.value))
            frozen = any(id(one) in plan.module.frozen for one in walk(node.body))
            read = any(True for _ in _reads(node.body, text.value, place))
            return text if free and steady and read and not frozen else None
    return None


def _starts_at_zero(before: list[cst.Arg]) -> bool:
    match before:
        case []:
            return True
        case [cst.Arg(value=cst.Integer("0"), keyword=None, star="")]:
            return True
    return False


def _may_change(name: str, loop: cst.For, plan: LoweringPlan) -> bool:
    """Whether the body of a loop, or code that it calls, may bind a variable, which must be one of the function."""
    own = plan.scope.owner(name) is plan.scope
    return not own or binds_name(loop.body, name) or may_be_rebound(name, plan.scope, {name})


def _reads(node: cst.CSTNode, text: str, place: str) -> Iterator[cst.Subscript]:
    """The subscripts `text[place]` that a block itself reads; one that is a target changes the string and raises."""
    targets = {id(one) for inner in walk(node) for one in _targets(inner)}
    for inner in _own(node):
        match inner:
            case cst.Subscript(cst.Name(value), [cst.SubscriptElement(cst.Index(cst.Name(index), star=None))]):
                if (value, index) == (text, place) and id(inner) not in targets:
                    yield inner


def _own(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes that a block runs itself, without functions and comprehensions in it."""
    for child in children(node):
        if not isinstance(child, _LATER):
            yield child
            yield from _own(child)


def _targets(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes that a statement assigns to or deletes."""
    match node:
        case (
            cst.AssignTarget(target=target)
            | cst.AnnAssign(target=target)
            | cst.AugAssign(target=target)
            | cst.Del(target=target)
            | cst.For(target=target)
            | cst.AsName(name=target)
        ):
            yield from _parts(target)


def _parts(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield target
    if isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _parts(element.value)
