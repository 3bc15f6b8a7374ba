"""A form of the grammar: a template, the feature of the language that it belongs to, and the kind of its result.

A kind is "int", "bool", "str", "list", "dict", "iterable" (short, and nobody else has it), "any", or "statement". Forms
of the kinds "mixed", "mixed statement" and so on make sense only where the types of operands are mixed, those of the
kinds "typed str", "typed statement" and so on only where they are known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from rewrite.program_grammar.templates import SourceTemplate

_ALTERNATIVES = re.compile(r"«([^«»]*)»")
SUSPENDING = frozenset({"yield", "await"})


@dataclass(frozen=True, eq=False)
class GrammarForm:
    """A form.

    Attributes:
        feature: The feature of the language.
        kind: The kind of the expression, or "statement", "target" and so on.
        text: The template.
    """

    feature: str
    kind: str
    text: str

    @cached_property
    def template(self) -> SourceTemplate:
        """The template, parsed."""
        return SourceTemplate(self.text)

    @cached_property
    def needs(self) -> frozenset[str]:
        """What a scope must allow: "walrus", "yield", "await", "loop", "fstring"."""
        is_statement = self.kind.endswith("statement")
        # Before Python 3.12, a field of an f-string cannot contain a backslash or the quotes around it.
        is_quoted = any(part in self.text for part in ('"', "\\", "\n", "f'"))
        found = {
            "walrus": ":=" in self.text,
            "loop": self.feature == "jump" and self.kind == "statement",
            "fstring": is_quoted and not is_statement,
            self.feature: self.feature in SUSPENDING and not is_statement,
        }
        return frozenset(name for name, is_needed in found.items() if is_needed)


def forms(feature: str, kinds: str, *texts: str) -> list[GrammarForm]:
    """Return the forms of a feature: each template for each of the kinds, which commas separate.

    Alternatives in guillemets that contain holes give a form each.
    """
    return [
        GrammarForm(feature, kind, one.replace("{=", f"{{{kind}"))
        for text in texts
        for one in _expanded(text)
        for kind in kinds.split(", ")
    ]


def _expanded(text: str) -> list[str]:
    for match in _ALTERNATIVES.finditer(text):
        if "{" in match[0]:
            start, end = text[: match.start()], text[match.end() :]
            return [one for option in match[1].split("|") for one in _expanded(start + option + end)]
    return [text]
