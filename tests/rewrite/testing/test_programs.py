"""The strategies for programs: everything drawn compiles, ends, does the same twice, and covers the language."""

import ast
import builtins
import contextlib
import io
import re
import sys
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

from rewrite.equivalence.call_inputs import BACKEND
from rewrite.program_grammar.logged_programs import KINDS
from rewrite.testing import EXPRESSION_FEATURES, FEATURES, Program, assert_equivalent, expressions, program_of, programs

SLOW_TO_DRAW = settings(suppress_health_check=[HealthCheck.too_slow])
# Without the engine's copies of earlier cases every program is a new one, so that fewer will do.
ALL_NEW = settings(SLOW_TO_DRAW, backend=BACKEND, phases=[Phase.generate])


def without_addresses(text: str) -> str:
    return re.sub(" at 0x[0-9a-f]+", "", text)


def observed(program: Program) -> list[tuple[str, str, str]]:
    """How each call ends, and the log. In this process: what the strategies draw is harmless."""
    code = compile(program.source, "drawn", "exec")
    seen = []
    for call in program.calls:
        space: dict[str, object] = {}
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                exec(code, space)
                ended = f"-> {eval(call, space)!r}"
            except Exception as error:  # noqa: BLE001 - drawn programs raise what they like
                ended = f"{type(error).__name__}: {error}"
        seen.append((call, without_addresses(ended), without_addresses(repr(space.get("LOG")))))
    return seen


@pytest.mark.parametrize("wrong", [{"features": ["bynary"]}, {"features": ["if", "goto"]}])
def test_an_unknown_feature_is_an_error(wrong: dict[str, list[str]]) -> None:
    with pytest.raises(ValueError, match=r"no such feature: (bynary|goto) \(there are"):
        programs(**wrong)  # type: ignore[arg-type]


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(ValueError, match="no such kind"):
        expressions("integer")


@pytest.mark.medium
@settings(ALL_NEW, max_examples=40)
@given(programs())
def test_a_drawn_program_compiles_ends_does_the_same_twice_and_numbers_its_operands(program: Program) -> None:
    assert observed(program) == observed(program)
    body = program.source[program.source.rindex("\ndef f(") if "\ndef f(" in program.source else 0 :]
    numbers = [int(number) for number in re.findall(r"\b(?:t|fail|go|bump|it|cm|deco|aw|ait|acm)\((\d+)", body)]
    assert numbers == sorted(set(numbers)), "every operand has a number of its own, in the order of the text"
    assert "§" not in program.source


@settings(ALL_NEW, max_examples=30)
@given(expressions())
def test_a_drawn_expression_is_one_expression_and_runs_in_a_program(text: str) -> None:
    ast.parse(text.replace("§", "0"), mode="eval")
    observed(program_of(text))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_expression_can_be_drawn(kind: str) -> None:
    quick = settings(SLOW_TO_DRAW, max_examples=10, phases=[Phase.generate])  # any will do: nothing is made smaller
    find(expressions(kind), lambda text: True, settings=quick)


LANGUAGE = {
    "operators": ("binary unary boolean comparison", "BinOp UnaryOp BoolOp Compare"),
    "primaries": ("call attribute subscript slice", "Call Attribute Subscript Slice keyword Starred"),
    "displays": ("display unpacking f-string", "List Tuple Set Dict Starred JoinedStr FormattedValue"),
    "binding inside expressions": ("conditional walrus lambda", "IfExp NamedExpr Lambda"),
    "comprehensions": ("comprehension", "ListComp SetComp DictComp GeneratorExp"),
    "simple statements": ("assign augmented delete assert raise", "Assign AnnAssign AugAssign Delete Assert Raise"),
    "branches": ("if with try match expression", "If With Try ExceptHandler Match MatchSequence"),
    "loops": ("for while jump expression", "For While Break Continue"),
    "definitions": ("def class global assign", "FunctionDef ClassDef Global Nonlocal Return"),
    "generators": ("yield expression", "Yield YieldFrom"),
    "coroutines": ("async await expression", "AsyncFunctionDef AsyncWith AsyncFor Await"),
    "exception groups and returns from inside": ("except_star return", "TryStar Try Return With While"),
    "patterns": (
        "match expression",
        "MatchValue MatchSingleton MatchSequence MatchMapping MatchClass MatchStar MatchAs MatchOr",
    ),
    "classes": ("class metaclass descriptor static_method slots dataclass super", "ClassDef keyword AnnAssign If"),
    "functions": ("parameters closure generator_protocol async_generator", "Nonlocal YieldFrom AsyncFor Lambda Await"),
    "imports and stars": ("import star", "Import ImportFrom Starred"),
}
if sys.version_info >= (3, 12):
    LANGUAGE["what is new in 3.12"] = ("type_parameters", "TypeAlias TypeVar")
PIECES = {
    "a parameter of every kind": ("parameters", r"def every\(.*, /, b=.*, \*, c: .*\*\*k\)"),
    "a generator that is sent to and thrown into": ("generator protocol", r"poke\("),
    "`yield from` with a value": ("generator protocol", r"result = yield from"),
    "an asynchronous generator": ("async generator", r"async def steps"),
    "an asynchronous comprehension": ("async generator", r"async for i in .* if await"),
    "a metaclass": ("metaclass", r"metaclass=t\(\d+, Meta\)"),
    "a property with a setter": ("descriptor", r"@y\.setter"),
    "slots": ("slots", r"__slots__ ="),
    "a dataclass": ("dataclass", r"@dataclass"),
    "super without arguments": ("super", r"super\(\)\.__init__"),
    "except*": ("except star", r"except\* "),
    "return inside finally": ("return", r"finally:\n(?:.*\n)*? +return"),
    "a starred tuple after return": ("star", r"return \*it"),
    "a starred subscript": ("star", r"o\[.*, \*"),
    "with in parentheses": ("with", r"with \("),
    "a class pattern": ("match", r"case Point\("),
    "a value pattern": ("match", r"case o\.x"),
    "del of a name": ("delete", r"del \(z,\)"),
    "two functions between a name and who rebinds it": ("closure", r"nonlocal count"),
    "an import with another name": ("import", r"import add as plus|import itertools as tools"),
}


