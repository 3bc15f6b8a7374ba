"""Statements: which of their expressions are evaluated when, and where the steps for them go.

The grammar of what comes out, for full decomposition (an *atom* is a name or a constant; every operation has atoms as
operands, but for what is listed in `Rewritten.left`):

    step      = name "=" operation | name "=" atom | operation | target augmented atom | "return" operation | …
    operation = atom op atom | atom "(" atoms ")" | atom "." name "(" atoms ")" | atom "[" atoms "]" | display | …
    condition = atom | ["not"] atom | atom comparison atom          (of if and while)
    loop      = "for" target "in" (atom | range(atoms) | …)          (see `Bodies.source`)

Steps are put right before the statement they belong to. Where the statement evaluates several expressions with
something happening in between (assignment to several targets, `with` of several managers, `del` of several things,
`elif`), it is split at that point. Module level and class bodies keep their statements: a temporary there would become
a global, or an attribute. Functions inside them are rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from rewrite import branches, build
from rewrite.effects import ANYTHING, name_stays
from rewrite.operands import defaults, operands, type_test
from rewrite.steps import Steps
from rewrite.tree import changed, children, substitute

MODULE_LEVEL = "module level: a temporary would become a global"
CLASS_BODY = "class body: a temporary would become an attribute"
_LEAVES = (cst.Return, cst.Raise, cst.Break, cst.Continue)


class Bodies:
    """Rewrites the statements of one scope into `steps`. `frozen`: why nothing may be added to this scope."""

    def __init__(self, steps: Steps, frozen: str, enter: Callable[[cst.FunctionDef | cst.ClassDef], cst.BaseSuite]):
        self.steps = steps
        self.frozen = frozen
        self.enter = enter  # rewrites the body of a function or class in a scope of its own
        self.compound: dict[type[cst.CSTNode], Callable[[Any], None]] = {
            cst.If: self.if_,
            cst.While: self.while_,
            cst.For: self.for_,
            cst.With: self.with_,
            cst.Try: self.try_,
            cst.TryStar: self.try_,
            cst.Match: self.match,
            cst.FunctionDef: self.function,
            cst.ClassDef: self.class_,
        }
        self.small: dict[type[cst.CSTNode], Callable[[Any], cst.BaseSmallStatement | None]] = {
            cst.Assign: self.assign,
            cst.AnnAssign: self.annotated,
            cst.AugAssign: self.augmented,
            cst.Return: self.return_,
            cst.Expr: self.expression,
            cst.Assert: self.assert_,
            cst.Raise: self.raise_,
            cst.Del: self.delete,
            cst.Import: self.import_,
            cst.ImportFrom: self.import_,
        }

    # Blocks.

    def body(self, statements: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """The statements, rewritten, with their steps; the same objects where nothing changed."""
        before, self.steps.out = self.steps.out, []
        for statement in statements:
            self.statement(statement)
        result, self.steps.out = self.steps.out, before
        return result

    def suite(self, suite: cst.BaseSuite, prefix: Sequence[cst.BaseStatement] = ()) -> cst.BaseSuite:
        """A block, rewritten. `prefix`: steps to put first."""
        if isinstance(suite, cst.IndentedBlock):
            new = [*prefix, *self.body(suite.body)]
            same = len(new) == len(suite.body) and all(a is b for a, b in zip(new, suite.body, strict=True))
            return suite if same else suite.with_changes(body=new)
        assert isinstance(suite, cst.SimpleStatementSuite)
        line = cst.SimpleStatementLine(suite.body, trailing_whitespace=suite.trailing_whitespace)
        new = [*prefix, *self.body([line])]
        return suite if new == [line] else cst.IndentedBlock(new)

    def branch(self, suite: cst.BaseSuite) -> tuple[cst.BaseSuite, set[str] | None]:
        """A block that may not run, and the names bound at its end (None: its end is never reached)."""
        with self.steps.block():
            new = self.suite(suite)
            bound = self.steps.bound
        last = suite.body[-1] if suite.body else None
        if isinstance(last, cst.SimpleStatementLine):
            last = last.body[-1]
        return new, None if isinstance(last, _LEAVES) else bound

    def statement(self, node: cst.BaseStatement) -> None:
        steps = self.steps
        steps.around = node
        start = len(steps.out)
        if isinstance(node, cst.SimpleStatementLine):
            self.line(node)
        else:
            self.compound[type(node)](node)
        if steps.out[start] is not node:
            self.lead(start, node)

    def lead(self, start: int, node: cst.BaseStatement) -> None:
        """Give the comments above the old statement to the first of the new ones."""
        old = getattr(node, "leading_lines", ())
        for index in range(start, len(self.steps.out)):
            lines = old if index == start else ()
            if tuple(getattr(self.steps.out[index], "leading_lines", ())) != tuple(lines):
                self.steps.replace(index, self.steps.out[index].with_changes(leading_lines=lines))

    def line(self, node: cst.SimpleStatementLine) -> None:
        """One line of small statements; each gets a line of its own when one of them needs steps."""
        steps = self.steps
        start, same = len(steps.out), True
        for small in node.body:
            before = len(steps.out)
            new = self.simple(small)
            same = same and new is small and before == len(steps.out)
            if new is not None:
                steps.emit(new.with_changes(semicolon=cst.MaybeSentinel.DEFAULT) if len(node.body) > 1 else new)
        if same:
            del steps.out[start:]
            steps.out.append(node)
        else:
            last = steps.out[-1]
            if isinstance(last, cst.SimpleStatementLine):
                steps.replace(-1, last.with_changes(trailing_whitespace=node.trailing_whitespace))

    def simple(self, node: cst.BaseSmallStatement) -> cst.BaseSmallStatement | None:
        if self.frozen:
            self.freeze(node)
            return node
        handler = self.small.get(type(node))
        return node if handler is None else handler(node)

    def freeze(self, *nodes: cst.CSTNode | None) -> None:
        """Report what stays hidden in a statement that gets no steps."""
        for node in nodes:
            if node is not None:
                self.steps.leave(node, self.frozen)

    # Small statements: each writes its steps and returns what remains of itself.

    def return_(self, node: cst.Return) -> cst.Return | None:
        if node.value is None:
            return node
        if isinstance(node.value, cst.IfExp) and branches.needs(node.value, self.steps):
            self.either(node.value, lambda value: self.return_(cst.Return(value)))
            return None
        value = self.steps.root(node.value)
        return node if value is node.value else changed(node, {"value": value})

    def either(self, node: cst.IfExp, finish: Callable[[cst.BaseExpression], cst.BaseSmallStatement | None]) -> None:
        """`return a if t else b` and the like: the statement once in each branch."""
        test = self.steps.test(node.test)
        blocks = []
        for value in (node.body, node.orelse):
            with self.steps.block() as block:
                statement = finish(value)
                if statement is not None:
                    self.steps.emit(statement)
            blocks.append(block)
        self.steps.emit(build.if_(test, *blocks))

    def expression(self, node: cst.Expr) -> cst.Expr | None:
        value = self.steps.root(node.value)
        if value is node.value:
            return node
        if isinstance(value, cst.Name) and value.value in self.steps.names.given:
            return None  # only evaluated, and that has been done
        return changed(node, {"value": value})

    def assign(self, node: cst.Assign) -> cst.BaseSmallStatement | None:
        steps = self.steps
        targets = [item.target for item in node.targets]
        only = targets[0] if len(targets) == 1 else None
        if isinstance(only, cst.Name) and isinstance(node.value, cst.IfExp) and branches.needs(node.value, steps):
            self.either(node.value, lambda value: self.assign(changed(node, {"value": value})))
            self.bind(only)
            return None
        if not any(self.target_emits(target) for target in targets):
            value = steps.root(node.value)
            for target in targets:
                self.bind(target)
            return node if value is node.value else changed(node, {"value": value})
        if only is not None and not isinstance(only, (cst.Tuple, cst.List)):
            parts = operands(only).expressions
            done = steps.ordered([node.value, *parts], shown=[node.value])
            new_target = node.targets[0].with_changes(target=substitute(only, done))
            return changed(node, {"value": done.get(id(node.value), node.value), "targets": [new_target]})
        value = steps.keep(steps.root(node.value), [ANYTHING])
        for index, target in enumerate(targets):
            self.store(target, value if index == 0 else build.again(value))
        return None

    def target_emits(self, target: cst.CSTNode) -> bool:
        """Whether what an assignment target evaluates before storing needs steps."""
        if isinstance(target, (cst.Tuple, cst.List)):
            return max([self.target_emits(element.value) for element in target.elements], default=False)
        if isinstance(target, cst.StarredElement):
            return self.target_emits(target.value)
        return self.steps.emits_any(operands(target).expressions)

    def store(self, target: cst.BaseExpression, value: cst.BaseExpression) -> None:
        """Assign `value`, an atom, to one target, unpacking it first into temporaries where the target needs steps."""
        steps = self.steps
        if isinstance(target, (cst.Tuple, cst.List)) and self.target_emits(target):
            names = [cst.Name(steps.fresh()) for _ in target.elements]
            elements = [
                element.with_changes(value=name, comma=cst.MaybeSentinel.DEFAULT)
                for element, name in zip(target.elements, names, strict=True)
            ]
            steps.emit(cst.Assign([cst.AssignTarget(cst.Tuple(elements, lpar=(), rpar=()))], value))
            for element, name in zip(target.elements, names, strict=True):
                self.store(element.value, cst.Name(name.value))
            return
        new = substitute(target, steps.ordered(operands(target).expressions)) if self.target_emits(target) else target
        steps.emit(cst.Assign([cst.AssignTarget(new)], value))  # type: ignore[arg-type]
        self.bind(target)

    def bind(self, target: cst.CSTNode) -> None:
        """The names of an assignment target have a value from here on."""
        if isinstance(target, cst.Name):
            self.steps.bound.add(target.value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                self.bind(element.value)

    def annotated(self, node: cst.AnnAssign) -> cst.AnnAssign:
        # In a function the annotation is not evaluated.
        if node.value is None:
            return node
        parts = operands(node.target).expressions
        done = self.steps.ordered([node.value, *parts], shown=[node.value])
        self.bind(node.target)
        if not done:
            return node
        return changed(node, {"value": done.get(id(node.value), node.value), "target": substitute(node.target, done)})

    def augmented(self, node: cst.AugAssign) -> cst.BaseSmallStatement:
        """`a[i()] += v()`: container, index, get, value, operation in place, store."""
        steps = self.steps
        parts = operands(node.target).expressions
        if not steps.emits(node.value):
            done = steps.ordered(parts)
            return changed(node, {"target": substitute(node.target, done)}) if done else node
        if isinstance(node.target, cst.Name) and name_stays(node.target.value, [node.value], steps.scope, steps.bound):
            return changed(node, {"value": steps.value(node.value)})
        done = {}
        for index, part in enumerate(parts):
            kept = steps.keep(steps.value(part), [*parts[index + 1 :], ANYTHING])
            if kept is not part:
                done[id(part)] = kept
        target = substitute(node.target, done)
        current = steps.save(target)
        value = steps.value(node.value)
        steps.emit(cst.AugAssign(cst.Name(current.value), node.operator, value))
        return cst.Assign([cst.AssignTarget(build.again(target))], cst.Name(current.value))  # type: ignore[arg-type]

    def raise_(self, node: cst.Raise) -> cst.Raise:
        if node.exc is None:
            return node
        cause = node.cause.item if node.cause is not None else None
        done = self.steps.ordered([node.exc, *([cause] if cause is not None else [])], shown=[node.exc])
        return substitute(node, done) if done else node

    def assert_(self, node: cst.Assert) -> cst.Assert | None:
        """Steps of an assertion run only where assertions do, those of its message only when it fails."""
        steps = self.steps
        late = node.msg is not None and steps.emits(node.msg)
        if not late and not steps.emits_test(node.test):
            return node
        with steps.block() as block:
            test = steps.test(node.test)
            if late and node.msg is not None:
                with steps.block() as failed:
                    steps.emit(cst.Assert(cst.Name("False"), steps.value(node.msg)))
                steps.emit(build.if_(build.not_(test), failed))
            else:
                steps.emit(changed(node, {"test": test}))
        steps.emit(build.if_(cst.Name("__debug__"), block))
        return None

    def delete(self, node: cst.Del) -> cst.Del | None:
        target = node.target
        if not self.target_emits(target):
            return node
        if isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                one = self.delete(cst.Del(element.value))  # type: ignore[arg-type]
                if one is not None:
                    self.steps.emit(one)
            return None
        return changed(node, {"target": substitute(target, self.steps.ordered(operands(target).expressions))})

    def import_(self, node: cst.Import | cst.ImportFrom) -> cst.Import | cst.ImportFrom:
        for alias in () if isinstance(node.names, cst.ImportStar) else node.names:
            bound: cst.CSTNode = alias.asname.name if alias.asname else alias.name
            while isinstance(bound, cst.Attribute):
                bound = bound.value
            self.bind(bound)
        return node

    # Compound statements.

    def if_(self, node: cst.If) -> None:
        steps = self.steps
        if self.frozen:
            self.freeze(node.test)
            test = node.test
        elif node.orelse is None and self.conjunction(node.test):
            self.nested_if(node, branches.conditions(node.test, steps))  # type: ignore[arg-type]
            return
        else:
            test = steps.test(node.test)
        before = set(steps.bound)
        body, bound = self.branch(node.body)
        with steps.knowing_not(type_test(node.test)):
            orelse, other = self.orelse(node.orelse)
        reached = [names for names in (bound, before if node.orelse is None else other) if names is not None]
        if reached:
            steps.bound = set.intersection(*reached) | before
        self.compose(node, {"test": test, "body": body, "orelse": orelse})

    def conjunction(self, test: cst.BaseExpression) -> bool:
        """Whether the condition needs control flow, and is an `and`: nested ifs say the same."""
        if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
            return False
        return branches.is_lazy(test) and branches.needs_truth(test, self.steps)

    def nested_if(self, node: cst.If, conditions: Sequence[Callable[[], cst.BaseExpression]]) -> None:
        test = conditions[0]()
        if len(conditions) == 1:
            self.compose(node, {"test": test, "body": self.branch(node.body)[0], "leading_lines": ()})
            return
        with self.steps.block() as inner:
            self.nested_if(node, conditions[1:])
        self.steps.emit(build.if_(test, inner))

    def orelse(self, node: cst.If | cst.Else | None) -> tuple[cst.If | cst.Else | None, set[str] | None]:
        if node is None:
            return None, None
        if isinstance(node, cst.Else):
            suite, bound = self.branch(node.body)
            return (node if suite is node.body else node.with_changes(body=suite)), bound
        with self.steps.block() as block:
            self.statement(node)
            bound = self.steps.bound
        first = block[0]
        if len(block) == 1 and isinstance(first, cst.If):
            return first, bound
        return cst.Else(build.suite(block)), bound

    def compose(self, node: Any, fields: dict[str, Any]) -> None:
        """Write the statement with some of its fields replaced; itself, if none changed."""
        self.steps.around = node
        fields = {name: value for name, value in fields.items() if value is not getattr(node, name)}
        if fields:
            self.steps.emit(changed(node, fields))
        else:
            self.steps.out.append(node)

    def while_(self, node: cst.While) -> None:
        """`while test` whose test needs steps: tested inside, where `continue` comes by again."""
        steps = self.steps
        if self.frozen or not steps.emits_test(node.test):
            if self.frozen:
                self.freeze(node.test)
            self.compose(node, {"body": self.branch(node.body)[0], "orelse": self.orelse(node.orelse)[0]})
            return
        if node.orelse is None:
            with steps.block() as prefix:
                test = steps.test(node.test)
                steps.emit(build.if_(build.not_(test), [build.line(cst.Break())]))
                body = self.suite(node.body, prefix)
            self.compose(node, {"test": cst.Name("True"), "body": body})
            return
        # With an else, the loop must end by its test, and that test must be a truth of its own.
        going = steps.fresh("bool")
        steps.assign(going, cst.Name("True"))
        with steps.block() as prefix:
            test = steps.test(node.test)
            stop = [build.assign(going, cst.Name("False")), build.line(cst.Continue())]
            steps.emit(build.if_(build.not_(test), stop))
            body = self.suite(node.body, prefix)
        self.compose(node, {"test": cst.Name(going), "body": body, "orelse": self.orelse(node.orelse)[0]})

    def for_(self, node: cst.For) -> None:
        steps = self.steps
        iterable, target = node.iter, node.target
        if self.frozen:
            self.freeze(node.iter, node.target)
        else:
            iterable = steps.loop_source(node.iter, ends_early=breaks(node.body))
        with steps.block() as prefix:
            if not self.frozen and self.target_emits(node.target):
                target = cst.Name(steps.fresh())
                self.store(node.target, cst.Name(target.value))
            self.bind(node.target)
            body = self.suite(node.body, prefix)
        self.compose(node, {"target": target, "iter": iterable, "body": body, "orelse": self.orelse(node.orelse)[0]})

    def with_(self, node: cst.With) -> None:
        steps = self.steps
        items = [item.item for item in node.items]
        if self.frozen:
            self.freeze(*items)
        for item in node.items[1:] if not self.frozen else ():
            if steps.emits_root(item.item):
                self.nested_with(node, list(node.items).index(item))
                return
        new = node.items[0] if self.frozen else self.with_item(node.items[0])
        with steps.block():
            for item in node.items:
                if item.asname is not None:
                    self.bind(item.asname.name)
                    self.freeze_target(item.asname.name)
            body = self.suite(node.body)
        fields: dict[str, Any] = {"body": body}
        if new is not node.items[0]:
            fields["items"] = [new, *node.items[1:]]
        self.compose(node, fields)

    def freeze_target(self, target: cst.CSTNode) -> None:
        for part in operands(target).expressions:
            self.steps.leave(part, self.frozen or "target of a with")

    def with_item(self, item: cst.WithItem) -> cst.WithItem:
        manager = self.steps.root(item.item)
        return item if manager is item.item else changed(item, {"item": manager})

    def nested_with(self, node: cst.With, split: int) -> None:
        """The first managers are entered before the others are built."""
        first = [*node.items[: split - 1], node.items[split - 1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]
        inner = node.with_changes(items=node.items[split:], leading_lines=(), lpar=(), rpar=())
        line = cst.IndentedBlock([inner])
        self.with_(node.with_changes(items=first, body=line, lpar=(), rpar=()))

    def try_(self, node: cst.Try | cst.TryStar) -> None:
        steps = self.steps
        before = set(steps.bound)
        with steps.block():
            body = self.suite(node.body)
            after_body = set(steps.bound)
        handlers = [self.handler(handler) for handler in node.handlers]
        steps.bound = after_body
        orelse = self.orelse(node.orelse)[0]
        steps.bound = before
        final = node.finalbody
        if final is not None:
            new = self.suite(final.body)
            final = final if new is final.body else final.with_changes(body=new)
        fields: dict[str, Any] = {"body": body, "orelse": orelse, "finalbody": final}
        if any(a is not b for a, b in zip(handlers, node.handlers, strict=True)):
            fields["handlers"] = handlers
        self.compose(node, fields)

    def handler(self, node: Any) -> Any:
        if node.type is not None:
            self.steps.leave(node.type, "except clause: evaluated while an exception looks for its handler", root=True)
        suite = self.branch(node.body)[0]
        return node if suite is node.body else node.with_changes(body=suite)

    def match(self, node: cst.Match) -> None:
        steps = self.steps
        subject = node.subject
        if self.frozen:
            self.freeze(subject)
        else:
            subject = steps.reduce(subject) if isinstance(subject, cst.Tuple) else steps.value(subject)
        cases = []
        for case in node.cases:
            if case.guard is not None:
                steps.leave(case.guard, self.frozen or "guard of a case: evaluated between two patterns", root=True)
            suite = self.branch(case.body)[0]
            cases.append(case if suite is case.body else case.with_changes(body=suite))
        fields: dict[str, Any] = {"subject": subject}
        if any(a is not b for a, b in zip(cases, node.cases, strict=True)):
            fields["cases"] = cases
        self.compose(node, fields)

    # Definitions.

    def function(self, node: cst.FunctionDef) -> None:
        decorators = [decorator.decorator for decorator in node.decorators]
        values = [*decorators, *defaults(node.params).expressions]
        done = self.outside(node, values)
        body = self.enter(node)
        fields: dict[str, Any] = {"body": body}
        if done:
            fields["decorators"] = [substitute(decorator, done) for decorator in node.decorators]
            fields["params"] = substitute(node.params, done)
        self.compose(node, fields)
        self.steps.bound.add(node.name.value)

    def class_(self, node: cst.ClassDef) -> None:
        decorators = [decorator.decorator for decorator in node.decorators]
        arguments = [*node.bases, *node.keywords]
        done = self.outside(node, [*decorators, *(argument.value for argument in arguments)])
        body = self.enter(node)
        fields: dict[str, Any] = {"body": body}
        if done:
            fields["decorators"] = [substitute(decorator, done) for decorator in node.decorators]
            fields["bases"] = [substitute(argument, done) for argument in node.bases]
            fields["keywords"] = [substitute(argument, done) for argument in node.keywords]
        self.compose(node, fields)
        self.steps.bound.add(node.name.value)

    def outside(
        self, node: cst.FunctionDef | cst.ClassDef, values: Sequence[cst.BaseExpression]
    ) -> dict[int, cst.BaseExpression]:
        """The steps for what a definition evaluates in the scope around it, before the definition."""
        reason = self.frozen
        if not reason and node.type_parameters is not None:
            reason = "evaluated in the scope of the type parameters"
        if not reason and isinstance(node, cst.ClassDef) and any(argument.star for argument in node.bases):
            reason = "after a starred argument"
        if not reason:
            return self.steps.ordered(values, shown=values)
        for value in values:
            self.steps.leave(value, reason, root=True)
        return {}


_INSIDE = (
    cst.BaseStatement,
    cst.BaseSuite,
    cst.Else,
    cst.Finally,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
    cst.MatchCase,
)
_ELSEWHERE = (cst.FunctionDef, cst.ClassDef)


def breaks(node: cst.CSTNode) -> bool:
    """Whether a `break` in the body of a loop ends that loop."""
    for child in children(node):
        if isinstance(child, cst.Break):
            return True
        if isinstance(child, (cst.For, cst.While)):
            if child.orelse is not None and breaks(child.orelse):
                return True
        elif isinstance(child, _INSIDE) and not isinstance(child, _ELSEWHERE) and breaks(child):
            return True
    return False
