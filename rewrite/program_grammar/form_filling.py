"""Draws the parts of one program: fills the holes of forms with forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from rewrite.program_grammar.choices import Choices
from rewrite.program_grammar.form import GrammarForm
from rewrite.program_grammar.hole_context import ATOM
from rewrite.program_grammar.profiles import Group, Profile, available
from rewrite.program_grammar.scope import NONE, GrammarScope
from rewrite.program_grammar.templates import LABEL, LINES, Hole

JUMPS = frozenset({"loop"})
FOCUS_SHARE = 0.5
SAMPLE_SHARE = 0.7
PREFERRED_SHARE = 0.45
ARGUMENTS = (("", "int", 1, 0), ("*", "iterable", 6, 0), ("k{}=", "int", 1, 1), ("**", "dict", 6, 2))
"""Prefix, kind and level of each kind of argument; after it, those from this index on are legal."""
SIGNATURE = "¶"
"""Placeholder for the parameters of a function, which are known when its body is."""


class GeneratedExpression(NamedTuple):
    """The source of an expression, and its precedence: an index in `hole_context.LEVELS`."""

    text: str
    level: int = ATOM

    def at(self, level: int) -> str:
        """The source as an operand of an operator with this precedence, in parentheses if necessary.

        >>> GeneratedExpression("a + b", 10).at(11)
        '(a + b)'
        """
        return self.text if self.level >= level else f"({self.text})"


class FormFiller:
    """Draws the parts of a program.

    Attributes:
        choices: The source of randomness.
        profile: What kind of program it is.
        features: The features of the language to use.
        focus: The feature that is preferred wherever it is allowed ("": none).
    """

    def __init__(self, choices: Choices, profile: Profile, features: frozenset[str], focus: str = "") -> None:
        self.choices, self.profile, self.features, self.focus = choices, profile, features, focus
        self._simple = features & profile.simple
        self._count = 0

    def expression(self, kind: str, scope: GrammarScope) -> GeneratedExpression:
        """An expression of a kind."""
        profile, choices = self.profile, self.choices
        if (samples := profile.samples.get(kind)) and choices.chance(SAMPLE_SHARE):
            return GeneratedExpression(choices.choice(samples))
        found = available(profile, self.features if scope.depth > 0 else NONE, kind, scope.legal)
        feature = self._feature(kind, found, is_nested=scope.depth > 0)
        if ones := found[1][feature]:
            return self.filled(choices.choice(ones), scope.deeper())
        return self._operand(feature, kind, scope)

    def filled(self, form: GrammarForm, scope: GrammarScope) -> GeneratedExpression:
        """The expression of a form whose operands have this scope."""
        return GeneratedExpression("\n".join(self.lines(form, scope)), form.template.level)

    def statement(self, scope: GrammarScope) -> list[str]:
        """The logical lines of a statement; a simple one if nothing may nest any more."""
        features = self.features if scope.depth > 0 else self._simple
        found = available(self.profile, features, "statement", scope.legal)
        lines = self.lines(self.choices.choice(found[1][self._feature("statement", found, is_nested=True)]), scope)
        has_comment = "comment" in self.features and self.choices.chance(0.1)
        return [*lines[:-1], lines[-1] + "  # kept"] if has_comment else lines

    def block(self, scope: GrammarScope, size: int = 3) -> list[str]:
        """The lines of one to `size` statements."""
        return [line for _ in range(self.choices.integer(1, size)) for line in self.statement(scope)]

    def part(self, kind: str, scope: GrammarScope) -> str:
        """The source of a target, pattern or subject."""
        _, groups = available(self.profile, NONE, kind, scope.legal)
        return "".join(self.lines(self.choices.choice(groups[kind]), scope))

    def lines(self, form: GrammarForm, scope: GrammarScope) -> list[str]:
        """The logical lines of a form."""
        found: list[str] = []
        names: dict[str, str] = {}
        signatures = []
        for indentation, pieces in form.template.lines:
            text = indentation
            for piece in pieces:
                if isinstance(piece, str):
                    text += piece
                elif piece.role in LINES:
                    found += [f"{indentation}{line}" for line in self._clause(piece, scope)]
                elif piece.role == "parameters":
                    signatures.append((len(found), scope.at(piece.context)))
                    text += SIGNATURE
                else:
                    text += self._hole(piece, scope, names)
            if len(text) > len(indentation):
                found.append(text)
        for number, outside in reversed(signatures):
            self._complete(found, number, outside)
        return found

    def _feature(self, kind: str, found: Group, *, is_nested: bool) -> str:
        names, groups = found
        profile, chance = self.profile, self.choices.chance
        if not is_nested and kind in profile.variables:
            return "variable" if chance(profile.variable_share) else "leaf"
        if self.focus in groups and chance(FOCUS_SHARE):
            return self.focus
        if profile.preferred.get(kind) in groups and chance(PREFERRED_SHARE):
            return profile.preferred[kind]
        return self.choices.choice(names)

    def _operand(self, feature: str, kind: str, scope: GrammarScope) -> GeneratedExpression:
        """A variable or a literal, logged or not."""
        profile, choices = self.profile, self.choices
        if feature == "variable":
            readable = [name for name in profile.variables[kind] if name in scope.readable]
            readable += scope.bound if "int" in profile.pools[kind] else ()
            if readable:
                name = choices.choice(readable)
                return GeneratedExpression(f"t({LABEL}, {name})" if choices.chance(profile.logged_variables) else name)
        text = choices.choice(profile.literals[kind])
        if feature == "variable" or choices.chance(profile.logged_literals):
            return GeneratedExpression(f"t({LABEL}, {text})")
        return GeneratedExpression(text, ATOM - 3 if text.startswith("-") else ATOM)

    def _hole(self, hole: Hole, scope: GrammarScope, names: dict[str, str]) -> str:
        """What a hole within a line gets."""
        match hole.role:
            case "expression":
                unread = self.profile.unread.get(hole.limit, NONE)
                inside = scope if hole.is_plain else scope.at(hole.context, unread=unread)
                return self.expression(hole.word, inside).at(hole.context.level)
            case "choice":
                return self.choices.choice(hole.options)
            case "part":
                return self.part(hole.word, scope.at(hole.context))
            case "arguments":
                return self._arguments(scope.at(hole.context))
            case "simple":
                return "; ".join(self.statement(replace(scope, depth=0, legal=scope.legal - JUMPS)))
            case "same":
                return names[hole.word]
            case "variable":
                text = self.choices.choice(self.profile.variables[hole.word])
            case _:
                self._count += 1
                text = f"{hole.word}{self._count}"
        if hole.name:
            names[hole.name] = text
        return text

    def _clause(self, hole: Hole, scope: GrammarScope) -> list[str]:
        """The lines of a suite or of an optional clause."""
        if hole.role != "suite" and self.choices.chance(0.5):
            return []
        inside = scope.at(hole.context, illegal=JUMPS if hole.limit else NONE)
        lines = self.block(inside if hole.context.inner else inside.deeper(), 2)
        return lines if hole.role == "suite" else [f"{hole.role}:", *indent(lines)]

    def _complete(self, lines: list[str], number: int, scope: GrammarScope) -> None:
        """Write the signature of a function: each variable is a parameter with a default, or nonlocal."""
        header = lines[number]
        inner = header[: len(header) - len(header.lstrip())] + "    "
        body = takewhile(lambda line: line.startswith(inner), lines[number + 1 :])
        used = self.profile.variables_in("\n".join(body))
        own = {name: kind for name, kind in used.items() if self.choices.chance(0.5)}
        defaults = [f"{name}={self.expression(kind, scope).at(1)}, " for name, kind in own.items()]
        lines[number] = header.replace(SIGNATURE, "".join(defaults))
        if outer := [name for name in used if name not in own]:
            lines.insert(number + 1, f"{inner}nonlocal {', '.join(outer)}")

    def _arguments(self, scope: GrammarScope) -> str:
        """Positional, starred, keyword and double-starred arguments in every legal order."""
        parts, first = [], 0
        for number in range(self.choices.integer(0, 4)):
            prefix, kind, level, following = self.choices.choice(ARGUMENTS[first:])
            parts.append(prefix.format(number) + self.expression(kind, scope).at(level))
            first = max(first, following)
        return ", ".join(parts)


def indent(lines: Iterable[str]) -> list[str]:
    """The lines indented by four spaces."""
    return [f"    {line}" for line in lines]
