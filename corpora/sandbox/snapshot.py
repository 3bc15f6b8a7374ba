"""Describe values so that two runs can be compared as text: structure, exact types, order, aliasing.

Runs inside the worker, next to the foreign program. Values of built-in types are read through the built-in types'
own slots (`list.__iter__(v)`, the `__dict__` and slot descriptors of the type), so a lying `__eq__`, `__repr__`,
`__iter__`, `__class__` or `__dict__` of a program's class is never asked. The one exception is said: an iterator is
described by what it yields, and to yield is to run it. Nothing here decides whether two descriptions mean equal
programs; that is plain text comparison, done elsewhere.

Grammar of a node (JSON): `[kind, …]`; a value with an identity (a mutable one, or an instance) carries a number in
order of first visit, and is `["ref", number]` when met again. What is too deep, too large or too long is
`["capped", why]`, and `Snapshot.capped` is then true: such descriptions prove a difference but never an equality.
"""

from __future__ import annotations

import collections
import hashlib
import itertools
import types
from collections.abc import Callable, Iterator
from typing import Any

Node = list[Any]

MAX_DEPTH = 100
MAX_NODES = 100_000
MAX_YIELDED = 1_000
LONG_TEXT = 4_096

_TYPE_MODULE = type.__dict__["__module__"]
_TYPE_QUALNAME = type.__dict__["__qualname__"]
_TYPE_DICT = type.__dict__["__dict__"]
_TYPE_MRO = type.__dict__["__mro__"]
_TYPE_FLAGS = type.__dict__["__flags__"]
_EVERYTHING = slice(None)
# Tables below are keyed by id(type): to hash a class is to run its metaclass's `__hash__`.
_SAMPLES: list[Any] = [
    *(
        [],
        (),
        "",
        "é",
        b"",
        bytearray(),
        {},
        set(),
        range(0),
        range(2**70, 2**70),
        collections.deque(),
        memoryview(b""),
    ),
    *({}.items(), {}.values(), reversed([]), reversed(range(0)), reversed({}), reversed({}.items())),
    *(reversed({}.values()), reversed(collections.deque()), reversed(""), zip(), enumerate([]), map(abs, [])),
    *(filter(None, []), iter(int, 0), (item for item in [])),  # type: ignore[var-annotated]
]
_ITERATORS = {id(type(iter(sample))) for sample in _SAMPLES} | {
    id(kind) for kind in vars(itertools).values() if isinstance(kind, type)
}


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
    return [f"long {kind}", len(text), hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()]


