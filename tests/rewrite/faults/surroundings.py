"""Faults beside the call: standard error, warnings, logging, variables of the module, contexts, a patched library."""

from tests.rewrite.faults import Fault, fault


def beside(name: str, call: str | tuple[()], before: str, old: str, new: str, kind: str = "surroundings") -> Fault:
    """A rewrite that adds a temporary on a line of its own, so that every line has another number, and a slip in it."""
    return fault(name, kind, call, before, "_t0 = 0\n" + before, old, new)


CONTEXT = """def f(x: int) -> int:
    try:
        return {0: 1}[x]
    except KeyError:
        raise ValueError('no')
"""
CAUSE = CONTEXT.replace("KeyError:", "KeyError as error:").replace("'no')", "'no') from error")
COUNTED = """class A:
    def __init__(self, x: int) -> None:
        self.x = x

    def m(self, y: int) -> int:
        self.x += y
        return y

    @property
    def p(self) -> int:
        return self.x + 1

    @staticmethod
    def s(y: int) -> int:
        return y + 1

    @classmethod
    def c(cls, y: int) -> int:
        return cls(y).x + 1

    def __len__(self) -> int:
        return 5
"""

FAULTS = [
    beside(
        "what goes to standard error", "f(1)",
        "import sys\ndef f(x: int) -> int:\n    print('low', file=sys.stderr)\n    return x\n", "'low'", "'high'",
    ),
    beside(
        "another stream", "f(1)",
        "import sys\ndef f(x: int) -> int:\n    sys.stderr.write('low')\n    return x\n", "sys.stderr", "sys.stdout",
    ),
    beside(
        "the text of a warning", "f(1)",
        "import warnings\ndef f(x: int) -> int:\n    warnings.warn('low')\n    return x\n", "'low'", "'high'",
    ),
    beside(
        "the category of a warning", "f(1)",
        "import warnings\ndef f(x: int) -> int:\n    warnings.warn('low', RuntimeWarning)\n    return x\n",
        "RuntimeWarning", "UserWarning",
    ),
    beside(
        "a warning lost", "f(1)",
        "import warnings\ndef f(x: int) -> int:\n    warnings.warn('low', stacklevel=2)\n    return x\n",
        "    warnings.warn('low', stacklevel=2)\n", "",
    ),
    beside(
        "the level of a message", "f(1)",
        "import logging\ndef f(x: int) -> int:\n    logging.error('low %d', x)\n    return x\n", "error", "warning",
    ),
    beside(
        "a message under another name", "f(1)",
        "import logging\nlog = logging.getLogger('a')\ndef f(x: int) -> int:\n    log.warning('low')\n    return x\n",
        "getLogger('a')", "getLogger('b')",
    ),
    beside(
        "a logged exception", "f(1)",
        "import logging\ndef f(x: int) -> int:\n    try:\n        return 1 // 0\n    except ZeroDivisionError:\n"
        "        logging.exception('low')\n    return x\n",
        "1 // 0", "1 % 0",
    ),
    beside("a number of the module", "f(1)", "LIMIT = 10\ndef f(x: int) -> int:\n    return x\n", "10", "11"),
    beside("a table of the module", "f(1)", "T = {'a': [1]}\ndef f(x: int) -> int:\n    return x\n", "[1]", "(1,)"),
    beside("a variable gone", "f(1)", "LIMIT = 10\ndef f(x: int) -> int:\n    return x\n", "LIMIT = 10", "pass"),
    beside(
        "two names for one list", "f(1)", "A = []\nB = A\ndef f(x: int) -> int:\n    return x\n", "B = A", "B = []",
    ),
    beside("what loading prints", "f(1)", "print('on')\ndef f(x: int) -> int:\n    return x\n", "'on'", "'off'"),
    beside(
        "the context of an exception", "f(1)", CONTEXT, "except KeyError:", "except KeyError:\n        pass\n    if 1:",
    ),
    beside("the context suppressed", "f(1)", CONTEXT, "'no')", "'no') from None"),
    beside("the cause of an exception", "f(1)", CAUSE, " from error", ""),
    beside("a method without a call", (), COUNTED, "self.x += y", "self.x = y"),
    beside("a property without a call", (), COUNTED, "self.x + 1", "self.x + 2"),
    beside("a static method without a call", (), COUNTED, "return y + 1", "return y + 2"),
    beside("a class method without a call", (), COUNTED, "cls(y).x + 1", "cls(y).x + 2"),
    beside("a special method without a call", (), COUNTED, "return 5", "return 6"),
    *(
        beside(
            f"beside {patch}", "f(1)",
            f"import json, sys, builtins, codecs, collections\ndef f(x: int) -> int:\n    return [x, 1][0]\n{patch}\n",
            "[x, 1]", "[x + 1, 1]", "a patched library",
        )
        for patch in (
            "json.dumps = None",
            "json.encoder.encode_basestring_ascii = None",
            "builtins.repr = builtins.len = builtins.sorted = lambda *_: 'a lie'",
            "builtins.isinstance = builtins.type = lambda *_: True",
            "sys.stdout = None",
            "sys.modules.clear()",
            "codecs.register_error('strict', lambda error: ('', 0))",
            "collections.deque = collections.OrderedDict = None",
        )
    ),
]  # fmt: skip
