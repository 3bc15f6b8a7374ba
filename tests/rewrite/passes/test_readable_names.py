"""Readable names for temporaries: which keep their name, what the others are called, and what they may share."""

import pytest

from rewrite.anf.rewrite_result import Rewritten
from rewrite.passes.cleanup.forms import readable_form
from rewrite.passes.cleanup.naming.readable_names import name_temporaries
from rewrite.passes.cleanup.observed_values import observed_variables
from rewrite.planner.trace_counter import TraceCounter


def body(*lines: str) -> str:
    return "\n".join(["def f(text, n=3):", *(f"    {line}" for line in lines), ""])


def named(*lines: str, call: str = "f('a b')") -> list[str]:
    source = body(*lines)
    traces = [run.trace for run in TraceCounter(source, [call]).before]
    return [line[4:] for line in name_temporaries(source, observed_variables(traces))[0].split("\n")[1:-1]]


@pytest.mark.parametrize(
    "lines",
    [
        ["_t0 = text + '!'", "return lambda: _t0"],
        ["_t0 = text + '!'", "return list(c in _t0 for c in text)"],
        ["_t0 = text + '!'", "return list(c in _t0 for c in _t0)"],
        ["_t0 = text + '!'", "n = _t0 * 2", "del _t0", "return n"],
        ["global _t0", "_t0 = text + '!'", "return _t0 * 2"],
    ],
    ids=["closure", "generator expression", "its first iterable and its test", "del", "global"],
)
def test_a_temporary_that_something_else_sees_keeps_its_name(lines: list[str]) -> None:
    assert named(*lines) == lines


@pytest.mark.parametrize(
    "lines",
    [
        ["_t0: list[str] = []", "_t1 = text", "_t0.append(_t1)", "return _t0"],
        ["_t1 = text", "if (_t0 := len(_t1)) > n:", "    return _t0", "return _t1"],
        ["import io", "_t1 = io.StringIO(text)", "with _t1 as _t0:", "    return _t0.read()"],
    ],
    ids=["annotation", ":=", "with"],
)
def test_a_temporary_that_no_plain_assignment_makes_gets_a_name(lines: list[str]) -> None:
    assert not any("_t" in line for line in named(*lines))


def test_a_copy_that_is_all_of_its_block_stays() -> None:
    lines = ["_t0 = ''", "for _t1, _t2 in enumerate(text):", "    if _t1 > 0:", "        _t2 = _t2", "    _t0 += _t2"]
    made = named(*lines, "return _t0")
    compile(body(*made), "", "exec")
    assert made[2:4] == ["    if index > 0:", "        character = character"]


def test_temporaries_of_two_functions_are_told_apart() -> None:
    source = "def f(a):\n    _t0 = [a]\n    return _t0 * g(a)\n\ndef g(a):\n    _t0 = a\n    return _t0 * 2\n"
    traces = [run.trace for run in TraceCounter(source, ["f(1)"]).before]
    made = name_temporaries(source, observed_variables(traces))[0]
    assert made == source.replace("_t0 = [a]\n    return _t0", "numbers = [a]\n    return numbers").replace(
        "_t0", "number"
    )


def test_a_temporary_outside_functions_keeps_its_name() -> None:
    source = "_t0 = len('ab')\nx = _t0 + 1\n"
    assert name_temporaries(source, {(1, "_t0"): [2]})[0] == source


def test_a_program_with_such_names_of_its_own_has_no_readable_form() -> None:
    original = body("_t0 = text", "return _t0 * len(text)")
    made = Rewritten(body("_t0 = text", "_t1 = len(text)", "return _t0 * _t1"), True)
    assert readable_form(made, {(1, "_t0"): ["a"], (1, "_t1"): [1]}, original, brief=False) is None


def test_a_name_of_the_program_or_a_builtin_is_not_taken() -> None:
    assert named("_t0 = list(text)", "characters = 1", "return _t0, characters") == [
        "text_characters = list(text)",
        "characters = 1",
        "return text_characters, characters",
    ]
    assert named("_t0 = n + 1", "return [_t0, total]", call="f('a')")[0] == "n_total = n + 1"


