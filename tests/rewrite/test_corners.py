"""The corner cases that break other tools: each program does the same before and after, in the same order."""

from __future__ import annotations

# ruff: noqa: E501 - one program a line can be compared at a glance
from itertools import product

import pytest

from rewrite.equivalence.check import check_equivalence
from rewrite.evidence.context import RewriteContext
from rewrite.evidence.gather import Evidence, observe_calls
from rewrite.pipeline.driver import rewrite_once
from rewrite.rewriting import rewrite_source
from tests.rewrite.test_rewriting import outcomes
from tests.samples import sampled

HEAD = """\
LOG = []
def t(label, value=None):
    LOG.append(label)
    return value
class B:
    def __init__(self, name, truth): self.name, self.truth = name, truth
    def __bool__(self): LOG.append(f'bool {self.name}'); return self.truth
    def __repr__(self): return self.name
    def __lt__(self, other): LOG.append(f'{self} < {other}'); return B(f'{self}<{other}', self.truth)
    def __format__(self, spec): LOG.append(f'format {self} {spec}'); return self.name
    def __iadd__(self, other): LOG.append('iadd'); return self
class Items:
    def __getitem__(self, key): LOG.append(f'get {key}'); return B('item', True)
    def __setitem__(self, key, value): LOG.append(f'set {key}')
    def __delitem__(self, key):
        LOG.append(f'del {key}')
        if key == 2: raise KeyError(key)
class Manager:
    def __init__(self, name): self.name = name; LOG.append(f'make {name}')
    def __enter__(self): LOG.append(f'enter {self.name}'); return self.name
    def __exit__(self, *error): LOG.append(f'exit {self.name}'); return self.name == 'swallow'
"""
A, F = "B('a', True)", "B('a', False)"
CASES: dict[str, str] = {
    "the value of an assignment comes before the target": "x = Items()\nx[t(1, 1)] = t(2, 2)",
    "container, index, get, then value, in place": "x = [[1], [2]]\nx[t(1, 1)] += t(2, [3])\nreturn x",
    "augmented assignment happens in place": f"x = Items()\nx[t(1, 1) + 1] += t(2, {A})",
    "a name that a later operand rebinds is saved": "x = 1\ndef g():\n    nonlocal x\n    x = 10\n    return 5\nreturn x + g() * 2",
    "an augmented name that its value rebinds": "x = 1\ndef g():\n    nonlocal x\n    x = 10\n    return 5\nx += g() * 2\nreturn x",
    "a walrus rebinds a name read before": "x = 1\nreturn x + (x := t(1, 5)) * x",
    "siblings at different depths keep their order": "return t(1, 1) + (t(2, 2) * t(3, 3) - t(4, 4)), t(5, 5)",
    "a method is bound before its arguments": "return None.upper(t(1, 'a').upper())",
    "an unbound local fails before what follows": "if t(0):\n    x = 1\nreturn x + t(1, 2) * 3",
    "starred arguments come before keywords": "def g(*a, k): return a, k\nreturn g(k=t(1, 1) + 1, *t(2, [2]))",
    "a starred argument is iterated over before the next one": (
        "def it():\n    LOG.append('it')\n    yield 1\ndef g(*a): return a\nreturn g(*it(), t(1, 1) + 1)"
    ),
    "dict items key by key and value by value": "return {t(1, 1) + 1: t(2, 2) + 1, t(3, 3) + 1: t(4, 4) + 1}",
    "the exception before its cause": "raise t(1, ValueError)(t(2, 'x') + 'y') from t(3, KeyError)(t(4, 'z') + 'w')",
    "several targets from left to right": "b = {'k': 1}\na = b[str(t(1, 'k')) + 'x'] = t(2, 3) + 1\nreturn a, b",
    "a display assigned to several targets is one object": "b = [0, 0]\na = b[t(1, 0) + 1] = []\na.append(1)\nreturn b",
    "a lambda assigned to several targets is one object": "b = [0, 0]\na = b[t(1, 0) + 1] = lambda: 0\nreturn b[1] is a",
    "a display compared twice is one object": (
        "class C:\n    def __lt__(self, other): self.other = other; return True\n    __gt__ = __lt__\n"
        "a, b = C(), C()\nc = a < [] < b\nreturn a.other is b.other"
    ),
    "an index that is a display is one object": (
        "class C(list):\n    def __getitem__(self, key): self.append(key); return 0\n    def __setitem__(self, key, value): self.append(key)\n"
        "a = C()\na[[]] += t(1, 2) * 2\nreturn list.__getitem__(a, 0) is list.__getitem__(a, 1)"
    ),
    "a memoryview lives no longer than it did": "b = bytearray(b'abc')\nc = bytes(memoryview(b)[:2])\ndel b[:2]\nreturn b, c",
    "a slice of a memoryview lives no longer than it did": (
        "b = bytearray(b'abc')\nm = memoryview(b)\nm = m.cast('B')\nc = bytes(m[::2]) + bytes(m.cast('c'))\n"
        "m.release()\ntry:\n    b += c\nexcept BufferError as e:\n    return e\nreturn b"
    ),
    "a membership test in a chain": "text = str(123)\nreturn ['1' < c in text < str(t(1, 3)) for c in '223']",
    "a target may use the one before it": "a = [0, 0]\ni, a[i + 0] = 1, 'x'\nreturn i, a",
    "replacement fields: value, then format, one after the other": (
        f"x = {A}\nreturn f'{{t(1, x):>{{t(2, 3) + 1}}}}{{t(3, x)}}'"
    ),
    "a later field comes after an earlier one has been formatted": (
        f"x = {A}\ny = f'{{t(1, x)}} and {{t(2, x)!r:>3}}{{t(3, 3) + 1}}'\nreturn y, f'{{t(4, x)}}{{t(5, x)}}' ' ' f'{{t(6, x):{{t(7, 1) + 1}}}}{{t(8)}}'"
    ),
    "a formatted field that fails comes before the next one": "return f'{t(1, 1):s} {t(2, 2) + 1}'",
    "the second field of a specification comes after the first is formatted": (
        f"x = {A}\nreturn f'{{t(1, x):{{t(2, x)}}{{t(3, x)}}}} {{t(4, x)!r:{{t(5, 9)}}}}'"
    ),
    "what __format__ gives may be an instance of a subclass": (
        "class S(str):\n    def __format__(self, spec): return t('again', 'x')\n"
        "class O:\n    def __format__(self, spec): return S('text')\n"
        "a, b = f'{O()}', f'{O()}{t(1, O())}'\nreturn type(a).__name__, b, f'{a} {len(a)}', f'{O()}' '' + str(t(2, 1))"
    ),
    "starred arguments of two calls, one item after the other": (
        "def it(n):\n    LOG.append('it')\n    yield n\ndef g(*a, **k): return a, k\n"
        "return g(*it(1), k=t(1, 1) + 1), g(t(2, 2) + 1, *it(3), *it(t(3, 3) + 1), k=t(4, 4) * 2), g(*it(5), t(6), **t(7, {}), z=t(8, 8) + 1)"
    ),
    "a starred argument that is no iterable": "def g(*a, **k): return a, k\nreturn g(*t(1, 5), t(2, 2) + 1)",
    "a single starred argument is unpacked last": (
        "def it():\n    LOG.append('it')\n    yield 1\ndef g(*a, **k): return a, k\nreturn g(*it(), k=t(1, 1) + 1)"
    ),
    "starred items are unpacked one after the other": (
        "def it(n):\n    LOG.append(n)\n    yield n\nreturn [*it(1), t(2) or 3, *it(4)], (*it(5), t(6, 6) + 1), {*it(7), t(8, 8) + 1}, {**t(9, {}), t(10, 1): t(11, 2) + 1}"
    ),
    "a large dict hashes its keys as it goes": (
        "class K:\n    def __init__(self, n): self.n = n\n    def __hash__(self): LOG.append(self.n); return self.n\n    def __repr__(self): return 'K'\n"
        "return {" + ", ".join(f"K({n}): t('v{n}', {n}) + 1" for n in range(20)) + "}"
    ),
    "a large dict of constants": "return {"
    + ", ".join(f"{n!r}: t({n}, {n}) + 1" for n in (*range(12), *"abcdefgh", (1, "x"), -1, None))
    + "}",
    "an f-string that prints its own source": "x = 3\nreturn f'{x + len(str(x)) = }'",
    "a with statement enters the first manager before it makes the second": (
        "with Manager('a' + str(t(1))) as x, Manager('b' + str(t(2))) as y:\n    return x + y + str(t(3))"
    ),
    "what a manager swallowed leaves its names unbound": (
        "with Manager('swallow'):\n    x = int('no' + str(t(1)))\nreturn x + t(2, 1) * 2"
    ),
    "yields from left to right": "def g():\n    x = (yield t(1, 1) + 1) or 5\n    yield x + (yield t(2, 2) + 2 or 1) or x\nreturn list(g())",
    "del stops at the first that fails": "x = Items()\ndel x[t(1, 1) + 0], x[t(2, 1) + 1], x[t(3, 3) + 1]",
    "and: truth asked once, the rest not evaluated": f"x = t(1, {F}) and t(2, 2) + 1\nreturn x",
    "or within and: truth asked as often as Python does": f"x = (t(1, {F}) or t(2, {A})) and t(3, 3) + 1\nreturn x",
    "and within or, in a condition": f"if t(1, {A}) and t(2, {F}) or t(3, {A}):\n    return 1\nreturn 2",
    "not of an and in a condition": f"if not (t(1, {A}) and t(2, {F})):\n    return 1",
    "a conditional expression evaluates one branch": f"x = t(1, 1) + 1 if t(2, {F}) else t(3, 3) * 2\nreturn x",
    "a chained comparison evaluates each operand once, lazily": (
        f"return t(1, {F}) < t(2, 2) < t(3, 3), t(4, {A}) < t(5, {A}) < t(6, 6)"
    ),
    "a chained comparison in a condition": f"if t(1, {A}) < t(2, {A}) < t(3, 3):\n    return 1",
    "while with a test that hides a value, continue and else": (
        "n = 0\nwhile t(n, n) * 2 < 6:\n    n += 1\n    if n == 2:\n        continue\nelse:\n    n = -n\nreturn n"
    ),
    "while with break does not run its else": "n = 0\nwhile t(n, n) * 2 < 6:\n    n += 1\n    break\nelse:\n    n = -n\nreturn n",
    "elif is evaluated only if the if was false": (
        "for n in range(4):\n    if t(n, n) == 0: t('a')\n    elif t(n, n) + 1 == 2: t('b')\n    elif t(n, n) * 2 == 4: t('c')\n    else: t('d')"
    ),
    "the message of an assertion only when it fails": (
        "assert t(1, 1) + 1, str(t(2)) + 'x'\nassert t(3, 1) - 1, str(t(4)) + 'x'"
    ),
    "an except clause is evaluated only for an exception": (
        "try:\n    int('x' + str(t(1)))\nexcept (t(2, KeyError), t(3, ValueError)) as e:\n    return str(e) + str(t(4))"
    ),
    "match guards and captures": (
        "match t(1, [1, 2]) + [3]:\n    case [a, *b] if t(2, a) > t(3, 1):\n        return a\n    case [a, *b]:\n        return b + [t(4, a)]"
    ),
    "guards in the middle, with captures that a failed one leaves": (
        "r = []\nfor x in [[0, 1], [1, 2], [2], {'k': 3}, 4, 5]:\n    match t('s', x):\n        case [0, b]: r.append(b)\n"
        "        case [a, b] if t(1, a) + b > 3 or t(2, a): r.append(b)\n        case {'k': a} if a > 2 and t(3, 0) + 1 > 2: continue\n"
        "        case [a] | {'k': a} if a + t(4, 1) > 3: r.append(t(5, a))\n        case int() as z if len(str(z)) + z == 5: break\n"
        "        case _: r.append('other')\n    r.append(('end', b))\nreturn r, x, a"
    ),
    "a guard that binds the name of the subject": (
        "x = [1, 2]\nmatch x:\n    case [x, _] if t(1, x) + 1 > 5: return 'first'\n    case [_, x] if (x := t(2, x) + 1) > 2: return x"
    ),
    "a guard that fails": "match t(1, 1):\n    case 1 if t(2, 2) + None: return 1\n    case _: return 2",
    "a guard in a generator, between yields": (
        "def g(x):\n    match (yield 1):\n        case int() as n if (yield n + 1) + 1 > 2: yield 'a'\n        case n: yield n, 'b'\n"
        "h = g(0)\nreturn next(h), h.send(4), h.send(0), list(h)"
    ),
    "lambda bodies run later, defaults at once": "g = lambda a, b=t(1, 1) + 1: t(2, a) * 2 + t(3, b) * 3\nt(4)\nreturn g(5)",
    "default arguments and decorators": (
        "def deco(n):\n    return lambda f: f\n@deco(t(1, 1) + 1)\ndef g(a=t(2, 2) * 2, *, k=t(3, 3) * 3): return a, k\nreturn g()"
    ),
    "one-line suites and several statements on a line": "x = t(1, 1) + t(2, 2); y = x * 2 + t(3)  if 0 else x; return x - y * 2",
    "comprehension variables do not leak": "x = 'kept'\ny = [x * 2 + t(x, 1) for x in range(3)]\nreturn x, y",
    "an augmented assignment to a stepped slice": "x = t(0, [1, 2, 3, 4])\nx[1::2] += [n + t(n, n) * 2 for n in x[::2]][::1]\nreturn x",
    "a comprehension in parentheses that is chosen": (
        "x = ({k: t(k, 1) + 1 * k for k in [1, 2]}) if t(0, 1) else {}\ny = ((i + t(i, 1) * 2) for i in [3]) if x else ()\n"
        "z = (lambda a: (a + 1) * 2) if x else None\nreturn ([i + t(1, i) * 2 for i in x]) if x else [], list(y), z(1)"
    ),
    "a chosen comprehension in parentheses that is returned": "return ([i + t(1, i) * 2 for i in [1]]) if t(0, 1) else []",
    "a walrus in a comprehension does": "y = [z := n * 2 + 1 for n in range(3) if n * 1]\nreturn y, z",
    "a lambda keeps its name": "g = lambda a: (a + 1) * 2\nreturn g.__name__, g.__qualname__, g(3)",
    "a lambda that does not get its arguments says its name": (
        "g = lambda a, b: (a + 1) * b\ntry:\n    g(1)\nexcept TypeError as error:\n    return str(error)"
    ),
    "a lambda inside a lambda keeps its name": "g = lambda a: (lambda b: (a + 1) * b)\nreturn g(1).__qualname__, g(1)(2)",
    "a lambda in a generator expression keeps its name": (
        "return [g.__qualname__.replace('<genexpr>.<locals>.', '') for g in list((lambda: t(1, i) + 1 * i) for i in [2])]"
    ),
    "a lambda in a comprehension keeps its name": "fs = [lambda: t(1, 2) + 1 * 2 for _ in [3]]\nreturn fs[0].__qualname__, fs[0]()",
    "a lambda in a method keeps its name": (
        "class C:\n    def m(self): return lambda a: (a + 1) * 2\n    k = lambda self: (t(1, 1) + 1) * 2\n"
        "return C().m().__qualname__, C.k.__qualname__, C.k.__name__, C().k()"
    ),
    "a function that is declared global has a short name": (
        "def g():\n    global h\n    def h(): return lambda a: (a + 1) * 2\n    return h()\nreturn g().__qualname__"
    ),
    "a closure in a comprehension keeps its own variable": "fs = [lambda: n * 2 + 1 for n in range(3)]\nreturn [f() + 0 for f in fs]",
    "generator expressions are lazy but for their first iterable": (
        "g = (t(n, n) * 2 + 1 for n in t('first', [1, 2]) if t('if', n) * 2)\nt('made')\nreturn list(g)"
    ),
    "private names in classes": "class C:\n    __x = 3\n    def m(self): return [self.__x + n * 2 for n in (1, 2)]\nreturn C().m()",
    "super without arguments": (
        "class P:\n    def m(self, a): return a\nclass C(P):\n    def m(self, a): return super().m(a * 2 + 1) + 1\nreturn C().m(4)"
    ),
    "an Enum gets no new members": "import enum\nclass E(enum.Enum):\n    A = len('a' + 'b') + 1\nreturn list(E)",
    "a dataclass gets no new fields": (
        "import dataclasses\n@dataclasses.dataclass\nclass D:\n    x: int = len('a') + 1\nreturn D(), dataclasses.fields(D)[0].name"
    ),
    "a recursive function has temporaries of its own": "def g(n): return 1 if n < 1 else n * g(n - 1) + g(n - 2) * 0\nreturn g(5)",
    "an argument of a string operation spread over lines": "x = 'b-a'\nreturn x.find(\n    'a'\n    ''\n) + x.find('-', 2\n - 1)",
    "a width that is an operation": "x = 'ab'\nreturn x.center(2 + 3) + x.ljust(1 | 4, '-') + x.zfill(-1)",
    "locals() shows no temporaries": "x = len('a' + 'b') + 1\nreturn sorted(locals())",
    "an operand in parentheses next to a word": "x = 1\nreturn(x)+(len('a')or 2)*(3)if(x)else(4)",
    "try, else, finally": "try:\n    x = t(1, 1) + 1\nexcept ValueError: pass\nelse: x = x * 2 + t(2, 1)\nfinally: t(str(x) + 'f')\nreturn x",
    "for over a generator that a break closes": (
        "def g():\n    try:\n        yield 1\n    finally:\n        t('closed')\nfor n in g():\n    break\nt('after')"
    ),
    "await and asynchronous loops": (
        "import asyncio\nasync def g(n): return t(n, n)\nasync def h():\n    return (await g(1)) + (await g(2)) * (await g(3 + (await g(4))))\nreturn asyncio.run(h())"
    ),
    "asynchronous comprehensions": (
        "import asyncio\nasync def a(n):\n    for i in range(t(n, n)): yield i\nasync def g(n): return t(n, n)\nasync def h():\n"
        "    x = [t(i, i) * 2 + 1 async for i in a(3) if t('if', i) + 1 > 1]\n"
        "    return x, {i + 1: await g(i) + j async for i in a(2) for j in t('in', [1, 2])}, {await g(i) + 1 for i in [1, 1]}\n"
        "return asyncio.run(h())"
    ),
    "an asynchronous comprehension over what is no asynchronous iterator": (
        "import asyncio\nasync def h(): return [len(str(i)) + 1 async for i in t([1])]\nreturn asyncio.run(h())"
    ),
    "a StopIteration in a comprehension that awaits, and a try that sees what becomes of it": (
        "import asyncio\nasync def g(n): return n\nasync def h(i):\n    try: return [await g(next(i)) for _ in 'ab']\n"
        "    except StopIteration: return 'as it is'\n    except RuntimeError as e: return str(e)\nreturn asyncio.run(h(iter([])))"
    ),
    "a StopIteration in a comprehension that awaits, in an asynchronous generator": (
        "import asyncio\nasync def g(n): return n\nasync def h(i): yield [await g(next(i)) for _ in 'ab']\n"
        "async def k():\n    try:\n        async for x in h(iter([])): t(x)\n    except RuntimeError as e: return str(e)\nreturn asyncio.run(k())"
    ),
    "a StopIteration in a comprehension that awaits, seen outside the function": (
        "import asyncio\nasync def g(n): return n\nasync def h(i): return [await g(next(i)) + 1 for _ in 'ab']\n"
        "async def k():\n    try: return await h(iter([]))\n    except RuntimeError as e: return str(e)\nreturn asyncio.run(k())"
    ),
}


