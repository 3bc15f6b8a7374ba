"""The forms of a finished rewrite: fewer names, no copies; the same program in each."""

import ast
import contextlib
import io

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from analyze import trace_call
from analyze.gold_trace.trace import Trace
from corpora.literals import parse_literal
from rewrite.anf.names import TEMPORARY
from rewrite.equivalence.call_inputs import BACKEND
from rewrite.passes.cleanup.copy_propagation import propagate_copies
from rewrite.passes.cleanup.forms import alternative_forms, last_form, plain_form
from rewrite.passes.cleanup.observed_values import Kinds, observed_kinds
from rewrite.passes.cleanup.temporary_reuse import reuse_temporaries
from rewrite.rewriting import rewrite_source
from rewrite.testing import Program, programs
from tests.rewrite.testing.test_programs import observed
from tests.samples import example_counts

ONE_KIND: Kinds = {(line, f"_t{number}"): int for line in range(200) for number in range(200)}
ALL_NEW = settings(backend=BACKEND, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


def body(*lines: str) -> str:
    return "\n".join(["def f(a, b):", *(f"    {line}" for line in lines), ""])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["_t0 = a()", "_t1 = _t0 + b", "return _t1"], ["_t0 = a()", "_t0 = _t0 + b", "return _t0"]),
        # Both are needed at the same time.
        (["_t0 = a()", "_t1 = b()", "return _t0 + _t1"], ["_t0 = a()", "_t1 = b()", "return _t0 + _t1"]),
        # Needed in every round of a loop that it did not begin in.
        (
            ["_t0 = a()", "for x in b:", "    _t1 = x()", "    print(_t0)", "return 1"],
            ["_t0 = a()", "for x in b:", "    _t1 = x()", "    print(_t0)", "return 1"],
        ),
        # The iterable is read once, the test of a while loop again and again.
        (
            ["_t0 = a()", "for x in _t0:", "    _t1 = x()", "    b(_t1)"],
            ["_t0 = a()", "for x in _t0:", "    _t0 = x()", "    b(_t0)"],
        ),
        (
            ["_t0 = a()", "while _t0:", "    _t1 = b()", "    _t1()"],
            ["_t0 = a()", "while _t0:", "    _t1 = b()", "    _t1()"],
        ),
        # What a function inside reads keeps its name; what it binds itself is another one.
        (
            ["_t0 = a()", "g = lambda: _t0", "_t1 = b()", "return g, _t1"],
            ["_t0 = a()", "g = lambda: _t0", "_t1 = b()", "return g, _t1"],
        ),
        (
            ["def _t0(x):", "    _t1 = x", "    return _t1 + 1", "_t1 = a", "_t2 = _t1(_t0)", "return _t2"],
            ["def _t0(x):", "    _t0 = x", "    return _t0 + 1", "_t1 = a", "_t1 = _t1(_t0)", "return _t1"],
        ),
        (["_t0 = a()", "del _t0", "_t1 = b()", "return _t1"], ["_t0 = a()", "del _t0", "_t1 = b()", "return _t1"]),
    ],
)
def test_names_of_dead_temporaries_are_used_again(before: list[str], after: list[str]) -> None:
    assert reuse_temporaries(body(*before), "", ONE_KIND) == body(*after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["_t0 = a()", "x = _t0", "return x"], ["x = a()", "return x"]),
        (["_t0 = (a(),", "    b)", "return(_t0)"], ["return (a(),", "    b)"]),
        (
            ["_t0 = []", "for c in a:", "    _t0.append(c)", "x = _t0", "return x"],
            ["x = []", "for c in a:", "    x.append(c)", "return x"],
        ),
        # What had a value before loses it a little sooner, which nobody can see.
        (
            ["for c in a:", "    _t0 = []", "    _t0.append(c)", "    b = _t0", "return b"],
            ["for c in a:", "    b = []", "    b.append(c)", "return b"],
        ),
        (["_t0 = a()", "_t1 = b()", "x, y = _t0, _t1", "return x"], ["x = a()", "y = b()", "return x"]),
        (
            ["for _t0, _t1 in a():", "    if _t1:", "        break", "else:", "    _t0 = -1", "x = _t0", "return x"],
            ["for x, _t1 in a():", "    if _t1:", "        break", "else:", "    x = -1", "return x"],
        ),
        (
            ["if x:", "    _t0 = a", "elif b:", "    _t0 = a(x)", "else:", "    _t0 = b", "x = _t0", "return x"],
            ["if x:", "    x = a", "elif b:", "    x = a(x)", "else:", "    x = b", "return x"],
        ),
        (["_t0 = a.x(b)", "_t1 = b.y()", "a, b = _t0, _t1", "return a"], ["a = a.x(b)", "b = b.y()", "return a"]),
        (["_t0 = a", "a = _t0", "return a"], ["a = a", "return a"]),
        # A copy that is changed needs no second name, unless the original is read again.
        (
            ["_t0 = a", "while _t0 and _t0[0] == b:", "    _t0 = _t0[1:]", "a = _t0", "return a"],
            ["while a and a[0] == b:", "    a = a[1:]", "return a"],
        ),
        (
            ["_t0 = a", "while _t0 and _t0[0] == b:", "    _t0 = _t0[1:]", "return _t0 + b"],
            ["while a and a[0] == b:", "    a = a[1:]", "return a + b"],
        ),
        (["_t0 = a", "b(_t0)", "return _t0 + b(_t0)"], ["b(a)", "return a + b(a)"]),
    ],
)
def test_a_temporary_that_only_hands_on_is_not_needed(before: list[str], after: list[str]) -> None:
    assert propagate_copies(body(*before))[0] == body(*after)


