# ruff: noqa: E501 - programs on one line
"""Faults that only a second call on the same module shows: counters, caches, collections, defaults, open iterators."""

from tests.rewrite.faults import Fault, fault


def repeated(name: str, call: str, before: str, old: str, new: str) -> Fault:
    """A rewrite that adds a line and changes nothing, and one with a slip."""
    return fault(name, "state between calls", call, before, "_t0 = 0\n" + before.lstrip("\n"), old, new)


FAULTS = [
    repeated(
        "a counter set to one", "f(3)",
        "N = 0\ndef f(n: int) -> int:\n    global N\n    N += 1\n    return n\n",
        "N += 1", "N = 1",
    ),
    repeated(
        "a total that starts anew", "f(3)",
        "total = 0\ndef f(n: int) -> int:\n    global total\n    total = total + n\n    return total\n",
        "total = total + n", "total = 0 + n",
    ),
    repeated(
        "a collection made anew", "f(3)",
        "seen = set()\ndef f(n: int) -> bool:\n    global seen\n    seen = seen | {n}\n    return n in seen\n",
        "seen = seen | {n}", "seen = set() | {n}",
    ),
    repeated(
        "what was seen is not asked", "f(3)",
        "seen = set()\ndef f(n: int) -> bool:\n    known = n in seen\n    seen.add(n)\n    return known\n",
        "known = n in seen", "known = False",
    ),
    repeated(
        "a hit of a cache", "f(3)",
        "C = {}\ndef f(n: int) -> int:\n    if n not in C:\n        C[n] = n * 2\n    return C[n]\n",
        "return C[n]", "return C.pop(n)",
    ),
    repeated(
        "a hit that changes the value", "f(3)",
        "C = {}\ndef f(n: int) -> int:\n    if n in C:\n        return C[n]\n    C[n] = n * 2\n    return n * 2\n",
        "return C[n]", "return C[n] + 1",
    ),
    repeated(
        "a cache that forgets what it was asked for", "f(3)",
        "C = {}\ndef f(n: int) -> int:\n    if n not in C:\n        C[n] = n * 2\n    return C[n]\n",
        "if n not in C", "if not C",
    ),
    repeated(
        "a first call unlike the others", "f(3)",
        "first = True\ndef f(n: int) -> int:\n    global first\n    was, first = first, False\n    return n if was else n + 1\n",
        "n if was else n + 1", "n if was else n + 2",
    ),
    repeated(
        "a toggle that sticks", "f(3)",
        "on = False\ndef f(n: int) -> bool:\n    global on\n    on = not on\n    return on\n",
        "on = not on", "on = True",
    ),
    repeated(
        "a mutable default asked for its length", "f(3)",
        "def f(n: int, held: list[int] = []) -> int:\n    held.append(n)\n    return n\n",
        "held.append(n)", "held[:] = [n]",
    ),
    repeated(
        "an attribute of a class set, not raised", "f(3)",
        "class A:\n    made = 0\ndef f(n: int) -> int:\n    A.made += 1\n    return n\n",
        "A.made += 1", "A.made = 1",
    ),
    repeated(
        "an attribute of the function", "f(3)",
        "def f(n: int) -> int:\n    f.calls += 1\n    return n\nf.calls = 0\n",
        "f.calls += 1", "f.calls = 1",
    ),
    repeated(
        "a generator left open", "f(3)",
        "held = []\ndef f(n: int) -> object:\n    held.append(n)\n    return (x for x in held)\n",
        "(x for x in held)", "(x for x in [*held])",
    ),
    repeated(
        "one object for all calls", "f(3)",
        "last = []\ndef f(n: int) -> list[int]:\n    last[:] = [n]\n    return last\n",
        "return last", "return [*last]",
    ),
    repeated(
        "an identifier given twice", "f('a')",
        "ids = {}\ndef f(s: str) -> int:\n    return ids.setdefault(s, len(ids))\n",
        "ids.setdefault(s, len(ids))", "ids.setdefault(s, 0)",
    ),
]  # fmt: skip
