"""The intervention `letters`: lists of the characters of strings before and after each string operation.

A string operation works inside tokens. A list of its characters costs two or three tokens per character, once; a loop
costs about forty per character. The operation itself is unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import libcst as cst

from analyze.operations.catalogue import methods
from analyze.operations.operation import Kind
from rewrite.analysis.effects import binds_name, may_be_rebound
from rewrite.analysis.evaluation_order import operands
from rewrite.analysis.exact_types import STRING_METHODS, exact_type
from rewrite.analysis.imported_modules import may_be_module
from rewrite.anf.intervention import ClaimRefusal, Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, choose_strategy, is_known
from rewrite.string_methods.guards import (
    atom,
    is_atom,
    is_character,
    is_short,
    list_characters,
    may_be_string,
    shadowed_builtin,
)
from rewrite.syntax import build
from rewrite.syntax.literal_values import NOT_LITERAL, literal_value
from rewrite.syntax.tree import code, without_parentheses

_GUARD = frozenset({"str", "type"})
"""The builtins that a guard uses."""
# Other types have methods of these names: without calls, the receiver may not be a string.
_SHARED = STRING_METHODS & frozenset().union(*map(methods, ("list", "tuple", "dict", "set", "int")))
_OTHERS = methods("str", lambda one: one.kind in (Kind.FORMAT, Kind.ENCODE, Kind.BUILD))


@dataclass(frozen=True)
class LetterOperation:
    """A string operation: the string it works on, its other string operands, and whether its result is a string."""

    node: cst.BaseExpression
    text: cst.BaseExpression
    patterns: tuple[cst.BaseExpression, ...]
    gives_text: bool


class Letters(Intervention):
    """Shows the receiver, a target of more than one character, and the result, each as a list of its characters."""

    name = "letters"
    summary = "the characters of a string as a list, before and after each string operation"
    recipes = ("letters",)
    kind = "letters"
    guards = True
    order = 80
    is_planned = False
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Before and after",
            """
            def f():
                text = "a-b"
                new = text.replace("-b", "+")
                return new.find("b", 1)
            """,
            """
            def f():
                text = "a-b"
                _t0 = list(text)
                _t1 = list("-b")
                new = text.replace("-b", "+")
                _t2 = list(new)
                return new.find("b", 1)
            """,
            "f()",
        ),
        RewriteExample(
            "A text that may be something else is tested first",
            """
            def f(text):
                return text[::-1]
            """,
            """
            def f(text):
                if type(text) is str:
                    _t0 = list(text)
                _t1 = text[::-1]
                if type(_t1) is str:
                    _t2 = list(_t1)
                return _t1
            """,
            "f('abc')",
        ),
        RewriteExample(
            "A list before an `if` whose test does not change the variable",
            """
            def f(c):
                text = "ab"
                n = text.find("b")
                if c:
                    n = text.rfind("b")
                return n
            """,
            """
            def f(c):
                text = "ab"
                _t0 = list(text)
                n = text.find("b")
                if c:
                    n = text.rfind("b")
                return n
            """,
            "f(1)",
        ),
        RewriteExample(
            "A test that changes the variable",
            """
            def f(c):
                text = "ab"
                n = text.find("b")
                if (text := "cd"):
                    n = text.rfind("d")
                return n
            """,
            """
            def f(c):
                text = "ab"
                _t0 = list(text)
                n = text.find("b")
                if (text := "cd"):
                    _t1 = list(text)
                    n = text.rfind("d")
                return n
            """,
            "f(1)",
        ),
        RewriteExample(
            "A result that nothing reads",
            """
            def f():
                text = "ab"
                text.upper()
                return text
            """,
            """
            def f():
                text = "ab"
                _t0 = list(text)
                text.upper()
                return text
            """,
            "f()",
        ),
        RewriteExample(
            "A variable with the name of the type `list`",
            """
            def f(list):
                text = "ab"
                return list, text.find("b")
            """,
            """
            def f(list):
                text = "ab"
                _t0 = [*text]
                return list, text.find("b")
            """,
            "f([])",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A list",
            """
            def f():
                return [1, 2].index(2)
            """,
        ),
        UntouchedExample(
            "One character",
            """
            def f():
                c = "a"
                return c.isalpha()
            """,
        ),
        UntouchedExample(
            "Concatenation",
            """
            def f(a, b):
                return a + b
            """,
        ),
        UntouchedExample(
            "Pieces that a frame shows",
            """
            def f():
                a = ['a', 'b']
                return ''.join(a)
            """,
        ),
        UntouchedExample(
            "A value that no guard can test, since a variable has the name of a builtin",
            """
            def f(str):
                return str[::-1]
            """,
            "the name str is not the builtin here",
        ),
        UntouchedExample(
            "A module",
            """
            import re

            def f(a):
                return re.split(',', a)
            """,
        ),
    )

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool | ClaimRefusal:
        found = operation(node, plan)
        if found is None:
            return False
        shown = any(self._wanted(part, plan) for part in (found.text, *found.patterns))
        if not shown and not self._result_wanted(found, plan):
            return False
        known = is_known(found.text, exactly("str"), plan)
        shadowed = None if known else shadowed_builtin(_GUARD, plan)
        return True if shadowed is None else shadowed

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        found = operation(node, steps)
        assert found is not None
        known = assume(found.text, exactly("str"), steps)
        wanted = self._wanted(found.text, steps)
        patterns = [assume(part, exactly("str"), steps) and self._wanted(part, steps) for part in found.patterns]
        result = self._result_wanted(found, steps)
        new = steps.lower_parts(node)
        if isinstance(new, cst.Comparison):
            (target,) = new.comparisons
            left = atom(new.left, steps, [target.comparator])
            right = atom(target.comparator, steps)
            new = new.with_changes(left=left, comparisons=[target.with_changes(comparator=right)])
            self._show(right, wanted, known, steps)
            self._show(left, any(patterns), True, steps)
        elif isinstance(new, cst.Call) and isinstance(new.func, cst.Attribute):
            new = self._called(new, wanted, known, patterns, steps)
        elif isinstance(new, cst.Subscript):
            text = atom(new.value, steps, [*operands(new).expressions[1:]])
            self._show(text, wanted, known, steps)
            new = new.with_changes(value=text)
        return self._shown(node, new, known, steps) if result else new

    def _called(
        self, new: cst.Call, wanted: bool, known: bool, patterns: Sequence[bool], steps: Lowering
    ) -> cst.BaseExpression:
        assert isinstance(new.func, cst.Attribute)
        text = atom(new.func.value, steps, [argument.value for argument in new.args])
        self._show(text, wanted, known, steps)
        for argument, shown in zip(new.args, patterns, strict=False):
            self._show(argument.value, shown and is_atom(argument.value), True, steps)
        return new.with_changes(func=new.func.with_changes(value=text))

    def _shown(
        self, node: cst.BaseExpression, new: cst.BaseExpression, known: bool, steps: Lowering
    ) -> cst.BaseExpression:
        """Show the result of the operation: after an assignment to a variable, or in a temporary."""
        target = _target(node, steps)
        if target:
            steps.following_steps += self._display(cst.Name(target), known, steps)
            return new
        name = steps.fresh_temporary("str" if known else None, node)
        steps.assign(name, new)
        for statement in self._display(cst.Name(name), known, steps):
            steps.emit(statement)
        return cst.Name(name)

    def _show(self, node: cst.BaseExpression, wanted: bool, known: bool, steps: Lowering) -> None:
        if wanted and is_atom(node) and not is_shown(code(node), steps):
            for statement in self._display(node, known, steps):
                steps.emit(statement)

    def _display(
        self, node: cst.BaseExpression, known: bool, steps: Lowering
    ) -> list[cst.BaseCompoundStatement | cst.SimpleStatementLine]:
        line = build.assign(steps.fresh_temporary("list", "letters"), list_characters(build.clone(node), steps))
        return [line] if known else [build.if_(cst.parse_expression(f"type({code(node)}) is str"), [line])]

    def _wanted(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        """Whether a string may have more than one character and is not already listed at this point."""
        if is_character(node, plan) or _is_short(node, plan) or is_shown(code(node), plan):
            return False
        return is_known(node, exactly("str"), plan) or choose_strategy(node, "str", plan) == "guard"

    def _result_wanted(self, found: LetterOperation, plan: LoweringPlan) -> bool:
        if not found.gives_text or _is_short(found.node, plan) or _is_collected(found.node):
            return False
        if plan.is_value_of(found.node, cst.Expr):
            return False  # nothing reads it
        target = _assigned(found.node, plan)
        behind = [statement for statement in plan.following if not _deletes(statement)]
        return not target or not behind or not is_listing(behind[0], target)


def operation(node: cst.BaseExpression, plan: LoweringPlan) -> LetterOperation | None:
    """The string operation that a node is, or may be if a guard can test it; None otherwise."""
    found = _operation(node)
    if found is None:
        return None
    text = found.text
    if not is_known(text, exactly("str"), plan):
        named = isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _SHARED
        plain = isinstance(node, cst.Subscript) and not _has_step(node)
        module = exact_type(text, plan.scope) is None and may_be_module(text, plan.scope)
        guarded = (
            plan.unproven != "leave" and choose_strategy(text, "str", plan) == "guard" and may_be_string(text, plan)
        )
        if not guarded or module or named or plain or isinstance(node, cst.Comparison):
            return None
    return found


def _operation(node: cst.BaseExpression) -> LetterOperation | None:
    match node:
        case cst.Call(func=cst.Attribute(value=text, attr=cst.Name(value=method))) if method in STRING_METHODS:
            if method in _OTHERS or any(argument.star for argument in node.args):
                return None
            patterns = () if method in ("join", "translate") else tuple(a.value for a in node.args)
            return LetterOperation(node, text, patterns, method in _GIVE_STRINGS)
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(cst.In() | cst.NotIn(), text)]):
            return LetterOperation(node, text, (left,), False)
        case cst.Subscript(value=text, slice=[cst.SubscriptElement(cst.Slice())]):
            return LetterOperation(node, text, (), True)
    return None


_GIVE_STRINGS = methods("str", lambda one: one.result == "str")


def _has_step(node: cst.Subscript) -> bool:
    inner = node.slice[0].slice
    return isinstance(inner, cst.Slice) and inner.step is not None


def _is_short(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether a value is known to be no string, or to have at most one character."""
    value = literal_value(node)
    if value is not NOT_LITERAL:
        return not isinstance(value, str) or len(value) < 2
    return is_short(node, plan)


