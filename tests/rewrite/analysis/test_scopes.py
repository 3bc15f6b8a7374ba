"""Names: which scope they belong to, and which ones are the same; each program prints the same before and after."""

from __future__ import annotations

# ruff: noqa: E501 - one program a line can be compared at a glance
from itertools import product

import pytest

from rewrite.rewriting import rewrite_source
from tests.rewrite.drawn import OPTIONS, assert_same
from tests.rewrite.test_rewriting import outcomes
from tests.samples import sampled

PROGRAMS: dict[str, str] = {
    "a global declaration": ("b='keep'\ndef f():\n    global b; return [str(b)+'x' for b in 'pq']\nprint(f(), b)"),
    "a nonlocal declaration": (
        "def o():\n    b='keep'\n    def f():\n        nonlocal b\n        return [str(b)+'x' for b in 'pq']\n    r=f()\n    return r,b\nprint(o())"
    ),
    "a global that nothing binds": (
        "import sys\ndef f():\n    global b; return [str(b)+'x' for b in 'pq']\nprint(f(), hasattr(sys.modules[__name__],'b'))\n"
    ),
    "class body global": ("b='keep'\nclass A:\n    global b\n    c=[str(b)+'x' for b in 'pq']\nprint(A.c,b)"),
    "walrus global": ("b='keep'\ndef f():\n    global b\n    return [str(b:=x)+'x' for x in 'pq']\nprint(f(), b)"),
    "walrus global2": (
        "def f():\n    global y\n    r=[[str(y:=x)+'x' for x in p] for p in ('ab','cd')]\n    return r\nprint(f(),y)"
    ),
    "except as global": ("e=5\ndef f():\n    global e\n    r=[str(e)+'x' for e in 'pq']\n    return r\nprint(f(),e)"),
    "except as": (
        "def f():\n    r=[str(e)+'x' for e in 'pq']\n    try: 1/0\n    except ZeroDivisionError as e: pass\n    return r\nprint(f())"
    ),
    "import global": (
        "def f():\n    global os\n    r=[str(os)+'x' for os in 'pq']\n    import os\n    return r\nprint(f(),os.sep)"
    ),
    "class in a function global": (
        "def f():\n    global A\n    r=[str(A)+'x' for A in 'pq']\n    class A: x=1\n    return r\nprint(f(),A.x)"
    ),
    "generator expression nonlocal": (
        "def o():\n    b='keep'\n    def f():\n        nonlocal b\n        return list(str(b)+'x' for b in 'pq')\n    r=f()\n    return r,b\nprint(o())"
    ),
    "lambda nested comprehension global": (
        "b='keep'\ndef f():\n    global b; return (lambda: [str(b)+'x' for b in 'pq'])()\nprint(f(), b)"
    ),
    "global temp name2": ("def f(a):\n    global _t0\n    _t0=7\n    return len(str(a))+1\nprint(f(3),_t0)"),
    "NFKC: temp": ("ﬁ=2\n_ｔ0=7\ndef f(a):\n    return len(str(a))+_ｔ0+ﬁ\nprint(f(3),_t0,fi)"),
    "NFKC: bind": ("def f(a):\n    fi=len(str(a))+1\n    return fi+len([ﬁ+1 for ﬁ in (1,2)])+fi\nprint(f(3))"),
    "NFKC: shadow": ("def f(s,ｌen):\n    return len(s)+len(s[1:])\nprint(f('abc', lambda x: 5))"),
    "NFKC: shadow2": (
        "ｌen=lambda s:5\ndef f(s):\n    return s.startswith('a')+s.endswith('bc')+len(s)\nprint(f('abc'))"
    ),
    "NFKC: global": ("ﬁ='keep'\ndef f():\n    global fi\n    return [str(ﬁ)+'x' for ﬁ in 'pq']\nprint(f(),fi)"),
    "NFKC: locals": ("def f():\n    x=len(str(1))+1\n    return sorted(ｌocals())\nprint(f())"),
    "NFKC: method": ("def f(s):\n    return s.ﬁnd('a')\nprint(f('bca'))"),
    "NFKC: keyword arg": ("def f(s):\n    return s.split(ｓep='a')+list(s.split(ｍaxsplit=1))\nprint(f('bca c'))"),
    "NFKC: except del": (
        "def f(a):\n    fi=3\n    x=ﬁ+len(str(a))\n    try: 1/0\n    except Exception as ﬁ: pass\n    return fi+len(str(x))\ntry: print(f(1))\nexcept Exception as e: print(type(e),e)"
    ),
    "NFKC: del": (
        "def f(a):\n    fi=3\n    if a: del ﬁ\n    return fi+len(str(a))\ntry: print(f(1))\nexcept Exception as e: print(type(e),e)"
    ),
    "NFKC: walrus": ("def f(a):\n    fi=3\n    return fi+(ﬁ:=len(str(a)))+fi\nprint(f(1))"),
    "NFKC: kinds": (
        "def f(a):\n    fi='a'\n    ﬁ=[1]\n    return fi.index(1)+a.find('a')\ntry: print(f('a'))\nexcept Exception as e: print(type(e),e)"
    ),
    "NFKC: for kinds": (
        "def f(a):\n    fi='a'\n    for ﬁ in [[1]]: pass\n    return fi.index(1)+len(fi.copy())\nprint(f('a'))"
    ),
    "NFKC: super": (
        "class P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,x):\n        return [ｓuper().f(x) for _ in [0]]\ntry: print(A().f(3))\nexcept Exception as e: print(type(e))"
    ),
    "inner function reads global with comprehension name": (
        "x='glob'\ndef f(xs):\n    def g():\n        return x\n    a=[len(str(x))+1 for x in xs]\n    return a,g()\nprint(f([1,2]))"
    ),
    "inner default reads": (
        "x='glob'\ndef f(xs):\n    a=[len(str(x))+1 for x in xs]\n    def g(y=x): return y\n    return a,g()\nprint(f([1,2]))"
    ),
    "annotation declares": (
        "x='glob'\ndef f(xs):\n    a=[len(str(x))+1 for x in xs]\n    x: int\n    try: return a,x\n    except NameError as e: return a, type(e).__name__, str(e)\nprint(f([1,2]))"
    ),
    "match star": (
        "def f(xs):\n    a=[len(str(y))+1 for y in xs]\n    match xs:\n        case [x,*y]: return a,x,y\nprint(f([1,2]))"
    ),
    "match mapping rest": (
        "def f(xs):\n    a=[len(str(y))+1 for y in xs]\n    match {'a':1,'b':2}:\n        case {'a':x,**y}: return a,x,y\nprint(f([1,2]))"
    ),
    "with as": (
        "import contextlib\ndef f(xs):\n    a=[len(str(y))+1 for y in xs]\n    with contextlib.nullcontext(5) as y: return a,y\nprint(f([1,2]))"
    ),
    "aug": (
        "def f(xs):\n    a=[len(str(y))+1 for y in xs]\n    try: y+=1\n    except NameError as e: return a, type(e).__name__, str(e)\nprint(f([1,2]))"
    ),
    "del": (
        "def f(xs):\n    a=[len(str(y))+1 for y in xs]\n    try: del y\n    except NameError as e: return a, type(e).__name__, str(e)\nprint(f([1,2]))"
    ),
    "super in comprehension": (
        "class P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,xs):\n        return [super().f(x)+1 for x in xs]\ntry: print(A().f([1,2]))\nexcept Exception as e: print(type(e).__name__,e)"
    ),
    "super in generator expression": (
        "class P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,xs):\n        return list(super().f(x)+1 for x in xs)\ntry: print(A().f([1,2]))\nexcept Exception as e: print(type(e).__name__,e)"
    ),
    "super in lambda": (
        "class P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,xs):\n        g=lambda s: len(str(super().f(s)))+1\n        return g(self), g(3)\ntry: print(A().f([1,2]))\nexcept Exception as e: print(type(e).__name__,e)"
    ),
    "super two args in comprehension": (
        "class P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,xs):\n        return [super(A,self).f(x)+1 for x in xs]\ntry: print(A().f([1,2]))\nexcept Exception as e: print(type(e).__name__,e)"
    ),
    "super over instance": (
        "class P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,xs):\n        return [super().f(x)+1 for x in [A()]]\ntry: print(A().f([1,2]))\nexcept Exception as e: print(type(e).__name__,e)"
    ),
    "super in first iter": (
        "class P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,xs):\n        return [x+len(str(x)) for x in super().f(xs)]\nprint(A().f([1,2]))"
    ),
    "super in second iter": (
        "class P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,xs):\n        return [x+len(str(x)) for y in [0] for x in super().f(xs)]\ntry: print(A().f([1,2]))\nexcept Exception as e: print(type(e).__name__,e)"
    ),
    "super in nested comprehension first iter": (
        "class P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,xs):\n        return [[x+len(str(x)) for x in super().f(xs)] for y in [0]]\ntry: print(A().f([1,2]))\nexcept Exception as e: print(type(e).__name__,e)"
    ),
    "super in fstring in comprehension": (
        "class P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,xs):\n        return [f'{super().f(x)+len(str(x))}' for x in xs]\ntry: print(A().f([1,2]))\nexcept Exception as e: print(type(e).__name__,e)"
    ),
    "mangled: written out outside": (
        "class A:\n    def f(self, xs):\n        _A__x = 'keep'\n        return [len(str(__x))+1 for __x in xs], _A__x\nprint(A().f([1,22]))"
    ),
    "mangled: written out in a comprehension": (
        "class A:\n    def f(self, xs):\n        __x = 'keep'\n        return [len(str(_A__x))+1 for _A__x in xs], __x\nprint(A().f([1,22]))"
    ),
    "mangled: another class": (
        "class A:\n    def f(self, xs):\n        __x = 'keep'\n        class _B__:\n            y = [len(str(__x))+1 for __x in xs]\n            z = [len(str(_B____x))+len(str(__x)) for _B____x in xs for __x in xs]\n        return _B__.y, _B__.z, __x\nprint(A().f([1,22]))"
    ),
    "mangled: names of lambdas": (
        "class A:\n    def __g(self): return (lambda x: len(str(x))+1)\n    class __B:\n        h = lambda x: len(str(x))+1\n    i = __B.h.__qualname__, __g(0).__qualname__\nprint(A.i)"
    ),
    "mangled: what is not": (
        "class A:\n    def f(self):\n        def g(**k): return k\n        self.__x = 5\n        class P: pass\n        p = P(); p.__dict__['__z'] = 6\n        match p:\n            case P(__z=q): return len(str(g(__x=len(str(self.__x))+1)))+q, _A__x\n_A__x = 9\nprint(A().f())"
    ),
    "__class__": (
        "class A:\n    def f(self,xs):\n        return [len(str(__class__))+x for x in xs]\nprint(A().f([1]))"
    ),
}
EACH = list(product(PROGRAMS, OPTIONS))


@pytest.mark.parametrize(
    ("source", "options"),
    sampled([(PROGRAMS[name], OPTIONS[option]) for name, option in EACH], map("-".join, EACH), every=3),
)
def test_a_name_stays_in_its_scope(source: str, options: dict[str, object]) -> None:
    assert_same(source, options, lambda text: outcomes(text, ("None",)))


def test_names_are_printed_as_they_were_written() -> None:
    source = "def f(ﬁ):\n    return len(str(ﬁ)) + len(f'{ﬁ=}')\n"
    result = rewrite_source(source)
    assert "_t0 = str(ﬁ)\n" in result.source and "f'{ﬁ=}'" in result.source
    assert [tuple(position) for position in result.positions[1:3]] == [(2, 16), (2, 12)]
