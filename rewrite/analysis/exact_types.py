"""Which expressions are proven to have an exact builtin type.

The analysis is flow-insensitive: a local variable has a type if *every* binding gives it that type. Annotations,
defaults and names of parameters prove nothing. A type is the name of an exact type (`type(x) is str`), or `char` for a
`str` of length one. Unknown is None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

import libcst as cst

from analyze.operations.catalogue import find, methods, operator_result
from analyze.operations.operation import Form, Kind, Operation
from rewrite.analysis.class_bodies import has_plain_namespace
from rewrite.analysis.scopes import Binding, Scope
from rewrite.analysis.type_narrowing import Facts
from rewrite.syntax.normalized_names import NormalizedName
from rewrite.syntax.operators import operation_of

TYPES: Mapping[str, type] = {
    **{t.__name__: t for t in (str, int, float, bool, bytes, list, tuple, dict, set, range, complex)},
    "char": str,
}
# For these types, bool(x), == and != run no foreign code and cannot fail.
SIMPLE = frozenset({"str", "char", "int", "float", "bool", "bytes", "NoneType"})
NUMBERS = frozenset({"int", "bool"})
STRING_METHODS = methods("str")
STRING_TYPES = ("str", "char")
"""The exact types of strings: "char" has one character."""
_SPLITTING = methods("str", lambda one: one.kind is Kind.SPLIT)


def _result(one: Operation | None) -> str | None:
    """The type of the result if it does not depend on values, or on what the program's classes do."""
    return one.result if one is not None and one.has_plain_result and one.result in TYPES else None


def exact_type(node: cst.BaseExpression | None, scope: Scope) -> str | None:
    """Return the proven type of an expression evaluated in `scope`, or None.

    Example:
        >>> exact_type(cst.parse_expression("'a-b'.split('-')"), Scope("module"))
        'list'
    """
    found = _kind(node, scope, None)
    return None if found == _BOTTOM else found


def is_str(node: cst.BaseExpression | None, scope: Scope) -> bool:
    """Whether the expression is proven to be exactly a `str`."""
    return exact_type(node, scope) in STRING_TYPES


_BOTTOM = "?"  # not known yet, while a fixed point is computed
_Env = dict[str, str | None]


def _kind(node: cst.BaseExpression | None, scope: Scope, env: _Env | None) -> str | None:
    rule = _RULES.get(type(node))
    return rule(node, scope, env) if rule is not None else _LITERALS.get(type(node))


def _unary(node: cst.UnaryOperation, scope: Scope, env: _Env | None) -> str | None:
    if isinstance(node.operator, cst.Not):
        return "bool"
    inner = _kind(node.expression, scope, env)
    return "int" if inner in NUMBERS else inner if inner in ("float", _BOTTOM) else None


def join_types(left: str | None, right: str | None) -> str | None:
    """Return the type of a value that has one of two types."""
    if left in (_BOTTOM, right):
        return right
    if right == _BOTTOM:
        return left
    return "str" if {left, right} == {*STRING_TYPES} else None


def _name(node: cst.Name, scope: Scope, env: _Env | None) -> str | None:
    name = node.value
    if name in ("True", "False"):
        return "bool"
    if name == "None":
        return "NoneType"
    owner = scope.owner(name)
    if owner is None or (owner.kind == "class" and not _is_class_temporary(name, owner)):
        return None
    may_change = not scope.at_module_level or (owner.changes and not _is_temporary(name, owner))
    if owner.kind == "module" and may_change and owner.bindings[name]:
        return None  # other code may change a module variable in between
    if owner is scope and env is not None:
        return env.get(name)
    shown = _shown(name, scope, owner.facts, None) if owner is scope else None
    return variable_types(owner).get(name) or shown


def _is_temporary(name: str, owner: Scope) -> bool:
    """Whether a rewrite chose the name, as far as one can tell: code that rebinds variables by names does not know it.

    A readable name at module level or in a class body begins with an underscore and is deleted after its last use.
    """
    private = name.startswith("_") and not name.startswith("__") and name in owner.deleted
    return private or (name.startswith("_t") and name[2:].isdecimal())


def _is_class_temporary(name: str, owner: Scope) -> bool:
    """Whether a class body holds the name in a plain dict, so that what it reads is what it bound."""
    if not _is_temporary(name, owner) or not isinstance(owner.node, cst.ClassDef) or owner.parent is None:
        return False
    return has_plain_namespace(owner.node, owner.parent)


def _shown(name: str, scope: Scope, facts: Facts, env: _Env | None) -> str | None:
    """The type of a variable that type tests show, if nothing else can bind it meanwhile."""
    own = scope.kind in ("function", "lambda") or name in scope.deleted
    elsewhere = scope.rebound_elsewhere | scope.declared_global | scope.declared_nonlocal
    if name not in facts or name not in scope.bindings or not own or name in elsewhere or not scope.is_builtin("type"):
        return None
    found: str | None = _BOTTOM
    for one in facts[name]:
        if isinstance(one, str):
            found = join_types(found, one if one in TYPES and scope.is_builtin(one) else None)
        else:
            before = variable_types(scope) if env is None else env
            found = join_types(found, _kind(one.expression, scope, _with_facts(scope, one.types, before)))
    return found


