"""The types that can be described without describing other values: plain values, named values, iterators, attributes.

This module also finds the state that a function or a class of the program may keep. The tables are keyed by `id(type)`,
because hashing a class runs the `__hash__` of its metaclass. All values are read through the slots and descriptors of
the built-in types. `snapshot` assembles the descriptions.
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

from corpora.sandbox.reporting.protocol import FILENAME, MODULE_NAME

globals()["__builtins__"] = dict(vars(builtins))  # own built-ins for this module: a program may replace the shared ones
Node = list[Any]

MAX_INLINE_LENGTH = 4_096

_TYPE_MODULE = type.__dict__["__module__"]
_TYPE_QUALNAME = type.__dict__["__qualname__"]
_TYPE_DICT = type.__dict__["__dict__"]
TYPE_MRO = type.__dict__["__mro__"]
TYPE_BASES = type.__dict__["__bases__"]
_TYPE_FLAGS = type.__dict__["__flags__"]
EVERYTHING = slice(None)
_ITERABLES: list[Any] = [
    *([], (), "", "é", b"", bytearray(), {}, set(), range(0), range(2**70, 2**70), collections.deque()),
    *({}.items(), {}.values(), memoryview(b"")),
]
_REVERSIBLES: list[Any] = [[], range(0), {}, {}.items(), {}.values(), collections.deque()]
_iterators = [*map(iter, _ITERABLES), *map(reversed, _REVERSIBLES)]
# Advancing these iterators runs only code of the built-in type.
BUILT_IN_ITERATORS = {id(type(iterator)) for iterator in _iterators}


class _EmptySequence:
    def __getitem__(self, place: int) -> object:
        raise IndexError


_CALLING_ITERATORS: list[Any] = [
    iter(_EmptySequence()),
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
ITERATOR_TYPES = (
    BUILT_IN_ITERATORS
    | {id(type(iterator)) for iterator in _CALLING_ITERATORS}
    | {id(GENERATOR), id(types.CoroutineType), id(types.AsyncGeneratorType)}
    | {id(kind) for kind in vars(itertools).values() if isinstance(kind, type)}
) - {id(itertools.count), id(itertools.repeat)}  # their repr contains the position, and the first never ends
_length_hint = operator.length_hint


def type_name(cls: type) -> str:
    """`module.qualname` of a class, without `builtins.`. A metaclass is not asked."""
    module, name = _TYPE_MODULE.__get__(cls), str.__str__(_TYPE_QUALNAME.__get__(cls))
    if type(module) is not str:
        module = "?"
    return name if module == "builtins" else f"{module}.{name}"


def string_node(kind: str, text: str) -> Node:
    """A string, or its exact length and SHA-256 if it is longer than `MAX_INLINE_LENGTH`."""
    if len(text) <= MAX_INLINE_LENGTH:
        return [kind, text]
    return [f"long {kind}", len(text), _sha256(text.encode("utf-8", "surrogatepass")).hexdigest()]


_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE, Include/object.h


def is_class(cls: type) -> bool:
    """Whether instances of this class are classes themselves. The program is not asked."""
    return any(base is type for base in TYPE_MRO.__get__(cls))


def is_program_class(cls: type) -> bool:
    """Whether the program itself defined a class. Any other class is described by its name alone."""
    module = _TYPE_MODULE.__get__(cls)
    return type(module) is str and module == MODULE_NAME


def iterator_position(iterator: Any) -> Node:
    """The position of an iterator, as far as it is known without advancing it."""
    if id(type(iterator)) in BUILT_IN_ITERATORS:
        return [_length_hint(iterator, -1)]
    if type(iterator) is GENERATOR:
        return ["open" if iterator.gi_frame is not None else "ended"]
    return []


def has_state(function: types.FunctionType) -> bool:
    """Whether a function has attributes, or defaults that calls could change."""
    return (
        function.__defaults__ is not None or function.__kwdefaults__ is not None or dict.__len__(function.__dict__) > 0
    )


def function_signature(function: types.FunctionType) -> Node:
    """The parameter names of a function of the program in order, with `/`, `*` and `**` where they apply.

    >>> function_signature(eval(compile("lambda a, /, b, *c, d, **e: 0", FILENAME, "eval")))
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
    """What calls may have changed in a function: values of defaults, and attributes."""
    attributes = function.__dict__ if dict.__len__(function.__dict__) else None
    parts = {"defaults": function.__defaults__, "keyword defaults": function.__kwdefaults__, "attributes": attributes}
    return [(name, value) for name, value in parts.items() if value is not None]


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
    """What a class of the program holds besides code, in order: data, and functions that have state themselves."""
    for name, attribute in _TYPE_DICT.__get__(cls).items():
        if type(name) is not str or name[:2] == "__" or id(type(attribute)) in _DESCRIPTORS:
            continue
        inner = attribute.__func__ if type(attribute) in (staticmethod, classmethod) else attribute
        if type(inner) is not _FUNCTION or has_state(inner):
            yield name, inner


class _Empty:
    x: int


_IMPLICIT_NAMES = frozenset(vars(_Empty)) - {"x"}  # what Python itself writes into every class


def is_special(name: str) -> bool:
    """Whether Python itself may look up a name, as it does with `__eq__`."""
    return name[:2] == name[-2:] == "__"


