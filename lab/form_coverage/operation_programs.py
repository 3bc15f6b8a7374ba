"""Programs with one operation of the catalogue: each way to write it, each shape of its operands, each context.

The programs follow from the catalogue alone. Operands are chosen so that most operations have something to do: what a
string operation looks for occurs in its receiver. Operations on bytes, and those that read or change something outside
of their operands, are left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analyze.operations.operation import Form, Kind, Mutation, Operation, Parameter, Reads

SEVERAL, ONE, EMPTY, NON_ASCII, NEGATIVE = "several", "one", "empty", "non-ASCII", "negative"
ASSIGNMENT = "    found = {}\n    return found\n"
SHAPES = (ONE, EMPTY, NON_ASCII, NEGATIVE)
VARIABLE, LITERAL, EXPRESSION, ALL_ARGUMENTS = "variable", "literal", "expression", "all arguments"
CONTEXTS: Mapping[str, str] = {
    "condition": "    if {}:\n        return 1\n    return 0\n",
    "loop": "    last = None\n    for last in {}:\n        pass\n    return last\n",
    "argument": "    return str({})\n",
    "return": "    return {}\n",
    "augmented": "    total = {zero}\n    total += {}\n    return total\n",
    "comprehension": "    return [{} for _ in range(2)]\n",
    "chained": "    return ({}){next}\n",
}
"""Statements around an operation, besides an assignment: `zero` and `next` depend on the type of its result."""
COLUMNS = (VARIABLE, LITERAL, EXPRESSION, ALL_ARGUMENTS, *SHAPES, *CONTEXTS)

_RECEIVERS: Mapping[str, Mapping[str, str]] = {
    "str": {SEVERAL: "'banana'", ONE: "'b'", EMPTY: "''", NON_ASCII: "'naïve ß'"},
    "int": {SEVERAL: "12", EMPTY: "0", NEGATIVE: "-3"},
    "bool": {SEVERAL: "True"},
    "float": {SEVERAL: "2.5", EMPTY: "0.0", NEGATIVE: "-1.5"},
    "list": {SEVERAL: "[3, 1, 2]", ONE: "[5]", EMPTY: "[]"},
    "tuple": {SEVERAL: "(3, 1, 2)", ONE: "(5,)", EMPTY: "()"},
    "dict": {SEVERAL: "{'a': 1, 'b': 2}", ONE: "{'a': 1}", EMPTY: "{}"},
    "set": {SEVERAL: "{1, 2, 3}", ONE: "{5}", EMPTY: "set()"},
    "frozenset": {SEVERAL: "frozenset({1, 2, 3})", ONE: "frozenset({5})", EMPTY: "frozenset()"},
    "range": {SEVERAL: "range(2, 9, 3)", ONE: "range(1)", EMPTY: "range(0)"},
}
_LOOKED_FOR = {SEVERAL: "'an'", ONE: "'a'", EMPTY: "''", NON_ASCII: "'ï'"}
_ITEM = {"dict": "'a'", "str": "'an'", "range": "5"}
_TEMPLATE = {SEVERAL: "'<%s>'"}
_BY_NAME: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("sub", "old", "sep", "prefix", "suffix", "separator"), _LOOKED_FOR),
    "new": {SEVERAL: "'oo'", ONE: "'o'", EMPTY: "''", NON_ASCII: "'ö'"},
    "chars": {SEVERAL: "'ab'", ONE: "'a'", EMPTY: "''", NON_ASCII: "'ïß'"},
    **{key: {SEVERAL: "1", ONE: "0", EMPTY: "0", NEGATIVE: "-2"} for key in ("start", "index")},
    **{key: {SEVERAL: "4", EMPTY: "0", NEGATIVE: "-1"} for key in ("end", "stop")},
    "step": {SEVERAL: "2", ONE: "1", NEGATIVE: "-1"},
    "width": {SEVERAL: "9", EMPTY: "0", NEGATIVE: "-1"},
    **{key: {SEVERAL: "2", EMPTY: "0", NEGATIVE: "-1"} for key in ("count", "maxsplit", "exponent", "bits", "ndigits")},
}
_ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    **_RECEIVERS,
    "character": {SEVERAL: "'*'", NON_ASCII: "'é'"},
    "affixes": {SEVERAL: "('an', 'ba')", EMPTY: "()"},
    "strings": {SEVERAL: "['ab', 'c', 'de']", ONE: "['ab']", EMPTY: "[]", NON_ASCII: "['ä', 'ß']"},
    "numbers": {SEVERAL: "[3, 1, 2]", ONE: "[5]", EMPTY: "[]", NEGATIVE: "[-1, 2]"},
    "pairs": {SEVERAL: "[('a', 1), ('c', 2)]", ONE: "[('a', 1)]", EMPTY: "[]"},
    **{key: {SEVERAL: "[3, 1, 2]", ONE: "[5]", EMPTY: "[]"} for key in ("iterable", "hashables", "sized")},
    "iterator": {SEVERAL: "iter([3, 1, 2])"},
    **{key: {SEVERAL: "3", ONE: "5", NEGATIVE: "-3"} for key in ("object", "hashable", "")},
    "table": {SEVERAL: "{97: 'x', 98: None}"},
    "spec": {SEVERAL: "'>9'"},
    "function": {SEVERAL: "str"},
    "classes": {SEVERAL: "int"},
    "type": {SEVERAL: "int"},
    "base": {SEVERAL: "16"},
    "encoding": {SEVERAL: "'utf-8'"},
    "errors": {SEVERAL: "'strict'"},
}
_NEUTRAL: Mapping[str, str] = {"str": "''", "int": "0", "float": "0.0", "list": "[]", "tuple": "()"}
"""What is added to an operand so that it is an expression, and what a total begins with, by type."""
_NEXT: Mapping[type, str] = {
    str: ".upper()",
    int: ".bit_length()",
    float: ".is_integer()",
    list: ".copy()",
    dict: ".copy()",
    set: ".copy()",
    tuple: ".count(1)",
    bool: ".bit_length()",
}
_LEFT_OUT = (Kind.NAMESPACE, Kind.OUTPUT, Kind.OBJECT)
_CHANGES = ("store", "delete")


@dataclass(frozen=True)
class OperationProgram:
    """A program with an operation.

    Attributes:
        operation: The operation.
        column: One of `COLUMNS`.
        source: The program.
        call: Its call.
    """

    operation: Operation
    column: str
    source: str
    call: str


def is_covered(one: Operation) -> bool:
    """Whether there are programs of an operation."""
    known = (not one.receiver or one.receiver in _RECEIVERS) and one.since <= sys.version_info[:2]
    takes = all(_words(parameter) for parameter in one.parameters if parameter.is_required)
    is_recorded = one.form is not Form.BOOLEAN and one.name != "MatMult"  # `and`, `or` and `@` are no steps
    return known and takes and is_recorded and one.kind not in _LEFT_OUT and one.reads is Reads.NOTHING


def operation_programs(one: Operation) -> Iterator[OperationProgram]:
    """The programs of an operation, in the order of `COLUMNS`; without those that could not differ from others."""
    required = _operands(one, SEVERAL, optional=False)
    yield _program(one, VARIABLE, required, ASSIGNMENT)
    yield _literal(one, required)
    yield _program(one, EXPRESSION, required, ASSIGNMENT, computed=True)
    whole = _operands(one, SEVERAL, optional=True)
    if whole != required:
        yield _program(one, ALL_ARGUMENTS, whole, ASSIGNMENT)
    for shape in SHAPES:
        shaped = _operands(one, shape, optional=False)
        if shaped != required:
            yield _program(one, shape, shaped, ASSIGNMENT)
    if not _is_statement(one):
        yield from _in_contexts(one, required)


def _words(parameter: Parameter) -> Mapping[str, str]:
    """The values of a parameter by shape; none if it takes nothing that is known here."""
    found = next((_ARGUMENTS[word] for word in parameter.type.split(" | ") if word in _ARGUMENTS), {})
    is_text = parameter.type.startswith(("str", "int"))  # else the name says nothing about the value
    return _BY_NAME.get(parameter.name, found) if is_text else found


def _operands(one: Operation, shape: str, *, optional: bool) -> tuple[tuple[str, str], ...]:
    """Keyword (or "") and value of the receiver and each argument."""
    is_template = one.kind is Kind.FORMAT and one.form is Form.OPERATOR
    receiver = _TEMPLATE if is_template else _RECEIVERS[one.receiver or "str"]
    found = [("", receiver)] if one.receiver or one.form is not Form.CALL else []
    for parameter in one.parameters:
        values = _words(parameter)
        if not values or not (parameter.is_required or parameter.is_variadic or optional):
            continue
        if parameter.type in ("object", "hashable") and one.receiver in _ITEM:
            values = {SEVERAL: _ITEM[one.receiver]}
        found.append((parameter.name if parameter.is_keyword else "", values))
    if one.form is Form.OPERATOR and not one.receiver and one.parameters:
        found[1:] = [("", _LOOKED_FOR)]
    return tuple((name, values.get(shape, values[SEVERAL])) for name, values in found)


def _program(
    one: Operation, column: str, operands: Sequence[tuple[str, str]], body: str, *, computed: bool = False
) -> OperationProgram:
    """The operation on parameters, or on expressions of them."""
    names: list[str] = []
    texts: list[tuple[str, str]] = []
    values: list[str] = []
    for (keyword, value), name in zip(operands, "abcdefgh", strict=False):
        is_fixed = value in ("str", "int") or (one.name == "field" and value == _ARGUMENTS["spec"][SEVERAL])
        is_target = _is_statement(one) and not texts
        neutral = _NEUTRAL.get(_type_name(value), "") if computed and not is_fixed and not is_target else ""
        texts.append((keyword, value if is_fixed else f"({name} + {neutral})" if neutral else name))
        if not is_fixed:
            names.append(name)
            values.append(value)
    made = _statement(one, texts, body)
    return OperationProgram(one, column, f"def f({', '.join(names)}):\n{made}", f"f({', '.join(values)})")


def _literal(one: Operation, operands: Sequence[tuple[str, str]]) -> OperationProgram:
    if _is_statement(one):
        (keyword, receiver), *others = operands
        made = f"    a = {receiver}\n" + _statement(one, [(keyword, "a"), *others], ASSIGNMENT)
    else:
        made = _statement(one, operands, ASSIGNMENT)
    return OperationProgram(one, LITERAL, f"def f():\n{made}", "f()")


def _in_contexts(one: Operation, operands: Sequence[tuple[str, str]]) -> Iterator[OperationProgram]:
    """The programs of the contexts that take a result of this type; none if the operation raises."""
    try:
        result = eval(_text(one, operands))
    except Exception:  # noqa: BLE001 - any exception of the operation
        return
    neutral = "0" if isinstance(result, bool) else _NEUTRAL.get(type(result).__name__, "")
    following = _NEXT.get(type(result), "")
    impossible = {"augmented": not neutral, "chained": not following, "loop": not hasattr(result, "__iter__")}
    for context, body in CONTEXTS.items():
        if not impossible.get(context):
            filled = body.replace("{zero}", neutral).replace("{next}", following)
            yield _program(one, context, operands, filled)


def _statement(one: Operation, operands: Sequence[tuple[str, str]], body: str) -> str:
    """The body of a function. An operation that is a statement returns its receiver."""
    text = _text(one, operands)
    return f"    {text}\n    return {operands[0][1]}\n" if _is_statement(one) else body.replace("{}", text)


def _is_statement(one: Operation) -> bool:
    is_change = one.form is Form.AUGMENTED or one.name.endswith(_CHANGES)
    return is_change or (one.result == "None" and one.mutates not in (None, Mutation.ADVANCES))


def _text(one: Operation, operands: Sequence[tuple[str, str]]) -> str:
    """The operation as source."""
    texts = [text for _, text in operands]
    if one.form in (Form.OPERATOR, Form.AUGMENTED):
        if len(texts) == 1:
            return f"{one.symbol} {texts[0]}" if one.symbol.isalpha() else f"{one.symbol}{texts[0]}"
        left, right = reversed(texts) if one.name in ("In", "NotIn") else texts
        return f"{left} {one.symbol} {right}"
    if one.form in (Form.ITEM, Form.SLICE):
        return _subscript(one, texts)
    if one.form is Form.FORMAT:
        return _formatted(one, texts)
    arguments = [f"{keyword}={text}" if keyword else text for keyword, text in operands]
    if one.form is Form.CALL:
        return f"{one.name}({', '.join(arguments)})"
    receiver = f"({arguments[0]})" if arguments[0].lstrip("-").isdecimal() else arguments[0]
    return f"{receiver}.{one.name}({', '.join(arguments[1:])})"


def _subscript(one: Operation, texts: Sequence[str]) -> str:
    receiver, *places = texts
    stored = places.pop() if one.name.endswith("store") else ""
    inside = ":".join(places) if len(places) > 1 or one.form is Form.ITEM else f"{':'.join(places)}:"
    target = f"{receiver}[{inside}]"
    return f"del {target}" if one.name.endswith("delete") else f"{target} = {stored}" if stored else target


def _formatted(one: Operation, texts: Sequence[str]) -> str:
    if one.name.startswith("conversion"):
        return f'f"{{{texts[-1]}!{one.name[-1]}}}"'
    if one.name == "field":
        return f'f"{{{texts[0]}:{texts[1][1:-1]}}}"'
    return f'f"<{"-".join(f"{{{text}}}" for text in texts)}>"'


def _type_name(value: str) -> str:
    return type(eval(value)).__name__
