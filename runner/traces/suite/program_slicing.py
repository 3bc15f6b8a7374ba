"""A self-contained program with one function of a package, and everything of the package that it needs.

From the modules' sources it takes the top-level statements that bind the names that the function uses, and those that
these use. Imports of the standard library stay; anything else that is imported from outside the package is refused,
because the sandbox does not have it. Statements that change a value after it is bound are not followed: whether the
program does what the package did is checked by running it.
"""

from __future__ import annotations

import ast
import builtins
import symtable
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

_MODULE_NAMES = {"__name__", "__file__", "__doc__", "__builtins__"}


class UnsliceableError(Exception):
    """A function that cannot be made a program of its own; the message says why."""


@dataclass(frozen=True)
class PackageModule:
    """A module of a package.

    Attributes:
        name: Its dotted name.
        path: Its file.
    """

    name: str
    path: Path

    @cached_property
    def source(self) -> str:
        """Its source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def bindings(self) -> dict[str, list[ast.stmt]]:
        """Name to the top-level statements that bind it."""
        found: dict[str, list[ast.stmt]] = {}
        for statement in ast.parse(self.source).body:
            for name in bound_names(statement):
                found.setdefault(name, []).append(statement)
        return found

    def text(self, statement: ast.stmt) -> str:
        """The lines of a statement, with its decorators."""
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(one.lineno for one in decorators)])
        return "\n".join(self.source.split("\n")[first - 1 : statement.end_lineno])


@dataclass
class _Slice:
    """What a program consists of."""

    imports: dict[str, str] = field(default_factory=dict)  # bound name to statement
    statements: dict[tuple[str, int], str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)  # bound name to what binds it


class PackageSlicer:
    """Slices functions out of a package.

    Args:
        files: Module name to file, for the modules of the package.
    """

    def __init__(self, files: dict[str, Path]) -> None:
        self._modules = {name: PackageModule(name, path) for name, path in files.items()}

    def program(self, module: str, name: str, also: Iterable[tuple[str, str]] = (), imports: Iterable[str] = ()) -> str:
        """A program that defines a function.

        Args:
            module: The function's module.
            name: Its name.
            also: (module, name) of what the call names besides.
            imports: Modules of the standard library that the call names.

        Raises:
            UnsliceableError: Something that the function needs is not available.
        """
        made = _Slice()
        for imported in imports:
            self._import(made, imported, f"import {imported}")
        for owner, needed in [*also, (module, name)]:
            self._add(made, owner, needed)
        has_future = any("annotations" in self._modules[owner].bindings for owner, _ in made.statements)
        head = ("from __future__ import annotations\n" if has_future else "") + "".join(
            f"{line}\n" for line in dict.fromkeys(made.imports.values())
        )
        body = "\n\n\n".join(made.statements.values())
        return f"{head}\n\n{body}\n" if head else f"{body}\n"

    def _add(self, made: _Slice, module: str, name: str) -> None:
        """Adds what binds a name in a module, and what that needs, before it."""
        if module not in self._modules:
            raise UnsliceableError(f"the source of {module} is not available")
        found = self._modules[module].bindings.get(name)
        if found is None:
            if hasattr(builtins, name) or name in _MODULE_NAMES:
                return
            raise UnsliceableError(f"{module} binds {name} in no top-level statement")
        for statement in found:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                self._add_import(made, module, statement, name)
            else:
                self._add_statement(made, module, statement)

    def _add_statement(self, made: _Slice, module: str, statement: ast.stmt) -> None:
        key = (module, statement.lineno)
        if key in made.statements:
            return
        source = self._modules[module]
        made.statements[key] = ""  # seen: functions may use each other
        for name in bound_names(statement):
            self._own(made, name, module)
        for name in sorted(used_names(source.text(statement))):
            self._add(made, module, name)
        del made.statements[key]
        made.statements[key] = source.text(statement)  # behind what it needs

    def _own(self, made: _Slice, name: str, owner: str) -> None:
        if made.owners.setdefault(name, owner) != owner:
            raise UnsliceableError(f"{owner} and {made.owners[name]} both bind {name}")

    def _import(self, made: _Slice, name: str, statement: str) -> None:
        self._own(made, name, statement)
        made.imports[name] = statement

    def _add_import(self, made: _Slice, module: str, statement: ast.Import | ast.ImportFrom, name: str) -> None:
        for alias in statement.names:
            if (alias.asname or alias.name.partition(".")[0]) != name:
                continue
            if isinstance(statement, ast.Import):
                self._check_standard(alias.name)
                self._import(made, name, ast.unparse(ast.Import([alias])))
                continue
            target = self._target(module, statement)
            if target == "__future__":
                continue
            if target not in self._modules:
                self._check_standard(target)
                self._import(made, name, ast.unparse(ast.ImportFrom(statement.module, [alias], 0)))
                continue
            self._check_no_module(f"{target}.{alias.name}")
            self._add(made, target, alias.name)
            if name != alias.name:
                self._own(made, name, f"{module} as {alias.name}")
                made.statements[module, statement.lineno] = f"{name} = {alias.name}"

    def _check_no_module(self, name: str) -> None:
        if name in self._modules:
            raise UnsliceableError(f"it uses the module {name} as an object")

    def _check_standard(self, module: str) -> None:
        self._check_no_module(module)
        if module.partition(".")[0] not in sys.stdlib_module_names:
            raise UnsliceableError(f"it imports {module}, which the sandbox lacks")

    def _target(self, module: str, statement: ast.ImportFrom) -> str:
        """The dotted name of the module that a `from` names."""
        if not statement.level:
            return statement.module or ""
        is_package = self._modules[module].path.name == "__init__.py"
        parts = module.split(".")
        base = parts[: len(parts) - statement.level + is_package]
        return ".".join([*base, *([statement.module] if statement.module else [])])


def bound_names(statement: ast.stmt) -> Iterator[str]:
    """The names that a top-level statement binds in its module."""
    table = symtable.symtable(ast.unparse(statement), "<statement>", "exec")
    for symbol in table.get_symbols():
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
            yield symbol.get_name()


def used_names(text: str) -> set[str]:
    """The module-level names that a statement uses, in any of its scopes, without those that it binds itself."""
    top = symtable.symtable(text, "<statement>", "exec")
    found = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    tables = [*top.get_children()]
    for table in tables:  # grows during the loop
        found.update(symbol.get_name() for symbol in table.get_symbols() if symbol.is_global())
        tables.extend(table.get_children())
    return found
