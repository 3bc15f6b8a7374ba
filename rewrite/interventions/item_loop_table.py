"""The loops of the intervention `item_loops`: for each operation the facts that make a loop right, and its text.

The loops of sets add and remove the same items in the same order as the operation, since the order in which a set gives
its items depends on that. The union of two sets has no loop: it makes room for all items of both at once, so that they
may come in another order than if they are added one by one. Nor has the difference of a set and a list, which is
rebuilt after many items were removed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from corpora.source_block import source_block
from rewrite.evidence.assumptions import NUMBERS, STRINGS, at_least, at_most, exactly, has_max_magnitude


@dataclass(frozen=True)
class OperationLoop:
    """What replaces an operation.

    Attributes:
        facts: For each operand, facts of which one must hold; () if nothing must.
        text: The statements, also as a block (`corpora.source_block`); `{0}` and so on are the operands,
            `{result}`, `{place}` (an int) and other words new variables.
        kind: The type of the result.
        value: The result after the statements, if an expression without effects gives it; it is not computed where
            nothing reads it. "" if the statements assign the result.
        of_result: Facts of which one must hold for the result; () if nothing must.
        compares: Whether it compares items more or less often than the operation, so that no class may see it.
        is_apart: Whether no two operands may be the same object.
    """

    facts: tuple[tuple[str, ...], ...]
    text: str
    kind: str | None
    value: str = ""
    of_result: tuple[str, ...] = ()
    compares: bool = False
    is_apart: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", source_block(self.text))


_LIST, _INT, _SET, _DICT = ((exactly(name),) for name in ("list", "int", "set", "dict"))
_LISTED = (*_LIST, exactly("tuple"), exactly("str"))
_SELF_EQUAL = (exactly("int"), exactly("str"))
"""Containers find an item that is the same object without a comparison; these types are equal to themselves."""
_NUMBERS = (NUMBERS, exactly("range"))
_SMALL = (has_max_magnitude(9999),)
_SEARCH = """
    for {%s}, {item} in enumerate({0}):
        if {item} == {1}:
            %s
    else:
        raise ValueError(%s)
