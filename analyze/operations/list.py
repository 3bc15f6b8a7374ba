"""The methods of `list`."""

from functools import partial

from analyze.operations.operation import Iterates, Kind, Mutation, Operation, Sees

_method = partial(Operation, receiver="list")
_search = partial(
    _method, kind=Kind.SEARCH, result="int", calls_back=("__eq__",), uses_identity=True, sees=Sees.ELEMENTS
)
_add = partial(_method, result="None", kind=Kind.CHANGE, mutates=Mutation.ADDS)
_remove = partial(_method, kind=Kind.CHANGE, mutates=Mutation.REMOVES)
_move = partial(_method, result="None", mutates=Mutation.REORDERS, sees=Sees.ELEMENTS)

OPERATIONS: tuple[Operation, ...] = (
    _search("count", "value: object"),
    _search(
        "index", "value: object, start: int = 0, stop: int = 9",
        raises=(ValueError,), calls_back=("__eq__", "__repr__"), word="index",
    ),
    _add("append", "object: object", sees=Sees.NOTHING),
    _add("extend", "iterable: iterable", iterates=Iterates.NOW, keeps_order=True, sees=Sees.ELEMENTS),
    _add("insert", "index: int, object: object", sees=Sees.POSITION),
    _remove("pop", "index: int = -1", "item", raises=(IndexError,), sees=Sees.POSITION),
    _remove(
        "remove", "value: object", "None",
        raises=(ValueError,), calls_back=("__eq__",), uses_identity=True, sees=Sees.ELEMENTS,
    ),
    _remove("clear", "", "None", sees=Sees.NOTHING),
    _move("reverse", "", kind=Kind.CHANGE, inverse="reverse"),
    _move(
        "sort", "*, key: function = None, reverse: bool = False", kind=Kind.SORT,
        raises=(TypeError,), calls_back=("key", "__lt__", "__gt__", "__eq__"), uses_identity=True,
    ),
    _method("copy", "", "list", Kind.BUILD, sees=Sees.ELEMENTS),
)  # fmt: skip
