"""Forms of statements. Loops end: they run over a copy or a short range, or count down."""

from __future__ import annotations

from rewrite.program_grammar.small.generator import Generator, statement_form

OPERATORS = ("+=", "-=", "*=", "+=", "|=", "//=", "%=", "&=")


@statement_form("assignment")
def assignment(generator: Generator) -> list[str]:
    return [f"{generator.name()} = {generator.expression()}"]


@statement_form("alias")
def alias(generator: Generator) -> list[str]:
    """Two variables with one object, which a later statement changes in place."""
    first, second = generator.draw.sample(("a", "b", "c"), 2)
    made = generator.one_of("[1, 2]", "[]", "list(note('ab'))", "Item(1)", "{'k': 1}", "{1}")
    start = [f"{first} = {made}"] if generator.chance(0.5) else []
    change = generator.one_of(" += [3]", f" += {second}", ".append(0)", " *= 2", " |= {2}", "[0] = 9")
    return [*start, f"{second} = {first}", f"{first}{change}"]


@statement_form("augmented")
def augmented(generator: Generator) -> list[str]:
    target = generator.one_of(*("a", "b", "c") * 2, "c[0]", "c['k']", "c[note(0)]", "c[1:]", f"{generator.name()}[-1]")
    if generator.chance(0.4):
        return [f"{target} {generator.one_of('+=', '-=')} {generator.one_of('1', '[1]', 'note(1)', '2')}"]
    return [f"{target} {generator.one_of(*OPERATORS)} {generator.expression()}"]


@statement_form("item assignment")
def item_assignment(generator: Generator) -> list[str]:
    target = generator.one_of("c[0]", "c['k']", "c[note(0)]", "c[:1]", "c[-1]", f"b[{generator.expression()}]")
    return [f"{target} = {generator.expression()}"]


@statement_form("several targets")
def several_targets(generator: Generator) -> list[str]:
    first, second = generator.expression(), generator.expression()
    return [
        generator.one_of(
            "a, b = b, a", f"a, b = {first}, {second}", f"a = b = {first}", f"a, *b = {first}", f"a, b = b, note({first})",
            f"(a, b), c = ({first}, {second}), a", f"a = c[0] = {first}", "c[0], c[1] = c[1], c[0]", f"[a, b] = {first}",
        )
    ]  # fmt: skip


@statement_form("expression statement")
def expression_statement(generator: Generator) -> list[str]:
    return [generator.expression()]


@statement_form("if")
def if_(generator: Generator) -> list[str]:
    return [f"if {generator.condition()}:", *generator.block()]


@statement_form("if else")
def if_else(generator: Generator) -> list[str]:
    return [f"if {generator.condition()}:", *generator.block(), "else:", *generator.block()]


@statement_form("elif")
def elif_(generator: Generator) -> list[str]:
    lines = [f"if {generator.condition()}:", *generator.block(1), f"elif {generator.condition()}:", *generator.block(1)]
    return [*lines, "else:", *generator.block(1)] if generator.chance(0.6) else lines


@statement_form("nested if")
def nested_if(generator: Generator) -> list[str]:
    inner = [f"    if {generator.condition()}:", *(f"    {line}" for line in generator.block(1))]
    tail = ["else:", *generator.block(1)] if generator.chance(0.5) else []
    return [f"if {generator.condition()}:", *inner, *tail]


@statement_form("flag")
def flag(generator: Generator) -> list[str]:
    """A condition stored or returned as a bool."""
    name, condition = generator.name(), generator.condition()
    both = generator.one_of("True|False", "False|True", "1|0").split("|")
    if not generator.loop and generator.chance(0.3):
        return [f"if {condition}:", f"    return {both[0]}", f"return {both[1]}"]
    return [f"if {condition}:", f"    {name} = {both[0]}", "else:", f"    {name} = {both[1]}"]


