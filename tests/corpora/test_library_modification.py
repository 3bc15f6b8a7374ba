"""Calls of one job do not see each other's state: not proven, and so apart, or proven, and the same together."""

import pytest

from corpora.execute import run_calls
from corpora.library_modification import may_modify_library

# Programs whose `f(1)` changes what `f(0)` gives in the same process.
LEAKS = {
    "a namespace": "import json\ndef f(n):\n    if n: vars(json)['dumps'] = str\n    return json.dumps(n)",
    "an attribute of a module": "import math\ndef f(n):\n    if n: math.pi = 3\n    return math.pi",
    "an alias of a module": "import math\ndef f(n, m=math):\n    if n: m.pi = 3\n    return math.pi",
    "an attribute of a class of the library": (
        "from collections import Counter\ndef f(n):\n    if n: Counter.most_common = len\n"
        "    return Counter('aab').most_common()"
    ),
    "an alias of a class": (
        "from collections import Counter\ndef f(n):\n    k = type(Counter())\n    if n: k.most_common = len\n"
        "    return Counter('aab').most_common()"
    ),
    "a method of a class that sets an attribute": (
        "from collections import Counter\nclass C:\n    def put(self): self.most_common = len\ndef f(n):\n"
        "    if n: C.put(Counter)\n    return Counter('aab').most_common()"
    ),
    "a library function that sets attributes": (
        "import functools, collections\ndef f(n):\n    if n: functools.update_wrapper(collections.Counter, len)\n"
        "    return collections.Counter.__name__"
    ),
    "a file that stays open": "import os\ndef f(n):\n    return os.open('/dev/null', 0) + n",
    "a built-in": "import builtins\ndef f(n):\n    if n: builtins.len = str\n    return len([1])",
    "a built-in by the name of the namespace": "def f(n):\n    if n: __builtins__.len = str\n    return len([1])",
    "an object that site adds": "def f(n):\n    if n: exit.name = 'x'\n    return str(exit)",
    "standard input that exit closes": (
        "def f(n):\n    if n:\n        try: exit()\n        except SystemExit: return 1\n    return input()"
    ),
    "the frame of a generator": (
        "def g(): yield\ndef f(n):\n    if n: g().gi_frame.f_builtins['len'] = str\n    return len([1])"
    ),
    "an attribute by a pattern": (
        "def g(): yield\ndef f(n):\n    match g():\n"
        "        case object(gi_frame=object(f_builtins=b)) if n: b['len'] = str\n"
        "    return len([1])"
    ),
    "an attribute by a string": "import math\ndef f(n):\n    if n: setattr(math, 'pi', 3)\n    return math.pi",
    "code in a string": "def f(n):\n    if n: exec('import math; math.pi = 3')\n    import math\n    return math.pi",
    "a finalizer": (
        "class C:\n    def __del__(self): print('late')\ndef f(n):\n    if n:\n        c = C()\n        c.c = c\n"
        "    return len([[] for _ in range(10**4)])"
    ),
    "a finalizer of a class that is made by strings": (
        "def f(n):\n    if n:\n        c = type(int)('C', (), {'__del__': lambda self: print('late')})()\n"
        "        c.c = c\n"
        "    return len([[] for _ in range(10**4)])"
    ),
    "a generator that is closed late": (
        "def g(held):\n    try: yield\n    finally: print('late')\ndef f(n):\n    if n:\n        held = []\n"
        "        held.append(g(held))\n        next(held[0])\n    return len([[] for _ in range(10**4)])"
    ),
    "the recursion limit": (
        "import sys\ndef f(n):\n    if n: sys.setrecursionlimit(500)\n    return sys.getrecursionlimit()"
    ),
    "the filters of warnings": "import warnings\ndef f(n):\n    warnings.warn('a')\n    return n",
    "a warning of a regular expression": "import re\ndef f(n):\n    return bool(re.match('[[a]', '[')) and 0",
    "the context of decimal": (
        "import decimal\ndef f(n):\n    if n: decimal.getcontext().prec = 2\n    return decimal.Decimal(1) / 3"
    ),
    "the environment": "import os\ndef f(n):\n    if n: os.environ['A'] = '1'\n    return os.environ.get('A')",
    "the folder": "import os\ndef f(n):\n    if n: os.chdir('/usr')\n    return os.getcwd()",
    "a thread": (
        "import threading, time\ndef f(n):\n"
        "    if n: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
        "    return threading.active_count()"
    ),
    "a signal handler": (
        "import signal\ndef f(n):\n    if n: signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "    return signal.getsignal(signal.SIGINT) is signal.SIG_IGN"
    ),
    "the locale": (
        "import locale\ndef f(n):\n    if n: locale.setlocale(locale.LC_ALL, 'C')\n"
        "    return locale.setlocale(locale.LC_CTYPE)"
    ),
    "a registered class": (
        "import collections.abc\ndef f(n):\n    if n: collections.abc.Sequence.register(set)\n"
        "    return isinstance({1}, collections.abc.Sequence)"
    ),
    "a cached alias": (
        "from typing import Callable\ndef f(n):\n    return Callable[[1], int] if n else Callable[[True], int]"
    ),
}


