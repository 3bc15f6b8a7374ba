"""Kinds of values that can be described without describing others: plain ones, named ones, iterators, attributes.

Also what a program may keep in a function or a class. The tables are keyed by `id(type)`, as to hash a class is to run
its metaclass's `__hash__`; everything is read through the built-in types' own slots and descriptors.
`corpora.sandbox.values.snapshot` puts descriptions together.
"""

from __future__ import annotations

import builtins
import collections
import hashlib
import itertools
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

from corpora.sandbox.reporting.protocol import FILENAME

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
Node = list[Any]

LONG_TEXT = 4_096

_TYPE_MODULE = type.__dict__["__module__"]
_TYPE_QUALNAME = type.__dict__["__qualname__"]
_TYPE_DICT = type.__dict__["__dict__"]
TYPE_MRO = type.__dict__["__mro__"]
TYPE_BASES = type.__dict__["__bases__"]
_TYPE_FLAGS = type.__dict__["__flags__"]
EVERYTHING = slice(None)
_BUILT_IN: list[Any] = [
    *([], (), "", "é", b"", bytearray(), {}, set(), range(0), range(2**70, 2**70), collections.deque()),
    *({}.items(), {}.values(), memoryview(b"")),
]
_REVERSED: list[Any] = [[], range(0), {}, {}.items(), {}.values(), collections.deque()]
_quiet = [*map(iter, _BUILT_IN), *map(reversed, _REVERSED)]
# To advance these runs nothing but the built-in type's own code.
QUIET = {id(type(iterator)) for iterator in _quiet}


class _Sequence:
    def __getitem__(self, place: int) -> object:
        raise IndexError


_ACTIVE: list[Any] = [
    iter(_Sequence()),
    reversed(""),
    zip(),
    enumerate([]),
    map(abs, []),
    filter(None, []),
    iter(int, 0),
]
GENERATOR = types.GeneratorType
_FUNCTION, _MODULE, _MEMBER, _GETSET = (
    types.FunctionType,
    types.ModuleType,
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
)
_MODULE_DICT: Any = vars(_MODULE)["__dict__"]
_WRAPPER = types.WrapperDescriptorType
_sha256 = hashlib.sha256
ITERATORS = (
    QUIET
    | {id(type(iterator)) for iterator in _ACTIVE}
    | {id(GENERATOR), id(types.CoroutineType), id(types.AsyncGeneratorType)}
    | {id(kind) for kind in vars(itertools).values() if isinstance(kind, type)}
) - {id(itertools.count), id(itertools.repeat)}  # these say by their repr where they are, and the first never ends
_length_hint = operator.length_hint


def type_name(cls: type) -> str:
    """`module.qualname` of a class, without `builtins.`; read past any metaclass."""
    module, name = _TYPE_MODULE.__get__(cls), str.__str__(_TYPE_QUALNAME.__get__(cls))
    if type(module) is not str:
        module = "?"
    return name if module == "builtins" else f"{module}.{name}"


def text_node(kind: str, text: str) -> Node:
    """A text, or, when it is long, its exact length and SHA-256 instead."""
    if len(text) <= LONG_TEXT:
        return [kind, text]
    return [f"long {kind}", len(text), _sha256(text.encode("utf-8", "surrogatepass")).hexdigest()]


_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE, Include/object.h


def is_class(cls: type) -> bool:
    """Whether what is of this class is a class itself; the program is not asked."""
    return any(base is type for base in TYPE_MRO.__get__(cls))


def is_the_programs(cls: type) -> bool:
    """Whether the program itself defined a class; of any other, the name says all."""
    module = _TYPE_MODULE.__get__(cls)
    return type(module) is str and module == "__main__"


def position(iterator: Any) -> Node:
    """How far an iterator is, as far as that is known without advancing it."""
    if id(type(iterator)) in QUIET:
        return [_length_hint(iterator, -1)]
    if type(iterator) is GENERATOR:
        return ["open" if iterator.gi_frame is not None else "ended"]
    return []


