"""The inliner: it turns a reference implementation into statements of a program.

Parameters are replaced by the atoms (names and literals) that they are bound to. Local variables are renamed (alpha
conversion). A `return` in a loop becomes an assignment and a `break`, and the code after the loop becomes its `else`.
Expressions that are constant for these arguments are folded. Preconditions are discharged elsewhere
(`rewrite.string_methods.discharge`).
"""

from __future__ import annotations

import ast
import copy
import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import libcst as cst

from rewrite.analysis.exact_types import STRING_METHODS, STRING_TYPES, variable_types
from rewrite.analysis.scopes import BUILTINS
from rewrite.analysis.symbol_table import collect_scopes
from rewrite.string_methods.reference import ReferenceImplementation
from rewrite.syntax.literal_values import NOT_LITERAL, value_of

_NO_VALUE = object()


@dataclass(frozen=True)
class ReferenceBody:
    """The body of a reference implementation.

    Attributes:
        statements: The statements, without the docstring.
        variables: The parameters and local variables with their kinds.
        builtins: The builtins that it uses.
        kept: The variable that every `return` of a plain name returns, or ""; it holds the result.
        looks: Whether it tests membership in a list.
        listed: The parameter of which it only uses the list of characters, or "".
        once: The parameters that occur once, as an argument or as the bound of a slice, or not at all.
        joins: Whether it ends with `"".join` of a list or a part of it.
    """

    statements: tuple[ast.stmt, ...]
    variables: Mapping[str, str | None]
    builtins: frozenset[str]
    kept: str
    looks: bool
    listed: str
    once: frozenset[str]
    joins: bool


@cache
def reference_body(reference: ReferenceImplementation) -> ReferenceBody:
    """The body of a reference implementation (cached)."""
    written = reference.definition  # once: the property may give another copy to another thread
    scope = collect_scopes(cst.Module([written])).of(written)
    scope.assumed_types = {name: _kind_of(reference, name) for name in reference.requirements}
    found = variable_types(scope)
    variables = {name: known for name, known in found.items() if name not in reference.requirements}
    tree = ast.parse(inspect.cleandoc("\n" + cst.Module([written]).code))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    statements = tuple(definition.body[1:])  # without the docstring
    nodes = [node for statement in statements for node in ast.walk(statement)]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    returned = {node.value.id for node in nodes if isinstance(node, ast.Return) and isinstance(node.value, ast.Name)}
    kept = returned & variables.keys()
    assert len(kept) < 2, f"{reference.name} returns several variables"
    looks = any(isinstance(operator, (ast.In, ast.NotIn)) for node in nodes for operator in getattr(node, "ops", ()))
    builtins = frozenset(used & BUILTINS)
    unused = reference.requirements.keys() - used
    once, joins = _once(nodes) | unused, ast.unparse(statements[-1]).startswith("return ''.join(")
    return ReferenceBody(statements, variables, builtins, "".join(kept), looks, _listed(statements), once, joins)


def _once(nodes: Sequence[ast.AST]) -> frozenset[str]:
    names = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    calls = (one for node in nodes if isinstance(node, ast.Call) for one in node.args)
    bounds = (one for node in nodes if isinstance(node, ast.Slice) for one in (node.lower, node.upper))
    return frozenset(one.id for one in (*calls, *bounds) if isinstance(one, ast.Name) and names[one.id] == 1)


def _listed(statements: Sequence[ast.stmt]) -> str:
    match statements[0]:
        case ast.Assign(value=ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name)])):
            names = [node.id for one in statements for node in ast.walk(one) if isinstance(node, ast.Name)]
            return name if names.count(name) == 1 else ""
    return ""


def _kind_of(reference: ReferenceImplementation, parameter: str) -> str:
    wanted = reference.requirements[parameter]
    return "char" if any(p.what == "one character long" for p in wanted.preconditions) else wanted.type


def inline_reference(
    reference: ReferenceImplementation,
    given: Mapping[str, str],
    result: str,
    name: Callable[[str], str],
    *,
    unbound: bool = False,
) -> str:
    """Return statements that assign the result of a reference implementation to a variable.

    Args:
        reference: The reference implementation.
        given: For each parameter, an atom as source.
        result: The variable for the result.
        name: A function that makes a fresh name for a local variable.
        unbound: Whether methods of characters are called as `str.method(character)`, for characters whose type only a
            guard establishes.

    >>> from rewrite.string_methods.reference import references
    >>> find = references()["find"][0]
    >>> print(inline_reference(find, {"text": "line", "target": "'-'"}, "at", "_{}".format))
    for at, _character in enumerate(line):
        if _character == '-':
            break
    else:
        at = -1
    """
    written = _inlined(reference, tuple(sorted(_literals(given).items())), unbound)
    kept = reference_body(reference).kept
    names = {variable: result if variable == kept else name(variable) for variable in written.variables}
    return _PLACE.sub(lambda found: {**given, **names, "": result}[found[1]], written.text)


