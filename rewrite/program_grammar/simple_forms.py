"""Forms of simple statements, of their targets, and of branches, `with` and `match`."""

from __future__ import annotations

from rewrite.program_grammar.form import GrammarForm, forms

PATTERNS = (
    *("0", "1 | 2", "-1 | 2.5", "'a' | b'x'", "1 + 2j", "None", "True | False"),
    *("[a, *p]", "[a, b]", "(0, _)", "[a, [b, *_]]", "[*_, a]", "[]", "(1 | 2) as a, *_"),
    *("{{'a': a, **d}}", "{{'a': int(a), 'b': b}}", "{{}}"),
    *("str(u)", "bool() as a", "int(a)", "list(p)", "str() | bytes()", "o.x"),
    *("Point(a, y=b)", "Point(x=0)", "Point(Point(a, _), _)", "Point() as z", "Point(0 | 1, b)"),
)
FORMS: list[GrammarForm] = [
    *forms("target", "target", "{int!}", "{int!}", "{list!}[t(§, «0|-1|1»)]", "{dict!}['«a|k»']"),
    *forms("target", "typed target", "o.x", "t(§, o).x", "o[{int}]", "{dict!}[{str closed}]", "t(§, {list!})[{int}]", "o[t(§, 0)]"),
    *forms("target", "mixed target", "{list!}[«1:|:1»]", "c[«0|-1|t(§, 0)»]", "c['k']"),
    *forms("expression", "statement", "{int}", "{any}"),
    *forms("print", "statement", "print({int}, {str})"),
    *forms("print", "mixed statement", "print({any}, {any})"),
    *forms("assign", "statement", "{int!} = {int}"),
    *forms("assign", "typed statement", "{str!} = {str}", "{list!} = {list}", "z: t(§, int) = {int}", "o.x: t(§, int) = {int}"),
    *forms("assign", "typed statement", "«z|o.x»: t(§, int) = {int}", "{target} = «|{target} = »{int}"),
    *forms("assign", "typed statement", "{target}, {target} = {int}, {int}", "{target}, *{list!} = {list closed}"),
    *forms("assign", "typed statement", "{target}, {target} = {target} = {int}, {int}", "{list!}[{int}:] = {list closed}"),
    *forms("assign", "typed statement", "{list!}[{int}:{int}] = {list closed}", "{list!}[:«|0|-1»] = {list closed}"),
    *forms("annotated", "mixed statement", """
        local: int = {any}
        a = local
    """),
    *forms("item assignment", "mixed statement", "{target} = {any}", "{target} = {any}", "{list!}[:1] = {list}"),
    *forms("several targets", "statement", "a, b = b, a"),
    *forms("several targets", "mixed statement", "a, b = b, t(§, {any})", "a, b = {any}, {any}", "a, *b = {any}", "(a, b), c = ({any}, {any}), a", "[a, b] = {any}"),
    *forms("several targets", "mixed statement", "c[0], c[1] = c[1], c[0]", "a = c[0] = {any}", "a = b = {any}"),
    *forms("augmented", "typed statement", "{list!} += {list closed}", "{str!} += {str closed}", "{target} «+=|-=» {int}"),
    *forms("augmented", "typed statement", "{target} «//=|%=|&=» {int}", "{target} |= {int}", "{target} *= {int constant}"),
    *forms("augmented", "mixed statement", "{int!} «+=|-=|*=|//=|%=|&=» {any}", "{int!} «+=|-=|*=» {any}", "{int!} |= {any}"),
    *forms("augmented", "mixed statement", "{target} «+=|-=» «1|[1]|t(§, 1)|2»", "«a|b|c» «+=|-=» «1|[1]|t(§, 1)|2»"),
    *forms("augmented", "mixed statement", "{target} «+=|-=|*=|//=» {any}"),
    *forms("delete", "typed statement", "del {target}", "del {target}, {target}", """
        z = {any}
        del (z,)
    """),
    *forms("delete", "mixed statement", "del {int!}", "del c[«0|'k'|1:»]", "del {list!}[«0|-1|{int}»]", "del c[t(§, 0)], b"),
    *forms("assert", "statement", "assert {bool}", "assert {bool}, {str}"),
    *forms("raise", "typed statement", "raise ValueError({int})«| from None| from t(§, KeyError(1))»", "raise ValueError"),
    *forms("raise", "typed statement", "raise ValueError({int}, *{iterable})"),
    *forms("raise", "mixed statement", """
        if {bool}:
            raise «ValueError(a)|ValueError('v')|KeyError('k') from None|TypeError»
    """),
    *forms("jump", "statement", "«break|continue»", "if {bool}: «break|continue»"),
    *forms("jump", "mixed statement", """
        for x in «list(c)|[0, 1, 2]|'aba'|(a, 1)»:
            if «x == a|x|x != b|t(§, x)|{bool}»:
                «break|continue»
            {suite}
            b = t(§, x)
    """),
    *forms("star", "typed statement", "a, *p = {int}, *{iterable}", "p[0:0] = *{iterable}, {int}", "o[{int}, *{iterable}]"),
    *forms("star", "typed statement", "*p, a = {int}, *{iterable}"),
    *forms("one-line suite", "typed statement", "if {bool}: {simple}", "if {bool}: {simple}; {simple}", "{simple}; {simple}"),
    *forms("alias", "mixed statement", """
        {v=int!} = «[1, 2]|[]|list(t(§, 'ab'))|Item(1)|dict(k=1)|set('a')»
        {w=int!} = {v}
        {v}« += [3]| += b|.append(0)| *= 2|[0] = 9»
    """),
    *forms("global", "mixed statement", "shared.append({any})", "shared.extend([a])", "a = «shared|len(shared)»"),
    *forms("pass", "statement", "pass", """
        if {bool}:
            pass
        else:
            {suite}
    """),
    *forms("if", "statement", """
        if {bool}:
            {suite}
        {else}
    """, """
        if {bool}:
            {suite}
        elif {bool}:
            {suite}
        {else}
    """),
    *forms("nested if", "statement", """
        if {bool}:
            if {bool}:
                {suite}
        {else}
    """),
    *forms("flag", "statement", """
        if {bool}:
            {v=int!} = True
        else:
            {v} = False
    """, """
        if {bool}:
            {v=int!} = «False|1|{int}»
        else:
            {v} = «True|0»
    """),
    *forms("flag", "mixed statement", """
        if {bool}:
            return «True|False|1»
        return «False|True|0»
    """),
    *forms("object in a condition", "mixed statement", """
        {v=int!} = «Item(0)|Item(1)|Item(-1)|[Item(1), Item(0)]»
        if «{v}|not {v}|{v} == 1|{v} and a|{v} or b|1 < {v}|{v} != 0|{v} in [1]|len({v})»:
            {suite}
        {else}
    """),
    # The first manager is entered before the second one is created; one of them may suppress exceptions.
    *forms("with", "statement", """
        with «cm(§)|cm(§, True)|cm(§) as z|cm(§), cm(§, True)»:
            {suite}
            «|fail(§)»
    """),
    *forms("with", "typed statement", """
        with «cm(§, {bool}) as {target}|cm(§, {bool}) as {target}, cm(§)|(cm(§), cm(§, {bool}) as {target})»:
            {suite}
            «|fail({int})»
    """),
    *forms("pattern", "pattern", *PATTERNS),
    *forms("subject", "subject", "{any}", "{any}", "Point({int}, {int})", "Point(Point({int}, 0), {int})", "{int}, {int}"),
    *forms("subject", "subject", "[{int}, [{int}, *it(§, 2)]]", "*it(§, 2), {int}", "{{'a': {int}, 'b': {int}}}"),
    *forms("subject", "subject", "{{'a': {int}, **{dict}}}"),
    # The subject is evaluated once, then patterns and guards in order; names bound by a failed pattern stay bound.
    *forms("match", "typed statement", """
        match {subject}:
            case {pattern}«| if {bool}»:
                {suite}
    """, """
        match {subject}:
            case {pattern} if {bool}:
                {suite}
            case {pattern}:
                {suite}
            case «_|{pattern} if {bool}»:
                {suite}
    """),
    *forms("match", "mixed statement", """
        match {any}:
            case [x, *rest]:
                a = x, rest
            case {{'k': v}}:
                a = v
            case int() | float() as number if number:
                b = number
            case _:
                {suite}
    """),
]  # fmt: skip
