"""Words for a value, from the expression that computes it: `text_count` for `text.count(c)`.

The words are short and readable. `rewrite.anf.names` checks that a name is free and allowed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

import libcst as cst

from rewrite.syntax.normalized_names import unmangled_name
from rewrite.syntax.operators import operation_of

LONGEST = 24  # characters; a longer name is replaced by a noun
MOST = 4  # words, as in `len_items_plus_1`
# fmt: off
# Characters that Unicode names differently, or not at all.
_CHARACTERS = {
    "": "empty", "*": "star", "/": "slash", "\\": "backslash", "-": "dash", "_": "underscore", ".": "dot",
    "(": "paren", ")": "closing_paren", "[": "bracket", "]": "closing_bracket", "{": "brace", "}": "closing_brace",
    "'": "quote", '"': "quotes", "<": "below", ">": "above", "|": "bar", "&": "ampersand", "@": "at_sign", "^": "caret",
    "`": "backquote", "#": "hash_sign", "\n": "newline", "\t": "tab", "\r": "return",
}
# fmt: on


def words(node: cst.CSTNode) -> str:
    """Return at most `LONGEST` letters, digits and underscores for an expression; they may begin with a digit.

    Example:
        >>> words(cst.parse_expression("text.count('a')")), words(cst.parse_expression("a + 2"))
        ('text_count', 'a_plus_2')
    """
    rule = _RULES.get(cst.Name if isinstance(node, cst.Name) else type(node))
    if rule is None:
        return "value"
    for candidate in rule(node):
        said = [part for part, _ in groupby(part for part in re.split(r"\W+|_+", candidate) if part)]
        name = "_".join(said)
        if 0 < len(name) <= LONGEST and len(said) <= MOST:
            return name
    return "value"


def _operator(node: cst.CSTNode) -> str:
    known = operation_of(node)
    return known.spoken if known else "with"


def _binary(node: cst.BinaryOperation | cst.BooleanOperation) -> Iterator[str]:
    plain = isinstance(node.left, cst.Name) and isinstance(node.right, cst.Name)
    if plain or isinstance(node, cst.BinaryOperation):
        yield f"{words(node.left)}_{_operator(node.operator)}_{words(node.right)}"
    known = operation_of(node.operator)
    yield (known and known.word) or "result"


def _comparison(node: cst.Comparison) -> Iterator[str]:
    first, last = node.comparisons[0], node.comparisons[-1]
    found = {cst.In: "has", cst.NotIn: "lacks"}.get(type(last.operator))
    if found:
        yield f"{words(last.comparator)}_{found}_{words(node.left)}"
        yield f"{found}_{words(node.left)}"
        yield "is_in" if found == "has" else "is_missing"
    chained = [words(first.comparator), _operator(last.operator)] if len(node.comparisons) > 1 else []
    yield "_".join([words(node.left), _operator(first.operator), *chained, words(last.comparator)])
    yield f"{_operator(last.operator)}_{words(last.comparator)}"
    yield "comparison"


def _call(node: cst.Call) -> Iterator[str]:
    if isinstance(node.func, cst.Attribute):
        yield words(node.func)
        yield f"{node.func.attr.value}_result"
    elif isinstance(node.func, cst.Name):
        of = f"_{words(node.args[0].value)}" if node.args else "_result"
        yield node.func.value + of
        yield f"{node.func.value}_result"
    else:
        yield f"{words(node.func)}_result"
    yield "result"


def _attribute(node: cst.Attribute) -> Iterator[str]:
    yield f"{words(node.value)}_{node.attr.value}"
    yield f"its_{node.attr.value}"


def _subscript(node: cst.Subscript) -> Iterator[str]:
    if not all(isinstance(item.slice, cst.Index) for item in node.slice):
        yield f"part_of_{words(node.value)}"
        yield "part"
    yield f"{words(node.value)}_at_{'_'.join(words(item.slice) for item in node.slice)}"
    yield f"item_of_{words(node.value)}"
    yield "item"


def _display(node: cst.Tuple | cst.List | cst.Set) -> Iterator[str]:
    noun = type(node).__name__.lower()
    yield f"{words(node.elements[0].value)}_{noun}" if node.elements else f"empty_{noun}"
    yield f"new_{noun}"


def _dict(node: cst.Dict) -> Iterator[str]:
    yield "new_dict" if node.elements else "empty_dict"


def _comprehension(node: cst.ListComp | cst.SetComp | cst.GeneratorExp) -> Iterator[str]:
    noun = {cst.ListComp: "list", cst.SetComp: "set", cst.GeneratorExp: "items"}[type(node)]
    yield f"{words(node.elt)}_{noun}"
    yield f"new_{noun}"


def _dict_comprehension(node: cst.DictComp) -> Iterator[str]:
    yield f"{words(node.value)}_by_{words(node.key)}"
    yield "new_dict"


def _string(node: cst.SimpleString) -> Iterator[str]:
    text = node.evaluated_value
    if isinstance(text, str) and re.fullmatch(r"[A-Za-z]\w{0,11}", text):
        yield text
    known = unicodedata.name(text, "").lower() if isinstance(text, str) and len(text) == 1 else ""
    # PLUS SIGN, LEFT PARENTHESIS, DIGIT ONE, LATIN SMALL LETTER E WITH ACUTE …
    yield _CHARACTERS.get(str(text), re.sub(r" sign$| mark$|-", "", known).replace("digit ", ""))
    yield "text"


def _number(node: cst.Integer | cst.Float) -> Iterator[str]:
    yield node.value if len(node.value) < 6 else "number"


_RULES: dict[type[cst.CSTNode], Callable[[Any], Iterator[str]]] = {
    cst.Name: lambda node: iter((unmangled_name(node), "variable")),
    cst.Integer: _number,
    cst.Float: _number,
    cst.SimpleString: _string,
    cst.FormattedString: lambda node: iter(("text",)),
    cst.ConcatenatedString: lambda node: iter(("text",)),
    cst.BinaryOperation: _binary,
    cst.BooleanOperation: _binary,
    cst.UnaryOperation: lambda node: iter((f"{_operator(node.operator)}_{words(node.expression)}", "result")),
    cst.Comparison: _comparison,
    cst.Call: _call,
    cst.Attribute: _attribute,
    cst.Subscript: _subscript,
    cst.Index: lambda node: iter((words(node.value),)),
    cst.Tuple: _display,
    cst.List: _display,
    cst.Set: _display,
    cst.Dict: _dict,
    cst.ListComp: _comprehension,
    cst.SetComp: _comprehension,
    cst.GeneratorExp: _comprehension,
    cst.DictComp: _dict_comprehension,
    cst.IfExp: lambda node: iter((f"{words(node.body)}_or_{words(node.orelse)}", "choice")),
    cst.Await: lambda node: iter((words(node.expression),)),
    cst.Yield: lambda node: iter(("received",)),
    cst.NamedExpr: lambda node: iter((words(node.target),)),
    cst.Lambda: lambda node: iter((f"{words(node.body)}_function", "function")),
    cst.StarredElement: lambda node: iter((words(node.value),)),
}
