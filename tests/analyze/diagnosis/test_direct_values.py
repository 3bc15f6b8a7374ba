"""Values that outputs without a trace predict: what cannot be read first."""

import pytest

from analyze.diagnosis.direct_values import grade_output, is_right, is_same_value, read_value


@pytest.mark.parametrize(
    "output",
    [
        pytest.param("", id="empty"),
        pytest.param(" \n ", id="blank"),
        pytest.param("First it splits.\nThen it joins.", id="prose"),
        pytest.param('{\n"answer": ', id="cut off"),
        pytest.param("x" * ((1 << 20) + 1), id="too long"),
        pytest.param('{"result": 1}\n{"result": 2}', id="states"),
        pytest.param("<think>f(1) == 2\nassert f(1) == 2", id="a thought without an end"),
        pytest.param("[THOUGHT] Answer: 3", id="another one"),
        pytest.param(r"so \boxed{[1, 2" + "\nand\nso", id="a box without an end"),
    ],
)
def test_an_output_without_a_value_has_none(output: str) -> None:
    assert read_value(output) is None


@pytest.mark.parametrize(
    ("output", "text", "rule"),
    [
        pytest.param("It is 3.\n[ANSWER]\nassert f(1) == [2]\n[/ANSWER] 4", "[2]", "[ANSWER] block", id="block"),
        pytest.param('```json\n{"reasoning": "x", "answer": "ab "}\n```', "ab ", 'JSON field "answer"', id="JSON"),
        pytest.param('{"answer": "1"} no: {"answer": [1, true]}', "[1, True]", 'JSON field "answer"', id="last JSON"),
        pytest.param('{"answer": ""}', "", 'JSON field "answer"', id="an empty string"),
        pytest.param('{"answer": "a\nb"}', "a\nb", 'JSON field "answer"', id="a newline within JSON"),
        pytest.param("So f(1) is 2:\nassert f(1) == 2\nDone.", "2", "comparison", id="assertion"),
        pytest.param("`f('==') == '=='`", "'=='", "comparison", id="equals signs in strings"),
        pytest.param("assert f([]) == set()", "set()", "comparison", id="a value that is a call"),
        pytest.param("f(1) == Counter([1])", "Counter([1])", "comparison", id="another class"),
        pytest.param("assert set() == f([])", "set()", "comparison", id="the same before the call"),
        pytest.param("Since x == 3 it ends.\n**Answer:** `[3]`", "[3]", '"Answer:" line', id="a line in Markdown"),
        pytest.param("Answer: 1\nwait\nFinal answer: 2", "2", '"Answer:" line', id="the last line"),
        pytest.param("Code:\n```python\n'a'\n```\nas said\nabove", "'a'", "code block", id="code block"),
        pytest.param("We add.\nThe answer is **4**.", "4", '"answer is" sentence', id="a sentence"),
        pytest.param("So the answer is 4.5.", "4.5", '"answer is" sentence', id="a number and a full stop"),
        pytest.param("The answer is 'a.'", "'a.'", '"answer is" sentence', id="a full stop in a string"),
        pytest.param("The answer is unknown.", "The answer is unknown.", "whole output", id="a sentence without one"),
        pytest.param(" 'a b' ", "'a b'", "whole output", id="one line"),
        pytest.param("[ANSWER] f(3) == 8 [/ANSWER]", "8", "[ANSWER] block", id="no assert"),
        pytest.param(
            "[ANSWER]```python\nassert f(3) == 8\n```[/ANSWER]", "8", "[ANSWER] block", id="a fence in a block"
        ),
        pytest.param("[ANSWER]\n```\n8\n```\n[/ANSWER]", "8", "[ANSWER] block", id="a value in a fence"),
        pytest.param("[ANSWER]`8`[/ANSWER]", "8", "[ANSWER] block", id="backticks"),
        pytest.param("[ANSWER]f(3) = 8[/ANSWER]", "8", "[ANSWER] block", id="one equals sign"),
        pytest.param("[ANSWER]8 == f(n = 3)  # so[/ANSWER]", "8", "[ANSWER] block", id="turned round"),
        pytest.param("[ANSWER]\nassert f(3) == 8", "8", "[ANSWER] block", id="no end"),
        pytest.param("assert f(3) == 8\n[/ANSWER]", "8", "[ANSWER] block", id="no beginning"),
        pytest.param("within [ANSWER] and [/ANSWER]: [ANSWER]8[/ANSWER]", "8", "[ANSWER] block", id="the last block"),
        pytest.param("[ANSWER]assert f('[/x') == '=='[/ANSWER]", "'=='", "[ANSWER] block", id="signs in strings"),
        pytest.param("<think>f(3) == 9?</think>\nassert f(3) == 8", "8", "comparison", id="after a thought"),
        pytest.param("[THOUGHT]9[/THOUGHT]\n[ANSWER]8[/ANSWER]", "8", "[ANSWER] block", id="after another thought"),
        pytest.param("<answer>\nf(a = [1]) == [2]\n</answer>", "[2]", "<answer> block", id="angle brackets"),
        pytest.param("x\n<output>\nf(1) == 'a'\n</output>", "'a'", "<output> block", id="StateLens"),
        pytest.param("[OUTPUT] {'a': 1} [/OUTPUT]", "{'a': 1}", "[OUTPUT] block", id="RE2-Bench"),
        pytest.param(r"So it is \boxed{\{'a': 1\}}.", "{'a': 1}", r"\boxed", id="LaTeX"),
        pytest.param(r"\boxed{1} no: $\boxed{\text{a\_b}}$" + "\n\nDone", "a_b", r"\boxed", id="the last box"),
        pytest.param("[1,\n 2]", "[1,\n 2]", "whole output", id="a literal of two lines"),
    ],
)
def test_a_value_is_read_by_the_first_rule_that_applies(output: str, text: str, rule: str) -> None:
    found = read_value(output)
    assert found is not None
    assert (found.text, found.rule) == (text, rule)


