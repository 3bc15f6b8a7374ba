"""What iterators yield and what can be seen at each step: in the snapshot of a run, and step by step."""

import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import pytest

from corpora.execute import run_call, run_calls
from corpora.sandbox.values.iteration import iterator_steps

DIFFERENT = {
    "printing before the first item or when called": (
        "print(1)\n    return (x for x in [1])",
        "def g():\n        print(1)\n        yield 1\n    return g()",
    ),
    "printing before an item or after it": ("print(1); yield 1", "yield 1; print(1)"),
    "an argument changed before an item or after it": ("a.append(1); yield 1", "yield 1; a.append(1)"),
    "a global changed before an item or after it": ("global n; n = 1; yield 1", "global n; yield 1; n = 1"),
    "a class changed before an item or after it": ("C.x += 1; yield 1", "yield 1; C.x += 1"),
    "an item changed after it was given": ("b = []; yield b; b.append(1)", "b = []; b.append(1); yield b"),
    "an item and a copy of it": ("b = []; yield b; yield b", "b = []; yield b; yield b[:]"),
    "an earlier item changed at another time": (
        "b = []; yield b; b.append(1); yield 1; yield 2",
        "b = []; yield b; yield 1; b.append(1); yield 2",
    ),
    "what is returned at the end": ("yield 1; return 2", "yield 1; return 3"),
    "raising before an item and after it": ("yield 1; raise KeyError", "raise KeyError; yield 1"),
    "a generator in a list": (
        "def g():\n        print(1); yield\n    return [g()]",
        "def g():\n        yield; print(1)\n    return [g()]",
    ),
    "where an iterator in a global stands": ("next(it)", "pass"),
    "where an endless iterator in a global stands": ("next(c)", "pass"),
}
MODULE = "import itertools\nn = 0\nit = (x for x in [1, 2])\nc = itertools.count()\nclass C: x = 0\n"


@pytest.mark.parametrize("bodies", DIFFERENT.values(), ids=DIFFERENT)
def test_what_happens_at_another_step_is_another_snapshot(bodies: tuple[str, str]) -> None:
    first, second = (run_call(f"{MODULE}def f(a):\n    {body}\n", "f([5])") for body in bodies)
    again = run_call(f"{MODULE}def f(a):\n    {bodies[0]}\n", "f([5])")
    assert (first.status, second.status) == ("ok", "ok")
    assert first.snapshot == again.snapshot != second.snapshot


def test_a_generator_argument_is_read_on_where_the_call_left_it() -> None:
    source = "def g():\n    yield 1\n    print('x')\n    yield 2\ndef f(a): return next(a)\n"
    outcome = run_call(source, "f(g())")
    assert json.loads(outcome.snapshot)["arguments"][0][3][1:] == [["int", "2"], ["seen", 2, *seen(outcome)[-1][2:]]]


def test_what_is_printed_while_a_result_is_read_belongs_to_its_call() -> None:
    source = "def f(n):\n    print('a', n)\n    def g():\n        print('b', n); yield\n    return g()\n"
    assert [outcome.stdout for outcome in run_calls(source, ["f(1)", "f(2)"])] == ["a 1\nb 1\n", "a 2\nb 2\n"]


def test_output_without_end_while_a_result_is_read_is_output() -> None:
    source = "def f():\n    while True:\n        yield print('x' * 10_000)\n"
    assert run_call(source, "f()").status == "output"


def test_items_without_effects_are_not_accompanied() -> None:
    outcome = run_call("def f(a): yield from a\n", "f([1, 2, 3])")
    assert len(seen(outcome)) == 1


def test_an_endless_generator_is_read_a_part_of_the_way() -> None:
    outcome = run_call("def f():\n    while True: yield 1\n", "f()")
    assert '"unread":true' in outcome.snapshot
    assert '"capped":false' in outcome.snapshot


def test_looking_ends_where_there_is_too_much_to_see_and_that_is_said() -> None:
    source = "def f(a):\n    for i in range(450):\n        a[i] += 1\n        yield i\n"
    outcome = run_call(source, f"f({[0] * 900})")
    assert '"unread":true' in outcome.snapshot
    assert len(json.loads(outcome.snapshot)["ok"][3]) > 450


def seen(outcome: Any) -> list[Any]:
    nodes = json.loads(outcome.snapshot)
    inside = nodes["ok"] if nodes["ok"][0] == "iterator" else nodes["arguments"][0]
    return [node for node in inside[3] if node[0] == "seen"]


def broken() -> Iterator[int]:
    yield 1
    raise KeyError("x")


def returning() -> Any:
    yield 1
    return "end"


class Wait:
    def __await__(self) -> Any:
        return (yield "loop")


async def waiting() -> str:
    await Wait()
    return "end"


async def asynchronous() -> AsyncIterator[int]:
    yield 1
    await Wait()
    yield 2


def endless() -> Iterator[int]:
    while True:
        yield 1


STEPS: dict[str, tuple[Callable[[], object], Sequence[object]]] = {
    "an exception": (broken, [("item", 1), ("raised", "KeyError('x')")]),
    "a returned value": (returning, [("item", 1), ("returned", "end")]),
    "a coroutine": (waiting, [("item", "loop"), ("returned", "end")]),
    "an asynchronous generator": (asynchronous, [("item", (1, False)), ("item", ("loop", True)), ("item", (2, False))]),
    "one that does not end": (endless, [("item", 1)] * 4 + [("unread", 4)]),
}


@pytest.mark.parametrize("case", STEPS.values(), ids=STEPS)
def test_each_step_is_told(case: tuple[Callable[[], Any], Sequence[object]]) -> None:
    make, expected = case
    found = [(kind, repr(item) if kind == "raised" else item) for kind, item in iterator_steps(make(), 4)]
    assert found == expected