def test_words_of_strings_comments_and_attributes_are_free_and_those_of_fstrings_are_not() -> None:
    assert named("'total'", "_t0 = n + 1  # total", "return _t0")[1] == "total = n + 1  # total"
    assert named("_t0 = text.count('a')", "return _t0")[0] == "count = text.count('a')"
    assert named("_t0 = n + 1", "return [_t0, f'{total}']", call="f('a')")[0] == "n_total = n + 1"


def test_temporaries_of_one_name_share_a_variable_only_if_they_are_not_live_together() -> None:
    assert named("_t0 = list(text)", "_t1 = list(text[1:])", "return _t0 + _t1") == [
        "characters = list(text)",
        "text_characters = list(text[1:])",
        "return characters + text_characters",
    ]
    assert named("_t0 = list(text)", "n = _t0.count('a')", "_t1 = list(text[n:])", "return _t1") == [
        "characters = list(text)",
        "n = characters.count('a')",
        "characters = list(text[n:])",
        "return characters",
    ]


def test_the_characters_of_another_string_have_another_name() -> None:
    lines = ["b = text * 2", "_t0 = list(text)", "n = _t0.count('a')", "_t1 = list({})", "return _t1 + [n]"]
    again, other = (named(*(line.format(name) for line in lines)) for name in ("text", "b"))
    assert [*again[1::2], *other[1::2]] == [
        "characters = list(text)",
        "characters = list(text)",
        "text_characters = list(text)",
        "b_characters = list(b)",
    ]


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["_t0 = len(text)", "_t1 = len(other)", "return _t0 - _t1"], ["text_length", "other_length"]),
        (["_t0 = len(text)", "_t1 = len(text[1:])", "return _t0 - _t1"], ["length", "text_length"]),
        (["_t0 = len(text)", "n = _t0 + 1", "_t1 = len(other)", "return _t1"], ["length", "length"]),
        (["_t0 = text[:1]", "_t1 = len(_t0)", "_t2 = len(other)", "return _t1 - _t2"], ["text_length", "other_length"]),
        (["_t0 = max(text, other)", "_t1 = max(other, text)", "return _t0 + _t1"], ["text_largest", "other_largest"]),
    ],
)
def test_values_of_one_word_that_are_made_of_two_variables_are_both_named_after_them(
    lines: list[str], names: list[str]
) -> None:
    found = [line.split(" = ")[0] for line in named("other = text + 'b'", *lines)[1:-1]]
    assert [one for one in found if one not in ("n", "head")] == names


def test_temporaries_of_one_name_share_a_variable_only_if_their_values_have_one_type() -> None:
    assert named("_t0 = text[:1]", "n = len(_t0)", "_t1 = [n, n][:1]", "return _t1", "return text") == [
        "head = text[:1]",
        "n = len(head)",
        "part = [n, n][:1]",
        "return part",
        "return text",
    ]


@pytest.mark.parametrize(("name", "word"), [("f", "result"), ("get_support", "support"), ("make_list", "result")])
def test_a_list_that_a_function_makes_and_returns_is_named_for_the_function(name: str, word: str) -> None:
    source = f"def {name}(n):\n    _t0 = []\n    for c in range(n):\n        _t0.append(c)\n    return _t0\n"
    traces = [run.trace for run in TraceCounter(source, [f"{name}(2)"]).before]
    assert name_temporaries(source, observed_variables(traces))[0] == source.replace("_t0", word)


@pytest.mark.parametrize(("name", "word"), [("f", "quotient"), ("days_to_hours", "hours"), ("get_mean", "mean")])
def test_a_number_that_a_function_returns_rounded_is_named_for_the_function(name: str, word: str) -> None:
    source = f"def {name}(n):\n    _t0 = n / 7\n    return round(_t0, 2)\n"
    assert name_temporaries(source, {})[0] == source.replace("_t0", word)