@pytest.mark.parametrize(
    "output",
    [
        pytest.param("assert len(f(1)) == 2", id="another function of the result"),
        pytest.param("assert 2 == len(f(1))", id="turned round"),
        pytest.param("[ANSWER]assert f(1)[0] == 2[/ANSWER]", id="a part of the result"),
        pytest.param("[ANSWER]sorted(f(1)) = [1, 2][/ANSWER]", id="one equals sign"),
        pytest.param("assert not f(1)", id="no comparison"),
        pytest.param("assert f(1) != 2", id="another operator"),
        pytest.param("assert 1 in f(1)", id="membership"),
        pytest.param("assert g(f(1)) == 2", id="within another call"),
        pytest.param("[ANSWER]r = f(1)\nassert len(r) == 2[/ANSWER]", id="of a variable"),
        pytest.param(r"\boxed{len(f(1)) = 2}", id="in a box"),
        pytest.param("Answer: `len(f(1)) == 2`", id="in a line"),
    ],
)
def test_a_statement_about_another_value_gives_none(output: str) -> None:
    assert read_value(output, "f(1)") is None


@pytest.mark.parametrize(
    ("output", "call", "text"),
    [
        pytest.param("Counter('ab') == f(1)", "f(1)", "Counter('ab')", id="the value first"),
        pytest.param("f(1) == Counter('ab')", "f(1)", "Counter('ab')", id="the value last"),
        pytest.param("assert f(n=1) == g(2)", "f(1)", "g(2)", id="other notation of the arguments"),
        pytest.param("assert Solution().go([1]) == 2", "Solution().go([1])", "2", id="a method"),
        pytest.param("assert len(f(1)) == 2", "len(f(1))", "2", id="the call is of the builtin"),
        pytest.param("assert f(1)[0] == 2", "f(1)[0]", "2", id="the call is an item"),
        pytest.param("assert main() == 2", "f(1)", "2", id="another name"),
        pytest.param("[ANSWER]r = f(1)\nassert r == 2[/ANSWER]", "f(1)", "2", id="a variable"),
        pytest.param("assert f(1) == [1, 2]\nassert len(f(1)) == 2", "f(1)", "[1, 2]", id="also another value"),
        pytest.param("assert f(1) == 4\nassert f(2) == 5", "f(1)", "4", id="also another argument"),
        pytest.param("[ANSWER]f(1) = 4\nf(2) == 5[/ANSWER]", "f(1)", "4", id="also another argument in a block"),
        pytest.param("[ANSWER]f(x=1) == 4\nf(x=2) == 5[/ANSWER]", "f(x=1)", "4", id="also another keyword"),
        pytest.param("assert f(" + "1+" * 500 + "1) == 5", "f(1)", "5", id="an argument nested deeply"),
        pytest.param("assert f(" + "1+" * 2000 + "1) == 5\nf(1) == 4", "f(1)", "4", id="one nested too deeply"),
        pytest.param("assert f('ab') == 5", "f('abb')", "5", id="an argument copied wrongly"),
        pytest.param("assert f(1) == 4\nassert f(x=1) == 5", "f(1)", "5", id="another notation is no other argument"),
        pytest.param("The answer is: `[1]`.", "f(1)", "[1]", id="code in a sentence"),
        pytest.param("**Answer: [1]**.", "f(1)", "[1]", id="bold in a sentence"),
        pytest.param("So.\nAnswer: `f(1) == [1]`", "f(1)", "[1]", id="a statement in a line"),
        pytest.param("[ANSWER]'a</think>b'[/ANSWER]", "f(1)", "'a</think>b'", id="an end of a thought in a string"),
        pytest.param("<think>it's 'x'</think>'a</think>b'", "f(1)", "'a</think>b'", id="after a thought"),
        pytest.param("<think>'tis</think>'b'", "f(1)", "'b'", id="an apostrophe before a word"),
        pytest.param("[ANSWER]assert f('[ANSWER]') == '[/ANSWER]x'[/ANSWER]", "f(1)", "'[/ANSWER]x'", id="marks"),
        pytest.param('[ANSWER]f("[ANSWER]") == 1', "f(1)", "1", id="a mark in a block without an end"),
        pytest.param("Use '[ANSWER]'.\n[ANSWER]it's[/ANSWER]", "f(1)", "it's", id="a quoted mark before the block"),
        pytest.param('{"reasoning": "a {1: {}} b", "answer": "1"}', "f(1)", "1", id="braces in JSON"),
        pytest.param('{"x": {"answer": 1}} {"y": 2}', "f(1)", "1", id="JSON in JSON"),
    ],
)
def test_a_statement_is_about_the_call_and_marks_in_strings_are_none(output: str, call: str, text: str) -> None:
    found = read_value(output, call)
    assert found is not None and found.text == text


