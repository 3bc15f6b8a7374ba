"""The methods of `set` and `frozenset`."""

from dataclasses import replace
from functools import partial

from analyze.operations.operation import Iterates, Kind, Mutation, Operation, Sees

_LOOK_UP = ("__hash__", "__eq__")
_method = partial(Operation, receiver="set", sees=Sees.ELEMENTS)
_change = partial(_method, result="None", kind=Kind.CHANGE, calls_back=_LOOK_UP, uses_identity=True)
_look_up = partial(_method, iterates=Iterates.NOW, calls_back=_LOOK_UP, uses_identity=True)
_combine = partial(_look_up, kind=Kind.COMBINE, result="set")
_update = partial(_combine, result="None")
_compare = partial(_look_up, kind=Kind.COMPARE, result="bool")

_OF_BOTH: tuple[Operation, ...] = (
    _combine("union", "*others: hashables"),
    _combine("intersection", "*others: hashables"),
    _combine("difference", "*others: hashables"),
    _combine("symmetric_difference", "other: hashables", inverse="symmetric_difference"),
    _compare("isdisjoint", "other: hashables"),
    _compare("issubset", "other: hashables"),
    _compare("issuperset", "other: hashables"),
    _method("copy", "", "set", Kind.BUILD),
)

OPERATIONS: tuple[Operation, ...] = (
    *_OF_BOTH,
    *(replace(one, receiver="frozenset", result=one.result.replace("set", "frozenset")) for one in _OF_BOTH),
    _change("add", "elem: hashable", mutates=Mutation.ADDS),
    _change("discard", "elem: hashable", mutates=Mutation.REMOVES),
    _change("remove", "elem: hashable", mutates=Mutation.REMOVES, raises=(KeyError,)),
    _method(
        "pop", "", "item", Kind.CHANGE, mutates=Mutation.REMOVES, raises=(KeyError,), uses_identity=True,
    ),
    _method("clear", "", "None", Kind.CHANGE, mutates=Mutation.REMOVES, sees=Sees.NOTHING),
    _update("update", "*others: hashables", mutates=Mutation.ADDS),
    _update("intersection_update", "*others: hashables", mutates=Mutation.REMOVES),
    _update("difference_update", "*others: hashables", mutates=Mutation.REMOVES),
    _update(
        "symmetric_difference_update", "other: hashables",
        mutates=Mutation.REPLACES, inverse="symmetric_difference_update",
    ),
)  # fmt: skip
