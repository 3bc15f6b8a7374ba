"""The methods of `int`, `bool`, `float` and `complex`; a `bool` has those of `int`."""

from functools import partial

from analyze.operations.operation import Kind, Operation

_int = partial(Operation, receiver="int")
_float = partial(Operation, receiver="float")

OPERATIONS: tuple[Operation, ...] = (
    _int("bit_length", "", "int", Kind.BITWISE),
    _int("bit_count", "", "int", Kind.BITWISE),
    _int("as_integer_ratio", "", "tuple", Kind.CONVERT),
    _int("conjugate", "", "int", Kind.ARITHMETIC),
    _int("is_integer", "", "bool", Kind.TEST, since=(3, 12)),
    _int(
        "to_bytes", "length: int = 1, byteorder: byteorder = 'big', *, signed: bool = False", "bytes", Kind.ENCODE,
        raises=(OverflowError, ValueError), sized_by="length", inverse="from_bytes", word="encoded",
    ),
    _int(
        "from_bytes", "bytes: bytes, byteorder: byteorder = 'big', *, signed: bool = False", "int", Kind.ENCODE,
        inverse="to_bytes",
    ),
    _float("as_integer_ratio", "", "tuple", Kind.CONVERT, raises=(OverflowError, ValueError)),
    _float("conjugate", "", "float", Kind.ARITHMETIC),
    _float("is_integer", "", "bool", Kind.TEST),
    _float("hex", "", "str", Kind.ENCODE, inverse="fromhex"),
    _float("fromhex", "string: str", "float", Kind.ENCODE, raises=(ValueError,), inverse="hex"),
    Operation("conjugate", "", "complex", Kind.ARITHMETIC, receiver="complex", inverse="conjugate"),
)  # fmt: skip
