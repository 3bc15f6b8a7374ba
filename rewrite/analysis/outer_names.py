"""Whether a variable of an enclosing scope is bound whenever a nested function or class runs.

The statements of a scope run in order. A name bound by one of them is bound for everything defined after it. It is also
bound for a function defined before it if nothing in between can have called that function.

Assumption: an import, and a call of an imported function that receives nothing of this module, does not call a function
of this module.
"""

from __future__ import annotations

import libcst as cst

from rewrite.analysis.scopes import Scope
from rewrite.syntax.tree import children

_LITERALS = (cst.SimpleString, cst.Integer, cst.Float, cst.Imaginary, cst.Ellipsis)
_HOLDING = (cst.Tuple, cst.List, cst.Set, cst.Dict, cst.BinaryOperation, cst.UnaryOperation)
_CARRYING = (*_HOLDING, cst.Element, cst.DictElement, cst.Arg, cst.Subscript, cst.SubscriptElement, cst.Index)
_SILENT = (cst.Import, cst.ImportFrom, cst.Pass, cst.Global, cst.Nonlocal)
# Decorators that do not call the function.
_DECORATORS = frozenset({"staticmethod", "classmethod", "property", "dataclass", "abstractmethod", "overload"})
_DECORATORS |= {"cache", "lru_cache", "cached_property", "wraps", "contextmanager", "total_ordering", "unique"}


def is_bound_when_run(name: str, scope: Scope, owner: Scope) -> bool:
    """Whether `name`, bound once in `owner`, has a value whenever the nested scope `scope` runs."""
    if owner.bindings[name][0].how == "parameter":
        return True
    child, deferred = scope, scope.kind in ("function", "lambda")
    while child.parent is not None and child.parent is not owner:
        child = child.parent
        deferred |= child.kind in ("function", "lambda")
    bound = owner.places.get(name, 0)
    if bound < child.place:
        return True
    return deferred and all(_is_quiet(each, owner) for each in owner.statements[child.place : bound + 1])


def _is_quiet(statement: cst.CSTNode, scope: Scope) -> bool:
    """Whether a statement runs no function of this program."""
    if isinstance(statement, cst.SimpleStatementLine):
        return all(_is_quiet(small, scope) for small in statement.body)
    if isinstance(statement, cst.FunctionDef):
        every = [*statement.params.params, *statement.params.posonly_params, *statement.params.kwonly_params]
        parts = [parameter.default for parameter in every if parameter.default is not None]
        parts += [parameter.annotation.annotation for parameter in every if parameter.annotation is not None]
        parts += [statement.returns.annotation] if statement.returns is not None else []
        return _are_decorators(statement) and all(_calls_nothing(part, scope) for part in parts)
    if isinstance(statement, cst.ClassDef):
        bases = [argument.value for argument in statement.bases]
        inside = all(_is_quiet(inner, scope) for inner in statement.body.body)
        return (
            inside
            and _are_decorators(statement)
            and not statement.keywords
            and all(_is_builtin(base, scope) for base in bases)
        )
    if isinstance(statement, cst.Expr):
        return isinstance(statement.value, _LITERALS)
    if isinstance(statement, (cst.Assign, cst.AnnAssign)):
        targets = [t.target for t in statement.targets] if isinstance(statement, cst.Assign) else [statement.target]
        value = statement.value
        return all(isinstance(t, cst.Name) for t in targets) and (value is None or _calls_nothing(value, scope))
    return isinstance(statement, _SILENT)


def _is_builtin(base: cst.BaseExpression, scope: Scope) -> bool:
    return isinstance(base, cst.Name) and scope.is_builtin(base.value)


def _are_decorators(node: cst.FunctionDef | cst.ClassDef) -> bool:
    for decorator in node.decorators:
        at: cst.BaseExpression = decorator.decorator
        at = at.func if isinstance(at, cst.Call) else at
        name = at.attr if isinstance(at, cst.Attribute) else at
        if not isinstance(name, cst.Name) or name.value not in _DECORATORS:
            return False
    return True


def _calls_nothing(node: cst.CSTNode, scope: Scope) -> bool:
    """Whether evaluating an expression calls nothing of this module."""
    if isinstance(node, (cst.Name, *_LITERALS)):
        return True
    if isinstance(node, (cst.Attribute, cst.Call)):
        given = [argument.value for argument in node.args] if isinstance(node, cst.Call) else []
        return _comes_from_elsewhere(node, scope) and all(_is_plain(part, scope) for part in given)
    if isinstance(node, (*_HOLDING, cst.Subscript)):
        return all(_is_plain(child, scope) for child in children(node))
    return False


def _is_plain(node: cst.CSTNode, scope: Scope) -> bool:
    """The same for an operand: an object created by this module may have methods of its own."""
    if isinstance(node, (cst.Name, cst.Attribute, cst.Call)):
        return _comes_from_elsewhere(node, scope) and _calls_nothing(node, scope)
    if isinstance(node, _CARRYING):
        return all(_is_plain(child, scope) for child in children(node))
    return isinstance(node, (*_LITERALS, cst.BaseBinaryOp, cst.BaseUnaryOp))


def _comes_from_elsewhere(node: cst.CSTNode, scope: Scope) -> bool:
    """Whether `a.b.c(…)` begins with an imported name or a builtin."""
    while isinstance(node, (cst.Attribute, cst.Call)):
        node = node.value if isinstance(node, cst.Attribute) else node.func
    if not isinstance(node, cst.Name) or node.value in ("exec", "eval"):
        return False
    owner = scope.owner(node.value)
    if owner is None:
        return scope.is_builtin(node.value) or node.value in ("None", "True", "False")
    return bool(owner.bindings[node.value]) and all(b.how == "import" for b in owner.bindings[node.value])