def _with_facts(scope: Scope, facts: Facts, env: _Env) -> _Env:
    """The types of variables under some facts."""
    if not facts:
        return env
    return {**env, **{name: shown for name in facts if (shown := _shown(name, scope, facts, env)) is not None}}


def variable_types(scope: Scope) -> _Env:
    """Return the type of every variable of a scope: the least fixed point over its bindings."""
    if scope.variable_types is not None:
        return scope.variable_types
    scope.variable_types = dict.fromkeys(scope.bindings)  # unknown if a nested scope asks meanwhile
    if scope.module.star_import and scope.kind == "module":
        return scope.variable_types
    env: _Env = dict.fromkeys(scope.bindings, _BOTTOM)
    moving = True
    while moving:
        moving = False
        for name, bindings in scope.bindings.items():
            new = env[name]
            for binding in bindings:
                new = join_types(new, _binding(name, binding, scope, env))
            if new != env[name]:
                env[name], moving = new, True
    scope.variable_types = {name: None if found == _BOTTOM else found for name, found in env.items()}
    return scope.variable_types


def _binding(name: str, binding: Binding, scope: Scope, env: _Env) -> str | None:
    if binding.how == "parameter":
        return scope.assumed_types.get(name)
    where = scope.parent if scope.kind == "comprehension" and scope.parent else scope
    env = _with_facts(scope, binding.facts, env)
    if binding.how == "value" and binding.expression is not None:
        return _kind(binding.expression, scope, env)
    if binding.how == "element" and binding.expression is not None:
        # The first iterable of a comprehension is evaluated outside, where its own names have no type.
        return element_type(binding.expression, where, env if where is scope else None, binding.position)
    if binding.how == "augmented" and binding.operator is not None:
        return _binary(binding.operator, env[name], _kind(binding.expression, scope, env))
    return None


def element_type(
    node: cst.BaseExpression, scope: Scope, env: _Env | None = None, position: int | None = None
) -> str | None:
    """Return the type of the items of an iterable.

    Args:
        node: the iterable.
        scope: the scope that evaluates it.
        env: types of variables while a fixed point is computed.
        position: for a tuple target (`for i, c in …`), the index of the part of each item.
    """
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and scope.is_builtin(node.func.value):
        arguments = [argument.value for argument in node.args if not argument.star and argument.keyword is None]
        if len(arguments) == len(node.args):
            return _iterated_call(node.func.value, arguments, scope, env, position)
    if position is not None:
        return None
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _SPLITTING:
        receiver = _kind(node.func.value, scope, env)
        if "partition" in node.func.attr.value and not _are_simple(node, scope, env):
            return None  # the separator is one of the items
        return "str" if receiver in STRING_TYPES else receiver if receiver == _BOTTOM else None
    if isinstance(node, (cst.List, cst.Tuple, cst.Set)) and node.elements:
        found: str | None = _BOTTOM
        for item in node.elements:
            starred = isinstance(item, cst.StarredElement)
            found = join_types(found, None if starred else _kind(item.value, scope, env))
        return found
    known = _kind(node, scope, env)
    return {"str": "char", "char": "char", "range": "int", "bytes": "int", _BOTTOM: _BOTTOM}.get(known or "")


def _are_simple(node: cst.Call, scope: Scope, env: _Env | None) -> bool:
    return all(not argument.star and _kind(argument.value, scope, env) in SIMPLE for argument in node.args)


def _is_joined(node: cst.BaseExpression) -> bool:
    """Whether `format` creates a new string from a literal: it holds more than replacement fields."""
    if not isinstance(node, cst.SimpleString) or not isinstance(node.evaluated_value, str):
        return False
    try:
        return any(text for text, *_ in Formatter().parse(node.evaluated_value))
    except ValueError:
        return False


def _iterated_call(
    name: str, arguments: list[cst.BaseExpression], scope: Scope, env: _Env | None, position: int | None
) -> str | None:
    if name == "enumerate" and len(arguments) == 1 and position is not None:
        return "int" if position == 0 else element_type(arguments[0], scope, env)
    if name == "zip" and position is not None and position < len(arguments):
        return element_type(arguments[position], scope, env)
    if position is not None:
        return None
    if name == "range":
        return "int"
    if name in ("list", "tuple", "set", "sorted", "reversed", "iter") and len(arguments) == 1:
        return element_type(arguments[0], scope, env)
    return None


