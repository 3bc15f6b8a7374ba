# ruff: noqa: E501 - the slips are quoted whole
"""Faults in when an iterator does what it does: before the first item, between items, at its end, when it is left."""

from tests.rewrite.faults import fault

FAULTS = [
    fault(
        "the second print before the first item", "iterator effects", "f(3)",
        """
        from collections.abc import Iterator

        def f(n: int) -> Iterator[int]:
            print(n)
            yield n
            print(n + 1)
            yield n + 1
        """,
        """
        from collections.abc import Iterator

        def f(n: int) -> Iterator[int]:
            print(n)
            yield n
            _t0 = n + 1
            print(_t0)
            yield _t0
        """,
        "    yield n\n    _t0 = n + 1\n    print(_t0)\n", "    _t0 = n + 1\n    print(_t0)\n    yield n\n",
    ),
    fault(
        "a growing buffer yielded as copies", "iterator effects", "f([1, 2])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[list[int]]:
            buffer: list[int] = []
            for x in items:
                buffer.append(x)
                yield buffer
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[list[int]]:
            buffer: list[int] = []
            i = 0
            while i < len(items):
                buffer.append(items[i])
                yield buffer
                i += 1
        """,
        "yield buffer", "yield buffer[:]",
    ),
    fault(
        "the buffer grows after it was yielded", "iterator effects", "f([1, 2])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[list[int]]:
            buffer: list[int] = []
            yield buffer
            for x in items:
                buffer.append(x)
                yield buffer
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[list[int]]:
            buffer: list[int] = []
            yield buffer
            for x in items:
                buffer += [x]
                yield buffer
        """,
        "    yield buffer\n    for x in items:\n        buffer += [x]\n        yield buffer\n",
        "    for x in items:\n        buffer += [x]\n        yield buffer\n    yield buffer\n",
    ),
    fault(
        "a row emptied before it is taken", "iterator effects", "f([1, 2, 3], 2)",
        """
        from collections.abc import Iterator

        def f(items: list[int], size: int) -> Iterator[list[int]]:
            row: list[int] = []
            for x in items:
                row.append(x)
                if len(row) >= size:
                    yield row
                    row = []
            yield row
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int], size: int) -> Iterator[list[int]]:
            row: list[int] = []
            for x in items:
                row.append(x)
                _t0 = len(row)
                if _t0 >= size:
                    yield row
                    row = []
            yield row
        """,
        "row = []\n    yield row", "row.clear()\n    yield row",
    ),
    fault(
        "checked when called and not when first asked", "iterator effects", "f(-1)",
        """
        from collections.abc import Iterator

        def f(n: int) -> Iterator[int]:
            if n < 0:
                raise ValueError('negative')
            yield n
        """,
        """
        from collections.abc import Iterator

        def f(n: int) -> Iterator[int]:
            def inner() -> Iterator[int]:
                if n < 0:
                    raise ValueError('negative')
                yield n
            return inner()
        """,
        "    def inner() -> Iterator[int]:\n        if n < 0:\n            raise ValueError('negative')\n        yield n\n    return inner()\n",
        "    if n < 0:\n        raise ValueError('negative')\n    return (n for n in [n])\n",
    ),
    fault(
        "the first iterable of a generator expression evaluated late", "iterator effects", "f(2)",
        """
        from collections.abc import Iterator

        def told(n: int) -> range:
            print('asked', n)
            return range(min(abs(n), 4))

        def f(n: int) -> Iterator[int]:
            return (x * x for x in told(n))
        """,
        """
        from collections.abc import Iterator

        def told(n: int) -> range:
            print('asked', n)
            return range(min(abs(n), 4))

        def f(n: int) -> Iterator[int]:
            def squares(items: range) -> Iterator[int]:
                for x in items:
                    yield x * x
            return squares(told(n))
        """,
        "    def squares(items: range) -> Iterator[int]:\n        for x in items:\n            yield x * x\n    return squares(told(n))\n",
        "    def squares(k: int) -> Iterator[int]:\n        for x in told(k):\n            yield x * x\n    return squares(n)\n",
    ),
    fault(
        "a generator's return value lost", "iterator result", "f([1, 2])",
        """
        from collections.abc import Generator

        def f(items: list[int]) -> Generator[int, None, int]:
            total = 0
            for x in items:
                total += x
                yield x
            return total
        """,
        """
        from collections.abc import Generator

        def f(items: list[int]) -> Generator[int, None, int]:
            total = 0
            for x in items:
                total = total + x
                yield x
            _t0 = total
            return _t0
        """,
        "    _t0 = total\n    return _t0\n", "    _t0 = total\n",
    ),
    fault(
        "the value of `yield from` lost", "iterator result", "f([1, 2])",
        """
        from collections.abc import Generator

        def part(items: list[int]) -> Generator[int, None, int]:
            yield from items
            return len(items)

        def f(items: list[int]) -> Generator[int, None, int]:
            count = yield from part(items)
            return count + 1
        """,
        """
        from collections.abc import Generator

        def part(items: list[int]) -> Generator[int, None, int]:
            yield from items
            return len(items)

        def f(items: list[int]) -> Generator[int, None, int]:
            _t0 = part(items)
            count = yield from _t0
            return count + 1
        """,
        "    count = yield from _t0\n", "    count = 0\n    for x in _t0:\n        yield x\n",
    ),
    fault(
        "a generator inside the result that has already run", "iterator effects", "f([1, 2])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> dict[str, Iterator[int]]:
            def lazily() -> Iterator[int]:
                for x in items:
                    print(x)
                    yield x
            return {'items': lazily()}
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> dict[str, Iterator[int]]:
            def lazily() -> Iterator[int]:
                for x in items:
                    print(x)
                    yield x
            _t0 = lazily()
            return {'items': _t0}
        """,
        "    return {'items': _t0}", "    _t1 = list(_t0)\n    return {'items': (x for x in _t1)}",
    ),
    fault(
        "a log beside a generator, written a step late", "iterator effects", "f([1, 2])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> tuple[list[int], Iterator[int]]:
            log: list[int] = []
            def noted() -> Iterator[int]:
                for x in items:
                    log.append(x)
                    yield x
            return log, noted()
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> tuple[list[int], Iterator[int]]:
            log: list[int] = []
            def noted() -> Iterator[int]:
                for x in items:
                    log.append(x)
                    yield x
            _t0 = noted()
            return log, _t0
        """,
        "            log.append(x)\n            yield x\n", "            yield x\n            log.append(x)\n",
    ),
    fault(
        "one item too many taken from an argument", "iterator arguments", "f(count(4))",
        """
        from collections.abc import Iterator

        def count(n: int) -> Iterator[int]:
            for i in range(min(abs(n), 9)):
                yield i

        def f(source: Iterator[int]) -> list[int]:
            taken = []
            for x in source:
                taken.append(x)
                if len(taken) == 2:
                    break
            return taken
        """,
        """
        from collections.abc import Iterator

        def count(n: int) -> Iterator[int]:
            for i in range(min(abs(n), 9)):
                yield i

        def f(source: Iterator[int]) -> list[int]:
            taken = []
            for x in source:
                taken += [x]
                if len(taken) == 2:
                    break
            return taken
        """,
        "        taken += [x]\n        if len(taken) == 2:\n            break\n",
        "        if len(taken) == 2:\n            break\n        taken += [x]\n",
    ),
    fault(
        "one item too many taken from a global", "iterator arguments", "f(2)",
        """
        def numbers():
            n = 0
            while True:
                n += 1
                yield n

        ids = numbers()

        def f(n: int) -> list[int]:
            return [next(ids) for _ in range(min(abs(n), 9))]
        """,
        """
        def numbers():
            n = 0
            while True:
                n += 1
                yield n

        ids = numbers()

        def f(n: int) -> list[int]:
            found = []
            i = 0
            while i < min(abs(n), 9):
                found.append(next(ids))
                i += 1
            return found
        """,
        "    return found\n", "    next(ids)\n    return found\n",
    ),
    fault(
        "an exception one item early", "iterator effects", "f([1, 0])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            for x in items:
                yield x
                if x == 0:
                    raise ValueError('zero')
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            for x in items:
                yield x
                _t0 = x == 0
                if _t0:
                    raise ValueError('zero')
        """,
        "        yield x\n        _t0 = x == 0\n        if _t0:\n            raise ValueError('zero')\n",
        "        _t0 = x == 0\n        if _t0:\n            raise ValueError('zero')\n        yield x\n",
    ),
    fault(
        "no clean-up for who stops early", "iterator closing", "f([1, 2, 3])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            try:
                for x in items:
                    yield x
            finally:
                print('closed')
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            i = 0
            try:
                while i < len(items):
                    yield items[i]
                    i += 1
            finally:
                print('closed')
        """,
        "    finally:\n        print('closed')\n", "    except ZeroDivisionError:\n        pass\n    print('closed')\n",
    ),
    fault(
        "an endless generator with one number missing", "iterator result", "f(1)",
        """
        from collections.abc import Iterator

        def f(step: int) -> Iterator[int]:
            n = 0
            while True:
                yield n
                n += step
        """,
        """
        from collections.abc import Iterator

        def f(step: int) -> Iterator[int]:
            n = 0
            while True:
                yield n
                _t0 = n + step
                n = _t0
        """,
        "        n = _t0\n", "        n = _t0 if _t0 != 30 * step or not step else _t0 + step\n",
    ),
    fault(
        "a list copied before it is complete", "laziness", "f([1, 2])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            doubled = (2 * x for x in items)
            items.append(9)
            return doubled
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> Iterator[int]:
            def lazily(source):
                for x in source:
                    yield 2 * x
            doubled = lazily(items)
            items.append(9)
            return doubled
        """,
        "lazily(items)", "lazily(items[:])",
    ),
    fault(
        "two readers of one iterator", "aliasing", "f([1, 2, 3])",
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> list[Iterator[int]]:
            source = iter(items)
            return [(x for x in source), source]
        """,
        """
        from collections.abc import Iterator

        def f(items: list[int]) -> list[Iterator[int]]:
            _t0 = iter(items)
            return [(x for x in _t0), _t0]
        """,
        "(x for x in _t0), _t0]", "(x for x in items), _t0]",
    ),
    fault(
        "map() that calls a step ahead", "laziness", "f([1, 2])",
        """
        from collections.abc import Iterator

        def shown(x: int) -> int:
            print(x)
            return x

        def f(items: list[int]) -> Iterator[int]:
            return (y + 1 for y in map(shown, items))
        """,
        """
        from collections.abc import Iterator

        def shown(x: int) -> int:
            print(x)
            return x

        def f(items: list[int]) -> Iterator[int]:
            _t0 = map(shown, items)
            return (y + 1 for y in _t0)
        """,
        "_t0 = map(shown, items)\n", "_t0 = iter([shown(x) for x in items])\n",
    ),
    fault(
        "an awaited value computed too early", "iterator effects", "f(2)",
        """
        class Told:
            def __init__(self, n: int) -> None:
                self.n = n

            def __await__(self):
                print('waits')
                yield self.n
                return self.n + 1

        async def f(n: int) -> int:
            first = await Told(n)
            print(first)
            return first + await Told(first)
        """,
        """
        class Told:
            def __init__(self, n: int) -> None:
                self.n = n

            def __await__(self):
                print('waits')
                yield self.n
                return self.n + 1

        async def f(n: int) -> int:
            first = await Told(n)
            print(first)
            _t0 = await Told(first)
            return first + _t0
        """,
        "    print(first)\n    _t0 = await Told(first)\n", "    _t0 = await Told(first)\n    print(first)\n",
    ),
]  # fmt: skip
