"""The methods of `bytes` and `bytearray`: mostly those of `str`, on numbers from 0 to 255."""

from dataclasses import replace
from functools import partial

from analyze.operations.operation import Characters, Iterates, Kind, Mutation, Occurrences, Operation, Sees

_method = partial(Operation, receiver="bytes", sees=Sees.ELEMENTS)
_search = partial(_method, kind=Kind.SEARCH, sees=Sees.ELEMENTS | Sees.POSITION)
_test = partial(_method, arguments="", result="bool", kind=Kind.TEST)
_case = partial(_method, arguments="", result="bytes", kind=Kind.CASE)
_trim = partial(_method, arguments="bytes: bytes = None", result="bytes", kind=Kind.TRIM, word="stripped")
_pad = partial(
    _method, result="bytes", kind=Kind.PAD, word="padded", sized_by="width", sees=Sees.ELEMENTS | Sees.LENGTH
)
_replace = partial(_method, result="bytes", kind=Kind.REPLACE)
_split = partial(_method, kind=Kind.SPLIT, word="pieces")
_BOUNDS = "start: int = 0, end: int = None"
_IN_BOUNDS = f"sub: bytes | byte, {_BOUNDS}"
_SPLIT = "sep: bytes = None, maxsplit: int = -1"

_OF_BOTH: tuple[Operation, ...] = (
    _search("find", _IN_BOUNDS, "int", finds=Occurrences.FIRST, word="index"),
    _search("index", _IN_BOUNDS, "int", finds=Occurrences.FIRST, raises=(ValueError,)),
    _search("rfind", _IN_BOUNDS, "int", finds=Occurrences.LAST, word="index"),
    _search("rindex", _IN_BOUNDS, "int", finds=Occurrences.LAST, raises=(ValueError,), word="index"),
    _search("count", _IN_BOUNDS, "int", finds=Occurrences.ALL),
    _search("startswith", f"prefix: bytes, {_BOUNDS}", "bool", finds=Occurrences.AT_START, word="has_prefix"),
    _search("endswith", f"suffix: bytes, {_BOUNDS}", "bool", finds=Occurrences.AT_END, word="has_suffix"),
    _test("isalnum"),
    _test("isalpha"),
    _test("isascii"),
    _test("isdigit"),
    _test("islower"),
    _test("isspace"),
    _test("istitle"),
    _test("isupper"),
    _case("capitalize"),
    _case("lower", word="lower"),
    _case("swapcase", word="swapped"),
    _case("title"),
    _case("upper", word="upper"),
    _trim("strip", finds=Occurrences.RUNS_AT_ENDS),
    _trim("lstrip", finds=Occurrences.RUN_AT_START),
    _trim("rstrip", finds=Occurrences.RUN_AT_END),
    _replace("replace", "old: bytes, new: bytes, count: int = -1", finds=Occurrences.ALL, word="replaced"),
    _replace("removeprefix", "prefix: bytes", finds=Occurrences.AT_START, word="rest"),
    _replace("removesuffix", "suffix: bytes", finds=Occurrences.AT_END, word="rest"),
    _replace("translate", "table: bytetable, delete: bytes = b''", word="translated"),
    _replace("expandtabs", "tabsize: int = 8", sized_by="tabsize", word="expanded"),
    _pad("center", "width: int, fillbyte: onebyte = b' '"),
    _pad("ljust", "width: int, fillbyte: onebyte = b' '"),
    _pad("rjust", "width: int, fillbyte: onebyte = b' '"),
    _pad("zfill", "width: int"),
    _split("split", _SPLIT, "list", finds=Occurrences.ALL, raises=(ValueError,), inverse="join"),
    _split("rsplit", _SPLIT, "list", finds=Occurrences.ALL_FROM_RIGHT, raises=(ValueError,), inverse="join"),
    _split("splitlines", "keepends: bool = False", "list", word="lines"),
    _split("partition", "sep: bytes", "tuple", finds=Occurrences.FIRST, raises=(ValueError,), inverse="join"),
    _split("rpartition", "sep: bytes", "tuple", finds=Occurrences.LAST, raises=(ValueError,), inverse="join"),
    _method(
        "join", "iterable: buffers", "bytes", Kind.JOIN,
        finds=Occurrences.ALL, iterates=Iterates.NOW, keeps_order=True, inverse="split", word="joined",
    ),
    _method(
        "decode", "encoding: encoding = 'utf-8', errors: errors = 'strict'", "str", Kind.ENCODE,
        raises=(UnicodeError,), distinguishes=Characters.ENCODED, inverse="encode", word="decoded",
    ),
    _method("hex", "sep: onebyte = ..., bytes_per_sep: int = 1", "str", Kind.ENCODE, inverse="fromhex"),
    _method("fromhex", "string: str", "bytes", Kind.ENCODE, raises=(ValueError,), inverse="hex"),
    _method("maketrans", "old: bytes, new: bytes", "bytes", Kind.BUILD, raises=(ValueError,), word="table"),
)  # fmt: skip


def _of_bytearray(one: Operation) -> Operation:
    made = one.result if one.name == "maketrans" else one.result.replace("bytes", "bytearray")
    return replace(one, receiver="bytearray", result=made)


_change = partial(Operation, receiver="bytearray", result="None", kind=Kind.CHANGE)

OPERATIONS: tuple[Operation, ...] = (
    *_OF_BOTH,
    *map(_of_bytearray, _OF_BOTH),
    _change("append", "item: byte", mutates=Mutation.ADDS, sees=Sees.NOTHING),
    _change(
        "extend", "iterable: bytelist", mutates=Mutation.ADDS, iterates=Iterates.NOW, keeps_order=True,
        sees=Sees.ELEMENTS,
    ),
    _change("insert", "index: int, item: byte", mutates=Mutation.ADDS, sees=Sees.POSITION),
    _change("pop", "index: int = -1", result="int", mutates=Mutation.REMOVES, raises=(IndexError,), sees=Sees.POSITION),
    _change("remove", "value: byte", mutates=Mutation.REMOVES, raises=(ValueError,), sees=Sees.ELEMENTS),
    _change("clear", "", mutates=Mutation.REMOVES, sees=Sees.NOTHING),
    _change("reverse", "", mutates=Mutation.REORDERS, inverse="reverse", sees=Sees.ELEMENTS),
    Operation("copy", "", "bytearray", Kind.BUILD, "bytearray", sees=Sees.ELEMENTS),
)  # fmt: skip
