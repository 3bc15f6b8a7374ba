"""Forms that call builtin functions."""

from __future__ import annotations

from rewrite.program_grammar.form import GrammarForm, forms

FORMS: list[GrammarForm] = [
    *forms("max", "int", "max({int}, {int})", "max({iterable})", "max({iterable}, default=0)", "max({int}, {int}, {int})"),
    *forms("max", "int", "max([{int}, {int}], key=note)"),
    *forms("min", "int", "min({int}, {int})", "min({iterable})", "min([{int}, {int}], key=str)", "min({int}, {int}, {int})"),
    *forms("min", "any", "min({iterable}, default=None)"),
    *forms("sum", "int", "sum({iterable})", "sum({iterable}, 1)", "sum([{int}, {int}])", "sum(x for x in {iterable})"),
    *forms("sum", "int", "sum([x for x in {iterable} if x])", "sum(next(it(§, x)) for x in {iterable})"),
    *forms("sorted", "list", "sorted({iterable})", "sorted({iterable}, reverse=True)", "sorted({iterable}, key=«str|len»)"),
    *forms("sorted", "list", "sorted([{int}, {int}], key=note, reverse=True)", "sorted({iterable}, key=lambda x: -x)"),
    *forms("sorted", "int", "sorted({iterable})[«0|-1»]"),
    *forms("zip", "list", "[x for x, y in zip({iterable}, {iterable})]"),
    *forms("zip", "any", "list(zip({iterable}, {iterable}))", "dict(zip({iterable}, {iterable}))"),
    *forms("enumerate", "list", "[i for i, x in enumerate({iterable}) if x]"),
    *forms("enumerate", "any", "list(enumerate({iterable}))", "list(enumerate({iterable}, 1))"),
    *(
        one
        for name in ("any", "all")
        for one in forms(
            *(name, "bool", f"{name}({{iterable}})", f"{name}(x for x in {{iterable}})"),
            *(f"{name}(t(§, x) for x in {{iterable}})", f"{name}([t(§, x) for x in {{iterable}}])"),
            *(f"{name}(x == {{int}} for x in {{iterable}})", f"{name}(next(it(§, x)) for x in {{iterable}})"),
        )
    ),
    *forms("len", "int", "len({str})", "len({list})", "len({dict})", "len({list}) - 1"),
    *forms("len", "bool", "len({list}) «==|>» 0"),
    *forms("bool", "bool", "bool({any})"),
    *forms("bool", "any", "bool({any}) + 1", "[bool({any}), {int}]"),
    *forms("abs", "int", "abs({int})", "round({int}, 1)", "pow({int constant}, 2)"),
    *forms("abs", "any", "divmod({int}, 2)"),
    *forms("conversion", "any", "«int|float|bool|set»({value})", "«float|tuple|dict|list»({value})", "«list|tuple|set»({iterable})"),
    *forms("conversion", "int", "int({str})", "int({bool})"),
    *forms("conversion", "mixed", "str({value})", "repr({value})"),
    *forms("range", "mixed", "range({count})", "list(range({count}))", "list(range(1, {count}))", "[*range(3, {count}, -1)]"),
    *forms("map", "list", "list(map(«str|note», {iterable}))", "list(filter(«None|note», {iterable}))"),
    *forms("map", "list", "list(map(lambda x: x * 2, {iterable closed}))"),
    *forms("reversed", "list", "list(reversed({list}))", "{list}[::-1]"),
    *forms("isinstance", "bool", "isinstance({any}, «int|(str, list)»)", "type({any}) «is|==» «int|list»", "callable({any})"),
    *forms("next", "int", "next(iter({iterable}))", "next(it(§, 2))"),
    *forms("next", "any", "next(iter({iterable}), None)", "next((x for x in {iterable} if x), None)"),
]  # fmt: skip
