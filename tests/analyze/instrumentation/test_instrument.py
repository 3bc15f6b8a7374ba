"""Instrumented programs do the same, and exactly the operations that CPython performs are reported, in order."""

from __future__ import annotations

import gc
import sys
import types

import pytest

from tests.analyze.instrumentation.against_cpython import FILENAME, RAISED, UNSEEN, Everything, instrumented, native

PROGRAMS = {
    "annotations of functions": """
def g(x: list[int], *a: dict[str, int], k: 'no[such]' = len('a')) -> dict[str, int]:
    y: list[no.such] = [x]
    (z): no[1] = 2
    return y
def f(): return g.__annotations__, g(1)
""",
    "annotations of a future": """
from __future__ import annotations
class A:
    x: dict[str, no] = {}
    def m(self, y: no[1]) -> dict[str, int]: return y + 1
def f(): return A.__annotations__, A.m.__annotations__, A().m(1)
""",
    "annotations of classes and modules": """
y: list[int] = [1]
class A:
    x: dict[str, int]
    y[0]: list[str] = 3
def f(): return A.__annotations__, __annotations__, y
""",
    "asynchronous code": """
async def a(x: list[int]) -> dict[str, int]: return x + 1
async def g(n):
    for i in range(n):
        yield i * 2
class C:
    async def __aenter__(self): return self
    async def __aexit__(self, *e): print(len(e)); return None
async def h():
    c = C()
    async with c:
        return [await a(i) + 1 async for i in g(3) if i > 0], (await a(1)) - (await a(2))
def f():
    try:
        h().send(None)
    except StopIteration as e:
        return e.value, a.__annotations__
""",
    "class bodies and private names": """
class A:
    n = [k + 1 for k in range(3)]
    m = n[1] * 2
    __p = 3
    m += 1
    def __q(self, x=m + 1): return self.__p + x
    def r(self): return (self.__q(), self.__q(1), getattr(self, '_A__p'))
def f(): return A.m, A().r()
""",
    "super and __class__": """
class A:
    def __init__(self, n): self.n = n + 1
    def m(self): return self.n * 2
    @classmethod
    def c(cls): return cls.__name__ + '!'
class B(A):
    def __init__(self, n): super().__init__(n + 1)
    def m(self): return super().m() + super(B, self).m() + len(__class__.__name__)
    @classmethod
    def c(cls): return super().c() + '?'
def f(): return B(1).m(), B.c()
""",
    "comprehensions and nested scopes": """
def f():
    n = 3
    def g():
        nonlocal n
        n += 1
        return n * 2
    return [x + y for x in range(2) for y in range(n) if x < y], {k: k * 2 for k in (1, 2)}, \\
        {g() - i for i in range(2)}, list((x + n for x in [g(), g()])), [(last := i) for i in range(3)], last
""",
    "decorators and defaults": """
def d(function):
    print('decorated')
    return function
table = {'d': d}
def show(x):
    print(x)
    return x
@table['d']
@d
def g(a=show(1) + 1, *, b=show(2) * 2): return a - b
def f(): return g(), (lambda x, y=show(3) + 1: x + y)(show(4) - 1)
""",
    "patterns": """
class P:
    __match_args__ = ('a', 'b')
    def __init__(self, a, b): self.a, self.b = a, b
N = P(1, 2)
def g(x):
    match x:
        case {'a': [1, *rest], **others} if len(rest) > 1: return rest, others
        case P(N.a, b=y) | (-1, y): return y + 1
        case str() | None: return x
        case 1 + 2j: return 'c'
        case _ if x[0] == 5: return x[1:]
def f(): return g({'a': [1, 2, 3], 'b': 4}), g(P(1, 7)), g((-1, 3)), g('s'), g(complex(1, 2)), g([5, 6])
""",
    "f-strings": """
def show(x):
    print(x)
    return x
def f():
    s, w = 'ab', 6
    return f'{s.upper()!r:>{w + 1}}{s[0]}', f'{show(1) + 1:{show(w)}.{show(2)}f}|{s * 2 = }', f'x{s}' + f'', f'a' 'b'
""",
    "chains and short circuits": """
def show(x):
    print(x)
    return x
def f():
    return [show(1) < show(a) < show(3) < show(b) for a in (0, 2) for b in (3, 9)], \\
        show(0) and show(1), show(0) or show(2), show('') or show(0) and show(3), 1 < show(2) < 3, \\
        not show(1), 1 in [1] in [[1]], show(1) if show(0) else show(2)
""",
    "a chain of objects": """
class A:
    def __lt__(self, other): print('lt'); return []
    def __gt__(self, other): print('gt'); return [1]
def f(): return A() < A() < A(), A() > A() > A() < 1
""",
    "starred arguments": """
def g(*a, **k): return a, k
def show(x):
    print(x)
    return x
def f():
    x, d = [1, 2], {'q': 3}
    return g(*x, show(3), *show((4, 5)), k=show(6), **d, **show({'z': 1})), [*x, *show(x)], {**d, 'a': show(1)}, \\
        g(*range(2)), max(*x), x[show(0)], g(*(i + 1 for i in x))
""",
    "starred errors": "def f(): return max(*3)",
    "targets": """
def show(x):
    print(x)
    return x
class A: pass
def f():
    x, o = [1, 2, 3, 4], A()
    x[show(0) + 1] = show(9)
    x[show(0)] += show(2) * 2
    o.a = show(3)
    o.a += x[-1]
    del x[show(1) + 1], o.a
    x[show(1):show(2)] = [7]
    for x[show(0)] in [5, 6]: print(x)
    (y := show(8) + 1)
    y += y + (y := 2)
    o = open('/dev/null')
    with o as x[show(1)]: pass
    return y, x[0]
""",
    "augmented without a value": "def f():\n    n += 1\n    return n",
    "subscripts": """
class T:
    def __getitem__(self, index): return index
def f():
    t, x = T(), 'abcdef'
    i = 2
    return t[1:i, ::i], t[i, 1], t[i:], t[:, ...], t[(*x,)], x[i], x[-i:], x[i - 1:i + 1:i - 1], x[:], t[i,]
""",
    "several lines": """
def g(*a): return len(a)
def f():
    s = ' Ab '
    return (s
        .strip()
        .upper()), g(
            1 if s
            else 2,
            s and
            s[0],
    ) + (
        s.find('A')
    )
""",
    "exceptions": """
class E(Exception):
    def __init__(self, n): super().__init__(n + 1); self.n = n
def g(x):
    try:
        return x + [][0]
    except (IndexError, [E][0]) as e:
        return str(e) + 'x'.upper()
    finally:
        print(x * 2)
def f():
    try:
        raise E(1 + g.__code__.co_argcount) from KeyError(g('a'))
    except E as e:
        return e.args[0] + 1, 'a'.index('b')
""",
    "generators and what they receive": """
def g(n):
    got = 1 + (yield n * 2) + (yield n * 3)
    return got * 2
def h(n): return (yield from g(n)) + 1
def f():
    one, two = h(1), h(10)
    found = [next(one), next(two), one.send(5), two.send(6)]
    for made in (two, one):
        try:
            made.send(found[0])
        except StopIteration as e:
            found.append(e.value + 1)
    return found
""",
    "recursion inside an operation": """
def g(n): return 1 if n < 2 else g(n - 1) * n + g(n - 2)
def f(): return g(6)
""",
    "an operation left by an exception and begun again": """
def g(n):
    if n % 2: raise ValueError(n)
    return n
def f():
    found = []
    for n in range(4):
        try:
            found.append(n + (g(n) + 1))
        except ValueError as e:
            found.append(-e.args[0])
    return found
""",
    "operators of every kind": """
class A:
    def __matmul__(self, o): return 'mm'
    def __radd__(self, o): return 'radd'
    def __contains__(self, x): return 5
def f():
    a, x, y = A(), 7, 2
    return a @ a, 1 + a, x in a, x not in a, x is y, x // y, x % y, x ** y, x << y, x >> y, x & y, x | y, x ^ y, \\
        -x, +x, ~x, x / y, x != y, '%s' % x
""",
    "look-ups that run code": """
class A:
    def __getattr__(self, name): print(name); return lambda *a: (name, a)
    @property
    def p(self): print('p'); return [1]
def show(x):
    print(x)
    return x
def f(): return A().x(show(1)), A().p[show(0)], A().y(show(2))
""",
    "what looks at its frame": """
def f():
    a = 1
    b = a + 1
    return sorted(locals()), eval('a + b'), [k for k in vars() if k < 'b'], dir()
""",
}
if sys.version_info >= (3, 12):
    PROGRAMS["type parameters"] = """
type L[T] = no[T]
def g[T: no.such](x: list[int], y=len('ab')) -> dict[str, int]: return x * y
class C[T](list[T]):
    def m(self): return super().__len__() + 1
def f(): return g(2), C().m(), sorted(g.__annotations__)
"""


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_does_the_same_and_its_operations_are_those_of_cpython(source: str) -> None:
    native(source)  # CPython 3.12 reports no opcodes the first time that a process asks for them
    expected, (found, _) = native(source), instrumented(source)
    assert (found.outcome, found.output) == (expected.outcome, expected.output)
    assert found.performed == expected.performed


