"""Tables of pairs of characters: any use but `translate` needs the codes; otherwise the pairs are shown."""

import pytest

from rewrite import check_equivalence, plan_rewrite, rewrite_source

SOURCE = "def f(text, old, new):\n    table = str.maketrans(old, new)\n    return {}\n"


def rewritten(result: str, call: str) -> str:
    source = SOURCE.format(result)
    made = rewrite_source(source, "translation_table", calls=[call])
    assert check_equivalence(source, made.source, [call], examples=40, assumes=made.assumes, inputs="any").equivalent
    return made.source


@pytest.mark.medium
@pytest.mark.parametrize("result", ["table", "(text.translate(table), table)", "text.translate(dict(table))"])
def test_a_table_that_is_used_otherwise_keeps_its_codes(result: str) -> None:
    assert "ord(" in rewritten(result, "f('banana', 'an', 'xy')")


def test_a_table_for_values_that_are_no_strings_keeps_its_codes() -> None:
    source = "def f(text, table):\n    t = str.maketrans('a', 'b')\n    return text.translate(t)\n"
    kept = rewrite_source(source, "translation_table", calls=["f(__import__('collections').UserString('ab'), 1)"])
    assert "dict(zip(" not in kept.source


@pytest.mark.medium
@pytest.mark.parametrize(
    "body",
    [
        "    table = str.maketrans(old, new)\n    def g(s):\n        try:\n            return s.translate(table)\n"
        "        except TypeError:\n            return s\n    return g(text)\n",
        "    if text:\n        table = str.maketrans(old, new)\n    return text.translate(table)\n",
        "    for i in range(2):\n        if i:\n            text = text.translate(table)\n"
        "        table = str.maketrans(old, new)\n    return text\n",
        "    table = str.maketrans(old, new)\n    return [s.translate(table) for s in [text]][0]\n",
    ],
)
def test_a_table_that_may_be_missing_or_is_used_elsewhere_keeps_its_codes(body: str) -> None:
    source = "def f(text, old, new):\n" + body
    calls = ["f('bxb', 'an', 'xy')", "f('banana', 'an', 'xy')"]
    made = rewrite_source(source, "planned", calls=calls)
    assert check_equivalence(source, made.source, calls, examples=40, assumes=made.assumes, inputs="any").equivalent
    assert "dict(zip(" not in rewrite_source(source, "translation_table", calls=calls).source


@pytest.mark.medium
def test_a_table_for_translate_is_made_of_pairs() -> None:
    assert "_t0 = dict(zip(old, new))\n    table = str.maketrans(_t0)\n" in rewritten(
        "text.translate(table)", "f('banana', 'an', 'xy')"
    )


@pytest.mark.medium
def test_a_plan_replaces_pair_after_pair_where_their_order_does_not_matter() -> None:
    source = SOURCE.format("text.translate(table)")
    plan = plan_rewrite(source, ["f('mmm34mIm', 'mm3', ',po')"], failed=True)
    assert plan.source == (
        "def f(text, old, new):\n    table = dict(zip(old, new))\n"
        "    for key in table:\n        text = text.replace(key, table[key])\n    return text\n"
    )
    assert "replace" not in plan_rewrite(source, ["f('banana', 'an', 'na')"], failed=True).source


@pytest.mark.medium
@pytest.mark.parametrize(
    "body",
    ["    return text.translate(str.maketrans(old, new))\n", SOURCE.partition("\n")[2].format("text.translate(table)")],
)
def test_characters_are_looked_up_one_by_one(body: str) -> None:
    source, call = f"def f(text, old, new):\n{body}", "f('banana', 'an', 'na')"
    made = rewrite_source(source, "elements", calls=[call], cost=None)
    assert ".get(" in made.source and "maketrans" not in made.source and "ord(" not in made.source
    assert check_equivalence(source, made.source, [call], examples=40, assumes=made.assumes, inputs="any").equivalent


def test_a_table_for_an_unknown_receiver_keeps_its_codes() -> None:
    source = "def f(text):\n    return text.translate(str.maketrans('ab', 'xy'))\n"
    made = rewrite_source(source, "translation_table")
    assert made.changed and "dict(zip(" not in made.source


@pytest.mark.medium
@pytest.mark.parametrize("form", ["translate_to_codes", "translate_or_drop", "translate_elements", "translate_entries"])
@pytest.mark.parametrize("direct", [True, False])
def test_each_form_of_translate_reads_a_table_of_pairs(form: str, direct: bool) -> None:
    table = "str.maketrans('ab', 'xy')"
    source = f"def f(text):\n    table = {table}\n    return text.translate({table if direct else 'table'})\n"
    made = rewrite_source(source, ["translation_table", form], calls=["f('abc')"])
    assert "dict(zip('ab', 'xy'))" in made.source and ".translate(" not in made.source
    assert check_equivalence(source, made.source, ["f('abc')"], examples=10, assumes=made.assumes).equivalent
