"""Productions for classes: bodies, metaclasses, descriptors, slots, dataclasses, `super()`. Each class is used at once.

A class body runs once, in order, and the names that it binds become attributes. A temporary in it would be visible.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from rewrite.program_grammar.definitions import VARIABLES, function_scope, names_in
from rewrite.program_grammar.productions import GrammarScope, indent
from rewrite.program_grammar.statements import statement_form, suite, target, value


def body_scope(scope: GrammarScope) -> GrammarScope:
    """The scope of expressions in a class body, which does not use the variables of the enclosing function."""
    return replace(function_scope(scope), names=(), walrus=False)


def method(draw: st.DrawFn, scope: GrammarScope, header: str, last: str) -> list[str]:
    """A method whose statements may rebind variables of the function that encloses the class."""
    inside = draw(suite(replace(function_scope(scope), names=())))
    unbound = [name for name in VARIABLES if name in names_in([line[4:] for line in inside])]
    nonlocals = [f"nonlocal {', '.join(unbound)}"] if unbound else []
    return [header, *indent(nonlocals), *inside, f"    {last}"]


@statement_form("class")
def class_definition(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    inner = body_scope(scope)
    fields = [f"{name} = {value(draw, 'int', inner)}" for name in ("x", "__y")[: draw(st.integers(1, 2))]]
    lines = [*["@deco(§)"] * draw(st.integers(0, 1)), f"class C{draw(st.sampled_from(['', '(t(§, object))']))}:"]
    lines += indent([*fields, *method(draw, scope, "def m(self):", "return self.__dict__, super().__str__")])
    return [*lines, "t(§, sorted(vars(C)))", "C().m()[0]", f"{draw(target(scope))} = C.x"]


@statement_form("class")
def class_with_statements_in_its_body(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """Branches and loops in a class body, and a comprehension, which cannot read the names of the body."""
    inner = body_scope(scope)
    first = [f"if {value(draw, 'bool', inner)}:", f"    x = {value(draw, 'int', inner)}", "else:", "    x = t(§, 0)"]
    second = draw(st.sampled_from(["y = [t(§, i) for i in it(§, x)]", "y = x + t(§, 1)", "x += t(§, 1)"]))
    third = ["for i in it(§, 2):", f"    z = i * ({value(draw, 'int', inner)})"] if draw(st.booleans()) else []
    return ["class C:", *indent([*first, second, *third]), f"{draw(target(scope))} = t(§, C.x)", "h(*sorted(vars(C)))"]


@statement_form("metaclass")
def class_with_a_metaclass(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """Bases and keywords are evaluated from left to right, then the body; `Meta` logs each binding of the body."""
    inner = body_scope(scope)
    keywords = draw(st.sampled_from(["metaclass=t(§, Meta)", "metaclass=Meta, k={0}", "k={0}, metaclass=t(§, Meta)"]))
    header = f"class C(t(§, object), {keywords.format(value(draw, 'int', inner))}):"
    fields = [f"{name} = {value(draw, 'int', inner)}" for name in ("x", "y")]
    return [header, *indent([*fields, "def m(self): return t(§, self.y)"]), f"{draw(target(scope))} = C.x + C().m()"]


@statement_form("descriptor")
def class_with_descriptors(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    inner = body_scope(scope)
    made = f"x = Field(§, {value(draw, 'int', inner)})"
    getter = ["@property", *method(draw, scope, "def y(self):", f"return self.x + ({value(draw, 'int', inner)})")]
    setter = ["@y.setter", "def y(self, new):", "    self.x = t(§, new)"] if draw(st.booleans()) else []
    use = [f"{draw(target(scope))} = c.y", f"c.x = {value(draw, 'int', scope)}", "c.y += t(§, 1)"]
    return ["class C:", *indent([made, *getter, *setter]), "c = C()", *use, "del c.x"]


@statement_form("static method")
def class_with_methods_of_its_own(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """Defaults and decorators of methods are evaluated in the class body."""
    inner = body_scope(scope)
    lines = ["class C:", "    n = t(§, 0)", "    @classmethod", f"    def make(cls, k={value(draw, 'int', inner)}):"]
    lines += ["        cls.n += t(§, k)", "        return cls()"]
    lines += [f"    @{draw(st.sampled_from(['staticmethod', 'deco(§)']))}"]
    lines += [f"    def twice(k, *, by={value(draw, 'int', inner)}):", "        return t(§, k) * by"]
    return [*lines, "C.make(), C.make(t(§, 2))", f"{draw(target(scope))} = C.twice({value(draw, 'int', scope)}) + C.n"]


@statement_form("slots")
def class_with_slots(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    lines = ["class C:", "    __slots__ = ('x', *t(§, ('y',)))", "    def __init__(self, x):"]
    lines += ["        self.x = t(§, x)", f"        self.{draw(st.sampled_from(['y', 'z']))} = t(§, self.x) + 1"]
    return [*lines, f"{draw(target(scope))} = C({value(draw, 'int', scope)}).y"]


@statement_form("dataclass")
def dataclass(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """Annotations and defaults of fields are evaluated in order; a temporary must not become a field."""
    inner = body_scope(scope)
    lines = ["from dataclasses import dataclass, field", "@dataclass(order=t(§, True))", "class D:"]
    lines += [f"    x: t(§, int) = {value(draw, 'int', inner)}"]
    lines += ["    y: list = field(default_factory=lambda: [t(§, 1)])"]
    lines += ["    def __post_init__(self):", "        self.y.append(t(§, self.x))"]
    use = draw(st.sampled_from(["D({0}).y[-1]", "len(repr(D()))", "(D({0}) < D({1})) + 0", "D(x={0}, y=[t(§, 2)]).x"]))
    return [*lines, f"{draw(target(scope))} = {use.format(value(draw, 'int', scope), value(draw, 'int', scope))}"]


@statement_form("super")
def derived_class(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """`super()` without arguments needs the cell `__class__` of the method that contains it."""
    inner = body_scope(scope)
    base = ["class B:", "    def __init__(self, *args):", "        LOG.append(args)", "    def m(self, k):"]
    base += [f"        return t(§, k) + ({value(draw, 'int', inner)})"]
    derived = ["class C(B):", "    def __init__(self, k):"]
    derived += [f"        super().__init__(t(§, k), {value(draw, 'int', inner)})"]
    derived += ["    def m(self, k):", f"        return super().m(t(§, k) + 1) * ({value(draw, 'int', inner)})"]
    call = f"{draw(target(scope))} = C({value(draw, 'int', scope)}).m({value(draw, 'int', scope)})"
    return [*base, *derived, call]
