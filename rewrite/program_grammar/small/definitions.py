"""Forms of nested functions, closures, generators and classes. Each is used where it is defined."""

from __future__ import annotations

from rewrite.program_grammar.small.generator import Generator, statement_form


@statement_form("nested function")
def nested_function(generator: Generator) -> list[str]:
    name = generator.fresh("g")
    body = generator.inside(loop=False)
    use = generator.one_of(f"a = {name}(a, b, c)", f"a = {name}(b, a, c), {name}(a, a, c)", f"{name}(a, b, c)")
    return [f"def {name}(a, b, c):", *body, "    return a, b, c", use]


@statement_form("default argument")
def default_argument(generator: Generator) -> list[str]:
    """A default is evaluated once, and a mutable one is shared by the calls."""
    name = generator.fresh("g")
    default = generator.one_of("[]", "note([])", "a", "{}", "[a]")
    change = generator.one_of("made.append(x)", "made += [x]", "made = made + [x]", "made[x] = 1")
    use = f"a = {name}(1), {name}(2)" if generator.chance(0.7) else f"a = {name}(b, [0]), {name}(b)"
    return [f"def {name}(x, made={default}):", f"    {change}", "    return made", use]


@statement_form("closure")
def closure(generator: Generator) -> list[str]:
    name = generator.fresh("g")
    step = generator.one_of("total += x", "total = total + x", "total = [x, total]")
    lines = ["total = 0", f"def {name}(x):", "    nonlocal total", f"    {step}", "    return total"]
    return [*lines, generator.one_of(f"{name}(1)", f"b = {name}(a)"), f"a = total, {name}(2), total"]


@statement_form("late binding")
def late_binding(generator: Generator) -> list[str]:
    """Functions made in a loop see the last value of its variable, except as a default."""
    made = generator.one_of("lambda: k", "lambda k=k: k", "lambda: (k, a)")
    return ["made = []", "for k in range(3):", f"    made.append({made})", "a = [each() for each in made]"]


@statement_form("generator")
def generator_function(generator: Generator) -> list[str]:
    name = generator.fresh("g")
    body = generator.draw.choice(
        [
            ["for x in c:", "    yield note(x)"], ["yield a", "yield note(b)"], ["yield from c", "return a"],
            ["try:", "    yield 1", "    yield 2", "finally:", "    print('closed')"], ["got = yield a", "print(got)", "yield got"],
            ["for x in c:", "    if x == a:", "        return", "    yield x"], ["if a: yield a", "yield b"],
        ]
    )  # fmt: skip
    use = generator.one_of(f"a = list({name}())", f"a = next({name}())", f"r = {name}(); b = next(r); c = list(r)", f"a = sum({name}())",
                           f"a = [x for x in {name}()]", f"for x in {name}(): b = x")  # fmt: skip
    return [f"def {name}():", *(f"    {line}" for line in body), use]


@statement_form("class")
def class_(generator: Generator) -> list[str]:
    name = generator.fresh("C")
    lines = [f"class {name}:", "    items = []", "    n = 0", "    def __init__(self, n):", "        self.n = n"]
    steps = ("self.n += x", "self.items += [x]", "self.items = self.items + [x]", "self.n = x", "self.items.append(x)")
    step = generator.one_of(*steps)
    lines += ["    def step(self, x):", f"        {step}", "        return self.n, self.items"]
    uses = (f"a = {name}(a).step(b), {name}.items, {name}.n", f"o = {name}(1); o.step(b); o.n += 1; a = o.n, {name}.n")
    return [*lines, generator.one_of(*uses)]


@statement_form("property")
def property_(generator: Generator) -> list[str]:
    lines = ["class P:", "    @property", "    def n(self):", "        print('get')", "        return 1"]
    lines += ["    @n.setter", "    def n(self, value):", "        print('set', value)", "p = P()"]
    uses = ("p.n += 1", "p.n = note(a)", "a = p.n + p.n", "p.n, a = a, p.n", "a = p.n if p.n else 0")
    return [*lines, generator.one_of(*uses)]


@statement_form("object in a condition")
def object_in_a_condition(generator: Generator) -> list[str]:
    """Conditions call `__bool__` and comparisons, which print."""
    name = generator.name()
    made = generator.one_of("Item(0)", "Item(1)", "[Item(1), Item(0)]", "Item(-1)")
    condition = generator.one_of(
        name, f"not {name}", f"{name} == 1", f"{name} and a", f"{name} or b", f"1 < {name}", f"{name} != 0", f"{name} in [1]", f"len({name})"
    )  # fmt: skip
    tail = ["else:", *generator.block(1)] if generator.chance(0.6) else []
    return [f"{name} = {made}", f"if {condition}:", *generator.block(1), *tail]
