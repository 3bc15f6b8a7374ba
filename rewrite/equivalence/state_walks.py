"""Random walks over the state of an instance or a module: long sequences of calls.

An example is `made = A(2); made.put(1, 5); made.put(2, 7); made.put(3, 0); made.get(1); made.get(2)`. Parameters with
the same name share a small pool of arguments, so that calls meet the state that earlier ones left. The same calls
always give the same sequences.
"""

from __future__ import annotations

import ast
import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rewrite.equivalence.call_sequences import INSTANCE
from rewrite.equivalence.call_templates import Function, class_and_bases, parsed_expression

POOL_SIZE = 4
WALK_LENGTH = 9
FILLING_CALLS = 3


@dataclass
class _CallTarget:
    """A class or a module whose methods or functions are called in sequence.

    Attributes:
        constructors: Expressions that create an instance, as keys; {"": None} for a module.
        parameters: Parameter names of each method or function.
        known_calls: Calls of each method or function; None stands for reading a property.
    """

    constructors: dict[str, None] = field(default_factory=dict)
    parameters: dict[str, list[str]] = field(default_factory=dict)
    known_calls: dict[str, list[ast.Call | None]] = field(default_factory=dict)


def state_walks(tree: ast.Module, calls: Iterable[str], most: int) -> list[str]:
    """Return up to `most` sequences of method calls on an instance, or of function calls if the module has state.

    Args:
        tree: The program.
        calls: Calls such as `A(1).m(2)`, from which arguments are taken; the most useful ones first.
        most: The maximum number of sequences.

    >>> tree = ast.parse("class A:\\n    def push(self, x): pass\\n    def pop(self): pass")
    >>> state_walks(tree, ["A().push(1)", "A().push(2)", "A().push(3)", "A().pop()"], 1)
    ['made = A(); made.push(1); made.push(2); made.push(3); made.pop(); made.pop()']
    """
    owners = _call_targets(tree)
    for call in calls:
        _register_call(owners, call)
    streams = [_target_walks(owner, most) for owner in owners.values() if owner.known_calls]
    rows = zip(*streams, strict=True)
    return [*dict.fromkeys(itertools.chain.from_iterable(rows))][:most]


def _call_targets(tree: ast.Module) -> dict[str, _CallTarget]:
    """The classes by name, and the module under "" if it has state."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found = {name: _CallTarget() for name in classes}
    for name, node in classes.items():
        for known in reversed([*class_and_bases(node, classes)]):
            methods = [method for method in known.body if isinstance(method, Function)]
            found[name].parameters |= {method.name: _names(method)[1:] for method in methods}
    functions = [node for node in tree.body if isinstance(node, Function)]
    if _has_state(tree):
        found[""] = _CallTarget({"": None}, {node.name: _names(node) for node in functions})
    return found


def _names(function: Function) -> list[str]:
    return [part.arg for part in (*function.args.posonlyargs, *function.args.args)]


def _has_state(tree: ast.Module) -> bool:
    """Whether calls of functions may change the state of the module."""
    plain = ast.Constant | ast.Name | ast.Attribute
    bound = any(isinstance(node, ast.Assign) and not isinstance(node.value, plain) for node in tree.body)
    return bound or any(isinstance(node, ast.Global) for node in ast.walk(tree))


def _register_call(owners: dict[str, _CallTarget], text: str) -> None:
    """Add a call such as `A(1).m(2)`, `A(1).p` or `f(2)` to its target."""
    tree = parsed_expression(text)
    asked = tree.func if isinstance(tree, ast.Call) else tree
    match asked:
        case ast.Attribute(value=ast.Call(func=ast.Name(id=name)) as maker, attr=method) if name in owners:
            owners[name].constructors[ast.unparse(maker)] = None
            owners[name].known_calls.setdefault(method, []).append(tree if isinstance(tree, ast.Call) else None)
        case ast.Name(id=name) if "" in owners and isinstance(tree, ast.Call) and name in owners[""].parameters:
            owners[""].known_calls.setdefault(name, []).append(tree)


def _target_walks(owner: _CallTarget, count: int) -> Iterator[str]:
    """Sequences that call one method three times and another one twice, alternating with random walks."""
    chance = random.Random(0)
    pools = _argument_pools(owner)
    makers = [*owner.constructors][:POOL_SIZE]
    pairs = sorted(itertools.permutations(owner.known_calls, 2), key=lambda pair: not _has_arguments(owner, pair[0]))
    for turn in range(count):
        start = [f"{INSTANCE} = {makers[turn % len(makers)]}"] if makers != [""] else []
        if turn % 2 == 0 and turn // 2 < len(pairs):
            first, then = pairs[turn // 2]
            steps = [_step(owner, first, pools, place) for place in range(FILLING_CALLS)]
            steps += [_step(owner, then, pools, place) for place in range(FILLING_CALLS - 1)]
        else:
            names = chance.choices([*owner.known_calls], k=WALK_LENGTH)
            steps = [_step(owner, name, pools, chance.randrange(POOL_SIZE)) for name in names]
        yield "; ".join([*start, *steps])


def _has_arguments(owner: _CallTarget, name: str) -> bool:
    return any(call is not None and call.args for call in owner.known_calls[name])


def _argument_pools(owner: _CallTarget) -> dict[str, list[str]]:
    """A few different arguments for each parameter name."""
    found: dict[str, dict[str, None]] = {}
    for method, calls in owner.known_calls.items():
        for call in calls:
            for name, argument in zip(owner.parameters.get(method, []), call.args if call else [], strict=False):
                found.setdefault(name, {})[ast.unparse(argument)] = None
    return {name: sorted(texts, key=_simplicity)[:POOL_SIZE] for name, texts in found.items()}


def _simplicity(text: str) -> tuple[bool, bool]:
    """The order of arguments: hashable ones come first, then short ones."""
    return text[:1] in "[{(", len(text) > 8


def _step(owner: _CallTarget, name: str, pools: dict[str, list[str]], place: int) -> str:
    """One call, with arguments from the pools, selected by `place`."""
    calls = owner.known_calls[name]
    call = calls[place % len(calls)]
    start = f"{INSTANCE}.{name}" if owner.constructors != {"": None} else name
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