def _string(node: cst.BaseString, scope: Scope, env: _Env | None) -> str | None:
    if isinstance(node, cst.SimpleString):
        value = node.evaluated_value
        if isinstance(value, bytes):
            return "bytes"
        return "char" if len(value) == 1 else "str"
    if isinstance(node, cst.ConcatenatedString):
        sides = (_string(node.left, scope, env), _string(node.right, scope, env))
        if "bytes" in sides:
            return "bytes"
        text = any(isinstance(side, cst.SimpleString) and side.evaluated_value for side in (node.left, node.right))
        return "str" if text or sides == ("str", "str") or "char" in sides else _BOTTOM if _BOTTOM in sides else None
    if not isinstance(node, cst.FormattedString):
        return None
    field = node.parts[0] if len(node.parts) == 1 else None
    if not isinstance(field, cst.FormattedStringExpression):
        return "str"
    # With a single field, the result is that of `__format__`, which may return an instance of a subclass.
    inner = _kind(field.expression, scope, env)
    return "str" if inner in SIMPLE else _BOTTOM if inner == _BOTTOM else None


def _operation(node: cst.BinaryOperation, scope: Scope, env: _Env | None) -> str | None:
    return _binary(node.operator, _kind(node.left, scope, env), _kind(node.right, scope, env))


def _binary(operator: cst.CSTNode, left: str | None, right: str | None) -> str | None:
    if left is None or right is None:
        return None
    if _BOTTOM in (left, right):
        return _BOTTOM
    known = operation_of(operator)
    result = operator_result(known.name, left, right) if known else None
    return result if result in TYPES else None


def _comparison(node: cst.Comparison, scope: Scope, env: _Env | None) -> str | None:
    if len(node.comparisons) != 1:
        return None
    target = node.comparisons[0]
    known = operation_of(target.operator)
    if known is not None and known.has_plain_result:
        return "bool"
    sides = {_kind(node.left, scope, env), _kind(target.comparator, scope, env)}
    return "bool" if sides <= SIMPLE else _BOTTOM if sides <= SIMPLE | {_BOTTOM} else None


def _subscript(node: cst.Subscript, scope: Scope, env: _Env | None) -> str | None:
    value = _kind(node.value, scope, env)
    if value in (None, _BOTTOM) or len(node.slice) != 1:
        return value if value == _BOTTOM else None
    inner = node.slice[0].slice
    if value in STRING_TYPES:
        index = _kind(inner.value, scope, env) if isinstance(inner, cst.Index) else None
        return "char" if index in NUMBERS else "str"
    return value if isinstance(inner, cst.Slice) and value in ("list", "tuple", "bytes", "range") else None


def _call(node: cst.Call, scope: Scope, env: _Env | None) -> str | None:
    if isinstance(node.func, cst.Attribute):
        itself = isinstance(node.func.value, cst.Name) and node.func.value.value == "str" and scope.is_builtin("str")
        if itself and node.args and node.func.attr.value != "maketrans":
            return _result(find(node.func.attr.value, "str"))
        receiver = _kind(node.func.value, scope, env)
        if receiver == _BOTTOM:
            return _BOTTOM
        if node.func.attr.value == "format" and receiver in STRING_TYPES:
            # Otherwise the result may be that of `__format__`, an instance of a subclass.
            return "str" if _are_simple(node, scope, env) or _is_joined(node.func.value) else None
        if node.func.attr.value == "encode" and node.args:
            return None  # a custom codec may return an instance of a subclass of bytes
        return _result(find(node.func.attr.value, receiver)) if receiver else None
    if not isinstance(node.func, cst.Name) or not scope.is_builtin(node.func.value):
        return None
    if node.func.value in ("str", "repr", "format") and len(node.args) == 1 and not node.args[0].star:
        # `__str__` of another type may return a subclass of str.
        inner = _kind(node.args[0].value, scope, env)
        return "str" if inner in SIMPLE else inner if inner == _BOTTOM else None
    return _result(find(node.func.value, form=Form.CALL))


# Node classes with a fixed type, and those whose type is inferred.
_LITERALS: dict[type, str] = {
    cst.Integer: "int",
    cst.Float: "float",
    cst.Tuple: "tuple",
    **dict.fromkeys((cst.List, cst.ListComp), "list"),
    **dict.fromkeys((cst.Dict, cst.DictComp), "dict"),
    **dict.fromkeys((cst.Set, cst.SetComp), "set"),
}
_RULES: dict[type, Callable[[Any, Scope, _Env | None], str | None]] = {
    **dict.fromkeys((cst.Name, NormalizedName), _name),
    **dict.fromkeys((cst.SimpleString, cst.ConcatenatedString, cst.FormattedString), _string),
    cst.BinaryOperation: _operation,
    cst.UnaryOperation: _unary,
    cst.BooleanOperation: lambda node, scope, env: join_types(
        _kind(node.left, scope, env), _kind(node.right, scope, env)
    ),
    cst.IfExp: lambda node, scope, env: join_types(_kind(node.body, scope, env), _kind(node.orelse, scope, env)),
    cst.Comparison: _comparison,
    cst.Subscript: _subscript,
    cst.Call: _call,
    cst.NamedExpr: lambda node, scope, env: _kind(node.value, scope, env),
}
