"""The forms that rewriting gives to programs, so that a rewritten program is no surprise to `pocket`.

Four forms are `rewrite`'s own recipes, as `spellout run` asks them; the fifth shows a text as the list of its
characters, an intervention of the paper that keeps the program as it is otherwise.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from corpora.program import Case
from rewrite import rewrite_source

# The share of programs for training that are asked in another form.
SHARE = 0.2
RECIPES = ("decompose", "decompose", "expressions", "strings", "methods")
# The last function `f`, whose first argument is a text.
_TEXT_FUNCTION = re.compile(r"^def f\((\w+).*\):\n", re.MULTILINE)


def other_form(case: Case, rng: Random) -> Case:
    """The program rewritten by one of RECIPES, or with its text's characters shown; itself where nothing applies."""
    if case.call.startswith(("f('", 'f("')) and rng.random() < 0.3:
        return replace(case, source=with_characters_shown(case.source))
    return replace(case, source=rewrite_source(case.source, rng.choice(RECIPES)).source)


def with_characters_shown(source: str) -> str:
    """`f` with one more line at its beginning, which puts the list of its first argument's characters into the state.

    >>> print(with_characters_shown("def f(s):\\n    return s.upper()"))
    def f(s):
        s_chars = list(s)
        return s.upper()
    """
    return _TEXT_FUNCTION.sub(lambda head: f"{head[0]}    {head[1]}_chars = list({head[1]})\n", source)
