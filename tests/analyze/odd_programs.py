# ruff: noqa: E501 - programs are quoted as they are
"""Programs whose traces differ between CPython versions, or could: each once differed, or stands beside one that did.

`KNOWN` names those that our traces still do not give as 3.10 does, with the first version concerned and the cause.
"""

KNOWN: dict[str, tuple[tuple[int, int], str]] = {
    "with": ((3, 11), "3.10 reports a `with` of several items again before it leaves the outer one"),
    "multi_with": ((3, 11), "3.10 reports a `with` of several items again before it leaves the outer one"),
    "gen_close": ((3, 12), "the close of a generator that was never started is reported by 3.10 only"),
    "objs": ((3, 12), "the close of a generator that was never started is reported by 3.10 only"),
    "unused_gen": ((3, 12), "the close of a generator that was never started is reported by 3.10 only"),
    "comp_walrus": ((3, 12), "a comprehension that binds a name of its function with := stays inlined"),
    "async": ((3, 12), "an asynchronous comprehension stays inlined"),
    "async2": ((3, 12), "an asynchronous comprehension stays inlined"),
    "subscript_multi": ((3, 12), "a slice over several lines is one instruction on the line of the subscript"),
}

ODD_PROGRAMS: dict[str, str] = {
    "try_except": """\
def f():
    try:
        x = 1 // 0
    except ZeroDivisionError as e:
        y = 2
    else:
        y = 3
    finally:
        z = 4
    return y

def main(): # << START_OF_TRACE
    return f()
""",
    "raise_unwind": """\
def g(x):
    raise ValueError("bad " + str(x))
def h(x):
    try:
        return g(x)
    finally:
        x = 0
def f():
    try:
        h(3)
    except ValueError as e:
        return repr(e)

def main(): # << START_OF_TRACE
    return f()
""",
    "raise_out": """\
def f():
    x = []
    return x[3]

def main(): # << START_OF_TRACE
    return f()
""",
    "try_finally_return": """\
def f():
    for i in range(3):
        try:
            if i == 1:
                continue
            if i == 2:
                break
        finally:
            k = i
    else:
        k = 9
    return k

def main(): # << START_OF_TRACE
    return f()
""",
    "nested_try": """\
def f():
    try:
        try:
            raise KeyError('a')
        except IndexError:
            pass
        finally:
            a = 1
    except KeyError:
        b = 2
        try:
            raise
        except Exception as e2:
            c = e2.__context__
    return a, b

def main(): # << START_OF_TRACE
    return f()
""",
    "with": """\
class C:
    def __init__(self, n):
        self.n = n
    def __enter__(self):
        return self
    def __exit__(self, t, v, tb):
        return self.n == 1
    def __repr__(self):
        return 'C'
def f():
    with C(1) as a, C(0) as b:
        x = 1
    with C(1) as a:
        raise ValueError('x')
    with C(0):
        y = 2
        return y

def main(): # << START_OF_TRACE
    return f()
""",
    "with_multi": """\
class C:
    def __enter__(self):
        return 1
    def __exit__(self, *a):
        return True
    def __repr__(self):
        return 'C'
def f():
    with C() as a:
        with C() as b:
            1 // 0
        z = 1
    with (
        C() as a,
        C() as b,
    ):
        x = 1
        raise KeyError
    for i in range(2):
        with C():
            if i: break
            continue
    return x

def main(): # << START_OF_TRACE
    return f()
""",
    "gen": """\
def g(n):
    for i in range(n):
        yield i
    return 5
def f():
    s = 0
    for v in g(3):
        s += v
    return s

def main(): # << START_OF_TRACE
    return f()
""",
    "gen_send": """\
def g():
    x = yield 1
    y = yield x + 1
    try:
        yield y
    except ValueError as e:
        yield 10
    finally:
        y = 0
def f():
    it = g()
    a = next(it)
    b = it.send(5)
    c = it.send(7)
    d = it.throw(ValueError('q'))
    it.close()
    return a, b, c, d

def main(): # << START_OF_TRACE
    return f()
""",
    "gen_close": """\
def g():
    yield 1
    yield 2
def f():
    it = g()
    next(it)
    it.close()
    it2 = g()
    it2.close()
    it3 = g()
    next(it3)
    del it3
    try:
        next(it)
    except StopIteration as e:
        return 1

def main(): # << START_OF_TRACE
    return f()
""",
    "gen_throw_unstarted": """\
def g():
    yield 1
def f():
    it = g()
    try:
        it.throw(KeyError(1))
    except KeyError:
        return 2

def main(): # << START_OF_TRACE
    return f()
""",
    "yield_from": """\
def g():
    r = yield from h(2)
    yield r
def h(n):
    yield from range(n)
    return 7
def f():
    return list(g())

def main(): # << START_OF_TRACE
    return f()
""",
    "yield_from_close": """\
def g():
    try:
        yield from h(2)
    finally:
        x = 1
def h(n):
    for i in range(n):
        yield i
def f():
    it = g()
    next(it)
    it.close()
    it = g()
    next(it)
    try:
        it.throw(ValueError)
    except ValueError: pass
    return 3

def main(): # << START_OF_TRACE
    return f()
""",
    "genexp_any": """\
def f(xs):
    return any(x > 1 for x in xs), all(
        x > 1
        for x in xs
        if x
    ), sum(x * y for x in xs for y in xs)

def main(): # << START_OF_TRACE
    return f([1, 2, 3])
""",
    "genexp_stop": """\
def f(xs):
    g = (x for x in xs)
    a = next(g)
    return a, list(g)

def main(): # << START_OF_TRACE
    return f([1, 2])
""",
    "lambda": """\
def f(xs):
    k = lambda x: -x
    return sorted(xs, key=lambda x: (x % 2, x)), list(map(k, xs)), (lambda: 3)()

def main(): # << START_OF_TRACE
    return f([3, 1, 2])
""",
    "closure": """\
def f(a, b, c):
    def g(x):
        nonlocal b
        b = x + a
        return b
    d = g(c)
    z = 1
    def h():
        return z + b
    return h()

def main(): # << START_OF_TRACE
    return f(1, 2, 3)
""",
    "recursion": """\
def f(n):
    if n <= 1:
        return 1
    return n * f(n - 1)

def main(): # << START_OF_TRACE
    return f(4)
""",
    "multiline": """\
def f(a, b):
    x = [
        a,
        b,
        a + b,
    ]
    y = {
        'a': a,
        'b': [
            b
        ]
    }
    z = max(
        a,
        b
    )
    w = (a +
         b +
         z)
    if (a and
        b):
        w = 0
    s = ("abc"
         "def")
    t = a if b \\
        else w
    return (
        x
    )

def main(): # << START_OF_TRACE
    return f(1, 2)
""",
    "multiline_call": """\
def g(*a, **k):
    return len(a)
def f(s):
    x = g(
        1,
        g(
            2,
        ),
        k=g(),
    )
    y = (s
         .strip()
         .upper()
         .replace('A',
                  'B'))
    z = s[
        0
    ]
    return y

def main(): # << START_OF_TRACE
    return f(" abc ")
""",
    "multiline_cond": """\
def f(a, b, c):
    if (a > 0 and
            b > 0 and
            c > 0):
        x = 1
    elif (a < 0 or
          b < 0):
        x = 2
    else:
        x = 3
    while (x < 5
           and a < 10):
        x += 1
        a += 1
    assert (x ==
            5), (
        "no")
    y = (a
         if a > b
         else b)
    z = not (a
             and b)
    w = a < b < (
        c)
    return x

def main(): # << START_OF_TRACE
    return f(1, 2, 3)
""",
    "multiline_cond2": """\
def f(a, b, c):
    if (a > 0 and
            b > 0 and
            c > 0):
        x = 1
    elif (a < 0 or
          b < 0):
        x = 2
    else:
        x = 3
    return x

def main(): # << START_OF_TRACE
    return f(-1, 2, 3)
""",
    "listcomp_multi": """\
def f(xs):
    a = [
        x * 2
        for x in xs
        if x > 1
    ]
    b = {
        x: y
        for x in xs
        for y in xs
        if x != y
    }
    c = {x
         for x in xs}
    d = [[y for y in range(x)]
         for x in xs]
    e = [x for x in
         xs]
    g = [
        (x,
         x)
        for x in xs]
    return a

def main(): # << START_OF_TRACE
    return f([1, 2])
""",
    "listcomp_multi2": """\
def f(xs):
    a = [
        x for x in [
            1, 2
        ]
        if x > 1
        if x > 1
    ]
    b = [(
        x
    ) for x, y in zip(
        xs, xs)
    ]
    c = {k: v
         for k, v in
         enumerate(xs)}
    d = {
        k:
        v
        for k, v in
        enumerate(xs)}
    e = [x if x
         else 0
         for x in xs]
    e = [g(
            x) for x in xs]
    e = [x
         for x in xs if x and
         x > 1]
    return a
def g(x): return x

def main(): # << START_OF_TRACE
    return f([1, 2])
""",
    "comp_exc": """\
def f(xs):
    try:
        return [1 // x for x in xs]
    except ZeroDivisionError:
        return {x: [y for y in x] for x in xs}

def main(): # << START_OF_TRACE
    return f([1, 0])
""",
    "comp_stopiter": """\
def f(xs):
    it = iter(xs)
    try:
        return [next(it) for _ in range(5)]
    except StopIteration:
        return 'stop'

def main(): # << START_OF_TRACE
    return f([1, 2])
""",
    "comp_nested_cell": """\
def f(xs, k):
    fs = [lambda: x + k for x in xs]
    gs = {x: (lambda y: x * y) for x in xs}
    return [g() for g in fs], [gs[x](2) for x in gs]

def main(): # << START_OF_TRACE
    return f([1, 2], 3)
""",
    "comp_walrus": """\
def f(xs):
    a = [y := x * 2 for x in xs]
    b = [z for x in xs if (z := x + 1) > 2]
    return y, z

def main(): # << START_OF_TRACE
    return f([1, 2])
""",
    "comp_walrus2": """\
def f(xs):
    if any((hit := x) > 1 for x in xs):
        while (n := len(xs)) > 1:
            xs = xs[1:]
    return [last := hit, last ** 2]

def main(): # << START_OF_TRACE
    return f([1, 2])
""",
    "comp_locals": """\
def f(xs):
    y = 1
    return [sorted(locals()) for x in xs]

def main(): # << START_OF_TRACE
    return f([1, 2])
""",
    "class_body": '''\
def f(n):
    class A:
        """doc"""
        x = n
        y = [i for i in range(2)]
        def m(self):
            return self.x
        z: int = 3
    class B(A):
        pass
    a = A()
    return a.m(), B.x

def main(): # << START_OF_TRACE
    return f(2)
''',
    "class_super": """\
class A:
    def __init__(self, v):
        self.v = v
    def get(self):
        return self.v
class B(A):
    def __init__(self, v):
        super().__init__(v)
        self.w = __class__.__name__
    def get(self):
        return super().get() + 1
def f():
    b = B(2)
    return b.get()

def main(): # << START_OF_TRACE
    return f()
""",
    "class_repr": """\
class P:
    def __init__(self, x):
        self.x = x
    def __repr__(self):
        return f"P({self.x})"
    @property
    def dbl(self):
        return self.x * 2
    @staticmethod
    def s(a):
        return a
    @classmethod
    def c(cls, a):
        return cls(a)
    def __eq__(self, o):
        return self.x == o.x
    def __lt__(self, o):
        return self.x < o.x
    def __iter__(self):
        yield self.x
def f():
    p = P.c(3)
    return p.dbl, P.s(1), p == P(3), sorted([P(2), P(1)]), list(p)

def main(): # << START_OF_TRACE
    return f()
""",
    "decorator": """\
def deco(fn):
    def w(*a, **k):
        return fn(*a, **k)
    return w
def dd(n):
    def d(fn):
        return fn
    return d
def f():
    @deco
    @dd(2)
    def g(x):
        return x
    @deco
    class K:
        pass
    return g(3)

def main(): # << START_OF_TRACE
    return f()
""",
    "del": """\
def f(a):
    b = 1
    del a
    c = 2
    a = 5
    del b, c
    try:
        return c
    except UnboundLocalError:
        b = 3
    return a

def main(): # << START_OF_TRACE
    return f(9)
""",
    "global": """\
N = 0
def f():
    global N, M
    N += 1
    M = N
    return M

def main(): # << START_OF_TRACE
    return f()
""",
    "loops": """\
def f(n):
    i = 0
    while i < n:
        i += 1
        if i == 2:
            continue
        if i == 4:
            break
    else:
        i = 100
    while True:
        i -= 1
        if i < 0: break
    for i in range(0): pass
    else: i = 7
    for a, (b, c) in [(1, (2, 3))]:
        pass
    while 0:
        i = 3
    while not i == 5: i -= 1
    for x in []:
        pass
    return i

def main(): # << START_OF_TRACE
    return f(5)
""",
    "oneliners": """\
def f(a):
    if a: b = 1
    else: b = 2
    x = 1; y = 2; z = 3
    for i in range(2): x += i
    while x > 3: x -= 1
    try: y = 1 // 0
    except ZeroDivisionError: y = 0
    finally: z = 0
    if a and b: pass
    return b

def main(): # << START_OF_TRACE
    return f(1)
""",
    "match": """\
def f(v):
    match v:
        case 1 | 2:
            return 'a'
        case [x, *rest] if x > 3:
            return rest
        case {'k': z, **kw}:
            return z
        case (a, b):
            r = a
        case str() as s:
            r = s
        case _:
            r = None
    return r
def g():
    return [f(1), f([5, 6]), f({'k': 1}), f([1, 2]), f('s'), f(3.5)]

def main(): # << START_OF_TRACE
    return g()
""",
    "ternary_lambda": """\
def f(a):
    x = a or (lambda: 3)() or \\
        4
    y = (a
         and 3)
    return x if a else y

def main(): # << START_OF_TRACE
    return f(0)
""",
    "star": """\
def f(*args, k=1, **kw):
    a, *b = args
    c = [*b, a]
    d = {**kw, 'k': k}
    print(*c, sep='')
    return max(*args, key=lambda x: -x)

def main(): # << START_OF_TRACE
    return f(1, 2, 3, z=4)
""",
    "import": """\
def f():
    import math
    from collections import Counter, defaultdict
    c = Counter('abca')
    d = defaultdict(list)
    d[1].append(2)
    return math.floor(2.5), c.most_common(1)

def main(): # << START_OF_TRACE
    return f()
""",
    "iterator_class": """\
class It:
    def __init__(self):
        self.n = 0
    def __iter__(self):
        return self
    def __next__(self):
        self.n += 1
        if self.n > 2:
            raise StopIteration
        return self.n
def f():
    s = [x for x in It()]
    for x in It():
        s.append(x)
    a, b = It()
    return s, list(It()), sum(x for x in It())

def main(): # << START_OF_TRACE
    return f()
""",
    "getattr": """\
class A:
    def __getattr__(self, n):
        if n == 'q':
            return 3
        raise AttributeError(n)
    def __call__(self, x):
        return x
    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return i
    def __len__(self):
        return 3
    def __contains__(self, x):
        return x == 1
    def __bool__(self):
        return False
    def __hash__(self):
        return 1
def f():
    a = A()
    b = a.q + a(4)
    if hasattr(a, 'zz') or a:
        b = 0
    return b, list(a), 1 in a, {a: 1}[a], getattr(a, 'u', 5)

def main(): # << START_OF_TRACE
    return f()
""",
    "docstring": '''\
def f(x):
    """Doc
    more."""
    "another"
    1
    x
    ...
    pass
    return x

def main(): # << START_OF_TRACE
    return f(1)
''',
    "empty": '''\
def f(x):
    pass
def g():
    """Only doc."""
def h(): return
def k(): ...

def main(): # << START_OF_TRACE
    return f(1) or g() or h() or k()
''',
    "assert": """\
def f(x):
    assert x, "m"
    assert x > 1, f"bad {x}"

def main(): # << START_OF_TRACE
    return f(1)
""",
    "exc_chain": """\
class E(Exception):
    def __init__(self, c):
        super().__init__(c)
        self.c = c
def f():
    try:
        try:
            int('x')
        except ValueError as e:
            raise E(3) from e
    except E as e:
        return e.c, repr(e.__cause__)

def main(): # << START_OF_TRACE
    return f()
""",
    "except_multi": """\
def f():
    for x in [0, 'a', None]:
        try:
            y = 1 // x
        except (ValueError,
                TypeError) as e:
            z = type(e).__name__
        except ZeroDivisionError:
            z = 'zero'
            continue
    return z

def main(): # << START_OF_TRACE
    return f()
""",
    "except_return_in_handler": """\
def f():
    try:
        raise ValueError
    except ValueError as e:
        return 1
    finally:
        x = 2

def main(): # << START_OF_TRACE
    return f()
""",
    "finally_exc": """\
def g():
    try:
        raise ValueError(1)
    finally:
        x = 3
        y = 4
def f():
    try:
        g()
    except ValueError: return 0

def main(): # << START_OF_TRACE
    return f()
""",
    "while_else_try": """\
def f():
    n = 0
    while True:
        try:
            n += 1
            if n == 2:
                raise KeyError
            if n > 3:
                return n
        except KeyError:
            pass
        else:
            q = n

def main(): # << START_OF_TRACE
    return f()
""",
    "default_args": """\
def f(a, b=[1, 2], *, c=(lambda: 3)()):
    def g(x=a, y=[i for i in range(2)]):
        return x
    return g(), c

def main(): # << START_OF_TRACE
    return f(1)
""",
    "fstring": '''\
def f(a, b):
    s = f"{a!r:>5} {b:{a}} {a=}"
    t = (f"{a}"
         f"{b}")
    u = f"""{a}
{b}"""
    return s, t, u, '%s' % a, '{}'.format(
        b)

def main(): # << START_OF_TRACE
    return f(5, 7)
''',
    "chained_multiline": """\
def f(s):
    r = (s.split()
         [0])
    t = [x
         for x in s.split()][0]
    d = dict(
        a=1,
        b=len(s)
    )
    return d["a"] + \\
        len(r)

def main(): # << START_OF_TRACE
    return f("a b")
""",
    "return_multi": """\
def f(a):
    if a:
        return [
            i
            for i in range(a)
        ]
    return {
        'a': 1,
    }

def main(): # << START_OF_TRACE
    return f(2)
""",
    "return_tuple_multi": """\
def f(a):
    return (a,
            a + 1,
            [a,
             a])

def main(): # << START_OF_TRACE
    return f(2)
""",
    "aug_multi": """\
def f(a):
    a += (1 +
          2)
    b = {}
    b[
        0
    ] = (
        a)
    b[0] += [
        1][0]
    c = d = (
        1)
    e, g = (
        1,
        2)
    return a

def main(): # << START_OF_TRACE
    return f(2)
""",
    "raise_multi": """\
def f(a):
    raise ValueError(
        "x",
        a
    )

def main(): # << START_OF_TRACE
    return f(2)
""",
    "dataclass": """\
from dataclasses import dataclass
@dataclass
class P:
    x: int
    y: int = 2
def f():
    p = P(1)
    return p, p == P(1)

def main(): # << START_OF_TRACE
    return f()
""",
    "enum": """\
import enum
class Color(enum.Enum):
    RED = 1
def f():
    c = Color.RED
    return c.name

def main(): # << START_OF_TRACE
    return f()
""",
    "namedtuple": """\
from collections import namedtuple
P = namedtuple('P', 'x y')
def f():
    p = P(1, 2)
    q = p._replace(x=3)
    return q

def main(): # << START_OF_TRACE
    return f()
""",
    "async": """\
import asyncio
async def g(x):
    return x
async def f():
    a = await g(1)
    return [await g(i) for i in range(2)]
def r():
    c = f()
    try:
        c.send(None)
    except StopIteration as e:
        return e.value

def main(): # << START_OF_TRACE
    return r()
""",
    "async2": """\
async def g():
    yield 1
    yield 2
async def f():
    r = [x async for x in g()]
    async for x in g():
        r.append(x)
    return r
def r():
    c = f()
    try:
        c.send(None)
    except StopIteration as e:
        return e.value

def main(): # << START_OF_TRACE
    return r()
""",
    "repr_raises": """\
class P:
    def __init__(self, x):
        y = x
        self.x = x
    def __repr__(self):
        return f"P({self.x})"
def f():
    return P(1)

def main(): # << START_OF_TRACE
    return f()
""",
    "sets": """\
def f():
    s = {3, 1, 2}
    s.add(10)
    t = frozenset(s)
    return s | {5}, t

def main(): # << START_OF_TRACE
    return f()
""",
    "objs": """\
def f():
    o = object()
    it = iter([1])
    e = enumerate('a')
    z = zip([1], 'b')
    m = map(str, [1])
    r = reversed([1])
    k = {}.keys()
    ki = iter({1: 2})
    si = iter({1})
    t = iter((1,))
    ri = iter(range(2))
    st = iter('abc')
    su = iter('abć')
    g = (i for i in [1])
    b = [].append
    c = iter(int, 0)
    by = iter(b'a')
    di = iter({}.items())
    rd = reversed({1: 2})
    fl = filter(None, [])
    x = len, f, int, type(None), ..., NotImplemented
    return b

def main(): # << START_OF_TRACE
    return f()
""",
    "unbound": """\
def f():
    if False:
        x = 1
    return x

def main(): # << START_OF_TRACE
    return f()
""",
    "unbound_free": """\
def f():
    def g():
        return x
    g()
    x = 1

def main(): # << START_OF_TRACE
    return f()
""",
    "zero_mod": """\
def f():
    r = []
    for op in (lambda: 1 // 0, lambda: 1 % 0, lambda: 1 / 0, lambda: 1.0 // 0, lambda: 1.0 % 0, lambda: divmod(1, 0), lambda: divmod(1.0, 0), lambda: 0 ** -1, lambda: 1.0 / 0, lambda: 0.0 ** -1, lambda: pow(1, 1, 0)):
        try:
            op()
        except ZeroDivisionError as e:
            r.append(str(e))
    return r

def main(): # << START_OF_TRACE
    return f()
""",
    "sumfloat": """\
def f():
    return sum([0.1] * 10), sum([0.1, 0.2, 0.3], 0.5), sum((x / 10 for x in range(10)), 0.0), sum([1, 2.5, 3]), sum([[1], [2]], []), sum([1e100, 1.0, -1e100])

def main(): # << START_OF_TRACE
    return f()
""",
    "misc_values": """\
def f():
    r = [round(2.675, 2), 1e16, 1e22, 5e-324, -0.0, 10 ** 25, 0.1 + 0.2, 3.0, complex(1, -0.0), b"a'b", "a'b", 'a"b', "\\n\\t\\x00\\u200b\\U0001f600\\ud800", range(3), slice(1, 2), {1: {2}}, (1,), (), [], {}, set(), frozenset()]
    return r

def main(): # << START_OF_TRACE
    return f()
""",
    "sets_of_ints": """\
def f(xs):
    s = set(xs)
    t = s & {2, 3, 50}
    d = {k: k for k in s}
    return s - t, s ^ {9}, list(s), d

def main(): # << START_OF_TRACE
    return f([33, 5, 1, 2, 3, 100, 64])
""",
    "nested_funcs_del": """\
def f():
    x = 1
    def g():
        return x
    g()
    del x
    y = 1
    x = 2
    for x in range(2): pass
    return g()

def main(): # << START_OF_TRACE
    return f()
""",
    "varnames_order": """\
def f(flag):
    if flag:
        z = 1
    else:
        y = 1
    y = 2
    a = 3
    z = 4
    def k(): return a
    def b(): return y
    return z

def main(): # << START_OF_TRACE
    return f(0)
""",
    "kwonly_cells": """\
def f(a, b, *args, c=3, d=4, **kw):
    def g():
        return kw, a, d
    x = 1
    return g()

def main(): # << START_OF_TRACE
    return f(1, 2, 3, e=5)
""",
    "tuple_unpack_swap": """\
def f(a, b):
    a, b = b, a
    [a, b], c = (a, b), 3
    (x, y), *z = [(1, 2), 3]
    return x

def main(): # << START_OF_TRACE
    return f(1, 2)
""",
    "continue_in_finally": """\
def f():
    r = []
    for i in range(2):
        try:
            raise ValueError
        except ValueError:
            r.append(i)
            continue
        finally:
            r.append('f')
    return r

def main(): # << START_OF_TRACE
    return f()
""",
    "return_in_loop_try": """\
def f(xs):
    for x in xs:
        try:
            if x == 2:
                return x
        except Exception:
            pass
    return None

def main(): # << START_OF_TRACE
    return f([1, 2])
""",
    "while_cond_multi": """\
def f(n):
    while n > 0 and \\
            n < 10:
        n -= 1
    if n == 0 or n == 1 or n == 2: n = 5
    if not (n == 1 or n == 5): n = 6
    return n and \\
        3

def main(): # << START_OF_TRACE
    return f(3)
""",
    "ifs": """\
def f(n):
    if n == 1:
        pass
    elif n == 2:
        pass
    else:
        pass
    if n:
        if n > 1:
            x = 1
        else:
            x = 2
    if 1:
        y = 1
    if 0:
        y = 2
    else:
        y = 3
    if n is None: return 1
    return y

def main(): # << START_OF_TRACE
    return f(3)
""",
    "try_in_loop_else": """\
def f():
    for i in range(3):
        try:
            x = int('1')
        except ValueError:
            x = 0
        else:
            x = 2
            if i == 1: break
        finally:
            pass
    return x

def main(): # << START_OF_TRACE
    return f()
""",
    "if_last_in_loop": """\
def f(xs):
    r = []
    for x in xs:
        if x > 1:
            r.append(x)
        elif x == 0:
            r.append(0)
    for x in xs:
        if x:
            if x > 1:
                pass
    while xs:
        x = xs.pop()
        if x == 1:
            r.append(1)
        else:
            continue
    return r

def main(): # << START_OF_TRACE
    return f([1, 2, 0])
""",
    "nested_comp_cond": """\
def f(m):
    return [[c for c in row if c] for row in m if any(c for c in row)], {tuple(r) for r in m}, {i: [j for j in range(i)] for i in range(2)}

def main(): # << START_OF_TRACE
    return f([[0, 1], [0, 0]])
""",
    "comp_in_class": """\
def f():
    class A:
        n = 2
        xs = [i for i in range(n)]
        ys = {i: i for i in xs}
        zs = list(i for i in xs)
    return A.xs

def main(): # << START_OF_TRACE
    return f()
""",
    "comp_conditional_iter": """\
def f(x):
    return [a for a in (x or [])], [b for b in [i for i in x]], [c for c in x for d in [c]]

def main(): # << START_OF_TRACE
    return f([1])
""",
    "comp_exc_iter": """\
def f(x):
    try:
        [a for a in x]
    except TypeError as e:
        return str(e)

def main(): # << START_OF_TRACE
    return f(3)
""",
    "comp_unpack": """\
def f(x):
    return [(a, b) for a, (b, *c) in x], [d['k'] for d in [{'k': 1}]], [[] for _ in x], [i.upper() if i else 'z' for i in 'ab']

def main(): # << START_OF_TRACE
    return f([(1, (2, 3))])
""",
    "comp_attr_target": """\
class O: pass
def f():
    o = O()
    l = [0]
    [0 for l[0] in [1, 2]]
    [0 for o.x in [1]]
    return l, o.x

def main(): # << START_OF_TRACE
    return f()
""",
    "semicolon": """\
def f(a):
    b = 1; c = g(b); d = 2
    return a; x = 3
def g(x): y = x; return y

def main(): # << START_OF_TRACE
    return f(1)
""",
    "multi_def_line": """\
def f(
    a,
    b=2,
):
    def g(
        x
    ): return x
    @staticmethod
    def h(): return 1
    return g(
        a)

def main(): # << START_OF_TRACE
    return f(1)
""",
    "multi_lambda": """\
def f(a):
    k = lambda x: (
        x +
        a)
    g = (lambda
         y: y)
    return k(1), sorted([2, 1], key=lambda v:
        -v)

def main(): # << START_OF_TRACE
    return f(1)
""",
    "long_dict": """\
def f(a):
    d = {
        'x': lambda: 1,
        'y': [i for i in
              range(a)],
        **{},
        'z': (a,
              2),
    }
    return d['x']()

def main(): # << START_OF_TRACE
    return f(1)
""",
    "subscript_multi": """\
def f(a):
    x = a[
        0:
        1
    ][
        0
    ]
    y = a[0] \\
        .real
    return x.real.\\
        imag

def main(): # << START_OF_TRACE
    return f([1, 2])
""",
    "exception_repr": """\
class E(Exception):
    def __repr__(self):
        raise ValueError
class G(Exception):
    def __str__(self): return 'g'
def f():
    for e in (E(1), G(2), KeyError('k'), OSError(2, 'x'), UnicodeDecodeError('utf8', b'a', 0, 1, 'r'), StopIteration(3)):
        try:
            raise e
        except Exception as x:
            pass

def main(): # << START_OF_TRACE
    return f()
""",
    "exit": """\
def f():
    raise SystemExit(3)

def main(): # << START_OF_TRACE
    return f()
""",
    "gen_in_for_break": """\
def g():
    try:
        while True:
            yield 1
    finally:
        print('done')
def f():
    for x in g():
        break
    return x

def main(): # << START_OF_TRACE
    return f()
""",
    "gen_return_value": """\
def g():
    return 3
    yield
def f():
    return list(g())

def main(): # << START_OF_TRACE
    return f()
""",
    "gen_exc": """\
def g():
    yield 1
    raise KeyError('x')
def f():
    try:
        for x in g():
            pass
    except KeyError:
        return x

def main(): # << START_OF_TRACE
    return f()
""",
    "gen_stopiteration_inside": """\
def g():
    yield next(iter([]))
def f():
    try:
        return list(g())
    except RuntimeError as e:
        return str(e)

def main(): # << START_OF_TRACE
    return f()
""",
    "contextmanager": """\
from contextlib import contextmanager
@contextmanager
def cm(x):
    try:
        yield x
    finally:
        y = 1
def f():
    with cm(3) as v:
        w = v
    try:
        with cm(4):
            raise KeyError
    except KeyError:
        pass
    return w

def main(): # << START_OF_TRACE
    return f()
""",
    "lru": """\
from functools import lru_cache, reduce, partial
@lru_cache(None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def f():
    return fib(4), reduce(lambda a, b: a + b, [1, 2, 3]), partial(fib, 2)()

def main(): # << START_OF_TRACE
    return f()
""",
    "swap_del_loop": """\
def f():
    for i in range(2):
        a = i
        del a
        b = i
    return b

def main(): # << START_OF_TRACE
    return f()
""",
    "unused_gen": """\
def f():
    g = (x for x in [1])
    return 1

def main(): # << START_OF_TRACE
    return f()
""",
    "type_alias": """\
from typing import List, Optional
def f(x: List[int], y: Optional[int] = None) -> List[int]:
    z: int = 1
    w: List[int]
    t = List[int]
    return x

def main(): # << START_OF_TRACE
    return f([1])
""",
    "ann_func": """\
def f():
    def g(x: print('ann'), y: int = 3) -> int:
        return x
    class A:
        q: int
        r: int = 1
    return g(1)

def main(): # << START_OF_TRACE
    return f()
""",
    "try_star_loop": """\
def f(xs):
    total = 0
    for x in xs:
        try:
            total += int(x)
        except ValueError:
            continue
        except TypeError:
            break
        total *= 2
    return total

def main(): # << START_OF_TRACE
    return f(["1", "a", None, "3"])
""",
    "while_true_break_else": """\
def f():
    x = 0
    while True:
        x += 1
        if x > 2:
            break
    while x:
        x -= 1
    else:
        x = 9
    while 1:
        if x: return x

def main(): # << START_OF_TRACE
    return f()
""",
    "property_setter": """\
class A:
    __slots__ = ('_x',)
    @property
    def x(self): return self._x
    @x.setter
    def x(self, v): self._x = v
    def __setitem__(self, k, v): self._x = k
    def __iadd__(self, o):
        self._x += o
        return self
    def __del__(self):
        pass
def f():
    a = A()
    a.x = 3
    a[5] = 1
    a += 2
    b = a.x
    del a
    return b

def main(): # << START_OF_TRACE
    return f()
""",
    "finally_return_override": """\
def f():
    try:
        return 1
    finally:
        return 2

def main(): # << START_OF_TRACE
    return f()
""",
    "nested_finally": """\
def f(n):
    try:
        try:
            if n:
                return n
        finally:
            a = 1
    finally:
        b = 2

def main(): # << START_OF_TRACE
    return f(1)
""",
    "with_return_exc": """\
class C:
    def __enter__(self): return self
    def __exit__(self, *a): return False
    def __repr__(self): return 'C'
def g():
    with C() as c:
        return [
            1,
            2]
def h():
    with C():
        for i in range(2):
            pass
def f():
    g()
    h()
    with C():
        1 // 0

def main(): # << START_OF_TRACE
    return f()
""",
    "multi_with": """\
class C:
    def __enter__(self): return self
    def __exit__(self, *a): return False
    def __repr__(self): return 'C'
def f():
    with C() as a, \\
            C() as b:
        pass
    with C():
        if a:
            pass
        else:
            b = 1
    with C(): x = 1
    return 1

def main(): # << START_OF_TRACE
    return f()
""",
    "match_multi": """\
class P:
    __match_args__ = ('x',)
    def __init__(self, x): self.x = x
    def __repr__(self): return 'P'
def f(v):
    match v:
        case P(x=0):
            return 0
        case P(1 | 2):
            return 1
        case P(y) if y == 3:
            return 3
        case [1, [2, z]]:
            return z
        case {'a': 1, 'b': b}:
            return b
        case 'x' | 'y': return 'xy'
        case None: return 'n'
        case -1: return 'neg'
def g():
    return [f(v) for v in (P(0), P(2), P(3), P(4), [1, [2, 5]], {'a': 1, 'b': 2}, 'y', None, -1, 77)]

def main(): # << START_OF_TRACE
    return g()
""",
}
