"""What a program puts in place of built-ins and of the library changes neither how it is described nor whether."""

import pytest

from corpora.execute import run_call, run_calls
from rewrite.equivalence.coverage import measure_coverage

FUNCTION = "def f(x):\n    made = [x, {'a': (1, 2.5)}, {3}]\n    return made\n"
LIES = "def lie(*given, **named): raise RuntimeError('a lie')\n"

MODULES = {
    "json": "json.dumps = json.loads = json.JSONEncoder = json.encoder.encode_basestring = lie",
    "json.encoder": "json.encoder.encode_basestring_ascii = json.encoder.c_make_encoder = lie",
    "collections": "collections.deque = collections.OrderedDict = collections.defaultdict = lie",
    "types": "for name in [name for name in vars(types) if name.endswith('Type')]: setattr(types, name, lie)",
    "hashlib": "hashlib.sha256 = lie",
    "ast": "ast.parse = ast.Call = ast.Expression = ast.Tuple = ast.Name = ast.Load = lie",
    "os": "os.fstat = os.write = os.pread = os.ftruncate = os.lseek = os._exit = lie",
    "time": "time.monotonic = time.time = lie",
    "io": "io.StringIO = io.BytesIO = io.TextIOWrapper = lie",
    "functools": "functools.lru_cache = functools.partial = lie",
    "operator": "operator.length_hint = operator.eq = lie",
    "itertools": "itertools.count = itertools.chain = lie",
    "warnings": "warnings.catch_warnings = warnings.simplefilter = lie",
    "gc": "gc.enable = gc.freeze = lie",
    "signal": "signal.setitimer = lie",
    "marshal": "marshal.loads = lie",
    "sys": "sys.settrace = sys.setprofile = sys.setrecursionlimit = sys.set_int_max_str_digits = lie",
    "codecs": "[codecs.register_error(n, lie) for n in ('strict', 'replace', 'backslashreplace', 'surrogatepass')]",
    "random": "random.seed = random.Random = random.random = lie",
    "re": "re.compile = re.match = lie",
}
BUILT_INS = (
    *("repr", "len", "sorted", "isinstance", "issubclass", "type", "id", "iter", "next", "print", "str", "int", "dict"),
    *(
        "list",
        "tuple",
        "set",
        "frozenset",
        "map",
        "zip",
        "hasattr",
        "getattr",
        "vars",
        "compile",
        "eval",
        "exec",
        "any",
    ),
    *("bytes", "memoryview", "BaseException", "Exception", "StopIteration", "object", "range", "sum", "min", "max"),
)
STATEMENTS = {
    "standard output is nothing": "import sys\nsys.stdout = None",
    "standard output is closed": "import sys\nsys.stdout.close()",
    "standard error is nothing": "import sys\nsys.stderr = None",
    "standard error is closed": "import sys\nsys.stderr.close()",
    "the descriptor of standard error is closed": "import os\ntry: os.close(2)\nexcept OSError: pass",
    "no modules": "import sys\nsys.modules.clear()",
    "modules of its own": "import sys\nsys.modules = {}",
    "built-ins cleared": "import builtins\nvars(builtins).clear()",
    "no built-ins": "__builtins__ = {}",
    "a lying name": "__name__ = 'builtins'",
    "an audit hook": "import sys\nsys.addaudithook(lambda *_: None)",
    "a timer": "import signal\nsignal.signal(signal.SIGVTALRM, lie)\nsignal.setitimer(signal.ITIMER_VIRTUAL, 0.0005)",
    "an exception hook": "import sys\nsys.excepthook = sys.unraisablehook = sys.displayhook = lie",
}
PATCHES = {
    **{f"the module {name}": f"import types, {name}\n{text}" for name, text in MODULES.items()},
    **{f"the built-in {name}": f"import builtins\nbuiltins.{name} = lie" for name in BUILT_INS},
    **STATEMENTS,
}


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
def test_the_description_holds_what_it_needs_itself(patch: str) -> None:
    honest = run_call(FUNCTION, "f(1)")
    outcomes = run_calls(f"{LIES}{FUNCTION}{patch}\n", ["f(1)", "f(1)"])
    assert [(outcome.status, outcome.snapshot) for outcome in outcomes] == [("ok", honest.snapshot)] * 2


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
def test_what_is_reached_is_counted_all_the_same(patch: str) -> None:
    source = f"{LIES}{FUNCTION}{patch}\n"
    found = measure_coverage(source, ["f(1)", "f(2)"])
    assert set(found.lines) >= {3, 4}, found


VALUES = {
    "a released view": "def f():\n    view = memoryview(b'a')\n    view.release()\n    return view",
    "a cache without what it caches": (
        "import functools\n@functools.cache\ndef g(): pass\ndel g.__wrapped__\ndef f(): return g"
    ),
    "a cache that lies": "import functools\n@functools.cache\ndef g(): pass\ng.cache_info = 1\ndef f(): return g",
    "a method bound to what lies of its name": (
        "class M(type):\n    def __getattribute__(cls, name): raise ValueError\n"
        "class L(list, metaclass=M): pass\ndef f(): return L().append"
    ),
    "a module that lies of its name": (
        "import types\nclass M(types.ModuleType):\n    def __getattribute__(self, name): raise ValueError\n"
        "def f(): return M('m')"
    ),
    "an iterator that lies of its length": (
        "class L(list):\n    def __len__(self): raise ValueError\n    def __length_hint__(self): raise ValueError\n"
        "def f(): return iter(L([1]))"
    ),
    "an exception that lies of its text": (
        "class E(Exception):\n    def __str__(self): raise ValueError\n    args = property(lambda self: 1 / 0)\n"
        "def f(): return E(1)"
    ),
    "a class that lies of itself": (
        "class M(type):\n    def __getattribute__(cls, name): raise ValueError\n"
        "class C(metaclass=M): __class__ = property(lambda self: 1 / 0)\ndef f(): return [C(), C]"
    ),
    "a name that is no text": "class C: pass\nC.__module__ = 3\ndef f(): return C()",
}


@pytest.mark.parametrize("source", VALUES.values(), ids=VALUES)
def test_a_value_that_lies_is_described(source: str) -> None:
    outcome = run_call(source, "f()")
    assert outcome.status == "ok" and '"capped":false' in outcome.snapshot, outcome.detail
