"""Compiles a program so that this interpreter traces it as CPython 3.10 would.

CPython 3.12 inlines list, set and dict comprehensions (PEP 709). In 3.10 each is a function with its own CALL, states
and RETURN. This module turns every comprehension into a function again before the program is compiled, at the original
positions:

    [e for x in xs]   ->   (lambda .0: [e for x in .0])(.iter(xs))

and renames the code objects as 3.10 does. `.0` is 3.10's own name for the iterator; no program can write it. `.iter` is
the real `iter`, imported at the start of the module. `analyze.gold_trace.relocate` then restores 3.10's line numbers,
and generators of 3.13 lose an optimization that hides `close` from the tracer. The result of the program does not
change. Imports the standard library only, because it runs inside the sandbox.
"""

from __future__ import annotations

import ast
import opcode
from collections.abc import Callable, Iterator
from types import CodeType

from analyze.gold_trace.case_ends import mark_case_ends
from analyze.gold_trace.line_rules import LinePlacements
from analyze.gold_trace.relocate import SINCE_312, SINCE_313, relocate

ITER = ".iter"
CO_OPTIMIZED = 0x01
GET_ITER, NOP, RESUME = opcode.opmap["GET_ITER"], opcode.opmap["NOP"], opcode.opmap["RESUME"]
RESUME_AT_DEPTH_1 = 0x04
_NAMES = {
    opcode.opmap["BUILD_LIST"]: "<listcomp>",
    opcode.opmap["BUILD_SET"]: "<setcomp>",
    opcode.opmap["BUILD_MAP"]: "<dictcomp>",
}
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp


def compile_as_310(source: str, filename: str, prepare: Callable[[ast.Module], ast.Module] | None = None) -> CodeType:
    """Compiles a module with comprehensions as functions, as in 3.10.

    Args:
        source: The module's source.
        filename: Its file name.
        prepare: Transforms the tree before it is compiled (default: no change). New nodes must have the positions of
            the nodes that they replace.

    Raises:
        SyntaxError: Exactly where this interpreter's own compiler does (ValueError for null bytes).
    """
    plain = compile(source, filename, "exec", dont_inherit=True)
    tree = ast.parse(source, filename)
    places = LinePlacements()
    places.visit(tree)
    has_changed = mark_case_ends(tree)
    if prepare is not None:
        tree = prepare(tree)
    if has_changed or prepare is not None:
        plain = compile(tree, filename, "exec", dont_inherit=True)
    if not SINCE_312:
        return relocate(plain, places)
    outliner = _ComprehensionOutliner()
    outlined = outliner.visit(tree)
    code = plain
    if outliner.changed:
        iter_import = ast.ImportFrom("builtins", [ast.alias("iter", ITER)], 0)
        outlined.body.insert(_after_prologue(outlined), ast.fix_missing_locations(iter_import))
        code = _rename(compile(outlined, filename, "exec", dont_inherit=True), "", "")
    return relocate(_clear_resume_depth(code), places)


def _after_prologue(tree: ast.Module) -> int:
    """Returns the index after the docstring and the imports from `__future__`."""
    imports = [(index, node) for index, node in enumerate(tree.body) if isinstance(node, ast.ImportFrom)]
    future = [index for index, node in imports if node.module == "__future__"]
    return future[-1] + 1 if future else int(ast.get_docstring(tree, clean=False) is not None)


class _ComprehensionOutliner(ast.NodeTransformer):
    """Turns each comprehension into a lambda that is called at once.

    Asynchronous comprehensions stay inlined, and those that bind a name of the enclosing function with `:=`, which a
    lambda cannot do.
    """

    changed = False

    def _outline(self, node: _Comprehension) -> ast.expr:
        self.generic_visit(node)
        if stays_inlined(node):
            return node
        self.changed = True
        first = node.generators[0]
        outermost = _folded(first.iter)
        first.iter = ast.copy_location(ast.Name(".0", ast.Load()), node)
        parameter = ast.copy_location(ast.arg(".0"), node)
        signature = ast.arguments(posonlyargs=[], args=[parameter], kwonlyargs=[], kw_defaults=[], defaults=[])
        function = ast.copy_location(ast.Lambda(signature, node), node)
        iterator = ast.copy_location(ast.Name(ITER, ast.Load()), node)
        taken = ast.copy_location(ast.Call(iterator, [outermost], []), node)
        return ast.copy_location(ast.Call(function, [taken], []), node)

    visit_ListComp = visit_SetComp = visit_DictComp = _outline  # noqa: N815 - the names that ast.NodeVisitor asks for


def _folded(iterable: ast.expr) -> ast.expr:
    """Turns a list display that is iterated over into a tuple, as CPython's optimizer does if it sees the loop."""
    if isinstance(iterable, ast.List) and not any(isinstance(item, ast.Starred) for item in iterable.elts):
        return ast.copy_location(ast.Tuple(iterable.elts, ast.Load()), iterable)
    return iterable


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes below without entering lambdas: scopes that `:=` and `await` do not leave."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.Lambda):
            yield child
            yield from _own_nodes(child)


def stays_inlined(node: ast.AST) -> bool:
    """Whether a node is a comprehension that runs as this interpreter runs it (inlined, from 3.12 on)."""
    return isinstance(node, _Comprehension) and any(
        isinstance(below, ast.NamedExpr | ast.Await) or (isinstance(below, ast.comprehension) and below.is_async)
        for below in _own_nodes(node)
    )


def _is_outlined(code: CodeType) -> bool:
    return code.co_name == "<lambda>" and code.co_varnames[:1] == (".0",)


def _rename(code: CodeType, old: str, new: str) -> CodeType:
    """Gives code 3.10's qualified names, recursively: a leading `old` becomes `new`."""
    before = code.co_qualname
    after = new + before[len(old) :] if old and before.startswith(old) else before
    is_scope = bool(code.co_flags & CO_OPTIMIZED) and code.co_name != "<genexpr>"
    dot_before = dot_after = ".<locals>." if is_scope else "."
    if _is_outlined(code):
        first = code.co_code[::2].index(GET_ITER)
        kind = next(op for op in code.co_code[2 * first :: 2] if op in _NAMES)
        after = after.removesuffix("<lambda>") + _NAMES[kind]
        dot_after = "."  # a comprehension adds no "<locals>" to the names inside it
        # `.0` is already an iterator: GET_ITER would call a program's own `__iter__` twice.
        body = code.co_code[: 2 * first] + bytes((NOP, 0)) + code.co_code[2 * first + 2 :]
        # The exception handler of an inlined comprehension restores variables of the enclosing function: removed.
        code = code.replace(co_name=_NAMES[kind], co_code=body, co_exceptiontable=b"")
    constants = tuple(
        _rename(constant, before + dot_before, after + dot_after) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(co_qualname=after, co_consts=constants)


def _clear_resume_depth(code: CodeType) -> CodeType:
    """Clears the flag of 3.13 on RESUME that lets `close` skip resuming the generator."""
    if not SINCE_313:
        return code
    constants = tuple(_clear_resume_depth(held) if isinstance(held, CodeType) else held for held in code.co_consts)
    body = bytearray(code.co_code)
    for place in range(0, len(body), 2):
        if body[place] == RESUME:
            body[place + 1] &= ~RESUME_AT_DEPTH_1
    return code.replace(co_consts=constants, co_code=bytes(body))