def test_operations_have_their_operands_results_positions_and_order() -> None:
    source = "def f():\n    x = 'a-b'\n    return x.split('-', maxsplit=1)[0] + 'c', 1 < len(x) < 9\n"
    _, observer = instrumented(source)
    found = [
        (site.kind, site.name, site.position, [part for part in operands if not callable(part)], result)
        for _, site, operands, result in observer.in_order
    ]
    assert found == [
        ("method", "split", (3, 11, 3, 35), ["a-b", "-", 1], ["a", "b"]),
        ("item", "", (3, 11, 3, 38), [["a", "b"], 0], "a"),
        ("operator", "Add", (3, 11, 3, 44), ["a", "c"], "ac"),
        ("call", "len", (3, 50, 3, 56), ["a-b"], 3),
        ("operator", "Lt", (3, 46, 3, 60), [1, 3], UNSEEN),
        ("operator", "Lt", (3, 46, 3, 60), [3, 9], True),
    ]
    [split] = [site for _, site, _, _ in observer.in_order if site.name == "split"]
    assert split.passed == ("", "", "maxsplit")


def test_an_operation_that_raises_is_reported_as_such() -> None:
    source = "def f():\n    try:\n        return 'a'.index('b' * len('a'))\n    except ValueError:\n        return 1\n"
    _, observer = instrumented(source)
    assert [(site.name, result) for _, site, _, result in observer.in_order] == [
        ("len", 1),
        ("Mult", "b"),
        ("index", RAISED),
    ]


