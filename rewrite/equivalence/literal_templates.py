"""Calls as text with their literals cut out, and values as text to put back in.

Arguments are read by `ast.literal_eval`; what is no literal stays in the call as it was written. Nothing is run.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from corpora.errors import InputError

Function = ast.FunctionDef | ast.AsyncFunctionDef
_ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
_BUILT_IN = {"int", "float", "str", "bytes", "list", "tuple", "dict", "set", "frozenset"}


@dataclass(frozen=True)
class Expression:
    """A value that is no literal, as its source text: an instance of one of the program's classes, a function."""

    text: str


def literal(value: object) -> str:
    """Source text of a value: `repr`, but for numbers and sets whose repr is no literal.

    >>> literal([float("inf"), -0.0, set()])
    '[1e999, -0.0, set()]'
    """
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "(1e999 - 1e999)" if value != value else "1e999" if value > 0 else "-1e999"
    if isinstance(value, complex):
        return f"complex({literal(value.real)}, {literal(value.imag)})"
    if type(value) is list:
        return f"[{', '.join(map(literal, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    if type(value) is dict:
        return "{" + ", ".join(f"{literal(key)}: {literal(held)}" for key, held in value.items()) + "}"
    if type(value) is set and value:
        return "{" + ", ".join(map(literal, value)) + "}"
    if type(value) is frozenset:
        return f"frozenset({literal(list(value))})"
    return repr(value)


@dataclass(frozen=True)
class Template:
    """A call with its literals cut out: `pieces[0] hole pieces[1] hole …`."""

    pieces: tuple[str, ...]
    values: tuple[object, ...]
    parameters: tuple[str, ...]  # keyword name, or position among the outermost call's arguments, or ""
    function: str
    annotations: tuple[ast.expr | None, ...] = ()  # of the holes, where they are not those of `function`

    def sharing(self, pair: tuple[int, int], values: Sequence[object]) -> str:
        """The call with one object in two places, where that can be written.

        >>> template("f([1], 2, [3])").sharing((0, 2), ([1], 2, [3]))
        '(lambda shared: f(shared, 2, shared))([1])'
        """
        texts = ["shared" if place in pair else literal(value) for place, value in enumerate(values)]
        return f"(lambda shared: {self._joined(texts)})({literal(values[pair[0]])})"

    def filled(self, values: Sequence[object]) -> str:
        """The call with these values in its holes, in order."""
        return self._joined([literal(value) for value in values])

    def _joined(self, texts: Sequence[str]) -> str:
        return "".join(itertools.chain.from_iterable(zip(self.pieces, [*texts, ""], strict=True)))


