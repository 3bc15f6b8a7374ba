"""What is known about one operation of the language: an entry of the catalogue, and the words that entries use.

An entry describes the operation on operands of *exactly* the builtin types that it names; what they contain may be
objects of the program. Its arguments are written like the parameters of a function. An annotation is the name of a type
or one of these words:

- `object` (anything), `hashable`, `sized` (has a length), `function`, `classes` (a class or a tuple of classes)
- `iterable` (of anything, also an iterator), `iterator`, and iterables of one kind: `strings`, `numbers`, `hashables`,
  `pairs` (of key and value), `buffers` (bytes), `bytelist` (integers of a byte)
- `character` (a string of length one), `affixes` (a tuple of strings), `table` (what `translate` takes), `spec` (a
  format specification), `encoding`, `errors`, `base` (of a number in text), `byteorder`
- `byte` (an integer from 0 to 255), `onebyte` (bytes of length one), `bytetable` (256 bytes)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from functools import cached_property


class Form(Enum):
    """How an operation is written. The values are those of `analyze.instrumentation.sites`."""

    METHOD = "method"
    CALL = "call"
    OPERATOR = "operator"
    AUGMENTED = "augmented"
    BOOLEAN = "boolean"
    ITEM = "item"
    SLICE = "slice"
    FORMAT = "format"


class Kind(Enum):
    """What an operation does."""

    ACCESS = "access"
    """Takes an item, a part or an attribute."""
    SEARCH = "search"
    """Looks for something, and says where, how often or whether it occurs."""
    TEST = "test"
    """Classifies a value, or all of its characters or items."""
    COMPARE = "compare"
    LOGIC = "logic"
    ARITHMETIC = "arithmetic"
    BITWISE = "bitwise"
    MEASURE = "measure"
    """Computes one number or item from many items: their number, sum or minimum."""
    CASE = "case"
    TRIM = "trim"
    """Removes characters of a set at the ends."""
    PAD = "pad"
    REPLACE = "replace"
    """Puts other characters, or none, in place of those that it finds."""
    SPLIT = "split"
    JOIN = "join"
    """Puts strings or sequences together."""
    FORMAT = "format"
    ENCODE = "encode"
    """Converts between strings, bytes and numbers."""
    CONVERT = "convert"
    """Makes a value of another type from one value."""
    BUILD = "build"
    """Makes a container."""
    CHANGE = "change"
    """Adds, removes or moves items of its receiver."""
    SORT = "sort"
    COMBINE = "combine"
    """Set algebra, and merging of dicts."""
    ITERATE = "iterate"
    """Makes an iterator, or advances one."""
    OBJECT = "object"
    """Asks about types, attributes and identity, or makes objects that are no data."""
    NAMESPACE = "namespace"
    """Reads, or runs code in, the namespaces of the program."""
    OUTPUT = "input and output"


class Occurrences(Enum):
    """Which occurrences of a substring, or of characters, an operation looks for."""

    ALL = "all, from the left, without overlap"
    ALL_FROM_RIGHT = "all, from the right, without overlap"
    FIRST = "the first"
    LAST = "the last"
    AT_START = "one at the start"
    AT_END = "one at the end"
    RUN_AT_START = "a run of characters at the start"
    RUN_AT_END = "a run of characters at the end"
    RUNS_AT_ENDS = "a run of characters at each end"


class Characters(Enum):
    """Which characters an operation treats differently from the others."""

    WHITESPACE = "whitespace and line ends"
    DIGITS = "digits and numerals"
    CASED = "letters with a case mapping"
    WORD = "letters, digits, underscores and printable characters"
    ENCODED = "characters that encodings treat differently"
    QUOTED = "quotes, escapes and braces"
    COMBINING = "characters that combine with others"


class Mutation(Enum):
    """What an operation changes."""

    ADDS = "it adds items to its receiver"
    REMOVES = "it removes items from its receiver"
    REORDERS = "it moves the items of its receiver"
    REPLACES = "it replaces items of its receiver"
    ADVANCES = "it advances an iterator"
    OUTSIDE = "it changes something other than operands that are data: attributes, namespaces, files"


class Sees(Flag):
    """What one must see of the operands to do an operation by hand."""

    NOTHING = 0
    VALUE = auto()
    """A value as a whole, such as a number."""
    ELEMENTS = auto()
    """The characters or items, one by one."""
    LENGTH = auto()
    POSITION = auto()
    """Positions in a string or sequence."""


class Reads(Enum):
    """What the result depends on besides the operands."""

    NOTHING = "nothing"
    CALLER = "the variables of the calling scope"
    MODULE = "the namespace or the code of the calling function or module"
    PROCESS = "the process: the hash seed, addresses, files, the terminal"


class Iterates(Enum):
    """When an operation takes the items of an iterable argument."""

    NOW = "before it returns, until it needs no more"
    LATER = "while its result is iterated over"


@dataclass(frozen=True)
class Parameter:
    """A parameter of an operation.

    Attributes:
        name: Its role: `start`, `width`, `sep`.
        type: What it takes: names of types and annotations of this module, joined by " | "; "" for anything.
        is_required: Whether it has no default.
        is_keyword: Whether it is passed by keyword only.
        is_variadic: Whether it takes any number of arguments.
        default: The source of its default; "" for none.
    """

    name: str
    type: str
    is_required: bool = True
    is_keyword: bool = False
    is_variadic: bool = False
    default: str = ""


@dataclass(frozen=True)
class Operation:
    """An operation of the language.

    Attributes:
        name: The name of the method or function; for operators, the name of their class in `ast`; for subscripts and
            formatting, the form.
        arguments: Its parameters after the receiver, as in the head of a function.
        result: The exact type of the result: the name of a builtin type, "char" for a string of length one, "None", or
            several of them joined by " | "; "item" for one of the items or operands, "any" for a type that depends on
            values.
        kind: What it does.
        receiver: The type of the receiver or left operand; "" for builtin functions, and for operators on any type.
        form: How it is written.
        raises: The exceptions that it may raise on operands of these types. Those of exhausted resources (memory,
            recursion, huge sizes) and of the program's own code are left out.
        mutates: What it changes; None for nothing.
        calls_back: What it may run of the program: parameters that it calls, and special methods of objects of the
            program's classes. For methods and operators these are items of the operands, for functions also the
            operands. Iterators, and `__index__` in place of an int, go without saying.
        has_plain_result: Whether the result has the exact type also if operands are objects of the program's classes.
        uses_identity: Whether the result may depend on which objects the operands are, not only on their values.
        reads: What the result depends on besides the operands.
        iterates: When it takes the items of an iterable argument; None if it has none.
        keeps_order: Whether the result shows in which order an iterable argument yields its items.
        finds: Which occurrences it looks for; None if it does not search. `join` looks for its separator in its result.
        distinguishes: Which characters it treats differently; None if it treats all alike.
        sized_by: The parameter that determines the size of the result, so that a small operand may give a large result;
            "" for none.
        inverse: The operation that undoes it, with the same further operands or without any: `join` of `split`, `join`
            of "" of `partition`; "" for none.
        negation: The comparison with the opposite result, whatever the operands are; "" for none.
        sees: What one must see of the operands to do it.
        word: A word for its result (default: the name).
        symbol: How an operator is written; "" for other forms.
        spoken: How an operator is said between its operands, in names; "" for other forms.
        since: The first version of Python that has it, if later than 3.11.
    """

    name: str
    arguments: str
    result: str
    kind: Kind
    receiver: str = ""
    form: Form = Form.METHOD
    raises: tuple[type[Exception], ...] = ()
    mutates: Mutation | None = None
    calls_back: tuple[str, ...] = ()
    has_plain_result: bool = True
    uses_identity: bool = False
    reads: Reads = Reads.NOTHING
    iterates: Iterates | None = None
    keeps_order: bool = False
    finds: Occurrences | None = None
    distinguishes: Characters | None = None
    sized_by: str = ""
    inverse: str = ""
    negation: str = ""
    sees: Sees = Sees.VALUE
    word: str = ""
    symbol: str = ""
    spoken: str = ""
    since: tuple[int, int] = field(default=(3, 11))

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters after the receiver."""
        return tuple(_parameters(self.arguments))

    @property
    def max_arguments(self) -> int | None:
        """How many arguments it takes by position at most; None if any number."""
        if any(parameter.is_variadic for parameter in self.parameters):
            return None
        return sum(not parameter.is_keyword for parameter in self.parameters)

    def position_of(self, *names: str) -> int | None:
        """The index of the first parameter with one of these names; None if it has none."""
        return next((place for place, one in enumerate(self.parameters) if one.name in names), None)

    @property
    def called_parameters(self) -> tuple[str, ...]:
        """The names of the parameters that take a function, which it calls."""
        return tuple(one.name for one in self.parameters if one.type == "function" and one.name in self.calls_back)

    @property
    def is_pure(self) -> bool:
        """Whether, on operands without objects of the program, only their values decide what it does and returns."""
        return self.mutates is None and self.reads is Reads.NOTHING and not self.uses_identity

    @property
    def takes_one_value(self) -> bool:
        """Whether it can be called with a single value that need not be an iterable, and computes with this value."""
        required = [parameter.is_required for parameter in self.parameters]
        is_computed = self.kind in (Kind.CONVERT, Kind.ARITHMETIC, Kind.MEASURE)
        return is_computed and self.iterates is None and bool(required) and not any(required[1:])

    def __str__(self) -> str:
        """How a reader writes it: `str.find`, `len`, `int + int`."""
        if self.symbol:
            return f"{self.receiver} {self.symbol}".strip()
        return f"{self.receiver}.{self.name}" if self.receiver else self.name


def _parameters(arguments: str) -> list[Parameter]:
    function = ast.parse(f"def operation({arguments}): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    required = len(given.args) - len(given.defaults)
    defaults: Sequence[ast.expr | None] = [*[None] * required, *given.defaults]
    found = [_parameter(one, default) for one, default in zip(given.args, defaults, strict=True)]
    if given.vararg:
        found.append(_parameter(given.vararg, None, is_variadic=True))
    by_keyword = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    found += [_parameter(one, default, is_keyword=True) for one, default in by_keyword]
    if given.kwarg:
        found.append(_parameter(given.kwarg, None, is_keyword=True, is_variadic=True))
    return found


def _parameter(
    node: ast.arg, default: ast.expr | None, *, is_keyword: bool = False, is_variadic: bool = False
) -> Parameter:
    return Parameter(
        name=node.arg,
        type=ast.unparse(node.annotation) if node.annotation else "",
        is_required=default is None and not is_variadic,
        is_keyword=is_keyword,
        is_variadic=is_variadic,
        default=ast.unparse(default) if default else "",
    )