def _is_collected(node: cst.BaseExpression) -> bool:
    """Whether the pieces to join are a variable, which the frame already shows as a list."""
    match node:
        case cst.Call(func=cst.Attribute(value=between, attr=cst.Name("join")), args=[cst.Arg(cst.Name())]):
            return bool(literal_value(between) == "")
    return False


def _target(node: cst.BaseExpression, plan: LoweringPlan) -> str:
    """The local variable that a statement assigns the node to, if it does nothing else; otherwise ""."""
    elsewhere = plan.scope.declared_global | plan.scope.declared_nonlocal | plan.scope.rebound_elsewhere
    name = _assigned(node, plan)
    return "" if name in elsewhere or plan.scope.kind != "function" else name


def _assigned(node: cst.BaseExpression, plan: LoweringPlan) -> str:
    """The variable of any scope that a statement assigns the node to, if it does nothing else; otherwise ""."""
    match plan.around:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(cst.Name(value=name))], value=value)]):
            return name if value is node else ""
    return ""


def is_listing(statement: cst.CSTNode, text: str) -> bool:
    """Whether a statement lists the characters of a string, with or without a guard."""
    return bool(text) and listed_string(statement) == text


def listed_string(statement: cst.CSTNode) -> str:
    """The string whose characters a statement lists and does nothing else, with or without a guard; "" for others."""
    match statement:
        case cst.If(body=cst.IndentedBlock(body=[inner, *rest]), orelse=None) if all(map(_deletes, rest)):
            text = listed_string(inner)
            return text if code(without_parentheses(statement.test)) == f"type({text}) is str" else ""
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(cst.Name())], value=value)]):
            match value:
                case cst.Call(func=cst.Name("list"), args=[cst.Arg(value=listed, keyword=None, star="")]):
                    return code(listed)
                case cst.List(elements=[cst.StarredElement(value=listed)]):
                    return code(listed)
    return ""


def _deletes(statement: cst.CSTNode) -> bool:
    """Whether a statement only deletes temporaries."""
    return isinstance(statement, cst.SimpleStatementLine) and all(isinstance(part, cst.Del) for part in statement.body)


def is_shown(text: str, plan: LoweringPlan) -> bool:
    """Whether the characters are already listed earlier, and the variable has not changed since.

    The statements before an `if` count for its branches.
    """
    shared = text.isidentifier() and may_be_rebound(text, plan.scope, plan.bound)
    found = _is_shown_in(plan.out, text, shared)
    for around, out in reversed(plan.enclosing):
        if found is not None or not isinstance(around, cst.If) or binds_name(around.test, text) or shared:
            break
        found = _is_shown_in(out, text, shared)
    return bool(found)


def _is_shown_in(block: Sequence[cst.BaseStatement], text: str, shared: bool) -> bool | None:
    """Whether the statements of a block list the characters; None if they neither list nor change them.

    Args:
        block: The statements.
        text: The source of the string.
        shared: Whether it is a variable that other code may change: then only other lists may be in between.
    """
    for statement in reversed(block):
        if is_listing(statement, text):
            return True
        if binds_name(statement, text) or (shared and not listed_string(statement) and not _deletes(statement)):
            return False
    return None