class Snapshot:
    """One numbering of identities; describe all values of a run with the same Snapshot to see what they share.

    `drain=False` leaves iterators as they are (`["iterator", type]`), for looking at a state that is to be used again.

    >>> shared = []
    >>> Snapshot().node([shared, shared, True, 1.0])
    ['list', 0, [['list', 1, []], ['ref', 1], ['True'], ['float', '0x1.0000000000000p+0']]]
    """

    def __init__(self, *, drain: bool = True) -> None:
        self.capped = False
        self._drain = drain
        self._numbers: dict[int, int] = {}
        self._keep: list[object] = []
        self._nodes = 0

    def node(self, value: object, depth: int = 0) -> Node:
        """The description of one value."""
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            return self._cap("depth" if depth > MAX_DEPTH else "number of values")
        cls = type(value)
        plain = _PLAIN.get(id(cls))
        if plain is not None:
            return plain(value)
        if cls is tuple or cls is frozenset:
            return self._content(cls, value, depth)
        if id(value) in self._numbers:
            return ["ref", self._numbers[id(value)]]
        number = self._numbers[id(value)] = len(self._numbers)
        self._keep.append(value)  # an id may only be reused once its object is gone
        described = self._identified(cls, value, number, depth)
        described.insert(1, number)
        return described

    def _cap(self, why: str) -> Node:
        self.capped = True
        return ["capped", why]

    def _identified(self, cls: type, value: Any, number: int, depth: int) -> Node:
        named = _NAMED.get(id(cls))
        if named is not None:
            return [*named(value), *self._function_state(value, depth)]
        if id(cls) in _ITERATORS:
            return ["iterator", _iterator_name(cls), *self._yielded(value, depth)]
        if id(cls) in _CONTENTS:
            return self._content(cls, value, depth)
        if cls is types.MethodType:
            return ["method", self.node(value.__func__, depth + 1), self.node(value.__self__, depth + 1)]
        if _is_class(cls):
            return ["class", type_name(value)]
        return self._instance(cls, value, depth)

    def _content(self, cls: type, value: Any, depth: int) -> Node:
        return [type_name(cls), *_CONTENTS[id(cls)](self, value, depth + 1)]

    def _function_state(self, value: object, depth: int) -> Node:
        """Attributes that a program set on a function (`f.calls = 3`)."""
        if type(value) is not types.FunctionType:
            return []
        attributes = value.__dict__
        return [self.pairs(attributes, depth + 1)] if dict.__len__(attributes) else []

    def _instance(self, cls: type, value: object, depth: int) -> Node:
        """Class name, what a built-in base holds, `__dict__` and slots in order."""
        described: Node = ["object", type_name(cls)]
        mro = _TYPE_MRO.__get__(cls)
        base = next((known for known in mro if id(known) in _CONTENTS), None)
        plain = next((known for known in mro if id(known) in _PLAIN), None)
        if base is not None:
            described.append(self._content(base, value, depth))
        elif plain is not None:
            described.append(_PLAIN[id(plain)](_PLAIN_PART[id(plain)](value)))
        attributes = [[name, self.node(item, depth + 1)] for name, item in _attributes(mro, value)]
        described.append(attributes)
        if not attributes and base is None and plain is None:
            described += _c_repr(mro, value)
        return described

    def items(self, iterator: Iterator[object], depth: int) -> list[Node]:
        nodes = []
        for item in iterator:
            nodes.append(self.node(item, depth))
            if self._nodes > MAX_NODES:
                nodes.append(self._cap("number of values"))
                break
        return nodes

    def pairs(self, mapping: Any, depth: int) -> list[Node]:
        nodes = []
        for key, item in dict.items(mapping):
            nodes.append([self.node(key, depth), self.node(item, depth)])
            if self._nodes > MAX_NODES:
                nodes.append(self._cap("number of values"))
                break
        return nodes

    def unordered(self, members: Iterator[object], size: int, depth: int) -> list[Node]:
        """Members of a set: sorted by their own descriptions, as a set's order is no part of its value."""
        self._nodes += size
        if self._nodes > MAX_NODES:
            return [self._cap("number of values")]
        keyed = [(str(Snapshot(drain=False).node(member)), member) for member in members]
        keyed.sort(key=lambda pair: pair[0])
        return [self.node(member, depth) for _, member in keyed]

    def _yielded(self, iterator: Iterator[object], depth: int) -> Node:
        if not self._drain:
            return []
        nodes: list[Node] = []
        try:
            for item in iterator:
                if len(nodes) == MAX_YIELDED:
                    nodes.append(self._cap("number of values yielded"))
                    break
                nodes.append(self.node(item, depth + 1))
        except BaseException as error:  # noqa: BLE001 - the program's own generator may raise anything; it is recorded
            nodes.append(["raised", self.node(error, depth + 1)])
        return [nodes]


_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE, Include/object.h


def _is_class(cls: type) -> bool:
    return any(base is type for base in _TYPE_MRO.__get__(cls))


def _iterator_name(cls: type) -> str:
    # 3.10 has one iterator over str, later versions two; which one is no part of what a program means.
    name = type_name(cls)
    return "str_iterator" if name == "str_ascii_iterator" else name


def _attributes(mro: tuple[type, ...], value: object) -> Iterator[tuple[str, object]]:
    """`__dict__` items in order, then slots from the most basic class on; through descriptors, past `__getattr__`."""
    for cls in mro:
        found = _TYPE_DICT.__get__(cls).get("__dict__")
        if type(found) is types.GetSetDescriptorType:
            held = found.__get__(value)
            if isinstance(held, dict):
                yield from ((name, item) for name, item in dict.items(held) if type(name) is str)
            break
    for cls in reversed(mro):
        if not _TYPE_FLAGS.__get__(cls) & _HEAP_TYPE:
            continue
        for name, descriptor in _TYPE_DICT.__get__(cls).items():
            if type(descriptor) is types.MemberDescriptorType and type(name) is str and name[:2] != "__":
                try:
                    yield name, descriptor.__get__(value)
                except AttributeError:
                    continue  # a slot that was never set


def _c_repr(mro: tuple[type, ...], value: object) -> Node:
    """The repr of a value whose type writes it in C and that is not object's own; foreign `__repr__`s stay uncalled."""
    for cls in mro:
        found = _TYPE_DICT.__get__(cls).get("__repr__")
        if found is None:
            continue
        if type(found) is not types.WrapperDescriptorType or cls is object:
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


def _integer(value: int) -> Node:
    # hex() has no limit on digits and is linear; str() of a huge int is neither
    return ["int", int.__repr__(value)] if -(2**63) < value < 2**63 else text_node("int", hex(value))


def _bytes(value: bytes) -> Node:
    return text_node("bytes", value.decode("latin-1"))


