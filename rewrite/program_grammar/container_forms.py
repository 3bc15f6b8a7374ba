"""Forms of lists, dictionaries and sets: items, slices, displays, iterables and comprehensions.

An iterable is never a variable where types are known: a loop over a list that the loop body extends would not end.
"""

from __future__ import annotations

from rewrite.program_grammar.form import GrammarForm, forms

CLAUSES = (
    *("for x in {iterable}", "for i in {iterable} if {bool}", "for i in {iterable closed} for j in {iterable closed}"),
    "for i in {iterable closed} if {bool} for j in {iterable closed} if {bool}",
)
SHAPES = {
    "list": ("[%s]",),
    "typed iterable": ("[%s]", "(%s)"),
    "typed any": ("{{ %s }}", "{{%s}}", "(%s)", "tuple(%s)", "{{str({int}): 1 %s}}", "{{1: %s}}", "set(%s)"),
}

FORMS: list[GrammarForm] = [
    *forms("leaf", "typed iterable", "it(§, «2|0|1|3»)", "range(t(§, «3|0|1|2»))"),
    *forms("subscript", "int, any", "{list}[{int}]", "{list}[t(§, «0|-1|1»)]", "{list}[«0|-1»]"),
    *forms("subscript", "int", "{dict}[{str closed}]", "{dict}['«a|k»']"),
    *forms("slice", "str, list", "{=}[«1:|:-1|:|::2|::-1»]", "{=}[«1:|:-1|:|::2|::-1»]", "{=}[:{int}]"),
    *forms("slice", "typed str", "{str}[{int}:{int}]", "{str}[{int}:]"),
    *forms("slice", "typed list", "{list}[{int}:{int}]", "{list}[{int}:]", "{list}[{int}:t(§, 2)]"),
    *forms("slice", "any", "{list}[:{int}:t(§, -1)]", "{list}[::t(§, -1)]"),
    *forms("slice", "typed iterable", "{list}[:]"),
    *forms("display", "typed list", "[]", "[{int}]", "[{int}, {int}, {int}]"),
    *forms("display", "list", "[{int}, {int}]"),
    *forms("display", "any", "({int}, {int})", "{{ {int}, {int} }}", "{{ {int} }}", "({int}, {any closed})", "({int},)"),
    *forms("display", "typed dict", "{{}}", "{{ {str closed}: {int} }}", "{{ {str closed}: {int}, {str closed}: {int} }}"),
    *forms("display", "dict", "{{'k': {int}, 'm': {int}}}"),
    *forms("display", "typed iterable", "[{int}, {int}]", "({int}, {int})", "{list closed}"),
    *forms("unpacking", "list", "[*{iterable}]", "[*{iterable}, {int}]", "[{int}, *{iterable closed}]"),
    *forms("unpacking", "any", "(*{iterable}, {int})", "{{ {int}, *{iterable} }}", "[{int}, *{iterable}, {int}]"),
    *forms("unpacking", "dict", "{{ {str closed}: {int}, **{dict closed} }}", "{{ **{dict}, {str closed}: {int} }}"),
    *forms("comprehension", "list, typed iterable", "[x for x in {iterable}]", "[x for x in {iterable} if x]"),
    *forms("comprehension", "list, typed iterable", "[t(§, x) for x in {iterable}]", "[x for x in {iterable} if x != {int}]"),
    *forms("comprehension", "list", "[next(it(§, x)) for x in {iterable}]"),
    *forms("comprehension", "list", "[x for x in {iterable} if next(iter(range(x))) < 9]", "[next(iter({iterable})) for x in {iterable}]"),
    *forms("comprehension", "any", "{{x for x in {iterable}}}", "{{x: {int} for x in {iterable}}}", "set(x for x in {iterable})"),
    *forms("comprehension", "any", "list(x for x in {iterable} if x)"),
    *forms("comprehension", "any", "[[x, y] for x in {iterable} for y in {iterable}]", "set([t(§, x)] for x in {iterable})"),
    *forms("comprehension", "any", "{{next(it(§, x)) for x in {iterable}}}", "max((x, t(§, x)) for x in {iterable})"),
    *(
        one
        for kind, shapes in SHAPES.items()
        for shape in shapes
        for clause in CLAUSES
        for one in forms("comprehension", kind, shape % (clause if "int" in shape else "{int} " + clause))
    ),
    *forms("call", "list", "«list|sorted»({iterable})", "[*map(str, {iterable})]"),
    *forms("list method", "int", "{list}.pop(t(§, «0|-1|1»))", "{list}.pop(«|0»)", "{list}.«index|count»({int})"),
    *forms("list method", "list", "{list}.copy()"),
    *forms("list method", "any", "{list}.append({int})", "{list}.extend({iterable closed})", "{list}.sort()"),
    *forms("list method", "any", "{list}.insert(0, {int})"),
    *forms("dict method", "int", "{dict}.get('k', {int})", "{dict}.setdefault('z', {int})", "{dict}.pop('k', {int})"),
    *forms("dict method", "any", "{dict}.get('«a|k»')", "{dict}.update(z=1)", "list({dict}.values())", "sorted({dict}.keys())"),
    *forms("dict method", "any", "list({dict}.items())"),
    *forms("dict method", "mixed", "{dict}.setdefault({any}, []).append({any})", "{dict}.setdefault('k', {{}}).append(0)"),
]  # fmt: skip