@statement_form("for")
def for_(generator: Generator) -> list[str]:
    variable = generator.fresh("i")
    header = generator.one_of(
        f"for {variable} in range(3):", f"for {variable} in list({generator.expression()})[:4]:",
        f"for {variable} in (0, 1, 'x'):", f"for {variable} in numbers(2):", "for a in [1, 2]:",
        f"for {variable}, b in enumerate('xy'):", f"for {variable}, b in zip([1, 2], 'xyz'):", f"for {variable} in 'ab':",
    )  # fmt: skip
    first = [f"    {generator.name()} = {variable}"] if variable in header and generator.chance(0.4) else []
    body = [*first, *generator.inside(loop=True)]
    tail = ["else:", *generator.block(1)] if generator.chance(0.25) else []
    return [header, *body, *tail]


@statement_form("accumulating loop")
def accumulating_loop(generator: Generator) -> list[str]:
    """A loop that builds a list, a sum, an extreme, or searches; the loop variable may be read behind it."""
    over = generator.one_of("c", "b", "range(3)", "[3, 1, 2]", "'aba'", "list(c)[:3]", "(1, 0)")
    start, step = generator.draw.choice(
        [
            ("r = []", "r.append(x)"), ("r = []", "if x: r.append(note(x))"), ("r = 0", "r += x"), ("r = 0", "r = r + 1"),
            ("r = None", "if r is None or x > r: r = x"), ("r = 0", "if x == a: r += 1"), ("r = ''", "r += str(x)"),
            ("r = {}", "r[x] = r.get(x, 0) + 1"), ("r = False", "if x == a:\n        r = True\n        break"),
            ("r = []", "r += [x]"), ("r = 1", "r *= x"), ("r = []", "r.insert(0, x)"), ("r = set()", "r.add(x)"),
        ]
    )  # fmt: skip
    last = generator.one_of("a = r", "a = r, x", "b = r", "c = [r]")
    return [start, f"for x in {over}:", *f"    {step}".split("\n"), last]


@statement_form("search loop")
def search_loop(generator: Generator) -> list[str]:
    """A loop that ends at the first item that passes a test."""
    over = generator.one_of("c", "b", "[0, 1, 2]", "'aba'", "list(c)[:3]", "(a, 1)")
    test = generator.one_of("x == a", "x", "x != b", "note(x)", "x < b", generator.condition())
    ending = generator.one_of("return x", "return", "return x, a", f"return {generator.expression()}", "break")
    tail = ["else:", *generator.block(1)] if generator.chance(0.25) else []
    return [f"for x in {over}:", f"    if {test}:", f"        {ending}", *tail]


@statement_form("while")
def while_(generator: Generator) -> list[str]:
    n = generator.fresh("n")
    test = generator.one_of(f"{n} > 0", f"{n}", f"{n} > 0 and {generator.condition()}", f"not {n} <= 0", f"{n} != 0")
    body = generator.inside(loop=True)
    tail = ["else:", *generator.block(1)] if generator.chance(0.3) else []
    return [f"{n} = {generator.one_of('2', '3', '1', '0')}", f"while {test}:", f"    {n} -= 1", *body, *tail]


@statement_form("while True")
def while_true(generator: Generator) -> list[str]:
    n = generator.fresh("n")
    body = generator.inside(loop=True)
    return [f"{n} = 0", "while True:", f"    {n} += 1", f"    if {n} > 2:", "        break", *body, f"a = {n}"]


@statement_form("jump")
def jump(generator: Generator) -> list[str]:
    """A jump under a condition; outside of a loop, with a loop around it that does something after it."""
    lines = [f"if {generator.condition()}:", f"    {generator.one_of('break', 'continue')}"]
    if generator.loop:
        return lines
    over = generator.one_of("c", "[0, 1, 2]", "'aba'", "(a, 1)")
    test = generator.one_of("x == a", "x", "x != b", "note(x)", generator.condition())
    return [f"for x in {over}:", f"    if {test}:", f"    {lines[1]}", *generator.block(1), "    b = note(x)"]


@statement_form("return")
def return_(generator: Generator) -> list[str]:
    expressions = (f"return {generator.expression()}", f"return {generator.expression()}")
    value = generator.one_of("return", "return None", *expressions)
    return [f"if {generator.condition()}:", f"    {value}"] if generator.chance(0.8) else [value]


