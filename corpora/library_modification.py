"""Whether a program may modify the standard library, which it shares with the next call in its process.

The decision is a conservative approximation from the source. Such programs get a process for each call.
"""

from __future__ import annotations

import ast
import functools

# Modules that manage state of the whole process.
_STATEFUL = {
    *("decimal", "locale", "threading", "asyncio", "atexit", "contextvars", "ctypes", "builtins", "gc", "codecs"),
    *("copyreg", "importlib", "unittest", "signal", "faulthandler", "tracemalloc", "weakref"),
}
_CHANGES = {"setattr", "delattr", "__dict__", "__builtins__"}
_SHARED = {"modules", "environ", "path", "meta_path", "path_hooks", "stdout", "stderr", "stdin"}
_HOLDERS = {"sys", "os"}


@functools.lru_cache(maxsize=256)
def may_modify_library(source: str) -> bool:
    r"""Whether a program imports a module with global state, or sets, deletes or passes on anything of a module.

    >>> may_modify_library("import json\njson.dumps = None"), may_modify_library("import json\njson.dumps(1)")
    (True, False)
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    modules: set[str] = set()
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {part.asname or part.name.partition(".")[0] for part in node.names}
            imported |= {part.name.partition(".")[0] for part in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported |= {(node.module or "").partition(".")[0]}
            modules |= {part.asname or part.name for part in node.names}
    return bool(imported & _STATEFUL) or any(_changes(node, modules) for node in ast.walk(tree))


def _changes(node: ast.AST, modules: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _CHANGES
    if isinstance(node, ast.Attribute) and (node.attr in _CHANGES or _is_shared(node)):
        return True
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        return _root(node) in modules
    if isinstance(node, ast.Assign | ast.NamedExpr | ast.Return):  # `m = json` creates an alias
        return isinstance(node.value, ast.Name) and node.value.id in modules
    return False


def _is_shared(node: ast.Attribute) -> bool:
    """`sys.modules`, `os.environ` and the like. Reading a standard stream does not modify it."""
    is_holder = isinstance(node.value, ast.Name) and node.value.id in _HOLDERS
    return is_holder and node.attr in _SHARED and not (node.attr.startswith("std") and isinstance(node.ctx, ast.Load))


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
