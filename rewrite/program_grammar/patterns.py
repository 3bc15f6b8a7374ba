"""Productions for `match`: every kind of pattern, with subjects that sometimes match."""

from __future__ import annotations

from hypothesis import strategies as st

from rewrite.program_grammar.productions import GrammarScope, indent
from rewrite.program_grammar.statements import statement_form, suite, value

PATTERNS = [
    *("0", "1 | 2", "-1 | 2.5", "'a' | b'x'", "1 + 2j", "None", "True | False"),
    *("[a, *p]", "[a, b]", "(0, _)", "[a, [b, *_]]", "[*_, a]", "[]", "(1 | 2) as a, *_"),
    *("{'a': a, **d}", "{'a': int(a), 'b': b}", "{}"),
    *("str(u)", "bool() as a", "int(a)", "list(p)", "str() | bytes()", "o.x"),
    *("Point(a, y=b)", "Point(x=0)", "Point(Point(a, _), _)", "Point() as z", "Point(0 | 1, b)"),
]
SUBJECTS = ["Point({0}, {1})", "Point(Point({0}, 0), {1})", "{0}, {1}", "[{0}, [{1}, *it(§, 2)]]", "*it(§, 2), {0}"]
DICTIONARIES = ["{{'a': {0}, 'b': {1}}}", "{{'a': {0}, **d}}"]


@statement_form("match")
def match_statement(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """The subject is evaluated once, then patterns and guards in order; names bound by a failed pattern stay bound."""
    if draw(st.booleans()):
        subject = value(draw, "any", scope)
    else:
        template = draw(st.sampled_from(SUBJECTS + DICTIONARIES))
        subject = template.format(value(draw, "int", scope), value(draw, "int", scope))
    lines = [f"match {subject}:"]
    for pattern in draw(st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=3)):
        guard = f" if {value(draw, 'bool', scope)}" if draw(st.booleans()) else ""
        lines += indent([f"case {pattern}{guard}:", *draw(suite(scope.deeper()))])
    return [*lines, "    case _:", *indent(draw(suite(scope.deeper())))] if draw(st.booleans()) else lines
