"""What an executed operation works on: strings, numbers or containers."""

from __future__ import annotations

import builtins

from analyze.diagnosis.failing_operation import literal
from analyze.diagnosis.operation_values import ValuedOperation

KINDS = ("strings", "numbers", "containers")
_RECEIVING = ("method", "item", "slice")
_TYPES: dict[str, tuple[type, ...]] = {
    "strings": (str,),
    "containers": (list, tuple, dict, set, frozenset, range),
    "numbers": (int, float, complex),
}


def kind_of_operation(one: ValuedOperation) -> str:
    """Strings, numbers or containers; "" for what runs code of the program, or works on none of these.

    The receiver decides, the last operand of a membership test, and otherwise the operands and the result: a string
    before a container before a number.

    Example:
        >>> kind_of_operation(ValuedOperation(1, "method", "append", None, ("[1]", "'a'"), "None"))
        'containers'
        >>> kind_of_operation(ValuedOperation(1, "call", "str", None, ("12",), "'12'"))
        'strings'
    """
    if one.kind == "call" and not hasattr(builtins, one.name):
        return ""
    if one.kind in _RECEIVING:
        deciding = one.operands[:1]
    elif one.name in ("In", "NotIn"):
        deciding = one.operands[-1:]
    else:
        deciding = (*one.operands, one.result)
    values = [literal(text) for text in deciding]
    kinds = [name for name, types in _TYPES.items() if any(isinstance(value, types) for value in values)]
    return kinds[0] if kinds else ""
