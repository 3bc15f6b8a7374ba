"""Operations that get another form together: those at the same place of two branches of an `if`.

A rewrite that names a value in one branch but not in the other reads as if the branches differed in more than they do.
A branch that no call runs has none: what its values are is not known, and a form without that reads worse.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator

from rewrite.evidence.context import InterventionSite
from rewrite.syntax.character_offsets import character_offsets

Sites = frozenset[InterventionSite]
Place = tuple[Hashable, ...]


def find_siblings(source: str, sites: Collection[InterventionSite]) -> dict[InterventionSite, Sites]:
    """For each form of an operation, the same form of its siblings and of itself.

    >>> text = "if a:\\n    b = len(a) + 1\\nelse:\\n    b = len(c) + 2\\n"
    >>> one, other = (InterventionSite(start, start + 6, "temporaries") for start in (14, 39))
    >>> find_siblings(text, [one, other])[one] == {one, other}
    True
    """
    offset = character_offsets(source)
    places = {
        (offset(node.lineno, node.col_offset), offset(node.end_lineno or 0, node.end_col_offset or 0)): place
        for node, place in _places(ast.parse(source), ())
    }
    groups: dict[Place, set[InterventionSite]] = defaultdict(set)
    for site in sites:
        groups[*places.get(site[:2], site[:2]), site.intervention].add(site)
    return {site: frozenset(group) for group in groups.values() for site in group}


def _places(node: ast.AST, place: Place, chain: ast.AST | None = None) -> Iterator[tuple[ast.expr, Place]]:
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
                yield from _places(child, (id(first), index, type(child).__name__), first if is_elif else None)
                continue
            inner = (*place, id(node) if chain else name, index, type(child).__name__) if place else ()
            if isinstance(child, ast.expr) and inner:
                yield child, inner
            yield from _places(child, inner)