@pytest.mark.parametrize(
    ("item", "word"),
    [("round(c / 3)", "rounded"), ("c + n", "totals"), ("str(c).zfill(3)", "padded"), ("str(c) + 'ab'", "pieces")],
)
def test_a_list_is_named_for_what_is_done_to_its_items(item: str, word: str) -> None:
    source = f"def f(n):\n    _t0 = []\n    for c in range(n):\n        _t0.append({item})\n    return _t0\n"
    traces = [run.trace for run in TraceCounter(source, ["f(2)"]).before]
    assert name_temporaries(source, observed_variables(traces))[0] == source.replace("_t0", word)


def test_temporaries_of_one_name_share_a_variable_only_if_their_lists_are_nested_alike() -> None:
    first, second = "_t0 = [n] * n", "_t1 = [{}] * n"
    alike, nested = (named(first, "print(_t0)", second.format(item), "return _t1[0]") for item in ("n", "_t0"))
    assert alike[2] == "repeated = [n] * n"
    assert nested[2] == "rows = [repeated] * n"


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("text.split()", "words"),
        ("(text + 'c').split()", "words"),
        ("(text + 'c').split('\\n')", "lines"),
        ("(text + 'c').split('b')", "pieces"),
        ("text.count('a')", "count"),
        ("len(text)", "length"),
        ("text.isupper()", "is_upper"),
        ("text.startswith('a')", "has_prefix"),
        ("text.upper().lower()", "lower"),
        ("text[0]", "first"),
        ("text[-1]", "last"),
        ("text[n - 1]", "character"),
        ("[text][n - 3]", "item"),
        ("text[1:][::-1]", "backwards"),
        ("'-'.join(text)", "joined"),
        ("str(n) + 'a'", "combined"),
        ("b'a' + text.encode()", "combined"),
        ("b'%d' % n", "formatted"),
        ("n + 1", "total"),
        ("n - 1 + 1", "difference"),
        ("str(n)", "digits"),
        ("str(text)", "string"),
        ("n - 1", "difference"),
        ("n % 2", "remainder"),
        ("text in 'b'", "found"),
        ("text * 2", "repeated"),
        ("'-' * n", "padding"),
        ("[n] * 2", "repeated"),
        ("n * 2", "product"),
        ("n * n", "square"),
        ("int(text[0])", "first_digit"),
        ("int([text, '33'][1])", "second_number"),
        ("int(text[n])", "number"),
        ("1 < n < 2", "is_within"),
        ("text and n", "choice"),
        ("text.x if n < 2 else (n, text)", "group"),
        ("(n, text)", "pair"),
        ("lambda: n", "value"),
        ("{}.get(text, text)", "value"),
        ("{}.setdefault(text, [text, 'bc'])", "entry"),
        ("[text, 'bc'][:1]", "head"),
        ("[n > 2, n > 3]", "flags"),
    ],
)
def test_a_name_says_what_computes_the_value(value: str, names: str) -> None:
    assert named(f"_t0 = {value}", "return _t0, text") == [f"{names} = {value}", f"return {names}, text"]


