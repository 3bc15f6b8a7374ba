"""Random programs that read late, under recipes and under plans at random budgets.

    python -m tests.rewrite.planned --seconds 60 [--seed N]

Lazy generators, closures, class patterns, walrus and classes, among the loops and long names that passes look for.
Each program is written from a seed of its own, changed by calls that are drawn as well, and compared on inputs drawn
within the assumptions (`check_equivalence`). It is changed by a recipe, by a plan at a random budget, or by a random
sequence of passes, as a plan applies them. Plans do not compare themselves first (examples=0), so that a pass at fault
is seen. What differs is printed with its seed; `--seed N --seconds 0` has it again.
"""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Sequence
from textwrap import indent
from typing import NamedTuple
from zlib import crc32

from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, trace_call
from analyze.tokens.tokenizer import default_tokenizer
from rewrite.equivalence.check import check_equivalence
from rewrite.evidence.assumptions import Assumption
from rewrite.planner.planning import plan_rewrite
from rewrite.planner.shortening import shorten
from rewrite.rewriting import rewrite_source
from tests.rewrite.logged import campaign

PRELUDE = '''\
class Point:
    """Something to match."""
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
class Counter:
    total = 0
    def __init__(self, start=0): self.total = start
    def add(self, amount_that_is_added): self.total += amount_that_is_added; return self
    @property
    def twice(self): return self.total * 2
class Loud(Counter):
    def add(self, amount): return super().add(amount + 1)
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
def twice(values):
    for value in values:
        yield value * 2
def plus(a, b): return a + b
state = 'banana'
def change(amount):
    global state
    state = state[amount % 3 :] + 'an'
    return amount
'''
# `$I`, `$S`, `$L`: integers, strings, lists of integers; `$i`, `$s`, `$l`: such variables; `$new_i`, `$new_s`, `$new_l`
# are bound by the form. A variable is the same throughout a form.
HOLE = re.compile(r"\$(new_[isl]|[islISL])")
NEW = {
    "i": ("total_amount_of_all_items", "a", "current_position_in_the_list", "last_number_that_was_seen", "e"),
    "s": ("text_that_is_being_collected", "b", "another_text_with_a_long_name"),
    "l": ("list_of_collected_numbers", "c", "numbers_that_are_left_over", "d"),
}
EXPRESSIONS = {
    "I": (
        *("$i", "$i", "$i", "1", "$i + $I", "$i * 3 % 7", "len($L)", "sum($L)", "len($S)", "max($I, $I)"),
        *("$S.count('a')", "(lambda q: q + $i)($I)", "plus($I, $I)", "fib($i % 6)", "sum(q for q in $L)"),
        *("($i if $I > 2 else $I)", "Counter($I).add($I).twice", "sum(twice($L))", "int($i < $I)"),
    ),
    "S": (
        *("$s", "$s", "'ab'", "str($I)", "$s.strip()", "$s[::-1]", "$s.replace('a', 'bb')", "$s.upper()"),
        *(
            "'-'.join(str(q) for q in $L)",
            "'%s:%s' % ($I, $s)",
            "f'{$I}:{$s!r}'",
            "$s[:4] + $S",
            "$s.partition('b')[2]",
        ),
    ),
    "L": (
        *("$l", "$l", "[q + $i for q in $l]", "sorted($l)", "list(range($i % 5))", "$l[:3]", "[*$l[:2], $I]"),
        *("[q for q in $l if q > $i]", "list(twice($l))", "[q * $i for q in $l if q]", "list(map(abs, $l))"),
    ),
}
STATEMENTS = (
    *("$i = $I", "$s = $S", "$l = $L", "$i += $I", "$l += [$I]", "$i = spare_name_of_a_variable = $I"),
    *("$new_i = $I", "$new_i = $I", "$new_s = $S", "$new_l = $L", "$new_i = $I\n$i += $new_i"),
    "$new_i = 0\nfor item_of_the_loop in $L:\n    $new_i += item_of_the_loop",
    "$new_i = 0\nfor k in $l:\n    if k == $i:\n        $new_i += 1",
    "$new_l = []\nfor k in $l:\n    if k > $i:\n        $new_l.append(k * 2)",
    "$new_s = ''\nfor k in $s:\n    $new_s += k.upper()",
    "$new_i = 0\nfor k in range(20):\n    if k % 6 == 0:\n        $new_i = $new_i * 2 + k",
    "$new_i = $I\nlazy = (q + $new_i for q in $l)\n$i = $I\n$new_l = list(lazy)",
    "$new_i = $I\nlate = lambda q: q + $new_i\n$i = $I\n$l = list(map(late, $l))",
    "lazy = map(lambda q: q - $i, $l)\n$i = $I\n$new_l = sorted(lazy)",
    "for item_of_the_loop in $L:\n    $i += item_of_the_loop",
    "for item_of_the_loop in $L:\n    if item_of_the_loop % 3 == 0:\n        $i += 1",
    "for k in range($i % 30):\n    if k % 4 == 0:\n        $i += k",
    "$l = []\nfor k in $L:\n    $l.append(k + 1)",
    "for k in $L:\n    spare_name_of_a_variable = $I\n    $i += spare_name_of_a_variable",
    "$i = 0\nfor k in $L:\n    if k > $i:\n        $i = k",
    "$s = ''\nfor k in $L:\n    $s += str(k)",
    "lazy = (q + $i for q in $L)\n$i = $I\n$l = list(lazy)",
    "lazy = (q for q in $l if q > $i)\nfor k in range(9):\n    $i += k\n$l = [*lazy]",
    "late = lambda: $I\n$i = $I\n$i = late()",
    "late = [lambda: k + $i for k in range(3)]\n$i = $I\n$l = [one() for one in late]",
    "def late():\n    return $I\n$i = $I\n$i = late()",
    "def late(k=1):\n    nonlocal $i\n    $i += k\n    return $i\n$i = $I\nlate($I)",
    "def late():\n    yield $i\n    yield $I\nlazy = late()\n$i = $I\n$l = list(lazy)",
    "if ($i := $I) > 3:\n    $s = $S",
    "for k in $L:\n    if (found_in_the_loop := k) > $i:\n        $i = found_in_the_loop",
    "$l = [last := q for q in $L]\n$i = len($l)",
    "k = $i % 4\nwhile (k := k - 1) > 0:\n    $i += k",
    "match $L:\n    case [first_of_them, *rest_of_them]:\n        $i = first_of_them\n        $l = rest_of_them",
    "match Point($I, $I):\n    case Point(x=0):\n        $i = 1\n    case Point(first, y=k):\n        $i = k - 1",
    "match $I:\n    case 0 | 1 as k if k < $i:\n        $i = k\n    case k:\n        $s = $S",
    "import math\n$i = math.gcd($I, 12)",
    "from math import gcd as greatest_common_divisor\n$i = greatest_common_divisor($I, 8)",
    "try:\n    $i = $I // ($i - 2)\nexcept ZeroDivisionError as error:\n    $s = str(error)",
    "made = Loud($I)\nfor k in $L:\n    made.add(k)\n$i = made.total",
    "class Inner:\n    value = $I\n    def get(self): return self.value + $i\n$i = Inner().get()",
    "$i, *$l = [$I, *$L]",
    "if $I > $I:\n    $s = $S\nelse:\n    $l = $L",
    "unused_name_of_a_variable = $i",
    "for k in $L:\n    if k > $I:\n        $i = 1\n        break\nelse:\n    $i = 2",
    # A global that a call changes, and early exits.
    "$i = state.find('a')\nchange($I)\n$i += state.find('n') + state.count('a')",
    "$s = state[::-1]\nfor k in $L:\n    change(k)\n    $s += state.upper()",
    "if $I > 6:\n    return $i, $s",
    "for k in $s:\n    if k == 'b':\n        return k, $l",
    "own = []\nfor k in $s:\n    if $s.find('a') < 1:\n        continue\n    own = list($s)\n"
    "    own.append(k)\n$i += len(own)",
    "own = [0]\nfor k in $L:\n    where = $s.find('b')\n    if where < k:\n        break\n"
    "    own = list($s)\n    own.reverse()\n"
    "$s = str(own)",
    "try:\n    own = $s\n    where = $s.index('b')\n    own = list($s)\n    own.append($s)\n"
    "except ValueError as error:\n"
    "    $s = str(error) + str(own)",
)
STAR_IMPORTS = ("from os.path import *\n", "from string import *\n")
MAIN_BLOCK = "if __name__ == '__main__':\n    print(state.find('a'), change(2), state[::-1])\n"
SCOPES = (
    "def f(xs, s, n):\n{body}",
    "def f(xs, s, n):\n{body}",
    "class K:\n    def m(self, xs, s, n):\n{inner}\ndef f(xs, s, n): return K().m(xs, s, n)\n",
    "def f(xs, s, n):\n    def g(xs, s, n):\n{inner}\n    return g(xs, s, n)\n",
    "def g(xs, s, n):\n    yield n\n{body}\ndef f(xs, s, n): return list(g(xs, s, n))\n",
)
RECIPES = ("decompose", "expressions", "strings", "letters", "methods")
SHARES = (0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.2, 2.0, 4.0)


