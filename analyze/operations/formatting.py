"""Formatting in f-strings: the whole, conversions (`!r`), and fields by the type of their value.

The template operations are methods and operators: `str.format`, `str.format_map`, `str %`, and the function `format`.
"""

from functools import partial

from analyze.operations.operation import Form, Kind, Operation, Sees

_format = partial(Operation, form=Form.FORMAT, kind=Kind.FORMAT, result="str", word="formatted")
_convert = partial(_format, arguments="value: object", has_plain_result=False)
_field = partial(_format, "field", "spec: spec", raises=(ValueError,))

OPERATIONS: tuple[Operation, ...] = (
    _format(
        "f-string",
        "*parts: object",
        has_plain_result=False,
        calls_back=("__format__", "__str__", "__repr__"),
        sees=Sees.ELEMENTS,
    ),
    _convert("conversion s", calls_back=("__str__", "__repr__")),
    _convert("conversion r", calls_back=("__repr__",)),
    _convert("conversion a", calls_back=("__repr__",)),
    _field(receiver="str", sees=Sees.ELEMENTS | Sees.LENGTH),
    _field(receiver="int", raises=(ValueError, OverflowError)),
    _field(receiver="float"),
    _field(receiver="complex"),
)
