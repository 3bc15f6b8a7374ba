"""Describes values so that two runs can be compared as strings: structure, exact types, order and aliasing.

Runs inside the worker, next to the untrusted program. Values of built-in types are read through the slots of the
built-in type (`list.__iter__(v)`, the `__dict__` and slot descriptors of the type). A misleading `__eq__`, `__repr__`,
`__iter__`, `__class__` or `__dict__` of a program's class is never called. The one exception are iterators: they are
described by the items they yield, and reading an item runs the iterator (`iteration`). Functions and classes of the
program are described by name and by their state: defaults, attributes. This module does not decide whether two
descriptions are equivalent; the caller compares them as strings.

A description is a node, as JSON: `[kind, …]`. A value with identity (a mutable value or an instance) carries a number
in order of first visit; later visits give `["ref", number]`. A value beyond the limits on depth, size or length is
`["capped", why]` and sets `Snapshot.capped`: such descriptions can prove a difference but not equality.
`Snapshot.unread` is set if an iterator was not read to its end, or if its effects were no longer observed.
"""

from __future__ import annotations

import builtins
import collections
import functools
import io
import types
from collections.abc import Callable, Iterator
from typing import Any

from corpora.sandbox.values.iteration import iterator_steps
from corpora.sandbox.values.value_kinds import (
    BUILT_IN_ITERATORS,
    EVERYTHING,
    ITERATOR_TYPES,
    NAMED_TYPES,
    PLAIN_TYPES,
    PLAIN_VALUE,
    TYPE_BASES,
    TYPE_MRO,
    Node,
    attributes_of,
    built_in_repr,
    bytes_node,
    class_members,
    class_state,
    function_signature,
    function_state,
    is_class,
    is_program_class,
    iterator_name,
    iterator_position,
    type_name,
)

globals()["__builtins__"] = dict(vars(builtins))  # own built-ins for this module: a program may replace the shared ones
_list_iter: Callable[[Any], Iterator[object]] = list.__iter__
MAX_DEPTH = 100
MAX_NODES = 100_000
MAX_KEY_NODES = 4 * MAX_NODES  # values described to sort the members of sets
MAX_YIELDED = 500
MAX_CONTEXT_DEPTH = 16  # depth up to which the context of an exception is described
MAX_WATCHED_ITEMS = 8  # latest items that a reader is assumed to hold, so that later changes to them are seen
_CACHED: Any = type(functools.lru_cache(abs))
# Bound here, because a program may replace them in their modules.
_FUNCTION, _METHOD = types.FunctionType, types.MethodType
_deque, _OrderedDict, _defaultdict = collections.deque, collections.OrderedDict, collections.defaultdict
ObserveIteration = Callable[[list[object]], Node]


