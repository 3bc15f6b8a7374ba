"""What the inliner writes does what the reference implementation does, for names and for literals."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewrite.string_methods.inline import function_source, inline_reference, reference_body
from rewrite.string_methods.reference import ReferenceImplementation, references
from tests.rewrite.string_methods.test_references import ALL, drawn, outcome
from tests.samples import sampled

FIND = {one.name: one for one in references()["find"]}


def written(reference: ReferenceImplementation, given: dict[str, str], *, unbound: bool) -> str:
    return inline_reference(reference, given, "RESULT", "_{}".format, unbound=unbound)


def program(text: str, parameters: list[str]) -> Any:
    body = "".join(f"    {line}\n" for line in text.splitlines())
    names: dict[str, Any] = {}
    exec(f"def f({', '.join(parameters)}):\n{body}    return RESULT\n", names)
    return names["f"]


@pytest.mark.parametrize("unbound", [False, True])
@pytest.mark.parametrize("reference", sampled(ALL, [f"{one.method}-{one.name}" for one in ALL]))
def test_of_names_it_does_what_the_function_does(reference: ReferenceImplementation, unbound: bool) -> None:
    parameters = list(reference.requirements)
    made = program(written(reference, {name: name for name in parameters}, unbound=unbound), parameters)

    @settings(max_examples=25)
    @given(st.tuples(*map(drawn, reference.requirements.values())))
    def same(arguments: tuple[Any, ...]) -> None:
        assert outcome(reference.function, *arguments) == outcome(made, *arguments)

    same()


@pytest.mark.parametrize("reference", sampled(ALL, [f"{one.method}-{one.name}" for one in ALL]))
def test_of_literals_it_does_what_the_function_does(reference: ReferenceImplementation) -> None:
    @settings(max_examples=15, deadline=None)
    @given(st.tuples(*map(drawn, reference.requirements.values())))
    def same(arguments: tuple[Any, ...]) -> None:
        given = {
            name: repr(value) if type(value) in (str, int, type(None)) else name
            for name, value in zip(reference.requirements, arguments, strict=True)
        }
        made = program(written(reference, given, unbound=False), list(reference.requirements))
        assert outcome(reference.function, *arguments) == outcome(made, *arguments)

    same()


@pytest.mark.parametrize("reference", sampled(ALL, [f"{one.method}-{one.name}" for one in ALL]))
def test_a_reference_implementation_is_made_for_inlining(reference: ReferenceImplementation) -> None:
    body = reference_body(reference)
    assigned = {node.id for statement in body.statements for node in ast.walk(statement) if isinstance(node, ast.Name)}
    stores = {
        node.id
        for statement in body.statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    assert stores <= body.variables.keys(), "a parameter is assigned"
    assert assigned - body.variables.keys() - reference.requirements.keys() <= body.builtins
    assert reference.result_kind in ("str", "int", "bool", "list", "tuple")
    assert reference.summary.endswith(".")


def test_what_is_constant_is_worked_out() -> None:
    text = written(FIND["find_text"], {"text": "line", "target": '"ab"'}, unbound=False)
    assert "len(" not in text and "line[RESULT:RESULT + 2]" in text and "'a' in _letters" in text


def test_what_cannot_happen_is_left_out() -> None:
    expandtabs = references()["expandtabs"][0]
    text = written(expandtabs, {"text": "line", "tabsize": "0"}, unbound=False)
    assert "_gap" not in text and "if not _character == '\\t':" in text


def test_a_return_in_a_loop_leaves_it_and_what_follows_is_its_else() -> None:
    lstrip = references()["lstrip"][1]
    assert written(lstrip, {"text": "line", "characters": "'-'"}, unbound=False) == (
        "for _place, _character in enumerate(line):\n    if _character != '-':\n        RESULT = line[_place:]\n"
        "        break\nelse:\n    RESULT = ''"
    )


@pytest.mark.parametrize("reference", sampled(ALL, [f"{one.method}-{one.name}" for one in ALL]))
def test_a_function_of_what_is_no_literal_does_what_the_reference_implementation_does(
    reference: ReferenceImplementation,
) -> None:
    @settings(max_examples=15, deadline=None)
    @given(st.tuples(*map(drawn, reference.requirements.values())))
    def same(arguments: tuple[Any, ...]) -> None:
        found = dict(zip(reference.requirements, arguments, strict=True))
        literals = {name: repr(value) for name, value in found.items() if type(value) in (str, int, type(None))}
        parameters = [name for name in found if name not in literals]
        names: dict[str, Any] = {}
        exec(function_source(reference, literals, "made", parameters), names)
        made = names["made"]
        assert outcome(reference.function, *arguments) == outcome(made, *(found[name] for name in parameters))

    same()