class Writer:
    """Writes statements, and knows which variables have a value by then."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.bound = {"i": ["n"], "s": ["s"], "l": ["xs"]}

    def filled(self, form: str, depth: int) -> str:
        """The form with expressions and variables in its holes."""
        own = {kind: self.draw.choice(names) for kind, names in self.bound.items()}
        new = {f"new_{kind}": self.draw.choice(names) for kind, names in NEW.items()}
        named = own | new
        found = HOLE.sub(lambda hole: named.get(hole[1]) or self._expression(hole[1], depth), form)
        for hole, name in new.items():
            if f"${hole}" in form and name not in self.bound[hole[-1]]:
                self.bound[hole[-1]].append(name)
        return found

    def _expression(self, kind: str, depth: int) -> str:
        if depth <= 0:
            return self.draw.choice(self.bound[kind.lower()])
        return f"({self.filled(self.draw.choice(EXPRESSIONS[kind]), depth - 1)})"

    def returned(self) -> str:
        """Some of the variables."""
        names = [name for names in self.bound.values() for name in names]
        return ", ".join(self.draw.sample(names, self.draw.randint(1, min(4, len(names)))))


def program(seed: int) -> str:
    """A module with an entry function `f(xs, s, n)`."""
    draw = random.Random(seed)
    writer, scope = Writer(draw), draw.choice(SCOPES)
    lines = [writer.filled(draw.choice(STATEMENTS), 2) for _ in range(draw.randint(3, 8))]
    ends = "yield" if "yield n" in scope else "return"
    body = "\n".join([*lines, f"{ends} {writer.returned()}"]) + "\n"
    text = scope.replace("{body}", indent(body, " " * 4)).replace("{inner}", indent(body, " " * 8))
    star = draw.choice(STAR_IMPORTS) if draw.random() < 0.15 else ""
    return star + PRELUDE + text + (MAIN_BLOCK if draw.random() < 0.15 else "")


def calls(seed: int) -> list[str]:
    """One or two calls of it."""
    draw = random.Random(-seed - 1)

    def call() -> str:
        numbers = [draw.randint(-3, 12) for _ in range(draw.randint(0, 6))]
        text = "".join(draw.choice("ab nX1") for _ in range(draw.randint(0, 7)))
        return f"f({numbers!r}, {text!r}, {draw.randint(-2, 20)})"

    return [call() for _ in range(draw.randint(1, 2))]


class Changed(NamedTuple):
    """A changed program, what it depends on, and what else is wrong with it, "" for nothing."""

    source: str
    assumes: Sequence[Assumption]
    passes: Sequence[str] = ()
    wrong: str = ""


def _planned(source: str, given: Sequence[str], draw: random.Random) -> Changed:
    tokens = [
        trace_call(source, call).count_tokens(default_tokenizer(), MAX_COUNTED_TOKENS) or MAX_COUNTED_TOKENS
        for call in given
    ]
    plan = plan_rewrite(source, given, budget=max(1, int(max(tokens) * draw.choice(SHARES))), examples=0)
    rows, added = sum(one.tokens for one in plan.choices), (plan.tokens or 0) - (plan.original_tokens or 0)
    wrong = f"rows add up to {rows}, not {added}" if rows != added else ""
    return Changed(plan.source, plan.assumes, [one.what for one in plan.choices], wrong)


def _saved(source: str, given: Sequence[str], draw: random.Random) -> Changed:
    """Savings at random: each text has a random number in place of its tokens."""
    most, salt = 10**6, draw.randrange(10**6)

    def number(text: str) -> int:
        return crc32(f"{salt}{text}".encode()) % most

    states, _ = shorten(source, given, number, most, draw.randrange(most // 10))
    made = states[-1].rewritten()
    return Changed(made.source, made.assumes, [what for _, _, what in states[-1].applied])


def _rewritten(source: str, given: Sequence[str], draw: random.Random) -> Changed:
    made = rewrite_source(source, recipe := draw.choice(RECIPES), calls=given)
    return Changed(made.source, made.assumes, [recipe])


def difference(seed: int, examples: int = 40) -> str:
    """What is wrong with one changed program; "" if nothing is."""
    source, given, draw = program(seed), calls(seed), random.Random(seed + 1)
    change = draw.choice((_planned, _saved, _saved, _rewritten))
    made = Changed("", ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "<program>", "exec", dont_inherit=True)
        except SyntaxError:
            return ""  # a nonlocal name that is not bound there
        try:
            made = change(source, given, draw)
            verdict = check_equivalence(
                source, made.source, given, examples=examples, assumes=made.assumes, inputs="any"
            )
            wrong = made.wrong or (f"{verdict.why}: {verdict.counterexample}" if verdict.equivalent is False else "")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault
            wrong = f"{type(error).__name__}: {error}"
    shown = f"{source.removeprefix(PRELUDE)}\n--- after\n{made.source.removeprefix(PRELUDE)}"
    return f"seed {seed}, {given}, {list(made.passes)}: {wrong}\n{shown}" if wrong else ""


if __name__ == "__main__":
    raise SystemExit(campaign(difference, __doc__))
