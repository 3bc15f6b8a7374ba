"""The builtin functions, and the builtin types as functions."""

from functools import partial

from analyze.operations.operation import Characters, Form, Iterates, Kind, Mutation, Operation, Reads, Sees

_call = partial(Operation, form=Form.CALL)
_convert = partial(_call, kind=Kind.CONVERT)
_collect = partial(_call, kind=Kind.BUILD, iterates=Iterates.NOW, sees=Sees.ELEMENTS)
_hashed = partial(_collect, calls_back=("__hash__", "__eq__"), uses_identity=True)
_measure = partial(_call, kind=Kind.MEASURE, iterates=Iterates.NOW, sees=Sees.ELEMENTS)
_iterate = partial(_call, kind=Kind.ITERATE, iterates=Iterates.LATER, keeps_order=True, sees=Sees.ELEMENTS)
_object = partial(_call, kind=Kind.OBJECT)
_namespace = partial(_call, kind=Kind.NAMESPACE, reads=Reads.CALLER)
_TEXT = ("__repr__", "__str__")
_NAMES = ("__getitem__", "__setitem__", "__delitem__")  # of an object that holds the variables

OPERATIONS: tuple[Operation, ...] = (
    # Numbers.
    _call("abs", "number: int | float | complex | bool", "any", Kind.ARITHMETIC, calls_back=("__abs__",), word="size"),
    _call(
        "divmod", "dividend: int | float, divisor: int | float", "any", Kind.ARITHMETIC,
        raises=(ZeroDivisionError,), calls_back=("__divmod__", "__rdivmod__"),
    ),
    _call(
        "pow", "base: int | float, exponent: int, modulus: int = None", "any", Kind.ARITHMETIC,
        raises=(ZeroDivisionError, ValueError, TypeError, OverflowError),
        calls_back=("__pow__", "__rpow__"), sized_by="exponent", word="power",
    ),
    _call(
        "round", "number: int | float, ndigits: int = None", "any", Kind.ARITHMETIC,
        raises=(ValueError, OverflowError), calls_back=("__round__",), word="rounded",
    ),
    # Conversions of one value.
    _convert(
        "int", "value: int | float | str = 0, base: base = 10", "int",
        raises=(ValueError, OverflowError, TypeError), calls_back=("__int__", "__index__", "__trunc__"),
        distinguishes=Characters.DIGITS, word="number",
    ),
    _convert(
        "float", "value: int | float | str = 0", "float",
        raises=(ValueError, OverflowError), calls_back=("__float__", "__index__"),
        distinguishes=Characters.DIGITS, word="number",
    ),
    _convert(
        "complex", "real: int | float | complex = 0, imag: int | float = 0", "complex",
        raises=(ValueError, TypeError, OverflowError), calls_back=("__complex__", "__float__", "__index__"),
    ),
    _convert("bool", "value: object = False", "bool", calls_back=("__bool__", "__len__")),
    _convert("str", "value: object = ''", "str", has_plain_result=False, keeps_order=True, calls_back=_TEXT),
    _convert(
        "repr", "value: object", "str",
        has_plain_result=False, keeps_order=True, calls_back=_TEXT, distinguishes=Characters.QUOTED, word="string",
    ),
    _convert(
        "ascii", "value: object", "str",
        has_plain_result=False, keeps_order=True, calls_back=_TEXT, distinguishes=Characters.QUOTED,
    ),
    _convert("ord", "character: character", "int", inverse="chr", distinguishes=Characters.ENCODED, word="code"),
    _convert(
        "chr", "code: int", "char",
        raises=(ValueError,), inverse="ord", calls_back=("__index__",), distinguishes=Characters.ENCODED,
        word="character",
    ),
    _convert("bin", "number: int", "str", inverse="int", calls_back=("__index__",), word="binary"),
    _convert("oct", "number: int", "str", inverse="int", calls_back=("__index__",), word="digits"),
    _convert("hex", "number: int", "str", inverse="int", calls_back=("__index__",), word="digits"),
    _convert("hash", "value: hashable", "int", reads=Reads.PROCESS, calls_back=("__hash__",)),
    _call(
        "format", "value: object, spec: spec = ''", "str", Kind.FORMAT,
        raises=(ValueError, TypeError, OverflowError), has_plain_result=False, distinguishes=Characters.QUOTED,
        calls_back=("__format__", "__repr__", "__str__"),
    ),
    # Containers.
    _collect("list", "iterable: iterable = ()", "list", keeps_order=True),
    _collect("tuple", "iterable: iterable = ()", "tuple", keeps_order=True, word="group"),
    _hashed("set", "iterable: hashables = ()", "set", word="distinct"),
    _hashed("frozenset", "iterable: hashables = ()", "frozenset", word="distinct"),
    _hashed(
        "dict", "items: dict | pairs = (), **kwargs: object", "dict",
        calls_back=("__hash__", "__eq__", "__getattr__"), word="table",
    ),
    _collect(
        "bytes", "source: bytelist | int | bytes = b''", "bytes",
        raises=(ValueError,), sized_by="source", has_plain_result=False, calls_back=("__bytes__", "__index__"),
        distinguishes=Characters.ENCODED,
    ),
    _collect(
        "bytearray", "source: bytelist | int | bytes = b''", "bytearray",
        raises=(ValueError,), sized_by="source", calls_back=("__index__",),
    ),
    _call(
        "range", "start: int, stop: int = 9, step: int = 1", "range", Kind.BUILD,
        raises=(ValueError,), sized_by="stop", calls_back=("__index__",), word="numbers",
    ),
    _call("slice", "start: object, stop: object = None, step: object = None", "slice", Kind.BUILD),
    _object("memoryview", "buffer: bytes", "memoryview"),
    # One value from many.
    _call("len", "items: sized", "int", Kind.MEASURE, calls_back=("__len__",), sees=Sees.LENGTH, word="length"),
    _measure("sum", "iterable: numbers, start: int = 0", "any", calls_back=("__add__", "__radd__"), word="total"),
    _measure(
        "max", "*items: iterable, key: function = None, default: object = ...", "item",
        raises=(ValueError, TypeError), calls_back=("key", "__gt__", "__lt__", "__eq__"), uses_identity=True,
        word="largest",
    ),
    _measure(
        "min", "*items: iterable, key: function = None, default: object = ...", "item",
        raises=(ValueError, TypeError), calls_back=("key", "__lt__", "__gt__", "__eq__"), uses_identity=True,
        word="smallest",
    ),
    _measure("any", "iterable: iterable", "bool", kind=Kind.TEST, calls_back=("__bool__", "__len__"), word="found"),
    _measure("all", "iterable: iterable", "bool", kind=Kind.TEST, calls_back=("__bool__", "__len__"), word="holds"),
    _call(
        "sorted", "iterable: iterable, *, key: function = None, reverse: bool = False", "list", Kind.SORT,
        raises=(TypeError,), calls_back=("key", "__lt__", "__gt__", "__eq__"), uses_identity=True,
        iterates=Iterates.NOW, sees=Sees.ELEMENTS, word="ordered",
    ),
    # Iterators.
    _call(
        "reversed", "sequence: list | tuple | str | range", "any", Kind.ITERATE,
        calls_back=("__reversed__", "__len__", "__getitem__"), sees=Sees.ELEMENTS,
        distinguishes=Characters.COMBINING, word="backwards",
    ),
    _iterate("enumerate", "iterable: iterable, start: int = 0", "enumerate", word="pairs"),
    _iterate("zip", "*iterables: iterable, strict: bool = False", "zip", raises=(ValueError,), word="pairs"),
    _iterate("map", "function: function, *iterables: iterable", "map", calls_back=("function",)),
    _iterate(
        "filter", "predicate: function, iterable: iterable", "filter", calls_back=("predicate", "__bool__", "__len__"),
    ),
    _iterate(
        "iter", "iterable: iterable, sentinel: object = ...", "any",
        raises=(TypeError,), calls_back=("__iter__", "iterable"),
    ),
    _call(
        "next", "iterator: iterator, default: object = ...", "item", Kind.ITERATE,
        raises=(StopIteration,), mutates=Mutation.ADVANCES, calls_back=("__next__",), keeps_order=True,
    ),
    _object("aiter", "iterable: object", "any", calls_back=("__aiter__",)),
    _object("anext", "iterator: object, default: object = ...", "any", calls_back=("__anext__",)),
    # Objects, their types and attributes.
    _object("type", "value: object, bases: tuple = (), namespace: dict = {}", "any"),
    _object("isinstance", "value: object, types: classes", "bool", calls_back=("__instancecheck__",)),
    _object("issubclass", "cls: type, types: classes", "bool", calls_back=("__subclasscheck__",)),
    _object("callable", "value: object", "bool"),
    _object("id", "value: object", "int", uses_identity=True, reads=Reads.PROCESS),
    _object(
        "getattr", "value: object, name: str, default: object = ...", "any",
        raises=(AttributeError,), calls_back=("__getattribute__", "__getattr__"),
    ),
    _object("hasattr", "value: object, name: str", "bool", calls_back=("__getattribute__", "__getattr__")),
    _object(
        "setattr", "value: object, name: str, new: object", "None",
        raises=(AttributeError,), mutates=Mutation.OUTSIDE, calls_back=("__setattr__",),
    ),
    _object(
        "delattr", "value: object, name: str", "None",
        raises=(AttributeError,), mutates=Mutation.OUTSIDE, calls_back=("__delattr__",),
    ),
    _object("object", "", "object", uses_identity=True),
    _object("super", "type: type = ..., value: object = ...", "super", reads=Reads.MODULE),
    _object("property", "fget: function = None, fset: function = None, fdel: function = None", "property"),
    _object("classmethod", "function: function", "classmethod"),
    _object("staticmethod", "function: function", "staticmethod"),
    # Namespaces. With an object or a namespace as argument, `vars`, `dir`, `eval` and `exec` do not read the caller's.
    _namespace("globals", "", "any", reads=Reads.MODULE),
    _namespace("locals", "", "any"),
    _namespace("vars", "value: object = ...", "any", raises=(TypeError,)),
    _namespace("dir", "value: object = ...", "list", calls_back=("__dir__",)),
    _namespace(
        "eval", "source: str, globals: dict = ..., locals: dict = ...", "any",
        mutates=Mutation.OUTSIDE, raises=(Exception,), calls_back=_NAMES,
    ),
    _namespace(
        "exec", "source: str, globals: dict = ..., locals: dict = ...", "None",
        mutates=Mutation.OUTSIDE, raises=(Exception,), calls_back=_NAMES,
    ),
    _call(
        "compile", "source: str, filename: str, mode: str", "code", Kind.NAMESPACE,
        reads=Reads.MODULE, raises=(SyntaxError, ValueError),
    ),
    # The world outside.
    _call(
        "print", "*values: object, sep: str = ' ', end: str = ''", "None", Kind.OUTPUT,
        mutates=Mutation.OUTSIDE, keeps_order=True, calls_back=_TEXT,
    ),
    _call("input", "prompt: str = ''", "any", Kind.OUTPUT, mutates=Mutation.OUTSIDE, reads=Reads.PROCESS),
    _call(
        "open", "file: str, mode: str = 'r'", "any", Kind.OUTPUT,
        mutates=Mutation.OUTSIDE, reads=Reads.PROCESS, word="file",
    ),
    _call("breakpoint", "*args: object", "any", Kind.OUTPUT, mutates=Mutation.OUTSIDE, reads=Reads.PROCESS),
    _call("help", "topic: object = ''", "None", Kind.OUTPUT, mutates=Mutation.OUTSIDE, reads=Reads.PROCESS),
)  # fmt: skip