def template(call: str) -> Template:
    """Cut the literals out of a call; one that is no call, or has none, stays whole. Raises InputError.

    >>> template("f([1, 2], g('a', k=x))").pieces
    ('f(', ', g(', ', k=x))')
    """
    try:
        tree = ast.parse(call.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise InputError(f"not a call: {call.strip()!r} ({getattr(error, 'msg', error)})") from None
    marks: list[tuple[ast.expr, object, str]] = []
    _cut(tree, marks, outermost=True)
    return _template_of(tree, marks)


def _cut(node: ast.expr, marks: list[tuple[ast.expr, object, str]], *, outermost: bool) -> None:
    for part, name in _parts(node):
        if isinstance(part, ast.Call):
            _cut(part, marks, outermost=False)
            continue
        try:
            value = ast.literal_eval(part)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue  # no literal: it stays in the call as it was written
        marks.append((part, value, name if outermost else ""))


def _parts(node: ast.expr) -> list[tuple[ast.expr, str]]:
    """What an expression is made of, in the order of its text, and which parameter each part is given to."""
    match node:
        case ast.Call(func=function, args=given, keywords=named):
            made = function.value if isinstance(function, ast.Attribute) else None  # `A(1).m(2)`
            owner = [(made, "")] if isinstance(made, ast.Call) else []
            places = [(argument, str(place)) for place, argument in enumerate(given)]
            return [*owner, *places, *((keyword.value, keyword.arg or "") for keyword in named)]
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            return [(part, "") for part in (left, right) if isinstance(part, ast.Call)]  # `A(1) + A(2)`
        case ast.Attribute(value=ast.Call() as value):
            return [(value, "")]
        case _:
            return []


def _template_of(tree: ast.expr, marks: list[tuple[ast.expr, object, str]]) -> Template:
    holes = {id(node): f"__hole_{number}__" for number, (node, _, _) in enumerate(marks)}

    class Cutter(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return ast.Name(holes[id(node)]) if id(node) in holes else super().generic_visit(node)

    function = tree.func.id if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) else ""
    text = ast.unparse(Cutter().visit(tree))
    pieces: list[str] = []
    for hole in holes.values():
        piece, _, text = text.partition(hole)
        pieces.append(piece)
    names = tuple(name for _, _, name in marks)
    return Template((*pieces, text), tuple(value for _, value, _ in marks), names, function)


def of_signature(function: Function, *, stars: bool = False) -> Template:
    """A call with a hole for every named parameter of a function, and, where asked for, two for each star.

    >>> of_signature(ast.parse("def f(a, *, b): pass").body[0]).pieces
    ('f(', ', b=', ')')
    """
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    names += ["", ""] if function.args.vararg and stars else []
    named = [argument.arg for argument in function.args.kwonlyargs]
    named += ["q", "p"] if function.args.kwarg and stars else []
    starts = [""] * len(names) + [f"{name}=" for name in named]
    parameters = [str(place) for place in range(len(names))] + named
    pieces = [f"{', ' if place else ''}{start}" for place, start in enumerate(starts)]
    whole = [f"{function.name}({pieces[0]}", *pieces[1:], ")"] if pieces else [f"{function.name}()"]
    return Template(tuple(whole), (), tuple(parameters), function.name)


def of_method(
    owner: ast.ClassDef, method: Function, classes: Mapping[str, ast.ClassDef] = MappingProxyType({})
) -> Template:
    """A call of a method on a new instance, with a hole for every named parameter of both.

    A static or class method is called on the class, a property is only asked for. classes: where bases are found.

    >>> tree = ast.parse("class A:\\n    def __init__(self, x): pass\\n    def m(self, y): pass")
    >>> of_method(tree.body[0], tree.body[0].body[1]).pieces
    ('A(', ').m(', ')')
    """
    marks = {mark for node in method.decorator_list for mark in [_last_name(node)]}
    if "setter" in marks:
        return _setting(owner, method, classes)
    maker, called = of_maker(owner, classes), _without_self(method, f".{method.name}")
    if marks & {"property", "cached_property"}:
        return _chained(maker, None, f".{method.name}")
    if marks & {"staticmethod", "classmethod"}:
        plain = called if "classmethod" in marks else ast.FunctionDef(f".{method.name}", method.args, [], [])
        return _chained(None, plain, owner.name)
    return _chained(maker, called, "")


def _setting(owner: ast.ClassDef, method: Function, classes: Mapping[str, ast.ClassDef]) -> Template:
    """`setattr(A(…), 'p', …)`, after which the instance is seen."""
    maker, setter = of_maker(owner, classes), _without_self(method, "")
    *starts, last = of_signature(maker, stars=True).pieces
    pieces = [*starts, f"{last}, {method.name!r}, ", ")"]
    annotations = (*_annotations(maker.args), *_annotations(setter.args))
    return Template((f"setattr({pieces[0]}", *pieces[1:]), (), ("",) * len(annotations), "", annotations)


def of_class(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> Template:
    """A call of a class, with a hole for every named parameter."""
    return _chained(of_maker(owner, classes), None, "")


def _chained(maker: ast.FunctionDef | None, called: ast.FunctionDef | None, name: str) -> Template:
    """`A(…).m(…)`, `A(…).p` or `A.m(…)`."""
    parts = [node for node in (maker, called) if node is not None]
    before = of_signature(maker, stars=True).pieces if maker else (name,)
    after = of_signature(called, stars=True).pieces if called else (name,)
    pieces = (*before[:-1], before[-1] + after[0], *after[1:])
    annotations = [argument for node in parts for argument in _annotations(node.args)]
    return Template(pieces, (), ("",) * len(annotations), "", tuple(annotations))


def _annotations(known: ast.arguments) -> list[ast.expr | None]:
    """Of the holes that `of_signature` makes."""
    stars = [[part.annotation] * 2 if part else [] for part in (known.vararg, known.kwarg)]
    places = [part.annotation for part in (*known.posonlyargs, *known.args)]
    return [*places, *stars[0], *[part.annotation for part in known.kwonlyargs], *stars[1]]


def of_maker(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> ast.FunctionDef:
    """How a class is called: by its `__init__` or `__new__`, a base's, or the fields of a dataclass or named tuple."""
    for made in with_bases(owner, classes):
        for node in made.body:
            if isinstance(node, ast.FunctionDef) and node.name in ("__init__", "__new__"):
                return _without_self(node, owner.name)
        marks = {_last_name(node) for node in (*made.decorator_list, *made.bases)}
        if marks & {"dataclass", "NamedTuple"}:
            fields = [
                node for node in made.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
            ]
            taken = [ast.arg(node.target.id, node.annotation) for node in fields if isinstance(node.target, ast.Name)]
            return _maker(owner, taken)
        inherited = marks & _BUILT_IN
        if inherited:
            return _maker(owner, [ast.arg("value", ast.Name(min(inherited)))])
    return _without_self(None, owner.name)


def _maker(owner: ast.ClassDef, taken: list[ast.arg]) -> ast.FunctionDef:
    return ast.FunctionDef(owner.name, ast.arguments([], taken, None, [], [], None, []), [], [])


def leaving(template: Template, kinds: Sequence[str]) -> list[Template]:
    """Calls of `__exit__` as a `with` statement makes them: without an exception, and with one of each kind.

    template: a call of `__exit__`, whose last three holes are those of the exception.
    """
    ends = ["None, None, None", *(f"{kind}, {kind}('a'), None" for kind in kinds)]
    pieces, annotations = template.pieces, template.annotations[:-3]
    starts, last = pieces[:-4], pieces[-4]
    return [
        Template((*starts, f"{last}{end}{pieces[-1]}"), (), ("",) * len(annotations), "", annotations) for end in ends
    ]


def makers(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> list[Template]:
    """Expressions that make an instance of a class; of an enumeration, its members."""
    if not any(_last_name(base) in _ENUMS for made in with_bases(owner, classes) for base in made.bases):
        return [of_class(owner, classes)]
    names = [part.id for node in owner.body if isinstance(node, ast.Assign) for part in node.targets if _is_name(part)]  # type: ignore[attr-defined]
    return [Template((f"{owner.name}.{name}",), (), (), "") for name in names]


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name)


def with_bases(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef], depth: int = 0) -> Iterator[ast.ClassDef]:
    """A class, and those of the program that it inherits from."""
    yield owner
    for base in owner.bases if depth < 10 else ():
        if isinstance(base, ast.Name) and base.id in classes and classes[base.id] is not owner:
            yield from with_bases(classes[base.id], classes, depth + 1)


def _last_name(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _without_self(function: Function | None, name: str) -> ast.FunctionDef:
    """A function of another name and without its first parameter; without a function, one without parameters."""
    known = function.args if function else ast.arguments([], [], None, [], [], None, [])
    named = [*known.posonlyargs, *known.args][1:]
    taken = ast.arguments([], named, known.vararg, known.kwonlyargs, [], known.kwarg, [])
    return ast.FunctionDef(name, taken, [], [])


def sequence(text: str) -> tuple[tuple[str, ...], Template]:
    """The steps of a sequence such as `f(1); f(2)`, and all of it as one template. Raises InputError.

    >>> sequence("made = A(1); made.m('a')")[1].values
    (1, 'a')
    """
    try:
        body = ast.parse(text.strip(), "call", "exec").body
    except (SyntaxError, ValueError) as error:
        raise InputError(f"not a call: {text.strip()!r} ({getattr(error, 'msg', error)})") from None
    steps = tuple(ast.unparse(node) for node in body)
    if len(body) == 1 and isinstance(body[0], ast.Expr):
        return steps, template(text)
    pieces, values, start = [""], list[object](), ""
    for node in body:
        known = template(ast.unparse(node.value)) if isinstance(node, ast.Expr | ast.Assign) else None
        name = f"{ast.unparse(node.targets[0])} = " if isinstance(node, ast.Assign) else ""
        inner = known.pieces if known else (ast.unparse(node),)
        pieces = [*pieces[:-1], f"{pieces[-1]}{start}{name}{inner[0]}", *inner[1:]]
        values += known.values if known else ()
        start = "; "
    return steps, Template(tuple(pieces), tuple(values), ("",) * len(values), "")


def answered(call: str) -> str:
    """A sequence that sends values to the generator that a call makes, and throws an exception into it.

    >>> answered("f(1)")
    "made = f(1); made.__next__(); made.send(5); made.send('a'); made.throw(ValueError('a'))"
    """
    return f"made = {call.strip()}; made.__next__(); made.send(5); made.send('a'); made.throw(ValueError('a'))"


def closed_early(call: str, count: int) -> str:
    """An expression that takes the first items of the generator that a call makes and closes it: its `finally` runs.

    >>> closed_early("f(1)", 2)
    '(lambda made: ([made.__next__() for _ in (0, 0)], made.close()))(f(1))'
    """
    items = f"[made.__next__() for _ in ({'0, ' * (count - 1)}0{',' if count == 1 else ''})]"
    return f"(lambda made: ({items}, made.close()))({call.strip()})"
