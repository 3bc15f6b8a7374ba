"""Names that are said to be certain have a value on every way through, and no other name is asked for too early."""

from __future__ import annotations

import contextlib
import itertools
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import libcst as cst
from hypothesis import assume, example, given

from rewrite.analysis.bound_names import BoundNames
from rewrite.analysis.definite_assignment import DefiniteAssignment
from tests.rewrite.analysis.bodies import NAMES, bodies

STEPS = 12  # so many choices, then the way is given up


class EndlessError(Exception):
    """The way is longer than we look."""


class Way:
    """What a body asks for on one way through it, and what had a value at its end (None: it was not reached)."""

    def __init__(self, choices: Iterable[bool]) -> None:
        self.answers = itertools.islice(itertools.cycle(choices), STEPS)
        self.given_up = False
        self.found: set[str] | None = None

    def choose(self) -> bool:
        for answer in self.answers:
            return answer
        self.given_up = True
        raise EndlessError

    def end(self, variables: dict[str, object]) -> None:
        self.found = set(variables)


def ways(body: str, given: frozenset[str]) -> Iterator[tuple[str, set[str] | None]]:
    """For ways through a body: why it failed for want of a name, if it did, and what had a value at its end.

    given: the names that have a value before.
    """
    before = "".join(f"    {name} = 0\n" for name in sorted(given))
    source = f"def f():\n{before}{textwrap.indent(body, '    ')}\n    end(locals())\n"
    for choices in itertools.product([True, False], repeat=3):
        way, why = Way(choices), ""
        namespace: dict[str, Any] = {
            "choose": way.choose,
            "two": lambda: [1, 2],
            "context": contextlib.nullcontext,
            "print": lambda _: None,
            "end": way.end,
        }
        exec(compile(source, "<drawn>", "exec"), namespace)
        try:
            namespace["f"]()
        except (EndlessError, ValueError):
            pass
        except NameError as error:
            why = str(error)
        if not way.given_up:
            yield why, way.found


def parsed(body: str) -> list[cst.CSTNode]:
    try:
        compile(f"def f():\n{textwrap.indent(body, '    ')}\n", "<drawn>", "exec")
    except SyntaxError:
        assume(False)
    return list(cst.parse_module(body + "\n").body)


def certain(body: list[cst.CSTNode], names: frozenset[str]) -> frozenset[str] | None:
    certainty, bound = DefiniteAssignment(frozenset(NAMES)), names
    for statement in body:
        after = certainty.after(statement, bound)
        if after is None:
            return None
        bound = after
    return bound


@given(bodies)
@example("a = 1\nif choose():\n    del a\nelse:\n    b = 1")
@example("while True:\n    choose()\n    a = 1\n    if choose():\n        break")
@example("while choose():\n    break\nelse:\n    a = 1")
@example("try:\n    a = 1\nfinally:\n    del a")
def test_what_is_certain_after_a_body_is_there_on_every_way(body: str) -> None:
    statements = parsed(body)
    for names in (frozenset[str](), frozenset("a")):
        promised = certain(statements, names)
        for _, found in ways(body, names):
            assert found is None or (promised is not None and promised <= found)


@given(bodies)
@example("if choose():\n    a = 1\nprint(a)")
@example("for a in two():\n    b = a\nprint(b)")
def test_a_name_that_is_not_exposed_is_not_missed(body: str) -> None:
    """Nobody deletes a temporary but where nothing reads it any more, so bodies that delete are left out."""
    assume("del " not in body)
    exposed = DefiniteAssignment(frozenset(NAMES)).exposed(parsed(body))
    for why, _ in ways(body, exposed):
        assert not why


def test_what_a_block_binds_is_forgotten_at_its_end() -> None:
    names = BoundNames(["a"])
    with names.block() as outer:
        names.update(["b"])
        with names.block() as inner:
            names.add("c")
            assert all(name in names for name in "abc")
            assert (outer, inner) == ({"b"}, {"c"})
        assert "c" not in names
    assert [name in names for name in "abc"] == [True, False, False]
