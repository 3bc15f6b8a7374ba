"""The placebo: a rewrite that spells nothing out and only renames local variables, to `v0, v1, …`.

What a model gains on programs rewritten so, it gains by being asked a second time in other words. Only what no program
can see is renamed: variables of functions and comprehensions, and, where the calls are known, parameters of functions
that are only called and that no call names (`rewrite.analysis.plain_calls`; without calls parameters stay, since
callers may name them). What stays too: variables of modules and classes, `global` and `nonlocal` ones, names of
functions, classes and imports, variables that may be read before they are bound or are deleted (the message of the
error would name them), and all that `f"{name=}"` prints. A module that looks at variables (`locals()`, frames, code
objects) stays as it is. What this does not do: change lines, their number or their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from rewrite.analysis.definite_assignment import Certainty
from rewrite.analysis.plain_calls import PlainCalls, plain_calls
from rewrite.analysis.reflection import look
from rewrite.analysis.scopes import Scope, Scopes
from rewrite.analysis.symbol_table import collect
from rewrite.anf.names import Names
from rewrite.result import Change, Left, Position, Rewritten
from rewrite.syntax.source_map import Printed
from rewrite.syntax.spelling import Spelled
from rewrite.syntax.tree import children

PLACEBO = "placebo"
_ORDINARY = {"value", "element", "augmented", "other"}
_OPAQUE = (cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal)
# Beside what `rewrite.analysis.reflection` knows: whoever says one of these may look at the code of a function.
_LOOKING = re.compile(
    r"\b(?:__code__|__closure__|__kwdefaults__|__annotations__|inspect|symtable|ast|dis|traceback"
    r"|gettrace|settrace|setprofile)\b"
)


def rename(source: str, module: cst.Module, calls: Sequence[str] = ()) -> Rewritten:
    """The program under other names. `module` is its tree, as `rewrite.once.parse` gives it; calls: all there are.

    Returns the source itself where nothing can be renamed, with the reason in `left`.
    """
    old, scopes = Printed(module), collect(module)
    lines = tuple(Position(number, 1) for number in range(1, len(source.split("\n")) + 1))
    why = _refusal(module, source, scopes)
    uses = {} if why else _uses(module, scopes, plain_calls(module, calls))
    names = _new_names(uses, old, source)
    if not names:
        reason = why or "it has no local variable that only it can see"
        return Rewritten(source, changed=False, left=(Left(1, reason),), positions=lines)
    by_id = {id(node): names[key] for key, nodes in uses.items() for node in nodes}
    new = module.visit(_Renaming(by_id))
    assert isinstance(new, cst.Module)
    changes = tuple(Change(PLACEBO, *old.place(uses[key][0]), f"{key[1]} → {name}") for key, name in names.items())
    return Rewritten(new.code, changed=True, changes=changes, positions=lines)


Variable = tuple[int, str]
"""A variable: the id of its scope, and its name there."""


def _refusal(module: cst.Module, source: str, scopes: Scopes) -> str:
    every = list(scopes.by_node.values())
    seen = look(module, source, scopes)
    looking = next((name for scope in every for name in sorted(scope.reflection)), None)
    found = _LOOKING.search(source)
    if looking or found:
        return f"the program may look at its variables ({looking or (found and found[0])})"
    if seen.everywhere or seen.module or seen.changes or seen.replaced:
        return "the program may look at its variables"
    return "the program takes names from another module (import *)" if scopes.module.star_import else ""


def _uses(module: cst.Module, scopes: Scopes, called: PlainCalls | None) -> dict[Variable, list[cst.Name]]:
    """Where each variable that may be renamed stands. called: None where parameters stay."""
    finder = _Finder(scopes, _candidates(scopes, called))
    finder.walk(module, scopes.module)
    return {key: nodes for key, nodes in finder.uses.items() if key not in finder.kept}


def _candidates(scopes: Scopes, called: PlainCalls | None) -> dict[int, frozenset[str]]:
    """By id of scope, the names that nothing outside can see."""
    every = list({id(scope): scope for scope in scopes.by_node.values()}.values())
    declared = {name for scope in every for name in scope.declared_global | scope.declared_nonlocal}
    declared |= {name for scope in every if scope.kind == "class" for name in scope.bindings}
    found: dict[int, frozenset[str]] = {}
    for scope in every:
        own = frozenset(name for name in scope.bindings if _is_own(scope, name, called) and name not in declared)
        if scope.kind not in ("module", "class"):
            found[id(scope)] = own - _read_unbound(scope, own)
    return found


def _is_own(scope: Scope, name: str, called: PlainCalls | None) -> bool:
    ways = {binding.how for binding in scope.bindings[name]}
    if "parameter" in ways:
        if called is None or not called.may_rename(name, scope):
            return False
        ways.remove("parameter")
        ways.add("value")
    return bool(ways) and ways <= _ORDINARY and name not in scope.deleted and not name.startswith("__")


def _read_unbound(scope: Scope, names: frozenset[str]) -> frozenset[str]:
    """The names that a function may read before it has bound them; in comprehensions there are none."""
    if not isinstance(scope.node, cst.FunctionDef):
        return frozenset()
    given = {name for name in names if any(binding.how == "parameter" for binding in scope.bindings[name])}
    return Certainty(names - given).exposed(scope.node.body.body)


def _parameters(node: cst.Parameters) -> Iterator[cst.Name]:
    every = [*node.posonly_params, *node.params, *node.kwonly_params, node.star_arg, node.star_kwarg]
    yield from (parameter.name for parameter in every if isinstance(parameter, cst.Param))


def _new_names(uses: Mapping[Variable, list[cst.Name]], old: Printed, source: str) -> dict[Variable, str]:
    """A name for each variable, by the order in which they are met."""
    taken = Names(source, readable=True).taken
    fresh = (name for number in range(len(uses) + len(taken)) if (name := f"v{number}") not in taken)
    ordered = sorted(uses, key=lambda key: old.index[id(uses[key][0])])
    return dict(zip(ordered, fresh, strict=False))


class _Finder:
    """Walks a module scope by scope, as `rewrite.analysis.symbol_table` does, and notes the uses of variables.

    kept: variables of which `f"{name=}"` prints the name, and those that are written in several forms.
    """

    def __init__(self, scopes: Scopes, candidates: Mapping[int, frozenset[str]]) -> None:
        self.scopes = scopes
        self.candidates = candidates
        self.uses: dict[Variable, list[cst.Name]] = {}
        self.kept: set[Variable] = set()

    def walk(self, node: cst.CSTNode, scope: Scope) -> None:
        if isinstance(node, cst.Name):
            self.name(node, scope)
            return
        if isinstance(node, _OPAQUE):
            return
        for child, inside in self.parts(node, scope):
            self.walk(child, inside)
        if isinstance(node, cst.FormattedStringExpression) and node.equal is not None:
            self.kept |= set(self.variables(node.expression, scope))

    def name(self, node: cst.Name, scope: Scope) -> None:
        key = self.variable(node, scope)
        if key is not None and isinstance(node, Spelled):  # it is written otherwise than it is read
            self.kept.add(key)
        elif key is not None:
            self.uses.setdefault(key, []).append(node)

    def variable(self, node: cst.Name, scope: Scope) -> Variable | None:
        owner = scope.owner(node.value)
        known = owner is not None and node.value in self.candidates.get(id(owner), ())
        return (id(owner), node.value) if known else None

    def variables(self, node: cst.CSTNode, scope: Scope) -> Iterator[Variable]:
        """All that a name in an expression may be, in whatever scope around: too many, never too few."""
        if isinstance(node, cst.Name):
            yield from ((owner, node.value) for owner, names in self.candidates.items() if node.value in names)
        for child in children(node):
            yield from self.variables(child, scope)

    def parts(self, node: cst.CSTNode, scope: Scope) -> Iterator[tuple[cst.CSTNode, Scope]]:
        """The nodes below one, each with the scope in which it is evaluated; what is no variable is left out."""
        match node:
            case cst.Attribute():
                yield node.value, scope
            case cst.Arg():
                yield node.value, scope
            case cst.MatchKeywordElement():
                yield node.pattern, scope
            case cst.Param():
                yield from ((part, scope) for part in (node.default, node.annotation) if part is not None)
            case cst.FunctionDef():
                yield from ((part, scope) for part in (*node.decorators, node.params))
                yield from ((name, self.scopes.of(node)) for name in _parameters(node.params))
                if node.returns is not None:
                    yield node.returns, scope
                yield node.body, self.scopes.of(node)
            case cst.Lambda():
                yield node.params, scope
                yield from ((name, self.scopes.of(node)) for name in _parameters(node.params))
                yield node.body, self.scopes.of(node)
            case cst.ClassDef():
                yield from ((part, scope) for part in (*node.decorators, *node.bases, *node.keywords))
                yield node.body, self.scopes.of(node)
            case cst.ListComp() | cst.SetComp() | cst.GeneratorExp():
                yield node.elt, self.scopes.of(node)
                yield from self.clauses(node.for_in, scope, self.scopes.of(node))
            case cst.DictComp():
                yield from ((part, self.scopes.of(node)) for part in (node.key, node.value))
                yield from self.clauses(node.for_in, scope, self.scopes.of(node))
            case _:
                yield from ((child, scope) for child in children(node))

    def clauses(self, clause: cst.CompFor, scope: Scope, inner: Scope) -> Iterator[tuple[cst.CSTNode, Scope]]:
        """Only the first iterable is evaluated outside."""
        yield clause.iter, scope
        yield clause.target, inner
        yield from ((condition.test, inner) for condition in clause.ifs)
        if clause.inner_for_in is not None:
            yield from self.clauses(clause.inner_for_in, inner, inner)


class _Renaming(cst.CSTTransformer):
    """Gives each of the nodes, by id, its name."""

    def __init__(self, names: Mapping[int, str]) -> None:
        super().__init__()
        self.names = names

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802 - LibCST's name
        new = self.names.get(id(original_node))
        return updated_node if new is None else cst.Name(new, lpar=updated_node.lpar, rpar=updated_node.rpar)
