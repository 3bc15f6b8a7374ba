"""A profile: what differs between programs whose operands are typed and logged, and those in which types are mixed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from rewrite.program_grammar.form import SUSPENDING, GrammarForm
from rewrite.program_grammar.scope import GrammarScope

ALWAYS = frozenset({"leaf", "variable", "target", "pattern", "subject", "error", "short"})
Group = tuple[tuple[str, ...], Mapping[str, tuple[GrammarForm, ...]]]


@dataclass(frozen=True, eq=False)
class Profile:
    """A profile of generated programs.

    Attributes:
        forms: The forms that this profile uses.
        variables: The variables that hold values of each kind.
        pools: The kinds of forms that stand for each kind.
        literals: The literals of each kind.
        simple: The features of the statements in the innermost blocks.
        unread: The variables that a hole with a limit does not read, by limit.
        samples: Expressions that most holes of a kind get.
        preferred: The feature that many holes of a kind get.
        variable_share: How many of the innermost operands are variables.
        logged_literals: How many literals are logged.
        logged_variables: How many variables are.
    """

    forms: tuple[GrammarForm, ...]
    variables: Mapping[str, tuple[str, ...]]
    pools: Mapping[str, tuple[str, ...]]
    literals: Mapping[str, tuple[str, ...]]
    simple: frozenset[str]
    unread: Mapping[str, frozenset[str]] = field(default_factory=dict)
    samples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    preferred: Mapping[str, str] = field(default_factory=dict)
    variable_share: float = 0.35
    logged_literals: float = 0.5
    logged_variables: float = 0.0

    def scope(self, depth: int) -> GrammarScope:
        """The scope at the top of a function, in which statements and expressions nest to this depth."""
        return GrammarScope(frozenset(self.kinds), depth)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kind of each variable."""
        return {name: kind for kind, names in [*self.variables.items()][::-1] for name in names}

    def variables_in(self, source: str) -> dict[str, str]:
        """The variables that may occur in a source, and their kinds; a word in a string counts as well."""
        found = {*self._variable.findall(source)}
        return {name: kind for name, kind in self.kinds.items() if name in found}

    @cached_property
    def _variable(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(self.kinds)})\b")

    def features(self, *, statements: bool) -> frozenset[str]:
        """The features of statements, or of expressions."""
        return frozenset(one.feature for one in self.forms if one.kind.endswith("statement") == statements) - ALWAYS


@cache
def available(profile: Profile, features: frozenset[str], kind: str, legal: frozenset[str]) -> Group:
    """Return the features with forms of a kind where `legal` is legal, some of them several times, and these forms.

    The simplest features come first, so that shrinking ends with them.
    """
    found: dict[str, list[GrammarForm]] = {"leaf": [], "variable": []} if kind in profile.variables else {}
    for one in profile.forms:
        if one.kind in profile.pools[kind] and one.feature in features | ALWAYS and one.needs <= legal:
            found.setdefault(one.feature, []).append(one)
    names = [name for name, ones in found.items() for _ in range(_weight(name, ones))]
    return tuple(names), {name: tuple(ones) for name, ones in found.items()}


def _weight(feature: str, found: list[GrammarForm]) -> int:
    """Where `yield` or `await` is legal, it is drawn more often than other features."""
    return 2 if feature == "assign" else 4 if any(one.needs & SUSPENDING for one in found) else 1