@statement_form("return in both branches")
def return_in_both_branches(generator: Generator) -> list[str]:
    first, second = generator.expression(), generator.expression()
    tail = ["else:", f"    return {second}"] if generator.chance(0.6) else [f"return {second}"]
    return [f"if {generator.condition()}:", f"    return {first}", *tail]


@statement_form("try")
def try_(generator: Generator) -> list[str]:
    raising = generator.one_of("a = fail(a)", "b = 1 // b", "c = c[9]", "a = int('x')", f"a = {generator.expression()}")
    handler = generator.one_of(
        "except Exception as e:|    b = repr(e)", "except (ValueError, TypeError):|    b = 'v'", "except ValueError:|    raise", "except ValueError:|    b = 'v'",
        "except ValueError:|    pass", "except ValueError:|    a = note(b)",
        "except ZeroDivisionError:|    b = 0", "except ValueError as e:|    raise KeyError('k') from e", "except LookupError:|    pass", "except Exception:|    pass",
        "except Exception:|    return 'caught'", "except TypeError:|    b = 't'\nexcept Exception:|    b = 'e'",
    ).replace("|", "\n")  # fmt: skip
    body = [*generator.block(1), f"    {raising}", *generator.block(1)]
    if generator.chance(0.4):
        both = [f"    a = {generator.expression()}", f"    b = {generator.expression()}"]
        body = generator.draw.choice([both, generator.block(), [f"    {raising}"]])
    lines = ["try:", *body, *handler.split("\n")]
    lines += ["else:", *generator.block(1)] if generator.chance(0.3) else []
    return [*lines, "finally:", *generator.inside(loop=False)] if generator.chance(0.3) else lines


@statement_form("finally")
def finally_(generator: Generator) -> list[str]:
    """`finally` with a jump out of the block or an exception before it."""
    value = generator.expression()
    first = generator.one_of(f"return {value}", f"return {value}", "fail(a)", f"a = {value}", "a = c[0]", "return a[0]")
    last = generator.one_of("print('finally')", "a = 0", "b = note(a)", "print(a)")
    return ["try:", f"    {first}", "finally:", f"    {last}"]


@statement_form("with")
def with_(generator: Generator) -> list[str]:
    managers = generator.one_of("Manager()", "Manager(True)", "Manager() as m", "Manager(), Manager(True)")
    return [f"with {managers}:", *generator.block(), *(["    fail(a)"] if generator.chance(0.4) else [])]


@statement_form("assert")
def assert_(generator: Generator) -> list[str]:
    message = f", {generator.expression()}" if generator.chance(0.4) else ""
    return [f"assert {generator.condition()}{message}"]


@statement_form("raise")
def raise_(generator: Generator) -> list[str]:
    errors = ("ValueError(a)", "ValueError('v')", "KeyError('k') from None", "TypeError")
    raised = generator.one_of(*errors, f"ValueError({generator.expression()})")
    return [f"if {generator.condition()}:", f"    raise {raised}"]


@statement_form("delete")
def delete(generator: Generator) -> list[str]:
    return [generator.one_of("del c[0]", "del c['k']", "del c[1:]", "del a", "del c[note(0)], b")]


@statement_form("print")
def print_(generator: Generator) -> list[str]:
    return [f"print({generator.expression()}, {generator.expression()})"]


@statement_form("global")
def global_(generator: Generator) -> list[str]:
    appended = f"shared.append({generator.expression()})"
    return [generator.one_of(appended, "shared.extend([a])", "a = shared", "a = len(shared)")]


@statement_form("match")
def match(generator: Generator) -> list[str]:
    lines = [f"match {generator.expression()}:", "    case [x, *rest]:", "        a = x, rest", "    case {'k': v}:"]
    lines += ["        a = v", "    case int() | float() as number if number:", "        b = number"]
    return [*lines, "    case _:", *(f"    {line}" for line in generator.block(1))]


@statement_form("pass")
def pass_(generator: Generator) -> list[str]:
    return generator.draw.choice([["pass"], [f"if {generator.condition()}:", "    pass", "else:", *generator.block(1)]])


@statement_form("annotated")
def annotated(generator: Generator) -> list[str]:
    return [f"local: int = {generator.expression()}", "a = local"]
