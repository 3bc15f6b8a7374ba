"""Productions for imports, and for `type` statements and type parameters (Python 3.12)."""

from __future__ import annotations

import sys

from hypothesis import strategies as st

from rewrite.program_grammar.productions import GrammarScope
from rewrite.program_grammar.statements import statement_form, target, value

IMPORTS = [
    ("from operator import add as plus, sub", "plus({0}, sub({1}, 1))"),
    ("import math", "math.gcd({0}, {1})"),
    ("import itertools as tools, operator", "operator.mul(len([*tools.chain(it(§, 2), it(§, 1))]), {0})"),
    ("from collections import Counter", "Counter(t(§, 'abca'))['a'] + {0}"),
    ("import os.path", "len(os.path.join(t(§, 'a'), str({0})))"),
    ("from functools import partial, reduce", "reduce(partial(h, {0}), it(§, 3), {1})"),
]


@statement_form("import")
def imported(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    line, use = draw(st.sampled_from(IMPORTS))
    return [line, f"{draw(target(scope))} = {use.format(value(draw, 'int', scope), value(draw, 'int', scope))}"]


GENERIC = [
    ["type Alias = t(§, list)", "t(§, Alias.__value__), Alias.__value__"],
    ["type Pair[T] = tuple[t(§, T), t(§, int)]", "Pair.__name__, Pair.__value__"],
    ["def first[T: t(§, int)](x: t(§, 'T'), *rest: T) -> t(§, 'T'):", "    return t(§, x)", "first({0}, {1})"],
    ["class Box[T]:", "    x: T = {0}", "    def get(self) -> T: return t(§, self.x)", "Box[t(§, int)]().get()"],
]

if sys.version_info >= (3, 12):

    @statement_form("type parameters")
    def generic(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
        """Type aliases and type parameters.

        The value of an alias and the bound of a parameter are evaluated lazily, each in its own scope, which does not
        allow an assignment expression. Annotations are evaluated at once.
        """
        closed = GrammarScope(scope.features, 0, walrus=False)
        values = value(draw, "int", closed.closed("int", "str", "list", "dict")), value(draw, "int", scope)
        return [line.format(*values) for line in draw(st.sampled_from(GENERIC))]
