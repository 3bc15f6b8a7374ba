"""Programs that look at variables without naming them, change them so, or come before them: the same before and after."""

from __future__ import annotations

# ruff: noqa: E501 - one program a line can be compared at a glance
import contextlib
import io
import sys
import types

import pytest

from rewrite.rewriting import rewrite_source
from tests.rewrite.drawn import OPTIONS, assert_same
from tests.samples import sampled

PROGRAMS: dict[str, str] = {
    "vars of a module after a star import": (
        "from os.path import *\nnames = [v for v in vars().values() if isinstance(v, str)]\nprint(len(names) > 0)"
    ),
    "locals after a star import": (
        "from os.path import *\ndef f(a):\n    x = len(a.strip()) + 1\n    return sorted(locals()), x\nprint(f('b'))"
    ),
    "an import that fails does not hide locals": (
        "try:\n    from nowhere import locals\nexcept ImportError: pass\ndef f(a):\n    x = len(a.strip()) + 1\n    return sorted(locals()), x\nprint(f('b'))"
    ),
    "a function that hides locals later": (
        "def f(a):\n    x = len(a.strip()) + 1\n    return sorted(locals()), x\nprint(f('b'))\ndef locals(): return 'mine'\nprint(f('b'))"
    ),
    "another variable named locals": (
        "def g(locals): return locals\nlook = locals\ndef f(a):\n    x = len(a.strip()) + 1\n    return sorted(look()), x\nprint(f('b'))"
    ),
    "eval without a namespace": (
        "def f(a):\n    x = len(a.strip()) + 1\n    return eval('sorted(locals())', None), x\nprint(f('b'))"
    ),
    "a variable that is not there yet": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\ndef f(): return X + len(g())\ntry: f()\nexcept NameError as e: LOG.append(str(e))\nX=1\nf()\nprint(LOG)"
    ),
    "a function that is not there yet": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\ndef f(): return h(len(g()))\ntry: f()\nexcept NameError as e: LOG.append(str(e))\ndef h(x): return x\nf()\nprint(LOG)"
    ),
    "a class that is not there yet": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\ndef f(): return H(len(g()))\ntry: f()\nexcept NameError as e: LOG.append(str(e))\nclass H:\n    def __init__(s,x): pass\nf()\nprint(LOG)"
    ),
    "a module that is not imported yet": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\ndef f(): return (math, len(g()))\ntry: f()\nexcept NameError as e: LOG.append(str(e))\nimport math\nf()\nprint(LOG)"
    ),
    "a nested function that is not there yet": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\ndef o():\n    def f(): return h(len(g()))\n    try: f()\n    except NameError as e: LOG.append(str(e))\n    def h(x): return x\n    return f()\no()\nprint(LOG)"
    ),
    "a decorated function that is not there yet": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\ndef deco(f):\n    try: f(1)\n    except NameError as e: LOG.append(str(e))\n    return f\n@deco\ndef f(n): return f(len(g())) if n==1 else f\nprint(LOG)"
    ),
    "a class that is not there in its own body": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\nclass A:\n    def m(n): return A(len(g()))\n    try: m(1)\n    except NameError as e: LOG.append(str(e))\nprint(LOG)"
    ),
    "a default": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\ntry:\n    def f(x=X+len(g())): return x\nexcept NameError as e: LOG.append(str(e))\nX=1\nprint(LOG)"
    ),
    "a builtin that is shadowed later": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\ndef f(): return len(str(g()))\nf()\ndef len(x): return 7\nprint(f(),LOG)"
    ),
    "a deleted variable": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\nX=1\ndel X\ndef f(): return X + len(g())\ntry: f()\nexcept NameError as e: LOG.append(str(e))\nprint(LOG)"
    ),
    "a variable of a class that is not there yet": (
        "LOG=[]\ndef g():\n    LOG.append('g'); return 'ab'\nclass A:\n    try: y = X + len(g())\n    except NameError as e: LOG.append(str(e))\n    X=1\nprint(LOG)"
    ),
    "a separator changed by setattr": (
        "import sys\nSEP=','\ndef f(t):\n    return t.find(SEP)\ndef set(v):\n    setattr(sys.modules[__name__],'SEP',v)\nprint(f('a,b'))\nset('b')\nprint(f('a,b')); set('zz'); print(f('a,zz'))"
    ),
    "a separator changed by globals": (
        "SEP=','\ndef f(t):\n    return t.find(SEP), SEP.find('b')\nprint(f('a,b'))\nglobals()['SEP']='bb'\nprint(f('a,bb'))"
    ),
    "a separator changed by exec": (
        "SEP=','\ndef f(t):\n    return t.count(SEP), t.replace(SEP,'x'), SEP in t\nexec('SEP=\"bb\"')\nprint(f('a,bb'))"
    ),
    "a separator changed by another module": (
        "import prog\nSEP='ab'\ndef f(t):\n    return t.count(SEP), t.replace(SEP,'x'), SEP.upper()+'x'\nprog.SEP=['ab']\ntry: print(f(['ab',['ab']]))\nexcept Exception as e: print(type(e),e)"
    ),
    "a variable changed while an expression is evaluated": (
        "import prog\nLOG=[]\nX=1\ndef g():\n    prog.X=5\n    return 'abc'\ndef f():\n    return X+len(g()), X\nprint(f())"
    ),
    "a builtin replaced by globals": (
        "def f(t):\n    return t.startswith('ab')\nglobals()['enumerate']=lambda x: []\nprint(f('xx'))"
    ),
    "a builtin replaced by setattr": (
        "import sys\ndef f(t):\n    return t.startswith('ab'), t.find('b',1)\nsetattr(sys.modules[__name__],'len',lambda x:0)\nprint(f('xx'))"
    ),
    "a builtin replaced by exec": (
        "def f(t):\n    return t.startswith('ab'), t.find('b',1)\nexec('def len(x): return 0')\nprint(f('xx'))"
    ),
    "a builtin replaced in builtins": (
        "import builtins\nold=builtins.len\ndef f(t):\n    return t.startswith('ab'), t.find('b',1)\nbuiltins.len=lambda x:0\nr=f('xx')\nbuiltins.len=old\nprint(r)"
    ),
    "vars of the module": (
        "import sys\nm=sys.modules[__name__]\nprint(len(str(1))+1, sorted(k for k in vars(m) if not k.startswith('__')))"
    ),
    "the dict of the module": (
        "import sys\nm=sys.modules[__name__]\nprint(len(str(1))+1, sorted(k for k in m.__dict__ if not k.startswith('__')))"
    ),
    "the globals of a function": (
        "def h(): pass\nprint(len(str(1))+1, sorted(k for k in h.__globals__ if not k.startswith('__')))"
    ),
    "locals under another name": ("loc=locals\ndef f(a):\n    x=len(str(a))+1\n    return sorted(loc())\nprint(f(1))"),
    "_getframe under another name": (
        "from sys import _getframe as gf\ndef f(a):\n    x=len(str(a))+1\n    return sorted(gf().f_locals)\nprint(f(1))"
    ),
    "the frame of the caller": (
        "import sys\ndef who(): return sorted(sys._getframe(1).f_locals)\ndef f(a):\n    x=len(str(a))+1\n    return who()\nprint(f(1))"
    ),
    "the frame of a traceback": (
        "def f(a):\n    x=len(str(a))+1\n    return x+a.b.c\ntry: f(1)\nexcept Exception as e: print(sorted(e.__traceback__.tb_next.tb_frame.f_locals))"
    ),
    "the frame of a generator": (
        "def f(a):\n    x=len(str(a))+1\n    yield x\ng=f(1)\nnext(g)\nprint(sorted(g.gi_frame.f_locals))"
    ),
    "the variables of a code object": ("def f(a):\n    x=len(str(a))+1\n    return x\nprint(f.__code__.co_varnames)"),
    "locals by getattr": (
        "import builtins\ndef f(a):\n    x=len(str(a))+1\n    return sorted(getattr(builtins,'locals')())\nprint(f(1))"
    ),
    "locals by getattr and a text elsewhere": (
        "import builtins\nK='locals'\ndef f(a):\n    x=len(str(a))+1\n    return sorted(getattr(builtins,K)())\nprint(f(1))"
    ),
    "locals by getattr under another name": (
        "import builtins\nK='locals'\ng=getattr\ndef f(a):\n    x=len(str(a))+1\n    return sorted(g(builtins,K)())\nprint(f(1))"
    ),
    "the frame of a generator by inspect": (
        "import inspect\ndef f(a):\n    x=len(str(a))+1\n    yield x\ng=f(1)\nnext(g)\nprint(inspect.getgeneratorlocals(g))"
    ),
    "vars by getattr": (
        "import builtins\nl=getattr(builtins,'vars')\ndef f(a):\n    x=len(str(a))+1\n    return sorted(l())\nprint(f(1))"
    ),
    "dir of builtins under another name": (
        "import builtins\nl=builtins.dir\ndef f(a):\n    x=len(str(a))+1\n    return sorted(l())\nprint(f(1))"
    ),
    "locals imported under another name": (
        "from builtins import locals as l\ndef f(a):\n    x=len(str(a))+1\n    return sorted(l())\nprint(f(1))"
    ),
    "eval under another name": (
        "ev=eval\ndef f(a):\n    x=len(str(a))+1\n    return sorted(ev('locals()'))\nprint(f(1))"
    ),
    "getargvalues": (
        "import inspect\ndef f(a):\n    x=len(str(a))+1\n    return sorted(inspect.getargvalues(inspect.currentframe()).locals)\nprint(f(1))"
    ),
    "getargvalues of a frame of the stack": (
        "import inspect\ndef w(fr): return sorted(inspect.getargvalues(fr).locals)\ndef f(a):\n    x=len(str(a))+1\n    return w(inspect.stack()[0].frame)\nprint(f(1))"
    ),
    "a traceback that captures variables": (
        "import traceback\ndef f(a):\n    x=len(str(a))+1\n    return x+a.b.c\ntry: f(1)\nexcept Exception as e: print([sorted(s.locals) for s in traceback.TracebackException.from_exception(e,capture_locals=True).stack][1:])"
    ),
    "super under another name": (
        "s=super\nclass P:\n    def f(self,x): return x\nclass A(P):\n    def f(self,xs):\n        __class__\n        return [s().f(x)+1 for x in xs]\ntry: print(A().f([1,2]))\nexcept Exception as e: print(type(e).__name__,e)"
    ),
    "a variable named dir": (
        "import os\ndef f(dir):\n    x=len(str(dir))+1\n    return sorted(dir.split(','))\nprint(f('a,b'))"
    ),
    "vars of an object": (
        "class A: pass\ndef f(dir):\n    a=A()\n    a.x=len(str(dir))+1\n    return sorted(vars(a)), sorted(a.__dict__)\nprint(f('a,b'))"
    ),
    "dir of the module": ("import sys\nX=len('ab'+'c')+len(dir(sys.modules[__name__]))\nprint(X)"),
}


