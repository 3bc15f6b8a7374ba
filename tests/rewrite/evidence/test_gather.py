"""What calls show of expressions: types, lengths, plain look-ups; nothing of what does not end or is not steady."""

import pytest

from analyze.instrumentation.guard import UNOBSERVED_CODE
from rewrite.evidence.assumptions import PLAIN_LOOKUP, at_least, exactly, has_length, has_min_length
from rewrite.evidence.gather import Evidence, gather_evidence, observe_calls


def seen(found: Evidence, source: str, text: str, line: int) -> object:
    """What was seen of the expression that is written so on a line."""
    start = source.split("\n")[line - 1].index(text)
    return found.seen.get((line, start, line, start + len(text)))


SOURCE = """\
import math
class A:
    made = 0
    def __init__(self): self.own = len
    def method(self): return 'x'
    @property
    def held(self): return len
    def __getattr__(self, name): return len
def f(text, a):
    b = A()
    b.method(); b.held(a); b.own(a); b.other(a); math.sqrt(4); str.upper('a'); A.method(b)
    return text.find(a[0]) + 1
"""


@pytest.fixture(scope="module")
def found() -> Evidence:
    return gather_evidence(SOURCE, ["f('abc', 'c')", "f('', 'xy')"])


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("text", 12, exactly("str")),
        ("a[0]", 12, has_length(1)),
        ("a", 12, has_min_length(1)),
        ("text.find(a[0])", 12, exactly("int")),
        ("text.find", 12, PLAIN_LOOKUP),
        ("b.method", 11, PLAIN_LOOKUP),
        ("math.sqrt", 11, PLAIN_LOOKUP),
        ("str.upper", 11, PLAIN_LOOKUP),
        ("A.method", 11, PLAIN_LOOKUP),
    ],
)
def test_a_fact_that_every_call_shows(found: Evidence, text: str, line: int, what: str) -> None:
    place = seen(found, SOURCE, text, line)
    assert place is not None
    assert place.supports(what)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("text", 12, has_min_length(1)),  # one call has an empty text
        ("a", 12, has_length(1)),
        ("text.find(a[0])", 12, at_least(0)),
        ("b.held", 11, PLAIN_LOOKUP),  # a property
        ("b.own", 11, PLAIN_LOOKUP),  # a value of the instance
        ("b.other", 11, PLAIN_LOOKUP),  # __getattr__
    ],
)
def test_a_fact_that_some_call_breaks(found: Evidence, text: str, line: int, what: str) -> None:
    place = seen(found, SOURCE, text, line)
    assert place is not None
    assert not place.supports(what)  # type: ignore[attr-defined]


def test_a_call_that_raises_is_evidence_and_what_no_call_reached_is_none() -> None:
    source = "def f(x):\n    y = x.strip()\n    1 / 0\n    return y.upper()\n"
    found = gather_evidence(source, ["f('a')"])
    assert found.calls == ("f('a')",)
    assert found.seen[2, 8, 2, 9].types == {"str"}
    assert (4, 11, 4, 12) not in found.seen


@pytest.mark.medium
def test_a_call_that_does_not_end_or_is_not_steady_is_none_and_named() -> None:
    source = "import random\ndef f(x):\n    while x < 0: pass\n    return x + random.random() * x\n"
    found = gather_evidence(source, ["f(0)", "f(-1)", "f(1)"], seconds=0.3)
    assert found.calls == ("f(0)",)
    assert dict(found.unobserved) == {
        "f(-1)": "it did not end within 0.3 seconds",
        "f(1)": "nondeterministic: depends on random",
    }


def test_types_that_pretend_to_be_others_are_not_taken_for_them() -> None:
    source = "class str(str): __module__ = 'builtins'\ndef f(x): return str(x).strip()\n"
    assert gather_evidence(source, ["f('a')"]).seen[2, 17, 2, 23].types == {""}


FORGERY = """\
class M(type):
    __hash__ = lambda c: hash(str)
    __eq__ = lambda c, o: True
    __instancecheck__ = __subclasscheck__ = lambda c, o: True
class S(metaclass=M):
    __class__ = str
    __len__ = lambda self: 1
    def __repr__(self): return "'s'"
    def strip(self): return self
    def __get__(self, owner, kind): return len
class F:
    __class__ = type(lambda: 0)
    def __get__(self, owner, kind): return len
class D(dict):
    def __contains__(self, name): return False
class P:
    forged = F()
    def own(self): return 1
def f(x):
    p = P()
    p.__dict__ = D(own=len)
    s = S()
    return s.strip(), [s], (s, 'a'), {s: 1}, p.own([]), p.forged([])
"""


