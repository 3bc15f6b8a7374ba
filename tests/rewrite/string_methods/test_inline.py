"""What the inliner writes does what the reference implementation does, for names and for literals."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from rewrite.string_methods.inline import function_source, inline_reference, reference_body
from rewrite.string_methods.reference import ReferenceImplementation, references
from tests.rewrite.string_methods.test_references import ALL, arguments_of, outcome
from tests.samples import sampled

EACH_REFERENCE = pytest.mark.parametrize("reference", sampled(ALL, [f"{one.method}-{one.name}" for one in ALL]))
FIND = {one.name: one for one in references()["find"]}


def written(reference: ReferenceImplementation, given: dict[str, str], *, unbound: bool) -> str:
    return inline_reference(reference, given, "RESULT", "_{}".format, unbound=unbound)


def program(text: str, parameters: list[str]) -> Any:
    body = "".join(f"    {line}\n" for line in text.splitlines())
    return named(f"def f({', '.join(parameters)}):\n{body}    return RESULT\n", "f")


def named(source: str, name: str) -> Any:
    """The function of that name in a program."""
    names: dict[str, Any] = {}
    exec(source, names)
    return names[name]


@EACH_REFERENCE
def test_of_names_and_literals_it_does_what_the_function_does(reference: ReferenceImplementation) -> None:
    names = list(reference.requirements)
    of_names = {name: name for name in names}
    bound, unbound = (program(written(reference, of_names, unbound=value), names) for value in (False, True))

    for arguments in arguments_of(reference, 10):
        found = dict(zip(names, arguments, strict=True))
        literals = {name: repr(value) for name, value in found.items() if type(value) in (str, int, type(None))}
        of_literals = program(written(reference, of_names | literals, unbound=False), names)
        expected = outcome(reference.function, *arguments)
        for made in (bound, unbound, of_literals):
            assert outcome(made, *arguments) == expected, arguments
        others = [name for name in names if name not in literals]
        made = named(function_source(reference, literals, "made", others), "made")
        assert outcome(made, *(found[name] for name in others)) == expected, arguments


@EACH_REFERENCE
def test_a_reference_implementation_is_made_for_inlining(reference: ReferenceImplementation) -> None:
    body = reference_body(reference)
    names = [node for statement in body.statements for node in ast.walk(statement) if isinstance(node, ast.Name)]
    stores = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    assert stores <= body.variables.keys(), "a parameter is assigned"
    assert {node.id for node in names} - body.variables.keys() - reference.requirements.keys() <= body.builtins
    assert reference.result_kind in ("str", "int", "bool", "list", "tuple")
    assert reference.summary.endswith(".")


def test_what_is_constant_is_worked_out() -> None:
    text = written(FIND["find_text"], {"text": "line", "target": '"ab"'}, unbound=False)
    assert "len(" not in text and "line[RESULT:RESULT + 2]" in text and "'a' in _letters" in text


def test_what_cannot_happen_is_left_out() -> None:
    expandtabs = references()["expandtabs"][0]
    text = written(expandtabs, {"text": "line", "tabsize": "0"}, unbound=False)
    assert "_gap" not in text and "if not _character == '\\t':" in text


def test_a_statement_that_changes_nothing_is_left_out() -> None:
    """`piece = "" + piece` in an `if` of its own."""
    (join,) = (one for one in references()["join"] if one.name == "join_characters")
    assert "if" not in written(join, {"text": "''", "pieces": "line"}, unbound=False)


def test_a_return_in_a_loop_leaves_it_and_what_follows_is_its_else() -> None:
    lstrip = references()["lstrip"][1]
    assert written(lstrip, {"text": "line", "characters": "'-'"}, unbound=False) == (
        "for _place, _character in enumerate(line):\n    if _character != '-':\n        RESULT = line[_place:]\n"
        "        break\nelse:\n    RESULT = ''"
    )
