"""Forms with operators, lambdas, calls and attributes.

If two operands could both contain the same variable, which would double its size, all but one are closed.
"""

from __future__ import annotations

from rewrite.program_grammar.form import GrammarForm, forms

FORMS: list[GrammarForm] = [
    *forms("binary", "int", "{int} + {int}", "{int} - {int}", "{int} // {int}", "{int} % {int}", "{int} * {int constant}"),
    *forms("binary", "int", "t(§, «2|1|5») ** t(§, «0|1|2|3»)"),
    *forms("binary", "typed int", "t(§, «3|0») ** t(§, «2|1»)", "{int} << t(§, «0|-1|1»)", "{int} «%|<<» t(§, «3|1|0»)"),
    *forms("binary", "str, list", "{=} + {= closed}"),
    *forms("binary", "str", "{str closed} * t(§, «0|-1|1»)"),
    *forms("binary", "list", "[{int}] * 2"),
    *forms("binary", "mixed", "{int} * «2|{int}»", "{int} + 1", "{int} / {int}", "2 ** {int}", "{int} % {int}"),
    *forms("bitwise", "int", "{int} & {int}", "{int} | {int}", "{int} ^ {int}", "{int} << t(§, «0|-1|1»)", "~{int}"),
    *forms("unary", "int", "«-|+|~»{int}"),
    *forms("boolean", "int, bool, any", "{bool} and {bool}", "{int} or {int}", "{bool} and {int} and {int}"),
    *forms("boolean", "int, bool, any", "{int} or {bool} or {int}", "{int} and {bool} or {int}"),
    *forms("boolean", "bool", "not {any}", "not ({bool} and {bool})", "not ({bool} or {bool})"),
    *forms("comparison", "bool", "{int} < {int}", "{int} «<=|>|>=|==|!=» {int}", "{int} < {int} < {int}", "{int} «==|>=|<=|>» «0|1»"),
    *forms("comparison", "bool", "{int} «<|<=|>|==» {int}", "not {int} «==|<» {int}"),
    *forms("comparison", "typed bool", "{int} «<|>» {int} <= {int} «!=|<» {int}", "{int} «>=|!=» {int} «<|==» {int}"),
    *forms("comparison", "mixed", "{any} is None", "{any} is not {any}", "{any} «==|!=» {any}"),
    *forms("membership", "bool", "{int} «in|not in» {list}", "{int} not in {list}", "{int} «in|not in» ({int}, {int})"),
    *forms("membership", "bool", "not {int} in [{int}, {int}]"),
    *forms("identity", "mixed", "{any} is {any}", "not {any} is {any}", "id({any}) == id({any})", "{any} is True"),
    *forms("identity", "mixed", "{any} == «None|True»"),
    *forms("conditional", "int, str, list, any", "{=} if {bool} else {=}", "{=} if {int} < {int} else {=}"),
    *forms("conditional", "int, str, list, any", "{=} if not {bool} else {=}"),
    *forms("walrus", "int", "({int!} := {int})"),
    *forms("walrus", "mixed", "(w := {any})", "[w := {any}, w]", "((w := {any}) and w)"),
    *forms("raise", "int", "fail(§)", "fail(§)", "stop(§)"),
    *forms("raise", "mixed", "fail({any})", "[{any}, fail({any})]", "t(§, {any}) + fail({any})"),
    *forms("call", "int", "n", "bump(§)", "h({arguments})", "h({arguments})"),
    *forms("call", "any", "t(§, {any})", "t(§, t(§, {any}))"),
    *forms("call", "mixed", "print({any})", "print({any}, {any}, sep='-')"),
    *forms("attribute", "int", "«o|t(§, o)».x", "«o|t(§, o)».m({arguments})"),
    *forms("attribute", "bool", "o + {int}", "o < {int} < 9", "{int} in o", "o[{int}]", "o @ {int}", "-o", "o({int})"),
    *forms("attribute", "bool", "o[{int}:, t(§, 1)]", "«o|t(§, o)» «is|is not» «o|t(§, None)»", "o is t(§, o) is not o"),
    *forms("object", "mixed", "Item({any})", "Item(«0|1»)", "Item(1) + {any}", "Item(1) == {any}", "Item(2) < Item(1)"),
    *forms("object", "mixed", "[Item(0), Item(1)]"),
    *forms("lambda", "int", "(lambda a, b={int}: {int})({int})", "(lambda x: x + {int})({int})"),
    # Only calls that match: the error for a wrong call contains `<lambda>`, which a rewrite to a function changes.
    *forms("lambda", "int", "(lambda *a, b={int}, **k: len(a) + len(k) + {int})({int}, *{iterable}, c={int})"),
    *forms("lambda", "int", "(lambda *a, b={int}, **k: len(a) + len(k) + {int})(*{iterable}, **{{'d': {int}}})"),
    *forms("lambda", "int", "(lambda *a, b={int}, **k: len(a) + len(k) + {int})(b={int}, c={int})"),
    *forms("lambda", "any", "(lambda: {any})()", "(lambda x={any}: x)()"),
    *forms("yield", "int, any", "(yield {int})", "(yield {any})", "(yield from {iterable})"),
    *forms("await", "int, any", "await aw(§, {int})"),
]  # fmt: skip
