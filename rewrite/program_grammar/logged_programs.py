"""Programs that log every operand, and in which each variable has one kind for life, so that few operations raise."""

from __future__ import annotations

from dataclasses import replace

from rewrite.program_grammar.assembly import assembled
from rewrite.program_grammar.choices import Choices
from rewrite.program_grammar.form_filling import FormFiller
from rewrite.program_grammar.form_tables import FORMS
from rewrite.program_grammar.generated_program import Program
from rewrite.program_grammar.profiles import Profile
from rewrite.program_grammar.scope import GrammarScope
from rewrite.program_grammar.templates import LABEL

KINDS = ("int", "bool", "str", "list", "dict", "iterable", "any")
VARIABLES = {"int": ("a", "b"), "str": ("s", "u"), "list": ("p", "q"), "dict": ("d",)}
"""Variables by kind. A variable never changes its kind, so that shrinking can delete any statement."""
MODULE_FEATURES = frozenset({"module level", "star import", "main block"})
STAR_IMPORTS = ("from os.path import *", "from string import *", "from builtins import *")
_WORDS = ("'a'", "'b'", "'ab'", "''")
_LITERALS = {
    "int": ("0", "1", "2", "3", "4", "5", "-1", "-2", "-5", "-9", "7", "9"),
    "bool": ("False", "True"),
    "str": (*_WORDS, *_WORDS, "'aBx'", "'x, a'", "'é B'", "'aa,ab'", "' '", "'Bax,a'"),
    "list": ("[]", "[0]", "[1]", "[5]", "[1, 2]", "[4, 0]", "[3, 3]", "[2, 1, 0]", "[0, 5, 1]", "[1, 3, 1]"),
    "dict": ("{}", "{'a': 0}", "{'a': 1}", "{'b': 5}", "{'': 2}", "{'a': 2, 'b': 1}", "{'ab': 3, 'a': 4}"),
}
_OTHERS = ("0", "'a'", "[1, 2]", "{'a': 1}", "None", "(1, 'a')", "1.5", "True", "b'ab'", "2j", "frozenset()", "...")
_ALL = frozenset(name for names in VARIABLES.values() for name in names)
LOGGED = Profile(
    forms=tuple(one for one in FORMS if not one.kind.startswith("mixed")),
    variables={
        **VARIABLES,
        "bool": (),
        "letters": VARIABLES["str"],
        **dict.fromkeys(("any", "value"), tuple(sorted(_ALL))),
    },
    pools={
        **{kind: (kind, f"typed {kind}") for kind in (*KINDS, "statement", "target", "pattern", "subject", "error")},
        **dict.fromkeys(
            ("any", "value"),
            ("int", "typed int", "bool", "typed bool", "str", "typed str", "list", "dict", "any", "typed any"),
        ),
        "short": ("iterable", "typed iterable"),
        "letters": ("str", "typed str"),
    },
    literals={**_LITERALS, "letters": _LITERALS["str"], **dict.fromkeys(("any", "value"), _OTHERS)},
    simple=frozenset({"expression", "assign", "augmented", "delete", "assert", "jump", "raise", "print"}),
    unread={"closed": frozenset("supqd"), "constant": _ALL},
)


def draw_logged_program(choices: Choices, features: frozenset[str], depth: int = 2, size: int = 3) -> Program:
    """Draw a program.

    Args:
        choices: the source of randomness.
        features: parts of the language to use.
        depth: maximum nesting of statements and expressions.
        size: maximum number of statements in `f`.
    """
    drawing, scope = FormFiller(choices, LOGGED, features), LOGGED.scope(depth)

    def sometimes(feature: str) -> bool:
        return feature in features and choices.chance(1 / 6)

    def value(kind: str, place: GrammarScope) -> str:
        return drawing.expression(kind, place).at(1)

    outside = replace(scope, readable=frozenset(), legal=scope.legal - {"walrus"})
    is_generator = sometimes("yield")
    inner = replace(scope, legal=scope.legal | {"yield"}) if is_generator else scope
    body = drawing.block(inner, size)
    body += [f"yield {value('any', inner)}"] if is_generator else []
    if choices.chance(0.5):
        starred = f"*it({LABEL}, 2), " if "star" in features and choices.chance(0.25) else ""
        body.append(f"return {starred}{value('any', inner)}")
    module = [choices.choice(STAR_IMPORTS)] if sometimes("star import") else []
    module += [f"k = {value('int', outside)}", ""] if sometimes("module level") else []
    ending = []
    if sometimes("main block"):
        ending = ["if __name__ == '__main__':", f"    k = {value('int', outside)}"]
        ending += ["else:", f"    k = t({LABEL}, __name__ == '__main__')"]
    used = LOGGED.variables_in("\n".join(body))
    calls = [
        f"f({', '.join(choices.choice(_LITERALS[kind]) for kind in used.values())})"
        for _ in range(choices.integer(1, 3))
    ]
    calls = [f"drain({call})" if is_generator and choices.chance(0.5) else call for call in calls]
    return assembled(body, dict.fromkeys(calls), used, module, ending)
