"""Compares each entry of the catalogue with the running interpreter, on drawn operands."""

import builtins
import sys

import pytest

from analyze.operations.catalogue import OPERATIONS, find, functions, methods
from analyze.operations.operation import Form, Mutation, Operation, Reads
from tests.analyze.operations.drawn_operands import Expression, Run, expressions, namespace, perform, shown
from tests.samples import example_counts

TYPES = (str, list, dict, set, frozenset, tuple, bytes, bytearray, int, float, complex, range)
OF_THE_SITE = {"copyright", "credits", "exit", "license", "quit", "help"}  # the module `site` adds these to builtins
UNDRAWN = {
    **dict.fromkeys(("input", "open", "breakpoint", "help"), "it reads or stops the process"),
    **dict.fromkeys(("aiter", "anext"), "it needs an event loop"),
    **dict.fromkeys(("super", "type"), "its arguments are classes"),
}
DRAWN = [one for one in OPERATIONS if one.name not in UNDRAWN and one.since <= sys.version_info[:2]]
# fmt: off
_BINARY = {
    "add": "Add", "sub": "Sub", "mul": "Mult", "matmul": "MatMult", "truediv": "Div", "floordiv": "FloorDiv",
    "mod": "Mod", "pow": "Pow", "lshift": "LShift", "rshift": "RShift", "and": "BitAnd", "or": "BitOr", "xor": "BitXor",
}
# fmt: on
_OTHER = {"neg": "USub", "pos": "UAdd", "invert": "Invert", "contains": "In", "eq": "Eq", "lt": "Lt"}
_SUBSCRIPTS = {"getitem": "", "setitem": " store", "delitem": " delete"}
# The operators that a special method of a builtin type stands for.
SPECIAL_METHODS: list[tuple[str, str, Form]] = [
    *((f"__{stem}__", name, Form.OPERATOR) for stem, name in {**_BINARY, **_OTHER}.items()),
    *((f"__i{stem}__", name, Form.AUGMENTED) for stem, name in _BINARY.items()),
    *((f"__{stem}__", f"item{change}", Form.ITEM) for stem, change in _SUBSCRIPTS.items()),
    *((f"__{stem}__", f"slice{change}", Form.SLICE) for stem, change in _SUBSCRIPTS.items()),
]
NO_OPERATORS = {
    **dict.fromkeys(("dict slice", "dict slice store", "dict slice delete"), "a slice is an unhashable key up to 3.11"),
}
# Exhausted resources, which entries do not declare.
RESOURCES = (MemoryError, RecursionError, OverflowError)
BY_ITERATION = {"__iter__", "__next__", "__getitem__"}


