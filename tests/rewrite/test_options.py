"""The options of the decomposition: what is refused, what each one does, and that all of them keep the program."""

from __future__ import annotations

# ruff: noqa: E501 - one program a line can be compared at a glance
import ast
import keyword
from itertools import product

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from corpora.errors import InputError
from rewrite.anf.rewrite_options import KINDS
from rewrite.rewriting import rewrite_source
from rewrite.testing import Program, assert_equivalent, programs
from tests.rewrite.test_corners import CASES, program
from tests.rewrite.test_rewriting import outcomes
from tests.samples import sampled

NESTED = "def f(x):\n    return sorted(list(set(str(x))))\n"


@pytest.mark.parametrize(
    ("recipe", "options", "message"),
    [
        (
            "decompose",
            {"typo": 1},
            "unknown option 'typo': the options are threshold, kinds, depth, conditions, names, release",
        ),
        ("strings", {"depth": 2}, "this recipe takes no option 'depth': it takes names, release"),
        ("decompose", {"threshold": 0}, "threshold must be an integer >= 1, not 0"),
        ("decompose", {"threshold": "2"}, "threshold must be an integer >= 1, not '2'"),
        ("decompose", {"threshold": True}, "threshold must be an integer >= 1, not True"),
        ("decompose", {"depth": 0}, "depth must be an integer >= 1, not 0"),
        (
            "decompose",
            {"kinds": ("cal",)},
            f"unknown kind of operand 'cal' (did you mean 'call'?); known are {', '.join(KINDS)}",
        ),
        ("decompose", {"kinds": "call"}, f"kinds must be a selection of {', '.join(KINDS)}, not 'call'"),
        ("decompose", {"kinds": ()}, f"kinds must be a selection of {', '.join(KINDS)}, not ()"),
        ("decompose", {"conditions": 1}, "conditions must be True or False, not 1"),
        ("decompose", {"names": "long"}, "names must be short or readable, not 'long'"),
        ("decompose", {"release": "yes"}, "release must be True or False, not 'yes'"),
    ],
)
def test_an_option_that_means_nothing_is_refused(recipe: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as error:
        rewrite_source("x = 1\n", recipe, **options)  # type: ignore[arg-type]
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("options", "after"),
    [
        ({}, "    _t0 = str(x)\n    _t1 = set(_t0)\n    _t2 = list(_t1)\n    return sorted(_t2)\n"),
        ({"depth": 2}, "    _t0 = set(str(x))\n    return sorted(list(_t0))\n"),
        ({"depth": 3}, "    _t0 = list(set(str(x)))\n    return sorted(_t0)\n"),
        ({"depth": 4}, "    return sorted(list(set(str(x))))\n"),
        ({"threshold": 2}, "    _t0 = set(str(x))\n    _t1 = list(_t0)\n    return sorted(_t1)\n"),
        ({"threshold": 4}, "    return sorted(list(set(str(x))))\n"),
    ],
    ids=str,
)
def test_threshold_and_depth_decide_how_much_stays_in_a_line(options: dict[str, object], after: str) -> None:
    assert rewrite_source(NESTED, **options).source == f"def f(x):\n{after}"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "expression"),
    [
        ("operator", "a + b"),
        ("operator", "not a"),
        ("operator", "a and b"),
        ("operator", "a if b else c"),
        ("comparison", "(a < b)"),
        ("call", "f(a)"),
        ("attribute", "a.b"),
        ("subscript", "a[1:]"),
        ("display", "[a]"),
        ("comprehension", "[-a for a in b]"),
        ("fstring", "f'{a}'"),
        ("walrus", "(a := b)"),
    ],
)
def test_only_the_kinds_asked_for_are_extracted(kind: str, expression: str) -> None:
    source = f"def f(a, b, c):\n    return {{'k': {expression}}}\n"
    others = [name for name in KINDS if name != kind]
    assert rewrite_source(source, "expressions", kinds=[kind]).changed
    assert not rewrite_source(source, "expressions", kinds=others).changed or kind == "comprehension"


