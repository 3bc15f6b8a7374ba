"""Subscripts: items and slices, read, assigned (`item store`) and deleted (`item delete`)."""

from functools import partial

from analyze.operations.operation import Form, Iterates, Kind, Mutation, Operation, Sees

_item = partial(
    Operation, "item", form=Form.ITEM, kind=Kind.ACCESS, raises=(IndexError,), sees=Sees.ELEMENTS | Sees.POSITION
)
_entry = partial(
    Operation, receiver="dict", form=Form.ITEM, kind=Kind.ACCESS, raises=(KeyError,),
    calls_back=("__hash__", "__eq__"), uses_identity=True, sees=Sees.ELEMENTS,
)  # fmt: skip
_slice = partial(
    Operation, "slice", "start: int = None, stop: int = None, step: int = None", form=Form.SLICE, kind=Kind.ACCESS,
    raises=(ValueError,), sees=Sees.ELEMENTS | Sees.POSITION | Sees.LENGTH,
)  # fmt: skip
_BOUNDS = "start: int, stop: int"
_change = partial(Operation, result="None", kind=Kind.CHANGE, sees=Sees.POSITION)
_item_change = partial(_change, form=Form.ITEM, raises=(IndexError,))
_slice_change = partial(_change, form=Form.SLICE)

OPERATIONS: tuple[Operation, ...] = (
    _item("index: int", "char", receiver="str"),
    _item("index: int", "item", receiver="list"),
    _item("index: int", "item", receiver="tuple"),
    _item("index: int", "int", receiver="bytes"),
    _item("index: int", "int", receiver="bytearray"),
    _item("index: int", "int", receiver="range"),
    _entry("item", "key: hashable", "item"),
    _slice("str", receiver="str"),
    _slice("list", receiver="list"),
    _slice("tuple", receiver="tuple"),
    _slice("bytes", receiver="bytes"),
    _slice("bytearray", receiver="bytearray"),
    _slice("range", receiver="range"),
    _item_change("item store", "index: int, value: object", receiver="list", mutates=Mutation.REPLACES),
    _item_change("item store", "index: int, value: byte", receiver="bytearray", mutates=Mutation.REPLACES),
    _item_change("item delete", "index: int", receiver="list", mutates=Mutation.REMOVES),
    _item_change("item delete", "index: int", receiver="bytearray", mutates=Mutation.REMOVES),
    _entry("item store", "key: hashable, value: object", "None", mutates=Mutation.ADDS, raises=()),
    _entry("item delete", "key: hashable", "None", mutates=Mutation.REMOVES),
    _slice_change(
        "slice store", f"{_BOUNDS}, values: iterable", receiver="list",
        mutates=Mutation.REPLACES, iterates=Iterates.NOW, keeps_order=True,
    ),
    _slice_change(
        "slice store", f"{_BOUNDS}, values: bytelist", receiver="bytearray",
        mutates=Mutation.REPLACES, iterates=Iterates.NOW, keeps_order=True,
    ),
    _slice_change("slice delete", _BOUNDS, receiver="list", mutates=Mutation.REMOVES),
    _slice_change("slice delete", _BOUNDS, receiver="bytearray", mutates=Mutation.REMOVES),
)  # fmt: skip
