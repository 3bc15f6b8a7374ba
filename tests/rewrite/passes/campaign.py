"""Random functions with lazy generators, closures, patterns, walrus and loops, and all passes on each one.

    python -m tests.rewrite.passes.campaign --seconds 60 [--seed N]

Every candidate is applied and run on calls other than those it is asked for, which its assumptions hold for. What
differs is printed with its seed; `--seed N --seconds 0` has it again.
"""

from __future__ import annotations

import contextlib
import io
import random
import warnings
from textwrap import indent

from rewrite.equivalence.assumption_filter import AssumptionFilter
from rewrite.passes import apply_candidate, find_candidates
from tests.rewrite.logged import campaign

PRELUDE = """\
class Point:
    total_value = 7
    __match_args__ = ('count_of_it',)
    def __init__(self, count_of_it): self.count_of_it = count_of_it
    def __len__(self): return next(self.count_of_it)
    def __repr__(self): return 'a point'
def helper(k): return k * 2 + 1
def sized(text): return len(text) > 2 and text[0] == 'a'
state = 'banana'
def change(k):
    global state
    state = state[1:] + str(k)
"""
NAMES = ("total_value", "count_of_it", "best_so_far", "found_items", "other_name")
# `@`: a variable; `$`: an expression.
EXPRESSIONS = (
    *(
        "0",
        "1",
        "7",
        "True",
        "''",
        "'a'",
        "'ab'",
        "[]",
        "n",
        "n",
        "xs[:2]",
        "text",
        "@",
        "@",
        "@",
        "@ + 1",
        "@ * 2",
        "@ + @",
    ),
    *(
        "len(xs)",
        "len(text)",
        "helper(n)",
        "helper(3)",
        "sized(text)",
        "str(@)",
        "[@ for i in xs]",
        "[i for i in xs if @]",
    ),
    *("sum(i + n for i in range(3))", "list(i for i in range(n))", "(@ for i in range(2))", "lambda: @", "(@, @)"),
    *(
        "f'{@}'",
        "f'{@=}'",
        "dict(total_value=@)",
        "Point(@)",
        "@ is None",
        "not @",
        "(@ := n + 1)",
        "[@ := i for i in xs]",
    ),
    *("text + 'x'", "n - 2", "max(n, 3)", "map(str, (@ for i in range(2)))", "zip(xs, (i for i in range(n) if @))"),
    *("sorted(set(xs))", "any(@ == i for i in range(3))", "next((i for i in range(5) if i > n), @)", "'abc'[n % 3]"),
)
STATEMENTS = (
    *("@ = $", "@ = $", "@ = $", "@ = $", "@ += 1", "@ = [] ", "@ = 0", "@ = ''", "@ = @ = $", "@, @ = $, $"),
    "for i in range(n):\n    @ += i",
    "for i in xs:\n    @ += i",
    "for i in xs:\n    @ += i * $",
    "for c in text:\n    @ += c",
    "for c in text:\n    @ += ord(c)",
    "for c in text:\n    if c == 'a':\n        @ += 1",
    "for c in text:\n    if not c.isdigit():\n        return False\nreturn True",
    "for i in xs:\n    if i > @:\n        @ = i",
    "for i in xs:\n    @ = max(@, i)",
    "@ = []\nfor i in xs:\n    @.append($)",
    "@ = []\nfor i in xs:\n    if $:\n        @.append(i)",
    "@ = []\nfor x in xs:\n    @.append(str(x))",
    "@ = set()\nfor i in range(n):\n    @.add(i)",
    "for i in range(n):\n    if i % 3 == 0:\n        @ = $",
    "for i in range(n):\n    if i % 3 == 0 or i % 5 == 0:\n        LOG.append($)",
    "for i in range(n):\n    @ = $\n    LOG.append(@)",
    "for i in range(n):\n    twice = i * 2 + 1\n    LOG.append((twice, $))",
    "for i in range(n):\n    six = 3 * 2\n    LOG.append(six + i)",
    "for i in range(3):\n    for k in range(n):\n        sum_of_both = i + k\n        LOG.append(sum_of_both)",
    "for i in xs:\n    @ = n * 2\n    if i < @:\n        LOG.append((i, $))",
    "for i in range(3):\n    @ = $\n    @ = $\n    if $:\n        continue\n    LOG.append(@)",
    "while n > 0:\n    n -= 1\n    @ = $",
    "for i in range(n):\n    LOG.append(i + k for k in [1])",
    "LOG.append(lambda: @)",
    "LOG.append(i for i in range(3) if @)",
    "def inner(k):\n    return k + 1\n@ = inner(n)",
    "def inner():\n    return @\nLOG.append(inner)",
    "def inner(k):\n    nonlocal total_value\n    total_value = k\ninner(n)\nLOG.append(inner)",
    "def unread(k): return @",
    "class Local:\n    count_of_it = $\n    def m(self): return @\nLOG.append(Local)",
    "match xs:\n    case [@, *_]: LOG.append(@)\n    case []: @ = 1",
    "match Point(n):\n    case Point(count_of_it=3): LOG.append('three')\n    case Point(@): LOG.append(@)",
    "if n > 2:\n    from string import digits as best_so_far",
    "if n > 2:\n    import string as other_name",
    "try:\n    @ = $ + 1\nexcept TypeError as e:\n    @ = str(e)",
    "try:\n    for i in xs:\n        @ += i\nexcept TypeError:\n    LOG.append(@)",
    "with suppress(TypeError):\n    @ = 1 + $",
    "if $:\n    @ = $\nelse:\n    @ = $",
    "if $:\n    @ = $",
    "LOG.append((@, $))",
    "@ = xs[n % 4]",
    "del @\n@ = 1",
    "'a string'",
    "return @, @",
    "@ = state.find('a')\nchange(n)\nLOG.append((@, state.find('a'), state))",
    "for i in range(n):\n    @ = len(state)\n    change(i)\n    LOG.append(@)",
    "for c in text:\n    if text.find(c) > 1:\n        return @\n    @ = text.count(c)",
    "for i in xs:\n    if i == n:\n        break\n    @ = $\nelse:\n    @ = $",
    "try:\n    @ = text.index('a')\n    @ = list(text)\n    if $: return @\nexcept ValueError as e:\n"
    "    LOG.append((str(e), @))",
)
SCOPES = (
    "def f(n, xs, text, w):\n{start}{body}\n    return {end}\n",
    "def f(n, xs, text, w):\n    def g(n, xs, text):\n{inner_start}{inner}\n        return {end}\n"
    "    return g(n, xs, text)\n",
    "class K(dict):\n    def m(self, n, xs, text):\n{inner_start}{inner}\n        return {end}\n"
    "def f(n, xs, text, w): return K().m(n, xs, text)\n",
    "from os.path import *\ndef f(n, xs, text, w):\n{start}{body}\n    return {end}, sorted(locals())\n",
    "def f(n, xs, text, w):\n{start}{body}\n    return {end}\nif __name__ == '__main__':\n"
    "    LOG.append(f(1, [2], 'a', 0))\n",
    "def g(n, xs, text):\n{start}{body}\n    yield {end}\n    LOG.append({end})\n"
    "def f(n, xs, text, w): return list(g(n, xs, text))\n",
)
SHOWING = """
import re
def show(value, depth=0):
    if depth > 4: return 'deep'
    if callable(value) and not isinstance(value, type): return tried(value, depth)
    if hasattr(value, '__next__'): return tried(lambda: list(value), depth)
    if isinstance(value, (list, tuple)): return type(value).__name__, [show(v, depth + 1) for v in value]
    if isinstance(value, Point): return 'Point', show(value.count_of_it, depth + 1)
    if isinstance(value, type): return 'class', show(vars(value).get('count_of_it'), depth + 1)
    return type(value).__name__, re.sub('0x[0-9a-f]+', '0x', repr(value))
def tried(function, depth):
    try: return show(function(), depth + 1)
    except Exception as e: return type(e).__name__, str(e)
def run(*given):
    LOG.clear()
    return tried(lambda: f(*given), 0), show(LOG[:])
"""
GIVEN = ("(4, [1, 2, 3], 'banana', 0)", "(4, [3, 1, 2], 'a1', 1)", "(1, [5], 'b', 0)")
OTHERS = (
    "(0, [], '', 0)",
    "(3, [0, 4], 'abc', 2)",
    "(9, (2, 2, 1), '77', 3)",
    "(16, [7], 'aab', 0)",
    "(2, [True, 2], 'xa', 0)",
    "(3, [1.5, 'a'], 'a', 0)",
    "(3, None, 5, 0)",
    "(2, [Point(iter([2])), Point(iter([])), Point(iter([1]))], 'a', 0)",
    "(3, iter([3, 1]), iter(['a', 'b']), 0)",
)


