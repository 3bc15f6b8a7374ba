"""What the interventions on `a in text` share."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.analysis.exact_types import kind
from rewrite.anf.intervention import Intervention
from rewrite.anf.lowering import Lowering
from rewrite.string_methods.base import builtins_of, spell
from rewrite.string_methods.guards import TEXT, atom, guard, is_exactly, may_be, may_be_text, missing
from rewrite.syntax import build
from rewrite.syntax.tree import code


class Membership(Intervention):
    """An intervention on `first in text` and `first not in text`, told by a template.

    template: as those of `StringMethod`, with `{found}` and `{missed}` for True and False (`not in`: the other way
    round).
    """

    guards = True
    template: ClassVar[str]

    def claims(self, node: cst.BaseExpression, steps: Lowering) -> bool:
        if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
            return False
        target = node.comparisons[0]
        if not isinstance(target.operator, (cst.In, cst.NotIn)) or not may_be(node.left, "str", steps):
            return False
        return (
            may_be_text(target.comparator, steps)
            and self.fits(node, steps)
            and not missing(builtins_of(self.template), node, steps)
        )

    def fits(self, node: cst.Comparison, steps: Lowering) -> bool:
        """Whether the template applies, as far as the types do not say."""
        return True

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        assert isinstance(node, cst.Comparison)
        (target,) = node.comparisons
        left = atom(steps.value(node.left), steps, [target.comparator])
        right = atom(steps.value(target.comparator), steps)
        known = kind(right, steps.scope) in TEXT
        result = steps.fresh("bool", node)
        answers = ("True", "False") if isinstance(target.operator, cst.In) else ("False", "True")
        given = {"result": result, "text": code(right), "first": code(left), "found": answers[0], "missed": answers[1]}

        def original() -> None:
            same = cst.ComparisonTarget(target.operator, build.again(right))
            steps.assign(result, cst.Comparison(build.again(left), [same]))

        tests = [] if known else [(right, "str")]
        tests += [] if is_exactly(left, "str", steps) else [(left, "str")]
        guard(tests, lambda: spell(self.template, given, steps), original, steps)
        return cst.Name(result)
