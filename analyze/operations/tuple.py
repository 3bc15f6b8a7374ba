"""The methods of `tuple` and `range`."""

from functools import partial

from analyze.operations.operation import Kind, Operation, Sees

_search = partial(
    Operation, kind=Kind.SEARCH, result="int", calls_back=("__eq__",), uses_identity=True, sees=Sees.ELEMENTS
)

OPERATIONS: tuple[Operation, ...] = (
    _search("count", "value: object", receiver="tuple"),
    _search("index", "value: object, start: int = 0, stop: int = 9", receiver="tuple", raises=(ValueError,)),
    _search("count", "value: object", receiver="range", uses_identity=False),
    _search("index", "value: object", receiver="range", raises=(ValueError,), uses_identity=False),
)