def class_members(cls: type) -> list[Node]:
    """What a class itself defines under public or special names besides data, sorted by name.

    These are nodes `[name, signature or type]`, also of what a decorator generated and of a special name with a value,
    such as `__hash__ = None`.
    """
    found = []
    for name, attribute in _TYPE_DICT.__get__(cls).items():
        if type(name) is not str or name in _IMPLICIT_NAMES:
            continue
        wrapper = [type_name(type(attribute))] if type(attribute) in (staticmethod, classmethod) else []
        inner = attribute.__func__ if wrapper else attribute
        if type(inner) is _FUNCTION and (is_special(name) or name[:1] != "_"):
            found.append([name, function_signature(inner) or ["function"], *wrapper])
        elif is_special(name) or (name[:1] != "_" and id(type(attribute)) in _DESCRIPTORS):
            found.append([name, [type_name(type(attribute))]])
    return sorted(found)


def iterator_name(cls: type) -> str:
    """The name of an iterator's class, the same in all Python versions."""
    # Python 3.10 has one iterator over str, later versions have two; the difference has no meaning to a program.
    name = type_name(cls)
    return "str_iterator" if name == "str_ascii_iterator" else name


def attributes_of(mro: tuple[type, ...], value: object) -> Iterator[tuple[str, object]]:
    """Items of `__dict__` in order, then slots from the most basic class on.

    `__getattr__` of the program is not called.
    """
    for cls in mro:
        found = _TYPE_DICT.__get__(cls).get("__dict__")
        if type(found) is _GETSET:
            attributes = found.__get__(value)
            if isinstance(attributes, dict):
                yield from ((name, item) for name, item in dict.items(attributes) if type(name) is str)
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


def built_in_repr(mro: tuple[type, ...], value: object) -> Node:
    """The repr of a value whose type implements it in C, other than that of `object`.

    A `__repr__` of the program is not called.
    """
    for cls in mro:
        found = _TYPE_DICT.__get__(cls).get("__repr__")
        if found is None:
            continue
        if type(found) is not _WRAPPER or cls is object:
            return []
        try:
            return [string_node("repr", without_addresses(found(value)))]
        except Exception as error:  # noqa: BLE001 - a repr in C may call classes of the program
            return [["repr raised", type_name(type(error))]]
    return []


def without_addresses(text: str) -> str:
    """Remove memory addresses: `<list_iterator object at 0x7f…>` becomes `<list_iterator object>`.

    >>> without_addresses("<md5 _hashlib.HASH object @ 0x7f2f6f8b8b80>")
    '<md5 _hashlib.HASH object>'
    """
    first, *others = text.split(" 0x")
    parts = [first]
    for one in others:
        rest = one.lstrip("0123456789abcdefABCDEF")
        if rest == one or not parts[-1].endswith((" at", " @")):
            rest = " 0x" + one
        else:
            parts[-1] = parts[-1].rpartition(" ")[0]
        parts.append(rest)
    return "".join(parts)


def integer_node(value: int) -> Node:
    """An int of any size."""
    # hex() has no limit on digits and takes linear time; str() of a huge int has neither property.
    return ["int", int.__repr__(value)] if -(2**63) < value < 2**63 else string_node("int", hex(value))


def bytes_node(value: bytes) -> Node:
    """Bytes, as one character per byte."""
    return string_node("bytes", value.decode("latin-1"))


# The value of an instance of a subclass of int, str, …, as exactly that type.
PLAIN_VALUE: dict[int, Callable[[Any], Any]] = {
    id(int): int.__int__,
    id(float): float.__float__,
    id(complex): lambda value: complex(_COMPLEX["real"].__get__(value), _COMPLEX["imag"].__get__(value)),
    id(str): str.__str__,
    id(bytes): lambda value: bytes.__getitem__(value, EVERYTHING),
}
_COMPLEX: dict[str, Any] = dict(vars(complex))

# Immutable values without parts. They are described without identity: `a is b` for equal ints is an implementation
# detail of the interpreter.
PLAIN_TYPES: dict[int, Callable[[Any], Node]] = {
    id(type(None)): lambda value: ["None"],
    id(bool): lambda value: ["True" if value else "False"],
    id(type(...)): lambda value: ["Ellipsis"],
    id(type(NotImplemented)): lambda value: ["NotImplemented"],
    id(int): integer_node,
    id(float): lambda value: ["float", float.hex(value)],
    id(complex): lambda value: ["complex", value.real.hex(), value.imag.hex()],
    id(str): lambda value: string_node("str", value),
    id(bytes): bytes_node,
    id(range): lambda value: ["range", *(integer_node(part) for part in (value.start, value.stop, value.step))],
}

NAMED_TYPES: dict[int, Callable[[Any], Node]] = {
    id(types.FunctionType): lambda value: ["function", str.__str__(value.__qualname__)],
    id(types.BuiltinFunctionType): lambda value: ["built-in", _built_in_name(value)],
    id(types.ModuleType): lambda value: ["module", _module_name(value)],
    id(types.MethodDescriptorType): lambda value: ["built-in", value.__qualname__],
    id(types.WrapperDescriptorType): lambda value: ["built-in", value.__qualname__],
}


def _built_in_name(value: types.BuiltinFunctionType) -> str:
    """`dict.get`, `len`. Read through the type, because a bound method would ask the metaclass of its instance."""
    bound_to: object = value.__self__
    if bound_to is None or type(bound_to) is _MODULE:
        return value.__name__
    owner: Any = bound_to if is_class(type(bound_to)) else type(bound_to)
    return f"{type_name(owner)}.{value.__name__}"


def _module_name(value: types.ModuleType) -> str:
    name = dict.get(_MODULE_DICT.__get__(value), "__name__")
    return name if type(name) is str else "?"