class Snapshot:
    """One numbering of identities. Describe all values of a run with the same Snapshot to see what they share.

    Args:
        drain: Whether to read iterators. If False, they are left as they are (`["iterator", type, position]`), to
            describe a state that will be used again.
        look: Returns what can be observed between two items of an iterator, given the latest items.

    Example:
        >>> shared = []
        >>> Snapshot().node([shared, shared, True, 1.0])
        ['list', 0, [['list', 1, []], ['ref', 1], ['True'], ['float', '0x1.0000000000000p+0']]]
    """

    def __init__(self, *, drain: bool = True, look: ObserveIteration | None = None) -> None:
        self.capped = self.unread = False
        self._drain = drain
        self._look = look
        self._numbers: dict[int, int] = {}
        self._keep: list[object] = []
        self._nodes = self._identities = self._deepest = 0
        # Caches by id, shared with the snapshots that sort the members of sets: frozensets without identities (node,
        # number of values, depth), and keys of members, valid until code of the program runs again, with their cost.
        self._frozen: dict[int, tuple[Node, int, int]] = {}
        self._keys: dict[object, str] = {}
        self._key_nodes = [0]

    def node(self, value: object, depth: int = 0) -> Node:
        """The description of one value."""
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            return self._cap("depth" if depth > MAX_DEPTH else "number of values")
        cls = type(value)
        plain = PLAIN_TYPES.get(id(cls))
        if plain is not None:
            return plain(value)
        if cls is tuple or cls is frozenset:
            return self._frozen_node(cls, value, depth)
        self._identities += 1
        numbers = self._numbers
        if id(value) in numbers:
            return ["ref", numbers[id(value)]]
        number = numbers[id(value)] = len(numbers)
        self._keep.append(value)  # keeps the object alive, so that its id is not reused
        if cls is list:
            return ["list", number, self.items(_list_iter(value), depth + 1)]
        described = self._identified(cls, value, depth)
        described.insert(1, number)
        return described

    def _frozen_node(self, cls: type, value: object, depth: int) -> Node:
        """A tuple or frozenset.

        A frozenset of only such values and plain ones is described once, wherever it occurs.
        """
        cached = self._frozen.get(id(value))
        if cached is not None and depth + cached[2] <= MAX_DEPTH and self._nodes + cached[1] <= MAX_NODES:
            self._nodes += cached[1]
            self._deepest = max(self._deepest, depth + cached[2])
            return cached[0]
        nodes, identities, deepest, capped = self._nodes, self._identities, self._deepest, self.capped
        self._deepest = depth + 1
        node = self._content(cls, value, depth)
        if cls is frozenset and self._identities == identities and not capped and not self.capped:
            self._keep.append(value)
            self._frozen[id(value)] = node, self._nodes - nodes, self._deepest - depth
        self._deepest = max(deepest, self._deepest)
        return node

    def _cap(self, why: str) -> Node:
        self.capped = True
        return ["capped", why]

    def _identified(self, cls: type, value: Any, depth: int) -> Node:
        if id(cls) in _CONTENTS:
            return self._content(cls, value, depth)
        named = NAMED_TYPES.get(id(cls))
        if named is not None:
            return [*named(value), *(self._function(value, depth) if cls is _FUNCTION else ())]
        if id(cls) in ITERATOR_TYPES:
            return [
                "iterator",
                iterator_name(cls),
                *(self._read(value, depth) if self._drain else iterator_position(value)),
            ]
        if cls is _METHOD:
            return ["method", self.node(value.__func__, depth + 1), self.node(value.__self__, depth + 1)]
        if is_class(cls):
            return ["class", type_name(value), *(self._class(value, depth) if is_program_class(value) else ())]
        return self._instance(cls, value, depth)

    def _content(self, cls: type, value: Any, depth: int) -> Node:
        return [type_name(cls), *_CONTENTS[id(cls)](self, value, depth + 1)]

    def _function(self, function: types.FunctionType, depth: int) -> list[Node]:
        """The signature of a function of the program, and the state of any function."""
        known = function_signature(function)
        state = [[name, self.node(value, depth + 1)] for name, value in function_state(function)]
        return [known, *state] if known else state

    def _class(self, cls: type, depth: int) -> list[Node]:
        """The state of a class of the program, its bases in the program, and what it defines besides data."""
        state = [[name, self.node(value, depth + 1)] for name, value in class_state(cls)]
        bases = [self.node(base, depth + 1) for base in TYPE_BASES.__get__(cls) if is_program_class(base)]
        members = class_members(cls)
        return [state, bases, members] if members else [state, bases]

    def _instance(self, cls: type, value: object, depth: int) -> Node:
        """The class name, the content of a built-in base, and `__dict__` and slots in order."""
        described: Node = ["object", type_name(cls)]
        mro = TYPE_MRO.__get__(cls)
        base = next((known for known in mro if id(known) in _CONTENTS), None)
        plain = next((known for known in mro if id(known) in PLAIN_TYPES), None)
        if base is not None:
            described.append(self._content(base, value, depth))
        elif plain is not None:
            described.append(PLAIN_TYPES[id(plain)](PLAIN_VALUE[id(plain)](value)))
        attributes = [[name, self.node(item, depth + 1)] for name, item in attributes_of(mro, value)]
        described.append(attributes)
        if not attributes and base is None and plain is None:
            described += built_in_repr(mro, value)
        if id(cls) not in self._numbers and is_program_class(cls):
            described.append(["of", self.node(cls, depth + 1)])
        return described

    def items(self, iterator: Iterator[object], depth: int) -> list[Node]:
        """One node per item in order, up to `MAX_NODES`."""
        nodes = []
        for item in iterator:
            plain = PLAIN_TYPES.get(id(type(item)))
            if plain is None:
                nodes.append(self.node(item, depth))
            else:  # as `node` does, without a call per number of a list
                self._nodes += 1
                nodes.append(plain(item))
            if self._nodes > MAX_NODES:
                nodes.append(self._cap("number of values"))
                break
        return nodes

    def pairs(self, mapping: Any, depth: int) -> list[Node]:
        """The keys and values of a dict in order, up to `MAX_NODES`."""
        nodes = []
        node = self.node
        for key, item in dict.items(mapping):
            nodes.append([node(key, depth), node(item, depth)])
            if self._nodes > MAX_NODES:
                nodes.append(self._cap("number of values"))
                break
        return nodes

    def unordered(self, members: Iterator[object], size: int, depth: int) -> list[Node]:
        """The members of a set, sorted by their own descriptions: the order of a set is not part of its value."""
        self._nodes += size
        self._key_nodes[0] += size
        if self._nodes > MAX_NODES or self._key_nodes[0] > MAX_KEY_NODES:
            return [self._cap("number of values")]
        keyed = [(self._key(member, depth), member) for member in members]
        keyed.sort(key=lambda pair: pair[0])
        return [self.node(member, depth) for _, member in keyed]

    def _key(self, member: object, depth: int) -> str:
        """The description of a member on its own, as a string."""
        plain = PLAIN_TYPES.get(id(type(member)))
        if plain is not None:
            return str(plain(member))
        # A capped description is valid for this depth only.
        key = self._keys.get(id(member)) or self._keys.get((id(member), depth))
        if key is None:
            alone = Snapshot(drain=False)
            alone._frozen, alone._keys, alone._keep = self._frozen, self._keys, self._keep
            alone._key_nodes = self._key_nodes
            key = str(alone.node(member, depth))
            self._key_nodes[0] += alone._nodes
            self._keep.append(member)
            self._keys[(id(member), depth) if alone.capped else id(member)] = key
        return key

    def _read(self, iterator: Any, depth: int) -> Node:
        """The items of an iterator, and between them whatever can be observed to have changed."""
        quiet = id(type(iterator)) in BUILT_IN_ITERATORS
        look = None if quiet else self._look
        nodes: list[Node] = look([]) if look else []
        latest: collections.deque[object] = _deque(maxlen=MAX_WATCHED_ITEMS)
        for kind, item in iterator_steps(iterator, MAX_NODES if quiet else MAX_YIELDED):
            self._keys.clear()
            described = self.node(item, depth + 1)
            nodes.append(described if kind == "item" else [kind, described])
            if kind == "unread":
                self.unread = True
            elif look:
                if id(type(item)) not in PLAIN_TYPES:
                    latest.append(item)
                nodes += look([*latest])
        return [nodes]


