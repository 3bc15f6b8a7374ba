"""Rewrites some of the training programs, so that `pocket` has seen rewritten programs.

Four forms are recipes of `rewrite`. The fifth is an intervention of the paper: it adds a list of the characters of a
string and leaves the program unchanged otherwise.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from corpora.program import Case

# The fraction of training programs that are rewritten.
SHARE = 0.2
RECIPES = ("decompose", "decompose", "expressions", "strings", "methods")
# The last function `f`, if its first argument is a string.
_TEXT_FUNCTION = re.compile(r"^def f\((\w+).*\):\n", re.MULTILINE)


def other_form(case: Case, rng: Random) -> Case:
    """The program rewritten by one of RECIPES or `with_characters_shown`; itself if nothing applies."""
    if case.call.startswith(("f('", 'f("')) and rng.random() < 0.3:
        return replace(case, source=with_characters_shown(case.source))
    from rewrite import rewrite_source  # takes a quarter of a second, which only training needs

    return replace(case, source=rewrite_source(case.source, rng.choice(RECIPES)).source)


def with_characters_shown(source: str) -> str:
    """Adds a first line to `f` that stores the characters of its first argument as a list.

    >>> print(with_characters_shown("def f(s):\\n    return s.upper()"))
    def f(s):
        s_chars = list(s)
        return s.upper()
    """
    return _TEXT_FUNCTION.sub(lambda head: f"{head[0]}    {head[1]}_chars = list({head[1]})\n", source)