@pytest.mark.parametrize(
    "lines",
    [
        ["_t0 = []", "for c in a:", "    _t0.append(x)", "x = _t0", "return x"],  # x is read meanwhile
        ["_t0 = b()", "_t1 = a()", "a, b = _t0, _t1"],
        ["_t0 = b()", "_t1 = a()", "x, x = _t0, _t1"],
        ["_t0 = b()", "_t1 = a()", "x, y = _t0, _t0"],
        ["_t0 = b()", "x, y = _t0, 1"],
        ["try:", "    _t0 = a()", "    _t1 = b()", "    x, y = _t0, _t1", "except E:", "    pass"],
        ["_t0 = []", "for c in a:", "    return c", "x = _t0", "return x"],  # x would be set on the way out
        ["try:", "    _t0 = []", "    _t0.append(a())", "    x = _t0", "except E:", "    pass", "return x"],
        ["_t0 = []", "_t0.append(a())", "x = _t0", "return lambda: x"],  # somebody else may look
        ["global x", "_t0 = []", "_t0.append(a())", "x = _t0"],
        [  # x would be set on the way to the next round
            *("for c in a:", "    _t0 = []", "    if c:", "        for d in c:", "            _t0.append(d)"),
            *("        continue", "    x = _t0", "return x"),
        ],
        ["for _t0 in b:", "    if _t0:", "        break", "else:", "    _t0 = -1", "b = _t0", "return b"],
        ["for _t0 in a:", "    if _t0:", "        break", "x = _t0", "return x"],  # x would have a value without one
        ["for c in a:", "    _t0 = []", "    for d in c: pass", "    else: break", "    x = _t0", "return x"],
        ["if a:", "    _t0 = b", "x = _t0", "return x"],  # x would keep its value, if it has one
        ["if a:", "    _t0 = b", "else:", "    _t0 = x", "x = _t0", "return x"],
        ["if a:", "    _t0 = b", "    b(x)", "else:", "    _t0 = a", "x = _t0", "return x"],
        ["if a:", "    _t0 = b", "else:", "    return a", "x = _t0", "return x"],
        ["try:", "    if a:", "        _t0 = b()", "    else:", "        _t0 = a()", "    x = _t0", "except E: pass"],
        ["_t0 = a()", "x = _t0", "return _t0"],
        ["_t0 = a()", "_t0 += b()", "return _t0"],
        ["_t0 = a()", "if _t0:", "    return _t0", "return b"],
        ["_t0 = a()", "return lambda: _t0"],
        ["_t0 = a(); b()", "x = _t0; b()", "return x"],
        ["_t0 = a", "while _t0 and _t0[0] == b:", "    _t0 = _t0[1:]", "return _t0 + a"],
        ["_t0 = a", "while _t0 and _t0[0] == b:", "    a()", "    _t0 = _t0[1:]", "return _t0"],
        ["_t0 = a; b()", "_t0 += b", "return _t0"],
        ["_t0 = a", "a = b()", "return _t0 + a"],
        ["_t0 = a", "match b:", "    case [a]:", "        b(a)", "return _t0 + 1"],
        ["_t0 = a", "try:", "    b()", "except E as a:", "    b(a)", "return _t0 + 1"],
        ["_t0 = a", "del a", "return _t0 + 1"],
        ["_t0 = a", "import a", "return _t0 + 1"],
        ["_t0 = a", "return [_t0 + a for a in b]"],
        ["_t0 = a", "return b(lambda a: _t0 + a)"],
        ["_t0 = a", "return b(_t0 + a for a in b)"],
        ["_t0 = a", "def g():", "    nonlocal a", "    a = 1", "return g() + _t0"],
        ["_t0 = E", "return _t0 + b(_t0)"],  # a global variable, which the call may change
        ["if b:", "    c = b", "_t0 = c", "for d in b:", "    _t0 += d", "return _t0"],  # c may be unbound
        ["_t0 = a", "while _t0 and b:", "    _t0 = _t0[1:]", "return lambda: _t0"],
        ["def g(): return a", "_t0 = a", "while _t0 and b:", "    _t0 = _t0[1:]", "return _t0"],
        [
            "try:",
            "    _t0 = a",
            "    while _t0 and b:",
            "        _t0 = _t0[1:]",
            "    return _t0",
            "finally:",
            "    a()",
        ],
    ],
)
def test_a_temporary_that_hands_on_stays_where_its_place_can_be_seen(lines: list[str]) -> None:
    assert propagate_copies(body(*lines))[0] == body(*lines)