def keeps(function: types.FunctionType) -> bool:
    """Whether a function keeps anything between calls or has defaults that could."""
    return (
        function.__defaults__ is not None or function.__kwdefaults__ is not None or dict.__len__(function.__dict__) > 0
    )


def signature(function: types.FunctionType) -> Node:
    """How a function of the program is called: names of its parameters by kind, `/`, `*` and `**` where they stand.

    >>> signature(eval(compile("lambda a, /, b, *c, d, **e: 0", FILENAME, "eval")))
    ['signature', 'a', '/', 'b', '*c', 'd', '**e']
    """
    code = function.__code__
    if code.co_filename != FILENAME:
        return []
    count, names = code.co_argcount, code.co_varnames
    first, named = code.co_posonlyargcount, code.co_kwonlyargcount
    rest = [*names[count + named :]]
    star = f"*{rest.pop(0)}" if code.co_flags & _VARARGS else "*" if named else ""
    more = f"**{rest.pop(0)}" if code.co_flags & _VARKEYWORDS else ""
    shown = [*names[:first], *(["/"] if first else []), *names[first:count]]
    return ["signature", *shown, *([star] if star else []), *names[count : count + named], *([more] if more else [])]


_VARARGS, _VARKEYWORDS = 0x04, 0x08  # CO_VARARGS and CO_VARKEYWORDS, Include/cpython/code.h


def function_state(function: types.FunctionType) -> list[tuple[str, object]]:
    """What calls may have changed or others can see: values of defaults, and attributes set on a function."""
    found: list[tuple[str, object]] = []
    if function.__defaults__ is not None:
        found.append(("defaults", function.__defaults__))
    if function.__kwdefaults__ is not None:
        found.append(("keyword defaults", function.__kwdefaults__))
    if dict.__len__(function.__dict__):
        found.append(("attributes", function.__dict__))
    return found


_DESCRIPTORS = frozenset(
    map(
        id,
        (
            *(types.BuiltinFunctionType, types.GetSetDescriptorType, types.MemberDescriptorType, property),
            *(types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType),
        ),
    )
)


def class_state(cls: type) -> Iterator[tuple[str, object]]:
    """What a class of the program holds besides code, in order: data, and functions that keep something themselves."""
    for name, held in _TYPE_DICT.__get__(cls).items():
        if type(name) is not str or name[:2] == "__" or id(type(held)) in _DESCRIPTORS:
            continue
        inner = held.__func__ if type(held) in (staticmethod, classmethod) else held
        if type(inner) is not _FUNCTION or keeps(inner):
            yield name, inner


def method_signatures(cls: type) -> list[Node]:
    """`[name, signature]` of the methods that a class itself defines under public or special names, by name."""
    found = []
    for name, held in _TYPE_DICT.__get__(cls).items():
        inner = held.__func__ if type(held) in (staticmethod, classmethod) else held
        if type(name) is str and type(inner) is _FUNCTION and (name[:1] != "_" or name[:2] == name[-2:] == "__"):
            known = signature(inner)
            if known:
                found.append([name, known])
    return sorted(found)


def iterator_name(cls: type) -> str:
    """The name of an iterator's class, the same in all versions."""
    # 3.10 has one iterator over str, later versions two; which one is no part of what a program means.
    name = type_name(cls)
    return "str_iterator" if name == "str_ascii_iterator" else name


def attributes_of(mro: tuple[type, ...], value: object) -> Iterator[tuple[str, object]]:
    """`__dict__` items in order, then slots from the most basic class on; through descriptors, past `__getattr__`."""
    for cls in mro:
        found = _TYPE_DICT.__get__(cls).get("__dict__")
        if type(found) is _GETSET:
            held = found.__get__(value)
            if isinstance(held, dict):
                yield from ((name, item) for name, item in dict.items(held) if type(name) is str)
            break
    for cls in reversed(mro):
        if not _TYPE_FLAGS.__get__(cls) & _HEAP_TYPE:
            continue
        for name, descriptor in _TYPE_DICT.__get__(cls).items():
            if type(descriptor) is _MEMBER and type(name) is str and name[:2] != "__":
                try:
                    yield name, descriptor.__get__(value)
                except AttributeError:
                    continue  # a slot that was never set


