"""The observer that notes what a program's expressions are worth: exact types, lengths, numbers, where methods stand.

It is loaded inside the sandbox's worker, so it needs the standard library only. Every expression that is evaluated goes
through a probe that gives back the very same object; for an attribute the probe looks, without running any code of the
program, whether the type holds a function under that name and nothing comes before it. Each call runs on a module of
its own; after each a line is emitted: {"call", "status", "seen"}, `seen` being [line, column, end line, end column,
types, least and greatest length, least and greatest number, plain, contents] for each expression that was evaluated.
What it does not do: judge, or look at f-strings whose parts this Python places elsewhere.
"""

from __future__ import annotations

import ast
import builtins
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from corpora.sandbox.called import Text
from corpora.sandbox.report_writer import encode

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_builtins, _clear, _update = vars(builtins), dict.clear, dict.update
_modules = sys.modules
_PROBE = "__spellout_{}__"
_TYPES: dict[type, str] = {
    kind: kind.__name__
    for kind in (str, int, float, bool, bytes, list, tuple, dict, set, frozenset, range, complex, type(None))
}
OPAQUE = "opaque"
_NAMELESS = frozenset(
    {
        *(types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.GeneratorType),
        *(types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType),
        *(types.MethodWrapperType, types.CoroutineType, types.AsyncGeneratorType),
    }
)
_SIZED = frozenset({str, bytes, list, tuple, dict, set, frozenset, range})
_FUNCTIONS = (
    types.FunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    types.BuiltinFunctionType,
    staticmethod,
    classmethod,
)
_ITERATORS = frozenset({types.GeneratorType, map, filter, zip, enumerate, reversed})
_HOLDERS = frozenset({list, tuple, dict})
_ENTRIES = frozenset({int, str, type(None)})
_MOST_ITEMS = 500
_LARGEST = 2**62
_mro = type.__dict__["__mro__"].__get__
_names_of = type.__dict__["__dict__"].__get__
_get = object.__getattribute__
Place = tuple[int, int, int, int]
Entry = list[Any]


class Expressions:
    """Options: `calls`, texts that are run one after the other, each on a module of its own."""

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._calls = [Text(call, True) for call in options["calls"]]
        self._places: list[Place] = []
        self._seen: dict[int, Entry] = {}

    def compile(self, source: str, filename: str) -> types.CodeType:
        """Keeps the module's code, its expressions routed through the probes; a module with an empty `main`."""
        tree = ast.parse(source, filename)
        router = Router(source, self._places)
        routed = ast.fix_missing_locations(router.visit(tree))
        # In the builtins, because the module's own namespace is the program's.
        setattr(builtins, _PROBE.format("value"), self._value)
        setattr(builtins, _PROBE.format("attribute"), self._attribute)
        self._code = compile(routed, filename, "exec", dont_inherit=True)
        return compile("def main(): pass", filename, "exec", dont_inherit=True)

    def run(self, entry: Callable[[], object]) -> object:
        """Every call in turn; what one raises is no reason to stop."""
        before = dict(_builtins)
        for number, call in enumerate(self._calls):
            self._seen.clear()
            _clear(_builtins)
            _update(_builtins, before)
            status = self._called(call)
            self._emit(encode({"call": number, "status": status, "seen": self._noted()}))
        return None

    def _called(self, call: Text) -> str:
        module = types.ModuleType("__main__")
        module.__dict__.update(__file__="<program>", __builtins__=builtins)
        _modules["__main__"] = module
        try:
            exec(self._code, module.__dict__)
            if call.failed:
                raise call.failed
            named: dict[str, Any] = {}
            for step in call.steps:
                value = step.value(module.__dict__, named, [])
                _read_on(value)
                if step.name:
                    named[step.name] = value
        except MemoryError:
            return "memory"
        except BaseException:  # noqa: BLE001 - whatever a program raises is evidence too
            return "raised"
        return "ok"

    def _noted(self) -> list[list[Any]]:
        return [
            [*self._places[number], sorted(kinds), least, most, low, high, plain, sorted(held)]
            for number, (kinds, least, most, low, high, plain, held) in self._seen.items()
        ]

    def _value(self, value: Any, number: int) -> Any:
        self._note(value, number)
        return value

    def _attribute(self, receiver: Any, name: str, number: int, own: int) -> Any:
        """Notes the receiver, and for the attribute `own` whether the type has it as a function."""
        self._note(receiver, number)
        plain = is_plain(receiver, name)
        known = self._seen.get(own)
        if known is None:
            self._seen[own] = [set(), None, None, None, None, plain, set()]
        elif not plain:
            known[5] = False
        return receiver

    def _note(self, value: Any, number: int) -> None:
        kind = type(value)
        size = len(value) if kind in _SIZED else None
        amount = value if kind is int and -_LARGEST < value < _LARGEST else None
        known = self._seen.get(number)
        if known is None:
            self._seen[number] = [{type_of(kind)}, size, size, amount, amount, None, contents(value)]
            return
        known[0].add(type_of(kind))
        if known[6]:
            known[6] &= contents(value)
        if size is None or known[1] is None:
            known[1] = known[2] = None
        elif not known[1] <= size <= known[2]:
            known[1], known[2] = min(known[1], size), max(known[2], size)
        if amount is None or known[3] is None:
            known[3] = known[4] = None
        elif not known[3] <= amount <= known[4]:
            known[3], known[4] = min(known[3], amount), max(known[4], amount)


