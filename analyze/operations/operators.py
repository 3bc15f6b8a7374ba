"""Operators, by the type of their left operand; for membership, by the type of the container on the right.

The names are those of the classes in `ast`. Operators on any type (comparisons, identity, `and`, `or`, `not`) have no
receiver; what they do on builtin types is the same for all.
"""

from dataclasses import replace
from functools import partial

from analyze.operations.operation import Form, Iterates, Kind, Mutation, Occurrences, Operation, Sees

_operator = partial(Operation, form=Form.OPERATOR)
_unary = partial(_operator, arguments="")

# Symbol, word for the result, and how it is said in names, whatever the operands are.
_add = partial(_operator, "Add", symbol="+", spoken="plus", word="total")
_sub = partial(_operator, "Sub", symbol="-", spoken="minus", word="difference")
_mult = partial(_operator, "Mult", symbol="*", spoken="times", word="product")
_div = partial(_operator, "Div", symbol="/", spoken="over", word="quotient", raises=(ZeroDivisionError,))
_floordiv = partial(_operator, "FloorDiv", symbol="//", spoken="div", word="quotient", raises=(ZeroDivisionError,))
_mod = partial(_operator, "Mod", symbol="%", spoken="mod", word="remainder")
_pow = partial(
    _operator, "Pow", symbol="**", spoken="power", word="power", sized_by="exponent", raises=(ZeroDivisionError,)
)
_shift_left = partial(_operator, "LShift", symbol="<<", spoken="shifted_left", sized_by="bits", raises=(ValueError,))
_shift_right = partial(_operator, "RShift", symbol=">>", spoken="shifted_right", raises=(ValueError,))
_and = partial(_operator, "BitAnd", symbol="&", spoken="bitand")
_or = partial(_operator, "BitOr", symbol="|", spoken="bitor")
_xor = partial(_operator, "BitXor", symbol="^", spoken="bitxor")
_invert = partial(_unary, "Invert", symbol="~", spoken="inverted")
_negative = partial(_unary, "USub", symbol="-", spoken="minus", word="negative")
_positive = partial(_unary, "UAdd", symbol="+", spoken="plus")

_NUMBERS: tuple[Operation, ...] = (
    _add("other: int", "int", Kind.ARITHMETIC, "int", inverse="Sub"),
    _sub("other: int", "int", Kind.ARITHMETIC, "int", inverse="Add"),
    _mult("other: int", "int", Kind.ARITHMETIC, "int"),
    _div("other: int", "float", Kind.ARITHMETIC, "int"),
    _floordiv("other: int", "int", Kind.ARITHMETIC, "int"),
    _mod("other: int", "int", Kind.ARITHMETIC, "int", raises=(ZeroDivisionError,)),
    _pow("exponent: int", "int | float", Kind.ARITHMETIC, "int"),
    _negative(result="int", kind=Kind.ARITHMETIC, receiver="int", inverse="USub"),
    _positive(result="int", kind=Kind.ARITHMETIC, receiver="int"),
    _add("other: int | float", "float", Kind.ARITHMETIC, "float"),
    _sub("other: int | float", "float", Kind.ARITHMETIC, "float"),
    _mult("other: int | float", "float", Kind.ARITHMETIC, "float"),
    _div("other: int | float", "float", Kind.ARITHMETIC, "float"),
    _floordiv("other: int | float", "float", Kind.ARITHMETIC, "float"),
    _mod("other: int | float", "float", Kind.ARITHMETIC, "float", raises=(ZeroDivisionError,)),
    _pow(
        "exponent: int | float", "float | complex", Kind.ARITHMETIC, "float",
        raises=(ZeroDivisionError, OverflowError),
    ),
    _negative(result="float", kind=Kind.ARITHMETIC, receiver="float", inverse="USub"),
    _positive(result="float", kind=Kind.ARITHMETIC, receiver="float"),
    _add("other: int | float | complex", "complex", Kind.ARITHMETIC, "complex"),
    _sub("other: int | float | complex", "complex", Kind.ARITHMETIC, "complex"),
    _mult("other: int | float | complex", "complex", Kind.ARITHMETIC, "complex"),
    _div("other: int | float | complex", "complex", Kind.ARITHMETIC, "complex"),
    _pow(
        "exponent: int | float | complex", "complex", Kind.ARITHMETIC, "complex",
        raises=(ZeroDivisionError, OverflowError),
    ),
    _negative(result="complex", kind=Kind.ARITHMETIC, receiver="complex", inverse="USub"),
    _positive(result="complex", kind=Kind.ARITHMETIC, receiver="complex"),
)  # fmt: skip