def test_private_names_are_reported_as_the_class_has_them() -> None:
    source = "class _A:\n    def __m(self): return 1\n    def n(self): return self.__m()\ndef f(): return _A().n()\n"
    _, observer = instrumented(source)
    assert [site.name for _, site, _, _ in observer.in_order] == ["_A", "n", "_A__m"]


def test_an_fstring_on_a_line_of_its_own_is_a_place() -> None:
    _, observer = instrumented("def f():\n    s = 'ab'\n    return f'{s.upper()}'\n")
    [text] = [found for found in observer.found if found[1].kind == "format"]
    assert (text[1].position, text[2], text[3]) == ((3, 11, 3, 25), ["AB"], "AB")


def test_the_recorder_is_out_of_reach_of_names_and_attributes() -> None:
    """By `gc` it can be found; by names and attributes of the program's objects, not."""
    from analyze.instrumentation.instrument import Instrumentation

    observer = Everything()
    source = "import builtins\ndef f(x):\n    return x + 1\n"
    code = Instrumentation(source, observer).compile(source, FILENAME)
    namespace: dict[str, object] = {}
    exec(code, namespace)
    import builtins

    assert not [name for name in vars(builtins) if "probe" in name or "spellout" in name]
    assert set(namespace) == {"__builtins__", "builtins", "f"}
    function = namespace["f"]
    assert isinstance(function, types.FunctionType)
    assert function.__closure__ is None
    for held in function.__code__.co_consts:
        for name in dir(held):
            reached = getattr(held, name, None)
            assert reached is not observer
            assert not isinstance(reached, types.FunctionType | types.MethodType), f"{held}.{name}"
    assert any(isinstance(held, type(gc)) or callable(held) for held in function.__code__.co_consts)
