"""Which expressions are imported modules, and which imported values may be strings.

A module is not a string, so no guard is needed for it. Nothing is imported to find out. `import m` certainly binds a
module. An attribute of a module, or a name imported from one, counts as a possible string if Python's own library
documents it as one, or if its name is that of a constant (`SEP`, `__version__`).
"""

from __future__ import annotations

import string

import libcst as cst

from rewrite.analysis.scopes import Binding, Scope

_STRINGS = frozenset(name for name in dir(string) if isinstance(getattr(string, name), str))
# String constants of standard library modules.
STRINGS = {
    "string": _STRINGS,
    "os": frozenset(
        {"name", "sep", "altsep", "linesep", "curdir", "pardir", "extsep", "pathsep", "devnull", "defpath"}
    ),
    "os.path": frozenset({"sep", "altsep", "curdir", "pardir", "extsep", "pathsep", "devnull", "defpath"}),
    "sys": frozenset(
        {"version", "platform", "byteorder", "executable", "prefix", "base_prefix", "exec_prefix", "base_exec_prefix"}
        | {"copyright", "ps1", "ps2", "pycache_prefix", "platlibdir", "float_repr_style"}
    ),
}
_DEPTH = 5  # chained aliases (`a = b`, `b = c`, …) to follow


def module_path(node: cst.CSTNode, scope: Scope, depth: int = _DEPTH) -> str:
    """Return the dotted path of the module that an expression denotes or is reached from, as `os.path`, or "".

    Example:
        >>> module_path(cst.parse_expression("__import__('re')"), Scope("module"))
        're'
    """
    if isinstance(node, cst.Attribute):
        around = module_path(node.value, scope, depth)
        return f"{around}.{node.attr.value}" if around else ""
    if isinstance(node, (cst.Call, cst.Subscript)):
        return _asked_for(node)
    if not isinstance(node, cst.Name) or not depth:
        return ""
    owner = scope.owner(node.value)
    return _path_of_name(node.value, owner, depth) if owner is not None else ""


def _path_of_name(name: str, owner: Scope, depth: int) -> str:
    """The module path of a variable; cached, since a name may be bound and read on every line."""
    bindings = owner.bindings[name]
    count, known = owner.module_paths.get((name, depth), (-1, ""))
    if count != len(bindings):  # the name may have another binding since
        found = (_bound(name, one, owner, depth) for one in bindings)
        known = next((path for path in found if path), "")
        owner.module_paths[name, depth] = (len(bindings), known)
    return known


def _bound(name: str, binding: Binding, owner: Scope, depth: int) -> str:
    """The module that a binding gives to a name."""
    if binding.how == "import" and binding.expression is not None:
        dotted = _dotted(binding.expression)
        return name if dotted.split(".")[0] == name else dotted  # `import os.path` binds os
    aliases = binding.how == "value" and isinstance(
        binding.expression, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)
    )
    return module_path(binding.expression, owner, depth - 1) if aliases and binding.expression is not None else ""


def _dotted(node: cst.CSTNode) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _asked_for(node: cst.Call | cst.Subscript) -> str:
    """The module of `__import__("re")`, `importlib.import_module("re")` and `sys.modules["re"]`."""
    if isinstance(node, cst.Call):
        said = node.args[0].value if node.args else None
        asked = _dotted(node.func).rpartition(".")[2] in ("__import__", "import_module")
    else:
        inner = node.slice[0].slice
        said = inner.value if isinstance(inner, cst.Index) else None
        asked = _dotted(node.value) == "sys.modules"
    return str(said.evaluated_value) if asked and isinstance(said, cst.SimpleString) else ""


def is_module(node: cst.CSTNode, scope: Scope) -> bool:
    """Whether an expression is certainly an imported module."""
    path = module_path(node, scope)
    return bool(path) and (not isinstance(node, cst.Attribute) or path == "os.path" or _is_imported(path, scope.module))


def _is_imported(path: str, module: Scope) -> bool:
    """Whether an `import a.b.c` of the program names this module, or one inside it."""
    imported = (
        _dotted(binding.expression)
        for bindings in module.bindings.values()
        for binding in bindings
        if binding.how == "import" and binding.expression is not None
    )
    return any(f"{dotted}.".startswith(f"{path}.") for dotted in imported)


def may_be_module(node: cst.CSTNode, scope: Scope) -> bool:
    """Whether an expression is an imported module, or an imported value that nothing shows to be a string."""
    path = module_path(node, scope)
    if path and not isinstance(node, cst.Attribute):
        return True
    if path:
        around, _, name = path.rpartition(".")
        return not (name in STRINGS.get(around, ()) or _constant(name))
    owner = scope.owner(node.value) if isinstance(node, cst.Name) else None
    bindings = owner.bindings[node.value] if owner is not None and isinstance(node, cst.Name) else []
    return any(one.how == "import" and not _text(one) for one in bindings)


def _text(binding: Binding) -> bool:
    """Whether `from m import name` may bind a string."""
    name, around = binding.taken
    return name in STRINGS.get(around, ()) or _constant(name)


def _constant(name: str) -> bool:
    return name.isupper() or (name.startswith("__") and name.endswith("__"))
