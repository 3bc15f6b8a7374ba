"""Call templates: calls in source form whose literal arguments are holes that other values can fill.

Literals are read by `ast.literal_eval`. Arguments that are not literals remain in the template unchanged. No program
is run.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from corpora.errors import InputError

Function = ast.FunctionDef | ast.AsyncFunctionDef
_ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
_BUILT_IN = {"int", "float", "str", "bytes", "list", "tuple", "dict", "set", "frozenset"}


@dataclass(frozen=True)
class SourceExpression:
    """A value without a literal, as its source: an instance of a class of the program, or a function."""

    text: str


SHARED = SourceExpression("shared")
"""The object that a call passes in several places."""


def parsed_expression(text: str) -> ast.expr | None:
    """Return the syntax tree of an expression; None if the text is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def last_name(node: ast.AST | None) -> str:
    """Return the last part of a dotted name, "" for any other node."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def source_of_value(value: object) -> str:
    """Return source code for a value: its `repr`, except for values whose `repr` is not a literal.

    >>> source_of_value([float("inf"), -0.0, set()])
    '[1e999, -0.0, set()]'
    """
    if isinstance(value, SourceExpression):
        return value.text
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "(1e999 - 1e999)" if value != value else "1e999" if value > 0 else "-1e999"
    if isinstance(value, complex):
        return f"complex({source_of_value(value.real)}, {source_of_value(value.imag)})"
    if type(value) is list:
        return f"[{', '.join(map(source_of_value, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(source_of_value, value))}{',' if len(value) == 1 else ''})"
    if type(value) is dict:
        return "{" + ", ".join(f"{source_of_value(key)}: {source_of_value(held)}" for key, held in value.items()) + "}"
    if type(value) is set and value:
        return "{" + ", ".join(map(source_of_value, items_of(value))) + "}"
    if type(value) is frozenset:
        return f"frozenset({source_of_value(items_of(value))})"
    return repr(value)


def items_of(values: Iterable[Any]) -> list[Any]:
    """The items of a collection; those of a set are sorted, since their order differs between processes.

    >>> items_of({"b", "a"})
    ['a', 'b']
    """
    return sorted(values, key=source_of_value) if isinstance(values, set | frozenset) else list(values)


@dataclass(frozen=True)
class CallTemplate:
    """A call with holes in place of its literals: `pieces[0] hole pieces[1] hole …`.

    Attributes:
        pieces: The source between the holes; one more than there are holes.
        values: The literals that were in the holes; empty for a template made from a signature.
        parameters: For each hole, the keyword or the position in the outermost call, or "" inside inner calls.
        function: The name of the function called, or "".
        annotations: Annotations of the holes, if they are not those of the parameters of `function`.
    """

    pieces: tuple[str, ...]
    values: tuple[object, ...]
    parameters: tuple[str, ...]
    function: str
    annotations: tuple[ast.expr | None, ...] = ()

    def fill_sharing(self, values: Sequence[object], shared: object) -> str:
        """Fill the holes with values in which `SHARED` stands for one object.

        >>> call_template("f([1], 2, [3])").fill_sharing((SHARED, 2, [SHARED]), [1])
        '(lambda shared: f(shared, 2, [shared]))([1])'
        """
        return f"(lambda {SHARED.text}: {self.fill(values)})({source_of_value(shared)})"

    def fill(self, values: Sequence[object]) -> str:
        """Fill the holes with these values, in order."""
        return self._join([source_of_value(value) for value in values])

    def _join(self, texts: Sequence[str]) -> str:
        return "".join(itertools.chain.from_iterable(zip(self.pieces, [*texts, ""], strict=True)))


def call_template(call: str) -> CallTemplate:
    """Replace the literals of a call by holes.

    An expression that is no call, or has no literals, becomes a template without holes.

    Raises:
        InputError: If the text is not an expression.

    >>> call_template("f([1, 2], g('a', k=x))").pieces
    ('f(', ', g(', ', k=x))')
    """
    try:
        tree = ast.parse(call.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise InputError(f"not a call: {call.strip()!r} ({getattr(error, 'msg', error)})") from None
    marks: list[tuple[ast.expr, object, str]] = []
    _collect_literals(tree, marks, outermost=True)
    return _template_of(tree, marks)


def _collect_literals(node: ast.expr, marks: list[tuple[ast.expr, object, str]], *, outermost: bool) -> None:
    for part, name in _operands(node):
        if isinstance(part, ast.Call):
            _collect_literals(part, marks, outermost=False)
            continue
        try:
            value = ast.literal_eval(part)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue  # not a literal: it remains in the template
        marks.append((part, value, name if outermost else ""))


def _operands(node: ast.expr) -> list[tuple[ast.expr, str]]:
    """The operands of an expression in source order, each with the parameter that it is passed to."""
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


def _template_of(tree: ast.expr, marks: list[tuple[ast.expr, object, str]]) -> CallTemplate:
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
    return CallTemplate((*pieces, text), tuple(value for _, value, _ in marks), names, function)


def function_template(function: Function) -> CallTemplate:
    """A call with a hole for every named parameter of a function, and two each for `*args` and `**kwargs`.

    >>> function_template(ast.parse("def f(a, *, b): pass").body[0]).pieces
    ('f(', ', b=', ')')
    """
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    names += ["", ""] if function.args.vararg else []
    named = [argument.arg for argument in function.args.kwonlyargs]
    named += ["q", "p"] if function.args.kwarg else []
    starts = [""] * len(names) + [f"{name}=" for name in named]
    parameters = [str(place) for place in range(len(names))] + named
    pieces = [f"{', ' if place else ''}{start}" for place, start in enumerate(starts)]
    whole = [f"{function.name}({pieces[0]}", *pieces[1:], ")"] if pieces else [f"{function.name}()"]
    return CallTemplate(tuple(whole), (), tuple(parameters), function.name)


def method_template(
    owner: ast.ClassDef, method: Function, classes: Mapping[str, ast.ClassDef] = MappingProxyType({})
) -> CallTemplate:
    """A call of a method on a new instance, with a hole for every named parameter of the constructor and the method.

    A static or class method is called on the class. A property is read.

    Args:
        owner: The class.
        method: The method.
        classes: The classes of the program by name, in which base classes are looked up.

    >>> tree = ast.parse("class A:\\n    def __init__(self, x): pass\\n    def m(self, y): pass")
    >>> method_template(tree.body[0], tree.body[0].body[1]).pieces
    ('A(', ').m(', ')')
    """
    marks = set(map(_mark, method.decorator_list))
    if "setter" in marks:
        return _setter_template(owner, method, classes)
    maker, called = constructor(owner, classes), _without_self(method, f".{method.name}")
    if marks & {"property", "cached_property"}:
        return _chained_template(maker, None, f".{method.name}")
    if marks & {"staticmethod", "classmethod"}:
        plain = called if "classmethod" in marks else ast.FunctionDef(f".{method.name}", method.args, [], [])
        return _chained_template(None, plain, owner.name)
    return _chained_template(maker, called, "")


def _setter_template(owner: ast.ClassDef, method: Function, classes: Mapping[str, ast.ClassDef]) -> CallTemplate:
    """`setattr(A(…), 'p', …)`: the instance is an argument, and so its state is compared after the call."""
    maker, setter = constructor(owner, classes), _without_self(method, "")
    *starts, last = function_template(maker).pieces
    pieces = [*starts, f"{last}, {method.name!r}, ", ")"]
    annotations = (*_annotations(maker.args), *_annotations(setter.args))
    return CallTemplate((f"setattr({pieces[0]}", *pieces[1:]), (), ("",) * len(annotations), "", annotations)


def class_template(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> CallTemplate:
    """A call of a class, with a hole for every named parameter of its constructor."""
    return _chained_template(constructor(owner, classes), None, "")


def _chained_template(maker: ast.FunctionDef | None, called: ast.FunctionDef | None, name: str) -> CallTemplate:
    """`A(…).m(…)`, `A(…).p` or `A.m(…)`."""
    parts = [node for node in (maker, called) if node is not None]
    before = function_template(maker).pieces if maker else (name,)
    after = function_template(called).pieces if called else (name,)
    pieces = (*before[:-1], before[-1] + after[0], *after[1:])
    annotations = [argument for node in parts for argument in _annotations(node.args)]
    return CallTemplate(pieces, (), ("",) * len(annotations), "", tuple(annotations))


def _annotations(known: ast.arguments) -> list[ast.expr | None]:
    """Annotations of the holes of `function_template`."""
    stars = [[part.annotation] * 2 if part else [] for part in (known.vararg, known.kwarg)]
    places = [part.annotation for part in (*known.posonlyargs, *known.args)]
    return [*places, *stars[0], *[part.annotation for part in known.kwonlyargs], *stars[1]]


def constructor(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> ast.FunctionDef:
    """The signature by which a class is called: `__init__`, `__new__` (also of a base), or fields of a dataclass."""
    for made in class_and_bases(owner, classes):
        for node in made.body:
            if isinstance(node, ast.FunctionDef) and node.name in ("__init__", "__new__"):
                return _without_self(node, owner.name)
        marks = set(map(_mark, (*made.decorator_list, *made.bases)))
        if marks & {"dataclass", "NamedTuple"}:
            fields = [(node.target, node.annotation) for node in made.body if isinstance(node, ast.AnnAssign)]
            taken = [ast.arg(name.id, annotation) for name, annotation in fields if isinstance(name, ast.Name)]
            return _field_constructor(owner, taken)
        inherited = marks & _BUILT_IN
        if inherited:
            return _field_constructor(owner, [ast.arg("value", ast.Name(min(inherited)))])
    return _without_self(None, owner.name)


def _field_constructor(owner: ast.ClassDef, taken: list[ast.arg]) -> ast.FunctionDef:
    return ast.FunctionDef(owner.name, ast.arguments([], taken, None, [], [], None, []), [], [])


def exit_templates(template: CallTemplate, kinds: Sequence[str]) -> list[CallTemplate]:
    """Calls of `__exit__` as a `with` statement makes them: without an exception, and with one of each kind.

    Args:
        template: A call of `__exit__`, whose last three holes are the type, value and traceback of the exception.
        kinds: Names of exception types.
    """
    ends = ["None, None, None", *(f"{kind}, {kind}('a'), None" for kind in kinds)]
    pieces, annotations = template.pieces, template.annotations[:-3]
    starts, last = pieces[:-4], pieces[-4]
    return [
        CallTemplate((*starts, f"{last}{end}{pieces[-1]}"), (), ("",) * len(annotations), "", annotations)
        for end in ends
    ]


def instance_templates(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> list[CallTemplate]:
    """Expressions that create an instance of a class; for an enumeration, its members."""
    if not any(_mark(base) in _ENUMS for made in class_and_bases(owner, classes) for base in made.bases):
        return [class_template(owner, classes)]
    targets = [part for node in owner.body if isinstance(node, ast.Assign) for part in node.targets]
    return [CallTemplate((f"{owner.name}.{part.id}",), (), (), "") for part in targets if isinstance(part, ast.Name)]


def class_and_bases(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef], depth: int = 0) -> Iterator[ast.ClassDef]:
    """A class, then its base classes that the program defines."""
    yield owner
    for base in owner.bases if depth < 10 else ():
        if isinstance(base, ast.Name) and base.id in classes and classes[base.id] is not owner:
            yield from class_and_bases(classes[base.id], classes, depth + 1)


def _mark(node: ast.expr) -> str:
    """The name of a decorator or base class."""
    return last_name(node.func if isinstance(node, ast.Call) else node)


def _without_self(function: Function | None, name: str) -> ast.FunctionDef:
    """A copy of a signature under another name and without the first parameter; empty if there is no function."""
    known = function.args if function else ast.arguments([], [], None, [], [], None, [])
    named = [*known.posonlyargs, *known.args][1:]
    taken = ast.arguments([], named, known.vararg, known.kwonlyargs, [], known.kwarg, [])
    return ast.FunctionDef(name, taken, [], [])


def sequence_template(text: str) -> tuple[tuple[str, ...], CallTemplate]:
    """Parse a sequence of calls such as `f(1); f(2)`.

    Returns:
        The source of each step, and one template for the whole sequence.

    Raises:
        InputError: If the text is not valid Python.

    >>> sequence_template("made = A(1); made.m('a')")[1].values
    (1, 'a')
    """
    try:
        body = ast.parse(text.strip(), "call", "exec").body
    except (SyntaxError, ValueError) as error:
        raise InputError(f"not a call: {text.strip()!r} ({getattr(error, 'msg', error)})") from None
    steps = tuple(ast.unparse(node) for node in body)
    if len(body) == 1 and isinstance(body[0], ast.Expr):
        return steps, call_template(text)
    pieces, values, start = [""], list[object](), ""
    for node in body:
        known = call_template(ast.unparse(node.value)) if isinstance(node, ast.Expr | ast.Assign) else None
        name = f"{ast.unparse(node.targets[0])} = " if isinstance(node, ast.Assign) else ""
        inner = known.pieces if known else (ast.unparse(node),)
        pieces = [*pieces[:-1], f"{pieces[-1]}{start}{name}{inner[0]}", *inner[1:]]
        values += known.values if known else ()
        start = "; "
    return steps, CallTemplate(tuple(pieces), tuple(values), ("",) * len(values), "")


def send_and_throw(call: str) -> str:
    """A sequence that sends values to the generator that a call returns, and throws an exception into it.

    >>> send_and_throw("f(1)")
    "made = f(1); made.__next__(); made.send(5); made.send('a'); made.throw(ValueError('a'))"
    """
    return f"made = {call.strip()}; made.__next__(); made.send(5); made.send('a'); made.throw(ValueError('a'))"


def close_early(call: str, count: int) -> str:
    """An expression that takes `count` items of the generator that a call returns, and closes it: `finally` runs.

    >>> close_early("f(1)", 2)
    '(lambda made: ([made.__next__() for _ in (0, 0)], made.close()))(f(1))'
    """
    items = f"[made.__next__() for _ in ({'0, ' * (count - 1)}0{',' if count == 1 else ''})]"
    return f"(lambda made: ({items}, made.close()))({call.strip()})"
