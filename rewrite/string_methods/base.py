"""What the interventions on string operations share: when they apply, the guard, the fallback.

An operation is expanded when its receiver is proven to be exactly a `str` (`rewrite.analysis.exact_types`), or may be
one: then a type test comes first, with the original operation in its else branch, so that lists, dicts, subclasses of
`str` and all others behave as before. The target must be proven to be one character long.
"""

from __future__ import annotations

import ast
import string
from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar

import libcst as cst

from rewrite.analysis.exact_types import kind
from rewrite.analysis.scopes import BUILTINS
from rewrite.anf.intervention import Intervention
from rewrite.anf.lowering import Lowering
from rewrite.string_methods.guards import TEXT, atom, atoms, guard, is_atom, is_exactly, may_be, may_be_text, missing
from rewrite.syntax import build
from rewrite.syntax.tree import code, walk

_ONCE = (cst.Lambda, cst.GeneratorExp, cst.ListComp, cst.SetComp, cst.DictComp, cst.NamedExpr)

# What the temporaries of the templates hold, by the name of the hole.
HOLES = {
    **dict.fromkeys(
        ("index", "length", "size", "start", "end", "left", "right", "remaining", "code", "gap", "bits"), "int"
    ),
    **dict.fromkeys(("character", "other"), "char"),
    **dict.fromkeys(("piece", "part", "rest", "sign"), "str"),
    **dict.fromkeys(("hit", "cased", "numbered", "ascii", "upper", "lower"), "bool"),
    "places": "range",
    "bounds": "tuple",
}


# Bounds of these kinds run no code of the program when they are read.
_PLAIN = ("int", "bool", "NoneType")


class StringMethod(Intervention):
    """An intervention on calls `receiver.method(…)`, told by templates.

    method: its name.
    templates: for each form of the call (the number of its arguments, or a name given by `form`), the statements that
        leave the value in `{result}`. `{text}` stands for the receiver, `{first}`, `{second}`, `{third}` for the
        arguments, all of them atoms, `{original}` for the same call on `str` itself, and any other name for a
        temporary; `{missed}` stands for a call that fails as this one does where nothing is found.
    exact: the arguments that must have exactly a type, by number.
    keywords: the names under which arguments may be given, by number (else they must be positional).
    result: the type of the value.
    """

    recipes: ClassVar[tuple[str, ...]] = ("strings", "decompose", "methods")
    guards = True
    method: ClassVar[str]
    templates: ClassVar[Mapping[int | str, str]]
    exact: ClassVar[Mapping[int, str]] = {}
    keywords: ClassVar[tuple[str, ...]] = ()
    result: ClassVar[str] = "int"

    def claims(self, node: cst.BaseExpression, steps: Lowering) -> bool:
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

    def slots(self, node: cst.Call) -> list[int]:
        """Which argument of the method each one is, by its position or its name; empty if that is not known."""
        found: list[int] = []
        for index, argument in enumerate(node.args):
            named = argument.keyword.value if argument.keyword is not None else None
            if argument.star or (named is not None and named not in self.keywords):
                return []
            found.append(index if named is None else self.keywords.index(named))
        return found if len(set(found)) == len(found) else []

    def form(self, node: cst.Call) -> int | str | None:
        """The key of the template for these arguments: their number; None if none fits."""
        count = len(node.args)
        return count if sorted(self.slots(node)) == list(range(count)) and count in self.templates else None

    def wanted(self, node: cst.Call, form: int | str) -> Mapping[int, str]:
        """The types that arguments must have exactly, by their place in the call."""
        slots = self.slots(node) if isinstance(form, int) else []
        return {slots.index(slot): name for slot, name in self.exact.items() if slot in slots}

    def fits(self, node: cst.Call, steps: Lowering) -> bool:
        """Whether the receiver and arguments are such that the templates apply, as far as their types do not say."""
        return True

    def usable(self, node: cst.Call, steps: Lowering) -> bool:
        """Whether the builtins that the expansion uses are there; reports if not."""
        form = self.form(node)
        assert form is not None
        needed = builtins_of(self.template(form, [])) | set(self.wanted(node, form).values())
        return not missing(needed, node, steps)

    def template(self, form: int | str, arguments: Sequence[cst.BaseExpression]) -> str:
        """The template of a form, for these arguments; for none, the one that needs most."""
        return self.templates[form]

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        assert isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)
        values = [argument.value for argument in node.args]
        receiver = atom(steps.value(node.func.value), steps, values)
        proven = kind(receiver, steps.scope) in TEXT
        result = steps.fresh(self.result if proven else None, node)
        method: cst.BaseExpression = cst.Attribute(build.again(receiver), node.func.attr)
        tests = [] if proven else [(receiver, "str")]
        if proven or all(is_atom(value) for value in values):
            arguments = atoms(values, steps)
        elif any(isinstance(inner, _ONCE) for value in values for inner in walk(value)):
            # The arguments can only stand once: bind the method before them, as Python does.
            method = steps.save(method)
            arguments = atoms(values, steps)
        else:
            guard(
                tests,
                lambda: self.checked(node, result, receiver, method, atoms(values, steps), [], steps),
                lambda: steps.assign(result, steps.reduce(build.again(node.with_changes(func=method)))),
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
        steps: Lowering,
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
        steps: Lowering,
    ) -> None:
        """Write the operation `node` on atoms of the right types, its value into `result`."""
        form = self.form(node)
        assert form is not None
        placed = sorted(zip(self.slots(node), map(code, arguments), strict=True))
        alone = len(placed) == 1 and placed[0][0] > 0  # given by its name, without those before it
        rest = "".join(f", {f'{self.keywords[slot]}=' if alone else ''}{argument}" for slot, argument in placed)
        given = {"result": result, "text": code(receiver), "original": f"str.{self.method}({code(receiver)}{rest})"}
        given |= {("first", "second", "third")[slot]: argument for slot, argument in placed}
        # Bounds that are asked for their `__index__` are asked once: the method fails likewise in a text without any.
        plain = all(kind(argument, steps.scope) in _PLAIN for argument in arguments[1:])
        given["missed"] = given["original"] if plain else f"str.{self.method}('', {given.get('first')})"
        spell(self.template(form, arguments), given, steps)


