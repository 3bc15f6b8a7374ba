"""Operands for the operations of the catalogue, as source expressions, and how to perform an operation on them.

Operands are drawn as source, so that they can be built twice: with objects that are shared (`nan()` is one object) or
all different, and with objects of a class of the program (`spy()`), which records what is called on it.
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st

from analyze.operations.operation import Form, Operation, Parameter
from tests.samples import drawn_values

Source = st.SearchStrategy[str]
ABSENT = "..."  # the default of a parameter that has no value by itself

_TEXT = st.text(st.sampled_from("abA1, \tßé\n{\ud800"), max_size=6) | st.sampled_from(["12", "-1.5", "0x1p3", "ab"])
_BYTES = st.binary(max_size=5) | st.sampled_from([b"a b", b"12", b"\xff"])
_INTS = st.integers(-6, 130) | st.sampled_from([2**70, -(2**70), 55296])
_FLOATS = st.sampled_from(["0.0", "-0.0", "1.5", "2.5", "1e300", "float('inf')", "nan()"])


def _listed(parts: Source, brackets: str = "[]", size: int = 4) -> Source:
    def joined(found: list[str]) -> str:
        return brackets[0] + "".join(f"{one}, " for one in found) + brackets[1]

    return st.lists(parts, max_size=size).map(joined)


def _dicts(keys: Source, values: Source) -> Source:
    pairs = st.lists(st.tuples(keys, values), max_size=4)
    return pairs.map(lambda found: "{" + ", ".join(f"{key}: {value}" for key, value in found) + "}")


def _iterators(found: Source) -> Source:
    return found | found.map(lambda source: f"iter({source})")


_SPIES = st.sampled_from(["spy(1)", "spy(2)", "bare(1)"])
_PLAIN = st.one_of(_TEXT.map(repr), _INTS.map(repr), _FLOATS, st.sampled_from(["nan()", "True", "None", "b'a'"]))
_HASHABLE = st.one_of(_PLAIN, _SPIES, _listed(_PLAIN, "()", 2))
_OBJECT = st.one_of(_HASHABLE, _listed(_HASHABLE, "[]", 2))
_SETS = _listed(_HASHABLE).map(lambda source: f"set({source})")
_PAIRS = st.lists(st.tuples(_HASHABLE, _OBJECT), max_size=3).map(lambda found: f"[{', '.join(map(_pair, found))}]")
_ITEMS = st.one_of(_listed(_INTS.map(repr)), _listed(_TEXT.map(repr)), _listed(_OBJECT))


def _pair(found: tuple[str, str]) -> str:
    return f"({found[0]}, {found[1]})"


OPERANDS: dict[str, Source] = {
    "": _OBJECT,
    "str": _TEXT.map(repr),
    "char": st.sampled_from(["'a'", "'1'"]),
    "int": _INTS.map(repr),
    "bool": st.sampled_from(["True", "False"]),
    "float": _FLOATS,
    "complex": st.sampled_from(["0j", "1j", "(1.5+2j)"]),
    "bytes": _BYTES.map(repr),
    "bytearray": _BYTES.map(lambda value: f"bytearray({value!r})"),
    "list": _ITEMS,
    "tuple": _listed(_OBJECT, "()"),
    "dict": _dicts(_HASHABLE, _OBJECT),
    "set": _SETS,
    "frozenset": _SETS.map(lambda source: f"frozenset({source})"),
    "range": st.tuples(st.integers(-3, 3), st.integers(-3, 9), st.sampled_from([1, 2, -1])).map(
        lambda parts: f"range{parts}"
    ),
    "object": _OBJECT,
    "hashable": _HASHABLE,
    "hashables": _iterators(_listed(_HASHABLE)),
    "iterable": _iterators(_ITEMS),
    "sized": st.one_of(_ITEMS, _TEXT.map(repr), _SETS, _SPIES),
    "iterator": _ITEMS.map(lambda source: f"iter({source})") | st.just("steps()"),
    "strings": _iterators(_listed(_TEXT.map(repr))),
    "affixes": _listed(_TEXT.map(repr), "()"),
    "pairs": _iterators(_PAIRS),
    "buffers": _iterators(_listed(_BYTES.map(repr))),
    "numbers": _iterators(_listed(_INTS.map(repr) | _FLOATS | _SPIES)),
    "bytelist": _iterators(_listed(st.integers(0, 255).map(repr))),
    "byte": st.sampled_from(["0", "32", "49", "97", "98", "255"]),
    "onebyte": st.sampled_from(["b' '", "b'*'"]),
    "bytetable": st.just("bytes(range(255, -1, -1))") | st.just("None"),
    "character": st.sampled_from(["' '", "'a'", "'é'"]),
    "table": st.sampled_from(["{97: 'x'}", "{97: None, 98: 99}", "{}"]),
    "base": st.sampled_from(["2", "10", "16", "0"]),
    "encoding": st.sampled_from(["'utf-8'", "'latin-1'", "'ascii'", "'utf-16'"]),
    "errors": st.sampled_from(["'strict'", "'replace'", "'ignore'"]),
    "byteorder": st.sampled_from(["'big'", "'little'"]),
    "spec": st.sampled_from(["''", "'>5'", "'05'", "'.2f'", "'x'", "'c'", "'z9'"]),
    "type": st.sampled_from(["int", "Spied"]),
    "classes": st.sampled_from(["int", "str", "(int, str)", "Spied"]),
    "function": st.just("function"),
}
_SMALL_NUMBERS = {
    "int": st.integers(-8, 12).map(repr),
    "float": st.sampled_from(["0.5", "-1.0", "2.0", "400.0"]),
}
# Parameters that take small numbers: positions, and what determines the size of the result.
SMALL = {
    *("start", "end", "stop", "step", "index", "width", "tabsize", "count", "maxsplit", "length", "exponent"),
    *("bits", "ndigits", "source", "modulus"),
}
_NO_SPIES = {"function", "iterable", "hashables", "type", "classes", "bool"}
TEMPLATES = {"format": ["'{}'", "'{0!r}-{1}'", "'{a}'", "'{:>5}'", "'{0.x}'", "'{0[0]}'", "'{'", "'{:d}'", "'{a.x}'"]}
MODULO = ["'%s'", "'%r %s'", "'%d'", "'%f'", "'%x'", "'%(a)s'", "'%'", "'%c'", "'plain'"]
OF_TYPE = {"str": "{}", "bytes": "b{}", "bytearray": "bytearray(b{})"}
SOURCES = ["'a'", "'1 + 1'", "'1 +'"]


@dataclass(frozen=True)
class Expression:
    """The operands of one operation: the receiver (or left operand), arguments by position and by keyword."""

    receiver: str
    positional: tuple[str, ...]
    keywords: tuple[tuple[str, str], ...] = ()


SPIES = 0.3  # the share of objects of the program among the arguments of functions
HELD = 0.2  # the share of constants of the receiver among the arguments, which few drawn values equal


def _operand(random: Random, one: Operation, parameter: Parameter, receiver: str) -> str:
    """An expression that a parameter takes; for a function, it may be an object of the program."""
    if one.name in ("eval", "exec", "compile") and parameter.name == "source":
        return random.choice(SOURCES)
    if parameter.type == "function":
        return f"called({parameter.name!r})"
    values: tuple[str, ...]
    if one.form is Form.CALL and parameter.type not in _NO_SPIES and random.random() < SPIES:
        values = drawn_values(_SPIES)
        return random.choice(values)
    small = _SMALL_NUMBERS if parameter.name in SMALL else {}
    part = random.choice(parameter.type.split(" | "))
    if part in ("object", "hashable") and random.random() < HELD and (held := _constants(receiver)):
        return random.choice(held)
    values = drawn_values(small.get(part, OPERANDS[part]))
    return random.choice(values)


def _constants(expression: str) -> list[str]:
    return [ast.unparse(node) for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Constant)]


def expressions(one: Operation, count: int) -> Iterator[Expression]:
    """The operands of an operation."""
    random = Random(f"{one.form.value} {one} {one.name}")
    for _ in range(count):
        yield _expression(random, one)


def _expression(random: Random, one: Operation) -> Expression:
    receiver = random.choice(_receivers(one))
    positional: list[str] = []
    keywords: list[tuple[str, str]] = []
    for parameter in one.parameters:
        is_given = parameter.is_required or random.random() < 0.5
        if parameter.is_variadic and not parameter.is_keyword:
            positional += [_operand(random, one, parameter, receiver) for _ in range(random.randint(1, 2))]
        elif parameter.is_keyword:
            name = "a" if parameter.is_variadic else parameter.name
            keywords += [(name, _operand(random, one, parameter, receiver))] if is_given else []
        elif is_given:
            positional.append(_operand(random, one, parameter, receiver))
        else:
            break
    return Expression(receiver, tuple(positional), tuple(keywords))


def _receivers(one: Operation) -> Sequence[str]:
    if one.kind.value == "format" and one.form is Form.OPERATOR:
        return [OF_TYPE[one.receiver].format(template) for template in MODULO]
    if one.kind.value == "format" and one.receiver == "str" and one.form is not Form.FORMAT:
        return TEMPLATES["format"]
    return drawn_values(OPERANDS[one.receiver])


@dataclass
class Spied:
    """An object of the program: it records the special methods that are called on it, and returns odd results."""

    log: set[str]
    number: int = 0


class Word(str):
    """What `__str__` of a program may return."""


def _recorded(name: str, result: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Spied, *given: Any) -> Any:
        self.log.add(name)
        return result(self, *given)

    return method


def _number(other: Any) -> Any:
    return other.number if isinstance(other, Spied) else 0


_METHODS: dict[str, Callable[..., Any]] = {
    "__eq__": lambda self, other: int(isinstance(other, Spied) and self.number == other.number),
    "__ne__": lambda self, other: 1,
    "__hash__": lambda self: self.number,
    "__lt__": lambda self, other: int(self.number < _number(other)),
    "__gt__": lambda self, other: int(self.number > _number(other)),
    "__le__": lambda self, other: int(self.number <= _number(other)),
    "__ge__": lambda self, other: int(self.number >= _number(other)),
    "__repr__": lambda self: Word("spy"),
    "__str__": lambda self: Word("spy"),
    "__format__": lambda self, spec: Word("spy"),
    "__bool__": lambda self: True,
    "__len__": lambda self: 1,
    "__getitem__": lambda self, key: (1, 2)[key] if isinstance(key, int) else Word("x"),
    "__getattr__": lambda self, name: Word("x"),
    "__add__": lambda self, other: 1,
    "__radd__": lambda self, other: 1,
    "__abs__": lambda self: 1,
    "__divmod__": lambda self, other: 1,
    "__rdivmod__": lambda self, other: 1,
    "__pow__": lambda self, *others: 1,
    "__rpow__": lambda self, *others: 1,
    "__matmul__": lambda self, other: 1,
    "__rmatmul__": lambda self, other: 1,
    "__round__": lambda self, *digits: "round",
    "__int__": lambda self: 3,
    "__float__": lambda self: 3.0,
    "__complex__": lambda self: 3j,
    "__bytes__": lambda self: type("Bytes", (bytes,), {})(b"a"),
    "__dir__": lambda self: ["a"],
    "__setattr__": lambda self, name, value: None,
    "__delattr__": lambda self, name: None,
}
_WITHOUT = {
    *("__bool__", "__str__", "__int__", "__float__", "__complex__", "__add__", "__format__", "__ne__", "__bytes__")
}
_KEPT = {name: result for name, result in _METHODS.items() if name not in _WITHOUT}
_INDEX = {"__index__": lambda self: 2, "__trunc__": lambda self: 2}
_SPY = type("Spy", (Spied,), {name: _recorded(name, result) for name, result in _METHODS.items()})
_BARE = type("Bare", (Spied,), {name: _recorded(name, result) for name, result in {**_KEPT, **_INDEX}.items()})


@dataclass
class Run:
    """What performing an operation did: its result or exception, operands before and after, and what was called."""

    result: object
    error: Exception | None
    before: list[str]
    after: list[str]
    log: set[str] = field(default_factory=set)


def namespace(log: set[str], *, is_shared: bool) -> dict[str, Any]:
    """The names that operands use."""
    nan = float("nan")
    made: dict[tuple[Any, int], Any] = {}

    def build(kind: Any, number: int) -> Any:
        if is_shared and (kind, number) in made:
            return made[kind, number]
        value = object.__new__(kind)
        object.__setattr__(value, "log", log)
        object.__setattr__(value, "number", number)
        return made.setdefault((kind, number), value)

    def called(name: str) -> Callable[..., Any]:
        def function(*given: Any) -> Any:
            log.add(name)
            return given[0] if given else 1

        return function

    class Steps:
        def __init__(self) -> None:
            self.left = 2

        def __iter__(self) -> Steps:
            log.add("__iter__")
            return self

        def __next__(self) -> int:
            log.add("__next__")
            self.left -= 1
            if self.left < 0:
                raise StopIteration
            return self.left

    return {
        "nan": (lambda: nan) if is_shared else (lambda: float("nan")),
        "spy": lambda number: build(_SPY, number),
        "bare": lambda number: build(_BARE, number),
        "called": called,
        "steps": Steps,
        "Spied": Spied,
        "a": 1,
    }


def perform(one: Operation, given: Expression, *, is_shared: bool = True) -> Run:
    """Builds the operands and performs an operation on them."""
    log: set[str] = set()
    names = namespace(log, is_shared=is_shared)
    receiver = eval(given.receiver, names)
    positional = [eval(source, names) for source in given.positional]
    keywords = {name: eval(source, names) for name, source in given.keywords}
    operands = [receiver, *positional, *keywords.values()]
    before = [shown(value) for value in operands]
    log.clear()
    result, error = None, None
    try:
        result = _apply(one, receiver, positional, keywords)
    except Exception as raised:  # noqa: BLE001 - what the test looks at
        error = raised
    seen = set(log)
    return Run(result, error, before, [shown(value) for value in operands], seen)


def _apply(one: Operation, left: Any, given: list[Any], keywords: dict[str, Any]) -> Any:
    if one.form is Form.METHOD:
        return getattr(left, one.name)(*given, **keywords)
    if one.form is Form.CALL:
        result = getattr(builtins, one.name)(*given, **keywords)
        if one.iterates is not None and one.iterates.name == "LATER":
            for _ in zip(range(5), result, strict=False):
                pass
        return result
    if one.form is Form.FORMAT:
        return _format(one, left, given)
    if one.form in (Form.ITEM, Form.SLICE):
        return _subscript(one, left, given)
    if one.form is Form.AUGMENTED:
        names = {"left": left, "right": given[0]}
        exec(f"left {one.symbol} right", names)
        assert names["left"] is left
        return names["left"]
    if one.form is Form.OPERATOR and not given:
        return eval(f"{one.symbol} left", {"left": left})
    if one.name in ("In", "NotIn"):
        return eval(f"right {one.symbol} left", {"left": left, "right": given[0]})
    return eval(f"left {one.symbol} right", {"left": left, "right": given[0]})


def _format(one: Operation, left: Any, given: list[Any]) -> str:
    if one.name == "field":
        return f"{left:{given[0]}}"
    if one.name == "f-string":
        return f"{given[0]}" if len(given) == 1 else f"{given[0]}{given[1]}"
    made: str = eval(f"f'{{value!{one.name[-1]}}}'", {"value": given[0]})
    return made


def _subscript(one: Operation, left: Any, given: list[Any]) -> Any:
    is_slice = one.form is Form.SLICE
    key = slice(*given[: 2 if " " in one.name else 3]) if is_slice and given else slice(None) if is_slice else given[0]
    if one.name.endswith("store"):
        return operator.setitem(left, key, given[-1])
    if one.name.endswith("delete"):
        return operator.delitem(left, key)
    return operator.getitem(left, key)


def shown(value: Any) -> str:
    """A value as text, without calling anything of the program; iterators by what they have left is not shown."""
    if isinstance(value, Spied):
        return f"spy {object.__getattribute__(value, 'number')}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}({', '.join(map(shown, value))})"
    if isinstance(value, dict):
        return f"dict({', '.join(f'{shown(key)}: {shown(held)}' for key, held in value.items())})"
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__}({', '.join(sorted(map(shown, value)))})"
    if type(value).__module__ == "builtins" and type(value).__name__ in _LITERALS:
        return repr(value)
    return type(value).__name__


_LITERALS = {"str", "int", "float", "bool", "bytes", "bytearray", "complex", "range", "NoneType", "slice"}
