"""Whether a call of a program means what it says: asked where calls enter, before anything runs.

A call of a function that does not exist raises a NameError, and everything that is measured on it is the measure of
that error. An expression that uses nothing of the program, such as `1 + 1`, measures nothing of it. A trace is that of
a function `main`, which it appends to the program: a program that calls its own `main` would get that one.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from symtable import SymbolTable

from corpora.errors import InputError, did_you_mean
from corpora.literals import UNPARSABLE, nested_tables, parsed, symbols

MAX_LISTED = 5
# A program that uses one of these may define names that it does not write.
_DYNAMIC = {
    *("__builtins__", "__dict__", "__import__", "builtins", "eval", "exec", "f_globals", "__globals__", "globals"),
    *("import_module", "locals", "modules", "setattr", "vars"),
}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
MAIN = "main"
_ITERATED = ".0"
"""What the compiler calls the parameter of a comprehension."""
TAKEN = f"it uses the name {MAIN}, which a trace needs for itself: rename it in the program"
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def check_call(source: str, call: str, *, where: str = "") -> None:
    r"""Refuse a call that is no expression, does not call the program, uses an undefined name, or reads its `main`.

    Args:
        source: The program. If it does not parse, only the call is checked.
        call: The call.
        where: Place for the message (default: the call).

    Raises:
        InputError: With the functions that the program defines.

    Example:
        >>> check_call("def f(x): return x\ndef go(): pass", "g(1)", where="--call g(1)")
        Traceback (most recent call last):
        corpora.errors.InputError: --call g(1): the program does not define g (did you mean 'go'?); it defines f, go
    """
    check_calls(source, {call: where or call})


def check_calls(source: str, calls: Mapping[str, str]) -> None:
    """Refuse calls as `check_call` does, with the place of each; the program is parsed once.

    Raises:
        InputError: For the first call that is refused.
    """
    program = parsed(source)
    for call, where in calls.items():
        _check_expression(call, where)
        why = "" if program is None else unusable_call_reason(program, call) or main_reason(source, call)
        if why:
            raise InputError(why, where=where)


def _check_expression(call: str, where: str) -> None:
    try:
        ast.parse(call.strip(), mode="eval")
    except UNPARSABLE as error:
        reason = getattr(error, "msg", None) or str(error) or "nested too deep"
        raise InputError(f"is not a Python expression ({reason})", where=where) from error


def untraceable_reason(source: str, program: ast.Module, call: str) -> str:
    r"""The reason why a trace would not be that of a call, or only of a NameError; "" if there is none.

    >>> own = "def main(n): return n"
    >>> untraceable_reason(own, ast.parse(own), "main(1)")
    'it uses the name main, which a trace needs for itself: rename it in the program'
    >>> script = "def f(n): return n\ndef main(): print(f(1))\nmain()"
    >>> untraceable_reason(script, ast.parse(script), "f(1)")
    ''
    """
    return undefined_name_reason(program, call) or main_reason(source, call)


def main_reason(source: str, call: str) -> str:
    """The reason why a trace would not be that of a call, if it or a function reads a global `main`; "" otherwise.

    What only the module runs has run before the trace.
    """
    if MAIN in call and MAIN in _free_names(call):
        return TAKEN
    module = symbols(source) if MAIN in source else None
    return TAKEN if module is not None and any(map(_reads_main, _outermost_functions(module))) else ""


def _outermost_functions(table: SymbolTable) -> Iterator[SymbolTable]:
    for inner in table.get_children():
        if inner.get_type() == "function" and _ITERATED not in inner.get_identifiers():
            yield inner
        else:
            yield from _outermost_functions(inner)


def _reads_main(function: SymbolTable) -> bool:
    known = (table.lookup(MAIN) for table in nested_tables(function) if MAIN in table.get_identifiers())
    return any(symbol.is_global() and symbol.is_referenced() for symbol in known)


def unusable_call_reason(program: ast.Module, call: str) -> str:
    r"""The reason why a call says nothing of the program, or only fails for an undefined name; "" if there is none.

    >>> unusable_call_reason(ast.parse("def f(x): return x"), "len('a')")
    'does not call the program; it defines f'
    >>> unusable_call_reason(ast.parse("def f(x): return x"), "f")
    'is a name and no call: write f(…)'
    """
    if missing := undefined_name_reason(program, call):
        return missing
    used, bound = _free_names(call), [*_bindings(program)]
    if call.strip() in used:
        return f"is a name and no call: write {call.strip()}(…)"
    is_built_in = all(name not in bound and hasattr(builtins, name) for name in used)
    if is_built_in and not (used and _is_dynamic(program)):
        return f"does not call the program; {_defined_functions(program)}"
    return ""


def undefined_name_reason(program: ast.Module, call: str) -> str:
    r"""The reason why a call fails for an undefined name; "" if there is none, or if it is not certain.

    >>> undefined_name_reason(ast.parse("def f(x): return x"), "f(len(y))")
    'the program does not define y; it defines f'
    >>> undefined_name_reason(ast.parse("from m import *"), "f(1)")
    ''
    """
    defined = [*_bindings(program)]
    used = _free_names(call)
    missing = [name for name in used if name not in defined and not hasattr(builtins, name)]
    if not missing or _is_dynamic(program):
        return ""
    meant = did_you_mean(missing[0], _functions(program))
    return f"the program does not define {missing[0]}{meant}; {_defined_functions(program)}"


def _functions(program: ast.Module) -> list[str]:
    return [node.name for node in program.body if isinstance(node, _SCOPES[:3])]


def _defined_functions(program: ast.Module) -> str:
    functions = _functions(program)
    listed = ", ".join(functions[:MAX_LISTED]) + (" …" if len(functions) > MAX_LISTED else "")
    return f"it defines {listed or 'no function'}"


def _free_names(call: str) -> list[str]:
    tree = parsed(call.strip())
    nodes = [*ast.walk(tree)] if tree else []
    bound = {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return [node.id for node in nodes if isinstance(node, ast.Name) and node.id not in bound]


def _bindings(node: ast.AST) -> Iterator[str]:
    """The names that a module may bind: at its top level, or by a function that declares them global."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _SCOPES):
            yield from () if isinstance(child, ast.Lambda) else (child.name,)
            for inner in ast.walk(child):
                yield from inner.names if isinstance(inner, ast.Global) else ()
            continue
        if isinstance(child, _COMPREHENSIONS):
            yield from (inner.target.id for inner in ast.walk(child) if isinstance(inner, ast.NamedExpr))
            continue
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id
        elif isinstance(child, ast.alias):
            yield child.asname or child.name.partition(".")[0]
        elif isinstance(child, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and child.name:
            yield child.name
        elif isinstance(child, ast.MatchMapping) and child.rest:
            yield child.rest
        yield from _bindings(child)


def _is_dynamic(program: ast.Module) -> bool:
    """Whether the program may define names that it does not write."""
    for node in ast.walk(program):
        names = (getattr(node, "id", None), getattr(node, "attr", None), getattr(node, "name", None))
        if "*" in names or not _DYNAMIC.isdisjoint(names):
            return True
    return False
