# ruff: noqa: E501 - the slips are quoted whole
"""Faults in what a program does beside its value: output, arguments, globals, aliasing, laziness, exceptions."""

from tests.rewrite.faults import fault

FAULTS = [
    fault(
        "a lost print", "output", "f([1, 0, 2])",
        """
        def f(items: list[int]) -> int:
            for x in items:
                print('zero' if x == 0 else x)
            return len(items)
        """,
        """
        def f(items: list[int]) -> int:
            for x in items:
                if x == 0:
                    print('zero')
                else:
                    print(x)
            return len(items)
        """,
        "            print('zero')", "            pass",
    ),
    fault(
        "a print without its newline", "output", "f('a')",
        """
        def f(s: str) -> None:
            print(s, 'x')
        """,
        """
        def f(s: str) -> None:
            print(s, end=' ')
            print('x')
        """,
        "print('x')", "print('x', end='')",
    ),
    fault(
        "the argument is sorted in place", "arguments", "f([3, 1, 2])",
        """
        def f(items: list[int]) -> int:
            return sorted(items)[0] if items else 0
        """,
        """
        def f(items: list[int]) -> int:
            copy = list(items)
            copy.sort()
            return copy[0] if copy else 0
        """,
        "copy = list(items)", "copy = items",
    ),
    fault(
        "in-place addition lost", "arguments", "f([1], [2])",
        """
        def f(a: list[int], b: list[int]) -> list[int]:
            a += b
            return a
        """,
        """
        def f(a: list[int], b: list[int]) -> list[int]:
            _t0 = a
            _t0.extend(b)
            return _t0
        """,
        "_t0.extend(b)", "_t0 = _t0 + b",
    ),
    fault(
        "an equal copy returned", "aliasing", "f([1, 2])",
        """
        def f(items: list[int]) -> list[int]:
            items.append(0)
            return items
        """,
        """
        def f(items: list[int]) -> list[int]:
            items.append(0)
            _t0 = items
            return _t0
        """,
        "_t0 = items", "_t0 = items[:]",
    ),
    fault(
        "rows that share one list", "aliasing", "f(3)",
        """
        def f(n: int) -> list[list[int]]:
            return [[0] for _ in range(min(n, 5))]
        """,
        """
        def f(n: int) -> list[list[int]]:
            rows = []
            for _ in range(min(n, 5)):
                rows.append([0])
            return rows
        """,
        "    rows = []\n    for _ in range(min(n, 5)):\n        rows.append([0])\n",
        "    rows, row = [], [0]\n    for _ in range(min(n, 5)):\n        rows.append(row)\n",
    ),
    fault(
        "two arguments that are one object", "aliasing", "f([1, 2], [3])",
        """
        def f(a: list[int], b: list[int]) -> list[int]:
            for x in list(b):
                a.append(x)
            return a
        """,
        """
        def f(a: list[int], b: list[int]) -> list[int]:
            i = 0
            n = len(b)
            while i < n:
                a.append(b[i])
                i += 1
            return a
        """,
        "    n = len(b)\n    while i < n:\n        a.append(b[i])\n        i += 1\n",
        "    a[:0] = []\n    n = len(b)\n    b = b + a if a is b else b\n    while i < len(b):\n        a.append(b[i])\n        i += 1\n",
    ),
    fault(
        "a counter in a global lost", "globals", "f('x')",
        """
        calls = 0

        def f(s: str) -> str:
            global calls
            calls += 1
            return s * 2
        """,
        """
        calls = 0

        def f(s: str) -> str:
            global calls
            calls = calls + 1
            _t0 = s * 2
            return _t0
        """,
        "    global calls\n    calls = calls + 1\n", "    calls = 1\n",
    ),
    fault(
        "a temporary that overwrites a global", "globals", "f([1, 2])",
        """
        best = 7

        def f(items: list[int]) -> int:
            return max([0, *items])
        """,
        """
        best = 7

        def f(items: list[int]) -> int:
            _t0 = 0
            for x in items:
                if x > _t0:
                    _t0 = x
            return _t0
        """,
        "    _t0 = 0\n    for x in items:\n        if x > _t0:\n            _t0 = x\n    return _t0",
        "    global best\n    best = 0\n    for x in items:\n        if x > best:\n            best = x\n    return best",
    ),
    fault(
        "a cache shared between calls", "globals", "f('a', {})",
        """
        def f(key: str, seen: dict[str, int]) -> int:
            seen[key] = seen.get(key, 0) + 1
            return seen[key]
        """,
        """
        def f(key: str, seen: dict[str, int]) -> int:
            _t0 = seen.get(key, 0)
            _t1 = _t0 + 1
            seen[key] = _t1
            return _t1
        """,
        "    seen[key] = _t1\n", "    seen = {**seen, key: _t1}\n",
    ),
    fault(
        "a list in place of a generator", "laziness", "f([1, 2])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            return (x * 2 for x in items)
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            def lazily(source):
                for x in source:
                    yield x * 2
            return lazily(items)
        """,
        "return lazily(items)", "return list(lazily(items))",
    ),
    fault(
        "an iterator over a finished list in place of a generator", "laziness", "f([1, 2])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            for x in items:
                print(x)
                yield x
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            i = 0
            while i < len(items):
                print(items[i])
                yield items[i]
                i += 1
        """,
        "    i = 0\n    while i < len(items):\n        print(items[i])\n        yield items[i]\n        i += 1\n",
        "    for x in items:\n        print(x)\n    yield from items\n",
    ),
    fault(
        "a generator that runs one step ahead", "laziness", "f([3, 0, 1])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            for x in items:
                yield 6 // x
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            for x in items:
                _t0 = 6 // x
                yield _t0
        """,
        "    for x in items:\n        _t0 = 6 // x\n        yield _t0\n",
        "    _t0 = [6 // x for x in items]\n    yield from _t0\n",
    ),
    fault(
        "any() without stopping early", "laziness", "f([0, 5, 1])",
        """
        def f(items: list[int]) -> bool:
            return any(10 // x > 3 for x in items)
        """,
        """
        def f(items: list[int]) -> bool:
            for x in items:
                if 10 // x > 3:
                    return True
            return False
        """,
        "    for x in items:\n        if 10 // x > 3:\n            return True\n    return False\n",
        "    found = [10 // x > 3 for x in items]\n    return True in found\n",
    ),
    fault(
        "another exception type", "exception", "f({'a': 1}, 'a')",
        """
        def f(d: dict[str, int], key: str) -> int:
            return d[key]
        """,
        """
        def f(d: dict[str, int], key: str) -> int:
            if key not in d:
                raise KeyError(key)
            return d[key]
        """,
        "raise KeyError(key)", "raise IndexError(key)",
    ),
    fault(
        "another message", "exception", "f('abc', 'b')",
        """
        def f(s: str, t: str) -> int:
            return s.index(t)
        """,
        """
        def f(s: str, t: str) -> int:
            i = s.find(t)
            if i < 0:
                raise ValueError('substring not found')
            return i
        """,
        "'substring not found'", "'substring not found.'",
    ),
    fault(
        "an argument of the exception lost", "exception", "f(3)",
        """
        def f(n: int) -> int:
            if n > 2:
                raise ValueError('too large', n)
            return n
        """,
        """
        def f(n: int) -> int:
            _t0 = n > 2
            if _t0:
                raise ValueError('too large', n)
            return n
        """,
        "('too large', n)", "('too large', 3)",
    ),
    fault(
        "an exception swallowed", "exception", "f('12')",
        """
        def f(s: str) -> str:
            if not s.strip():
                raise ValueError('empty')
            return s.strip()[0]
        """,
        """
        def f(s: str) -> str:
            _t0 = s.strip()
            if not _t0:
                raise ValueError('empty')
            return _t0[0]
        """,
        "raise ValueError('empty')", "return ''",
    ),
    fault(
        "the exception caught too widely", "exception", "f(['1', '2'], 1)",
        """
        def f(words: list[str], i: int) -> int:
            try:
                word = words[i]
            except IndexError:
                return 0
            return int(word)
        """,
        """
        def f(words: list[str], i: int) -> int:
            try:
                word = words[i]
            except IndexError:
                return 0
            _t0 = int(word)
            return _t0
        """,
        "        word = words[i]\n    except IndexError:\n        return 0\n    _t0 = int(word)\n    return _t0\n",
        "        return int(words[i])\n    except (IndexError, ValueError):\n        return 0\n",
    ),
    fault(
        "finally runs too early", "output", "f([1, 0])",
        """
        def f(items: list[int]) -> list[int]:
            log: list[int] = []
            for x in items:
                try:
                    log.append(6 // x)
                except ZeroDivisionError:
                    log.append(-1)
                finally:
                    log.append(0)
            return log
        """,
        """
        def f(items: list[int]) -> list[int]:
            log: list[int] = []
            for x in items:
                try:
                    _t0 = 6 // x
                    log.append(_t0)
                except ZeroDivisionError:
                    log.append(-1)
                finally:
                    log.append(0)
            return log
        """,
        "            log.append(-1)\n        finally:\n            log.append(0)\n",
        "            log.append(0)\n            log.append(-1)\n        else:\n            log.append(0)\n",
    ),
    fault(
        "`continue` skips the step", "control flow", "f('a-b')",
        """
        def f(s: str) -> list[int]:
            places = []
            for i, c in enumerate(s):
                if c == '-':
                    continue
                places.append(i)
            return places
        """,
        """
        def f(s: str) -> list[int]:
            places = []
            i = -1
            for c in s:
                i += 1
                if c == '-':
                    continue
                places.append(i)
            return places
        """,
        "    i = -1\n    for c in s:\n        i += 1\n        if c == '-':\n            continue\n        places.append(i)\n",
        "    i = 0\n    for c in s:\n        if c == '-':\n            continue\n        places.append(i)\n        i += 1\n",
    ),
    fault(
        "`else` of a loop after `break`", "control flow", "f([1, 2], 2)",
        """
        def f(items: list[int], x: int) -> str:
            for item in items:
                if item == x:
                    result = 'found'
                    break
            else:
                result = 'none'
            return result
        """,
        """
        def f(items: list[int], x: int) -> str:
            i = 0
            while i < len(items):
                if items[i] == x:
                    result = 'found'
                    break
                i += 1
            else:
                result = 'none'
            return result
        """,
        "    else:\n        result = 'none'\n", "    result = 'none' if i >= len(items) - 1 else 'found'\n",
    ),
    fault(
        "the loop variable left with another value", "scope", "f([4, 5])",
        """
        def f(items: list[int]) -> int:
            x = -1
            squares = [x * x for x in items]
            return x + len(squares)
        """,
        """
        def f(items: list[int]) -> int:
            x = -1
            squares = []
            for _t0 in items:
                squares.append(_t0 * _t0)
            return x + len(squares)
        """,
        "    for _t0 in items:\n        squares.append(_t0 * _t0)\n", "    for x in items:\n        squares.append(x * x)\n",
    ),
    fault(
        "closures that share the last value", "scope", "f([1, 2, 3])",
        """
        def f(items: list[int]) -> list[int]:
            return [g() for g in [lambda x=x: x for x in items]]
        """,
        """
        def f(items: list[int]) -> list[int]:
            functions = []
            for x in items:
                functions.append(lambda x=x: x)
            return [g() for g in functions]
        """,
        "lambda x=x: x)", "lambda: x)",
    ),
]  # fmt: skip