@pytest.mark.parametrize(
    ("use", "name"),
    [
        ("text[_t0]", "index"),
        ("text[_t0:]", "start"),
        ("text[:_t0]", "end"),
        ("text[::_t0]", "step"),
        ("range(_t0)", "stop"),
        ("range(0, _t0)", "stop"),
        ("range(_t0, 9)", "start"),
        ("text.rjust(_t0)", "width"),
        ("text.expandtabs(_t0)", "tabsize"),
        ("chr(_t0)", "code"),
        ("text.find('a', _t0)", "start"),
        ("open(_t0)", "path"),
        ("text.count('a', 0, _t0)", "end"),
        ("[1].insert(_t0, n)", "index"),
    ],
)
def test_a_number_is_named_for_its_use(use: str, name: str) -> None:
    assert named("_t0 = n - 2", f"return {use}") == [f"{name} = n - 2", f"return {use.replace('_t0', name)}"]


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["_t0 = list(text)", "_t0.reverse()", "_t1 = ''.join(_t0)", "return _t1 * n"], ["characters", "backwards"]),
        (["_t0 = list(text)", "_t1 = ''.join(_t0[n:])", "return _t1 * n, _t0"], ["characters", "rest"]),
        (["_t0 = list(text)", "_t1 = ''.join(_t0[:n:2])", "return _t1 * n, _t0"], ["characters", "part"]),
        (["_t0 = list(map(str.upper, text))", "_t1 = ''.join(_t0)", "return _t1 * n"], ["characters", "upper"]),
        (["_t0 = text.count('0')", "_t1 = text.count('1')", "return _t0 - _t1"], ["count_0", "count_1"]),
        (["_t0 = text.index('a')", "index = _t0 * n", "return index"], ["position"]),
        (["_t0 = [text, '{}'][n]", "return _t0.format(n)"], ["template"]),
        (["_t0 = str.join(text, n)", "_t1 = open(_t0)", "return _t1.read()"], ["path", "file"]),
        (["key = {97: 98}", "for _t0 in key:", "    text += chr(_t0)", "return text, key"], ["code"]),
    ],
)
def test_a_name_says_what_is_done_with_the_value(lines: list[str], names: list[str]) -> None:
    found = "\n".join(named(*lines))
    assert found == "\n".join(lines).replace("_t0", names[0]).replace("_t1", names[-1])


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["_t0 = []", "for c in [None] * n:", "    _t0.append(c)", "return _t0"], "result"),
        (["_t0 = []", "for c in [n, text]:", "    _t0.append(c)", "return _t0"], "result"),
        (["_t0 = []", "for c in [n, True]:", "    _t0.append(c)", "return _t0"], "result"),
        (["_t0 = []", "for c in range(n):", "    _t0.append(c)", "return _t0"], "result"),
        (["_t0 = []", "for c in range(n):", "    _t0.append(c)", "return _t0, n"], "numbers"),
        (["_t0 = []", "for c in [n, text]:", "    _t0.append(c)", "return _t0, n"], "items"),
        (["_t0 = sorted(text)", "return _t0, n"], "ordered"),
        (["_t0 = []", "for c in range(n):", "    _t0.append([c])", "return _t0"], "rows"),
        (["_t0 = []", "for c in range(n):", "    _t0.append((c, n))", "return _t0"], "pairs"),
        (["_t0 = []", "for c in range(n):", "    _t0.append((c,) * n)", "return _t0"], "groups"),
        (["_t0 = []", "for c in range(n):", "    _t0.append(tuple(text))", "return _t0"], "groups"),
        (["_t0 = []", "for c in [text]:", "    _t0.append(len(c))", "return _t0"], "lengths"),
        (["_t0 = []", "for c in [text]:", "    _t0.append(text.get_price)", "return _t0"], "result"),
        (["_t0 = []", "for c in [text]:", "    _t0.append(get_price(c))", "return _t0"], "prices"),
        (["_t0 = []", "for c in [text]:", "    if c != 'a':", "        _t0.append(c)", "return _t0"], "kept"),
        (["_t0 = []", "for c in [text]:", "    if c != 'a':", "        _t0.append(c + c)", "return _t0"], "pieces"),
        (["_t0 = []", "for c in text:", "    if c != 'a':", "        _t0.append(c)", "return _t0"], "characters"),
        (["_t0 = ''", "for c in text:", "    _t0 += c", "return _t0"], "joined"),
        (["_t0 = ''", "for c in text:", "    _t0, n = c + _t0, 1", "return _t0"], "joined"),
        (["_t0 = ''", "for c in range(n):", "    _t0 += str(c)", "return _t0"], "digits"),
        (["_t0 = 0", "for c in text:", "    _t0 += 1", "return _t0"], "count"),
        (["_t0 = 0", "for c in text:", "    _t0 += len(c)", "return _t0"], "total"),
        (["_t0 = False", "for c in text:", "    if c:", "        _t0 = True", "return _t0"], "found"),
        (["_t0 = True", "for c in text:", "    if c:", "        _t0 = False", "return _t0"], "holds"),
        (
            [
                "for c in text:",
                "    if c:",
                "        _t0 = False",
                "        break",
                "else:",
                "    _t0 = True",
                "return _t0",
            ],
            "holds",
        ),
        (
            [
                "for c in text:",
                "    if c:",
                "        _t0 = True",
                "        break",
                "else:",
                "    _t0 = False",
                "return _t0",
            ],
            "found",
        ),
        (
            ["for n in [2]:", "    _t0 = True", "    for c in text:", "        _t0 = False", "    print(_t0)"],
            "holds",
        ),
        (["_t0 = text[0]", "for c in text[1:]:", "    _t0 += n * c", "return _t0"], "joined"),
        (["lines = [text]", "_t0 = lines[0]", "for c in text:", "    _t0 += n * c", "return _t0"], "joined"),
        (["_t0 = False", "if n:", "    _t0 = text > 'b'", "return _t0"], "holds"),
        (["for _t0 in range(n):", "    print(_t0)"], "index"),
        (["for _t0 in text:", "    print(_t0)"], "character"),
        (["for _t0 in text.split(maxsplit=0):", "    print(_t0)"], "piece"),
        (["lines = text.split(maxsplit=0)", "for _t0 in lines:", "    print(_t0)"], "line"),
        (["for _t0 in [2.5]:", "    print(_t0)"], "item"),
        (["lines = [text]", "for _t0 in lines[1:]:", "    print(_t0)"], "line"),
        (["rows = dict(a=n)", "for _t0 in rows:", "    print(_t0)"], "key"),
        (["_t0, _ = text.split()", "return _t0"], "part"),
    ],
)
def test_a_name_says_what_is_in_the_variable(lines: list[str], name: str) -> None:
    assert named(*lines) == [line.replace("_t0", name) for line in lines]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["_t0 = text.lower()", "return _t0 * n"], ["text = text.lower()", "return text * n"]),
        (
            ["_t0 = text[::-1]", "_t1 = _t0 + '!'", "_t2 = _t1.split('b')", "return _t2"],
            ["text = text[::-1]", "text = text + '!'", "pieces = text.split('b')", "return pieces"],
        ),
        (
            ["_t0 = text", "while n > len(_t0):", "    _t0 = _t0[1:] + 'abc'", "_t1 = _t0.split()", "return _t1"],
            ["while n > len(text):", "    text = text[1:] + 'abc'", "words = text.split()", "return words"],
        ),
        (
            ["for c in text:", "    _t0 = c + '!'", "    print(_t0, _t0)"],
            ["for c in text:", "    combined = c + '!'", "    print(combined, combined)"],  # `c` is each character
        ),
    ],
)
def test_a_value_computed_from_a_variable_that_nothing_reads_any_more_takes_its_place(
    before: list[str], after: list[str]
) -> None:
    assert named(*before) == after


