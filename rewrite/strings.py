"""What the interventions on string operations share: when they apply, the guard, the fallback.

An operation is expanded when its receiver is proven to be exactly a `str` (`rewrite.kinds`), or may be one: then a type
test comes first, with the original operation in its else branch, so that lists, dicts, subclasses of `str` and all
others behave as before. The target must be proven to be one character long.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence, Set
from typing import ClassVar

import libcst as cst

from rewrite import build
from rewrite.effects import movable
from rewrite.intervention import Intervention
from rewrite.kinds import kind
from rewrite.steps import Steps
from rewrite.tree import changed, code, walk

Action = Callable[[], None]
_ONCE = (cst.Lambda, cst.GeneratorExp, cst.ListComp, cst.SetComp, cst.DictComp, cst.NamedExpr)
TEXT = ("str", "char")


# What the temporaries of the templates hold, by the name of the hole.
HOLES = {
    **dict.fromkeys(
        ("index", "length", "size", "start", "end", "left", "right", "remaining", "code", "gap", "bits"), "int"
    ),
    **dict.fromkeys(("character", "other"), "char"),
    **dict.fromkeys(("piece", "part", "rest", "sign"), "str"),
    **dict.fromkeys(("hit", "cased", "ascii", "upper", "lower"), "bool"),
    "places": "range",
    "bounds": "tuple",
}


class StringMethod(Intervention):
    """An intervention on calls `receiver.method(…)`, told by templates.

    method: its name.
    templates: for each form of the call (the number of its arguments, or a name given by `form`), the statements that
        leave the value in `{result}`. `{text}` stands for the receiver, `{first}`, `{second}`, `{third}` for the
        arguments, all of them atoms, `{original}` for the same call on `str` itself, and any other name for a
        temporary.
    exact: the arguments that must have exactly a type, by number.
    keywords: the names under which arguments may be given, in order (else they must be positional).
    needed: the builtins that the templates use, which must not be shadowed.
    result: the type of the value.
    """

    recipes: ClassVar[tuple[str, ...]] = ("strings", "decompose", "methods")
    guards = True
    method: ClassVar[str]
    templates: ClassVar[Mapping[int | str, str]]
    exact: ClassVar[Mapping[int, str]] = {}
    keywords: ClassVar[tuple[str, ...]] = ()
    needed: ClassVar[frozenset[str]] = frozenset()
    result: ClassVar[str] = "int"

    def claims(self, node: cst.BaseExpression, steps: Steps) -> bool:
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return False
        if node.func.attr.value != self.method:
            return False
        form = self.form(node)
        if form is None:
            return False
        wanted = self.wanted(node, form)
        if not all(may_be(node.args[index].value, name, steps) for index, name in wanted.items()):
            return False
        return self.fits(node, steps) and may_be_text(node.func.value, steps) and self.usable(node, steps)

    def form(self, node: cst.Call) -> int | str | None:
        """The key of the template for these arguments: their number, where they stand in order; None if none fits."""
        for index, argument in enumerate(node.args):
            named = argument.keyword.value if argument.keyword is not None else None
            if argument.star or named not in (None, *self.keywords[index : index + 1]):
                return None
        return len(node.args) if len(node.args) in self.templates else None

    def wanted(self, node: cst.Call, form: int | str) -> Mapping[int, str]:
        """The types that arguments must have exactly, by number."""
        return {index: name for index, name in self.exact.items() if isinstance(form, int) and index < form}

    def fits(self, node: cst.Call, steps: Steps) -> bool:
        """Whether the receiver and arguments are such that the templates apply, as far as their types do not say."""
        return True

    def usable(self, node: cst.Call, steps: Steps) -> bool:
        """Whether the builtins that the expansion uses are there; reports if not."""
        return not missing(self.needed, node, steps)

    def expand(self, node: cst.BaseExpression, steps: Steps) -> cst.BaseExpression:
        assert isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)
        values = [argument.value for argument in node.args]
        receiver = atom(steps.value(node.func.value), steps, values)
        proven = kind(receiver, steps.scope) in TEXT
        result = steps.fresh(self.result if proven else None, node)
        method: cst.BaseExpression = cst.Attribute(build.again(receiver), node.func.attr)
        tests = [] if proven else [(receiver, "str")]
        if proven or all(_is_atom(value) for value in values):
            arguments = atoms(values, steps)
        elif any(isinstance(inner, _ONCE) for value in values for inner in walk(value)):
            # The arguments can only stand once: bind the method before them, as Python does.
            method = steps.save(method)
            arguments = atoms(values, steps)
        else:
            guard(
                tests,
                lambda: self.checked(node, result, receiver, method, atoms(values, steps), [], steps),
                lambda: steps.assign(result, steps.reduce(node.with_changes(func=method).deep_clone())),
                steps,
            )
            return cst.Name(result)
        self.checked(node, result, receiver, method, arguments, tests, steps)
        return cst.Name(result)

    def checked(
        self,
        node: cst.Call,
        result: str,
        receiver: cst.BaseExpression,
        method: cst.BaseExpression,
        arguments: Sequence[cst.BaseExpression],
        tests: Sequence[tuple[cst.BaseExpression, str]],
        steps: Steps,
    ) -> None:
        """The operation spelled out if everything has the right type, else the original one."""
        form = self.form(node)
        assert form is not None
        more = [
            (arguments[index], wanted)
            for index, wanted in self.wanted(node, form).items()
            if not is_exactly(arguments[index], wanted, steps)
        ]

        def original() -> None:
            copies = [
                old.with_changes(value=build.again(argument), comma=cst.MaybeSentinel.DEFAULT)
                for old, argument in zip(node.args, arguments, strict=True)
            ]
            steps.assign(result, cst.Call(build.again(method), copies))

        guard([*tests, *more], lambda: self.spell(node, result, receiver, arguments, steps), original, steps)

    def spell(
        self,
        node: cst.Call,
        result: str,
        receiver: cst.BaseExpression,
        arguments: Sequence[cst.BaseExpression],
        steps: Steps,
    ) -> None:
        """Write the operation `node` on atoms of the right types, its value into `result`."""
        form = self.form(node)
        assert form is not None
        names = (argument.keyword.value if argument.keyword else "" for argument in node.args)
        rest = "".join(
            f", {name}={code(argument)}" if name and form == SOME_BLANKS else f", {code(argument)}"
            for name, argument in zip(names, arguments, strict=True)
        )
        given = {"result": result, "text": code(receiver), "original": f"str.{self.method}({code(receiver)}{rest})"}
        given |= dict(zip(("first", "second", "third"), map(code, arguments), strict=False))
        if form == SOME_BLANKS:
            given["limit"] = code(arguments[-1])
        spell(self.templates[form], given, steps)


class OneCharacter(StringMethod):
    """A method whose first argument must be proven to be one character long."""

    def fits(self, node: cst.Call, steps: Steps) -> bool:
        return kind(node.args[0].value, steps.scope) == "char"


class WholeMethod(StringMethod):
    """A method of the recipe `methods` only; a text of one character has nothing to hide from it."""

    recipes = ("methods",)

    def claims(self, node: cst.BaseExpression, steps: Steps) -> bool:
        """As any method; a form of it that no template knows, on what may be text, is reported."""
        if super().claims(node, steps):
            return True
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == self.method:
            unknown = self.form(node) is None or any(isinstance(argument.value, cst.Tuple) for argument in node.args)
            possible = len(node.args) <= max(form for form in self.templates if isinstance(form, int))
            if unknown and possible and may_be_text(node.func.value, steps):
                steps.refuse(node, "a method of strings with other arguments than are spelled out")
        return False

    def fits(self, node: cst.Call, steps: Steps) -> bool:
        assert isinstance(node.func, cst.Attribute)
        return kind(node.func.value, steps.scope) != "char"


BLANK, SOME_BLANKS = "blank", "some blanks"


class BlankMethod(WholeMethod):
    """A method that takes white space where its first argument is missing or the constant None."""

    def form(self, node: cst.Call) -> int | str | None:
        names = [argument.keyword.value if argument.keyword is not None else None for argument in node.args]
        if node.args and not any(argument.star for argument in node.args):
            blank = is_none(node.args[0].value) and names[0] in (None, "sep")
            if len(node.args) == 1 and blank:
                return BLANK
            if names == ["maxsplit"] or (blank and names[1:] in ([None], ["maxsplit"])):
                return SOME_BLANKS if SOME_BLANKS in self.templates else None
        return super().form(node)

    def wanted(self, node: cst.Call, form: int | str) -> Mapping[int, str]:
        return {len(node.args) - 1: "int"} if form == SOME_BLANKS else super().wanted(node, form)


def is_none(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"


def spell(template: str, given: Mapping[str, str], steps: Steps) -> None:
    """Write the statements of a template, with a fresh temporary for each hole that is not `given`."""
    names = [name for _, name, _, _ in string.Formatter().parse(template) if name]
    fresh = {name: steps.fresh(HOLES.get(name), name) for name in dict.fromkeys(names) if name not in given}
    steps.emit_text(template, **given, **fresh)


def missing(names: Set[str], node: cst.BaseExpression, steps: Steps) -> bool:
    """Whether one of the builtins that an expansion of `node` uses is shadowed; reports it."""
    shadowed = sorted(name for name in names | {"type", "str"} if not steps.scope.is_builtin(name))
    if shadowed:
        steps.refuse(node, f"the name {shadowed[0]} is not Python's own here")
    return bool(shadowed)


def may_be_text(node: cst.BaseExpression, steps: Steps) -> bool:
    """Whether the value may be exactly a `str`: neither proven nor shown by a guard to be something else."""
    if isinstance(node, cst.Name) and node.value in ("str", "bytes", "self", "cls"):
        return False
    return may_be(node, "str", steps) and kind(node, steps.scope) in (*TEXT, None)


def may_be(node: cst.BaseExpression, wanted: str, steps: Steps) -> bool:
    """Whether nothing proves, and no guard around has shown, that the value is not exactly of the type."""
    if kind(node, steps.scope) not in (None, wanted, "char" if wanted == "str" else wanted):
        return False
    return not isinstance(node, cst.Name) or (node.value, wanted) not in steps.excluded


def is_exactly(node: cst.BaseExpression, wanted: str, steps: Steps) -> bool:
    known = kind(node, steps.scope)
    return known == wanted or (wanted == "str" and known == "char")


def guard(tests: Sequence[tuple[cst.BaseExpression, str]], then: Action, otherwise: Action, steps: Steps) -> None:
    """`then()` under the condition that each expression has exactly the type named, else `otherwise()`."""
    if not tests:
        then()
        return
    (tested, wanted), *rest = tests
    with steps.block() as right:
        guard(rest, then, otherwise, steps)
    failed = (tested.value, wanted) if isinstance(tested, cst.Name) else None
    with steps.block() as wrong, steps.knowing_not(failed):
        otherwise()
    test = cst.parse_expression(f"type(x) is {wanted}")
    assert isinstance(test, cst.Comparison) and isinstance(test.left, cst.Call)
    call = changed(test.left, {"args": [cst.Arg(build.again(tested))]})
    steps.emit(build.if_(changed(test, {"left": call}), right, wrong))


def atom(node: cst.BaseExpression, steps: Steps, later: Sequence[cst.BaseExpression] = ()) -> cst.BaseExpression:
    """A name or constant that has the value of `node` also after the steps for `later`."""
    return node if _is_atom(node) and movable(node, later, steps.scope, steps.bound) else steps.save(node)


def _is_atom(node: cst.BaseExpression) -> bool:
    """Whether the text of the node may stand anywhere in a template: no operators, no second line."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.Integer)
    return isinstance(node, (cst.Name, cst.SimpleString, cst.Integer, cst.Float))


def atoms(nodes: Sequence[cst.BaseExpression], steps: Steps) -> list[cst.BaseExpression]:
    """Names or constants for several expressions, evaluated in order."""
    return [atom(steps.value(node), steps, nodes[index + 1 :]) for index, node in enumerate(nodes)]


# Bounds are read as the methods read them: None, negative, huge, or anything with `__index__`.
BOUNDS = """\
{length} = len({text})
{window} = slice({second}, {third})
{bounds} = {window}.indices({length})
{places} = range(*{bounds})
"""
