"""The methods of `dict`."""

from functools import partial

from analyze.operations.operation import Iterates, Kind, Mutation, Operation, Sees

_method = partial(Operation, receiver="dict")
_look_up = partial(_method, calls_back=("__hash__", "__eq__"), uses_identity=True, sees=Sees.ELEMENTS)
_view = partial(_method, arguments="", kind=Kind.ITERATE, sees=Sees.ELEMENTS)

OPERATIONS: tuple[Operation, ...] = (
    _look_up("get", "key: hashable, default: object = None", "item", Kind.ACCESS, word="value"),
    _look_up(
        "setdefault", "key: hashable, default: object = None", "item", Kind.ACCESS,
        mutates=Mutation.ADDS, word="entry",
    ),
    _look_up(
        "pop", "key: hashable, default: object = ...", "item", Kind.CHANGE,
        mutates=Mutation.REMOVES, raises=(KeyError,),
    ),
    _method(
        "popitem", "", "tuple", Kind.CHANGE, mutates=Mutation.REMOVES, raises=(KeyError,), sees=Sees.POSITION,
    ),
    _look_up(
        "update", "other: dict | pairs = (), **kwargs: object", "None", Kind.COMBINE,
        mutates=Mutation.ADDS, iterates=Iterates.NOW, keeps_order=True,
    ),
    _method("clear", "", "None", Kind.CHANGE, mutates=Mutation.REMOVES, sees=Sees.NOTHING),
    _view("items", result="dict_items", word="pairs"),
    _view("keys", result="dict_keys"),
    _view("values", result="dict_values"),
    _method("copy", "", "dict", Kind.BUILD, sees=Sees.ELEMENTS),
    _look_up(
        "fromkeys", "iterable: hashables, value: object = None", "dict", Kind.BUILD,
        iterates=Iterates.NOW, keeps_order=True,
    ),
)  # fmt: skip
