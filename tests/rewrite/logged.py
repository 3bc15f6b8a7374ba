"""Random programs whose operands log that they were evaluated, in every kind of scope, under options drawn as well.

    python -m tests.rewrite.logged --seconds 60 [--seed N]

Each program is written from a seed of its own, run as it is and rewritten, and compared by what it returns, raises and
logs; a second rewrite must change nothing. What differs is printed with its seed; `--seed N --seconds 0` has it again.
Quicker than `rewrite.testing`, and more narrow: expressions of all kinds, and where they stand.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings
from collections.abc import Callable
from textwrap import indent

from rewrite.anf.rewrite_options import KINDS
from rewrite.rewriting import rewrite_source

PRELUDE = '''\
LOG = []
class V:
    """A value that logs what is asked of it."""
    def __init__(self, name): self.name = name[-30:]
    def __repr__(self): return f"V({self.name})"
    def __getattr__(self, name):
        if name[:1] == "_": raise AttributeError(name)
        LOG.append(f"{self.name}.{name}")
        return V(f"{self.name}.{name}")
    def __call__(self, *a, **k): LOG.append(f"{self.name}({a}, {k})"); return V("called")
    def __getitem__(self, i): LOG.append(f"{self.name}[{i}]"); return V("item")
    def __iter__(self): LOG.append(f"iter {self.name}"); return iter((V("i"), 2))
    def __bool__(self): LOG.append(f"bool {self.name}"); return len(self.name) % 2 == 1
    def __hash__(self): LOG.append(f"hash {self.name}"); return 1
    def __eq__(self, other): LOG.append(f"{self.name} == {other}"); return V("eq")
    def __lt__(self, other): LOG.append(f"{self.name} < {other}"); return V("lt")
    def __add__(self, other): LOG.append(f"{self.name} + {other}"); return V("add")
    def __radd__(self, other): LOG.append(f"{other} + {self.name}"); return V("radd")
    def __contains__(self, other): LOG.append(f"{other} in {self.name}"); return len(self.name) % 2 == 0
    def __format__(self, spec): LOG.append(f"format {self.name}"); return self.name
    def __index__(self): LOG.append(f"index {self.name}"); return 1
    def __enter__(self): LOG.append(f"enter {self.name}"); return self
    def __exit__(self, *e): LOG.append(f"exit {self.name}")
    def __setattr__(self, name, value):
        if name == "name": super().__setattr__(name, value)
        else: LOG.append(f"set {name}")
    def __delattr__(self, name): LOG.append(f"del {name}")
    def __setitem__(self, i, value): LOG.append(f"{self.name}[{i}] = {value}")
    def keys(self): LOG.append(f"keys {self.name}"); return ["k"]
def t(n, value=None):
    LOG.append(n)
    return V(str(n)) if value is None else value
'''
# `$`: an operand; `@`: a variable.
# Those that give a value which takes all operations, and the others.
VALUES = (
    *("$ + $", "$ < $", "$ < $ < $", "$ and $", "$ or $", "$ and $ or $", "$ if $ else $", "$ or $ and $", "(@ := $)"),
    *("$($, $)", "$($, *$, k=$)", "$(*$, $)", "$(k=$, **$)", "$.a", "$.a.b", "$.m($)", "$[$]", "$[$:$]", "$[$, $]"),
    *("(lambda @: $)($)", "(lambda @=$: $)()", "[$, $][0]", "($ or $).a", "$[$].a($)(k=$)", "$ == $"),
)
EXPRESSIONS = (
    *("[$, $]", "($, *$)", "{$: $, $: $}", "{$, $}", "{**$, $: $}", "[$ for @ in $]", "[$ for @ in $ if $]", "not $"),
    *("{$: $ for @ in $}", "list($ for @ in $ if $)", "{$ for @ in $}", "[[$ for y in $] for @ in $]", "{*$, $}"),
    *('f"""{$} x {$}"""', 'f"""{$:>{$}}"""', "t(0, 'a-b').find('a')", "t(0, 'a').join(t(0, ['b', 'c']))", "'-' in $"),
    *(
        "$ not in t(0, ['abc'])",
        "t(0, 'Ab').upper()",
        "t(0, 'x y').split()",
        "t(0, ' x').strip()",
        "-len([$])",
        "$ in $",
    ),
    *(
        "t(0, 'aba').replace('a', t(0, 'c'))",
        "t(0, 'abc')[::-1]",
        "t(0, 'aXb').rfind(t(0, 'X'))",
        "str($)",
        "'%s' % ($,)",
    ),
)
STATEMENTS = (
    *("@ = $", "x = @ = $", "$.a = $", "$[$] = $", "x, @ = $, $", "[@, *y] = $", "@: int = $", "x = $\nx += $"),
    *(
        "x = $\nx.a += $",
        "$",
        "$\n$",
        "assert $, $",
        "if $:\n    @ = $\nelse:\n    @ = $",
        "if $: x = $\nelif $: x = $",
    ),
    *("while $:\n    @ = $\n    break\nelse:\n    x = $", "for @ in $:\n    if $: continue\n    x = $\nelse: $"),
    *("with $ as @, $: x = $", "try:\n    x = $\nexcept t(0, TypeError): x = $\nelse: $\nfinally: y = $", "del $.a"),
    *(
        "match $:\n    case 1 if $: x = $\n    case @ if $: y = $\n    case _: $",
        "raise $ from $",
        "import math\nx = math.pi + $",
    ),
    *("for $.a in $: pass", "def g(y=$): return $\nx = g()", "@$.d\ndef g(): pass", "class C($.a or object): y = $"),
    *("if $: return $", "for @ in $:\n    if $: return $\n    x = $", "try:\n    if $: return $\nfinally: y = $"),
    "if type(x := $) is str: y = x.upper()\nelse: x = 'a'\n@ = x.find('a'), $",
)
SCOPES = (
    "def f(x):\n    y = z = x\n{body}\n    return x, y\n",
    "def f(x):\n    y = z = x\n    def g():\n        nonlocal x, y\n{inner}\n        return x, y\n    return g()\n",
    "x = y = z = t(0, 1)\ndef f(n):\n    global x, y\n    x = y = z = n\n{body}\n    return x, y\n",
    "class K:\n    def m(self, x):\n        y = z = x\n{inner}\n        return x, y\ndef f(x): return K().m(x)\n",
    "def f(x):\n    class K:\n        y = z = 1\n        x = 2\n{inner}\n    return K.x, K.y\n",
    "def f(x):\n    def g(x):\n        y = z = x\n{inner}\n        yield x, y\n    return list(g(x))\n",
    "async def g(x):\n    y = z = x\n{body}\n    return x, y\n"
    "def f(x):\n    try: g(x).send(None)\n    except StopIteration as e: return e.value\n",
    "x = y = z = t(0, 1)\n{top}\ndef f(n): return x, y\n",
    "def f(x):\n    y = z = x\n    try:\n{inner}\n    finally:\n        y = t(0)\n    return x, y\n",
    "def f(x):\n    y = z = x\n    for n in (1, 2):\n{inner}\n        if n > 1: break\n    return x, y\n",
    "def f(x):\n    y = z = x\n{body}\n    del y\n    return x\n",
    "from os.path import *\ndef f(x):\n    y = z = x\n{body}\n    return x, y, len(locals())\n",
    "x = y = z = t(0, 1)\ndef change():\n    global x, y\n    x, y = y, t(0, 'banana')\n    return x\n"
    "def f(n):\n    global x, y, z\n{body}\n    return x == y, change(), y.find('a'), x, change(), y.count('a')\n",
    "def f(x):\n    y = z = x\n{body}\n    return x, y\nif __name__ == '__main__':\n    x = y = z = t(0)\n{body}\n"
    "else:\n    x = y = z = t(0)\n{body}\n",
)


def expression(draw: random.Random, depth: int) -> str:
    if depth <= 0 or draw.random() < 0.15:
        return draw.choice(("t(0)",) * 12 + ("x", "x", "1", "'a'"))
    return "(" + filled(draw.choice(VALUES if draw.random() < 0.8 else EXPRESSIONS), draw, depth - 1) + ")"


def filled(form: str, draw: random.Random, depth: int) -> str:
    """The form with operands and variables in its holes."""
    for _ in range(form.count("$")):
        form = form.replace("$", expression(draw, depth), 1)
    return form.replace("@", draw.choice("xyz"))


def program(seed: int) -> str:
    """A module with an entry function `f`; operands are numbered in the order of the text."""
    draw = random.Random(seed)
    lines = "\n".join(filled(draw.choice(STATEMENTS), draw, 2) for _ in range(draw.randint(1, 3)))
    scope = draw.choice(SCOPES)
    text = scope.replace("{body}", indent(lines, " " * 4)).replace("{inner}", indent(lines, " " * 8))
    parts = text.replace("{top}", lines).split("t(0")
    return PRELUDE + parts[0] + "".join(f"t({number}{part}" for number, part in enumerate(parts[1:], 1))


def options(seed: int) -> dict[str, object]:
    """A recipe and options for it."""
    draw = random.Random(-seed - 1)
    recipe = draw.choice(("decompose", "decompose", "decompose", "expressions", "methods", "strings", "elements"))
    found: dict[str, object] = {"recipe": recipe}
    if recipe in ("decompose", "expressions"):
        values = {"threshold": draw.randint(1, 3), "depth": draw.randint(1, 3), "conditions": True}
        found |= {name: value for name, value in values.items() if draw.random() < 0.4}
        if draw.random() < 0.2:
            found["kinds"] = draw.sample(tuple(KINDS), draw.randint(1, len(KINDS)))
    if draw.random() < 0.3:
        found["release"] = True
    if draw.random() < 0.3:
        found["names"] = "readable"
    return found


def outcome(source: str) -> tuple[str, object]:
    """What the program gives or raises, and its log."""
    names: dict[str, object] = {"__name__": "program"}
    try:
        exec(compile(source, "<program>", "exec", dont_inherit=True), names)
        ended = repr(names["f"](names["t"](9)))  # type: ignore[operator]
    except RecursionError:
        ended = "RecursionError"
    except Exception as error:  # noqa: BLE001 - the error is the outcome
        ended = f"{type(error).__name__}: {error}"
    return ended, _asked_once(names.get("LOG"))


def _asked_once(log: object) -> object:
    """From 3.12 on CPython asks the value of `a and b` again in `(a and b) or c`; a rewrite does not."""
    if sys.version_info < (3, 12) or not isinstance(log, list):
        return log
    return [
        entry for entry, before in zip(log, [None, *log], strict=False) if entry != before or "bool" not in str(entry)
    ]


def difference(seed: int) -> str:
    """What is wrong with the rewrite of one program; "" if nothing is."""
    source, chosen = program(seed), options(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "<program>", "exec", dont_inherit=True)
        except SyntaxError:
            return ""  # a walrus where none may stand, a name bound twice
        after = rewrite_source(source, **chosen).source  # type: ignore[arg-type]
        wrong = ""
        if (old := outcome(source)) != (new := outcome(after)):
            wrong = f"before: {old}\nafter: {new}"
        elif rewrite_source(after, **chosen).source != after:  # type: ignore[arg-type]
            wrong = "a second rewrite changes it again"
    told = f"{source.removeprefix(PRELUDE)}\n--- after\n{after.removeprefix(PRELUDE)}"
    return f"seed {seed}, {chosen}: {wrong}\n{told}" if wrong else ""


def campaign(difference: Callable[[int], str], description: str | None) -> int:
    """Seed after seed for some time; prints what differs. 1 if something does."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="for how long (default: 60; 0: once)")
    parser.add_argument("--seed", type=int, metavar="N", help="the first seed (default: a fresh one)")
    arguments = parser.parse_args()
    seed = random.SystemRandom().randrange(10**9) if arguments.seed is None else arguments.seed
    print(f"from seed {seed} on")  # noqa: T201
    began, done, wrong = time.monotonic(), 0, 0
    while not done or time.monotonic() - began < arguments.seconds:
        told = difference(seed + done)
        done += 1
        if told:
            wrong += 1
            print(told)  # noqa: T201
    print(f"{done} programs, {wrong} differ")  # noqa: T201
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(campaign(difference, __doc__))