def outcome(source: str) -> tuple[str, str]:
    """What a program prints and raises as the module `prog`, which it may import."""
    module, printed = types.ModuleType("prog"), io.StringIO()
    sys.modules["prog"] = module
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(source, "<program>", "exec", dont_inherit=True), module.__dict__)
    except Exception as error:  # noqa: BLE001 - the error is the outcome
        return printed.getvalue(), f"{type(error).__name__}: {error}"
    finally:
        del sys.modules["prog"]
    return printed.getvalue(), ""


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS.keys())
@pytest.mark.parametrize("source", sampled(PROGRAMS.values(), PROGRAMS))
def test_it_does_the_same(source: str, options: dict[str, object]) -> None:
    printed, error = outcome(source)
    assert printed and not error
    assert_same(source, options, outcome)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("loc = locals\ndef f(a): return len(str(a)) + 1\n", "the module binds locals to another name"),
        ("def f(e): return len(str(e.__traceback__.tb_frame.f_locals))\n", "the module inspects f_locals"),
        (
            "import sys\nx = len(str(1)) + len(dir(sys.modules[__name__]))\n",
            "module level: the module inspects its globals",
        ),
    ],
)
def test_what_looks_is_left_alone_and_said(source: str, reason: str) -> None:
    result = rewrite_source(source)
    assert not result.changed
    assert reason in {left.reason for left in result.left}


def test_what_is_certainly_there_stays_where_it_stands() -> None:
    source = (
        "import math\nLIMIT = 10\ndef f(a):\n    return h(len(a), math, C)\n"
        "NAMES = ['a', 'b']\ndef h(*a):\n    return a\nclass C:\n    x = 1\n"
    )
    assert "    _t0 = len(a)\n    return h(_t0, math, C)\n" in rewrite_source(source).source


def test_what_may_not_be_there_is_read_first() -> None:
    source = "def f(a):\n    return h(len(a))\nprint(f(''))\ndef h(a):\n    return a\n"
    assert "    _t0 = h\n    _t1 = len(a)\n    return _t0(_t1)\n" in rewrite_source(source).source


@pytest.mark.parametrize("use", ["", "\nx = getattr(s, 'y', 1)"])
def test_a_text_that_nothing_looks_up_is_only_a_text(use: str) -> None:
    assert rewrite_source(f"def f(s, kind='locals'):\n    return len(str(s)) + 1{use}\n").changed