def _ordered_dict_content(snapshot: Snapshot, value: Any, depth: int) -> Node:
    # `move_to_end` changes the order of an OrderedDict but not that of its underlying dict
    keys = _OrderedDict.__iter__(value)
    return [[[snapshot.node(key, depth), snapshot.node(dict.__getitem__(value, key), depth)] for key in keys]]


_EXCEPTION: dict[str, Any] = dict(vars(BaseException))


def _exception_content(snapshot: Snapshot, value: BaseException, depth: int) -> Node:
    arguments = _EXCEPTION["args"].__get__(value)
    cause = _EXCEPTION["__cause__"].__get__(value)
    described = [snapshot.items(tuple.__iter__(arguments), depth), snapshot.node(cause, depth)]
    if depth < MAX_CONTEXT_DEPTH:
        context = _EXCEPTION["__context__"].__get__(value)
        described += [snapshot.node(context, depth + 1), _EXCEPTION["__suppress_context__"].__get__(value)]
    return described


def _stream_content(kind: Any) -> Callable[[Snapshot, Any, int], Node]:
    def described(snapshot: Snapshot, value: Any, depth: int) -> Node:
        try:
            return [snapshot.node(kind.getvalue(value)), snapshot.node(kind.tell(value))]
        except ValueError:
            return [["closed"]]

    return described


def _memoryview_content(value: memoryview) -> Node:
    try:
        return [bytes_node(memoryview.tobytes(value))]
    except ValueError:
        return [["released"]]


_DEQUE: dict[str, Any] = dict(vars(collections.deque))
_DEFAULTDICT: dict[str, Any] = dict(vars(collections.defaultdict))


def _cache_content(snapshot: Snapshot, value: Any, depth: int) -> Node:
    # `cache_info()` of `functools.lru_cache`: hits, misses, maximum size, current size
    return [
        snapshot.items(tuple.__iter__(_CACHED.cache_info(value)), depth),
        snapshot.node(dict.get(_CACHED.__dict__["__dict__"].__get__(value), "__wrapped__"), depth),
    ]


_CONTENTS: dict[int, Callable[[Snapshot, Any, int], Node]] = {
    id(list): lambda snapshot, value, depth: [snapshot.items(list.__iter__(value), depth)],
    id(tuple): lambda snapshot, value, depth: [snapshot.items(tuple.__iter__(value), depth)],
    id(dict): lambda snapshot, value, depth: [snapshot.pairs(value, depth)],
    id(set): lambda snapshot, value, depth: [snapshot.unordered(set.__iter__(value), set.__len__(value), depth)],
    id(frozenset): lambda snapshot, value, depth: [
        snapshot.unordered(frozenset.__iter__(value), frozenset.__len__(value), depth)
    ],
    id(bytearray): lambda snapshot, value, depth: [bytes_node(bytes(bytearray.__getitem__(value, EVERYTHING)))],
    id(memoryview): lambda snapshot, value, depth: _memoryview_content(value),
    id(collections.deque): lambda snapshot, value, depth: [
        snapshot.items(_deque.__iter__(value), depth),
        snapshot.node(_DEQUE["maxlen"].__get__(value)),
    ],
    id(collections.OrderedDict): _ordered_dict_content,
    id(_defaultdict): lambda snapshot, value, depth: [
        snapshot.pairs(value, depth),
        snapshot.node(_DEFAULTDICT["default_factory"].__get__(value), depth),
    ],
    id(slice): lambda snapshot, value, depth: [
        [snapshot.node(part, depth) for part in (value.start, value.stop, value.step)]
    ],
    id(type({}.keys())): lambda snapshot, value, depth: [snapshot.items(iter(value), depth)],
    id(type({}.values())): lambda snapshot, value, depth: [snapshot.items(iter(value), depth)],
    id(type({}.items())): lambda snapshot, value, depth: [snapshot.items(iter(value), depth)],
    id(BaseException): _exception_content,
    id(_CACHED): _cache_content,
    id(io.StringIO): _stream_content(io.StringIO),
    id(io.BytesIO): _stream_content(io.BytesIO),
}