_BITS: tuple[Operation, ...] = (
    _and("other: bool", "bool", Kind.BITWISE, "bool"),
    _or("other: bool", "bool", Kind.BITWISE, "bool"),
    _xor("other: bool", "bool", Kind.BITWISE, "bool", inverse="BitXor"),
    _and("other: int", "int", Kind.BITWISE, "int"),
    _or("other: int", "int", Kind.BITWISE, "int"),
    _xor("other: int", "int", Kind.BITWISE, "int", inverse="BitXor"),
    _shift_left("bits: int", "int", Kind.BITWISE, "int"),
    _shift_right("bits: int", "int", Kind.BITWISE, "int"),
    _invert(result="int", kind=Kind.BITWISE, receiver="int", inverse="Invert"),
)

_repeat = partial(_mult, "count: int", kind=Kind.JOIN, sized_by="count", word="repeated", sees=Sees.ELEMENTS)
_concatenate = partial(_add, kind=Kind.JOIN, word="combined", sees=Sees.ELEMENTS)

_SEQUENCES: tuple[Operation, ...] = (
    _concatenate("other: str", "str", receiver="str"),
    _concatenate("other: list", "list", receiver="list"),
    _concatenate("other: tuple", "tuple", receiver="tuple"),
    _concatenate("other: bytes | bytearray", "bytes", receiver="bytes"),
    _concatenate("other: bytes | bytearray", "bytearray", receiver="bytearray"),
    *(_repeat(result=kind, receiver=kind) for kind in ("str", "list", "tuple", "bytes", "bytearray")),
)

_LOOK_UP = ("__hash__", "__eq__")
_algebra = {"kind": Kind.COMBINE, "calls_back": _LOOK_UP, "uses_identity": True, "sees": Sees.ELEMENTS}
_SETS: tuple[Operation, ...] = tuple(
    made(f"other: {others}", kind, receiver=kind, **_algebra)
    for kind, others in (("set", "set | frozenset"), ("frozenset", "set | frozenset"))
    for made in (_and, _or, _xor, _sub)
)

_compare = partial(_operator, arguments="other: object", result="bool", kind=Kind.COMPARE, sees=Sees.ELEMENTS)
_equality = partial(_compare, calls_back=("__eq__", "__ne__"), uses_identity=True, has_plain_result=False)
_order = partial(_compare, raises=(TypeError,), uses_identity=True, has_plain_result=False)
_identity = partial(_compare, uses_identity=True)

_COMPARISONS: tuple[Operation, ...] = (
    _equality("Eq", symbol="==", spoken="equals", word="is_equal", negation="NotEq"),
    _equality("NotEq", symbol="!=", spoken="differs_from", word="is_different", negation="Eq"),
    _order("Lt", symbol="<", spoken="below", word="is_below", calls_back=("__lt__", "__gt__", "__eq__")),
    _order("LtE", symbol="<=", spoken="at_most", word="is_below", calls_back=("__le__", "__ge__", "__eq__")),
    _order("Gt", symbol=">", spoken="above", word="is_above", calls_back=("__gt__", "__lt__", "__eq__")),
    _order("GtE", symbol=">=", spoken="at_least", word="is_above", calls_back=("__ge__", "__le__", "__eq__")),
    _identity("Is", symbol="is", spoken="is", word="is_equal", negation="IsNot"),
    _identity("IsNot", symbol="is not", spoken="is_not", word="is_different", negation="Is"),
)

_in = partial(
    _operator, "In", result="bool", kind=Kind.SEARCH, symbol="in", spoken="in", word="found", negation="NotIn"
)

_CONTAINED: tuple[Operation, ...] = (
    _in("item: str", receiver="str", finds=Occurrences.FIRST, sees=Sees.ELEMENTS),
    _in("item: bytes | byte", receiver="bytes", finds=Occurrences.FIRST, sees=Sees.ELEMENTS),
    _in("item: bytes | byte", receiver="bytearray", finds=Occurrences.FIRST, sees=Sees.ELEMENTS),
    _in("item: object", receiver="list", calls_back=("__eq__",), uses_identity=True, sees=Sees.ELEMENTS),
    _in("item: object", receiver="tuple", calls_back=("__eq__",), uses_identity=True, sees=Sees.ELEMENTS),
    _in("item: hashable", receiver="dict", calls_back=_LOOK_UP, uses_identity=True, sees=Sees.ELEMENTS),
    _in("item: hashable", receiver="set", calls_back=_LOOK_UP, uses_identity=True, sees=Sees.ELEMENTS),
    _in("item: hashable", receiver="frozenset", calls_back=_LOOK_UP, uses_identity=True, sees=Sees.ELEMENTS),
    _in("item: object", receiver="range", calls_back=("__eq__",), sees=Sees.VALUE),
)
_MEMBERSHIP = (
    *_CONTAINED,
    *(
        replace(one, name="NotIn", symbol="not in", spoken="not_in", word="missing", negation="In")
        for one in _CONTAINED
    ),
)