def test_a_nested_function_with_temporaries_of_its_own_makes_no_difference() -> None:
    inner = ["def g(c):", "    _t0 = c()", "    return _t0 + 1"]
    assert propagate_copies(body(*inner, "_t0 = a()", "x = _t0", "return g, x"))[0] == body(
        *inner, "x = a()", "return g, x"
    )
    for read in ("def g(c=_t0): pass", "class G: x = _t0", "g = lambda: _t0"):
        before = body("_t0 = a()", read, "x = _t0", "return x")
        assert propagate_copies(before)[0] == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Both lists are shown for the operation, which takes the name of the first one.
        (
            ["_t0 = list(a)", "_t1 = list(b)", "_t2 = a.find(b)", "return _t2 + 1"],
            ["_t0 = list(a)", "_t1 = list(b)", "_t0 = a.find(b)", "return _t0 + 1"],
        ),
        (["_t0 = list(a)", "_t1 = a()", "_t2 = b(_t1)"], ["_t0 = list(a)", "_t0 = a()", "_t0 = b(_t0)"]),
    ],
)
def test_what_is_only_shown_is_shown_for_the_next_operation(before: list[str], after: list[str]) -> None:
    assert reuse_temporaries(body(*before), "", ONE_KIND) == body(*after)


@pytest.mark.parametrize(
    ("kinds", "after"),
    [
        ({"_t0": list, "_t1": int, "_t2": int}, ["_t0 = b(a)", "_t1 = b(_t0)", "_t1 = b(_t1)", "return _t1"]),
        ({"_t0": list, "_t1": int, "_t2": list}, ["_t0 = b(a)", "_t1 = b(_t0)", "_t0 = b(_t1)", "return _t0"]),
        ({"_t0": bool, "_t1": int, "_t2": float}, ["_t0 = b(a)", "_t1 = b(_t0)", "_t2 = b(_t1)", "return _t2"]),
        ({}, ["_t0 = b(a)", "_t1 = b(_t0)", "_t2 = b(_t1)", "return _t2"]),
    ],
)
def test_only_temporaries_of_one_kind_share_a_name(kinds: dict[str, type], after: list[str]) -> None:
    before = body("_t0 = b(a)", "_t1 = b(_t0)", "_t2 = b(_t1)", "return _t2")
    assert reuse_temporaries(before, "", {(1, name): kind for name, kind in kinds.items()}) == body(*after)


def test_a_value_of_several_types_or_without_a_literal_has_no_kind() -> None:
    lines = ["_t0 = a[0]", "for _t1 in (1, 'b'):", "    _t2 = iter(b)", "_t3 = {1: 'c'}", "return _t0, _t3"]
    kinds = observed_kinds([trace_call(body(*lines), "f([[]], [2])")])
    assert kinds == {(1, "_t0"): list, (1, "_t3"): dict}


def test_a_program_with_names_like_those_of_temporaries_stays_as_it_is() -> None:
    source = "def f(_t0):\n    _t1 = _t0\n    return _t1 + len(_t1) * 2\n"
    made = rewrite_source(source)
    assert [form.source for form in alternative_forms(made, source, lambda _: ONE_KIND)] == [made.source]


