"""Programs that are hard to rewrite: aliases, early exits, names that change, generators, builtins that are none, odd strings.

Each has a call that is the evidence, and further calls.
"""

from __future__ import annotations

# ruff: noqa: E501 - one program a line
from typing import NamedTuple


class HardProgram(NamedTuple):
    """A program, the call that a rewrite sees, and calls that it does not see."""

    source: str
    seen: str
    unseen: tuple[str, ...] = ()


PROGRAMS: dict[str, HardProgram] = {
    "two names of the list of a string": HardProgram(
        "def f(s):\n    a = list(s)\n    b = a\n    b.append('x')\n    n = s.count('a')\n    c = list(s)\n    c.pop()\n    return a, b, c, n\n",
        "f('banana')",
        ("f('')", "f('a')"),
    ),
    "a list of its own, try": HardProgram(
        "def f(ts):\n    chars = None\n    for t in ts:\n        try:\n            n = t.index('a')\n            chars = list(t)\n            chars.append(n)\n        except ValueError as e:\n            chars = chars, str(e)\n    return chars\n",
        "f(['banana'])",
        ("f(['banana','xyz'])", "f(['xyz'])"),
    ),
    "a list of its own, with": HardProgram(
        "class S:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True\ndef f(t):\n    chars = 0\n    with S():\n        n = t.rindex('a')\n        chars = list(t)\n        chars.append(n)\n    return chars\n",
        "f('banana')",
        ("f('xyz')",),
    ),
    "a list of its own, finally": HardProgram(
        "def f(t):\n    chars = 0\n    try:\n        n = t.find('a')\n        if n < 0: return n\n        chars = list(t)\n    finally:\n        print(chars)\n    return chars\n",
        "f('banana')",
        ("f('xyz')",),
    ),
    "a list of its own, yield": HardProgram(
        "def g(ts):\n    chars = []\n    for t in ts:\n        n = t.find('a')\n        yield n, chars\n        chars = list(t)\n        chars.append('!')\ndef f(ts): return list(g(ts))\n",
        "f(['banana','cab'])",
        ("f(['x','yab'])",),
    ),
    "a list of its own, break": HardProgram(
        "def f(ts):\n    chars = 'none'\n    for t in ts:\n        n = t.find('a')\n        if n < 1:\n            break\n        chars = list(t)\n        chars.append('!')\n    else:\n        return 'all'\n    return chars\n",
        "f(['banana','cab'])",
        ("f(['xyz'])", "f(['banana','xyz'])"),
    ),
    "a list of its own, while": HardProgram(
        "def f(t):\n    chars = []\n    i = 0\n    while i < 3:\n        i += 1\n        n = t.count('a')\n        if n == i:\n            continue\n        chars = list(t)\n        chars.reverse()\n        t = t[1:]\n    return chars, t\n",
        "f('banana')",
        ("f('axa')", "f('')"),
    ),
    "a global that a call changes": HardProgram(
        "text = 'banana'\ndef change():\n    global text\n    text = 'xya'\ndef f(n):\n    a = text.find('a')\n    if n: change()\n    return a, text.find('a'), 'a' in text, text.count('a')\n",
        "f(0)",
        ("f(1)",),
    ),
    "a global that a comparison changes": HardProgram(
        "text = 'banana'\nclass K:\n    def __eq__(self, o):\n        global text\n        text = 'xya'\n        return True\ndef f(n):\n    a = text.find('a')\n    b = n == K()\n    return a, b, text.find('a'), text[::-1]\n",
        "f(0)",
        ("f(1)",),
    ),
    "a variable that a generator changes": HardProgram(
        "def f(n):\n    text = 'banana'\n    def it():\n        nonlocal text\n        for i in range(n):\n            text = text[1:]\n            yield i\n    out = []\n    for i in it():\n        out.append((text.find('a'), text.count('a')))\n    return out, text.rfind('a')\n",
        "f(2)",
        ("f(0)", "f(5)"),
    ),
    "a variable that a walrus changes": HardProgram(
        "def f(s):\n    a = s.find('a')\n    if (s := s[1:]) and s.find('a') >= 0:\n        return a, s.find('a')\n    return [a, s.find('n'), (s := 'zz'), s.find('z')]\n",
        "f('banana')",
        ("f('x')", "f('ab')"),
    ),
    "a variable that a pattern changes": HardProgram(
        "def f(s, v):\n    a = s.find('a')\n    match v:\n        case [s, *_]: pass\n        case {'k': s}: pass\n    return a, s.find('a')\n",
        "f('banana', ['cab'])",
        ("f('banana', {'k': 'xa'})", "f('banana', 0)"),
    ),
    "a variable that an import changes": HardProgram(
        "def f(s, n):\n    a = s.find('a')\n    if n:\n        from string import digits as s\n    return a, s.find('2')\n",
        "f('banana2', 0)",
        ("f('banana2', 1)",),
    ),
    "a variable that a handler changes": HardProgram(
        "def f(s, n):\n    a = s.find('a')\n    try:\n        1 // n\n    except ZeroDivisionError as s:\n        return a, str(s).find('d')\n    return a, s.find('a')\n",
        "f('banana', 1)",
        ("f('banana', 0)",),
    ),
    "a variable that may be deleted": HardProgram(
        "def f(s, n):\n    a = s.find('a')\n    if n:\n        del s\n    return a, s.find('a')\n",
        "f('banana', 0)",
        ("f('banana', 1)",),
    ),
    "lambdas that run late": HardProgram(
        "def f(s):\n    g = lambda: s.find('a')\n    a = g()\n    s = s[::-1]\n    return a, g(), s.find('a'), [h() for h in [lambda: (c, s) for c in s]]\n",
        "f('bana')",
        ("f('')", "f('xa')"),
    ),
    "max of pairs": HardProgram(
        "def f(items):\n    return max((a, b[0]) for a, b in items)\n",
        "f([(1,'x'),(2,'y')])",
        ("f([(1,'x'),(1,[2]),(1,'')])", "f([])"),
    ),
    "sets of pairs": HardProgram(
        "def f(items):\n    return len(set((a, b[0]) for a, b in items)), frozenset([b[0]] for a, b in items)\n",
        "f([(1,'x')])",
        ("f([(1,[[]]),(1,'')])",),
    ),
    "sum, any and all, an error": HardProgram(
        "def f(items):\n    log = []\n    try:\n        return sum(len(i) for i in items), any(i[0] == 'a' for i in items), all(i[0] for i in items)\n    except IndexError as e:\n        return str(e)\n",
        "f(['a','b'])",
        ("f(['b','',3])", "f([])"),
    ),
    "sums of truth values": HardProgram(
        "def f(s):\n    return sum(c in 'aeiou' for c in s), sum(c.isalpha() and c.isupper() for c in s)\n",
        "f('banana')",
        ("f('')", "f('BaNaNa')"),
    ),
    "sorted pairs": HardProgram(
        "def f(items):\n    return sorted((a, b[0]) for a, b in items), list(b[0] for a, b in items), tuple(a for a, b in items)\n",
        "f([(1,'x'),(2,'y')])",
        ("f([(1,'x'),(1,[2])])", "f([(1,'')])"),
    ),
    "join of a generator": HardProgram(
        "def f(items):\n    return '-'.join(i.upper() for i in items), ''.join(reversed('abc'))\n",
        "f(['a'])",
        ("f([])", "f(['a', 1])"),
    ),
    "StopIteration in a comprehension": HardProgram(
        "def f(items):\n    its = [iter(i) for i in items]\n    try:\n        return [next(i) for i in its]\n    except StopIteration:\n        return 'stop'\n",
        "f(['ab','c'])",
        ("f(['ab',''])",),
    ),
    "errors of index": HardProgram(
        "def f(s, cs):\n    out = []\n    for c in cs:\n        for g in (lambda: s.index(c), lambda: s.rindex(c)):\n            try: out.append(g())\n            except ValueError as e: out.append(str(e))\n        try: out.append(s.index(c, 1))\n        except ValueError as e: out.append(str(e))\n        try: out.append(s.rindex(c, 0, 2))\n        except ValueError as e: out.append(str(e))\n    return out\n",
        "f('banana','an')",
        ("f('banana','az')", "f('ab','ba')"),
    ),
    "index without a handler": HardProgram(
        "def f(s, c):\n    part = s[1:]\n    n = 0\n    for x in part:\n        n += 1\n    return s.index(c), part.index(c), n, s.rindex(c)\n",
        "f('banana','a')",
        ("f('banana','z')", "f('abc','a')"),
    ),
    "indices out of range": HardProgram(
        "def f(s, i):\n    return s[i], s[i:i+1], list(s)[i]\n",
        "f('banana',-1)",
        ("f('banana',-7)", "f('banana',6)", "f('',0)"),
    ),
    "empty separators": HardProgram(
        "def f(s, sep, n):\n    return s.split(sep), s.partition(sep), s.replace(sep, '-', n), s.rsplit(sep, n)\n",
        "f('a,b,c', ',', 1)",
        ("f('a,b', '', 1)", "f('a,b,c', ',', -1)", "f('a,b,c', ',', 0)"),
    ),
    "truth values as numbers": HardProgram(
        "def f(s, n):\n    return s.replace('a', 'b', n), s.center(n, '*'), s.find('a', n), s * n, s[::n or 1]\n",
        "f('banana', 2)",
        ("f('banana', True)", "f('banana', -1)", "f('banana', False)"),
    ),
    "case of other alphabets": HardProgram(
        "def f(s):\n    return s.upper(), s.lower(), s.title(), s.swapcase(), s.casefold(), s.capitalize(), [c.upper() for c in s], len(s.upper())\n",
        "f('banana')",
        ("f('straße İi ǆ')", "f('\\ud800a')", "f('ΑΣ')"),
    ),
    "a subclass of str": HardProgram(
        "class S(str):\n    def find(self, *a): return 'mine'\n    def __iter__(self): return iter('zz')\n    def __len__(self): return 99\n    def __contains__(self, c): return 'yes'\n    def __getitem__(self, i): return 'item'\ndef f(s):\n    return s.find('a'), list(s), len(s), 'q' in s, s[::-1], s[0], s.upper(), s.count('a')\n",
        "f('banana')",
        ("f(S('banana'))",),
    ),
    "comprehensions with the name of a variable": HardProgram(
        "def f(rows):\n    x = 'outer'\n    r = [[x.find(c) for c in x] for x in rows if x.find('a') >= 0]\n    return r, x.find('o'), {x: x.count('a') for x in rows}, x\n",
        "f(['abc','b'])",
        ("f([])", "f(['','aa'])"),
    ),
    "a class body": HardProgram(
        "class A:\n    text = 'banana'\n    n = text.find('n')\n    xs = [c for c in text if c.isalpha()]\n    def m(self, text=text): return text.find('b'), self.text.rfind('a')\ndef f(k): return A().m(), A.n, A.xs, sorted(v for v in vars(A) if v[0] != '_')\n",
        "f(0)",
        (),
    ),
    "another range": HardProgram(
        "def range(n):\n    return iter([])\ndef f(a):\n    r = 0\n    for i in range(3):\n        r += a.find('a')\n        r += i\n    return r\n",
        "f('banana')",
        ("f('x')",),
    ),
    "a builtin that is replaced later": HardProgram(
        "def g(s): return len(s), sorted(s), max(s)\ndef f(s, n):\n    if n:\n        global len\n        len = lambda x: 'mine'\n    return g(s), s.ljust(9, '.')\n",
        "f('banana', 0)",
        ("f('banana', 1)",),
    ),
    "locals after a star import": HardProgram(
        "from os.path import *\ndef f(s):\n    x = s.strip().find('a') + 1\n    return sorted(locals()), vars(), basename(s), x\n",
        "f('banana')",
        ("f('')",),
    ),
    "dir after a star import": HardProgram(
        "from string import *\ndef f(s):\n    n = len(s.strip()) + 1\n    k = dir()\n    return k, n, eval('n + 1'), digits.find('2')\n",
        "f('banana')",
        (),
    ),
    "an import that fails": HardProgram(
        "try:\n    from nowhere import vars, locals\nexcept ImportError:\n    pass\ndef f(a):\n    x = len(a.strip()) + 1\n    return sorted(locals()), sorted(vars()), x\n",
        "f('b')",
        (),
    ),
    "locals under another name": HardProgram(
        "def g(dir):\n    return dir\ndef f(a):\n    x = len(a.strip()) + 1\n    look = locals\n    return sorted(look()), x, g(1)\n",
        "f('b')",
        (),
    ),
    "eval without a namespace": HardProgram(
        "def f(a):\n    x = len(a.strip()) + 1\n    return eval('sorted(locals())', None), x\n", "f('b')", ()
    ),
    "chained comparisons": HardProgram(
        "def f(s, a, b):\n    return a < s.find('n') < b, s.find('a') == 1 != b, 'a' in s in [s], not 'a' in s, not s.find('a') == 1\n",
        "f('banana',0,5)",
        ("f('x',0,5)", "f('banana',5,0)"),
    ),
    "huge numbers": HardProgram(
        "def f(n, s):\n    return bin(n), bin(n)[2:].zfill(8), str(n)[::-1], s.find('a', n), s[n:], s.replace('a','b',n % 7)\n",
        "f(5,'banana')",
        ("f(2**200,'banana')", "f(0,'a')", "f(-5,'a')"),
    ),
    "a string that grows": HardProgram(
        "def f(ws):\n    out = ''\n    for w in ws:\n        out += w[::-1] + ' '\n        if len(out) > 8: continue\n        out = out.strip() + ','\n    return out.rstrip(','), out.split(','), out.lstrip('d')\n",
        "f(['abc','def','x'])",
        ("f([])", "f(['','',''])"),
    ),
    "a list that changes in its loop": HardProgram(
        "def f(xs):\n    for x in xs:\n        if x > 2: xs.remove(x)\n    r = []\n    for x in xs:\n        r.append(x)\n        if len(r) < 3: xs.append(x)\n    return r, xs\n",
        "f([1,3,4])",
        ("f([])", "f([5,6,7])"),
    ),
    "an augmented item, an error": HardProgram(
        "def f(d, k):\n    try:\n        d[k.strip()] += len(k) // (len(d) - 2)\n    except (KeyError, ZeroDivisionError) as e:\n        return type(e).__name__, d\n    return d\n",
        "f({'a':1}, ' a ')",
        ("f({}, 'b')", "f({'a':1,'b':2}, 'a')"),
    ),
    "shared values": HardProgram(
        "def f(s, n):\n    if s[-1] == 'y' or s[-1] == 'Y':\n        s2 = s[:-1]\n        return s2 + s[-1], len(s) - 1, s[len(s) - 1]\n    for s in [s, s[1:]]:\n        if s[-1] == 'a': n += 1\n    return s[-1], n\n",
        "f('banany', 0)",
        ("f('banana', 0)", "f('a',1)", "f('', 1)"),
    ),
    "a main block": HardProgram(
        "def f(s):\n    return s.find('a'), s[::-1]\nif __name__ == '__main__':\n    print(f(input()))\nelse:\n    X = 'banana'.find('n') + 1\n",
        "f('banana')",
        ("X",),
    ),
    "characters to strip": HardProgram(
        "def f(t, c):\n    a = t.strip(c)\n    b = t.lstrip(c), t.rstrip(c)\n    return a, b, t.removeprefix(c), t.removesuffix(c), t.strip()\n",
        "f('banana', 'xy')",
        ("f('xbananay', 'xy')", "f('', '')", "f('xxx','x')"),
    ),
    "translation tables": HardProgram(
        "def f(t, a, b):\n    table = str.maketrans(a, b)\n    u = t.translate(table)\n    return u, t.translate(table)[::-1]\n",
        "f('banana','an','xy')",
        ("f('banana','aa','xy')", "f('banana','an','na')", "f('b','ab','x')"),
    ),
    "formats": HardProgram(
        "def f(s, n):\n    return f'{s:>{n}}|{s!r}|{n=}', '%s-%5d' % (s, n), '{:<5}|{}'.format(s, n)\n",
        "f('ab', 4)",
        ("f('ab', 0)", "f('ab', -1)"),
    ),
    "a list of its own in a loop": HardProgram(
        "def f(xs):\n    out = []\n    if len(xs) == 0: out.append('e')\n    for i in range(len(xs)):\n        c = list(xs)\n        c.pop()\n        out.append(c)\n    return out\n",
        "f('abc')",
        ("f('')", "f([1])"),
    ),
    "a generator that is closed": HardProgram(
        "def g(s):\n    try:\n        for c in s:\n            yield c.upper() + s.replace(c, '')\n    finally:\n        print('closed', s.find('a'))\ndef f(s):\n    for x in g(s):\n        if 'N' in x: break\n    return x\n",
        "f('banana')",
        ("f('b')",),
    ),
    "a shared default": HardProgram(
        "def f(s, seen=[]):\n    chars = list(s)\n    seen += chars\n    k = s.count('a')\n    chars.append(k)\n    return list(seen), chars, s.index(s[0])\n",
        "f('ab')",
        ("f('b')", "f('')"),
    ),
    "a variable that may be unbound": HardProgram(
        "def f(n):\n    if n: text = 'banana'\n    try:\n        for i in range(3):\n            k = text.find('a') + i\n            print(text.count('n'))\n    except UnboundLocalError as e:\n        return str(e), sorted(locals())\n    return k\n",
        "f(1)",
        ("f(0)",),
    ),
    "pairs": HardProgram(
        "def f(a, b):\n    return [x + y for x, y in zip(a, b)], dict(zip(a, b)), [i for i, c in enumerate(a) if c in b], sum(x == y for x, y in zip(a, b))\n",
        "f('abc','abd')",
        ("f('','a')", "f('aa','bb')"),
    ),
    "a recursive reversal": HardProgram(
        "def f(s):\n    if len(s) < 2: return s\n    return f(s[1:]) + s[0]\n", "f('banana')", ("f('')",)
    ),
    "and, or and not as values": HardProgram(
        "def f(s):\n    return s and s.isdigit() or not s.find('a'), bool(s) and s[0] == s[-1], s.isalpha() if s else s\n",
        "f('banana')",
        ("f('')", "f('12')", "f('a')"),
    ),
    "unpacked strings": HardProgram(
        "def f(t):\n    a, *b = t.split()\n    c = d = t.lower()\n    c += a\n    return a, b, c, d, (x := t.title()), x.swapcase()\n",
        "f('Foo Bar')",
        ("f('')", "f('ßa')"),
    ),
    "iterators used again": HardProgram(
        "def f(s):\n    it = iter(s)\n    a = sum(c == 'a' for c in it)\n    b = list(it)\n    it = iter(s)\n    c = any(c == 'n' for c in it)\n    return a, b, c, list(it), max((c for c in iter(s)), default='-')\n",
        "f('banana')",
        ("f('')", "f('xyz')"),
    ),
    "items with side effects": HardProgram(
        "def f(xs):\n    total = 0\n    def add(k):\n        nonlocal total\n        total += k\n        return total\n    return sum(add(x) for x in xs), total, max(add(x) for x in xs), [add(x) for x in xs if x], total\n",
        "f([1,2])",
        ("f([1,'a'])", "f([0])"),
    ),
    "errors while items are compared": HardProgram(
        "def f(xs):\n    out = []\n    try:\n        out.append(max(len(x) for x in xs))\n        out.append(min(x[0] for x in xs))\n        out.append(set(x[1] for x in xs))\n    except (ValueError, IndexError, TypeError) as e:\n        out.append((type(e).__name__, str(e)))\n    return out\n",
        "f(['ab','cd'])",
        ("f([])", "f(['ab','c'])", "f([1])", "f(['', 'a'])"),
    ),
    "generators over a dict": HardProgram(
        "def f(d):\n    return sum(v for k, v in d.items() if k), all(isinstance(v, int) for v in d.values()), sorted(k[0] for k in d), ''.join(sorted(d))\n",
        "f({'a': 1, 'b': 2})",
        ("f({'a': True, '': 3})", "f({})", "f({'a': 1.5})"),
    ),
    "closures over loop variables": HardProgram(
        "def f(n):\n    fs = []\n    for i in range(n):\n        s = 'abc'[i:]\n        fs.append(lambda: (s.find('c'), i, s[::-1]))\n    k = s.find('b')\n    s = 'zzc'\n    return [g() for g in fs], k, s.find('c')\n",
        "f(3)",
        ("f(1)",),
    ),
    "closures over changed variables": HardProgram(
        "def f(s):\n    def g():\n        return s.find('a'), t\n    t = s.count('a')\n    r = g()\n    t = s.count('b')\n    s = s.replace('a', 'b')\n    return r, g(), t, s.find('b')\n",
        "f('banana')",
        ("f('')",),
    ),
    "an exception in the middle of an expression": HardProgram(
        "def f(a, i):\n    r = []\n    try:\n        r.append(a[i].strip().find(a[i + 1]) + len(r))\n        r.append(a[0].index(a[1]) // len(a[2:]))\n    except IndexError as e: r.append(str(e))\n    except ZeroDivisionError as e: r.append(str(e))\n    except (ValueError, AttributeError, TypeError) as e: r.append(str(e))\n    finally: r.append(len(a))\n    return r\n",
        "f(['abc','c','d'], 0)",
        ("f(['a','b'], 0)", "f(['abc','c'], 0)", "f('banana', 4)", "f([1, 2], 0)", "f(['a', 1], 0)"),
    ),
    "an exception, finally": HardProgram(
        "def f(s):\n    try:\n        return s.split('-')[1].upper() + s.split('-')[2]\n    except IndexError as e:\n        return str(e), s.rsplit('-', 1)[-1]\n    finally:\n        s = 'x'\n        print(s.find('x'))\n",
        "f('a-b-c')",
        ("f('a')", "f('')"),
    ),
    "with, an exception that is swallowed": HardProgram(
        "class C:\n    def __init__(self, log): self.log = log\n    def __enter__(self): self.log.append('in'); return self.log\n    def __exit__(self, t, v, b): self.log.append(str(v)); return t is ValueError\ndef f(s, c):\n    log = []\n    n = -5\n    with C(log) as out:\n        n = s.index(c)\n        out.append(n + len(s[::-1]))\n    return log, n, s.find(c)\n",
        "f('banana','n')",
        ("f('banana','z')", "f('', 'a')"),
    ),
    "lines of a file": HardProgram(
        "def f(s):\n    import io\n    with io.StringIO(s) as h:\n        lines = [l.strip() for l in h]\n        a = [l for l in lines if l.startswith('a')]\n    return lines, a, s.splitlines(), s.count('\\n')\n",
        "f('ab\\ncd')",
        ("f('')", "f('a\\r\\nb\\x0bc')"),
    ),
    "match on every kind of value": HardProgram(
        "def f(v):\n    match v:\n        case str() as s if (n := s.find('a')) >= 0: return s, n\n        case [x, *r] if x.upper() == 'A': return r, x\n        case {'k': k, **rest}: return k, rest\n        case int() | float(): return str(v)[::-1]\n        case _: return 'none'\n",
        "f('banana')",
        ("f(['a', 1])", "f({'k': 1, 'z': 2})", "f(12)", "f(True)", "f('xyz')", "f(None)"),
    ),
    "a dict that changes": HardProgram(
        "def f(d, k):\n    d[k.lower()] = d.pop(k, '') + k[::-1]\n    d[k] = d.setdefault(k.lower(), '').replace('a', d.get('z', 'q'))\n    del d[k]\n    return d\n",
        "f({'Ab': 'xa'}, 'Ab')",
        ("f({}, 'A')", "f({'z': 'w'}, 'Aa')"),
    ),
    "items that are swapped": HardProgram(
        "def f(xs, i):\n    xs[i], xs[i - 1] = xs[i - 1].upper(), xs[i].lower()\n    i, xs[i] = 0, xs[i] + xs[0][::-1]\n    xs[len(xs[0]) % 2] += xs[-1].strip('A')\n    return xs, i\n",
        "f(['ab','CD'], 1)",
        ("f(['ab','CD'], 0)", "f(['','x','y'], 2)"),
    ),
    "two names of one list": HardProgram(
        "def f(s, n):\n    a = b = list(s)\n    a += [s.find('a')]\n    b = b + [n]\n    a *= n\n    c = a is b, b[-1]\n    a.sort(key=str)\n    return a, b, c\n",
        "f('ba', 2)",
        ("f('', 0)", "f('ba', -1)"),
    ),
    "a class with its own protocol": HardProgram(
        "class P:\n    def __init__(self, s): self.s = s\n    def __len__(self): return len(self.s)\n    def __iter__(self): return iter(self.s[::-1])\n    def __contains__(self, c): return self.s.find(c) > 0\n    def __getitem__(self, i): return self.s[i]\n    def find(self, c): return 'P' + c\n    def __add__(self, o): return P(self.s + str(o))\n    def __repr__(self): return f'P({self.s})'\ndef f(s):\n    p = P(s)\n    return list(p), 'a' in p, len(p), p[0], p.find('a'), (p + 'x')[::-1], sorted(p), max(p), p + 1\n",
        "f('banana')",
        ("f('ab')",),
    ),
    "a class body with conditions": HardProgram(
        "class A:\n    text = 'banana'\n    n = text.count('a')\n    if n > 2: k = text.find('n')\n    else: k = text[::-1]\n    def g(self): return self.text.replace('a', self.__class__.text[0])\n    @property\n    def p(self): return self.text.find('b') + len(super().__repr__()[:0])\ndef f(x):\n    a = A()\n    a.text = x\n    return a.g(), A().g(), a.p, A.k, {k: v for k, v in vars(A).items() if k in 'nk'}\n",
        "f('ab')",
        ("f('')",),
    ),
    "a global that every operand changes": HardProgram(
        "counter = 0\nnames = []\ndef bump(k):\n    global counter\n    counter += k\n    names.append(str(counter))\n    return counter\ndef f(n):\n    a = counter + bump(n) * counter\n    b = [counter for _ in range(2) if bump(1)]\n    c = counter < bump(2) < counter + bump(1)\n    return a, b, c, ''.join(names), len(names) + bump(len(names))\n",
        "f(1)",
        ("f(0)",),
    ),
    "a global changed by its name": HardProgram(
        "SEP = ','\ndef setsep(s):\n    globals()['SEP'] = s\n    return s\ndef f(t, s):\n    a = t.split(SEP)\n    setsep(s)\n    b = t.split(SEP), SEP in t, t.find(SEP), SEP.join(a)\n    return a, b\n",
        "f('a,b;c', ',')",
        ("f('a,b;c', ';')",),
    ),
    "a global constant": HardProgram(
        "VOWELS = 'aeiou'\ndef f(s):\n    n = 0\n    for c in s:\n        if c in VOWELS: n += 1\n    return n, sum(c in VOWELS for c in s), [c for c in s if c not in VOWELS], VOWELS.find('e'), VOWELS.index('i') + VOWELS.count('o')\n",
        "f('banana')",
        ("f('')", "f('xyz')"),
    ),
    "loops that search": HardProgram(
        "def f(s, c):\n    n = 0\n    while c in s and s.find(c) < 4:\n        s = s.replace(c, '', 1)\n        n += len(s) - len(s.strip())\n        if n > 9: break\n    else:\n        n = -1\n    i = len(s)\n    while i and s[i - 1] == s[-1]: i -= 1\n    return n, s, i\n",
        "f('banana','a')",
        ("f('','a')", "f('aaa','a')"),
    ),
    "negative indices and steps": HardProgram(
        "def f(s, i, j, k):\n    return s[i:j:k], s[::k], s[j::-1], s[-i:], s[:-j or None], s.find('a', -i), s.rfind('a', i, -j), s.split('a', -k)\n",
        "f('banana', 1, 3, 2)",
        ("f('banana', -9, 9, -1)", "f('banana', 3, 1, -2)", "f('', 0, 0, 1)", "f('ab', 0, 0, -1)"),
    ),
    "characters that change their length": HardProgram(
        "def f(s, t):\n    return s.upper().find(t), s.lower().count(t), s.title(), s.center(9, 'é'), s.zfill(8), s.isalpha(), s.isdigit(), s.casefold() == t.casefold(), s.translate({ord('a'): 'ß'}), s.capitalize()\n",
        "f('banana','A')",
        (
            "f('İstanbul','i')",
            "f('ſtraße','SS')",
            "f('e\\u0301a','e')",
            "f('²','2')",
            "f('-12','x')",
            "f('\\U0001F600a','a')",
        ),
    ),
    "a subclass of str with its own operators": HardProgram(
        "class S(str):\n    def upper(self): return 'UP'\n    def __add__(self, o): return 'add'\n    def __eq__(self, o): return True\n    def __hash__(self): return 1\n    def __bool__(self): return False\ndef f(s, t):\n    return s.upper(), s + t, s == t, s in 'xyz', t in s, s.replace(t, 'x'), s.join([t, t]), (s or t), s.strip(t), s.split(t), s.startswith(t), [s.lower() for _ in t]\n",
        "f('banana','an')",
        ("f(S('banana'),'an')", "f('banana', S('an'))"),
    ),
    "numbers and truth values that are equal": HardProgram(
        "def f(xs):\n    n = 0\n    for x in xs:\n        n += x == 1\n    best = 0\n    for x in xs:\n        if x > best: best = x\n    seen = {}\n    for x in xs: seen[x] = seen.get(x, 0) + 1\n    return n, best, seen, max(xs), sum(x for x in xs), [x is True for x in xs]\n",
        "f([1, 2])",
        ("f([True, 1])", "f([1, True])", "f([1.0, 1, True])", "f([0.0, -0.0, False])"),
    ),
    "numbers that are not equal to themselves": HardProgram(
        "def f(xs):\n    best = 0.0\n    for x in xs: best = max(best, x)\n    low = xs[0]\n    for x in xs:\n        if x < low: low = x\n    return best, low, [x in xs for x in xs], [x == x for x in xs], xs.count(xs[0]), max(x for x in xs)\n",
        "f([1.0, 2.0])",
        ("f([float('nan'), 1.0])", "f([1.0, float('nan')])"),
    ),
    "recursion": HardProgram(
        "memo = {}\ndef fib(n):\n    if n < 2: return n\n    return fib(n - 1) + fib(n - 2)\ndef f(n, s):\n    def walk(t):\n        if not t: return ''\n        return walk(t[1:]) + t[0].upper()\n    return fib(n), walk(s), [fib(k) for k in range(n) if fib(k) % 2]\n",
        "f(6, 'abc')",
        ("f(0, '')",),
    ),
    "starred arguments": HardProgram(
        "def g(*a, sep='-', **k): return sep.join(map(str, a)), sorted(k)\ndef f(s, *r, **k):\n    return g(*s.split(','), *(x.upper() for x in r), sep=s[0], **k), g(*s, **{s.strip(): 1})\n",
        "f('a,b', 'c', z=1)",
        ("f(',')", "f('ab')"),
    ),
    "nested comprehensions": HardProgram(
        "def f(rows):\n    w = [[c.upper() for c in r if c.isalpha()] for r in rows]\n    x = {r: {c: r.count(c) for c in r} for r in rows if r}\n    y = [(i, j) for i, r in enumerate(rows) for j, c in enumerate(r) if c == 'a']\n    z = {c for r in rows for c in r if c in 'abc'}\n    return w, x, y, sorted(z), [r for r in rows if all(c.islower() for c in r)], r if (r := 'q') else 0\n",
        "f(['ab','cA'])",
        ("f([])", "f(['','a1'])"),
    ),
    "a variable that is deleted and bound again": HardProgram(
        "def f(s):\n    a = s.find('a')\n    t = s\n    del s\n    try: s\n    except UnboundLocalError as e: b = str(e)\n    s = t[::-1]\n    return a, b, s.find('a'), t.find('a')\n",
        "f('banana')",
        ("f('')",),
    ),
    "runs of characters": HardProgram(
        "def f(s):\n    i = 0\n    out = []\n    while i < len(s):\n        j = i\n        while j < len(s) and s[j] == s[i]: j += 1\n        out.append(s[i] + str(j - i))\n        i = j\n    return ''.join(out), out[-1:] , s[:i - 1] + s[i:]\n",
        "f('aabccc')",
        ("f('')", "f('a')"),
    ),
    "formats of objects": HardProgram(
        "class V:\n    def __format__(self, s): return 'F' + s\n    def __str__(self): return 'S'\n    def __repr__(self): return 'R'\ndef f(v, w):\n    return f'{v}', f'{v:>{w}}', f'{v!s}', f'{v!r:>4}', '%s %r' % (v, v), '{} {!r} {:x}'.format(v, v, w), str(v) + repr(v), format(v)\n",
        "f('a', 3)",
        ("f(V(), 3)", "f(None, 2)", "f(1.5, 4)"),
    ),
}
