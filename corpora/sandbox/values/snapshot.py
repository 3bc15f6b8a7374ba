"""Describe values so that two runs can be compared as text: structure, exact types, order, aliasing.

Runs inside the worker, next to the foreign program. Values of built-in types are read through the built-in types'
own slots (`list.__iter__(v)`, the `__dict__` and slot descriptors of the type), so a lying `__eq__`, `__repr__`,
`__iter__`, `__class__` or `__dict__` of a program's class is never asked. The one exception is said: an iterator is
described by what it yields, and to yield is to run it (`iteration`). Functions and classes of the
program are described by name and by what they keep: defaults, attributes. Nothing here decides whether two
descriptions mean equal programs; that is plain text comparison, done elsewhere.

Grammar of a node (JSON): `[kind, …]`; a value with an identity (a mutable one, or an instance) carries a number in
order of first visit, and is `["ref", number]` when met again. What is too deep, too large or too long is
`["capped", why]`, and `Snapshot.capped` is then true: such descriptions prove a difference but never an equality.
Where an iterator was not read to its end, or its effects were not looked at any more, `Snapshot.unread` is true.
"""

from __future__ import annotations

import builtins
import collections
import functools
import io
import types
from collections.abc import Callable, Iterator
from typing import Any

from corpora.sandbox.values.iteration import steps
from corpora.sandbox.values.value_kinds import (
    EVERYTHING,
    ITERATORS,
    NAMED,
    PLAIN,
    PLAIN_PART,
    QUIET,
    TYPE_BASES,
    TYPE_MRO,
    Node,
    attributes_of,
    bytes_node,
    c_repr,
    class_state,
    function_state,
    is_class,
    is_the_programs,
    iterator_name,
    method_signatures,
    position,
    signature,
    type_name,
)

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_list_iter: Callable[[Any], Iterator[object]] = list.__iter__
MAX_DEPTH = 100
MAX_NODES = 100_000
MAX_KEY_NODES = 4 * MAX_NODES  # values described to put the members of sets in order
MAX_YIELDED = 500
CONTEXTS = 16  # depth to which exceptions are described that were being handled when others were raised
IN_SIGHT = 8  # items of an iterator that a reader is taken to hold, so that their later changes are seen
_CACHED: Any = type(functools.lru_cache(abs))
# Held here: a program may put something else where the modules have these.
_FUNCTION, _METHOD = types.FunctionType, types.MethodType
_deque, _OrderedDict, _defaultdict = collections.deque, collections.OrderedDict, collections.defaultdict
Look = Callable[[list[object]], Node]