@pytest.mark.parametrize(
    "lines",
    [
        ["_t0 = text[1:]", "return _t0 * 2"],
        ["_t0 = text.lower()", "return _t0 + text"],
        ["_t0 = text.lower()", "return lambda: text"],
        ["_t0 = len(text)", "return _t0 * 2"],
        ["_t0 = text.split()", "return _t0 * 2"],
        ["for c in range(n):", "    _t0 = text[c:]", "    print(_t0 * 2)"],
        [
            "for c in range(n):",
            "    print(text)",
            "    for text in '-a':",
            "        _t0 = text[:1]",
            "        n = _t0 + '!'",
        ],
        ["while n:", "    _t0 = text[n:]", "    n -= len(_t0)", "return 1"],
        ["_t1 = text[:n]", "_t0 = text[n:]", "return _t1 + _t0"],  # one of two parts
        ["global text_2", "_t0 = text_2[1:]", "return _t0 * 2"],
    ],
)
def test_a_variable_that_may_be_read_again_or_has_another_type_keeps_its_value(lines: list[str]) -> None:
    source = body(*lines)
    observed = {(1, "_t0"): ["ab"], (1, "text"): ["abc"], (1, "text_2"): ["abc"]}
    if "len" in lines[0] or "split" in lines[0]:
        observed[1, "_t0"] = [3]  # type: ignore[list-item]
    made = name_temporaries(source, observed)[0]
    assert "text = " not in made and "text_2 = " not in made and "_t0" not in made


