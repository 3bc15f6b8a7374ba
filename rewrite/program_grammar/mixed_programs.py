"""Programs that look like those that people write: variables are aliased and change their types.

Objects define `__eq__`, `__bool__` and `__repr__`, exceptions are raised halfway, and the function returns its
variables.
"""

from __future__ import annotations

import random
import re

from corpora.literals import compile_quietly
from rewrite.program_grammar.assembly import assembled
from rewrite.program_grammar.choices import Choices, RandomChoices
from rewrite.program_grammar.form_filling import FormFiller
from rewrite.program_grammar.form_tables import FORMS
from rewrite.program_grammar.generated_program import Program
from rewrite.program_grammar.logged_programs import KINDS
from rewrite.program_grammar.profiles import Profile, available
from rewrite.program_grammar.templates import LABEL

NAMES = ("a", "b", "c")
MOST_LINES = 14
LITERALS = ("0", "1", "2", "-1", "1.5", "True", "None", "''", "'a'", "'b,a'", "[]", "[1]", "[2, 1]", "()", "{'k': 1}")
LEFT_OUT = frozenset({"attribute", "await", "nested f-string", "string literal", "unpacking", "yield"})
_SEQUENCES = ("c", "c", "c", f"t({LABEL}, c)", "[3, 1, 2]", "[b, a]", "'abca'", "(a, b)", "[]", "[0, 1]")
SAMPLES = {
    "iterable": _SEQUENCES,
    "list": ("c", "c", "c", f"t({LABEL}, c)", "[3, 1]", "list(c)", "b", "[b, a]"),
    "str": ("'b,a'", "'aba'", "str(a)", "str(c)", "''", "c", "' a b '"),
    "dict": ("c", "{'k': 1}", "dict(k=a)", "{'k': b, 'z': 2}"),
    "value": ("Item(1)", "Item(0)", "a", f"t({LABEL}, b)", "c"),
    "count": ("3", "2", "a", "len(c)"),
}
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "a": ("0", "1", "2", "-1", "3", "5", "True", "1.5", "float('nan')", "''", "'ab'", "[]", "[1, 2]", "[3, 1]", "None"),
    "b": ("1", "0", "2", "-2", "4", "'a'", "'ba'", "[1]", "[0, 1, 1]", "[[1], [2]]", "(1, 2)", "{'k': 1}", "2.0"),
    "c": ("[1, 2, 3]", "[]", "[2, 2]", "'abca'", "{'k': 2, 'm': 0}", "(0, 1)", "[1, True, 1.0]", "{1, 2}", "3", "''"),
}
_NUMBERS, _LISTS = ("0", "1", "2", "-1", "3", "1.5", "True"), ("[]", "[1]", "[1, 2]", "[3, 1]", "[0, 0, 2]")
_STRINGS = ("''", "'a'", "'ba'", "'b,a'", "'aba'")
_ITEMS = ("[3, 1, 2]", "[1, 1]", "(2, 0)", "[0]", "[]", "[1, True, 2]")
SIMILAR: tuple[dict[str, tuple[str, ...]], ...] = (
    {"a": _NUMBERS, "b": _NUMBERS, "c": _ITEMS},
    {"a": _NUMBERS, "b": _NUMBERS, "c": _NUMBERS},
    {"a": _LISTS, "b": _LISTS, "c": _LISTS},
    {"a": _STRINGS, "b": _STRINGS, "c": _STRINGS},
    {"a": _NUMBERS, "b": _LISTS, "c": _LISTS},
    {"a": _NUMBERS, "b": _NUMBERS, "c": ("{'k': 1}", "{'k': 0, 'm': 2}", "{}")},
)
_LOGGED_OPERAND = re.compile(rf"\bt\({LABEL}, ")
_EXPRESSIONS = (*KINDS, "mixed", "value", "count")
MIXED = Profile(
    forms=tuple(one for one in FORMS if one.feature not in LEFT_OUT and not one.kind.startswith("typed")),
    variables=dict.fromkeys(_EXPRESSIONS, NAMES),
    pools={
        **dict.fromkeys(_EXPRESSIONS, _EXPRESSIONS),
        **{kind: (kind, f"mixed {kind}") for kind in ("statement", "target", "pattern", "subject", "error")},
        **dict.fromkeys(("short", "letters"), ("mixed short",)),
    },
    literals=dict.fromkeys(_EXPRESSIONS, LITERALS),
    simple=frozenset({"assign"}),
    samples=SAMPLES,
    preferred={"bool": "comparison"},
    variable_share=0.8,
    logged_literals=0.0,
    logged_variables=0.2,
)
FEATURES = tuple(sorted(MIXED.features(statements=True) | MIXED.features(statements=False)))
"""Every feature that can be the focus of a program."""


def draw_mixed_program(source: random.Random, focus: str = "") -> Program:
    """Draw a program.

    Args:
        source: the source of randomness.
        focus: the feature that the program is about (default: any).
    """
    choices = RandomChoices(source)
    while True:
        body = _body(choices, focus)
        if len(body) <= MOST_LINES:
            program = _assembled(body, choices)
            if compiles(program.source[program.source.rindex("def f(") :]):  # the helpers do, which takes longer
                return program


def compiles(source: str) -> bool:
    """Whether a program compiles: some forms in forms are no Python, such as `1.real` or nested quotes."""
    try:
        compile_quietly(source)
    except (SyntaxError, ValueError):
        return False
    return True


def _body(choices: Choices, focus: str) -> list[str]:
    """A few statements, most often with one about the focus at the end, which nests more deeply."""
    features = frozenset(FEATURES)
    drawing = FormFiller(choices, MIXED, features, focus)
    body = drawing.block(MIXED.scope(1))
    if not focus or choices.chance(0.4):
        return body
    scope = MIXED.scope(2)
    _, expressions = available(MIXED, features, "any", scope.legal)
    if focus in expressions:
        return [*body, f"{choices.choice(NAMES)} = {drawing.filled(choices.choice(expressions[focus]), scope).at(1)}"]
    _, statements = available(MIXED, features, "statement", scope.legal)
    return [*body, *drawing.lines(choices.choice(statements[focus]), scope)] if focus in statements else body


def _assembled(body: list[str], choices: Choices) -> Program:
    text = "\n".join(body)
    used = tuple(MIXED.variables_in(text)) or ("a",)
    lines = ["# first"] if choices.chance(0.2) else []
    lines += [_LOGGED_OPERAND.sub("note(", line) for line in body]
    module = ["shared = []", ""] if "shared" in text else []
    calls = dict.fromkeys(_call(used, choices) for _ in range(5))
    return assembled([*lines, f"return {', '.join(used)}" + "," * (len(used) == 1)], calls, used, module)


def _call(names: tuple[str, ...], choices: Choices) -> str:
    """A call with arguments of any types, or of similar ones, with which fewer operations raise."""
    values = choices.choice(SIMILAR) if choices.chance(0.6) else ARGUMENTS
    return f"f({', '.join(choices.choice(values[name]) for name in names)})"
