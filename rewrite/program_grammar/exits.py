"""Productions for exits: exception handlers of every kind, `finally`, and `return` inside them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from rewrite.program_grammar.definitions import function_scope, parameters
from rewrite.program_grammar.productions import GrammarScope, indent
from rewrite.program_grammar.statements import block, statement_form, suite, target, value

ERRORS = ["ValueError", "Exception", "(KeyError, IndexError)", "t(§, ValueError)", "TypeError"]
GROUPED = ["ValueError", "KeyError", "t(§, (ValueError, KeyError))", "Exception"]


@statement_form("try")
def try_statement(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    lines = ["try:", *draw(suite(scope))]
    handlers = draw(st.integers(0, 2))
    for _ in range(handlers):
        error = draw(st.sampled_from(ERRORS))
        if draw(st.booleans()):
            lines += [f"except {error} as error:", "    t(§, str(error))", *draw(suite(scope))]
        else:
            lines += [f"except {error}:", *draw(suite(scope))]
    if handlers and draw(st.booleans()):
        lines += ["else:", *draw(suite(scope))]
    if not handlers or draw(st.booleans()):
        # A jump out of `finally` is legal, but a SyntaxWarning since Python 3.14.
        lines += ["finally:", *draw(suite(replace(scope, loop=False)))]
    return lines


@statement_form("except star")
def handlers_that_share_a_group(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """`except*`: each handler takes a part of an exception group, the rest propagates. No jump may leave a handler."""
    errors = draw(st.lists(st.sampled_from(["ValueError", "KeyError", "TypeError"]), min_size=1, max_size=3))
    members = ", ".join(f"{error}(t(§, {number}))" for number, error in enumerate(errors))
    group = f"raise ExceptionGroup(t(§, 'g'), [{members}])"
    still = replace(scope, loop=False)
    lines = ["try:", *draw(suite(scope)), *([f"    {group}"] if draw(st.booleans()) else [])]
    for _ in range(draw(st.integers(1, 2))):
        lines += [f"except* {draw(st.sampled_from(GROUPED))} as error:", "    LOG.append(repr(error))"]
        lines += draw(suite(still))
    if draw(st.booleans()):
        lines += ["else:", *draw(suite(scope))]
    return [*lines, "finally:", *draw(suite(still))] if draw(st.booleans()) else lines


@statement_form("return")
def returning_past_finally(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """The returned value is computed before `finally` runs, which may return another one."""
    inner = function_scope(scope)
    first = [*draw(block(inner, 2)), f"return {value(draw, 'int', inner)}"]
    shape = draw(st.sampled_from(["finally", "replaced", "with", "loop"]))
    if shape == "with":
        body = [f"with cm(§, {value(draw, 'bool', inner)}):", *indent(first), "return t(§, 0)"]
    elif shape == "loop":
        body = ["while go(§):", "    try:", *indent(indent(first)), "    finally:"]
        body += [f"        if {value(draw, 'bool', inner)}: break", "return t(§, 0)"]
    else:
        last = [f"    return {value(draw, 'int', inner)}"] if shape == "replaced" else []
        body = ["try:", *indent(first), "except ValueError:", f"    return {value(draw, 'int', inner)}"]
        body += ["finally:", *draw(suite(inner)), *last]
    signature, outer = draw(parameters(scope, body))
    return [f"def leave({signature}):", *indent(outer + body), f"{draw(target(scope))} = leave()"]