def _read_on(value: Any) -> None:
    """What a generator does when it is read belongs to the call; of an endless one, a part."""
    if type(value) in _ITERATORS:
        for count, _ in enumerate(value):
            if count >= _MOST_ITEMS:
                break


def contents(value: Any) -> set[str]:
    """What of `rewrite.assumption.CONTENTS` is so of a value; of a long one, nothing is known."""
    kind = type(value)
    if kind is str:
        return {"is ASCII only"} if str.isascii(value) else set()
    if kind not in _HOLDERS or len(value) > _MOST_ITEMS:
        return set()
    held = {type(item) for item in value}
    if kind is not dict:
        return {"holds exactly str"} if held <= {str} else set()
    return _entries(dict.values(value)) if held <= {int} else set()


def _entries(values: Any) -> set[str]:
    """What is so of the values of a table such as `str.translate` takes."""
    kinds = {type(item) for item in values}
    found = {"maps exactly int to exactly int, str or None"} if kinds <= _ENTRIES else set()
    if kinds <= {int, type(None)} and all(item is None or 0 <= item < 0x110000 for item in values):
        found.add("maps exactly int to numbers of characters or None")
        if kinds <= {int}:
            found.add("maps exactly int to numbers of characters")
    if kinds <= {str, type(None)}:
        found.add("maps exactly int to exactly str or None")
    return found


def type_of(kind: type) -> str:
    """The name of a builtin type; OPAQUE for one whose values show nothing but an address or a name; "" for others."""
    known = _TYPES.get(kind)
    if known is not None:
        return known
    return OPAQUE if kind in _NAMELESS or _on(kind, "__repr__") is object.__dict__["__repr__"] else ""


def is_plain(receiver: Any, name: str) -> bool:
    """Whether `receiver.name` is a function that its type holds (a module or class: itself), found without more ado.

    No code of the program runs to find this out.
    """
    kind = type(receiver)
    if kind is types.ModuleType:
        return name in _get(receiver, "__dict__")
    if kind is type:
        found = _on(receiver, name)
        return isinstance(found, _FUNCTIONS) and _on(type, name) is None
    if type(_on(kind, "__getattribute__")) is not types.WrapperDescriptorType:
        return False  # a class that looks things up itself
    if not isinstance(_on(kind, name), _FUNCTIONS):
        return False
    own = _on(kind, "__dict__")
    if own is None:
        return True  # its instances have none
    return type(own) is types.GetSetDescriptorType and name not in _get(receiver, "__dict__")


def _on(kind: type, name: str) -> Any:
    """What the type or its bases hold under a name, None for nothing."""
    for base in _mro(kind):
        held = _names_of(base)
        if name in held:
            return held[name]
    return None