@pytest.mark.parametrize(
    ("value", "name"),
    [("text * 2", "part"), ("len(text)", "number"), ("n > 2", "flag"), ("(n, text)", "group"), ("object()", "value")],
)
def test_a_brief_name_is_one_word_by_type(value: str, name: str) -> None:
    source = body(f"_t0 = {value}", "return _t0, text")
    traces = [run.trace for run in TraceCounter(source, ["f('a b')"]).before]
    made = name_temporaries(source, observed_variables(traces), brief=True)[0]
    assert made == body(f"{name} = {value}", f"return {name}, text")


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (["if c > _t0:", "    _t0 = c"], ("largest", "")),
        (["if _t0 is None or c < _t0:", "    _t0 = c"], ("smallest", "")),
        (["if c == 1 or c > _t0:", "    _t1, n = c, 1", "    _t0 = c"], ("largest", "number")),
        (["if c == 1 or c > _t0:", "    _t1 = n", "    _t0 = c"], ("largest", "best")),
        (["if c == 1 or c > _t0:", "    _t1 = n", "    n = c"], ("number", "number")),
        (["if c == 1 or c != _t0:", "    _t0 = c"], ("number", "")),
    ],
)
def test_the_largest_value_so_far_is_called_so(body: list[str], names: tuple[str, str]) -> None:
    start = [f"_t{number} = 1" for number, name in enumerate(names) if name]
    lines = [*start, "for c in [1, 2]:", *(f"    {line}" for line in body), "return n"]
    made = "\n".join(named(*lines))
    assert all(name in made for name in names) and ("best" in made) == ("best" in names)
    assert ("est" in made) == ("est" in names[0])


def test_a_value_of_an_earlier_round_is_live_in_the_whole_loop() -> None:
    lines = ["for c in text:", "    _t1 = len(c)", "    if c == 'a' or _t1 > _t0:", "        _t0 = _t1", "return n"]
    assert "_t" not in "\n".join(named(*lines)) and "largest = length" in named(*lines)[3]
    lines = ["if n < 1:", "    n = _t0", "_t0 = 2", "return n"]
    assert named(*lines) == lines


def test_an_item_of_a_list_is_named_after_the_list() -> None:
    """`prices[n]` is a price; an item of a list of lists is a row; the first one says so."""
    lines = ["prices, grid = [[4, 5], [6, 7]][1], [[1], [2]]", "{}", "return _t0, prices, grid"]
    for value, name in [
        ("prices[n - 2]", "price"),
        ("prices[0]", "first_price"),
        ("grid[n - 2]", "row"),
        ("grid[0]", "first_row"),
        ("grid[1][0]", "first"),
        ("prices[:1]", "head"),
    ]:
        assert named(*(line.format(f"_t0 = {value}") for line in lines))[1] == f"{name} = {value}"


def test_what_is_appended_to_a_list_is_named_after_it() -> None:
    lines = [
        "totals, grid, class_ = [], [], []",
        "for i in range(n):",
        "    _t0 = {}",
        "    {}.append(_t0)",
        "return {}",
    ]
    for value, whole, name in [
        ("i + 1", "totals", "total"),
        ("[i]", "grid", "row"),
        ("[i] * 2", "totals", "total"),
        ("i * 2", "grid", "product"),
    ]:
        found = named(*(line.format(value) if "=" in line else line.format(whole) for line in lines))
        assert found[2] == f"    {name} = {value}"