@pytest.mark.parametrize(
    "setting", ["", "import builtins\nbuiltins.type = builtins.len = builtins.set = lambda *x: str\n"]
)
def test_evidence_cannot_be_forged(setting: str) -> None:
    source = FORGERY + setting
    found = gather_evidence(source, ["f(1)"])
    last = FORGERY.count("\n")
    assert found.calls == ("f(1)",)
    for text, types in (("s", {""}), ("[s]", {"list"}), ("(s, 'a')", {"tuple"}), ("{s: 1}", {"dict"})):
        place = seen(found, source, text, last)
        assert place is not None
        assert (place.types, place.holds) == (types, frozenset())  # type: ignore[attr-defined]
    for text in ("p.own", "p.forged"):
        assert seen(found, source, text, last).plain is False  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("sys._getframe().f_back", "sys._getframe"),
        ("inspect.stack()[1]", "sys._getframe"),
        ("list(map(sys._getframe, [1]))", "sys._getframe"),
        ("gc.get_objects()", "gc.get_objects"),
        ("gc.get_referents(f.__code__.co_consts)", "gc.get_referents"),
        ("sys.settrace(print)", "sys.settrace"),
        ("sys.setprofile(lambda *a: None)", "sys.setprofile"),
        ("raised().__traceback__.tb_frame", "tb_frame"),
    ],
)
def test_a_call_that_looks_for_the_observer_is_none(body: str, what: str) -> None:
    source = (
        "import gc, inspect, sys\ndef raised():\n    try: 1 / 0\n    except ZeroDivisionError as e: return e\n"
        f"def f(x):\n    if x: {body}\n    return x\n"
    )
    found = gather_evidence(source, ["f(0)", "f(1)", "f('')"])
    assert (found.calls, dict(found.unobserved)) == (
        ("f(0)", "f('')"),
        {"f(1)": f"it inspects the interpreter ({what})"},
    )


def test_a_library_may_look_at_frames() -> None:
    source = (
        "def f(x):\n    import collections, enum, logging, traceback\n    P = collections.namedtuple('P', 'a')\n"
        "    logging.getLogger().debug('x')\n    E = enum.Enum('E', 'A')\n"
        "    try: 1 / 0\n    except ZeroDivisionError: t = traceback.format_exc()\n    return P(x).a\n"
    )
    assert gather_evidence(source, ["f(1)"]).calls == ("f(1)",)


REACHING = {
    "for k in object.__subclasses__(): k.__name__": "inspects the interpreter (__subclasses__)",
    "for k in [getattr(object, '__sub' + 'classes__')]: k()": "inspects the interpreter (__subclasses__)",
    "[k for k in map(str, operator.methodcaller('__sub' + 'classes__')(object))]": "",
    "[k for k in operator.methodcaller('__sub' + 'classes__')(object)]": "inspects the interpreter (the recorder)",
    "for frame, _ in traceback.walk_stack(None): frame.f_back": "inspects the interpreter (a frame)",
    "logging.currentframe()": "inspects the interpreter (a frame)",
    "bdb.Bdb().runcall(lambda: 1)": "",
    "threads(lambda frame, *_: frame.f_back)": "inspects the interpreter (a frame)",
    "[held for held in f.__code__.co_consts if callable(held)]": "inspects the interpreter (a probe)",
    "f.__code__ = f.__code__.replace(co_consts=f.__code__.co_consts)": "inspects the interpreter (code.__new__)",
    "f.__code__ = f.__code__": "inspects the interpreter (object.__setattr__)",
    "type(f)(compile('1', '', 'eval'), {})": "inspects the interpreter (function.__new__)",
    "exec('import sys; sys._getframe()')": UNOBSERVED_CODE,
    "exec(compile('object.__subclasses__()', collections.__file__, 'exec'))": UNOBSERVED_CODE,
    "timeit.timeit('object.__subclasses__()', number=1)": UNOBSERVED_CODE,
    "eval('1 + 2')": "",
    "collections.namedtuple('P', 'a b')(1, 2).a": "",
    "dataclasses.make_dataclass('P', ['a'])(1).a": "",
    "dataclasses.dataclass(type('P', (), {'__annotations__': {'a': int}, 'a': dataclasses.field()}))(1).a": "",
    "functools.lru_cache(abs)(1)": "",
}