"""
_SEARCH_PART = """
    for {result} in range(%s:
        if {0}[{result}] == {1}:
            break
    else:
        raise ValueError(%s)
"""


def _each(items: int, test: str, step: str) -> str:
    """A loop over the items of an operand that does something with some of them."""
    return f"for {{item}} in {{{items}}}:\n    if {test}:\n        {step}\n"


def _test_all(items: int, test: str) -> str:
    """The lines that set the result to False at the first item for which a test holds."""
    return "{result} = True\n" + _each(items, test, "{result} = False\n        break")


_ADD = "{result}.add({item})"
# The smaller set is read, the second one of two that have the same size; a set with itself gives a copy.
_COMMON = """
    {result} = set()
    if len({1}) > len({0}):
        for {item} in {0}:
            if {item} in {1}:
                {result}.add({item})
    else:
        for {item} in {1}:
            if {item} in {0}:
                {result}.add({item})
"""
_COPIED = """
    if {0} is {1}:
        {result} = {0}.copy()
    else:
        {result} = set()
        if len({1}) > len({0}):
            for {item} in {0}:
                if {item} in {1}:
                    {result}.add({item})
        else:
            for {item} in {1}:
                if {item} in {0}:
                    {result}.add({item})
"""
# From a set of more than four times the size, the few items are removed.
_WITHOUT = """
    if len({0}) // 4 > len({1}):
        {result} = {0}.copy()
        for {item} in {1}:
            {result}.discard({item})
    else:
        {result} = set()
        for {item} in {0}:
            if {item} not in {1}:
                {result}.add({item})
"""
_EITHER = """
    {result} = set({1})
    for {item} in {0}:
        if {item} in {result}:
            {result}.remove({item})
        else:
            {result}.add({item})
"""
_INTERSECTION = [
    OperationLoop((_SET, _SET), _COMMON, "set", compares=True, is_apart=True),
    OperationLoop((_SET, _SET), _COPIED, "set", compares=True),
]
_DIFFERENCE, _SYMMETRIC = (OperationLoop((_SET, _SET), text, "set", compares=True) for text in (_WITHOUT, _EITHER))

_SUM = """
    {result} = %s
    for {item} in {0}:
        {result} += {item}
"""
_FROM_KEYS = """
    {result} = {{}}
    for {key} in {0}:
        {result}[{key}] = %s
"""
_DEFAULT = """
    if {1} not in {0}:
        {0}[{1}] = %s
"""
FUNCTIONS: Mapping[str, Sequence[OperationLoop]] = {
    "sum": [
        OperationLoop((_NUMBERS,), _SUM % "0", "int"),
        OperationLoop((_NUMBERS, _INT), _SUM % "{1}", "int"),
        # Not `+=`, which would change the list that is given.
        OperationLoop(
            ((), _LIST),
            """
            {result} = {1}
            for {item} in {0}:
                {result} = {result} + {item}
            """,
            None,
        ),
    ],
    "any": [OperationLoop(((),), "{result} = False\n" + _each(0, "{item}", "{result} = True\n        break"), "bool")],
    "all": [OperationLoop(((),), _test_all(0, "not {item}"), "bool")],
    "pow": [
        OperationLoop(
            (_INT, (at_least(0),)),
            """
            {result} = 1
            for {item} in range({1}):
                {result} *= {0}
            """,
            "int",
            of_result=_INT,
        )
    ],
    "divmod": [
        OperationLoop(
            (_INT, (at_least(1), at_most(-1))),
            """
            {item} = {0} // {1}
            {place} = {0} % {1}
            """,
            "tuple",
            "({item}, {place})",
        )
    ],
    "reversed": [
        OperationLoop(
            (_LISTED,),
            """
            {result} = list({0})
            {result}.reverse()
            """,
            "list",
        )
    ],
    "dict.fromkeys": [
        OperationLoop(((),), _FROM_KEYS % "None", "dict", compares=True),
        OperationLoop(((), ()), _FROM_KEYS % "{1}", "dict", compares=True),
    ],
    # What has the type already.
    **{name: [OperationLoop(((exactly(name),),), "{result} = {0}\n", name)] for name in ("str", "int", "float")},
}
METHODS: Mapping[str, Sequence[OperationLoop]] = {
    "count": [
        OperationLoop(
            ((*_LIST, exactly("tuple")), _SELF_EQUAL),
            "{result} = 0\n" + _each(0, "{item} == {1}", "{result} += 1"),
            "int",
        )
    ],
    "index": [
        OperationLoop(
            (facts, _SELF_EQUAL, *bounds),
            text,
            "int",
            compares=bool(bounds),  # a comparison may change the list
        )
        for facts, message in (
            (_LIST, "repr({1}) + ' is not in list'"),
            ((exactly("tuple"),), "'tuple.index(x): x not in tuple'"),
        )
        for bounds, text in (
            ((), _SEARCH % ("result", "break", message)),
            (((at_least(0),),), _SEARCH_PART % ("{2}, len({0}))", message)),
            ((_INT,), _SEARCH_PART % ("len({0}))[{2}:]", message)),
            ((_INT, _INT), _SEARCH_PART % ("len({0}))[{2}:{3}]", message)),
        )
    ],
    "remove": [
        OperationLoop(
            (_LIST, _SELF_EQUAL),
            """
            for {place}, {item} in enumerate({0}):
                if {item} == {1}:
                    {0}.pop({place})
                    break
            else:
                raise ValueError('list.remove(x): x not in list')
            """,
            None,
        )
    ],
    "intersection": [
        *_INTERSECTION,
        OperationLoop((_SET, _LISTED), "{result} = set()\n" + _each(1, "{item} in {0}", _ADD), "set", compares=True),
    ],
    "difference": [_DIFFERENCE],
    "symmetric_difference": [
        _SYMMETRIC,
        OperationLoop((_SET, _LISTED), _EITHER, "set", compares=True),
    ],
    "union": [
        OperationLoop(
            (_SET, _LISTED),
            """
            {result} = {0}.copy()
            for {item} in {1}:
                {result}.add({item})
            """,
            "set",
        )
    ],
    "update": [
        OperationLoop(
            (_SET, _LISTED),
            """
            for {item} in {1}:
                {0}.add({item})
            """,
            None,
        ),
        OperationLoop(
            (_DICT, _DICT),
            """
            for {key} in {1}:
                {0}[{key}] = {1}[{key}]
            """,
            None,
            compares=True,
        ),
    ],
    "setdefault": [
        OperationLoop((_DICT, ()), _DEFAULT % "None", None, "{0}[{1}]", compares=True),
        OperationLoop((_DICT, (), ()), _DEFAULT % "{2}", None, "{0}[{1}]", compares=True),
    ],
    "popitem": [
        OperationLoop(
            (_DICT,),
            """
            if not {0}:
                raise KeyError('popitem(): dictionary is empty')
            {other} = list({0})
            {place} = len({other}) - 1
            {item} = {other}[{place}]
            {result} = ({item}, {0}.pop({item}))
            """,
            "tuple",
            compares=True,
        )
    ],
    "issubset": [
        OperationLoop((_SET, _SET), _test_all(0, "{item} not in {1}"), "bool", compares=True),
        OperationLoop(
            (_SET, _LISTED), "{other} = set({1})\n" + _test_all(0, "{item} not in {other}"), "bool", compares=True
        ),
    ],
    # Before Python 3.11, all items of a list are hashed first, which must not fail.
    "issuperset": [
        OperationLoop((_SET, (*_SET, NUMBERS, STRINGS)), _test_all(1, "{item} not in {0}"), "bool", compares=True)
    ],
    "isdisjoint": [OperationLoop((_SET, (*_SET, *_LISTED)), _test_all(1, "{item} in {0}"), "bool", compares=True)],
}
OPERATORS: Mapping[type[cst.BaseBinaryOp], Sequence[OperationLoop]] = {
    cst.Multiply: [
        OperationLoop(
            facts,
            f"{{result}} = {empty}\nfor {{item}} in range({{{times}}}):\n    {{result}} += {{{1 - times}}}\n",
            kind,
        )
        for kind, empty in (("list", "[]"), ("str", "''"), ("tuple", "()"))
        for times, facts in enumerate(((_SMALL, (exactly(kind),)), ((exactly(kind),), _SMALL)))
    ],
    cst.BitAnd: _INTERSECTION,
    cst.BitOr: [
        OperationLoop(
            (_DICT, _DICT),
            """
            {result} = {0}.copy()
            for {key} in {1}:
                {result}[{key}] = {1}[{key}]
            """,
            "dict",
            compares=True,
        ),
    ],
    cst.Subtract: [_DIFFERENCE],
    cst.BitXor: [_SYMMETRIC],
}