def test_a_name_that_ends_in_ss_is_no_plural() -> None:
    assert named("access = [1, 2]", "_t0 = access[n - 3]", "return _t0, access")[1] == "item = access[n - 3]"


@pytest.mark.parametrize(
    ("plural", "singular"),
    [("caches", "cache"), ("indexes", "index"), ("branches", "branch"), ("prices", "price"), ("dashes", "dash")],
)
def test_an_item_has_the_singular_of_the_name_of_its_list(plural: str, singular: str) -> None:
    assert named(f"{plural} = [1, 2]", f"_t0 = {plural}[n - 3]", f"return _t0, {plural}")[1].startswith(f"{singular} =")


def test_a_loop_variable_that_nothing_reads_is_an_underscore() -> None:
    assert named("for _t0 in range(n):", "    n += 2", "return n")[0] == "for _ in range(n):"
    assert named("_ = text", "for _t0 in range(n):", "    n += 2", "return _")[1] == "for index in range(n):"
    again = named("for _ in text:", "    for _t0 in range(n):", "        n += 2", "return n")
    assert again[1] == "    for _ in range(n):", "the program does not read its own"
    assert named("for _t0 in range(n):", "    n += _t0", "return n")[0] == "for index in range(n):"


def test_a_second_number_of_items_is_no_index_2() -> None:
    lines = ["for _t0, _t1 in enumerate(text):", "    index = _t0, _t1", "return index"]
    assert named(*lines)[0] == "for position, character in enumerate(text):"


def test_the_index_of_the_last_item_is_called_so() -> None:
    assert named("_t0 = len(text) - 1", "return text[_t0]")[0] == "last_index = len(text) - 1"


def test_an_operand_that_ends_in_the_word_is_not_named_twice() -> None:
    lines = ["chunk_result = text", "result = 1", "_t0 = str.title(chunk_result)", "return _t0, result"]
    assert "result_result" not in "\n".join(named(*lines))


def test_the_item_of_a_numbered_loop_is_no_index() -> None:
    lines = ["numbers = [4, 5]", "for _t0, _t1 in enumerate(numbers):", "    n += _t0 * _t1", "return n"]
    assert named(*lines)[1] == "for index, number in enumerate(numbers):"
    lines = ["for _t0, _t1 in enumerate(text):", "    n += _t0 * len(_t1)", "return n"]
    assert named(*lines)[0] == "for index, character in enumerate(text):"


def test_a_length_of_an_item_is_named_after_what_it_is_taken_from() -> None:
    lines = ["rows = [[1], [2]]", "_t0 = len(rows)", "_t1 = len(rows[0])", "return _t0, _t1"]
    assert named(*lines)[1:3] == ["length = len(rows)", "rows_length = len(rows[0])"]


def test_a_function_whose_name_says_what_it_gets_names_its_result() -> None:
    assert named("_t0 = n.read_page()", "return _t0 * 2")[0] == "page = n.read_page()"
    assert named("_t0 = get_price(text)", "return _t0 * 2")[0] == "price = get_price(text)"
    assert named("_t0 = text.get_()", "return _t0 * 2")[0] == "get = text.get_()"


def test_the_first_iterable_of_a_generator_expression_is_evaluated_at_once() -> None:
    lines = ["_t0 = len(text)", "return list(i for i in range(_t0))"]
    assert named(*lines) == ["length = len(text)", "return list(i for i in range(length))"]


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("[n, 1]", "[2, n]", ["first_numbers", "second_numbers"]),
        ("text * 2 + '!'", "text * 3 + '!'", ["first_combined", "second_combined"]),
        ("[n, 1]", "[2, n, n]", ["numbers", "items"]),  # not alike
        ("text.upper()", "text.lower()", ["upper", "lower"]),
    ],
)
def test_like_values_of_the_same_variables_are_told_apart_by_their_order(
    first: str, second: str, names: list[str]
) -> None:
    found = named(f"_t0 = {first}", f"_t1 = {second}", "return [_t0, _t1, text]")
    assert [line.split(" = ")[0] for line in found[:2]] == names