@dataclass(frozen=True)
class _InlinedText:
    """The statements of a reference implementation, each name between two marks (`_PLACE`); "" stands for the result.

    Attributes:
        text: The statements.
        variables: The local variables in it, in order of appearance.
    """

    text: str
    variables: tuple[str, ...]


_MARK = "\ufdd0"  # not a character, and in no name; `ast.unparse` escapes it in strings
_PLACE = re.compile(f"{_MARK}(.*?){_MARK}")


@lru_cache(maxsize=1 << 10)
def _inlined(reference: ReferenceImplementation, literals: tuple[tuple[str, str], ...], unbound: bool) -> _InlinedText:
    """The statements where some parameters are these literals; the same for many operations, so cached."""
    body = reference_body(reference)
    statements = _specialize(body, dict(literals))
    variables = _variables(statements, body)
    places = {name: f"{_MARK}{name}{_MARK}" for name in (*variables, *reference.requirements)}
    written = _assign_returns(statements, f"{_MARK}{_MARK}", body.kept)
    return _InlinedText(_unparse(written, places, body if unbound else None), tuple(variables))


def function_source(
    reference: ReferenceImplementation, given: Mapping[str, str], name: str, parameters: Sequence[str]
) -> str:
    """Return the definition of a function that computes what a reference implementation does.

    Args:
        reference: The reference implementation.
        given: For each parameter, an atom as source; literals are folded into the body.
        name: The name of the function.
        parameters: The parameters of the function.

    >>> from rewrite.string_methods.reference import references
    >>> print(function_source(references()["find"][0], {"target": "'-'"}, "_find", ["text"]), end="")
    def _find(text):
        for place, character in enumerate(text):
            if character == '-':
                return place
        return -1
    """
    literals = {parameter: atom for parameter, atom in given.items() if parameter not in parameters}
    body = _unparse(_specialize(reference_body(reference), literals), literals, None)
    return f"def {name}({', '.join(parameters)}):\n{textwrap.indent(body, '    ')}\n"


def _variables(statements: Sequence[ast.stmt], body: ReferenceBody) -> list[str]:
    """The variables of the body that the specialized statements still mention, in order of appearance."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    named = sorted(
        (node for node in nodes if isinstance(node, ast.Name) and node.id in body.variables),
        key=lambda node: (node.lineno, node.col_offset),
    )
    return list(dict.fromkeys(node.id for node in named))


def _specialize(body: ReferenceBody, given: Mapping[str, str]) -> list[ast.stmt]:
    """A copy of the body specialized to these arguments: constants folded, dead branches removed."""
    known = {parameter: value_of(atom) for parameter, atom in _literals(given).items()}
    return _ConstantFolder(known).block(copy.deepcopy(list(body.statements)))


def _literals(given: Mapping[str, str]) -> dict[str, str]:
    """The arguments that are literals."""
    return {parameter: atom for parameter, atom in given.items() if value_of(atom) is not NOT_LITERAL}


class _ConstantFolder(ast.NodeTransformer):
    """Folds constant expressions; `known` holds the parameters that are bound to literals."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self.known = known

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new]
        return found

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        test = self.visit(node.test)
        decided = self._value(test)
        if decided is not _NO_VALUE:
            return self.block(node.body if decided else node.orelse)
        node.test, node.body, node.orelse = test, self.block(node.body), self.block(node.orelse)
        if not node.body:
            node.test, node.body, node.orelse = ast.UnaryOp(ast.Not(), test), node.orelse, []
        return node if node.body else []

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:
        node.value = self.visit(node.value)
        return [] if self._value(node.value) == "" else node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        return [] if ast.unparse(node.targets[0]) == ast.unparse(node.value) else node

    def generic_visit(self, node: ast.AST) -> Any:
        super().generic_visit(node)
        if isinstance(node, ast.Slice):
            node.lower = None if node.lower and self._value(node.lower) in (None, 0) else node.lower
            node.upper = None if node.upper and self._value(node.upper) is None else node.upper
        if not isinstance(node, (ast.BinOp, ast.Compare, ast.Subscript, ast.Call)):
            return node
        if isinstance(node, ast.Call) and len(node.args) == 2 and self._value(node.args[1]) == 0:
            if isinstance(node.func, ast.Name) and node.func.id == "enumerate":
                del node.args[1]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            # In reference implementations, `+` with a string concatenates strings.
            if self._value(node.right) == "":
                return node.left
            if self._value(node.left) == "":
                return node.right
        value = self._worked_out(node)
        return node if value is _NO_VALUE else ast.copy_location(ast.Constant(value), node)

    def _value(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return -node.operand.value  # type: ignore[operator]
        return self.known.get(node.id, _NO_VALUE) if isinstance(node, ast.Name) else _NO_VALUE

    def _worked_out(self, node: ast.AST) -> Any:
        """The value of an operation on known integers and strings, or _NO_VALUE."""
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id == "len"):
            return _NO_VALUE
        parts = [part for part in ast.walk(node) if isinstance(part, (ast.Name, ast.Constant))]
        names = {part.id: self._value(part) for part in parts if isinstance(part, ast.Name) and part.id != "len"}
        if any(type(value) not in (str, int) for value in names.values()):
            return _NO_VALUE
        expression = ast.fix_missing_locations(ast.Expression(copy.deepcopy(node)))  # type: ignore[arg-type]
        try:
            return eval(compile(expression, "<constant>", "eval"), {"__builtins__": {"len": len}}, names)
        except (ArithmeticError, LookupError, NameError, TypeError):
            return _NO_VALUE


