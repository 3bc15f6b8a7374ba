"""Faults behind values that only the rewrite mentions: constants, computed ones, lengths, keys, types, patterns."""

from tests.rewrite.faults import Fault, fault


def rare(name: str, call: str, parameter: str, test: str) -> Fault:
    """A function that gives its argument back, but for where a test holds."""
    before = f"import re\n\ndef f({parameter}) -> object:\n    return n\n"
    return fault(
        name, "rare value", call, before, before.replace("return n", "result = n\n    return result"),
        "return result", f"return result if not ({test}) else 0",
    )  # fmt: skip


FAULTS = [
    rare("one number", "f(3)", "n: int", "n == 4711"),
    rare("a number next to a threshold", "f(3)", "n: int", "n > 99998 and n < 100000"),
    rare("a computed number", "f(3)", "n: int", "n == 47 * 100 + 11"),
    rare("a number behind arithmetic", "f(3)", "n: int", "3 * n + 1 == 14134"),
    rare("a square", "f(3)", "n: int", "n * n == 1369"),
    rare("a remainder", "f(3)", "n: int", "n > 0 and n % 7919 == 13"),
    rare("a fraction", "f(0.5)", "n: float", "n == 2.71828"),
    rare("one text", "f('a')", "n: str", "n == 'xyzzy'"),
    rare("a text in capitals", "f('a')", "n: str", "n.lower() == 'xyzzy' and n != 'xyzzy'"),
    rare("a text turned round", "f('a')", "n: str", "n[::-1] == 'xyzzy'"),
    rare("a text that begins so", "f('a')", "n: str", "n.startswith('xyzzy') and len(n) > 5"),
    rare("a text of digits", "f('a')", "n: str", "n == str(4711)"),
    rare("a text built of parts", "f('a')", "n: str", "n == 'xy' + 'z' * 2 + chr(121)"),
    rare("a text that matches", "f('a')", "n: str", "re.fullmatch('[A-F]{3}-[0-9]+', n)"),
    rare("the length of a text", "f('a')", "n: str", "len(n) == 37"),
    rare("the length of a list", "f([1])", "n: list[int]", "len(n) == 37"),
    rare("a member of a list", "f([1])", "n: list[int]", "4711 in n"),
    rare("a sum", "f([1])", "n: list[int]", "sum(n) == 4711"),
    rare("a tuple", "f((1, 'a'))", "n: tuple[int, str]", "n == (47, 'xyzzy')"),
    rare("a key", "f({'a': 1})", "n: dict[str, int]", "'xyzzy' in n"),
    rare("a value under a key", "f({'a': 1})", "n: dict[str, int]", "n.get('xyzzy') == 4711"),
    rare("a value deep inside", "f({'a': {'b': 1}})", "n", "n == {'a': {'b': 4711}}"),
    rare("a type", "f(1)", "n", "isinstance(n, frozenset)"),
    rare("a type named exactly", "f(1)", "n", "type(n) is bytes"),
    rare("the first letters of a text", "f('a')", "n: str", "n[:2] == 'xy'"),
    fault(
        "a message that only the original has", "rare value", "f(3)",
        """
        def f(n: int) -> int:
            if n == 4711:
                raise ValueError('not that one')
            return n
        """,
        """
        def f(n: int) -> int:
            _t0 = n == 4711
            if _t0:
                raise ValueError('not that one')
            return n
        """,
        "'not that one'", "'not this one'",
    ),
    fault(
        "a test behind another", "rare value", "f('a', [1])",
        """
        def f(s: str, items: list[int]) -> int:
            if s.startswith('xy'):
                if len(items) > 8:
                    return 1
            return 0
        """,
        """
        def f(s: str, items: list[int]) -> int:
            if s.startswith('xy'):
                _t0 = len(items)
                if _t0 > 8:
                    return 1
            return 0
        """,
        "_t0 > 8", "_t0 > 9",
    ),
]  # fmt: skip
