"""Forms of expressions. Each returns an atom, a call, or an expression in parentheses."""

from __future__ import annotations

from rewrite.program_grammar.small.generator import EXPRESSIONS, Generator, expression_form

LITERALS = ("0", "1", "2", "-1", "1.5", "True", "None", "''", "'a'", "'b,a'", "[]", "[1]", "[2, 1]", "()", "{'k': 1}")
# Builtins and methods, by feature: alternatives with operands in place of {}.
TEMPLATES: dict[str, tuple[str, ...]] = {
    "arithmetic": ("({} + {})", "({} - {})", "({} * 2)", "({} // {})", "({} % {})", "({} / {})", "(2 ** {})", "({} + 1)"),
    "bitwise": ("({} & {})", "({} | {})", "({} ^ {})", "(~{})", "({} << 1)"),
    "unary": ("(-{})", "(not {})", "(+{})"),
    "boolean": ("({} and {})", "({} or {})", "({} and {} or {})", "(not ({} and {}))", "(not ({} or {}))"),
    "comparison": (
        "({} < {})", "({} <= {})", "({} > {})", "({} >= {})", "({} == {})", "({} != {})", "({} < {} < {})",
        "({} == 0)", "(len({}) > 0)", "({} is None)", "({} is not {})", "(not {} == {})", "(not {} < {})",
    ),
    "membership": ("({} in {})", "({} not in {})", "(not {} in {})", "({} in ({}, {}))", "({} in [{}, {}])"),
    "conditional": ("({} if {} else {})", "({} if {} < {} else {})", "({} if not {} else {})"),
    "max": ("max({}, {})", "max({})", "max({}, default=0)", "max([{}, {}], key=note)", "max({}, {}, {})"),
    "min": ("min({}, {})", "min({})", "min({}, default=None)", "min([{}, {}], key=str)", "min({}, {}, {})"),
    "sum": ("sum({})", "sum({}, 1)", "sum([{}, {}])", "sum(x for x in {})", "sum([x for x in {} if x])",
            "sum(next(numbers(x)) for x in {})"),
    "sorted": ("sorted({})", "sorted({}, reverse=True)", "sorted({}, key=str)", "sorted({})[0]", "sorted({})[-1]",
               "sorted({}, key=len)", "sorted([{}, {}], key=note, reverse=True)"),
    "zip": ("list(zip({}, {}))", "[x for x, y in zip({}, {})]", "dict(zip({}, {}))"),
    "enumerate": ("list(enumerate({}))", "[i for i, x in enumerate({}) if x]", "list(enumerate({}, 1))"),
    "any": ("any({})", "any(x for x in {})", "any(note(x) for x in {})", "any([note(x) for x in {}])", "any(x == {} for x in {})",
            "any(next(numbers(x)) for x in {})"),
    "all": ("all({})", "all(x for x in {})", "all(note(x) for x in {})", "all([note(x) for x in {}])"),
    "len": ("len({})", "(len({}) == 0)", "(len({}) - 1)"),
    "bool": ("bool({})", "(bool({}) + 1)", "[bool({}), {}]"),
    "abs": ("abs({})", "round({}, 1)", "divmod({}, 2)", "pow({}, 2)"),
    "conversion": ("int({})", "str({})", "list({})", "tuple({})", "set({})", "float({})", "dict({})", "repr({})", "bool({})"),
    "range": ("range({})", "list(range({}))", "list(range(1, {}))", "[*range(3, {}, -1)]"),
    "map": ("list(map(str, {}))", "list(map(note, {}))", "list(filter(None, {}))", "list(filter(note, {}))",
            "list(map(lambda x: x * 2, {}))"),
    "reversed": ("list(reversed({}))", "{}[::-1]"),
    "isinstance": ("isinstance({}, int)", "isinstance({}, (str, list))", "(type({}) is int)", "(type({}) == list)", "callable({})"),
    "next": ("next(iter({}))", "next(iter({}), None)", "next(numbers(2))", "next((x for x in {} if x), None)"),
    "subscript": ("{}[0]", "{}[-1]", "{}['k']", "{}[{}]"),
    "slice": ("{}[1:]", "{}[:-1]", "{}[:]", "{}[::2]", "{}[:{}]"),
    "list method": ("{}.index({})", "{}.count({})", "{}.pop()", "{}.copy()", "{}.append({})", "{}.pop(0)", "{}.extend({})",
                    "{}.sort()", "{}.insert(0, {})"),
    "dict method": ("{}.get('k')", "{}.get('z', 0)", "list({}.items())", "{}.setdefault('z', {})", "sorted({}.keys())",
                    "{}.setdefault({}, []).append({})", "{}.setdefault('k', {}).append(0)",
                    "{}.pop('k', {})", "list({}.values())", "{}.update(z=1)"),
    "string method": ("{}.upper()", "{}.split(',')", "{}.join({})", "{}.strip()", "{}.replace('a', 'b')", "{}.startswith('a')",
                      "{}.find('a')", "','.join({})", "{}.split()", "{}.isdigit()", "{}.count('a')", "{}.lower()"),
    "f-string": ("f'{{{}}}'", "f'{{{}!r}}-{{{}}}'", "f'{{{}:>3}}'", "('%s' % ({},))", "('{{}}'.format({}))"),
    "display": ("[{}, {}]", "({}, {})", "{{'k': {}, 'm': {}}}", "{{{}, {}}}", "[*{}, {}]", "[{}] * 2", "[{}, *{}]"),
    "list comprehension": ("[x for x in {}]", "[x for x in {} if x]", "[x + {} for x in {}]", "[note(x) for x in {}]",
                           "[[x, y] for x in {} for y in {}]", "[x for x in {} if x != {}]",
                           "[next(numbers(x)) for x in {}]", "[x for x in {} if next(iter(range(x))) < 9]"),
    "other comprehension": ("{{x for x in {}}}", "{{x: {} for x in {}}}", "list(x for x in {} if x)", "set(x for x in {})",
                            "{{next(numbers(x)) for x in {}}}", "max((x, note(x)) for x in {})", "set([note(x)] for x in {})"),
    "lambda": ("(lambda x: x + {})({})", "(lambda: {})()", "(lambda x={}: x)()", "sorted({}, key=lambda x: -x)"),
    "walrus": ("(w := {})", "[w := {}, w]", "((w := {}) and w)"),
    "call": ("note({})", "note(note({}))", "print({})", "print({}, {}, sep='-')"),
    "raising call": ("fail({})", "[{}, fail({})]", "note({}) + fail({})"),
    "object": ("Item({})", "Item(0)", "Item(1)", "(Item(1) + {})", "(Item(1) == {})", "(Item(2) < Item(1))", "[Item(0), Item(1)]"),
    "identity": ("({} is {})", "(not {} is {})", "(id({}) == id({}))", "({} is True)", "({} == None)", "({} == True)"),
}  # fmt: skip