def program(body: str) -> str:
    return HEAD + "def f():\n" + "".join(f"    {line}\n" for line in body.splitlines())


OPTIONS: dict[str, dict[str, object]] = {
    "decompose": {},
    "threshold 2": {"threshold": 2},
    "conditions": {"recipe": "expressions", "conditions": True},
    "methods": {"recipe": "methods"},
}


EACH = list(product(CASES, OPTIONS))


@pytest.mark.parametrize(
    ("body", "options"),
    sampled([(CASES[case], OPTIONS[name]) for case, name in EACH], map("-".join, EACH), every=11),
)
def test_the_rewrite_is_the_same_program(body: str, options: dict[str, object]) -> None:
    source = program(body)
    result = rewrite_source(source, **options)  # type: ignore[arg-type]
    before = outcomes(source, ("f()",))
    assert "SyntaxError" not in str(before)
    assert outcomes(result.source, ("f()",)) == before
    assert not rewrite_source(result.source, **options).changed  # type: ignore[arg-type]


def test_docstrings_future_imports_and_declarations_stay_first() -> None:
    source = '"""doc"""\nfrom __future__ import annotations\nx = len(str(1)) + 1\ndef f():\n    """doc"""\n    global x\n    x = len(str(x)) + 1\n'
    after = rewrite_source(source).source
    assert after.startswith('"""doc"""\nfrom __future__ import annotations\n_t0 = ')
    assert 'def f():\n    """doc"""\n    global x\n    _t0 = str(x)\n' in after


