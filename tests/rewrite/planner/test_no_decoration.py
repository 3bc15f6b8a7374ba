"""Plans contain no list of characters that no later step needs: rules over the text of plans of benchmark programs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from rewrite.passes.cleanup.temporaries import statement_blocks
from rewrite.planner.planning import plan_rewrite
from tests.rewrite.planner.equivalence import Program, cruxeval, humaneval

RESULT = "a list of a string that the next step does not use"
TWICE = "a list of a string that the block has listed before"


def decorations(source: str, original: str) -> list[str]:
    """The lists of characters, made only to be seen, that a person would not write."""
    tree = ast.parse(source)
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    own = {node.id for node in ast.walk(ast.parse(original)) if isinstance(node, ast.Name)}
    blocks = [block for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.Module) for block in _blocks(node)]
    return [found for block in blocks for found in _in_block(block, read, own)]


def _blocks(node: ast.stmt | ast.Module) -> list[list[ast.stmt]]:
    return [node.body] if isinstance(node, ast.Module) else statement_blocks(node)


def _in_block(block: list[ast.stmt], read: set[str], own: set[str]) -> Iterator[str]:
    listed: set[str] = set()
    for index, statement in enumerate(block):
        text = _shown(statement, read | own)
        if _shown(statement, own) in listed:
            yield f"{TWICE}: {ast.unparse(statement)}"
        if not text:
            listed -= {node.id for node in ast.walk(statement) if _is_stored(node)}  # type: ignore[attr-defined]
            continue
        following = next((one for one in block[index + 1 :] if not _shown(one, read | own) and not _deletes(one)), None)
        if following is None or text not in {node.id for node in ast.walk(following) if isinstance(node, ast.Name)}:
            yield f"{RESULT}: {ast.unparse(statement)}"
        listed.add(text)


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)


def _shown(statement: ast.stmt, others: set[str]) -> str:
    """The name `text` in `characters = list(text)`, if the list is not one of the others; "" for other statements."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=text)])
        ) if name not in others:
            return text
    return ""


def _deletes(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Delete)


def planned(program: Program) -> list[str]:
    """The decorations in the plan of a program."""
    _, source, calls = program
    return decorations(plan_rewrite(source, calls[:3], examples=0).source, source)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["b = a.lower()", "_t0 = list(b)", "return 1"], RESULT),
        (["b = a.lower()", "_t0 = list(b)"], RESULT),
        (["_t0 = list(a)", "_t1 = list(b)", "return a.find(c)"], RESULT),
        (["_t0 = list(a)", "c = a.find(b)", "_t1 = list(a)", "return a.find(c)"], TWICE),
        (["_t0 = list(a)", "c = a.find(b)", "_t1 = list(a)", "return _t1[c:]"], TWICE),
    ],
)
def test_a_decoration_is_found(lines: list[str], reason: str) -> None:
    source = "\n    ".join(["def f(a, b):", *lines])
    assert [found.partition(":")[0] for found in decorations(source, "")] == [reason]


@pytest.mark.parametrize(
    "lines",
    [
        ["_t0 = list(a)", "_t1 = list(b)", "return a.find(b)"],
        ["_t0 = list(a)", "a = a.lower()", "_t1 = list(a)", "return a.find(b)"],
        ["_t0 = list(a)", "del _t0", "for c in a: print(c)"],
        ["_t0 = list(a)", "return _t0"],
    ],
)
def test_a_list_that_a_step_needs_is_no_decoration(lines: list[str]) -> None:
    assert decorations("\n    ".join(["def f(a, b):", *lines]), "") == []


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 400, 25))
def test_a_plan_of_cruxeval_has_no_decoration(start: int) -> None:
    assert planned(list(cruxeval())[start]) == []


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 164, 16))
def test_a_plan_of_humaneval_has_no_decoration(start: int) -> None:
    programs = list(humaneval())
    assert planned(programs[start % len(programs)]) == []