class OneCharacter(StringMethod):
    """A method whose first argument must be proven to be one character long."""

    def fits(self, node: cst.Call, steps: Lowering) -> bool:
        return kind(node.args[0].value, steps.scope) == "char"


class WholeMethod(StringMethod):
    """A method of the recipe `methods` only; a text of one character has nothing to hide from it."""

    recipes = ("methods",)

    def claims(self, node: cst.BaseExpression, steps: Lowering) -> bool:
        """As any method; a form of it that no template knows, on what may be text, is reported."""
        if super().claims(node, steps):
            return True
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == self.method:
            unknown = self.form(node) is None or any(isinstance(argument.value, cst.Tuple) for argument in node.args)
            possible = len(node.args) <= max(form for form in self.templates if isinstance(form, int))
            if unknown and possible and may_be_text(node.func.value, steps):
                steps.refuse(node, "a method of strings with other arguments than are spelled out")
        return False

    def fits(self, node: cst.Call, steps: Lowering) -> bool:
        assert isinstance(node.func, cst.Attribute)
        return kind(node.func.value, steps.scope) != "char"


@cache
def builtins_of(template: str) -> frozenset[str]:
    """The builtins that a template uses.

    >>> sorted(builtins_of("{result} = len({text})\\nfor {index} in range({result}):\\n    pass\\n"))
    ['len', 'range']
    """
    names = [name for _, name, _, _ in string.Formatter().parse(template) if name]
    tree = ast.parse(template.format_map({name: f"_{name}" for name in names}))
    return BUILTINS & {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def spell(template: str, given: Mapping[str, str], steps: Lowering) -> None:
    """Write the statements of a template, with a fresh temporary for each hole that is not `given`."""
    names = [name for _, name, _, _ in string.Formatter().parse(template) if name]
    fresh = {name: steps.fresh(HOLES.get(name), name) for name in dict.fromkeys(names) if name not in given}
    steps.emit_text(template, **given, **fresh)


# Bounds are read as the methods read them: None, negative, huge, or anything with `__index__`.
BOUNDS = """\
{length} = len({text})
{window} = slice({second}, {third})
{bounds} = {window}.indices({length})
{places} = range(*{bounds})
"""


def within_bounds(template: str) -> dict[int | str, str]:
    """The forms of a method with a start, and with a start and an end: one template, in which `{third}` is the end."""
    return {2: template.replace("{third}", "None"), 3: template}
