"""Snapshots: what must not look the same first, then what must."""

import collections
import dataclasses
import enum
import fractions
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.sandbox.values.snapshot import MAX_DEPTH, MAX_YIELDED, Snapshot
from corpora.sandbox.values.value_kinds import type_name, without_addresses


def text(value: object) -> str:
    return json.dumps(Snapshot().node(value))


class Liar:
    def __init__(self, x: object) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "the same"


class Text(str):
    __slots__ = ()


class Slots:
    __slots__ = ("a", "b")


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    x: object = 0


def shared(same: bool) -> list[list[int]]:
    inner: list[int] = []
    return [inner, inner if same else []]


def slotted(**values: int) -> Slots:
    made = Slots()
    for name, value in values.items():
        setattr(made, name, value)
    return made


DIFFERENT = [
    (1, True),
    (1, 1.0),
    (0.0, -0.0),
    ("1", 1),
    ("a", b"a"),
    (b"a", bytearray(b"a")),
    ([1], (1,)),
    ({1}, frozenset({1})),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (collections.OrderedDict(a=1), {"a": 1}),
    (collections.Counter("a"), {"a": 1}),
    (collections.defaultdict(int), collections.defaultdict(list)),
    (collections.deque([1]), collections.deque([1], 5)),
    (shared(True), shared(False)),
    (Liar(1), Liar(2)),
    (Text("a"), "a"),
    (Point(1), Point(True)),
    (slotted(a=1), slotted(b=1)),
    (Colour.RED, 1),
    (range(3), [0, 1, 2]),
    (range(3), range(4)),
    (iter([1, 2]), [1, 2]),
    (iter([1, 2]), iter([1, 3])),
    ((x for x in [1]), iter([1])),
    ({"a": 1}.keys(), ["a"]),
    ({"a": 1}.keys(), {"a": 1}.items()),
    (ValueError(1), ValueError(2)),
    (ValueError(1), TypeError(1)),
    (float("nan"), float("inf")),
    (2**70, 2**71),
    ("a" * 5000, "a" * 4999 + "b"),
    (fractions.Fraction(1, 3), fractions.Fraction(2, 3)),
    (slice(1), slice(1, 1)),
    (Point, Liar),
    (text, without_addresses),
    (None, ...),
    (1j, 1),
]

SAME: list[tuple[Callable[[], object], str]] = [
    (lambda: float("nan"), "NaN"),
    (lambda: {"b", "a", "c"}, "a set, whatever its order"),
    (lambda: shared(True), "shared parts"),
    (lambda: Liar([1, {2: (3,)}]), "an instance"),
    (lambda: "x" * 100_000, "a long text"),
    (lambda: 10**5000, "an integer of thousands of digits"),
    (lambda: map(str, [1, 2]), "an iterator"),
    (lambda: {Liar(1), Liar(2)}, "a set of instances that claim to be equal"),
]


@pytest.mark.parametrize(("left", "right"), DIFFERENT, ids=lambda value: type_name(type(value)))
def test_values_that_differ_do_not_look_the_same(left: object, right: object) -> None:
    assert text(left) != text(right)


@pytest.mark.parametrize("make", [make for make, _ in SAME], ids=[name for _, name in SAME])
def test_values_made_twice_look_the_same(make: Callable[[], object]) -> None:
    assert text(make()) == text(make())
    assert not Snapshot().capped


def test_an_ordered_dicts_order_is_its_own() -> None:
    moved = collections.OrderedDict(a=1, b=2)
    moved.move_to_end("a")
    assert text(moved) != text(collections.OrderedDict(a=1, b=2))
    assert text(moved) == text(collections.OrderedDict(b=2, a=1))


def test_a_cycle_is_a_reference() -> None:
    cycle: list[object] = []
    cycle.append({"self": cycle})
    assert Snapshot().node(cycle) == ["list", 0, [["dict", 1, [[["str", "self"], ["ref", 0]]]]]]


def test_two_values_of_one_snapshot_show_what_they_share() -> None:
    snapshot, held = Snapshot(), [1]
    snapshot.node(held)
    assert snapshot.node((held,)) == ["tuple", [["ref", 0]]]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(lambda: [0] * 200_000, id="a very long list"),
        pytest.param(lambda: dict.fromkeys(range(200_000)), id="a very large dict"),
        pytest.param(lambda: set(range(200_000)), id="a very large set"),
    ],
)
def test_what_is_too_much_is_capped_and_said_so(value: Callable[[], object]) -> None:
    snapshot = Snapshot()
    assert "capped" in json.dumps(snapshot.node(value()))
    assert snapshot.capped


def test_what_is_too_deep_is_capped_and_said_so() -> None:
    deep: list[Any] = []
    for _ in range(MAX_DEPTH + 5):
        deep = [deep]
    snapshot = Snapshot()
    snapshot.node(deep)
    assert snapshot.capped


