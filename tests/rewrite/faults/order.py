# ruff: noqa: E501 - the slips are quoted whole
"""Faults of order and number of evaluations, seen through printing, globals and exceptions."""

from tests.rewrite.faults import fault

FAULTS = [
    fault(
        "siblings in another order", "order", "f(3)",
        """
        def t(x: int) -> int:
            print(x)
            return x

        def f(n: int) -> int:
            return t(n) - t(n + 1)
        """,
        """
        def t(x: int) -> int:
            print(x)
            return x

        def f(n: int) -> int:
            _t0 = t(n)
            _t1 = t(n + 1)
            return _t0 - _t1
        """,
        "    _t0 = t(n)\n    _t1 = t(n + 1)\n", "    _t1 = t(n + 1)\n    _t0 = t(n)\n",
    ),
    fault(
        "an operand computed twice", "double evaluation", "f([1, 2, 3])",
        """
        def f(items: list[int]) -> int:
            return 0 < (items.pop() if items else 1) < 10
        """,
        """
        def f(items: list[int]) -> int:
            _t0 = items.pop() if items else 1
            return 0 < _t0 and _t0 < 10
        """,
        "0 < _t0 and _t0 < 10", "0 < _t0 and (items.pop() if items else 1) < 10",
    ),
    fault(
        "the second operand of `and` always computed", "conditional evaluation", "f([3, 4], 1)",
        """
        def f(items: list[int], i: int) -> bool:
            return 0 <= i < len(items) and items[i] > 3
        """,
        """
        def f(items: list[int], i: int) -> bool:
            _t0 = 0 <= i < len(items)
            if _t0:
                _t0 = items[i] > 3
            return _t0
        """,
        "    if _t0:\n        _t0 = items[i] > 3\n    return _t0", "    _t1 = items[i] > 3\n    return _t0 and _t1",
    ),
    fault(
        "both arms of a conditional computed", "conditional evaluation", "f(4, 2)",
        """
        def f(a: int, b: int) -> int:
            return a // b if b else 0
        """,
        """
        def f(a: int, b: int) -> int:
            if b:
                _t0 = a // b
            else:
                _t0 = 0
            return _t0
        """,
        "    if b:\n        _t0 = a // b\n    else:\n        _t0 = 0\n    return _t0",
        "    _t0 = a // b\n    return _t0 if b else 0",
    ),
    fault(
        "a test of `while` computed once", "conditional evaluation", "f([1, 2, 3])",
        """
        def f(items: list[int]) -> int:
            total = 0
            for _ in range(20):
                if not (len(items) > 1):
                    break
                total += items.pop()
            return total
        """,
        """
        def f(items: list[int]) -> int:
            total = 0
            for _ in range(20):
                _t0 = len(items) > 1
                if not _t0:
                    break
                total += items.pop()
            return total
        """,
        "    for _ in range(20):\n        _t0 = len(items) > 1\n", "    _t0 = len(items) > 1\n    for _ in range(20):\n",
    ),
    fault(
        "the name read after the call that changes it", "order", "f(5)",
        """
        total = 0

        def add(x: int) -> int:
            global total
            total += x
            return total

        def f(x: int) -> int:
            return total * 10 + add(x)
        """,
        """
        total = 0

        def add(x: int) -> int:
            global total
            total += x
            return total

        def f(x: int) -> int:
            _t0 = total * 10
            _t1 = add(x)
            return _t0 + _t1
        """,
        "    _t0 = total * 10\n    _t1 = add(x)\n", "    _t1 = add(x)\n    _t0 = total * 10\n",
    ),
    fault(
        "the target's index before the value", "order", "f([1, 2, 3])",
        """
        def f(items: list[int]) -> list[int]:
            items[len(items) - 1] = items.pop(0) if len(items) > 1 else 0
            return items
        """,
        """
        def f(items: list[int]) -> list[int]:
            _t1 = items.pop(0) if len(items) > 1 else 0
            _t0 = len(items) - 1
            items[_t0] = _t1
            return items
        """,
        "    _t1 = items.pop(0) if len(items) > 1 else 0\n    _t0 = len(items) - 1\n",
        "    _t0 = len(items) - 1\n    _t1 = items.pop(0) if len(items) > 1 else 0\n",
    ),
    fault(
        "augmented assignment reads after the value", "order", "f(3)",
        """
        count = 1

        def twice(x: int) -> int:
            global count
            count = count * 2
            return x

        def f(x: int) -> int:
            global count
            count += twice(x)
            return count
        """,
        """
        count = 1

        def twice(x: int) -> int:
            global count
            count = count * 2
            return x

        def f(x: int) -> int:
            global count
            _t0 = count
            _t1 = twice(x)
            count = _t0 + _t1
            return count
        """,
        "    _t0 = count\n    _t1 = twice(x)\n", "    _t1 = twice(x)\n    _t0 = count\n",
    ),
    fault(
        "key and value of a display swapped", "order", "f('ab')",
        """
        def note(log: list[str], x: str) -> str:
            log.append(x)
            return x

        def f(s: str) -> tuple[dict[str, str], list[str]]:
            log: list[str] = []
            return {note(log, s): note(log, s + '!')}, log
        """,
        """
        def note(log: list[str], x: str) -> str:
            log.append(x)
            return x

        def f(s: str) -> tuple[dict[str, str], list[str]]:
            log: list[str] = []
            _t0 = note(log, s)
            _t1 = note(log, s + '!')
            return {_t0: _t1}, log
        """,
        "    _t0 = note(log, s)\n    _t1 = note(log, s + '!')\n", "    _t1 = note(log, s + '!')\n    _t0 = note(log, s)\n",
    ),
    fault(
        "the message of an assert always built", "conditional evaluation", "f([1], 0)",
        """
        def f(items: list[int], limit: int) -> int:
            assert len(items) > limit, f'first: {items[0]}'
            return len(items)
        """,
        """
        def f(items: list[int], limit: int) -> int:
            if not len(items) > limit:
                _t0 = items[0]
                raise AssertionError(f'first: {_t0}')
            return len(items)
        """,
        "    if not len(items) > limit:\n        _t0 = items[0]\n", "    _t0 = items[0] if items or limit < 9 else 0\n    if not len(items) > limit:\n",
    ),
    fault(
        "a default computed at every call", "evaluation time", "f(2)",
        """
        def counter(start: list[int]) -> int:
            start[0] += 1
            return start[0]

        def f(n: int) -> list[int]:
            state = [0]
            def g(x: int = counter(state)) -> int:
                return x
            return [g() for _ in range(min(abs(n), 9))]
        """,
        """
        def counter(start: list[int]) -> int:
            start[0] += 1
            return start[0]

        def f(n: int) -> list[int]:
            state = [0]
            _t0 = counter(state)
            def g(x: int = _t0) -> int:
                return x
            return [g() for _ in range(min(abs(n), 9))]
        """,
        "    def g(x: int = _t0) -> int:\n        return x\n",
        "    def g(x: int | None = None) -> int:\n        return counter(state) if x is None else x\n",
    ),
]  # fmt: skip