@pytest.mark.parametrize("source", LEAKS.values(), ids=LEAKS)
def test_no_call_sees_the_state_of_another(source: str) -> None:
    [alone] = run_calls(source, ["f(0)"])
    assert may_modify_library(source)
    assert run_calls(source, ["f(1)", "f(0)"])[1] == alone


@pytest.mark.parametrize(
    "call", ["__import__('sys').setrecursionlimit(99) or f(1)", " exec('1')", "f(open('/dev/null'))", "f(1"]
)
def test_a_call_may_modify_the_library_too(call: str) -> None:
    assert may_modify_library("def f(x): return x", ["f(1)", call])


PROVEN = {
    "arithmetic": "def f(x):\n    return x * 2 + len(str(x))",
    "classes without imports": (
        "class A:\n    count = 0\n    def __init__(self, x):\n        self.x = x\n        A.count += 1\n"
        "    def __repr__(self): return f'{self.__class__.__name__}({self.x})'\ndef f(x): return [A(x), A.count]"
    ),
    "functions in C": "import math, itertools\ndef f(x): return math.sqrt(x), [*itertools.repeat(x, 2)]",
    "constants": "import string, sys\ndef f(x): return string.digits, sys.maxsize, x",
    "typing and collections": (
        "from typing import List\nfrom collections import Counter, defaultdict\ndef f(x: List[int]):\n"
        "    d = defaultdict(int)\n    d[x] += 1\n    return Counter([x]), d"
    ),
    "a type in a comparison": "def f(x): return type(x) == int, type(x).__name__, x.__class__.__name__",
    "seeded randomness": "import random\ndef f(x): return random.random(), random.randint(0, 9)",
    "state of its own": "seen = []\ndef f(x):\n    seen.append(x)\n    return [*seen]",
    "output and exceptions": "def f(x):\n    print(x)\n    raise ValueError(x)",
}


@pytest.mark.parametrize("source", PROVEN.values(), ids=PROVEN)
def test_a_proven_program_gives_the_same_in_a_shared_process(source: str) -> None:
    calls = ["f(1)", "f(2)", "f(1)"]
    assert not may_modify_library(source, calls)
    assert run_calls(source, calls) == [run_calls(source, [call])[0] for call in calls]


@pytest.mark.medium
def test_a_limit_that_earlier_calls_used_up_does_not_count() -> None:
    output = "def f(n):\n    print('a' * n)"
    outcomes = run_calls(output, ["f(600000)", "f(600000)", "f(5)"])
    assert [(outcome.status, len(outcome.stdout)) for outcome in outcomes] == [
        ("ok", 600001),
        ("ok", 600001),
        ("ok", 6),
    ]
    memory = "def f(n):\n    held = [bytearray(n)]\n    held.append(held)\n    return len(held)"
    assert [one.status for one in run_calls(memory, ["f(3 * 10**8)"] * 3)] == ["ok"] * 3