_SEQUENCES = ("c", "c", "c", "note(c)", "[3, 1, 2]", "[b, a]", "'abca'", "(a, b)", "[]", "[0, 1]")
_STRING_VALUES = ("'b,a'", "'aba'", "str(a)", "str(c)", "''", "c", "' a b '")
RECEIVERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("sum", "sorted", "zip", "enumerate", "any", "all", "len", "map", "reversed", "next"), _SEQUENCES),
    **dict.fromkeys(("subscript", "slice", "list comprehension", "other comprehension", "max", "min"), _SEQUENCES),
    "list method": ("c", "c", "[3, 1]", "list(c)", "b"),
    **dict.fromkeys(("f-string", "conversion"), ("Item(1)", "Item(0)", "a", "note(b)", "c")),
    "dict method": ("c", "{'k': 1}", "dict(k=a)", "{'k': b, 'z': 2}"),
    "string method": _STRING_VALUES,
    "range": ("3", "2", "a", "len(c)"),
}


def _template(feature: str, templates: tuple[str, ...]) -> object:
    def form(generator: Generator) -> str:
        chosen = generator.draw.choice(templates)
        count = chosen.replace("{{", "").count("{}")
        operands = [generator.expression() for _ in range(count)]
        if feature in RECEIVERS and operands and generator.chance(0.7):
            operands[0] = generator.one_of(*RECEIVERS[feature])
        return chosen.format(*operands)

    return form


for _feature, _templates in TEMPLATES.items():
    EXPRESSIONS[_feature] = _template(_feature, _templates)  # type: ignore[assignment]


@expression_form("name")
def name(generator: Generator) -> str:
    if generator.chance(0.2):
        return f"note({generator.name()})"
    return generator.name() if generator.chance(0.75) else generator.one_of(*LITERALS)


@expression_form("literal")
def literal(generator: Generator) -> str:
    return generator.one_of(*LITERALS)