class Router(ast.NodeTransformer):
    """Routes expressions through the probes; what they evaluate keeps its number and order."""

    def __init__(self, source: str, places: list[Place]) -> None:
        self._lines = source.split("\n")
        self._places = places
        self._text: ast.expr | None = None  # the f-string around

    def visit(self, node: ast.AST) -> Any:
        """Any node; an expression whose value is used comes back inside a probe."""
        place = self._place(node) if isinstance(node, ast.expr) else None
        visited = super().visit(node)
        if place is None or not isinstance(visited, ast.expr) or not _is_value(node):
            return visited
        return self._probe("value", visited, self._number(place))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The method of a call is looked up by the call; a probe stands round what it is looked up on."""
        place = self._place(node.func) if isinstance(node.func, ast.Attribute) else None
        if not isinstance(node.func, ast.Attribute) or place is None or _is_private(node.func.attr):
            if isinstance(node.func, ast.Attribute):
                node.func = self.generic_visit(node.func)  # type: ignore[assignment]
            elif not isinstance(node.func, ast.Name):
                node.func = self.visit(node.func)
        else:
            receiver = self._place(node.func.value)
            inner = super().visit(node.func.value)
            if receiver is not None:
                numbers = (self._number(receiver), self._number(place))
                node.func.value = self._probe("attribute", inner, node.func.attr, *numbers)
            else:
                node.func.value = inner
        node.args = [self.visit(argument) for argument in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """The text itself is no value of its own; what its fields evaluate is."""
        before, self._text = self._text, self._text or node
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit_FormattedValue(part)
        self._text = before
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        """The value, and the fields of its format."""
        node.value = self.visit(node.value)
        if isinstance(node.format_spec, ast.JoinedStr):
            self.visit_JoinedStr(node.format_spec)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations keep their text."""
        node.value = self.visit(node.value) if node.value else None
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """An annotation keeps its text."""
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        """All but annotations and type parameters, which have a scope of their own."""
        returns, node.returns = node.returns, None
        parameters, node.type_params = getattr(node, "type_params", []), []
        self.generic_visit(node)
        node.returns, node.type_params = returns, parameters
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that ast.NodeTransformer asks for

    def visit_ClassDef(self, node: Any) -> Any:
        """All but type parameters."""
        parameters, node.type_params = getattr(node, "type_params", []), []
        self.generic_visit(node)
        node.type_params = parameters
        return node

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        """Evaluated later, if ever."""
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """What is caught is evaluated while an exception is on its way."""
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """Patterns are no expressions that are evaluated as they stand."""
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.guard = self.visit(case.guard) if case.guard else None
            case.body = [self.visit(statement) for statement in case.body]
        return node

    def _number(self, place: Place) -> int:
        self._places.append(place)
        return len(self._places) - 1

    def _place(self, node: ast.AST) -> Place | None:
        """Where an expression stands; None where that is not certain (in f-strings, up to Python 3.11)."""
        found = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        if self._text is None:
            return found
        text = self._text
        around = (text.lineno, text.col_offset, text.end_lineno, text.end_col_offset)
        inside = around[:2] <= found[:2] and found[2:] <= around[2:]
        return found if inside and self._reads(node, found) else None

    def _reads(self, node: ast.AST, place: Place) -> bool:
        """Whether the text at a place is that of the expression."""
        line, start, last, end = place
        if line != last or line > len(self._lines):
            return False
        try:
            text = self._lines[line - 1].encode()[start:end].decode()
            return ast.dump(ast.parse(text, mode="eval").body) == ast.dump(node)
        except (SyntaxError, ValueError):
            return False

    @staticmethod
    def _probe(name: str, value: ast.expr, *rest: str | int) -> ast.Call:
        call = ast.Call(ast.Name(_PROBE.format(name), ast.Load()), [value, *(ast.Constant(held) for held in rest)], [])
        for part in ast.walk(call):
            if isinstance(part, ast.expr) and not hasattr(part, "lineno"):
                ast.copy_location(part, value)
        return call


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _is_value(node: ast.AST) -> bool:
    """Whether an expression is evaluated where it stands, to an object of its own."""
    if isinstance(node, ast.Constant | ast.JoinedStr | ast.FormattedValue | ast.Starred | ast.Slice):
        return False
    if isinstance(node, ast.Tuple) and any(isinstance(part, ast.Slice) for part in node.elts):
        return False
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