@pytest.mark.parametrize("piece", PIECES)
def test_a_piece_of_the_language_is_drawn(piece: str) -> None:
    feature, pattern = PIECES[piece]
    quick = settings(SLOW_TO_DRAW, max_examples=300, phases=[Phase.generate])
    strategy = programs(features={feature, "expression", "assign"}, size=2)
    assert find(strategy, lambda program: re.search(pattern, program.source) is not None, settings=quick)


@pytest.mark.slow
@pytest.mark.parametrize("part", LANGUAGE)
def test_the_whole_language_is_drawn(part: str) -> None:
    features = [feature.replace("_", " ") for feature in LANGUAGE[part][0].split()]
    wanted = set(LANGUAGE[part][1].split())
    seen: set[str] = set()

    @settings(ALL_NEW, max_examples=200 if part in ("comprehensions", "displays") else 40)  # one in forty has a set
    @given(programs(features={*features, "expression"}))
    def look(program: Program) -> None:
        # Only what was drawn counts, and not the helpers in front of it.
        functions = (node for node in ast.parse(program.source).body if isinstance(node, ast.FunctionDef))
        drawn = next(node for node in functions if node.name == "f")
        seen.update(type(node).__name__ for part in drawn.body for node in ast.walk(part))

    look()
    assert wanted - seen == set()


TEXTS = {
    "quotes and backslashes": r"it\\'s",
    "two lines": r"'''two\n",
    "a raw text": r"r'\\d",
    "texts side by side": r"'a' \"b\" 'c'",
    "printf's way": r" % \(",
    "format's way": r"\.format\(",
    "a format computed in a field": r"!a:>\{t\(",
    "braces that are no field": r"f\"\{\{",
    **({"an f-string in an f-string": r"f\"\{ f\""} if sys.version_info >= (3, 12) else {}),
}


@pytest.mark.parametrize("pattern", TEXTS.values(), ids=TEXTS)
def test_text_is_written_in_many_ways(pattern: str) -> None:
    quick = settings(SLOW_TO_DRAW, max_examples=500, phases=[Phase.generate])
    features = {"string literal", "f-string"} | {"nested f-string"} & FEATURES
    assert find(
        expressions("str", features=features), lambda text: re.search(pattern, text) is not None, settings=quick
    )


@pytest.mark.medium
def test_features_leave_the_rest_of_the_language_out() -> None:
    @settings(ALL_NEW, max_examples=30)
    @given(programs(features=["expression", "assign", "binary", "call", "display"]))
    def check(program: Program) -> None:
        tree = ast.parse(program.source[program.source.rindex("def f(") :])
        forbidden = ast.If | ast.While | ast.For | ast.IfExp | ast.Lambda | ast.Try | ast.JoinedStr | ast.Yield
        assert not [node for node in ast.walk(tree) if isinstance(node, forbidden)]

    check()


@pytest.mark.slow
def test_shrinking_gives_a_readable_program() -> None:
    def has_continue_in_while(program: Program) -> bool:
        loops = [node for node in ast.walk(ast.parse(program.source)) if isinstance(node, ast.While)]
        return any(isinstance(node, ast.Continue) for loop in loops for node in ast.walk(loop))

    features = ["expression", "while", "jump", "call"]
    found = find(
        programs(depth=1, size=2, features=features),
        has_continue_in_while,
        settings=settings(SLOW_TO_DRAW, max_examples=2000),
        random=Random(0),
    )
    body = found.source[found.source.rindex("def f(") :].splitlines()
    assert len(body) <= 8, found
    assert repr(found).startswith('Program("""\\\n')


def test_a_program_of_an_expression_has_its_variables_as_parameters() -> None:
    program = program_of("t(§, a) + len(p) + o.x")
    assert program.calls == ("f(1, [1, 2])",)
    assert "def f(a, p):\n    return t(1, a) + len(p) + o.x\n" in program.source
    assert observed(program)[0][1] == "-> 3"


@pytest.mark.medium
def test_the_assertion_passes_for_the_same_program_and_shows_a_difference_to_be_pasted() -> None:
    before = "def f(n):\n    return n + 1\n"
    assert_equivalent(before, before + "\n", calls=["f(1)"])
    with pytest.raises(AssertionError, match="differs in: value") as caught:
        assert_equivalent(before, "def f(n):\n    return n + 1.0\n", calls=["f(1)"])
    compile(str(caught.value), "pasted", "exec")


@pytest.mark.medium
def test_the_assertion_does_not_pass_what_it_cannot_compare() -> None:
    before = "def f():\n    while True: pass\n"
    with pytest.raises(AssertionError, match="undecided"):
        assert_equivalent(before, before + "\n", calls=["f()"], seconds=0.3)


@pytest.mark.medium
def test_drawn_programs_use_only_builtins_and_their_own_names() -> None:
    @settings(ALL_NEW, max_examples=30)
    @given(programs(features=FEATURES - {"delete"}))
    def check(program: Program) -> None:
        for _, ended, _ in observed(program):
            assert not ended.startswith("NameError"), program

    assert "print" in dir(builtins) and EXPRESSION_FEATURES < FEATURES
    check()
