"""Long sequences of calls on one instance, or on one module with state: what many calls leave behind shows at the end.

`made = A(2); made.put(1, 5); made.put(2, 7); made.put(3, 0); made.get(1); made.get(2)`. Parameters of one name take
their arguments from one small pool, so that calls meet what earlier ones left. The same calls give the same sequences.
"""

from __future__ import annotations

import ast
import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rewrite.equivalence.call_sequences import MADE
from rewrite.equivalence.literal_templates import Function, with_bases

POOL = 4
STEPS = 9
FILLED = 3


@dataclass
class _Owner:
    """A class, or a module: how to make it, and the calls known of each of its methods or functions."""

    makers: dict[str, None] = field(default_factory=dict)
    parameters: dict[str, list[str]] = field(default_factory=dict)
    called: dict[str, list[ast.Call | None]] = field(default_factory=dict)  # None: a property, which is only read


def walks(tree: ast.Module, calls: Iterable[str], most: int) -> list[str]:
    """Up to `most` sequences made of single calls of methods, or of functions where the module has state.

    calls: calls such as `A(1).m(2)`, those first whose arguments are the better ones.

    >>> tree = ast.parse("class A:\\n    def push(self, x): pass\\n    def pop(self): pass")
    >>> walks(tree, ["A().push(1)", "A().push(2)", "A().push(3)", "A().pop()"], 1)
    ['made = A(); made.push(1); made.push(2); made.push(3); made.pop(); made.pop()']
    """
    owners = _owners(tree)
    for call in calls:
        _register(owners, call)
    streams = [_walks(owner, most) for owner in owners.values() if owner.called]
    rows = zip(*streams, strict=True)
    return [*dict.fromkeys(itertools.chain.from_iterable(rows))][:most]


def _owners(tree: ast.Module) -> dict[str, _Owner]:
    """Classes by name, and the module under ""."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found = {name: _Owner() for name in classes}
    for name, node in classes.items():
        for known in reversed([*with_bases(node, classes)]):
            methods = [method for method in known.body if isinstance(method, Function)]
            found[name].parameters |= {method.name: _names(method)[1:] for method in methods}
    functions = [node for node in tree.body if isinstance(node, Function)]
    if _has_state(tree):
        found[""] = _Owner({"": None}, {node.name: _names(node) for node in functions})
    return found


def _names(function: Function) -> list[str]:
    return [part.arg for part in (*function.args.posonlyargs, *function.args.args)]


def _has_state(tree: ast.Module) -> bool:
    """Whether calls of functions may leave something behind in the module."""
    plain = ast.Constant | ast.Name | ast.Attribute
    bound = any(isinstance(node, ast.Assign) and not isinstance(node.value, plain) for node in tree.body)
    return bound or any(isinstance(node, ast.Global) for node in ast.walk(tree))


def _register(owners: dict[str, _Owner], text: str) -> None:
    """Take up a call such as `A(1).m(2)`, `A(1).p` or `f(2)`."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return
    asked = tree.func if isinstance(tree, ast.Call) else tree
    match asked:
        case ast.Attribute(value=ast.Call(func=ast.Name(id=name)) as maker, attr=method) if name in owners:
            owners[name].makers[ast.unparse(maker)] = None
            owners[name].called.setdefault(method, []).append(tree if isinstance(tree, ast.Call) else None)
        case ast.Name(id=name) if "" in owners and isinstance(tree, ast.Call) and name in owners[""].parameters:
            owners[""].called.setdefault(name, []).append(tree)
        case _:
            pass


def _walks(owner: _Owner, count: int) -> Iterator[str]:
    """Each method three times and then another one twice, in turn with random walks."""
    chance = random.Random(0)
    pools = _pools(owner)
    makers = [*owner.makers][:POOL]
    pairs = sorted(itertools.permutations(owner.called, 2), key=lambda pair: not _has_arguments(owner, pair[0]))
    for turn in range(count):
        start = [f"{MADE} = {makers[turn % len(makers)]}"] if makers != [""] else []
        if turn % 2 == 0 and turn // 2 < len(pairs):
            first, then = pairs[turn // 2]
            steps = [_step(owner, first, pools, place) for place in range(FILLED)]
            steps += [_step(owner, then, pools, place) for place in range(FILLED - 1)]
        else:
            names = chance.choices([*owner.called], k=STEPS)
            steps = [_step(owner, name, pools, chance.randrange(POOL)) for name in names]
        yield "; ".join([*start, *steps])


def _has_arguments(owner: _Owner, name: str) -> bool:
    return any(call is not None and call.args for call in owner.called[name])


def _pools(owner: _Owner) -> dict[str, list[str]]:
    """For each name of a parameter, a few different arguments."""
    found: dict[str, dict[str, None]] = {}
    for method, calls in owner.called.items():
        for call in calls:
            for name, argument in zip(owner.parameters.get(method, []), call.args if call else [], strict=False):
                found.setdefault(name, {})[ast.unparse(argument)] = None
    return {name: _different([*texts]) for name, texts in found.items()}


def _different(texts: Sequence[str]) -> list[str]:
    """The first few, numbers and strings before what a dict does not take for a key."""
    return sorted(texts, key=lambda text: (text[:1] in "[{(", len(text) > 8))[:POOL]


def _step(owner: _Owner, name: str, pools: dict[str, list[str]], place: int) -> str:
    """One call, with arguments out of the pools by place."""
    calls = owner.called[name]
    call = calls[place % len(calls)]
    start = f"{MADE}.{name}" if owner.makers != {"": None} else name
    if call is None:
        return start
    names = owner.parameters.get(name, [])
    given = [
        pools[names[at]][(place + at) % len(pools[names[at]])]
        if at < len(names) and names[at] in pools
        else ast.unparse(argument)
        for at, argument in enumerate(call.args)
    ]
    given += [ast.unparse(keyword) for keyword in call.keywords]
    return f"{start}({', '.join(given)})"
