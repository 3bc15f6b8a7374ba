"""Programs that log every operand, and in which each variable has one kind for life, so that few operations raise."""

from __future__ import annotations

from dataclasses import replace

from rewrite.program_grammar.assembly import assembled
from rewrite.program_grammar.choices import Choices
from rewrite.program_grammar.drawing import Drawing
from rewrite.program_grammar.generated_program import Program
from rewrite.program_grammar.profiles import Profile
from rewrite.program_grammar.registry import FORMS
from rewrite.program_grammar.scope import Scope
from rewrite.program_grammar.templates import LABEL

KINDS = ("int", "bool", "str", "list", "dict", "iterable", "any")
VARIABLES = {"int": ("a", "b"), "str": ("s", "u"), "list": ("p", "q"), "dict": ("d",)}
"""Variables by kind. A variable never changes its kind, so that shrinking can delete any statement."""
MODULE_FEATURES = frozenset({"module level", "star import", "main block"})
STAR_IMPORTS = ("from os.path import *", "from string import *", "from builtins import *")
WORDS = ("a", "b", "ab", "")
OTHERS = ("None", "(1, 'a')", "1.5", "True", "b'ab'", "2j", "frozenset()", "...")


def literal(choices: Choices, kind: str) -> str:
    """Draw a literal of a kind, which may be a variable's."""
    small = [choices.integer(0, 5) for _ in range(choices.integer(0, 3))] if kind in ("list", "dict") else []
    match kind:
        case "int":
            return str(choices.integer(0, 5) if choices.chance(0.5) else choices.integer(-9, 9))
        case "bool":
            return choices.choice(("False", "True"))
        case "str" | "letters":
            is_word = choices.chance(0.5)
            size = 0 if is_word else choices.integer(0, 5)
            return repr(choices.choice(WORDS) if is_word else "".join(choices.choice("aBx, é") for _ in range(size)))
        case "list":
            return repr(small)
        case "dict":
            return repr({choices.choice(WORDS): value for value in small[:2]})
        case _:
            return choices.choice(OTHERS)


LOGGED = Profile(
    forms=tuple(one for one in FORMS if not one.kind.startswith("mixed")),
    variables={**VARIABLES, "bool": (), "letters": VARIABLES["str"], "any": tuple(sum(VARIABLES.values(), ()))},
    pools={
        **{kind: (kind,) for kind in (*KINDS, "pattern", "subject", "error")},
        "any": tuple(kind for kind in KINDS if kind != "iterable"),
        "letters": ("str",),
        **{kind: (kind, f"typed {kind}") for kind in ("str", "iterable", "statement", "target")},
        "short": ("iterable", "typed iterable"),
    },
    literal=literal,
    simple=frozenset({"expression", "assign", "augmented", "delete", "assert", "jump", "raise", "print"}),
    unread={"closed": frozenset("supqd"), "constant": frozenset("absupqd")},
)


def draw_logged_program(choices: Choices, features: frozenset[str], depth: int = 2, size: int = 3) -> Program:
    """Draw a program.

    Args:
        choices: the source of randomness.
        features: parts of the language to use.
        depth: maximum nesting of statements and expressions.
        size: maximum number of statements in `f`.
    """
    drawing, scope = Drawing(choices, LOGGED, features), LOGGED.scope(depth)

    def sometimes(feature: str) -> bool:
        return feature in features and choices.chance(1 / 6)

    def value(kind: str, place: Scope) -> str:
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
    calls = [f"f({', '.join(literal(choices, kind) for kind in used.values())})" for _ in range(choices.integer(1, 3))]
    calls = [f"drain({call})" if is_generator and choices.chance(0.5) else call for call in calls]
    return assembled(body, dict.fromkeys(calls), used, module, ending)