def filled(form: str, draw: random.Random) -> str:
    """The form with expressions and variables in its holes."""
    for _ in range(form.count("$")):
        form = form.replace("$", draw.choice(EXPRESSIONS), 1)
    few = draw.sample(NAMES, 3)
    while "@" in form:
        form = form.replace("@", draw.choice(few), 1)
    return form


def program(seed: int) -> str:
    """A module with a function `f(n, xs, text, w)`."""
    draw = random.Random(seed)
    values = dict(zip(NAMES, ("0", "1", "''", "[]", "n"), strict=True))
    values |= {name: draw.choice(("0", "True", "''", "n", "xs[:1]")) for name in NAMES if draw.random() < 0.3}
    starts = "".join(f"{name} = {value}\n" for name, value in values.items() if draw.random() < 0.85)
    loops = [form for form in STATEMENTS if form.startswith(("for", "while", "@ = []\n", "@ = set"))]
    forms = [draw.choice(loops if draw.random() < 0.5 else STATEMENTS) for _ in range(draw.randint(1, 4))]
    lines = "\n".join(filled(form, draw) for form in forms)
    parts = {
        "{start}": indent(starts, " " * 4),
        "{inner_start}": indent(starts, " " * 8),
        "{body}": indent(lines, " " * 4),
        "{inner}": indent(lines, " " * 8),
        "{end}": ", ".join(draw.sample(NAMES, 2)),
    }
    text = draw.choice(SCOPES)
    for name, part in parts.items():
        text = text.replace(name, part)
    return f"from contextlib import suppress\nLOG = []\n{PRELUDE}{text}"


def outcome(source: str, given: str) -> object:
    """What a call of `f` gives or raises, and what it has left to be asked later."""
    names: dict[str, object] = {"__name__": "program"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source + SHOWING, "<program>", "exec", dont_inherit=True), names)
        return eval(f"run(*{given})", names)


def difference(seed: int, given: int = 2) -> str:
    """What is wrong with a pass on one program; "" if nothing is."""
    source = program(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "<program>", "exec", dont_inherit=True)
        except SyntaxError:
            return ""
        for candidate in find_candidates(source, [f"f{one}" for one in GIVEN[:given]]):
            after = apply_candidate(source, candidate).source
            for one in (*GIVEN, *OTHERS):
                before, now = outcome(source, one), outcome(after, one)
                if before != now and not AssumptionFilter(source, candidate.assumes).broken_assumptions([f"f{one}"], 5):
                    said = f"seed {seed}, {candidate.name}, {candidate.what}, on {one}:\n{before}\n{now}"
                    return f"{said}\n{source}\n--- after\n{after}"
    return ""


if __name__ == "__main__":
    raise SystemExit(campaign(difference, __doc__))