def test_an_iterator_is_only_looked_at_when_it_is_to_be_used_again() -> None:
    iterator = iter([1, 2])
    assert Snapshot(drain=False).node(iterator) == ["iterator", 0, "list_iterator", 2]
    assert list(iterator) == [1, 2]


def test_an_endless_iterator_is_read_a_part_of_the_way_and_that_is_said() -> None:
    snapshot = Snapshot()
    node = snapshot.node(iter(int, 1))
    assert node[3][-1] == ["unread", ["int", str(MAX_YIELDED)]]
    assert snapshot.unread and not snapshot.capped
    assert Snapshot().node(itertools.count(3)) == ["object", 0, "itertools.count", [], ["repr", "count(3)"]]


def test_an_iterator_that_raises_says_so() -> None:
    def broken() -> Any:
        yield 1
        raise KeyError("x")

    node = Snapshot().node(broken())
    assert node[3][0] == ["int", "1"]
    assert node[3][1][0] == "raised"


class Hostile:
    """Every way in which describing an instance could run its class's code."""

    def refuse(self, *_: object) -> Any:
        raise SystemExit

    __eq__ = __hash__ = __iter__ = __len__ = __bool__ = __getattr__ = __getattribute__ = refuse
    __repr__ = __str__ = __reduce__ = __reduce_ex__ = __dir__ = __sizeof__ = __format__ = refuse
    __class__ = property(refuse)


class HostileDict(dict):  # type: ignore[type-arg]
    def refuse(self, *_: object) -> Any:
        raise SystemExit

    __iter__ = __len__ = __getitem__ = keys = values = items = get = __bool__ = refuse


class HostileType(type):
    def refuse(cls, *_: object) -> Any:
        raise SystemExit

    __hash__ = __eq__ = __getattribute__ = __instancecheck__ = mro_entries = refuse


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(Hostile, id="an instance"),
        pytest.param(lambda: HostileDict(a=1), id="a dict subclass"),
        pytest.param(lambda: HostileType("A", (), {}), id="a class"),
        pytest.param(lambda: type.__call__(HostileType("A", (), {})), id="an instance of a class with a metaclass"),
    ],
)
def test_describing_runs_no_foreign_code(make: Callable[[], object]) -> None:
    assert Snapshot().node(make())[0] in ("object", "class")


def test_addresses_go_and_nothing_else() -> None:
    assert without_addresses("<A at 0x7f12> at 0x, <b at 0xAf>") == "<A> at 0x, <b>"
    assert without_addresses("<md5 object @ 0x7f12>, a 0x7f @ 0xg 0x") == "<md5 object>, a 0x7f @ 0xg 0x"


LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@pytest.mark.medium
@given(LITERALS, LITERALS)
def test_literals_look_the_same_exactly_when_their_reprs_do(left: object, right: object) -> None:
    assert (text(left) == text(right)) == (repr(left) == repr(right))


def program(source: str) -> dict[str, Any]:
    """What a program's module holds; its classes and functions are the program's own."""
    space: dict[str, Any] = {"__name__": "program"}
    exec(source, space)
    return space


KEPT = {
    "a class attribute": ("class C: x = 1", "C", "C.x = 2"),
    "an attribute that a class body left": ("class C: x = 1", "C", "C._t0 = 1"),
    "a class attribute of a base class": ("class B: x = []\nclass C(B): pass", "C", "B.x.append(1)"),
    "a class attribute seen from an instance": ("class C: x = 1\nc = C()", "c", "C.x = 2"),
    "a class inside a class": ("class C:\n    class D: x = 1", "C", "C.D.x = 2"),
    "a class with a metaclass": ("class M(type): pass\nclass C(metaclass=M): x = 1", "C", "C.x = 2"),
    "a mutable default": ("def f(x=[]): x.append(1)", "f", "f()"),
    "a keyword's mutable default": ("def f(*, x=[]): x.append(1)", "f", "f()"),
    "a default that was exchanged": ("def f(x=1): pass", "f", "f.__defaults__ = (2,)"),
    "an attribute of a function": ("def f(): pass", "f", "f.x = 1"),
    "a method's mutable default": ("class C:\n    def f(self, x=[]): x.append(1)", "C", "C().f()"),
    "a static method's mutable default": ("class C:\n    @staticmethod\n    def f(x=[]): x.append(1)", "C", "C.f()"),
    "a descriptor with a state of its own": (
        "class D:\n    def __init__(self): self.n = 0\n    def __get__(self, *_): self.n += 1\nclass C: d = D()",
        *("C", "C.d"),
    ),
    "a cache": ("import functools\n@functools.lru_cache\ndef f(): pass", "f", "f()"),
    "a text buffer": ("import io\nb = io.StringIO()", "b", "b.write('x')"),
    "a buffer's place": ("import io\nb = io.BytesIO(b'xy')", "b", "b.read(1)"),
}


