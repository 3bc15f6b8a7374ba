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

import builtins
import collections
import types
from collections.abc import Callable, Iterator
from typing import Any

from corpora.sandbox.kinds import (
    EVERYTHING,
    ITERATORS,
    NAMED,
    PLAIN,
    PLAIN_PART,
    TYPE_MRO,
    Node,
    attributes_of,
    bytes_node,
    c_repr,
    is_class,
    iterator_name,
    type_name,
)

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
MAX_DEPTH = 100
MAX_NODES = 100_000
MAX_YIELDED = 1_000


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
        plain = PLAIN.get(id(cls))
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
        named = NAMED.get(id(cls))
        if named is not None:
            return [*named(value), *self._function_state(value, depth)]
        if id(cls) in ITERATORS:
            return ["iterator", iterator_name(cls), *self._yielded(value, depth)]
        if id(cls) in _CONTENTS:
            return self._content(cls, value, depth)
        if cls is types.MethodType:
            return ["method", self.node(value.__func__, depth + 1), self.node(value.__self__, depth + 1)]
        if is_class(cls):
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
        mro = TYPE_MRO.__get__(cls)
        base = next((known for known in mro if id(known) in _CONTENTS), None)
        plain = next((known for known in mro if id(known) in PLAIN), None)
        if base is not None:
            described.append(self._content(base, value, depth))
        elif plain is not None:
            described.append(PLAIN[id(plain)](PLAIN_PART[id(plain)](value)))
        attributes = [[name, self.node(item, depth + 1)] for name, item in attributes_of(mro, value)]
        described.append(attributes)
        if not attributes and base is None and plain is None:
            described += c_repr(mro, value)
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
    id(bytearray): lambda snapshot, value, depth: [bytes_node(bytes(bytearray.__getitem__(value, EVERYTHING)))],
    id(memoryview): lambda snapshot, value, depth: [bytes_node(value.tobytes())],
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