def test_readable_names_say_what_they_hold() -> None:
    source = (
        "def f(text, items, x, y):\n"
        "    return [(len(items) + 1, text.count('ab'), x + y * 2, items[-1], text[1:], x.a[y], [c.b for c in text])]\n"
    )
    after = rewrite_source(source, "expressions", names="readable").source
    names = [line.split(" = ")[0].strip() for line in after.splitlines() if " = " in line]
    assert names == [
        *("len_items", "len_items_plus_1", "text_count", "y_times_2", "total", "items_at_minus_1"),
        *("part_of_text", "x_a", "x_a_at_y", "c_b_list", "c_b", "new_tuple"),
    ]


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("'+' in s or '*' in s", {"s_has_plus", "s_has_star", "either"}),
        ("'\\n' not in s and 'ab' in s", {"s_lacks_newline", "s_has_ab"}),
        (
            "'(' in s and '$' in s and '?' in s and 'é' in s",
            {"s_has_paren", "s_has_dollar", "s_has_question"},
        ),
        ("s.replace('(', '').replace(')', '').strip() + s", {"s_replace", "s_replace_2", "total"}),
        ("(s + t * u - v) * (s or t)", {"t_times_u", "total", "s_or_t"}),
    ],
)
def test_a_readable_name_is_one_that_one_would_give(expression: str, names: set[str]) -> None:
    source = f"def f(s, t, u, v):\n    if {expression}:\n        pass\n"
    after = rewrite_source(source, "expressions", names="readable", conditions=True).source
    assert names <= {line.split(" = ")[0].strip() for line in after.splitlines() if " = " in line}, after


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("len_x = 1\ndef f(x):\n    return len(x) + 1\n", "len_x_2"),
        ("def f(x):\n    return len(x) + o.len_x\n", "len_x_2"),
        ("def f(x):\n    return len(x) + 1  # and not len_x\n", "len_x_2"),
        ("def f(_):\n    return _[0] + 1\n", "variable_at_0"),
        ("class A:\n    def f(self):\n        return self.__x + 1\n", "self_x"),
        ("def f(x):\n    return (1 + x) * 2\n", "value_1_plus_x"),
        ("from a import *\nx = len(y) + 1\n", "_len_y"),
        ("class A:\n    x = len(y) + 1\n", "_len_y"),
        ("def f(ﬁ):\n    return len(ﬁ) + 1\nlen_fi = 0\n", "len_fi_2"),
    ],
    ids=[
        "a global of that name",
        "an attribute of that name",
        "a comment that holds it",
        "no letter to take",
        "a name that a class mangles",
        "a digit first",
        "a module that imports everything",
        "a class body",
        "a ligature is read as its letters",
    ],
)
def test_a_readable_name_is_free_and_valid(source: str, name: str) -> None:
    after = rewrite_source(source, names="readable").source
    assert f"    {name} = " in after or f"\n{name} = " in after


def test_temporaries_are_deleted_where_their_use_ends() -> None:
    source = (
        "def f(a, b):\n    if len(a) + 1 > 2:\n        b = a.c.d\n    for n in b[0]:\n        with o.p.q:\n"
        "            return n.x.y\n"
    )
    assert rewrite_source(source, release=True).source == (
        "def f(a, b):\n    _t0 = len(a)\n    _t1 = _t0 + 1\n    del _t0\n    if _t1 > 2:\n        del _t1\n"
        "        _t2 = a.c\n        b = _t2.d\n        del _t2\n    else:\n        del _t1\n    _t3 = b[0]\n"
        "    for n in _t3:\n        _t4 = o.p\n        with _t4.q:\n            del _t4\n            _t5 = n.x\n"
        "            return _t5.y\n        _t5 = None\n        del _t5\n    del _t3\n"
    )


KEEPS = """\
import weakref
SEEN = []
class Held:
    def __init__(self, name): self.name = name; weakref.finalize(self, SEEN.append, name)
    def part(self): return self.name
    def fail(self): raise ValueError(self.name)
class Swallow:
    def __enter__(self): return self
    def __exit__(self, *error): return True
"""


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("x = Held('a').part() + 'b'\nreturn list(SEEN)", ["a"]),
        ("if len(Held('a').part()) > 0: return list(SEEN)", ["a"]),
        ("if not len(Held('a').part()):\n    pass\nelse: return list(SEEN)", ["a"]),
        ("n = 0\nwhile len(Held(str(n)).part()) > n:\n    n += 1\nreturn list(SEEN)", ["0", "1"]),
        ("for n in [1, 2]:\n    x = Held(str(n)).part() + 'b'\nreturn list(SEEN)", ["1", "2"]),
        ("x = [held.part() for held in map(Held, 'ab')]\nreturn list(SEEN)", ["a", "b"]),
        ("try:\n    x = Held('a').fail() + 1\nexcept ValueError: pass\nreturn list(SEEN)", ["a"]),
        ("with Swallow():\n    x = Held('a').fail() + 1\nreturn list(SEEN)", ["a"]),
        ("x = SEEN and Held('a').part() + 'b'\nreturn list(SEEN)", []),
        ("x = Held('a').part() + 'b' if not SEEN else SEEN[0] + 'c'\nreturn list(SEEN)", ["a"]),
        ("def g():\n    x = yield Held('a').part() + 'b'\n    yield list(SEEN)\nreturn list(g())", ["ab", ["a"]]),
        ("with Swallow() as s, Held('a') if not s else s: return list(SEEN)", []),
        ("match Held('a').part() + 'b':\n    case 'x': pass\nreturn list(SEEN)", ["a"]),
    ],
)
def test_objects_live_no_longer_than_in_the_original(body: str, seen: list[object]) -> None:
    source = KEEPS + "def f():\n" + "".join(f"    {line}\n" for line in body.splitlines())
    names: dict[str, object] = {}
    for text in (source, rewrite_source(source, release=True).source):
        exec(compile(text, "<program>", "exec", dont_inherit=True), names)
        assert eval("f()", names) == seen, text


