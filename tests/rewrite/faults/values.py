"""Faults in values and their types: what compares equal and is not the same, off by one, lost guards."""

from tests.rewrite.faults import fault

FAULTS = [
    fault(
        "1 in place of True", "type", "f('abc')",
        """
        def f(s: str) -> bool:
            return 'a' in s
        """,
        """
        def f(s: str) -> bool:
            found = False
            for c in s:
                if c == 'a':
                    found = True
                    break
            return found
        """,
        "found = True", "found = 1",
    ),
    fault(
        "an int in place of a float", "type", "f([1, 2, 3])",
        """
        def f(items: list[int]) -> float:
            return sum(items) * 1.0
        """,
        """
        def f(items: list[int]) -> float:
            total = 0
            for x in items:
                total += x
            return float(total)
        """,
        "float(total)", "total",
    ),
    fault(
        "minus zero lost", "type", "f(-0.5)",
        """
        def f(x: float) -> float:
            return x * 0.0 if x == x and abs(x) < 1e9 else 1.0
        """,
        """
        def f(x: float) -> float:
            if x == x and abs(x) < 1e9:
                return x * 0.0
            return 1.0
        """,
        "return x * 0.0", "return 0.0",
    ),
    fault(
        "a list in place of a tuple in a dict", "type", "f('ab')",
        """
        def f(s: str) -> dict[str, tuple[int, ...]]:
            return {c: (s.count(c),) for c in s}
        """,
        """
        def f(s: str) -> dict[str, tuple[int, ...]]:
            result = {}
            for c in s:
                result[c] = (s.count(c),)
            return result
        """,
        "(s.count(c),)", "[s.count(c)]",
    ),
    fault(
        "the operand of `or` made a bool", "type", "f('', 'x')",
        """
        def f(a: str, b: str) -> str:
            return a or b
        """,
        """
        def f(a: str, b: str) -> str:
            _t0 = a
            if not _t0:
                _t0 = b
            return _t0
        """,
        "    return _t0", "    return _t0 if _t0 else False",
    ),
    fault(
        "off by one at the end", "off by one", "f('abcb')",
        """
        def f(s: str) -> int:
            return s.rfind('b')
        """,
        """
        def f(s: str) -> int:
            i = len(s) - 1
            while i >= 0:
                if s[i] == 'b':
                    return i
                i -= 1
            return -1
        """,
        "i >= 0", "i > 0",
    ),
    fault(
        "a strict bound", "off by one", "f([1, 5, 9], 5)",
        """
        def f(items: list[int], limit: int) -> list[int]:
            return [x for x in items if x <= limit]
        """,
        """
        def f(items: list[int], limit: int) -> list[int]:
            kept = []
            for x in items:
                if x <= limit:
                    kept.append(x)
            return kept
        """,
        "x <= limit", "x < limit",
    ),
    fault(
        "overlapping occurrences counted", "off by one", "f('aaaa', 'aa')",
        """
        def f(s: str, t: str) -> int:
            return s.count(t)
        """,
        """
        def f(s: str, t: str) -> int:
            if not t:
                return len(s) + 1
            n = i = 0
            while i + len(t) <= len(s):
                if s[i:i + len(t)] == t:
                    n += 1
                    i += len(t)
                else:
                    i += 1
            return n
        """,
        "n += 1\n            i += len(t)", "n += 1\n            i += 1",
    ),
    fault(
        "the empty target forgotten", "lost guard", "f('abc', 'b')",
        """
        def f(s: str, t: str) -> int:
            return s.find(t)
        """,
        """
        def f(s: str, t: str) -> int:
            for i in range(len(s) - len(t) + 1):
                if s[i:i + len(t)] == t:
                    return i
            return -1
        """,
        "len(s) - len(t) + 1", "len(s) - max(len(t), 1) + 1",
    ),
    fault(
        "the empty list forgotten", "lost guard", "f([3, 1])",
        """
        def f(items: list[int]) -> int:
            return max(items) if items else 0
        """,
        """
        def f(items: list[int]) -> int:
            if not items:
                return 0
            best = items[0]
            for x in items:
                if x > best:
                    best = x
            return best
        """,
        "    if not items:\n        return 0\n", "",
    ),
    fault(
        "negative start forgotten", "lost guard", "f('abcabc', -2)",
        """
        def f(s: str, start: int) -> int:
            return s.find('c', start)
        """,
        """
        def f(s: str, start: int) -> int:
            if start < 0:
                start = max(0, start + len(s))
            for i in range(start, len(s)):
                if s[i] == 'c':
                    return i
            return -1
        """,
        "max(0, start + len(s))", "0",
    ),
    fault(
        "the count of replace ignored when negative", "lost guard", "f('banana', 2)",
        """
        def f(s: str, n: int) -> str:
            return s.replace('a', 'o', n)
        """,
        """
        def f(s: str, n: int) -> str:
            out = ''
            for c in s:
                if c == 'a' and n != 0:
                    out += 'o'
                    n -= 1
                else:
                    out += c
            return out
        """,
        "n != 0", "n > 0",
    ),
    fault(
        "ASCII case in place of Unicode case", "Unicode", "f('Straße')",
        """
        def f(s: str) -> str:
            return s.upper()
        """,
        """
        def f(s: str) -> str:
            out = ''
            for c in s:
                out += c.upper()
            return out
        """,
        "c.upper()", "(chr(ord(c) - 32) if 'a' <= c <= 'z' else c)",
    ),
    fault(
        "a space in place of all whitespace", "Unicode", "f('a b')",
        """
        def f(s: str) -> list[str]:
            return s.split()
        """,
        """
        def f(s: str) -> list[str]:
            words, word = [], ''
            for c in s:
                if not c.isspace():
                    word += c
                elif word:
                    words.append(word)
                    word = ''
            return words + [word] if word else words
        """,
        "not c.isspace()", "c != ' '",
    ),
    fault(
        "digits of other scripts", "Unicode", "f('a1b2')",
        """
        def f(s: str) -> str:
            return ''.join(c for c in s if c.isdigit())
        """,
        """
        def f(s: str) -> str:
            out = ''
            for c in s:
                if c.isdigit():
                    out += c
            return out
        """,
        "c.isdigit()", "c in '0123456789'",
    ),
    fault(
        "rounding towards zero", "arithmetic", "f(7, 2)",
        """
        def f(a: int, b: int) -> int:
            return a // b
        """,
        """
        def f(a: int, b: int) -> int:
            _t0 = a // b
            return _t0
        """,
        "_t0 = a // b", "_t0 = int(a / b) if b else a // b",
    ),
    fault(
        "the order of a dict", "order of items", "f(['b', 'a', 'b'])",
        """
        def f(words: list[str]) -> dict[str, int]:
            return {w: words.count(w) for w in words}
        """,
        """
        def f(words: list[str]) -> dict[str, int]:
            result = {}
            for w in words:
                result[w] = words.count(w)
            return result
        """,
        "for w in words", "for w in sorted(words)",
    ),
    fault(
        "a set's members as text in another type", "type", "f([1, 2, 2])",
        """
        def f(items: list[int]) -> frozenset[int]:
            return frozenset(items)
        """,
        """
        def f(items: list[int]) -> frozenset[int]:
            seen = set()
            for x in items:
                seen.add(x)
            return frozenset(seen)
        """,
        "return frozenset(seen)", "return seen",
    ),
]  # fmt: skip