class Snapshot:
    """One numbering of identities; describe all values of a run with the same Snapshot to see what they share.

    `drain=False` leaves iterators as they are (`["iterator", type, position]`), for looking at a state that is to be
    used again. `look` tells what can be seen between two items of an iterator that is read, given the latest items.

    >>> shared = []
    >>> Snapshot().node([shared, shared, True, 1.0])
    ['list', 0, [['list', 1, []], ['ref', 1], ['True'], ['float', '0x1.0000000000000p+0']]]
    """

    def __init__(self, *, drain: bool = True, look: Look | None = None) -> None:
        self.capped = self.unread = False
        self._drain = drain
        self._look = look
        self._numbers: dict[int, int] = {}
        self._keep: list[object] = []
        self._nodes = self._identities = self._deepest = 0
        # By id, shared with the snapshots that say where a member of a set belongs: frozensets without identities in
        # them (description, values in it, depth), keys of members until the program's code runs again, what they cost.
        self._frozen: dict[int, tuple[Node, int, int]] = {}
        self._keys: dict[object, str] = {}
        self._key_nodes = [0]

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
            return self._frozen_node(cls, value, depth)
        self._identities += 1
        numbers = self._numbers
        if id(value) in numbers:
            return ["ref", numbers[id(value)]]
        number = numbers[id(value)] = len(numbers)
        self._keep.append(value)  # an id may only be reused once its object is gone
        if cls is list:
            return ["list", number, self.items(_list_iter(value), depth + 1)]
        described = self._identified(cls, value, depth)
        described.insert(1, number)
        return described

    def _frozen_node(self, cls: type, value: object, depth: int) -> Node:
        """A tuple or frozenset. A frozenset of nothing but such and plain values is described once, wherever it is."""
        known = self._frozen.get(id(value))
        if known is not None and depth + known[2] <= MAX_DEPTH and self._nodes + known[1] <= MAX_NODES:
            self._nodes += known[1]
            self._deepest = max(self._deepest, depth + known[2])
            return known[0]
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
        named = NAMED.get(id(cls))
        if named is not None:
            return [*named(value), *(self._function(value, depth) if cls is _FUNCTION else ())]
        if id(cls) in ITERATORS:
            return ["iterator", iterator_name(cls), *(self._read(value, depth) if self._drain else position(value))]
        if cls is _METHOD:
            return ["method", self.node(value.__func__, depth + 1), self.node(value.__self__, depth + 1)]
        if is_class(cls):
            return ["class", type_name(value), *(self._class(value, depth) if is_the_programs(value) else ())]
        return self._instance(cls, value, depth)

    def _content(self, cls: type, value: Any, depth: int) -> Node:
        return [type_name(cls), *_CONTENTS[id(cls)](self, value, depth + 1)]

    def _function(self, function: types.FunctionType, depth: int) -> list[Node]:
        """How it is called, where it is the program's, and what it keeps."""
        known = signature(function)
        state = [[name, self.node(held, depth + 1)] for name, held in function_state(function)]
        return [known, *state] if known else state

    def _class(self, cls: type, depth: int) -> list[Node]:
        """What a class of the program holds besides code, such classes it stands on, how its methods are called."""
        state = [[name, self.node(held, depth + 1)] for name, held in class_state(cls)]
        bases = [self.node(base, depth + 1) for base in TYPE_BASES.__get__(cls) if is_the_programs(base)]
        methods = method_signatures(cls)
        return [state, bases, methods] if methods else [state, bases]

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
        if id(cls) not in self._numbers and is_the_programs(cls):
            described.append(["of", self.node(cls, depth + 1)])
        return described

    def items(self, iterator: Iterator[object], depth: int) -> list[Node]:
        """A node for each item in order, up to `MAX_NODES`."""
        nodes = []
        for item in iterator:
            plain = PLAIN.get(id(type(item)))
            if plain is None:
                nodes.append(self.node(item, depth))
            else:  # what `node` would do, without a call for each number of a list
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
        """Members of a set: sorted by their own descriptions, as a set's order is no part of its value."""
        self._nodes += size
        self._key_nodes[0] += size
        if self._nodes > MAX_NODES or self._key_nodes[0] > MAX_KEY_NODES:
            return [self._cap("number of values")]
        keyed = [(self._key(member, depth), member) for member in members]
        keyed.sort(key=lambda pair: pair[0])
        return [self.node(member, depth) for _, member in keyed]

    def _key(self, member: object, depth: int) -> str:
        """The text of a member's own description, as if there were nothing else."""
        plain = PLAIN.get(id(type(member)))
        if plain is not None:
            return str(plain(member))
        # A description that was capped is that of this depth only.
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
        """Items, and between them what could be seen at that moment where it is not what was seen before."""
        quiet = id(type(iterator)) in QUIET
        look = None if quiet else self._look
        nodes: list[Node] = look([]) if look else []
        latest: collections.deque[object] = _deque(maxlen=IN_SIGHT)
        for kind, item in steps(iterator, MAX_NODES if quiet else MAX_YIELDED):
            self._keys.clear()
            described = self.node(item, depth + 1)
            nodes.append(described if kind == "item" else [kind, described])
            if kind == "unread":
                self.unread = True
            elif look:
                if id(type(item)) not in PLAIN:
                    latest.append(item)
                nodes += look([*latest])
        return [nodes]


def _ordered_pairs(snapshot: Snapshot, value: Any, depth: int) -> Node:
    # `move_to_end` changes the order of an OrderedDict and not that of the dict inside it
    keys = _OrderedDict.__iter__(value)
    return [[[snapshot.node(key, depth), snapshot.node(dict.__getitem__(value, key), depth)] for key in keys]]


_EXCEPTION: dict[str, Any] = dict(vars(BaseException))


def _exception(snapshot: Snapshot, value: BaseException, depth: int) -> Node:
    arguments = _EXCEPTION["args"].__get__(value)
    cause = _EXCEPTION["__cause__"].__get__(value)
    described = [snapshot.items(tuple.__iter__(arguments), depth), snapshot.node(cause, depth)]
    if depth < CONTEXTS:
        context = _EXCEPTION["__context__"].__get__(value)
        described += [snapshot.node(context, depth + 1), _EXCEPTION["__suppress_context__"].__get__(value)]
    return described


def _written(kind: Any) -> Callable[[Snapshot, Any, int], Node]:
    def described(snapshot: Snapshot, value: Any, depth: int) -> Node:
        try:
            return [snapshot.node(kind.getvalue(value)), snapshot.node(kind.tell(value))]
        except ValueError:
            return [["closed"]]

    return described


def _viewed(value: memoryview) -> Node:
    try:
        return [bytes_node(memoryview.tobytes(value))]
    except ValueError:
        return [["released"]]


_DEQUE: dict[str, Any] = dict(vars(collections.deque))
_DEFAULTDICT: dict[str, Any] = dict(vars(collections.defaultdict))


def _cached(snapshot: Snapshot, value: Any, depth: int) -> Node:
    # what `functools.lru_cache` tells everybody: hits, misses, most, held
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
    id(memoryview): lambda snapshot, value, depth: _viewed(value),
    id(collections.deque): lambda snapshot, value, depth: [
        snapshot.items(_deque.__iter__(value), depth),
        snapshot.node(_DEQUE["maxlen"].__get__(value)),
    ],
    id(collections.OrderedDict): _ordered_pairs,
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
    id(BaseException): _exception,
    id(_CACHED): _cached,
    id(io.StringIO): _written(io.StringIO),
    id(io.BytesIO): _written(io.BytesIO),
}