@pytest.mark.parametrize("body", REACHING)
def test_a_call_that_reaches_for_the_recorder_is_no_evidence(body: str) -> None:
    source = (
        "import bdb, collections, dataclasses, functools, logging, operator, threading, timeit, traceback\n"
        "def threads(trace):\n    threading.settrace(trace)\n    t = threading.Thread(target=lambda: 0)\n"
        f"    t.start()\n    t.join()\ndef f(x):\n    {body}\n    return x\n"
    )
    why = REACHING[body]
    [found] = observe_calls(source, ["f(1)"])
    assert found.status == ("ok" if not why else why if why == UNOBSERVED_CODE else f"it {why}")


def test_code_that_a_program_loads_itself_is_not_observed() -> None:
    source = (
        "import importlib.abc, importlib.util\nclass Own(importlib.abc.SourceLoader):\n"
        "    def get_filename(self, name): return '/own.py'\n"
        "    def get_data(self, path): return b'object.__subclasses__()'\n"
        "def f(x):\n    spec = importlib.util.spec_from_loader('own', Own())\n"
        "    spec.loader.exec_module(importlib.util.module_from_spec(spec))\n    return x\n"
    )
    [found] = observe_calls(source, ["f(1)"])
    assert found.status == UNOBSERVED_CODE


def test_no_name_leads_to_the_observer() -> None:
    source = (
        "import builtins, sys\nbefore = dir()\ndef f(x):\n"
        "    own = [n for n in {*vars(builtins), *globals(), *dir(), *sys.modules} if 'spell' in n or 'observ' in n]\n"
        "    return own\n"
    )
    found = gather_evidence(source, ["f(1)"])
    assert seen(found, source, "own", 5).lengths == (0, 0)  # type: ignore[attr-defined]


def test_each_call_has_a_module_of_its_own_and_one_that_ends_the_process_costs_no_other() -> None:
    source = "import os\nn = []\ndef f(x):\n    n.append(x)\n    if x == 2: os._exit(3)\n    return len(n)\n"
    found = {one.call: one for one in observe_calls(source, ["f(1)", "f(2)", "f(3)"])}
    assert [one.status for one in found.values()] == ["ok", "crashed", "ok"]
    assert found["f(3)"].seen[6, 11, 6, 17].numbers == (1, 1)


@pytest.mark.parametrize(
    "body",
    [
        "return f'{x.strip()!r:>{len(x)}} {x.upper()}'",
        "return [c for c in x if (y := c.upper()) != 'A'], y",
        "match x.split():\n        case [a, *rest] if a.strip(): return rest\n        case _: return x[::2, ]",
        "def g(*a: int, k: str = x.strip(), **r) -> str: return a, k, r\n    return g(*x.split(), **{'q': 1})",
        "x += 'c'.upper()\n    return x",
        "class B(A):\n        def m(self): return super().m() + self.__p()\n        def __p(s): pass\n    return B()",
        "try: x.missing(1)\n    except (AttributeError, *()) as e: return str(e)",
        "return (yield x.strip()) if x else (await_ := 1)",
        "return (lambda *a, d=x.strip(): d)()",
    ],
)
def test_a_program_does_the_same_while_it_is_watched(body: str) -> None:
    head = "class A:\n    def m(self): return 'm'\ndef f(x):\n    "
    source = f"{head}{body}\n"
    compile(source, "test", "exec")
    assert [one.status for one in observe_calls(source, ["f('a b')"])] == ["ok"]


def test_only_the_places_that_are_asked_for_are_observed() -> None:
    source = "def f(x):\n    return x.strip().upper()\n"
    [every] = observe_calls(source, ["f('a')"])
    method = next(place for place, shown in every.seen.items() if shown.plain)
    [found] = observe_calls(source, ["f('a')"], places=[(2, 11, 2, 12), method])
    assert found.seen == {place: every.seen[place] for place in ((2, 11, 2, 12), method)}
    assert len(every.seen) > 2


def test_a_program_that_looks_for_the_recorder_is_no_evidence_wherever_one_looks() -> None:
    source = "def f(x):\n    object.__subclasses__()\n    return x\n"
    [every], [found] = (observe_calls(source, ["f(1)"], places=some) for some in ([], [(3, 11, 3, 12)]))
    assert found == every and found.status.startswith("it inspects")