@pytest.mark.parametrize("case", KEPT.values(), ids=KEPT)
def test_what_classes_functions_and_buffers_keep_is_seen(case: tuple[str, str, str]) -> None:
    source, name, change = case
    space = program(source)
    before = text(space[name])
    assert text(space[name]) == before == text(program(source)[name])
    exec(change, space)
    assert text(space[name]) != before


def test_a_class_is_described_once_and_code_in_it_by_its_kind() -> None:
    space = program("class C:\n    x = 1\n    def f(self): pass\n    @property\n    def g(self): pass\na, b = C(), C()")
    snapshot = Snapshot()
    members = [["f", ["function"]], ["g", ["property"]]]
    described = ["class", 1, "program.C", [["x", ["int", "1"]]], [], members]
    assert snapshot.node(space["a"]) == ["object", 0, "program.C", [], ["of", described]]
    assert snapshot.node(space["b"]) == ["object", 2, "program.C", []]


def test_what_python_writes_into_every_class_is_not_described() -> None:
    assert Snapshot().node(program("class C:\n    x: int")["C"])[3:] == [[], []]
    assert Snapshot().node(program("class C:\n    __hash__ = None")["C"])[5:] == [[["__hash__", ["NoneType"]]]]


def test_a_class_that_holds_itself_is_a_reference() -> None:
    space = program("class C: pass\nC.me = C\nC.one = C()\n")
    assert Snapshot().node(space["C"])[3] == [["me", ["ref", 0]], ["one", ["object", 1, "program.C", []]]]


def test_a_class_of_another_module_is_its_name() -> None:
    assert Snapshot().node(fractions.Fraction)[2:] == ["fractions.Fraction"]


def von_neumann(count: int, first: object = frozenset()) -> list[object]:
    """Each is the set of all before it; written out, each is twice as long as the one before."""
    ordinals = [first]
    for _ in range(count):
        ordinals.append(frozenset(ordinals))
    return ordinals


def nested(depth: int, wrap: Callable[[object], object], value: object = 0) -> object:
    for _ in range(depth):
        value = wrap(value)
    return value


class Member:
    pass


class Frozen(frozenset[object]):
    pass


@pytest.mark.parametrize(
    ("value", "values"),
    [
        pytest.param(von_neumann(12), 20_000, id="twelve ordinals"),
        pytest.param(von_neumann(12, Member()), 40_000, id="twelve ordinals over an instance"),
        pytest.param(nested(90, lambda held: frozenset([held])), 400, id="sets of one"),
        pytest.param(nested(90, lambda held: frozenset([held]), Member()), 9_000, id="sets of one, an instance inside"),
        pytest.param(nested(45, lambda held: frozenset([(held, 1)])), 400, id="sets of tuples"),
        pytest.param(nested(30, lambda held: frozenset([*{held: 1}])), 400, id="sets of keys"),
        pytest.param(nested(30, lambda held: Frozen([held])), 2_000, id="sets of a class of its own"),
        pytest.param(nested(16, lambda held: frozenset([(held, 1), (held, 2)])), 300_000, id="two tuples in each"),
        pytest.param(nested(200, lambda held: frozenset([(held, 1), (held, 2)])), 1_000_000, id="more than is kept"),
        pytest.param(nested(900, lambda held: frozenset([held])), 40_000, id="deeper than is kept"),
    ],
)
def test_sets_in_sets_take_work_in_proportion(value: object, values: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, node = [0], Snapshot.node

    def counted(self: Snapshot, value: object, depth: int = 0) -> Any:
        calls[0] += 1
        return node(self, value, depth)

    monkeypatch.setattr(Snapshot, "node", counted)
    Snapshot().node(value)
    assert calls[0] < values


FROZEN = st.recursive(
    st.integers(0, 3) | st.sampled_from(["a", None, True]),
    lambda inner: st.frozensets(inner, max_size=3) | st.tuples(inner, inner),
    max_leaves=12,
)


@given(FROZEN, FROZEN)
def test_what_was_described_before_is_described_the_same(value: object, other: object) -> None:
    alone = Snapshot().node(value)
    assert Snapshot().node([other, value, {value: other}, value])[2][1] == alone


def test_what_lies_too_deep_in_a_set_is_capped_there_and_not_where_it_lies_higher() -> None:
    deep = nested(60, lambda held: frozenset([held]))
    snapshot = Snapshot()
    described = snapshot.node([deep, nested(60, lambda held: (held,), deep)])
    assert snapshot.capped
    assert "capped" in str(described[2][1])
    assert "capped" not in str(described[2][0])
