"""The intervention `temporaries`: it flattens nested expressions into temporaries (Appendix F of the paper)."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import libcst as cst

from analyze.operations.catalogue import candidates
from rewrite.analysis.effects import is_constant, is_memoryview
from rewrite.analysis.evaluation_order import parts
from rewrite.analysis.statement_heads import is_loop_index, range_bounds
from rewrite.anf import comprehensions
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.anf.rewrite_options import DEFAULT_OPTIONS, KINDS, RewriteOptions
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import is_known
from rewrite.syntax.tree import fields


class ExpressionSize(NamedTuple):
    """The size of an expression.

    Attributes:
        operations: The number of operations in it.
        nesting: The nesting depth of the operations that remain in it.
        claimed: Whether it is assigned to a temporary where it is an operand.
    """

    operations: int
    nesting: int
    claimed: bool


NO_OPERATIONS = ExpressionSize(0, 0, False)


_DISPLAYS = (cst.Tuple, cst.List, cst.Set, cst.Dict)


class Temporaries(Intervention):
    """Assigns each operation that is an operand of another one to a temporary.

    Options (`rewrite.anf.rewrite_options`): `threshold`, `kinds`, `depth` and `conditions`. Without `conditions`, a
    comparison or `not` that an `if` or `while` tests, and the `range` of a loop, get no temporary: the branch taken and
    the loop variable show their values.
    """

    name = "temporaries"
    summary = "nested expressions into temporaries, short-circuit evaluation and comprehensions into control flow"
    recipes = ("expressions", "decompose")
    kind = "expressions"
    order = 90
    at_root = False
    takes = frozenset({"threshold", "kinds", "depth", "conditions"})
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "The paper's example (Appendix F)",
            """
            def f(nums):
                output = []
                for n in nums:
                    output.append((nums.count(n), n))
                output.sort(reverse=True)
                return output
            """,
            """
            def f(nums):
                output = []
                for n in nums:
                    _t0 = nums.count(n)
                    _t1 = (_t0, n)
                    output.append(_t1)
                output.sort(reverse=True)
                return output
            """,
            "f([1, 1, 3, 1, 3, 1])",
        ),
        RewriteExample(
            "A while loop whose test hides a value keeps its continue",
            """
            def f(n):
                total = 0
                while n % 10 + total < 12:
                    n += 1
                    if n % 2:
                        continue
                    total += n * 2
                return total, n
            """,
            """
            def f(n):
                total = 0
                while True:
                    _t0 = n % 10
                    _t1 = _t0 + total
                    if not _t1 < 12:
                        break
                    n += 1
                    _t2 = n % 2
                    if _t2:
                        continue
                    _t3 = n * 2
                    total += _t3
                return total, n
            """,
            "f(1)",
        ),
        RewriteExample(
            "A comprehension becomes a loop",
            """
            def f(text):
                return [c.upper() for c in text if c.isalpha()]
            """,
            """
            def f(text):
                _t0 = []
                for c in text:
                    _t1 = c.isalpha()
                    if _t1:
                        _t2 = c.upper()
                        _t0.append(_t2)
                return _t0
            """,
            "f('a1b')",
        ),
        RewriteExample(
            "A method is bound before its arguments are evaluated",
            """
            def f(a, b):
                return a.join(b[0].split())
            """,
            """
            def f(a, b):
                _t0 = a.join
                _t1 = b[0]
                _t2 = _t1.split()
                return _t0(_t2)
            """,
            "f('-', ['a b'])",
        ),
        RewriteExample(
            "Where others see the variables, a temporary is deleted at once",
            """
            class A:
                x = len('ab') + 1
            texts = [str(n) for n in (A.x, 2)]
            """,
            """
            class A:
                _t0 = len('ab')
                x = _t0 + 1
                del _t0
            _t0 = A.x
            _t1 = (_t0, 2)
            del _t0
            _t2 = []
            for _t3 in _t1:
                _t4 = str(_t3)
                _t2.append(_t4)
                del _t4
            _t3 = None
            del _t1, _t3
            texts = _t2
            del _t2
            """,
            "(A.x, texts)",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A statement with one operation",
            """
            def f(a, b):
                return a + b
            """,
        ),
        UntouchedExample(
            "A condition shows its value by the branch taken",
            """
            def f(a, b):
                if a < b:
                    return a
            """,
        ),
        UntouchedExample(
            "A scope that inspects its own variables",
            """
            def f(a):
                b = len(a) + 1
                return locals()
            """,
            "the scope uses locals",
        ),
        UntouchedExample(
            "The body of a class whose metaclass may see every name",
            """
            import enum
            class A(enum.Enum):
                x = len('ab') + 1
            """,
            "class body: a temporary may become an attribute",
        ),
    )

    def __init__(self, options: RewriteOptions = DEFAULT_OPTIONS) -> None:
        super().__init__(options)
        self.names_conditions = options.conditions
        self.types: frozenset[type[cst.CSTNode]] = frozenset(node for kind in options.kinds for node in KINDS[kind])
        self._measures: dict[tuple[int, int], tuple[cst.CSTNode, ExpressionSize]] = {}  # by ids; the node keeps its id
        self._bounds: dict[int, tuple[cst.CSTNode, frozenset[int]]] = {}  # by the id of the statement, of `bounds`

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return any(kind in kinds for kinds in KINDS.values())

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        return type(node) in self.types and id(node) not in plan.shown_items and self.measure(node, plan).claimed

    def forces_control_flow(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        if type(node) not in self.types:
            return False
        measure = self.measure(node, plan)
        if isinstance(node, cst.Comparison):
            return measure.operations > self.options.threshold and measure.nesting > self.options.depth
        if isinstance(node, (cst.ListComp, cst.SetComp, cst.DictComp)):
            return measure.nesting > self.options.depth and comprehensions.does_work(node)
        return False

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        if isinstance(node, cst.NamedExpr) and isinstance(node.target, cst.Name):
            value = steps.lower_root(node.value)
            steps.assign(node.target.value, value)
            steps.bound.add(node.target.value)
            return cst.Name(node.target.value)
        value = steps.lower_parts(node)
        if steps.condensed and isinstance(value, _DISPLAYS) and self.measure(value, steps).operations == 1:
            return value  # its variables are shown before, and what it is used for after
        return steps.materialize(value)

    def measure(self, node: cst.CSTNode, plan: LoweringPlan) -> ExpressionSize:
        """The size of an expression (cached)."""
        if not fields(type(node)):
            return NO_OPERATIONS  # a name, a literal, an operator
        key = (id(node), id(plan.scope))
        known = self._measures.get(key)
        if known is None:
            known = self._measures[key] = (node, self._measured(node, plan))
        return known[1]

    def _measured(self, node: Any, plan: LoweringPlan) -> ExpressionSize:
        if is_constant(node):
            return NO_OPERATIONS
        for path in _module_path(node, plan):
            self._measures[id(path), id(plan.scope)] = (path, NO_OPERATIONS)
        inside = [self.measure(part, plan) for part in parts(node)]
        operations = sum(part.operations for part in inside)
        nesting = max((0 if part.claimed else part.nesting for part in inside), default=0)
        if type(node) not in self.types or _stands_for_itself(node, plan) or is_memoryview(node, plan.scope):
            return ExpressionSize(operations, nesting, False)
        if plan.shown is not None and not self.names_conditions and self._is_plain_to_see(node, plan):
            return ExpressionSize(operations, nesting, False)
        # A chained comparison counts as its comparisons and the `and` between them.
        chain = len(node.comparisons) - 1 if isinstance(node, cst.Comparison) else 0
        operations, nesting = operations + chain + 1, nesting + bool(chain) + 1
        wanted = (
            operations >= self.options.threshold
            and nesting >= self.options.depth
            and not _has_uninformative_value(node, plan)
        )
        return ExpressionSize(operations, nesting, wanted)

    def _is_plain_to_see(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        """Whether frames already show the value: the end of a `range`, a character `text[i]`, a bool in `if not`.

        The frame shows `text` and `i`, the loop its last iteration, the branch the bool. A temporary would cost tokens
        each time. This applies to rewrites with calls, unless `conditions` asks for every value. In a condensed one, so
        does a variable show its copy.
        """
        if _is_negated(node, plan) or (plan.condensed and _shows_no_more(node)):
            return True
        match node:
            case cst.Subscript(value=text, slice=[cst.SubscriptElement(cst.Index(place))]):
                return is_loop_index(place, plan.scope) and is_known(text, exactly("str"), plan)
            case cst.Call() | cst.BinaryOperation():
                around = plan.around
                if id(around) not in self._bounds:
                    self._bounds[id(around)] = (around, frozenset(map(id, range_bounds(around))))
                return id(node) in self._bounds[id(around)][1]
        return False


def _is_negated(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether an `if` tests exactly `not node` and every call observed a bool there, which the branch shows."""
    match plan.around:
        case cst.If(test=cst.UnaryOperation(operator=cst.Not(), expression=tested)) if tested is node:
            return is_known(node, exactly("bool"), plan)
    return False