def c_repr(mro: tuple[type, ...], value: object) -> Node:
    """The repr of a value whose type writes it in C and that is not object's own; foreign `__repr__`s stay uncalled."""
    for cls in mro:
        found = _TYPE_DICT.__get__(cls).get("__repr__")
        if found is None:
            continue
        if type(found) is not _WRAPPER or cls is object:
            return []
        try:
            return [text_node("repr", without_addresses(found(value)))]
        except Exception as error:  # noqa: BLE001 - a C repr may call back into the program's classes
            return [["repr raised", type_name(type(error))]]
    return []


def without_addresses(text: str) -> str:
    """Memory addresses dropped: `<list_iterator object at 0x7f…>` becomes `<list_iterator object>`."""
    if " at 0x" not in text:
        return text
    start, parts = 0, []
    while (found := text.find(" at 0x", start)) >= 0:
        end = found + 6
        while end < len(text) and text[end] in "0123456789abcdefABCDEF":
            end += 1
        parts.append(text[start:found])
        if end == found + 6:
            parts.append(text[found:end])
        start = end
    parts.append(text[start:])
    return "".join(parts)


def integer_node(value: int) -> Node:
    """An int of any size."""
    # hex() has no limit on digits and is linear; str() of a huge int is neither
    return ["int", int.__repr__(value)] if -(2**63) < value < 2**63 else text_node("int", hex(value))


def bytes_node(value: bytes) -> Node:
    """Bytes, a character for each."""
    return text_node("bytes", value.decode("latin-1"))


# What an instance of a subclass of int, str, … holds, as exactly that type.
PLAIN_PART: dict[int, Callable[[Any], Any]] = {
    id(int): int.__int__,
    id(float): float.__float__,
    id(complex): lambda value: complex(_COMPLEX["real"].__get__(value), _COMPLEX["imag"].__get__(value)),
    id(str): str.__str__,
    id(bytes): lambda value: bytes.__getitem__(value, EVERYTHING),
}
_COMPLEX: dict[str, Any] = dict(vars(complex))

# Immutable values without parts: identity is no part of them (`a is b` for equal ints is the interpreter's business).
PLAIN: dict[int, Callable[[Any], Node]] = {
    id(type(None)): lambda value: ["None"],
    id(bool): lambda value: ["True" if value else "False"],
    id(type(...)): lambda value: ["Ellipsis"],
    id(type(NotImplemented)): lambda value: ["NotImplemented"],
    id(int): integer_node,
    id(float): lambda value: ["float", float.hex(value)],
    id(complex): lambda value: ["complex", value.real.hex(), value.imag.hex()],
    id(str): lambda value: text_node("str", value),
    id(bytes): bytes_node,
    id(range): lambda value: ["range", *(integer_node(part) for part in (value.start, value.stop, value.step))],
}

NAMED: dict[int, Callable[[Any], Node]] = {
    id(types.FunctionType): lambda value: ["function", str.__str__(value.__qualname__)],
    id(types.BuiltinFunctionType): lambda value: ["built-in", _built_in_name(value)],
    id(types.ModuleType): lambda value: ["module", _module_name(value)],
    id(types.MethodDescriptorType): lambda value: ["built-in", value.__qualname__],
    id(types.WrapperDescriptorType): lambda value: ["built-in", value.__qualname__],
}


def _built_in_name(value: types.BuiltinFunctionType) -> str:
    """`dict.get`, `len`; asked of its own type, as a bound one would ask the metaclass of what it is bound to."""
    held: object = value.__self__
    if held is None or type(held) is _MODULE:
        return value.__name__
    owner: Any = held if is_class(type(held)) else type(held)
    return f"{type_name(owner)}.{value.__name__}"


def _module_name(value: types.ModuleType) -> str:
    name = dict.get(_MODULE_DICT.__get__(value), "__name__")
    return name if type(name) is str else "?"
