"""Facts of several types: what supports them."""

import pytest

from corpora.errors import InputError
from rewrite.evidence.assumptions import ValueSummary, exactly


@pytest.mark.parametrize("types", [(), ("",), ("str", ""), ("opaque",), ("str", "list"), ("or",)])
def test_other_types_do_not_support_a_fact_of_some_types(types: tuple[str, ...]) -> None:
    assert not ValueSummary(frozenset(types)).supports(exactly("NoneType", "int", "str"))


@pytest.mark.parametrize("types", [("int",), ("str", "NoneType"), ("NoneType", "int", "str")])
def test_some_of_the_types_support_it(types: tuple[str, ...]) -> None:
    assert ValueSummary(frozenset(types)).supports(exactly("NoneType", "int", "str"))
    assert ValueSummary(frozenset(types)).supports(exactly("int")) is (types == ("int",))


@pytest.mark.parametrize(
    "what", ["is exactly", "is exactly int, str", "is exactly int or", "is exactly int or str or x"]
)
def test_other_forms_are_no_facts(what: str) -> None:
    with pytest.raises(InputError):
        ValueSummary(frozenset({"int"})).supports(what)