ITERABLES = {"iterable", "hashables", "strings", "pairs", "buffers", "numbers", "bytelist"}
# Exceptions and calls of the program that are declared: what shows them, and the name and receiver of the operation.
WITNESSES = (
    ("ValueError", "'a'.index('b')", "index", "str"),
    ("ValueError", "'a'.rindex('b')", "rindex", "str"),
    ("ValueError", "'a'.split('')", "split", "str"),
    ("ValueError", "'a'.partition('')", "partition", "str"),
    ("UnicodeEncodeError", "'é'.encode('ascii')", "encode", "str"),
    ("UnicodeDecodeError", "b'\\xff'.decode()", "decode", "bytes"),
    ("ValueError", "str.maketrans('a', '')", "maketrans", "str"),
    ("IndexError", "'{}'.format()", "format", "str"),
    ("KeyError", "'{a}'.format()", "format", "str"),
    ("AttributeError", "'{a.b}'.format_map({'a': 1})", "format_map", "str"),
    ("__format__", "'{}'.format(spy(1))", "format", "str"),
    ("__eq__", "[spy(1)].count(spy(2))", "count", "list"),
    ("ValueError", "[].index(1)", "index", "list"),
    ("IndexError", "[].pop()", "pop", "list"),
    ("TypeError", "[1, ''].sort()", "sort", "list"),
    ("key", "[1, 2].sort(key=called('key'))", "sort", "list"),
    ("__lt__", "[spy(1), spy(2)].sort()", "sort", "list"),
    ("KeyError", "{}.popitem()", "popitem", "dict"),
    ("__hash__", "{}.get(spy(1))", "get", "dict"),
    ("__hash__", "set().add(spy(1))", "add", "set"),
    ("KeyError", "set().remove(1)", "remove", "set"),
    ("OverflowError", "(300).to_bytes(1)", "to_bytes", "int"),
    ("ValueError", "float.fromhex('z')", "fromhex", "float"),
    ("ValueError", "float('nan').as_integer_ratio()", "as_integer_ratio", "float"),
    ("__abs__", "abs(spy(1))", "abs", ""),
    ("__getitem__", "eval('a', {}, spy(1))", "eval", ""),
    ("__getitem__", "exec('a', {}, spy(1))", "exec", ""),
    ("__divmod__", "divmod(spy(1), 2)", "divmod", ""),
    ("__rdivmod__", "divmod(2, spy(1))", "divmod", ""),
    ("ZeroDivisionError", "pow(0, -1)", "pow", ""),
    ("__round__", "round(spy(1))", "round", ""),
    ("OverflowError", "int(float('inf'))", "int", ""),
    ("__int__", "int(spy(1))", "int", ""),
    ("__index__", "int(bare(1))", "int", ""),
    ("OverflowError", "float(10 ** 400)", "float", ""),
    ("ValueError", "complex('z')", "complex", ""),
    ("__bool__", "bool(spy(1))", "bool", ""),
    ("__len__", "bool(bare(1))", "bool", ""),
    ("__str__", "str(spy(1))", "str", ""),
    ("__repr__", "str([spy(1)])", "str", ""),
    ("ValueError", "chr(-1)", "chr", ""),
    ("__bytes__", "bytes(spy(1))", "bytes", ""),
    ("__len__", "len(spy(1))", "len", ""),
    ("__radd__", "sum([spy(1)])", "sum", ""),
    ("ValueError", "max([])", "max", ""),
    ("key", "max([1, 2], key=called('key'))", "max", ""),
    ("__lt__", "sorted([spy(1), spy(2)])", "sorted", ""),
    ("function", "list(map(called('function'), [1]))", "map", ""),
    ("predicate", "list(filter(called('predicate'), [1]))", "filter", ""),
    ("ValueError", "list(zip([1], [], strict=True))", "zip", ""),
    ("StopIteration", "next(iter([]))", "next", ""),
    ("AttributeError", "getattr(1, 'x')", "getattr", ""),
    ("__getattr__", "hasattr(spy(1), 'x')", "hasattr", ""),
    ("__dir__", "dir(spy(1))", "dir", ""),
    ("TypeError", "vars(1)", "vars", ""),
    ("SyntaxError", "compile('1 +', '', 'eval')", "compile", ""),
    ("OverflowError", "format(10 ** 10, 'c')", "format", ""),
    ("ZeroDivisionError", "1 / 0", "Div", "int"),
    ("ZeroDivisionError", "0 ** -1", "Pow", "int"),
    ("OverflowError", "2.0 ** 5000", "Pow", "float"),
    ("ValueError", "1 << -1", "LShift", "int"),
    ("KeyError", "'%(a)s' % {}", "Mod", "str"),
    ("__int__", "'%d' % spy(1)", "Mod", "str"),
    ("__float__", "'%f' % spy(1)", "Mod", "str"),
    ("__bytes__", "b'%s' % spy(1)", "Mod", "bytes"),
    ("__repr__", "b'%r' % spy(1)", "Mod", "bytes"),
    ("TypeError", "bytearray(b'%s') % ''", "Mod", "bytearray"),
    ("__eq__", "[spy(1)] == [spy(2)]", "Eq", ""),
    ("TypeError", "1 < ''", "Lt", ""),
    ("__matmul__", "spy(1) @ 1", "MatMult", ""),
    ("__eq__", "spy(1) in [spy(2)]", "In", "list"),
    ("__hash__", "spy(1) in {}", "In", "dict"),
    ("IndexError", "''[0]", "item", "str"),
    ("KeyError", "{}[1]", "item", "dict"),
    ("ValueError", "b''[::0]", "slice", "bytes"),
    ("__format__", "f'{spy(1)}'", "f-string", ""),
    ("__repr__", "f'{spy(1)!r}'", "conversion r", ""),
)


def runs(one: Operation, examples: int) -> list[tuple[Expression, Run]]:
    """The operation on drawn operands."""
    return [(expression, perform(one, expression)) for expression in expressions(one, examples)]


FEW, MANY = 16, 50
"""Drawn arguments of each operation in the quick tests, and in all tests."""


def public_methods(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))}


@pytest.mark.parametrize("kind", TYPES)
def test_every_public_method_has_an_entry_and_every_entry_is_a_method(kind: type) -> None:
    known = methods(kind.__name__, lambda one: one.since <= sys.version_info[:2])
    assert known == public_methods(kind)


def missing_operators(kind: type) -> set[str]:
    """What instances of a type support, by their special methods, and the catalogue does not have."""
    value, missing = (range(1) if kind is range else kind()), set()
    for special, name, form in SPECIAL_METHODS:
        if hasattr(value, special) and find(name, kind.__name__, form) is None:
            missing.add(f"{kind.__name__} {name}")
    return missing


