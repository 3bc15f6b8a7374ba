"""Short sequences of calls on one module, in which a call can observe the state that an earlier one left.

Calls are source code. No program is run.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence

from rewrite.equivalence.call_templates import parsed_expression

MAX_SEQUENCES = 24
INSTANCE = "made"  # the variable that holds an instance in a sequence


def call_sequences(calls: Sequence[str], most: int = MAX_SEQUENCES) -> list[str]:
    """Return sequences of two and three of these calls, among them each call repeated.

    Calls of methods on new instances become calls on a single instance.

    >>> call_sequences(["f(1)", "f(2)"])[:7]
    ['f(1); f(1)', 'f(1); f(2)', 'f(1); f(2); f(1)', 'f(1); f(1); f(1)', 'f(2); f(2); f(2)', 'f(2); f(2)', 'f(2); f(1)']
    """
    known = [text for text in map(_normalized, calls) if text]
    groups = [_repeated(known), _on_one_instance(known), _in_order(known)]
    found = [text for row in itertools.zip_longest(*groups) for text in row if text is not None]
    return list(dict.fromkeys(found))[:most]


def _normalized(call: str) -> str:
    """The call on one line without comments; "" if the text is no call or too long."""
    tree = parsed_expression(call)
    text = ast.unparse(tree) if isinstance(tree, ast.Call | ast.Attribute) else ""
    return text if len(text) < 10_000 else ""


def _repeated(calls: list[str]) -> list[str]:
    found: list[str] = []
    for place, call in enumerate(calls[:8]):
        other = calls[(place + 1) % len(calls)]
        found += [f"{call}; {call}", *([f"{call}; {other}", f"{call}; {other}; {call}"] if other != call else [])]
    # A third call reveals a counter that acts at two.
    return [*found[:3], *(f"{call}; {call}; {call}" for call in calls[:2]), *found[3:]]


def _in_order(calls: list[str]) -> list[str]:
    """Sequences of three and of two consecutive calls; each call is in one sequence."""
    found: list[str] = []
    start = 0
    for size in itertools.cycle((3, 2)):
        part = calls[start : start + size]
        start += size
        if len(part) < 2:
            return found
        found.append("; ".join(part))
    return found


def _on_one_instance(calls: list[str]) -> list[str]:
    """`A(1).m(2)` and `A(1).n()` become `made = A(1); made.m(2); made.n()`; also each method twice."""
    asked: dict[str, list[tuple[str, str]]] = {}
    for call in calls:
        tree = parsed_expression(call)
        asking = tree.func if isinstance(tree, ast.Call) else tree
        owner = asking.value if isinstance(asking, ast.Attribute) else None
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name):
            made = ast.unparse(owner)
            asked.setdefault(owner.func.id, []).append((made, call[len(made) :]))
    found: list[str] = []
    for known in asked.values():
        by_method = {rest.partition("(")[0]: (made, rest) for made, rest in reversed(known)}
        firsts = [*by_method.values()]
        for place, (made, rest) in enumerate(firsts):
            others = [other for _, other in firsts[place + 1 :] + firsts[:place]]
            again = f"{rest}; {INSTANCE}{rest}"
            found += [f"{INSTANCE} = {made}; {INSTANCE}{rest}; {INSTANCE}{other}" for other in [again, *others][:4]]
        for (made, rest), (_, other), (_, third) in itertools.islice(zip(known, known[1:], known[2:], strict=False), 6):
            found.append(f"{INSTANCE} = {made}; {INSTANCE}{rest}; {INSTANCE}{other}; {INSTANCE}{third}")
    return found
