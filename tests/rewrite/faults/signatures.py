"""Faults in how functions are called: defaults, names of parameters, what may go by keyword, stars."""

from tests.rewrite.faults import Fault, fault


def signed(name: str, call: str, signature: str, other: str, body: str = "return x") -> Fault:
    """A function with another signature, and all it returns the same."""
    before = f"def f({signature}) -> object:\n    {body}\n"
    return fault(
        name, "signature", call, before, before.replace("    return", "    _t0 = 0\n    return"),
        f"def f({signature})", f"def f({other})",
    )  # fmt: skip


METHOD = """
class A:
    def __init__(self, x: int = 1) -> None:
        self.x = x

    def m(self, y: int = 2) -> int:
        return self.x + y

def f(n: int) -> object:
    made = A(n)
    made.m(1)
    return made
"""

FAULTS = [
    signed("another default", "f(1, 2)", "x: int, y: int = 2", "x: int, y: int = 3", "return x + y"),
    signed("a default of another type", "f(1, 2)", "x: int, y: int = 2", "x: int, y: float = 2.0", "return [x, y]"),
    signed("a default that is unused", "f(1, 2)", "x: int, y: int = 2", "x: int, y: int = 3"),
    signed("a default dropped", "f(1, 2)", "x: int, y: int = 2", "x: int, y: int", "return x + y"),
    signed("a default added", "f(1, 2)", "x: int, y: int", "x: int, y: int = 2", "return x + y"),
    signed("a parameter renamed", "f(1, 2)", "x: int, y: int", "x: int, z: int"),
    signed("parameters that change places", "f(1, 2)", "x: int, y: int", "y: int, x: int", "return sorted([x, y])"),
    signed("no longer by keyword", "f(1, 2)", "x: int, y: int", "x: int, y: int, /"),
    signed("by keyword only", "f(1, 2)", "x: int, y: int = 2", "x: int, *, y: int = 2"),
    signed("one parameter more", "f(1)", "x: int", "x: int, y: int = 0"),
    signed("one parameter less", "f(1)", "x: int, y: int = 0", "x: int"),
    signed("stars that take nothing", "f(1)", "x: int, *rest: int", "x: int"),
    signed("keywords that are not taken", "f(1)", "x: int, **more: int", "x: int"),
    signed("another keyword default", "f(1)", "x: int, *, y: int = 2", "x: int, *, y: int = 4", "return x + y"),
    fault(
        "the number of arguments capped", "signature", "f(1, 2)",
        "def f(*a: int) -> int:\n    return len(a)\n", "def f(*a: int) -> int:\n    _t0 = len(a)\n    return _t0\n",
        "return _t0", "return min(_t0, 2)",
    ),
    fault(
        "the order of keywords", "signature", "f(a=1)",
        "def f(**k: int) -> list[str]:\n    return list(k)\n", "def f(**k: int) -> list[str]:\n    return [*k]\n",
        "[*k]", "sorted(k)",
    ),
    fault(
        "a default of a method", "signature", "f(1)",
        METHOD, METHOD.replace("return self.x + y", "_t0 = self.x\n        return _t0 + y"), "y: int = 2", "y: int = 3",
    ),
    fault(
        "a parameter of a method renamed", "signature", "f(1)",
        METHOD, METHOD.replace("self.x + y", "y + self.x"), "m(self, y: int = 2) -> int:\n        return y",
        "m(self, z: int = 2) -> int:\n        return z",
    ),
    fault(
        "a function beside the one that is called", "signature", "f(1)",
        "def f(x: int) -> int:\n    return g(x, 0)\n\ndef g(x: int, y: int = 2) -> int:\n    return x\n",
        "def f(x: int) -> int:\n    _t0 = g(x, 0)\n    return _t0\n\ndef g(x: int, y: int = 2) -> int:\n    return x\n",
        "y: int = 2", "y: int = 3",
    ),
]  # fmt: skip