# What an instance of a subclass of int, str, … holds, as exactly that type.
_PLAIN_PART: dict[int, Callable[[Any], Any]] = {
    id(int): int.__int__,
    id(float): float.__float__,
    id(complex): lambda value: complex(_COMPLEX["real"].__get__(value), _COMPLEX["imag"].__get__(value)),
    id(str): str.__str__,
    id(bytes): lambda value: bytes.__getitem__(value, _EVERYTHING),
}
_COMPLEX: dict[str, Any] = dict(vars(complex))

# Immutable values without parts: identity is no part of them (`a is b` for equal ints is the interpreter's business).
_PLAIN: dict[int, Callable[[Any], Node]] = {
    id(type(None)): lambda value: ["None"],
    id(bool): lambda value: ["True" if value else "False"],
    id(type(...)): lambda value: ["Ellipsis"],
    id(type(NotImplemented)): lambda value: ["NotImplemented"],
    id(int): _integer,
    id(float): lambda value: ["float", float.hex(value)],
    id(complex): lambda value: ["complex", value.real.hex(), value.imag.hex()],
    id(str): lambda value: text_node("str", value),
    id(bytes): _bytes,
    id(range): lambda value: ["range", *(_integer(part) for part in (value.start, value.stop, value.step))],
}

_NAMED: dict[int, Callable[[Any], Node]] = {
    id(types.FunctionType): lambda value: ["function", str.__str__(value.__qualname__)],
    id(types.BuiltinFunctionType): lambda value: ["built-in", value.__qualname__],
    id(types.ModuleType): lambda value: ["module", _module_name(value)],
    id(types.MethodDescriptorType): lambda value: ["built-in", value.__qualname__],
    id(types.WrapperDescriptorType): lambda value: ["built-in", value.__qualname__],
}


def _module_name(value: types.ModuleType) -> str:
    name = types.ModuleType.__getattribute__(value, "__name__")
    return name if type(name) is str else "?"


def _ordered_pairs(snapshot: Snapshot, value: Any, depth: int) -> Node:
    # `move_to_end` changes the order of an OrderedDict and not that of the dict inside it
    keys = collections.OrderedDict.__iter__(value)
    return [[[snapshot.node(key, depth), snapshot.node(dict.__getitem__(value, key), depth)] for key in keys]]


_EXCEPTION: dict[str, Any] = dict(vars(BaseException))


def _exception(snapshot: Snapshot, value: BaseException, depth: int) -> Node:
    arguments = _EXCEPTION["args"].__get__(value)
    cause = _EXCEPTION["__cause__"].__get__(value)
    return [snapshot.items(tuple.__iter__(arguments), depth), snapshot.node(cause, depth)]


_DEQUE: dict[str, Any] = dict(vars(collections.deque))
_DEFAULTDICT: dict[str, Any] = dict(vars(collections.defaultdict))

_CONTENTS: dict[int, Callable[[Snapshot, Any, int], Node]] = {
    id(list): lambda snapshot, value, depth: [snapshot.items(list.__iter__(value), depth)],
    id(tuple): lambda snapshot, value, depth: [snapshot.items(tuple.__iter__(value), depth)],
    id(dict): lambda snapshot, value, depth: [snapshot.pairs(value, depth)],
    id(set): lambda snapshot, value, depth: [snapshot.unordered(set.__iter__(value), set.__len__(value), depth)],
    id(frozenset): lambda snapshot, value, depth: [
        snapshot.unordered(frozenset.__iter__(value), frozenset.__len__(value), depth)
    ],
    id(bytearray): lambda snapshot, value, depth: [_bytes(bytes(bytearray.__getitem__(value, _EVERYTHING)))],
    id(memoryview): lambda snapshot, value, depth: [_bytes(value.tobytes())],
    id(collections.deque): lambda snapshot, value, depth: [
        snapshot.items(collections.deque.__iter__(value), depth),
        snapshot.node(_DEQUE["maxlen"].__get__(value)),
    ],
    id(collections.OrderedDict): _ordered_pairs,
    id(collections.defaultdict): lambda snapshot, value, depth: [
        snapshot.pairs(value, depth),
        snapshot.node(_DEFAULTDICT["default_factory"].__get__(value), depth),
    ],
    id(slice): lambda snapshot, value, depth: [
        [snapshot.node(part, depth) for part in (value.start, value.stop, value.step)]
    ],
    id(type({}.keys())): lambda snapshot, value, depth: [snapshot.items(iter(value), depth)],
    id(type({}.values())): lambda snapshot, value, depth: [snapshot.items(iter(value), depth)],
    id(type({}.items())): lambda snapshot, value, depth: [snapshot.items(iter(value), depth)],
    id(BaseException): _exception,
}