_LOGIC: tuple[Operation, ...] = (
    _operator(
        "Not", "", "bool", Kind.LOGIC,
        symbol="not", spoken="not", word="holds", calls_back=("__bool__", "__len__"),
    ),
    Operation(
        "And", "other: object", "item", Kind.LOGIC, form=Form.BOOLEAN,
        symbol="and", spoken="and", word="both", calls_back=("__bool__", "__len__"),
    ),
    Operation(
        "Or", "other: object", "item", Kind.LOGIC, form=Form.BOOLEAN,
        symbol="or", spoken="or", word="either", calls_back=("__bool__", "__len__"),
    ),
)  # fmt: skip

_FORMATTED_BY = ("__repr__", "__getitem__", "__int__", "__float__")
_modulo_format = partial(
    _mod, "values: object", kind=Kind.FORMAT, raises=(TypeError, ValueError, KeyError, OverflowError),
    has_plain_result=False, sees=Sees.ELEMENTS, word="formatted",
)  # fmt: skip

_OTHER: tuple[Operation, ...] = (
    _modulo_format(result="str", receiver="str", calls_back=("__str__", *_FORMATTED_BY)),
    _modulo_format(result="bytes", receiver="bytes", calls_back=("__bytes__", *_FORMATTED_BY)),
    _modulo_format(result="bytearray", receiver="bytearray", calls_back=("__bytes__", *_FORMATTED_BY)),
    _or("other: dict", "dict", Kind.COMBINE, "dict", calls_back=_LOOK_UP, uses_identity=True, sees=Sees.ELEMENTS),
    _operator("MatMult", "other: object", "any", Kind.ARITHMETIC, symbol="@", spoken="matmul",
              raises=(TypeError,), calls_back=("__matmul__", "__rmatmul__")),
)  # fmt: skip

_add_in_place = partial(
    Operation, "Add", form=Form.AUGMENTED, symbol="+=", word="combined", mutates=Mutation.ADDS, sees=Sees.ELEMENTS
)
_algebra_in_place = partial(
    Operation, arguments="other: set | frozenset", result="set", kind=Kind.COMBINE, receiver="set",
    form=Form.AUGMENTED, calls_back=_LOOK_UP, uses_identity=True, sees=Sees.ELEMENTS,
)  # fmt: skip

_IN_PLACE: tuple[Operation, ...] = (
    _add_in_place("iterable: iterable", "list", Kind.JOIN, "list", iterates=Iterates.NOW, keeps_order=True),
    _add_in_place("other: bytes | bytearray", "bytearray", Kind.JOIN, "bytearray"),
    Operation("Mult", "count: int", "list", Kind.JOIN, "list", Form.AUGMENTED, symbol="*=",
              mutates=Mutation.ADDS, sized_by="count", sees=Sees.ELEMENTS),
    Operation("Mult", "count: int", "bytearray", Kind.JOIN, "bytearray", Form.AUGMENTED, symbol="*=",
              mutates=Mutation.ADDS, sized_by="count", sees=Sees.ELEMENTS),
    _algebra_in_place("BitOr", symbol="|=", mutates=Mutation.ADDS),
    _algebra_in_place("BitAnd", symbol="&=", mutates=Mutation.REMOVES),
    _algebra_in_place("BitXor", symbol="^=", mutates=Mutation.REPLACES),
    _algebra_in_place("Sub", symbol="-=", mutates=Mutation.REMOVES),
    Operation("BitOr", "other: dict | pairs", "dict", Kind.COMBINE, "dict", Form.AUGMENTED, symbol="|=",
              mutates=Mutation.ADDS, iterates=Iterates.NOW, calls_back=_LOOK_UP, uses_identity=True,
              sees=Sees.ELEMENTS),
)  # fmt: skip
"""Augmented assignments that change their target. On other types they are the operator and an assignment."""

OPERATIONS: tuple[Operation, ...] = (
    *_NUMBERS, *_SEQUENCES, *_BITS, *_SETS, *_OTHER, *_COMPARISONS, *_MEMBERSHIP, *_LOGIC, *_IN_PLACE,
)  # fmt: skip
