"""The methods of `str`."""

from functools import partial

from analyze.operations.operation import Characters, Iterates, Kind, Occurrences, Operation, Sees

_method = partial(Operation, receiver="str", sees=Sees.ELEMENTS)
_search = partial(_method, kind=Kind.SEARCH, sees=Sees.ELEMENTS | Sees.POSITION)
_test = partial(_method, arguments="", result="bool", kind=Kind.TEST)
_case = partial(_method, arguments="", result="str", kind=Kind.CASE, distinguishes=Characters.CASED)
_trim = partial(_method, result="str", kind=Kind.TRIM, word="stripped", distinguishes=Characters.WHITESPACE)
_pad = partial(_method, result="str", kind=Kind.PAD, word="padded", sized_by="width", sees=Sees.ELEMENTS | Sees.LENGTH)
_replace = partial(_method, result="str", kind=Kind.REPLACE)
_split = partial(_method, kind=Kind.SPLIT, word="pieces")

_BOUNDS = "start: int = 0, end: int = None"
_NO_EMPTY = (ValueError,)  # the separator is empty

OPERATIONS: tuple[Operation, ...] = (
    # Where, how often or whether a substring occurs.
    _search("find", f"sub: str, {_BOUNDS}", "int", finds=Occurrences.FIRST, word="index"),
    _search("index", f"sub: str, {_BOUNDS}", "int", finds=Occurrences.FIRST, word="index", raises=(ValueError,)),
    _search("rfind", f"sub: str, {_BOUNDS}", "int", finds=Occurrences.LAST, word="index"),
    _search("rindex", f"sub: str, {_BOUNDS}", "int", finds=Occurrences.LAST, word="index", raises=(ValueError,)),
    _search("count", f"sub: str, {_BOUNDS}", "int", finds=Occurrences.ALL),
    _search("startswith", f"prefix: str | affixes, {_BOUNDS}", "bool", finds=Occurrences.AT_START, word="has_prefix"),
    _search("endswith", f"suffix: str | affixes, {_BOUNDS}", "bool", finds=Occurrences.AT_END, word="has_suffix"),
    # Whether all characters are of a class.
    _test("isalnum", distinguishes=Characters.WORD),
    _test("isalpha", distinguishes=Characters.WORD),
    _test("isascii", distinguishes=Characters.WORD),
    _test("isdecimal", distinguishes=Characters.DIGITS),
    _test("isdigit", distinguishes=Characters.DIGITS),
    _test("isidentifier", distinguishes=Characters.WORD),
    _test("islower", distinguishes=Characters.CASED),
    _test("isnumeric", distinguishes=Characters.DIGITS),
    _test("isprintable", distinguishes=Characters.WORD),
    _test("isspace", distinguishes=Characters.WHITESPACE),
    _test("istitle", distinguishes=Characters.CASED),
    _test("isupper", distinguishes=Characters.CASED),
    # Another case.
    _case("capitalize"),
    _case("casefold", word="lowered"),
    _case("lower", word="lower"),
    _case("swapcase", word="swapped"),
    _case("title"),
    _case("upper", word="upper"),
    # Without characters at the ends.
    _trim("strip", "chars: str = None", finds=Occurrences.RUNS_AT_ENDS),
    _trim("lstrip", "chars: str = None", finds=Occurrences.RUN_AT_START),
    _trim("rstrip", "chars: str = None", finds=Occurrences.RUN_AT_END),
    # With other characters, or without some.
    _replace("replace", "old: str, new: str, count: int = -1", finds=Occurrences.ALL, word="replaced"),
    _replace("removeprefix", "prefix: str", finds=Occurrences.AT_START, word="rest"),
    _replace("removesuffix", "suffix: str", finds=Occurrences.AT_END, word="rest"),
    _replace("translate", "table: table", word="translated"),
    _replace("expandtabs", "tabsize: int = 8", sized_by="tabsize", word="expanded"),
    # With more characters at the ends.
    _pad("center", "width: int, fillchar: character = ' '"),
    _pad("ljust", "width: int, fillchar: character = ' '"),
    _pad("rjust", "width: int, fillchar: character = ' '"),
    _pad("zfill", "width: int"),
    # In pieces, and together again.
    _split(
        "split", "sep: str = None, maxsplit: int = -1", "list",
        finds=Occurrences.ALL, distinguishes=Characters.WHITESPACE, raises=_NO_EMPTY, inverse="join",
    ),
    _split(
        "rsplit", "sep: str = None, maxsplit: int = -1", "list",
        finds=Occurrences.ALL_FROM_RIGHT, distinguishes=Characters.WHITESPACE, raises=_NO_EMPTY, inverse="join",
    ),
    _split("splitlines", "keepends: bool = False", "list", distinguishes=Characters.WHITESPACE, word="lines"),
    _split("partition", "sep: str", "tuple", finds=Occurrences.FIRST, raises=_NO_EMPTY, inverse="join"),
    _split("rpartition", "sep: str", "tuple", finds=Occurrences.LAST, raises=_NO_EMPTY, inverse="join"),
    _method(
        "join", "iterable: strings", "str", Kind.JOIN,
        finds=Occurrences.ALL, iterates=Iterates.NOW, keeps_order=True, inverse="split", word="joined",
    ),
    # From a template.
    _method(
        "format", "*args: object, **kwargs: object", "str", Kind.FORMAT,
        raises=(IndexError, KeyError, ValueError, AttributeError, TypeError), has_plain_result=False,
        calls_back=("__format__", "__str__", "__repr__", "__getattr__", "__getitem__"),
        distinguishes=Characters.QUOTED, word="formatted",
    ),
    _method(
        "format_map", "mapping: dict", "str", Kind.FORMAT,
        raises=(KeyError, ValueError, AttributeError, TypeError), has_plain_result=False,
        calls_back=("__format__", "__str__", "__repr__", "__getattr__", "__getitem__"),
    ),
    # As bytes, and tables for `translate`.
    _method(
        "encode", "encoding: encoding = 'utf-8', errors: errors = 'strict'", "bytes", Kind.ENCODE,
        raises=(UnicodeError,), distinguishes=Characters.ENCODED, inverse="decode", word="encoded",
    ),
    _method(
        "maketrans", "x: table | str, y: str = None, z: str = None", "dict", Kind.BUILD,
        raises=(ValueError, TypeError), word="table",
    ),
)  # fmt: skip