@pytest.mark.parametrize(
    ("reference", "value", "same"),
    [
        ("1", "True", False),
        ("1", "1.0", False),
        ("{1: [2]}", "{True: [2]}", False),
        ("{(1, 2)}", "{(1.0, 2)}", False),
        ("{(1, 2), 3}", "{3, (1, 2)}", True),
        ("'1'", "1", True),
        ("1", "'1'", False),
        ("'a b'", "a b", True),
        ("'a b'", '"a b"', True),
        ("'a b'", "a  b", False),
        ("''", "", True),
        ("8", "8.", True),
        ("'8'", "8.", False),
        ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", True),
        ("<object>", "<other>", False),
        ("frozenset({1, 2})", "{1, 2}", False),
        ("frozenset({1, 2})", "frozenset({1, True})", False),
        ("{frozenset({1})}", "{frozenset({1.0})}", False),
        ("frozenset({1, 2})", "frozenset({2, 1})", True),
        ("[{'a': frozenset({1, 2})}]", "[{'a': frozenset({2, 1})}]", True),
        ("{frozenset({1, 2}): {3, 4}}", "{frozenset({2, 1}): {4, 3}}", True),
        ("[{1, 2}, {'a': {3, 4}}]", "[{2, 1}, {'a': {4, 3}}]", True),
        ("{1, 2}", "set([2, 1])", True),
        ("0.0", "0", False),
        ("[0.0, {'a': -0.0}]", "[-0.0, {'a': 0.0}]", True),
        ("2", "4 / 2", False),
        ("2.0", "4 / 2", True),
        ("7", "3 + 4", True),
        pytest.param("3 + 4", "7", False, id="a repr of a class of the program is no expression"),
        ("'aaa'", "'a' * 3", True),
        ("'a * 3'", "a * 3", True),
        ("[1, 1, 'ab']", "[1] * 2 + ['a' + 'b']", True),
        ("10", "sum([4, 6])", True),
        ("1000", "1,000", True),
        ("(1, 234)", "1,234", True),
        ("-1234567.5", "-1,234,567.5", True),
        ("1000", "1,00", False),
        ("[inf, nan]", "[float('inf'), float('nan')]", True),
        ("[inf]", "[-inf]", False),
        ("Counter({'a': 2, 'b': 1})", "Counter({'b': 1, 'a': 2})", True),
        ("[Counter({'a': 2})]", "[Counter({'a': True})]", False),
        ("Counter({'a': 2})", "{'a': 2}", False),
        ("OrderedDict({'a': 1, 'b': 2})", "OrderedDict({'b': 2, 'a': 1})", False),
        ("OrderedDict({'a': 1, 'b': 2})", "OrderedDict([('a', 1), ('b', 2)])", True),
        ("defaultdict(<class 'int'>, {'a': 1, 'b': 2})", "defaultdict(int, {'b': 2, 'a': 1})", True),
        ("defaultdict(<class 'int'>, {'a': 1})", "defaultdict(list, {'a': 1})", False),
        ("datetime.date(2020, 1, 2)", "date(2020, 1, 2)", True),
        ("Decimal('1.10')", "Decimal('1.1')", True),
        ("Decimal('1.1')", "1.1", False),
        ("Fraction(1, 2)", "fractions.Fraction(2, 4)", True),
        ("Fraction(1, 2)", "Fraction('1e999999999')", False),
        ("Decimal('1')", "Decimal('one')", False),
        ("Decimal('1')", "Decimal('sNaN')", False),
        ("Fraction(1, 2)", "Fraction(1, 0)", False),
        ("{P(x=1), P(x=2)}", "{P(x=2), P(x=1)}", True),
    ],
)
def test_values_are_compared_by_value_and_type_and_strings_may_lack_quotes(
    reference: str, value: str, same: bool
) -> None:
    assert is_same_value(reference, value) is same


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        pytest.param("2.0", "2.0 (a float)", id="a remark"),
        pytest.param("10", "10 (since 5 * 2)", id="a reason"),
        pytest.param("'a'", "'a' because", id="a reason after a string"),
        pytest.param("10", "sum(range(5))", id="an expression that is not computed"),
        pytest.param("'b'", "'abc'[::-1][1]", id="of strings"),
        pytest.param("'10'", "str(f(10))", id="of functions"),
        pytest.param("16", "2 ** 10 ** 10", id="one that is too large"),
        pytest.param("True", "true", id="a word"),
        pytest.param("3", "??", id="signs"),
        pytest.param("Counter({'a': 1})", "Counter('a')", id="another notation of a class"),
        pytest.param("8", "Point(8)", id="another class"),
        pytest.param("[1, 2, 3]", "[1, 2", id="a beginning of it"),
        pytest.param("'ab'", '"a', id="a beginning in other quotes"),
        pytest.param("'ab'", "'ab'[/answer>", id="a broken mark after it"),
    ],
)
def test_what_may_mean_the_reference_is_unread(reference: str, value: str) -> None:
    assert is_right(reference, value) is None


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        pytest.param("2", "4 / 2", id="another type"),
        pytest.param("3", "ValueError", id="an exception"),
        pytest.param("3", "ValueError: no digit", id="an exception with its message"),
        pytest.param("Counter({'a': 1})", "Counter({'a': 2})", id="another value of the class"),
        pytest.param("1000", "1,050", id="another number"),
        pytest.param("[1, 2]", "[1, 1, 1, 1, 1,", id="a list without an end"),
        pytest.param("'ab'", "'aaaaaaaa", id="a string without an end"),
        pytest.param("'ab'", "a b", id="a string without quotes"),
    ],
)
def test_another_value_is_wrong(reference: str, value: str) -> None:
    assert is_right(reference, value) is False


