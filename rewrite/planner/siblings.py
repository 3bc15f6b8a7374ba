"""Operations that get another form together: in two branches of an `if`, two like operands, two like lines in a row.

A rewrite that names a value in one branch but not in the other reads as if the branches differed in more than they do,
and so does one that names one of the areas in `area(a) + area(b)`, or in one of two lines that are else the same.
The caller leaves out operations that no call runs: their values are not known, and a form without these reads worse.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from rewrite.evidence.context import InterventionSite
from rewrite.interventions.temporaries import Temporaries
from rewrite.syntax.character_offsets import character_offsets
from rewrite.syntax.expression_shape import shape_of

Sites = frozenset[InterventionSite]
Place = tuple[Hashable, ...]
_CHAINED = ({ast.Add, ast.Sub}, {ast.Mult, ast.Div})
"""Operators that are written in one chain."""


def find_siblings(source: str, sites: Collection[InterventionSite]) -> dict[InterventionSite, Sites]:
    """For each form of an operation, the same form of its siblings and of itself.

    A part of one of several like operands also brings their own temporaries, which must be written before its step. So
    not every group is symmetric: an operand does not bring its parts.

    >>> text = "if a:\\n    b = len(a) + 1\\nelse:\\n    b = len(c) + 2\\n"
    >>> one, other = (InterventionSite(start, start + 6, "temporaries") for start in (14, 39))
    >>> find_siblings(text, [one, other])[one] == {one, other}
    True
    """
    at, tree = _by_expression(source, sites), ast.parse(source)
    operands_of_one = list(_like_operands(tree))
    groups: dict[Place, set[InterventionSite]] = defaultdict(set)
    alike: list[Sequence[ast.AST]] = [*operands_of_one, *_like_statements(tree)]
    for node, place in (*_branch_places(tree, ()), *(found for nodes in alike for found in _places_in(nodes))):
        for site in at(node):
            groups[*place, site.intervention].add(site)
    siblings = {site: frozenset([site]) for site in sites}
    for group in groups.values():
        together = _together(siblings, group)
        siblings |= dict.fromkeys(together, together)
    for operands in operands_of_one:
        whole = {site for one in operands for site in at(one) if site.intervention == Temporaries.name}
        for site in (site for one in operands for part in ast.walk(one) for site in at(part) if part is not one):
            siblings[site] = _together(siblings, whole | {site})
    return siblings


def partial_results(source: str, sites: Iterable[InterventionSite]) -> Sites:
    """The forms that no one would write: of the `a * b` of `a * b / c` and the like, and of one of two like conditions.

    Of an `and` or `or`, only the first operand is always evaluated.
    """
    at = _by_expression(source, sites)
    return frozenset(site for node in ast.walk(ast.parse(source)) for part in _parts(node) for site in at(part))


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    left = _beginning(node)
    if left is not None:
        yield left
    match node:
        case ast.BoolOp(values=[first, *others]) if shape_of(first) in map(shape_of, others):
            yield from ast.walk(first)


def _beginning(node: ast.AST) -> ast.BinOp | None:
    """The `a * b` of `a * b / c`, in one chain of operators; None for another expression."""
    match node:
        case ast.BinOp(left=ast.BinOp() as left) if any({type(left.op), type(node.op)} <= some for some in _CHAINED):
            return left
    return None


def _by_expression(source: str, sites: Iterable[InterventionSite]) -> Callable[[ast.AST], Sequence[InterventionSite]]:
    """A function from an expression of a source to the forms that it can have."""
    offset = character_offsets(source)
    by_span: dict[tuple[int, int], list[InterventionSite]] = defaultdict(list)
    for site in sites:
        by_span[site[:2]].append(site)

    def at(node: ast.AST) -> Sequence[InterventionSite]:
        if not isinstance(node, ast.expr):
            return ()
        end = offset(node.end_lineno or 0, node.end_col_offset or 0)
        return by_span.get((offset(node.lineno, node.col_offset), end), ())

    return at


def _together(siblings: Mapping[InterventionSite, Sites], sites: Iterable[InterventionSite]) -> Sites:
    return frozenset[InterventionSite]().union(*(siblings[one] for one in sites))


def _like_operands(tree: ast.AST) -> Iterator[list[ast.expr]]:
    """Operands of one expression that have the same shape."""
    for node in ast.walk(tree):
        by_shape: dict[Place, list[ast.expr]] = defaultdict(list)
        for one in _operands(node):
            by_shape[shape_of(one)].append(one)
        yield from (operands for operands in by_shape.values() if len(operands) > 1)


def _like_statements(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Statements of the same shape in a row."""
    for node in ast.walk(tree):
        for _, block in ast.iter_fields(node):
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                runs = (list(run) for _, run in groupby(block, shape_of))
                yield from (run for run in runs if len(run) > 1)


def _places_in(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.expr, Place]]:
    """The expressions in nodes of the same shape, each with its place, which it shares with those in the others."""
    for one in nodes:
        parts = (part for part in ast.walk(one) if isinstance(part, ast.expr))
        yield from ((part, (id(nodes[0]), number)) for number, part in enumerate(parts))


def _operands(node: ast.AST) -> list[ast.expr]:
    """The operands of an operator, those of `a + b - c` together; the items of a display; the arguments of a call."""
    match node:
        case ast.BinOp():
            left = _beginning(node)
            return [*(_operands(left) if left else [node.left]), node.right]
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.BoolOp():
            return node.values
        case ast.Tuple() | ast.List() | ast.Set():
            return node.elts
        case ast.Call():
            return node.args
    return []


def _branch_places(node: ast.AST, place: Place, chain: ast.AST | None = None) -> Iterator[tuple[ast.expr, Place]]:
    """The expressions in the branches of a node, each with what it shares with its siblings.

    Args:
        node: The node.
        place: The innermost `if` around it, and the way from the branch to the node; () in no branch.
        chain: The first `if` of those of which the node is an `elif`.
    """
    for name, value in ast.iter_fields(node):
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST):
                continue
            if isinstance(node, ast.If) and name != "test":
                first = chain or node
                is_elif = name == "orelse" and len(value) == 1 and isinstance(child, ast.If)
                yield from _branch_places(child, (id(first), index, type(child).__name__), first if is_elif else None)
                continue
            inner = (*place, id(node) if chain else name, index, type(child).__name__) if place else ()
            if isinstance(child, ast.expr) and inner:
                yield child, inner
            yield from _branch_places(child, inner)