@pytest.mark.medium
@pytest.mark.hypothesis
@example_counts(3, 8)
def test_every_form_of_a_drawn_program_does_the_same(examples: int) -> None:
    @settings(ALL_NEW, max_examples=examples, deadline=None)
    @given(programs(depth=3, size=5))
    def check(program: Program) -> None:
        made = rewrite_source(program.source)
        before = observed(program)
        for form in alternative_forms(made, program.source, lambda _: ONE_KIND):
            with contextlib.redirect_stdout(io.StringIO()):
                assert observed(Program(form.source, program.calls)) == before
            assert len(form.positions) >= len(form.source.splitlines())
        assert last_form(made, program.source, lambda _: ONE_KIND).source == form.source

    check()


@pytest.mark.medium
@pytest.mark.hypothesis
@example_counts(4, 25)
def test_no_name_of_a_drawn_program_stands_for_more_kinds_of_values_than_one_of_its_temporaries(examples: int) -> None:
    shared: set[bool] = set()

    @settings(ALL_NEW, max_examples=examples, deadline=None)
    @given(programs(depth=2, size=4))
    def check(program: Program) -> None:
        made, call = rewrite_source(program.source), program.calls[0]
        for form in (made, plain_form(made, program.source)):
            trace = trace_call(form.source, call)
            again = reuse_temporaries(form.source, program.source, observed_kinds([trace]))
            shared.add(again != form.source)
            alone, kinds = shown_types(trace), shown_types(trace_call(again, call))
            for (function, _), types in kinds.items():
                assert len(types) == 1 or types in [own for (other, _), own in alone.items() if other == function], (
                    again
                )

    check()
    assert shared == {True, False} or examples < 25  # a few programs may have no names to share


def shown_types(trace: Trace) -> dict[tuple[str, str], set[type]]:
    """The types of the values that a trace shows, by function (or class, whose body has its own) and temporary."""
    found: dict[tuple[str, str], set[type]] = {}
    functions: dict[int, str] = {}
    for node in ast.walk(ast.parse(trace.context)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):  # breadth-first: inner ones later
            functions |= dict.fromkeys(range(node.body[0].lineno, (node.end_lineno or 0) + 1), node.name)
    for line, frame in zip(trace.lines, trace.frames, strict=True):
        for name, text in frame.state or ():
            if TEMPORARY.fullmatch(name) and text != "..":
                with contextlib.suppress(ValueError):
                    found.setdefault((functions.get(line, ""), name), set()).add(type(parse_literal(text)))
    return found


@pytest.mark.parametrize(
    "lines",
    [
        ["_t0 = x", "match 5:", "    case x: pass", "_t0 += 'a'", "return _t0"],
        ["_t0 = x", "_t0 += 'a'", "return _t0 + ''.join(c for c in _t0)"],
        ["_t0 = x", "_t0 += 'a'", "return _t0, (lambda a=_t0: a)()"],
        ["_t0 = 5", "try: g()", "except E as x: pass", "_t0 += 1", "x = _t0", "return x"],
        ["_t0 = 5", "import x", "_t0 += 1", "x = _t0", "return x"],
    ],
)
def test_a_variable_that_is_bound_without_a_name_keeps_its_copy(lines: list[str]) -> None:
    text = "\n    ".join(["def f(x):", *lines]) + "\n"
    assert propagate_copies(text)[0] == text


OWN_LIST = ["for x in a:", "    _t0 = [x]", "    {0}", "    own = _t0", "    own.append(b)"]


@pytest.mark.parametrize("between", ["if x: continue", "if x: break", "if x: return own", "yield x", "print(own)"])
def test_an_own_list_is_not_made_before_what_may_see_that_it_is(between: str) -> None:
    source = body(*(line.format(between) for line in OWN_LIST), "return own")
    assert propagate_copies(source)[0] == source
    merged = body("for x in a:", "    own = [x]", "    b(own)", "    own.append(b)", "return own")
    assert propagate_copies(source.replace(between, "b(_t0)"))[0] == merged


@pytest.mark.parametrize("around", ["try:", "with b:"])
def test_an_own_list_is_not_made_before_an_exception_that_the_function_may_catch(around: str) -> None:
    inner = ["_t0 = [a]", "_t0.append(b())", "own = _t0"]
    ending = ["except ValueError:", "    print(own)"] if around == "try:" else []
    source = body("own = 0", around, *(f"    {line}" for line in inner), *ending, "return own")
    assert propagate_copies(source)[0] == source