def test_like_values_that_are_not_needed_together_share_a_name() -> None:
    found = named("_t0 = [n, 1]", "a = len(_t0)", "_t1 = [2, n]", "return a + len(_t1)")
    assert [found[0], found[2]] == ["numbers = [n, 1]", "numbers = [2, n]"]


def test_a_string_of_one_character_is_a_character() -> None:
    assert named("_t0 = 'a' if n else 'b'", "return _t0 * 2")[0] == "character = 'a' if n else 'b'"
    assert named("_t0 = 'ab' if n else 'b'", "return _t0 * 2")[0] == "part = 'ab' if n else 'b'"


def test_like_values_of_two_temporaries_have_no_temporary_in_their_name() -> None:
    source = body("_t0 = max(text)", "_t1 = min(text)", "_t2 = _t0 + _t1", "_t3 = _t1 + _t0", "return _t2 + text + _t3")
    assert "_t" not in name_temporaries(source, {(1, f"_t{n}"): ["a"] for n in range(4)})[0]


@pytest.mark.parametrize(("operator", "word"), [("<", "smallest"), (">", "largest"), ("==", "first")])
def test_what_a_loop_keeps_is_named_for_how_it_compares(operator: str, word: str) -> None:
    loop = ["_t0 = text[0]", "for c in text[1:]:", f"    if c {operator} _t0:", "        _t0 = c", "return _t0 + text"]
    assert named(*loop, call="f('abc')")[0] == f"{word} = text[0]"


def in_function(source: str, call: str, start: int = 1) -> list[str]:
    """The lines of the function that starts on a line, after the `def`."""
    traces = [run.trace for run in TraceCounter(source, [call]).before]
    made = name_temporaries(source, observed_variables(traces))[0]
    return [line.strip() for line in made.split("\n")[start:]]


@pytest.mark.parametrize(
    ("use", "word"),
    [
        ("{'total_price': _t0}", "total_price"),
        ("{'TotalPrice': _t0}", "total"),
        ("{'to': _t0}", "total"),
        ("{a: _t0}", "total"),
        ("dict(price=_t0)", "price"),
        ("dict(a=_t0)", "total"),
        ("g(1, _t0)", "height"),
        ("g(*[1], _t0)", "total"),
        ("[g][0](1, _t0)", "total"),
    ],
)
def test_the_programs_own_name_for_a_value(use: str, word: str) -> None:
    source = f"def f(a):\n    _t0 = a + 1\n    return {use}\n\ndef g(width, height, size=2):\n    return width\n"
    assert in_function(source, "f(2)")[0] == f"{word} = a + 1"


def test_a_name_of_the_program_is_free_in_another_function_only() -> None:
    source = "def f(a):\n    _t0 = a + 1\n    return g(_t0) * 2\n\ndef g(total):\n    return total\n"
    assert in_function(source, "f(2)")[0] == "total = a + 1"
    nested = (
        "def f(a):\n    total = a\n    def g(b):\n        _t0 = b + 1\n        return _t0 * total\n    return g(2)\n"
    )
    assert in_function(nested, "f(2)")[2] == "b_total = b + 1"
    method = "class A:\n    def f(self, a):\n        _t0 = a + 1\n        return _t0 * 2\n\ntotal = A().f(3)\n"
    assert in_function(method, "A().f(2)", 2)[0] == "a_total = a + 1"


def test_a_value_without_a_literal_is_named_after_its_class() -> None:
    source = "from pathlib import Path\ndef f(a):\n    _t0 = Path(a).joinpath('b')\n    return str(_t0)\n"
    assert in_function(source, "f('c')", 2)[0] == "path = Path(a).joinpath('b')"
    getter = "from datetime import date\ndef get_end(a):\n    return a\n"
    source = f"{getter}def f(a):\n    _t0 = get_end(a)\n    return str(_t0)\n"
    assert in_function(source, "f(date(2000, 1, 2))", 4)[0] == "end = get_end(a)"