@pytest.mark.parametrize(
    "source",
    [
        "x = [len(str(n)) + 1 for n in (1, 22)]\n",
        "for n in range(2):\n    if len(str(n)) * 2 > 1:\n        x = len(str(n)) + 1\n",
        "try:\n    x = len(str(1)) + int('x' * 2)\nexcept ValueError:\n    x = len(str(2)) * 3\nfinally:\n    y = -len(str(3))\n",
        "n = 3\nwhile len(str(n)) + n < 8:\n    n += len(str(n)) * 2\n    if n * 2 == 9: break\nelse:\n    n = -n * 2\n",
        "class A:\n    x = len('ab') + 1\n    y = (lambda n: n * 2 + 1)(x + 3)\n    if x * 2 > 3:\n        z = len(str(x)) * 2\n",
        "class B(ValueError): x = len('ab') + 1\nclass A(B):\n    y = sum(n * 2 + 1 for n in (1, 2)) + 1\n",
        "x = 1 and len('a' * 2) + 1\ny = (len('b') + 1 if x else len('c') * 2)\nz = 1 < len('a' * 2) < 5 < x\n",
        "match len('ab') + 1:\n    case 3: x = len('a') * 2\n",
        "import contextlib\nwith contextlib.suppress(ValueError):\n    x = int('x' * 2) + 1\n",
    ],
)
@pytest.mark.parametrize("names", ["short", "readable"])
def test_module_and_class_keep_no_temporary_and_the_same_values(source: str, names: str) -> None:
    spaces: list[dict[str, object]] = [{}, {}]
    for text, space in zip((source, rewrite_source(source, names=names).source), spaces, strict=True):
        exec(compile(text, "<program>", "exec", dont_inherit=True), space)
        del space["__builtins__"]
        for name in [name for name in ("A", "B") if name in space]:
            space |= {
                f"{name}.{key}": str(value)[:9]
                for key, value in vars(space.pop(name)).items()
                if key != "__firstlineno__"
            }
    before, after = spaces
    assert list(before) == list(after)
    assert before == after
    assert text != source


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "import enum\nclass A(enum.Enum):\n    x = len('ab') + 1\n",
            "class body: a temporary may become an attribute",
        ),
        (
            "class M(type): pass\nclass A(metaclass=M):\n    x = len('a') + 1\n",
            "class body: a temporary may become an attribute",
        ),
        (
            "class M(type): pass\nclass B(M, int): pass\n@M\nclass C: pass\nclass A(C):\n    x = len('a') + 1\n",
            "class body: a temporary may become an attribute",
        ),
        ("x = len('ab') + 1\nfor name in globals(): pass\n", "module level: the module inspects its globals"),
        (
            "class A:\n    n = 1\n    x = [n * 2 + 1 for _ in (1, 2)]\n",
            "comprehension in a class body: it does not see the variables of the class",
        ),
    ],
)
def test_what_others_may_see_stays_and_is_reported(source: str, reason: str) -> None:
    result = rewrite_source(source)
    assert {left.reason for left in result.left} == {reason}
    assert not result.changed


COMBINED: dict[str, dict[str, object]] = {
    "readable": {"names": "readable"},
    "released": {"release": True},
    "depth 2, released": {"depth": 2, "release": True},
    "readable and released, depth 3, conditions": {
        "names": "readable",
        "release": True,
        "depth": 3,
        "conditions": True,
    },
    "threshold 3, readable": {"threshold": 3, "names": "readable"},
    "calls and operators, released": {"kinds": ("call", "operator"), "release": True},
    "all but calls, depth 2": {"kinds": tuple(kind for kind in KINDS if kind != "call"), "depth": 2},
    "conditions, released, threshold 2": {"conditions": True, "release": True, "threshold": 2},
    "methods, readable, released": {"recipe": "methods", "names": "readable", "release": True},
}


EACH = list(product(CASES, COMBINED))


@pytest.mark.parametrize(
    ("body", "options"),
    sampled([(CASES[case], COMBINED[name]) for case, name in EACH], map("-".join, EACH), every=15),
)
def test_every_corner_case_under_every_combination(body: str, options: dict[str, object]) -> None:
    source = program(body)
    result = rewrite_source(source, **options)  # type: ignore[arg-type]
    assert outcomes(result.source, ("f()",)) == outcomes(source, ("f()",)), result.source
    again = rewrite_source(result.source, **options).source  # type: ignore[arg-type]
    assert again == result.source, "a second rewrite changes it again"


@pytest.mark.slow
@settings(
    max_examples=30,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(programs(), st.sampled_from(list(COMBINED.values())))
def test_a_drawn_program_is_the_same_under_any_combination(drawn: Program, options: dict[str, object]) -> None:
    after = rewrite_source(drawn.source, **options)  # type: ignore[arg-type]
    assert rewrite_source(after.source, **options).source == after.source  # type: ignore[arg-type]
    assert_equivalent(drawn.source, after.source, drawn.calls)


def test_readable_names_are_no_keywords_and_no_builtins() -> None:
    words = [*keyword.kwlist, "print", "id"]
    for left, right in product(words, words[:3]):
        if left not in keyword.kwlist:
            after = rewrite_source(f"def f(o):\n    return o.{left}.x\n", names="readable").source
            ast.parse(after)
            assert f"    {left} =" not in after, right