def test_module_level_temporaries_are_deleted_again() -> None:
    names: dict[str, object] = {}
    exec(rewrite_source("x = len(str(12)) + 1\nif x:\n    y = [n * 2 + 1 for n in range(x)]\n").source, names)
    assert set(names) - {"__builtins__"} == {"x", "y"}


def test_a_function_that_deletes_a_variable_releases_its_temporaries_too() -> None:
    source = (
        "import weakref\nclass Held: pass\nclass Task:\n    def __init__(self): self.args = (Held(),)\n"
        "def f(take):\n    task = take()\n    seen = weakref.ref(task.args[0])\n    str(*task.args)\n    del task\n    return seen() is None\n"
    )
    for text in (source, rewrite_source(source).source):
        names: dict[str, object] = {}
        exec(text, names)
        assert names["f"](names["Task"])  # type: ignore[operator]


@pytest.mark.parametrize("jump", ["break", "continue"])
def test_no_temporary_outlives_a_match_at_module_level_that_is_left(jump: str) -> None:
    source = (
        "seen = []\nfor n in range(4):\n    match str(n) + 'x':\n        case '1x' if len(str(n)) + n > 3: seen.append(n)\n"
        f"        case '2x':\n            if n: {jump}\n        case _ if len(str(n)) + n > 9: {jump}\n        case _: seen.append(-n)\n"
        f"    seen.append('end')\n"
    )
    before: dict[str, object] = {}
    after: dict[str, object] = {}
    exec(source, before)
    result = rewrite_source(source)
    assert not result.left
    exec(result.source, after)
    assert after["seen"] == before["seen"]
    assert set(after) == set(before)


def test_comments_stay_with_the_statement_or_its_first_step() -> None:
    source = "def f(a):\n    # why\n    return len(a) + 1  # what\n"
    assert rewrite_source(source).source == "def f(a):\n    # why\n    _t0 = len(a)\n    return _t0 + 1  # what\n"


@pytest.mark.parametrize("name", ["len", "list", "enumerate"])
def test_a_variable_of_a_comprehension_does_not_hide_a_builtin_that_a_rewrite_uses(name: str) -> None:
    source = (
        f"def f(words, text):\n    found = [{name}.upper() for {name} in words]\n    return found, text.find('an')\n"
    )
    call = "f(['ab'], 'banana')"
    [seen] = [one.seen for one in observe_calls(source, [call])]
    made = rewrite_once(source, "planned", RewriteContext("assume", Evidence((call,), seen)), options={})
    assert f"for {name} in" not in made.source and check_equivalence(source, made.source, [call], examples=0).equivalent
