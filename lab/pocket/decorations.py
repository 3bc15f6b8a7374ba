"""What programs have besides what they do: docstrings, annotations, comments and empty lines, drawn at random.

A trace shows annotations and comments only as text of its lines, and a docstring not at all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from corpora.program import Case
from lab.pocket.inputs import VALUES
from lab.pocket.words import library_words

DOCSTRING, ANNOTATIONS, COMMENTS, EMPTY_LINES = 0.35, 0.25, 0.15, 0.12
"""The shares of programs that get them."""
_TYPING = ("Any", "Dict", "List", "Optional", "Tuple")
_IMPORT = f"from typing import {', '.join(_TYPING)}"
_ANNOTATIONS = (
    *("int", "int", "str", "str", "bool", "float", "list", "dict", "tuple", "List[int]", "List[str]", "List[float]"),
    *("List[Any]", "Dict[str, int]", "Tuple[int, int]", "Optional[str]", "Optional[int]", "Any"),
)
_VERBS = (
    *("Return", "Return", "Returns", "Compute", "Check", "Find", "Count", "Given", "Write", "Create", "Convert"),
    *("Remove", "Determine"),
)


def decorated(case: Case, rng: Random) -> Case:
    """A case whose program may have docstrings, annotations, comments and empty lines, and does what it did.

    A program that does not parse, or whose functions do not start on a line of their own, stays as it is.

    Example:
        >>> print(decorated(Case("", "def f(a):\\n    return a", "f(1)"), Random(2)).source)
        def f(a: str) -> float:
            return a
    """
    source = case.source
    for share, decorate in (
        (COMMENTS, _with_comments),
        (EMPTY_LINES, _with_empty_lines),
        (ANNOTATIONS, _with_annotations),
        (DOCSTRING, _with_docstrings),
    ):
        if rng.random() < share:
            source = decorate(source, rng)
    return replace(case, source=source)


def _functions(source: str) -> list[ast.FunctionDef]:
    """The functions whose header is one line, without the body and without a docstring; the last first."""
    lines = source.split("\n")
    found = _definitions(source)
    plain = (one for one in found if lines[one.lineno - 1].rstrip().endswith(":") and one.body[0].lineno > one.lineno)
    return sorted((one for one in plain if ast.get_docstring(one) is None), key=lambda one: -one.lineno)


def _with_docstrings(source: str, rng: Random) -> str:
    lines, functions = source.split("\n"), _functions(source)
    for one in functions:
        if one is functions[0] or rng.random() < 0.5:
            indent = " " * one.body[0].col_offset
            lines[one.lineno : one.lineno] = [f"{indent}{line}".rstrip() for line in _docstring(one, rng)]
    return "\n".join(lines)


def _docstring(function: ast.FunctionDef, rng: Random) -> list[str]:
    quotes = '"""' if rng.random() < 0.85 else "'''"
    first = f"{rng.choice(_VERBS)} {_sentence(rng)}"
    if rng.random() < 0.35:
        return [f"{quotes}{first}{quotes}"]
    lines = [first, *(_sentence(rng).capitalize() for _ in range(rng.randint(0, 3)))]
    lines += list(_examples(function, rng)) if rng.random() < 0.6 else []
    body = [f"{quotes}{lines[0]}", *lines[1:]] if rng.random() < 0.5 else [quotes, *lines]
    return [*body, quotes]


def _sentence(rng: Random) -> str:
    return f"{_words(rng, 3, 12)}{rng.choice(('.', '.', '', ':'))}"


def _words(rng: Random, fewest: int, most: int) -> str:
    """Frequent words of the standard library."""
    return " ".join(rng.choices(library_words()[:2000], k=rng.randint(fewest, most)))


def _examples(function: ast.FunctionDef, rng: Random) -> Iterator[str]:
    """Calls with values; the values are drawn, so that nothing can be copied from them."""
    kinds = rng.choices("siLSD", k=len(function.args.args))
    for _ in range(rng.randint(1, 3)):
        arguments = ", ".join(_text(kind, rng) for kind in kinds)
        yield f">>> {function.name}({arguments})"
        yield _text(rng.choice("siLSDb"), rng)


def _text(kind: str, rng: Random) -> str:
    """A literal without what would end a docstring or be an escape in it."""
    return repr(VALUES[kind](rng)).replace("\\", "").replace('"', "").replace("'''", "")


def _with_annotations(source: str, rng: Random) -> str:
    lines, functions = source.split("\n"), _functions(source)
    for one in functions:
        arguments = [f"{argument.arg}: {rng.choice(_ANNOTATIONS)}" for argument in one.args.args]
        bare = ", ".join(argument.arg for argument in one.args.args)
        result = f" -> {rng.choice(_ANNOTATIONS)}" if rng.random() < 0.7 else ""
        before, after = f"def {one.name}({bare}):", f"def {one.name}({', '.join(arguments)}){result}:"
        lines[one.lineno - 1] = lines[one.lineno - 1].replace(before, after)  # not if it has defaults
    is_imported = bool(functions) and (rng.random() < 0.6 or _needs_import(lines))
    return "\n".join([_IMPORT, "", *lines] if is_imported else lines)


def _needs_import(lines: list[str]) -> bool:
    return any(line.lstrip().startswith("def ") and any(name in line for name in _TYPING) for line in lines)


def _with_comments(source: str, rng: Random) -> str:
    lines = source.split("\n")
    for one in reversed(_statements(source)):
        chance, line = rng.random(), lines[one.lineno - 1]
        text = f"# {_words(rng, 1, 6)}"
        if chance < 0.15 and one.lineno == one.end_lineno and len(line.encode()) == one.end_col_offset:
            lines[one.lineno - 1] = f"{line}  {text}"
        elif chance < 0.3:
            lines.insert(one.lineno - 1, f"{' ' * one.col_offset}{text}")
    return "\n".join(lines)


def _with_empty_lines(source: str, rng: Random) -> str:
    lines = source.split("\n")
    for one in reversed(_statements(source)):
        if rng.random() < 0.25:
            lines.insert(one.lineno - 1, "")
    return "\n".join(lines)


def _statements(source: str) -> list[ast.stmt]:
    """The statements of functions that begin a line, in order."""
    lines = source.split("\n")
    inside = (node for one in _definitions(source) for node in ast.walk(one))
    found = {
        node.lineno: node for node in inside if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef)
    }
    first = (node for node in found.values() if not lines[node.lineno - 1][: node.col_offset].strip())
    return sorted(first, key=lambda node: node.lineno)


def _definitions(source: str) -> list[ast.FunctionDef]:
    """All functions of a program; none if it does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
