"""Words for the value of an expression, by its operation: `length` for `len(text)`, `lines` for `text.split("\\n")`.

`operand_word` is for values whose operation says little: what the value is taken from. `object_of` is what a function
makes, by its name.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from analyze.operations.catalogue import candidates, find
from analyze.operations.operation import Form

ORDINALS = ("first", "second", "third")
VERBS = ("build", "calculate", "compute", "count", "create", "find", "generate", "get", "load", "make", "parse", "read")


def operation_words(node: ast.expr, value: object) -> list[str]:
    """Words for the value of an expression, the best first; none if the operation says nothing.

    Args:
        node: The expression.
        value: A value that a call showed.

    >>> values = [ast.parse(one, mode="eval").body for one in ("len(a)", "a.split()", "a[0]", "a.isupper()")]
    >>> [operation_words(one, "") for one in values]
    [['length'], ['words'], ['first'], ['is_upper']]
    """
    match node:
        case ast.Call(func=ast.Name(id="str")):
            return ["digits" if isinstance(value, str) and value.isdecimal() else "string"]
        case ast.Call(func=ast.Name(id="list"), args=[ast.Call(ast.Name(id="map"), [ast.Attribute(attr=name), _])]):
            return _of_method(name, [])
        case ast.Call(func=ast.Name(id="dict"), args=[ast.Call(func=ast.Name(id="zip"))]):
            return ["pairs"]
        case ast.Call(func=ast.Name(id="int"), args=[ast.Subscript(slice=index)]):
            words, noun = _of_part(index, ""), "digit" if value in (None, *range(10)) else "number"
            return [f"{words[0]}_{noun}" if words[0] in (*ORDINALS, "last") else "number"]
        case ast.Call(func=ast.Name(id=name)):
            word = word_of(name, Form.CALL)
            return [word] if word else [] if name == "list" else _of_function(name)
        case ast.Call(func=ast.Attribute(attr=name), args=args):
            return _of_method(name, args)
        case ast.BinOp(op=ast.Add() | ast.Sub()) if any(_is_search(one) for one in ast.walk(node)):
            return ["index"]
        case ast.BinOp(
            left=ast.BinOp(op=ast.Add() | ast.Sub()) as left, op=ast.Add() | ast.Sub(), right=ast.Constant(value=int())
        ):
            return operation_words(left, value)
        case ast.BinOp(ast.Call(func=ast.Name(id="len")), ast.Sub(), ast.Constant(value=1)):
            return ["last_index"]
        case ast.BinOp(ast.Name(id=left), ast.Mult(), ast.Name(id=right)) if left == right:
            return ["square"]
        case ast.BinOp(op=ast.Mult()) if isinstance(value, str) and len(set(value)) == 1:
            return ["padding"]
        case ast.BinOp(op=operator):
            known = find(type(operator).__name__, type(value).__name__, Form.OPERATOR)  # an operand has its type
            word = (known.word if known else "") or word_of(type(operator).__name__, Form.OPERATOR)
            return [word] if word else []
        case ast.UnaryOp(op=operator) | ast.Compare(ops=[operator]):
            word = word_of(type(operator).__name__, Form.OPERATOR)
            return [word] if word else []
        case ast.Compare():
            return ["is_within"]
        case ast.BoolOp():
            return ["holds"] if isinstance(value, bool) else ["choice"]
        case ast.Subscript(slice=index):
            return _of_part(index, value)
        case ast.IfExp() if isinstance(value, str) and len(value) == 1:
            return ["character"]
        case ast.JoinedStr():
            return ["formatted"]
        case ast.Tuple(elts=parts):
            return ["pair" if len(parts) == 2 else "group"]
        case ast.Attribute(attr=name):
            return [name.strip("_")]
    return []


def _is_search(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return word_of(name, Form.METHOD) == "index"
    return False


def word_of(name: str, form: Form) -> str:
    """The word for the result of an operation; "" if its name says as much."""
    return next((one.word for one in candidates(name) if one.form is form and one.word), "")


def _of_function(name: str) -> list[str]:
    return [object_of(name) or "result"]


def object_of(name: str) -> str:
    """What a function gets or makes: the `price` of `get_price`, the `hours` of `days_to_hours`; "" for other names."""
    first, converts, last = name.rpartition("_to_")
    if first and converts:
        return last
    verb, _, rest = name.partition("_")
    return rest if verb in VERBS else ""


def _of_method(name: str, args: Sequence[ast.expr]) -> list[str]:
    if name == "pop":
        return list(ORDINALS) if _is_zero(args) else ["popped"] if args else ["last"]
    if name in ("split", "rsplit") and (not args or _constant(args[0]) == "\n"):
        return ["lines" if args else "words"]
    if name.startswith("is") and name.isalpha():
        return [f"is_{name[2:]}"]
    if name == "count" and args and isinstance(_constant(args[0]), str):
        return ["count", f"count_{_constant(args[0])}"]
    word = word_of(name, Form.METHOD) or object_of(name) or name.strip("_")
    return [word, "position"] if word == "index" else [word]


def _of_part(index: ast.expr, value: object) -> list[str]:
    match index:
        case ast.Slice(step=ast.UnaryOp(op=ast.USub())):
            return ["backwards"]
        case ast.Slice(upper=None, step=None):
            return ["rest"]
        case ast.Slice(lower=None, step=None):
            return ["head", "part"]
        case ast.Slice():
            return ["part"]
        case ast.Constant(value=int(number)) if number < len(ORDINALS):
            return [ORDINALS[number]]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
            return ["last"]
    return ["character" if isinstance(value, str) and len(value) == 1 else "item"]


def _is_zero(args: Sequence[ast.expr]) -> bool:
    return bool(args) and _constant(args[0]) == 0


def _constant(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def operand_word(node: ast.expr) -> str:
    """The variable that a value is taken from: the receiver of a method, the first argument; "" for none."""
    match node:
        case ast.Call(func=ast.Name(id="list"), args=[ast.Call(ast.Name(id="map"), [_, ast.Name(id=name)])]):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) | ast.Subscript(value=ast.Name(id=name)):
            return name
        case ast.Call(args=[ast.Name(id=name), *_]) | ast.BinOp(left=ast.Name(id=name)):
            return name
        case ast.Call(args=[ast.Subscript(value=ast.Name(id=name)), *_]):
            return name
    return ""