@pytest.mark.parametrize(
    ("output", "reference", "text"),
    [
        pytest.param('So.\n{"output": "[1]", "steps": 2}', "[1]", "[1]", id="output"),
        pytest.param('```json\n{"result": [1, true]}\n```', "[1, True]", "[1, True]", id="result"),
        pytest.param('{"output": 1, "answer": 2}', "2", "2", id="answer first"),
        pytest.param('{"result": 3}', "{'result': 3}", '{"result": 3}', id="a dict with such a key"),
        pytest.param('{"result": 1}\n{"result": 3}\nThe answer is 5.', "5", "5", id="states before a sentence"),
        pytest.param('{"n": 1, "result": 0}\nAnswer: 5', "5", "5", id="a state before an answer"),
        pytest.param('assert f() == {"result": 3}', "{'result': 3}", '{"result": 3}', id="in a statement"),
    ],
)
def test_fields_of_json_are_read_unless_the_object_is_the_value(output: str, reference: str, text: str) -> None:
    value, right = grade_output(reference, output, "f()") or (None, False)
    assert value and (value.text, right) == (text, True)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        pytest.param(r'so \boxed{"a}b"}.', '"a}b"', id="a brace in a string"),
        pytest.param(r"\boxed{{'a': '{'}} and so on", "{'a': '{'}", id="an opening one"),
        pytest.param(r"\boxed{-'} isn't '", "-'", id="an apostrophe"),
    ],
)
def test_a_brace_in_a_string_ends_no_box(output: str, text: str) -> None:
    found = read_value(output)
    assert found and (found.text, found.rule) == (text, r"\boxed")
