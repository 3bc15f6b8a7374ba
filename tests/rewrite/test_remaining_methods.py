"""Recipe `methods` rewrites or reports every string operation, and takes no module for a string."""

from __future__ import annotations

import re

import pytest

from analyze.operations.catalogue import find
from rewrite.rewriting import rewrite_source
from tests.samples import sampled

# What the loops themselves consist of, each a step that is shown whole; see `rewrite.interventions.remaining`.
SHOWN = {"s + a", "s * a", "s == a", "s != a", "s < a", "s <= a", "s > a", "s >= a", "len(s)", "s[a]", "s[a:a]"}
OPERATORS = {*SHOWN, "s % a", "a in s", "a not in s", "s[::a]", "format(s, a)", "f'{s:>5}'", "f'{s:{a}}'"}
ARGUMENTS = ["", "a", "'-'", "a, a", "'-', a", "a, a, a", "'-', a, a", "*a", "**a"]


def calls(receiver: str) -> list[str]:
    """Calls of every method of `str`, with as many arguments as it may take."""
    found = []
    for name in (name for name in dir(str) if not name.startswith("_")):
        known = find(name, "str")
        most = known.max_arguments if known else None
        fitting = (given for given in ARGUMENTS if most is None or len(given.split(",")) * bool(given) <= most)
        found += [f"{receiver}.{name}({given})" for given in fitting]
    return found


RECEIVERS = ["s", "'ab'", "str(1)", "s[1:]", "s.t", "f(s)"]


@pytest.mark.medium
@pytest.mark.parametrize("receiver", sampled(RECEIVERS, RECEIVERS, every=3))
def test_every_method_of_str_is_spelled_out_or_reported(receiver: str) -> None:
    every = calls(receiver)
    functions = [f"def f{number}(s, a): return {call}\n" for number, call in enumerate(every)]
    result = rewrite_source("def f(x):\n    return x\n" + "".join(functions), "methods")
    told = {change.line for change in result.changes} | {left.line for left in result.left}
    assert [call for line, call in enumerate(every, 3) if line not in told] == []


@pytest.mark.parametrize("form", ["return {}", "if {}: pass", "x = [{} for b in a]", "while {}: break", "x = {} or 1"])
@pytest.mark.parametrize("expression", sorted(OPERATORS))
def test_every_operator_is_spelled_out_reported_or_shown_whole(expression: str, form: str) -> None:
    result = rewrite_source(f"def f(s, a):\n    {form.format(expression)}\n", "methods")
    assert (result.changed or bool(result.left)) == (expression not in SHOWN)


@pytest.mark.parametrize("source", ["s %= a", "x = list(map(str.upper, a))", "x = str.strip(s)", "x = a < s in a"])
def test_other_spellings_are_reported(source: str) -> None:
    assert rewrite_source(f"def f(s, a):\n    {source}\n", "methods").left


@pytest.mark.parametrize(
    ("lines", "call"),
    [
        ("import re", "re.split(',', s)"),
        ("import re as r", "r.split(',', s)"),
        ("import os.path", "os.path.split(s)"),
        ("import os.path as p", "p.join(s, s)"),
        ("from os import path", "path.split(s)"),
        ("from . import tools", "tools.find(s)"),
        ("import os", "os.path.split(s)"),
        ("import xml.dom", "xml.dom.find(s)"),
        ("import numpy as np", "np.char.upper(s)"),
        ("try:\n    import re\nexcept ImportError:\n    re = None", "re.split(',', s)"),
        ("import re\nagain = re", "again.split(',', s)"),
        ("re = __import__('re')", "re.split(',', s)"),
        ("import importlib\nre = importlib.import_module('re')", "re.split(',', s)"),
        ("import sys\nre = sys.modules['re']", "re.split(',', s)"),
        ("def load():\n    global re\n    import re", "re.split(',', s)"),
        ("", "__import__('re').split(',', s)"),
    ],
)
def test_no_guard_asks_whether_a_module_is_a_text(lines: str, call: str) -> None:
    result = rewrite_source(f"{lines}\ndef f(s):\n    return {call}\n", "methods")
    assert not result.changed


@pytest.mark.parametrize("recipe", ["decompose", "methods"])
@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("import sys", "sys.platform"),
        ("import string", "string.ascii_letters"),
        ("from string import digits", "digits"),
        ("from settings import SEPARATORS", "SEPARATORS"),
        ("import settings", "settings.SEPARATORS"),
    ],
)
def test_a_text_from_a_module_is_one(line: str, text: str, recipe: str) -> None:
    assert "is str:" in rewrite_source(f"{line}\ndef f(s):\n    return {text}.find('a')\n", recipe).source


@pytest.mark.parametrize(
    ("body", "guards"),
    [
        ("if type(x) is str:\n    y = x.upper()", 0),
        ("if type(x) is str:\n    y = 1\nelse:\n    x = str(x)\n    y = x.upper()", 1),
        ("if type(x) is str:\n    pass\nelse:\n    x = 'ab'\ny = x.upper()", 0),
        ("if type(x) is str:\n    pass\nelse:\n    x = z\ny = x.upper()", 1),
        ("if type(x) is not str:\n    return 1\ny = x.upper()", 0),
        ("if not type(x) is str:\n    x = repr(1)\ny = x.upper()", 0),
        ("if type(x) is str:\n    x = z\n    y = x.upper()", 1),
        ("if type(x) is str:\n    for i in z:\n        y = x.upper()\n        x = i", 1),
        ("if type(x) is str:\n    def g():\n        return x.upper()\n    x = z\n    y = g()", 1),
        ("if type(x) is str:\n    def g():\n        nonlocal x\n        x = z\n    g()\n    y = x.upper()", 1),
        ("if type(x) is str:\n    y = [x.upper() for x in z]", 1),
        ("if type(x) is str:\n    pass\nelif z:\n    x = 'a'\nelse:\n    raise z\ny = x.upper()", 0),
        ("if type(x) is str:\n    pass\nelif z:\n    x = 'a'\ny = x.upper()", 1),
        ("while type(x) is not str:\n    x = z\ny = x.upper()", 1),
        ("if type(x) is str:\n    del x\n    x = z\ny = x.upper()", 1),
    ],
)
def test_kinds_learn_from_branches_what_those_show(body: str, guards: int) -> None:
    source = "def f(x, z):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    result = rewrite_source(source, "methods")
    tests = result.source.count("is str:") - source.count("is str:")
    assert tests == guards, result.source
    assert re.search(r"str\.upper\(_t|_t\d+\.upper\(", result.source), result.source
    assert not rewrite_source(result.source, "methods").changed