def _returns(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Return) for inner in ast.walk(node))


def _assign_returns(statements: Sequence[ast.stmt], result: str, kept: str) -> list[ast.stmt]:
    """Statements in tail position, with every `return` replaced by an assignment to `result`."""
    written: list[ast.stmt] = []
    for place, statement in enumerate(statements):
        rest = statements[place + 1 :]
        if isinstance(statement, ast.Return):
            return [*written, *_result_assignment(statement, result, kept)]
        if isinstance(statement, ast.If) and _returns(statement):
            assert not statement.orelse, "an else after a return is not needed"
            made = ast.If(
                statement.test, _assign_returns(statement.body, result, kept), _assign_returns(rest, result, kept)
            )
            return [*written, made]
        if isinstance(statement, (ast.For, ast.While)) and _returns(statement):
            body, orelse = _break_on_return(statement.body, result, kept), _assign_returns(rest, result, kept)
            if isinstance(statement, ast.While):
                return [*written, ast.While(statement.test, body, orelse)]
            return [*written, ast.For(statement.target, statement.iter, body, orelse)]
        written.append(statement)
    return written


def _break_on_return(statements: Sequence[ast.stmt], result: str, kept: str) -> list[ast.stmt]:
    """Statements of a loop body, with every `return` replaced by an assignment to `result` and a `break`."""
    written: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.Return):
            written += [*_result_assignment(statement, result, kept), ast.Break()]
        elif isinstance(statement, ast.If):
            body, orelse = (
                _break_on_return(statement.body, result, kept),
                _break_on_return(statement.orelse, result, kept),
            )
            written.append(ast.If(statement.test, body, orelse))
        else:
            assert not _returns(statement), "a return in a loop in a loop"
            written.append(statement)
    return written


def _result_assignment(node: ast.Return, result: str, kept: str) -> list[ast.stmt]:
    assert node.value is not None
    if kept and isinstance(node.value, ast.Name) and node.value.id == kept:
        return []
    return [ast.Assign([ast.Name(result, ast.Store())], node.value)]


class _NameSubstitution(ast.NodeTransformer):
    """Replaces variables by names and parameters by atoms; an atom is unparsed as it was written."""

    def __init__(self, names: Mapping[str, str], unbound: ReferenceBody | None) -> None:
        self.names = names
        self.unbound = unbound

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        callee = node.func
        if isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name) and self._is_unbound(callee):
            node.args.insert(0, callee.value)
            node.func = ast.Attribute(ast.Name("str", ast.Load()), callee.attr, ast.Load())
        return self.generic_visit(node)

    def _is_unbound(self, callee: ast.Attribute) -> bool:
        known = None if self.unbound is None else self.unbound.variables.get(callee.value.id)  # type: ignore[attr-defined]
        return known in STRING_TYPES and callee.attr in STRING_METHODS


def _unparse(statements: Sequence[ast.stmt], names: Mapping[str, str], unbound: ReferenceBody | None) -> str:
    renamed = _NameSubstitution(names, unbound)
    tree = ast.Module([renamed.visit(copy.deepcopy(statement)) for statement in statements], [])
    return ast.unparse(ast.fix_missing_locations(tree))
