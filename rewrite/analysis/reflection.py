"""Reflection: code of a module that can see variables without naming them, those of its functions or its globals.

Temporaries are variables too. `rewrite.analysis.symbol_table` handles a scope that calls `locals`, `dir` or `_getframe`
itself. This module finds what affects every scope: frames whose variables are read (`f_locals`), a reflective function
under another name (`loc = locals`), access to the module's namespace, and replaced builtins. It looks for words in the
source, and misses names computed at run time and other modules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

import libcst as cst

from analyze.operations.catalogue import functions
from analyze.operations.operation import Reads
from corpora.sandbox.reporting.protocol import MODULE_NAME
from rewrite.analysis.builtin_names import may_be_builtin
from rewrite.analysis.scopes import BUILTINS, ModuleScopes
from rewrite.syntax.normalized_names import NormalizedName
from rewrite.syntax.tree import children

# Give access to the variables of a frame, or of a code object.
_FRAMES = frozenset(
    {
        *("f_locals", "getargvalues", "getgeneratorlocals", "getcoroutinelocals", "getasyncgenlocals"),
        *("capture_locals", "co_varnames", "co_nlocals", "co_names", "co_consts", "co_code"),
    }
)
_LOOKERS = functions(lambda one: one.reads is Reads.CALLER)
_FRAME_GETTERS = frozenset({"_getframe", "currentframe"})
_OWN = frozenset({"globals", "f_globals", "__globals__"})  # hold the namespace itself
_MODULES = frozenset({"modules", "import_module", "__import__", "__main__", "getmodule"})  # hold the module
_LISTING = frozenset({"vars", "dir", "__dict__", "getmembers"})  # list what it holds
_SETTING = frozenset({"setattr", "__setattr__"})
_NAMESPACES = frozenset({*_OWN, "vars", "__dict__", "__builtins__"})
# Look something up by a string; without any of these, a string such as "locals" is only a string.
_BY_TEXT = frozenset(
    {
        *("getattr", "__getattribute__", "attrgetter", "methodcaller", "getmembers", "getattr_static", "resolve_name"),
        *("eval", "exec", "vars", "__dict__", "builtins", "__builtins__", "f_builtins", *_OWN, "loads", "locate"),
    }
)
_SAYING = sorted(
    {*_FRAMES, *_LOOKERS, *_FRAME_GETTERS, *_OWN, *_MODULES, *_SETTING, *_NAMESPACES, "builtins", "super", MODULE_NAME}
)
_ANY = re.compile(rf"\b(?:{'|'.join(_SAYING)})\b")


@dataclass(frozen=True)
class Reflection:
    """What a module may see or change without naming it.

    Attributes:
        everywhere: why no scope of the module may get a temporary, or "".
        module: whether the module may see its own globals.
        changes: whether it may change its own globals without naming them.
        replaced: builtins that it may replace.
        super_renamed: whether `super` is available under another name.
    """

    everywhere: str = ""
    module: bool = False
    changes: bool = False
    replaced: frozenset[str] = frozenset()
    super_renamed: bool = False


NO_REFLECTION = Reflection()


def find_reflection(module: cst.Module, text: str, scopes: ModuleScopes) -> Reflection:
    """Analyze a module; `text` is its source."""
    if not _ANY.search(text):
        return NO_REFLECTION
    found = _ReflectionVisitor(scopes)
    found.visit(module, None)
    seen = found.words & _FRAMES
    if found.finders or found.words & (_BY_TEXT - {"getattr"}):
        found.kept |= found.texts
    renamed = sorted(found.kept - {"super"})
    return Reflection(
        everywhere=f"the module inspects {', '.join(sorted(seen))}"
        if seen
        else f"the module binds {', '.join(renamed)} to another name"
        if renamed
        else "",
        module=bool(found.words & _OWN or (found.words & _MODULES and found.words & _LISTING)),
        changes=bool(found.words & {*_OWN, *_MODULES, *_SETTING, "__dict__", "vars", "exec", "builtins"}),
        replaced=frozenset(found.replaced & BUILTINS),
        super_renamed="super" in found.kept,
    )


class _ReflectionVisitor:
    """Collects the words of a module (names, attributes, imports, strings), and what it renames or replaces."""

    def __init__(self, scopes: ModuleScopes) -> None:
        self.references = scopes.references
        self.words: set[str] = set()
        self.kept: set[str] = set()
        self.texts: set[str] = set()  # strings that name a reflective function
        self.finders = False  # whether `getattr` is used other than with a literal
        self.replaced: set[str] = set()
        self.handlers: dict[type[cst.CSTNode], Callable[..., None]] = {
            cst.Name: self.name,
            NormalizedName: self.name,
            cst.SimpleString: self.text,
            cst.Attribute: self.attribute,
            cst.ImportAlias: self.imported,
            cst.Call: self.call,
            cst.AssignTarget: self.stored,
            cst.AugAssign: self.stored,
            cst.Arg: self.argument,
        }

    def visit(self, node: cst.CSTNode, around: cst.CSTNode | None) -> None:
        """Visit a node; `around` is its parent."""
        handler = self.handlers.get(type(node))
        if handler is None:
            self.below(node)
        else:
            handler(node, around)

    def below(self, node: cst.CSTNode) -> None:
        for child in children(node):
            self.visit(child, node)

    def name(self, node: cst.Name, around: cst.CSTNode | None) -> None:
        word = node.value
        self.words.add(word)
        if (word == "super" or self.looks(node)) and not _is_called(node, around):
            self.kept.add(word)
        if word == "getattr" and not (_is_called(node, around) and _names_its_attribute(around)):
            self.finders = True

    def looks(self, node: cst.Name) -> bool:
        """Whether a name may be that of a reflective builtin; a variable named `dir` is not reflective."""
        found = self.references.get(id(node))
        if node.value not in _LOOKERS or (found is not None and found.binds):
            return False
        return found is None or may_be_builtin(node.value, found.scope)

    def text(self, node: cst.SimpleString, around: cst.CSTNode | None) -> None:
        if not (node.raw_value.isidentifier() or "\\" in node.raw_value):
            return  # not an identifier, even with its escapes resolved
        text = node.evaluated_value
        if isinstance(text, str) and text.isidentifier():
            self.words.add(text)
            self.texts |= {text} & {"locals", *_FRAME_GETTERS}

    def attribute(self, node: cst.Attribute, around: cst.CSTNode | None) -> None:
        name = node.attr.value
        self.words.add(name)
        looks = name in _FRAME_GETTERS or (name in _LOOKERS and _word(node.value) in ("builtins", "__builtins__"))
        if looks and not _is_called(node, around):
            self.kept.add(name)
        self.visit(node.value, node)

    def imported(self, node: cst.ImportAlias, around: cst.CSTNode | None) -> None:
        name = _word(node.name)
        if name == MODULE_NAME:
            self.words.add("__main__")  # the program imports itself
        if node.asname is not None and name in {*_LOOKERS, *_FRAME_GETTERS}:
            self.kept.add(name)
        self.below(node)

    def argument(self, node: cst.Arg, around: cst.CSTNode | None) -> None:
        """Keyword names are not words, except those that give access to frames."""
        self.visit(node.value, node)
        if node.keyword is not None and node.keyword.value in _FRAMES:
            self.visit(node.keyword, node)

    def call(self, node: cst.Call, around: cst.CSTNode | None) -> None:
        self.called(node)
        self.below(node)

    def called(self, node: cst.Call) -> None:
        name = _word(node.func)
        texts = [_text(argument.value) for argument in node.args]
        if name == "getattr" and len(texts) > 1 and texts[1] in {*_LOOKERS, *_FRAME_GETTERS}:
            self.kept.add(texts[1])
        if name in _SETTING:
            self.replaced.update(texts[:2])
        elif name == "exec" and texts:
            self.replaced |= _bound_by(texts[0])
        elif name == "update" and _NAMESPACES & _words(node.func):
            self.replaced |= _words(node)

    def stored(self, node: cst.AssignTarget | cst.AugAssign, around: cst.CSTNode | None) -> None:
        target = node.target
        if isinstance(target, cst.Subscript) and _NAMESPACES & _words(target.value):
            self.replaced |= _words(target)
        elif isinstance(target, cst.Attribute) and {"builtins", "__builtins__", "modules"} & _words(target.value):
            self.replaced.add(target.attr.value)
        self.below(node)


def _is_called(node: cst.CSTNode, around: cst.CSTNode | None) -> bool:
    return isinstance(around, cst.Call) and node is around.func


def _names_its_attribute(node: cst.CSTNode | None) -> bool:
    """Whether a call of `getattr` names its attribute by a literal."""
    return (
        isinstance(node, cst.Call) and len(node.args) > 1 and not node.args[0].star and bool(_text(node.args[1].value))
    )


def _word(node: cst.CSTNode) -> str:
    """The last name of `a.b.c`, or ""."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def _text(node: cst.CSTNode) -> str:
    value = node.evaluated_value if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)) else None
    return value if isinstance(value, str) else ""


def _words(node: cst.CSTNode) -> set[str]:
    """All names and string literals in a node."""
    found = {_word(node), _text(node)} - {""}
    return found.union(*map(_words, children(node)))


def _bound_by(text: str) -> set[str]:
    """The names that a program given as a string may bind."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set(re.findall(r"\w+", text))
    names = (getattr(node, field, None) for node in ast.walk(tree) for field in ("id", "name", "asname"))
    return {name for name in names if isinstance(name, str)}
