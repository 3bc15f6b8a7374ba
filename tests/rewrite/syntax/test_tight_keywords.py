"""Programs without blanks around keywords are read like CPython reads them."""

import ast
import warnings
from itertools import product

import libcst as cst
import pytest

from rewrite import rewrite_source
from rewrite.syntax.tight_keywords import correct_keyword_spacing

OPERANDS = (
    *("a", "(a)", ".5", "5", "5.", "1j", "'s'", "b's'", "f'{a}'", "[a]", "{a}", "(a if b else c)", "(lambda: a)", "-a"),
    *(
        "lambda: a",
        "a if b else c",
        "a.b",
        "(a).b",
        "(a if b else c).d",
        "(lambda: a)(b)",
        ".5 + a",
        "not a",
        "(not a)",
    ),
    *("(yield)", "(a := b)", "(a, b)", "...", "a[b]", "(a)[b]", "(a)if b else(c)", "'s' f'{a}'", "(a for a in b)"),
)
FRAMES = (
    *("return{0}", "x = not{0}", "assert{0}", "yield{0}", "raise{0}", "x = {0}if{1}else{0}", "x = {0}and{1}or{0}"),
    *(
        "x = {0}in{1}",
        "x = {0}is{1}",
        "x = {0}not in{1}",
        "for x in{0}: pass",
        "while{0}: pass",
        "if{0}: pass",
        "del{0}",
    ),
    *(
        "x = [x for x in{0}if{1}]",
        "raise{0}from{1}",
        "x = yield from{0}",
        "with{0}as x: pass",
        "x = lambda:{0}",
        "del{0}",
    ),
    *("match{0}:\n  case 1if{1}: pass", "try: pass\n except{0}as x: pass", "async def g():\n  await{0}"),
)


def is_read(parse: object, source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parse(source)  # type: ignore[operator]
    except Exception:  # noqa: BLE001 - whatever a parser raises
        return False
    return True


@pytest.mark.parametrize("frame", FRAMES)
def test_what_cpython_reads_libcst_reads(frame: str) -> None:
    correct_keyword_spacing()
    sources = [f"def f():\n {frame.format(*pair)}\n" for pair in product(OPERANDS, repeat=2)]
    accepted = [source for source in dict.fromkeys(sources) if is_read(ast.parse, source)]
    assert accepted
    assert [source for source in accepted if not is_read(cst.parse_module, source)] == []


@pytest.mark.parametrize("recipe", ["decompose", "methods", "letters"])
@pytest.mark.parametrize(
    "body",
    [
        "return(a * 2 if a > 1 else a + 3)",
        "return.5*a*2",
        "return not(a * 2 if a > 1 else 0)",
        "return(lambda b:b * 2 + a)(a)",
        "return a if(a + 1 if a else 0)else.5*a+1",
        "return[b * 2 + 1 for b in(range(a) if a else[])if(lambda: b * 2 + 1)()]",
    ],
)
def test_they_are_rewritten(body: str, recipe: str) -> None:
    source = f"def f(a):\n    {body}\n"
    made = rewrite_source(source, recipe).source
    before: dict[str, object] = {}
    after: dict[str, object] = {}
    exec(source, before)
    exec(made, after)
    for value in (0, 1, 2):
        assert after["f"](value) == before["f"](value)  # type: ignore[operator]