def _has_uninformative_value(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the observed value would tell nothing in a frame: a function, or a running iterator."""
    seen = plan.shown.of(node) if plan.shown is not None else None
    return seen is not None and seen.is_opaque


def _shows_no_more(node: cst.BaseExpression) -> bool:
    """Whether a value shows no more than a variable does: `text[:]`, `items.copy()`, `table.items()`, `-number`."""
    match node:
        case cst.UnaryOperation(cst.Minus(), cst.Name()):
            return True
        case cst.Subscript(cst.Name(), [cst.SubscriptElement(cst.Slice(lower=None, upper=None, step=None))]):
            return True
        case cst.Call(cst.Attribute(cst.Name(), cst.Name(name)), []):
            return name == "copy" or any(one.result.startswith("dict_") for one in candidates(name))
    return False


def _stands_for_itself(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether an operation is as simple as a name: `super()`, a tuple of builtin types, a string without fields."""
    if type(node) is cst.Call:
        return isinstance(node.func, cst.Name) and node.func.value == "super" and not node.args
    if type(node) is cst.Tuple:
        return all(
            isinstance(item, cst.Element)
            and isinstance(item.value, cst.Name)
            and plan.scope.is_builtin(item.value.value)
            for item in node.elements
        )
    if type(node) in (cst.FormattedString, cst.ConcatenatedString):
        return not parts(node)  # no fields
    return False


def _module_path(node: cst.CSTNode, plan: LoweringPlan) -> list[cst.CSTNode]:
    """The `os.path` of `os.path.join(…)` and `os.path.sep`, as simple as a name if `os` is an imported module."""
    at = node.func if type(node) is cst.Call else node
    found: list[cst.CSTNode] = []
    while type(at) is cst.Attribute:
        at = at.value
        found.append(at)
    if not found or not isinstance(at, cst.Name):
        return []
    owner = plan.scope.owner(at.value)
    bindings = [] if owner is None else owner.bindings[at.value]
    return found if bindings and all(b.how == "import" and b.expression is not None for b in bindings) else []
