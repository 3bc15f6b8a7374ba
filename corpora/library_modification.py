"""Whether a program may modify state of its process: what the interpreter and the standard library hold.

Each call runs on a fresh module. Calls of a program that is proven to reach nothing beyond its module share a process;
any other program gets a process for each call. The proof is conservative, and anything unknown is not proven. The
source and its calls name no built-in that reaches everything by a string (`eval`, `getattr`), no frame, and no special
attribute beyond a few; import only the names below; and leave nothing to the garbage collector that runs code of the
program. Library code written in Python has attributes that can be set, so a program that imports it may define no class
and set no attribute.
"""

from __future__ import annotations

import ast
import functools
import importlib
import types
from collections.abc import Collection, Iterator, Sequence

from corpora.literals import UNPARSABLE

_IMPORTS = {
    "bisect": {"bisect", "bisect_left", "bisect_right", "insort", "insort_left", "insort_right"},
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"},
    "copy": {"copy", "deepcopy"},
    "functools": {"cache", "cmp_to_key", "lru_cache", "partial", "reduce"},
    "heapq": {
        *("heapify", "heappop", "heappush", "heappushpop", "heapreplace", "merge", "nlargest", "nsmallest"),
    },
    "operator": {
        *("add", "and_", "concat", "contains", "eq", "floordiv", "ge", "getitem", "gt", "itemgetter", "le", "lt"),
        *("mod", "mul", "ne", "neg", "or_", "pow", "sub", "truediv", "xor"),
    },
    "random": {"choice", "choices", "randint", "random", "randrange", "sample", "seed", "shuffle", "uniform"},
    "string": {
        *("ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "hexdigits", "octdigits", "printable"),
        *("punctuation", "whitespace"),
    },
    "sys": {"maxsize"},
    "typing": {
        *("Any", "Dict", "FrozenSet", "Iterable", "Iterator", "List", "Optional", "Sequence", "Set", "Tuple", "Union"),
    },
}
# Modules of which every name is a function in C, a constant, or a class in C.
_WHOLE_MODULES = {"cmath", "itertools", "math"}
_REACHING_BUILTINS = {
    *("__import__", "breakpoint", "compile", "copyright", "credits", "delattr", "eval", "exec", "exit", "getattr"),
    *("globals", "help", "license", "locals", "open", "quit", "setattr", "vars"),
}
_SPECIAL_NAMES = {"__name__", "__doc__", "__slots__"}
_SPECIAL_ATTRIBUTES = {"__name__", "__doc__"}
_SPECIAL_METHODS = {
    *("__init__", "__repr__", "__str__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__"),
    *("__len__", "__bool__", "__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__next__"),
    *("__call__", "__enter__", "__exit__", "__add__", "__radd__", "__iadd__", "__sub__", "__rsub__", "__mul__"),
    *("__rmul__", "__truediv__", "__floordiv__", "__mod__", "__pow__", "__neg__", "__pos__", "__abs__", "__and__"),
    *("__or__", "__xor__", "__invert__", "__lshift__", "__rshift__", "__int__", "__float__", "__index__"),
}
_FRAME_ATTRIBUTES = ("gi_", "cr_", "ag_", "tb_", "f_", "co_")
_IMMUTABLE = (types.BuiltinFunctionType, types.MethodType, str, int, float, complex)
_HEAP_TYPE, _IMMUTABLE_TYPE = 1 << 9, 1 << 8  # Py_TPFLAGS_HEAPTYPE and Py_TPFLAGS_IMMUTABLETYPE, Include/object.h
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def may_modify_library(source: str, calls: Sequence[str] = ()) -> bool:
    r"""Whether a call of a program may change what the next call in the same process sees.

    >>> may_modify_library("import json\njson.dumps = None"), may_modify_library("import math\nmath.sqrt(1)")
    (True, False)
    """
    return bool(modification_reason(source)) or any(map(modification_reason, calls))


@functools.lru_cache(maxsize=1024)
def modification_reason(source: str) -> str:
    r"""What is not proven about a program or a call; "" if it reaches nothing beyond its module.

    >>> modification_reason("import json\njson.dumps = None")
    'it imports json'
    """
    try:
        return _Proof(ast.parse(source.strip())).reason
    except UNPARSABLE:
        return "it does not parse"


class _Proof:
    """The search for something that is not proven, in one tree."""

    def __init__(self, tree: ast.Module) -> None:
        self._modules: dict[str, str] = {}  # by the name that is bound to it
        self._imports_mutable = False
        nodes = [*ast.walk(tree)]
        imports = [reason for node in nodes for reason in self._of_import(node)]
        uses = {use for node in nodes for use in self._allowed_uses(node)}
        others = (reason for node in nodes for reason in self._of_node(node, uses))
        self.reason = next(iter(imports), "") or next(others, "")

    def _of_import(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name not in _IMPORTS and alias.name not in _WHOLE_MODULES:
                    yield f"it imports {alias.name}"
                self._modules[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            for alias in node.names:
                if node.level or not self._is_allowed(node.module or "", alias.name):
                    yield f"it imports {alias.name} from {node.module}"

    def _is_allowed(self, module: str, name: str) -> bool:
        """Whether a name of a module is allowed. Notes if it is one whose attributes can be set."""
        known = _public_names(module) if module in _WHOLE_MODULES else _IMPORTS.get(module, ())
        if name not in known:
            return False
        self._imports_mutable |= _is_mutable(module, name)
        return True

    def _allowed_uses(self, node: ast.AST) -> Iterator[int]:
        """The nodes directly below a node that are allowed there and nowhere else, by `id`.

        A module is allowed where an allowed name of it is read. A class that is looked up by `type(x)` or `x.__class__`
        is allowed where it is compared or its name is read: elsewhere it may be `type`, which makes classes by strings.
        """
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name):
            module = self._modules.get(node.value.id)
            if module is not None and self._is_allowed(module, node.attr):
                yield id(node.value)
        compared = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        named = [node.value] if isinstance(node, ast.Attribute) and node.attr == "__name__" else []
        for looked_up in (*compared, *named):
            if isinstance(looked_up, ast.Call) and len(looked_up.args) == 1 and not looked_up.keywords:
                yield id(looked_up.func)
            yield id(looked_up)

    def _of_node(self, node: ast.AST, uses: Collection[int]) -> Iterator[str]:
        if isinstance(node, ast.Name):
            if node.id in _REACHING_BUILTINS or (_is_special(node.id) and node.id not in _SPECIAL_NAMES):
                yield f"it names {node.id}"
            if node.id == "type" and id(node) not in uses:
                yield "it uses type other than in a comparison"
            if node.id in self._modules and id(node) not in uses:
                yield f"it passes the module {node.id} on, or uses a name of it that is not proven"
        elif isinstance(node, ast.Attribute):
            yield from self._of_attribute(node, uses)
        elif isinstance(node, ast.MatchClass):
            yield from (f"it reads {name}" for name in node.kwd_attrs if _is_reflective(name))
        elif isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith):
            yield "it is asynchronous"
        elif isinstance(node, _Definition):
            yield from self._of_definition(node)

    def _of_attribute(self, node: ast.Attribute, uses: Collection[int]) -> Iterator[str]:
        is_stored = not isinstance(node.ctx, ast.Load)
        is_known = node.attr in _SPECIAL_ATTRIBUTES | _SPECIAL_METHODS
        is_known |= node.attr == "__class__" and id(node) in uses
        if _is_reflective(node.attr) and (is_stored or not is_known):
            yield f"it names {node.attr}"
        if is_stored and self._imports_mutable:
            yield "it sets attributes, and imports what is written in Python"

    def _of_definition(self, node: _Definition) -> Iterator[str]:
        if _is_special(node.name) and node.name not in _SPECIAL_METHODS:
            yield f"it defines {node.name}"
        if isinstance(node, ast.ClassDef) and (node.keywords or self._imports_mutable):
            yield "it defines a class with a metaclass, or imports what is written in Python"
        if isinstance(node, ast.FunctionDef) and _ends_late(node):
            yield "a generator that is not exhausted runs code when it is collected"


def _ends_late(function: ast.FunctionDef) -> bool:
    """Whether a generator has code that runs if the generator is closed."""
    below = [*ast.walk(function)]
    yields = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in below)
    return yields and any(isinstance(node, ast.Try | ast.TryStar | ast.With) for node in below)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_reflective(name: str) -> bool:
    return _is_special(name) or name.startswith(_FRAME_ATTRIBUTES)


@functools.cache
def _public_names(module: str) -> frozenset[str]:
    return frozenset(name for name in vars(importlib.import_module(module)) if name[:1] != "_")


@functools.cache
def _is_mutable(module: str, name: str) -> bool:
    """Whether attributes of an imported object can be set. The worker runs the same interpreter."""
    value = getattr(importlib.import_module(module), name)
    if isinstance(value, type):
        return bool(value.__flags__ & _HEAP_TYPE and not value.__flags__ & _IMMUTABLE_TYPE)
    return not isinstance(value, _IMMUTABLE)
