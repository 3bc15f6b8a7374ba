"""The intervention `character_list`: a variable gets the list of a string's characters instead of the string.

The list is shown once, where the variable is assigned, and each later operation works on it. This needs that every use
of the variable does the same with a list: a loop over it, its length, whether it is empty, and a search for one
character.
"""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.analysis.scopes import NameReference
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.anf.names import TEMPORARY
from rewrite.evidence.assumptions import exactly, has_length
from rewrite.evidence.facts import assume, is_known
from rewrite.interventions.local_variables import assigned_local, uses_of
from rewrite.string_methods.character_lists import unjoined
from rewrite.string_methods.expansion import IdiomIntervention
from rewrite.string_methods.guards import is_short, list_characters
from rewrite.syntax.tree import walk, without_parentheses

_ITERATING = frozenset({"enumerate", "len", "max", "min", "set", "frozenset", "sorted", "tuple"})
"""Builtin functions that do the same with a string and with the list of its characters (`reversed` gives another type;
`max` and `min` only with a single argument: with several they compare the strings). Not `list` and `zip`: other idioms
write them, and a second rewrite must leave their strings alone."""
_CHARACTER = (exactly("str"), has_length(1))
Needed = tuple[NameReference, cst.BaseExpression, tuple[str, ...]]
"""A use of the variable, an expression, and the facts about it that the use needs."""


class CharacterList(Intervention):
    """Assigns the list of the characters, where the variable has one assignment and no use needs the string.

    Not in scope: parameters, and uses that return the variable, compare it, index it or call another method of it.
    """

    name = "character_list"
    summary = "a variable that holds the list of a string's characters, since every use does the same with a list"
    recipes = ("idioms",)
    kind = "idioms"
    order = 8
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "A set of characters",
            """
            def f(text):
                vowels = 'aeiou'
                n = 0
                for c in text:
                    if c in vowels:
                        n += 1
                return n
            """,
            """
            def f(text):
                vowels = list('aeiou')
                n = 0
                for c in text:
                    if c in vowels:
                        n += 1
                return n
            """,
            "f('banana')",
            with_call=True,
        ),
        RewriteExample(
            "A variable with the name of the type",
            """
            def f(list):
                text = 'ab'
                for c in text:
                    list.append(c)
                return list
            """,
            """
            def f(list):
                text = [*'ab']
                for c in text:
                    list.append(c)
                return list
            """,
            "f([])",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A string that is returned",
            """
            def f():
                a = 'abc'
                return a
            """,
        ),
        UntouchedExample(
            "A test for a value that may be longer than one character",
            """
            def f(c):
                a = 'abc'
                return c in a, len(a)
            """,
        ),
        UntouchedExample(
            "`max` of several arguments",
            """
            def f(t):
                a = 'abc'
                return max(a, t)
            """,
        ),
        UntouchedExample(
            "A parameter with the name of a builtin",
            """
            def f():
                a = 'abc'
                return (lambda len: len(a))(str)
            """,
        ),
        UntouchedExample(
            "Two assignments",
            """
            def f(b):
                a = 'abc'
                if b:
                    a = ''
                return len(a)
            """,
        ),
    )

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        name = assigned_local(node, plan)
        if not name or TEMPORARY.fullmatch(name) or is_short(node, plan):
            return False  # an earlier rewrite has shown what a temporary needs
        if not is_known(node, exactly("str"), plan):
            return False
        return any(True for _ in uses_of(name, plan)) and _needed_facts(name, plan) is not None

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        assume(node, exactly("str"), steps)
        name = assigned_local(node, steps)
        for use, operand, facts in _needed_facts(name, steps) or ():
            with steps.within(use.scope):
                for what in facts:
                    assume(operand, what, steps)
        value = self._converted(node, steps)
        steps.character_lists.add(name)
        return value if value is not None else list_characters(without_parentheses(steps.lower_parts(node)), steps)

    def _converted(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression | None:
        """The list that another idiom makes of the value and would join; None if none does."""
        for one in steps.module.candidates_for(node):
            if isinstance(one, IdiomIntervention) and one.joins and one.claims(node, steps):
                made = one.expand(node, steps)
                return unjoined(made, steps) or list_characters(made, steps)
        return None


def _needed_facts(name: str, plan: LoweringPlan) -> list[Needed] | None:
    """The uses that look for a character, with what the rewrite assumes; None if a use needs the string."""
    assert plan.scope.node is not None
    harmless: set[int] = set()
    called_with: dict[int, str] = {}
    searched: dict[int, list[tuple[cst.BaseExpression, tuple[str, ...]]]] = {}
    for inner in walk(plan.scope.node):
        match inner:
            case cst.For(iter=cst.Name() as found) | cst.CompFor(iter=cst.Name() as found):
                harmless.add(id(found))
            case cst.UnaryOperation(cst.Not(), cst.Name() as found) | cst.If(test=cst.Name() as found):
                harmless.add(id(found))
            case cst.Call(func=cst.Name(value=called)) if called in _ITERATING:
                plain = [one for one in inner.args if one.keyword is None]
                if called not in ("max", "min") or len(plain) == 1:
                    called_with |= {id(one.value): called for one in plain if not one.star}
            case cst.Call(
                func=cst.Attribute(cst.Name() as found, cst.Name("count")),  # the error of `index` has another message
                args=[cst.Arg(value=target, keyword=None, star="")],
            ):
                searched[id(found)] = [(target, _CHARACTER)]
            case cst.Comparison(
                left=left, comparisons=[cst.ComparisonTarget(cst.In() | cst.NotIn(), cst.Name() as found)]
            ):
                searched[id(found)] = [(left, _CHARACTER)]
    needed: list[Needed] = []
    for use in uses_of(name, plan):
        if id(use.node) in searched:
            needed += [(use, node, facts) for node, facts in searched[id(use.node)]]
        elif id(use.node) not in harmless and not use.scope.is_builtin(called_with.get(id(use.node), "")):
            return None
    return needed if all(_is_known(one, plan) for one in needed) else None


def _is_known(needed: Needed, plan: LoweringPlan) -> bool:
    use, node, facts = needed
    with plan.within(use.scope):
        return all(is_known(node, what, plan) for what in facts)
