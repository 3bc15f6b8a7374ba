"""Faults that show with values which few people think of: odd digits, line ends, surrogates, numbers past 2 ** 53."""

from tests.rewrite.faults import fault

# fmt: off
FAULTS = [
    fault(
        "a line end after the match", "Unicode", "f('abc')",
        """
        import re
        def f(s: str) -> bool:
            return re.fullmatch('[a-z]+', s) is not None
        """,
        r"""
        import re
        def f(s: str) -> bool:
            return re.match(r'[a-z]+\Z', s) is not None
        """,
        r"\Z", "$",
    ),
    fault(
        "a lone surrogate", "Unicode", "f('abc')",
        """
        def f(s: str) -> bytes:
            return s.encode('utf-8', 'replace')
        """,
        """
        def f(s: str) -> bytes:
            made = s.encode('utf-8', 'replace')
            return made
        """,
        ", 'replace'", "",
    ),
    fault(
        "a number that is no digit", "Unicode", (),
        """
        def f(s: str) -> bool:
            return s.isnumeric()
        """,
        """
        def f(s: str) -> bool:
            found = s.isnumeric()
            return found
        """,
        "isnumeric", "isdigit",
    ),
    fault(
        "a digit that is no decimal", "Unicode", "f('a1b2')",
        """
        def f(s: str) -> list[str]:
            return [c for c in s if c.isdigit()]
        """,
        """
        def f(s: str) -> list[str]:
            found = []
            for c in s:
                if c.isdigit():
                    found.append(c)
            return found
        """,
        "isdigit", "isdecimal",
    ),
    fault(
        "the sign of Kelvin", "Unicode", "f('ok')",
        """
        import re
        def f(s: str) -> bool:
            return bool(re.search('k', s, re.IGNORECASE))
        """,
        """
        import re
        def f(s: str) -> bool:
            found = re.search('k', s, re.IGNORECASE)
            return found is not None
        """,
        "re.search('k', s, re.IGNORECASE)", "re.search('[kK]', s)",
    ),
    fault(
        "a root next to a square", "arithmetic", "f(16)",
        """
        import math
        def f(n: int) -> int:
            return math.isqrt(n) if n >= 0 else -1
        """,
        """
        import math
        def f(n: int) -> int:
            if n < 0:
                return -1
            return math.isqrt(n)
        """,
        "math.isqrt(n)", "int(math.sqrt(n))",
    ),
    fault(
        "half of a number that no float holds", "arithmetic", "f(10)",
        """
        def f(n: int) -> int:
            return abs(n) // 2
        """,
        """
        def f(n: int) -> int:
            size = abs(n)
            return size // 2
        """,
        "size // 2", "int(size / 2)",
    ),
    fault(
        "equal values of other types", "type", "f([3, 1, 3])",
        """
        def f(xs):
            seen = []
            for x in xs:
                if x not in seen:
                    seen.append(x)
            return seen
        """,
        """
        def f(xs):
            seen = []
            for x in xs:
                if not any(x is y or x == y for y in seen):
                    seen.append(x)
            return seen
        """,
        "x == y", "type(x) is type(y) and x == y",
    ),
    fault(
        "an index that is in no list", "exception", "f({'a': 1}, 'a')",
        """
        def f(d, k):
            try:
                return d[k]
            except KeyError:
                return None
        """,
        """
        def f(d, k):
            try:
                found = d[k]
            except KeyError:
                found = None
            return found
        """,
        "KeyError", "LookupError",
    ),
    fault(
        "a key whose value is None", "lost guard", "f({'a': 1}, 'a')",
        """
        def f(d: dict, k):
            return 'has' if k in d else 'no'
        """,
        """
        def f(d: dict, k):
            if k in d:
                return 'has'
            return 'no'
        """,
        "k in d", "d.get(k) is not None",
    ),
]