@pytest.mark.parametrize("kind", [*TYPES, bool])
def test_every_operator_of_a_builtin_type_has_an_entry(kind: type) -> None:
    assert missing_operators(kind) == {one for one in NO_OPERATORS if one.startswith(f"{kind.__name__} ")}


def test_a_method_takes_no_more_arguments_than_it_declares() -> None:
    for one in DRAWN:
        if one.form is Form.METHOD and one.max_arguments is not None:
            receiver = eval(next(expressions(one, 1)).receiver, namespace(set(), is_shared=True))
            with pytest.raises(TypeError, match="argument"):
                getattr(receiver, one.name)(*["a"] * (one.max_arguments + 1))


def test_every_builtin_function_has_an_entry() -> None:
    def is_function(name: str) -> bool:
        value = getattr(builtins, name)
        is_exception = isinstance(value, type) and issubclass(value, BaseException)
        return callable(value) and not name.startswith("_") and not is_exception

    assert functions() - OF_THE_SITE == {name for name in dir(builtins) if is_function(name)} - OF_THE_SITE


def has_type(value: object, declared: str) -> bool:
    kinds = declared.split(" | ")
    name = "None" if value is None else type(value).__name__
    is_character = "char" in kinds and type(value) is str and len(value) == 1
    return bool({"any", "item", name} & {*kinds}) or is_character


def holds_spy(expression: Expression) -> bool:
    """Whether an operand is or holds an object of a class of the program."""
    return any(word in str(expression) for word in ("spy", "bare", "steps"))


@pytest.mark.parametrize("one", DRAWN, ids=lambda one: f"{one.form.value} {one} {one.name}")
@example_counts(FEW, MANY)
def test_it_does_what_is_declared(one: Operation, examples: int) -> None:
    is_rare = one.mutates not in (None, Mutation.ADVANCES)  # few of the arguments that `remove` draws are there
    drawn = runs(one, MANY if is_rare else examples)
    for expression, run in drawn:
        if run.error is None:
            assert (holds_spy(expression) and not one.has_plain_result) or has_type(run.result, one.result), expression
        else:
            assert holds_spy(expression) or isinstance(run.error, (*one.raises, *RESOURCES)), (expression, run.error)
        assert run.log <= {*one.calls_back, "__index__"} | (BY_ITERATION if one.iterates else set()), expression
        if not one.uses_identity and one.reads is Reads.NOTHING:
            identity_does_not_matter(one, expression, run)
    changes_what_is_declared(one, [run for _, run in drawn if run.before != run.after])


def changes_what_is_declared(one: Operation, changed: list[Run]) -> None:
    """It changes its receiver if it is declared to, and no other operand."""
    if one.mutates in (None, Mutation.ADVANCES):
        assert not changed
    elif one.mutates is not Mutation.OUTSIDE:
        assert changed
        assert all(run.before[1:] == run.after[1:] for run in changed)


def identity_does_not_matter(one: Operation, expression: Expression, run: Run) -> None:
    """On other objects of the same values it does the same."""
    other = perform(one, expression, is_shared=False)
    if run.before == other.before:  # else a set or dict, whose items identity tells apart
        assert type(run.error) is type(other.error), expression
        assert shown(run.result) == shown(other.result), expression


def test_an_operation_iterates_if_it_takes_an_iterable() -> None:
    for one in DRAWN:
        taken = {part for parameter in one.parameters for part in parameter.type.split(" | ")}
        assert bool(taken & ITERABLES) == (one.iterates is not None), one


def test_a_function_that_an_operation_stores_or_an_iterable_that_it_calls_is_no_called_parameter() -> None:
    called = {str(one): one.called_parameters for one in OPERATIONS}
    assert {called[name] for name in ("classmethod", "property", "iter", "len")} == {()}
    assert (called["map"], called["list.sort"]) == (("function",), ("key",))


@pytest.mark.parametrize("row", WITNESSES, ids=lambda row: row[1])
def test_what_is_declared_does_happen(row: tuple[str, str, str, str]) -> None:
    attribute, source, name, receiver = row
    found = [one for one in OPERATIONS if (one.name, one.receiver) == (name, receiver)]
    assert found, row
    log: set[str] = set()
    names = namespace(log, is_shared=True)
    raised: type[Exception] | None = None
    try:
        eval(source, names)
    except Exception as error:  # noqa: BLE001 - what the test looks at
        raised = type(error)
    if raised is not None:
        assert attribute == raised.__name__
        assert any(issubclass(raised, one.raises) for one in found)
    else:
        assert attribute in log
        assert attribute == "__index__" or any(attribute in one.calls_back for one in found)
