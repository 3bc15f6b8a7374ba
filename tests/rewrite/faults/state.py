"""Faults in what classes and functions keep between calls: attributes, mutable defaults, registries, caches."""

from tests.rewrite.faults import fault

FAULTS = [
    fault(
        "a counter in a class lost", "class state", "f(2)",
        """
        class Counter:
            made = 0

            def __init__(self, n: int) -> None:
                Counter.made += 1
                self.n = n

        def f(n: int) -> int:
            return Counter(n).n + Counter(n).n
        """,
        """
        class Counter:
            made = 0

            def __init__(self, n: int) -> None:
                Counter.made = Counter.made + 1
                self.n = n

        def f(n: int) -> int:
            _t0 = Counter(n).n
            _t1 = Counter(n).n
            return _t0 + _t1
        """,
        "_t1 = Counter(n).n", "_t1 = _t0",
    ),
    fault(
        "an attribute of the class set on the instance", "class state", "f([1, 2])",
        """
        def f(items: list[int]) -> object:
            class Total:
                sum = 0

                def add(self, x: int) -> None:
                    type(self).sum += x

            total = Total()
            for x in items:
                total.add(x)
            return total
        """,
        """
        def f(items: list[int]) -> object:
            class Total:
                sum = 0

                def add(self, x: int) -> None:
                    _t0 = type(self)
                    _t0.sum += x

            total = Total()
            for x in items:
                total.add(x)
            return total
        """,
        "_t0 = type(self)", "_t0 = self",
    ),
    fault(
        "a list shared by all instances copied", "class state", "f('a')",
        """
        class Names:
            known: list[str] = []

            def note(self, name: str) -> int:
                self.known.append(name)
                return len(name)

        def f(s: str) -> int:
            return Names().note(s)
        """,
        """
        class Names:
            known: list[str] = []

            def note(self, name: str) -> int:
                _t0 = self.known
                _t0.append(name)
                return len(name)

        def f(s: str) -> int:
            return Names().note(s)
        """,
        "_t0 = self.known\n", "_t0 = list(self.known)\n",
    ),
    fault(
        "a temporary left in the class body", "class state", "f(3)",
        """
        def f(n: int) -> object:
            class Point:
                x = n * 2 + 1
            return Point()
        """,
        """
        def f(n: int) -> object:
            class Point:
                _t0 = n * 2
                x = _t0 + 1
                del _t0
            return Point()
        """,
        "        del _t0\n", "",
    ),
    fault(
        "a base class counted in the derived one", "class state", "f(2)",
        """
        class Base:
            seen = 0

        class Derived(Base):
            pass

        def f(n: int) -> int:
            Base.seen += n
            return Derived.seen
        """,
        """
        class Base:
            seen = 0

        class Derived(Base):
            pass

        def f(n: int) -> int:
            Base.seen = Base.seen + n
            return Derived.seen
        """,
        "Base.seen = ", "Derived.seen = ",
    ),
    fault(
        "subclasses registered in another order", "class state", "f(1)",
        """
        class Shape:
            kinds: dict[str, int] = {}

            def __init_subclass__(cls) -> None:
                Shape.kinds[cls.__name__] = len(Shape.kinds)

        def f(n: int) -> int:
            class Circle(Shape): pass
            class Square(Shape): pass
            return n
        """,
        """
        class Shape:
            kinds: dict[str, int] = {}

            def __init_subclass__(cls) -> None:
                _t0 = len(Shape.kinds)
                Shape.kinds[cls.__name__] = _t0

        def f(n: int) -> int:
            class Circle(Shape): pass
            class Square(Shape): pass
            return n
        """,
        "    class Circle(Shape): pass\n    class Square(Shape): pass\n",
        "    class Square(Shape): pass\n    class Circle(Shape): pass\n",
    ),
    fault(
        "a class inside a class", "class state", "f(2)",
        """
        class Outer:
            class Inner:
                best = 0

        def f(n: int) -> int:
            Outer.Inner.best = max(Outer.Inner.best, n)
            return n
        """,
        """
        class Outer:
            class Inner:
                best = 0

        def f(n: int) -> int:
            if n > Outer.Inner.best:
                Outer.Inner.best = n
            return n
        """,
        "n > Outer.Inner.best", "n > Outer.Inner.best + 1",
    ),
    fault(
        "a mutable default that no longer collects", "function state", "f(3)",
        """
        def f(n: int, seen: list[int] = []) -> int:
            seen.append(n)
            return n
        """,
        """
        def f(n: int, seen: list[int] = []) -> int:
            seen += [n]
            return n
        """,
        "seen += [n]", "seen = seen + [n]",
    ),
    fault(
        "a default made anew at every call", "function state", "f('a')",
        """
        def count(word: str, *, known: dict[str, int] = {}) -> int:
            known[word] = known.get(word, 0) + 1
            return known[word]

        def f(s: str) -> int:
            return len(s) + (count(s) > 0)
        """,
        """
        def count(word: str, *, known: dict[str, int] = {}) -> int:
            _t0 = known.get(word, 0)
            known[word] = _t0 + 1
            return known[word]

        def f(s: str) -> int:
            return len(s) + (count(s) > 0)
        """,
        "    _t0 = known.get(word, 0)\n", "    known = dict(known)\n    _t0 = known.get(word, 0)\n",
    ),
    fault(
        "a memo that is not written", "function state", "f(5)",
        """
        def fib(n: int, memo: dict[int, int] = {0: 0, 1: 1}) -> int:
            if n not in memo:
                memo[n] = fib(n - 1) + fib(n - 2)
            return memo[n]

        def f(n: int) -> int:
            return fib(min(abs(n), 12))
        """,
        """
        def fib(n: int, memo: dict[int, int] = {0: 0, 1: 1}) -> int:
            if n not in memo:
                _t0 = fib(n - 1)
                _t1 = fib(n - 2)
                memo[n] = _t0 + _t1
            return memo[n]

        def f(n: int) -> int:
            return fib(min(abs(n), 12))
        """,
        "        memo[n] = _t0 + _t1\n", "        return _t0 + _t1\n",
    ),
    fault(
        "a method's default", "function state", "f([1, 2])",
        """
        class Bag:
            def put(self, x: int, into: list[int] = []) -> int:
                into.append(x)
                return x

        def f(items: list[int]) -> int:
            bag = Bag()
            return sum(bag.put(x) for x in items)
        """,
        """
        class Bag:
            def put(self, x: int, into: list[int] = []) -> int:
                into.append(x)
                return x

        def f(items: list[int]) -> int:
            bag = Bag()
            total = 0
            for x in items:
                total += bag.put(x)
            return total
        """,
        "total += bag.put(x)", "total += bag.put(x, [])",
    ),
    fault(
        "a function's own counter", "function state", "f(2)",
        """
        def f(n: int) -> int:
            f.calls = getattr(f, 'calls', 0) + 1
            return n
        """,
        """
        def f(n: int) -> int:
            _t0 = getattr(f, 'calls', 0)
            f.calls = _t0 + 1
            return n
        """,
        "f.calls = _t0 + 1", "f.calls = _t0 or True",
    ),
    fault(
        "the default of a function that is returned", "function state", "f(2)",
        """
        def f(n: int) -> object:
            def add(x: int, y: int = n + 1) -> int:
                return x + y
            add(1)
            return add
        """,
        """
        def f(n: int) -> object:
            _t0 = n + 1
            def add(x: int, y: int = _t0) -> int:
                return x + y
            add(1)
            return add
        """,
        "y: int = _t0)", "y: int = _t0 - 1 + True * 2)",
    ),
    fault(
        "a cached function asked once more", "function state", "f(3)",
        """
        from functools import lru_cache

        @lru_cache
        def square(n: int) -> int:
            return n * n

        def f(n: int) -> bool:
            return 0 < square(n) < 10
        """,
        """
        from functools import lru_cache

        @lru_cache
        def square(n: int) -> int:
            return n * n

        def f(n: int) -> bool:
            _t0 = square(n)
            return 0 < _t0 < 10
        """,
        "0 < _t0 < 10", "0 < _t0 and square(n) < 10",
    ),
    fault(
        "a function exchanged at run time", "globals", "f(1)",
        """
        def low(n: int) -> int:
            return n

        def high(n: int) -> int:
            return n + 100

        handler = low

        def f(n: int) -> int:
            global handler
            result = handler(n) + high(0)
            handler = high
            return result
        """,
        """
        def low(n: int) -> int:
            return n

        def high(n: int) -> int:
            return n + 100

        handler = low

        def f(n: int) -> int:
            global handler
            result = handler(n) + high(0)
            _t0 = high
            handler = _t0
            return result
        """,
        "    global handler\n    result = handler(n) + high(0)\n    _t0 = high\n    handler = _t0\n",
        "    result = handler(n) + high(0)\n    _t0 = high\n",
    ),
    fault(
        "what was written into a text buffer", "aliasing", "f('ab')",
        """
        import io

        def f(s: str) -> io.StringIO:
            out = io.StringIO()
            for c in s:
                out.write(c + ' ')
            return out
        """,
        """
        import io

        def f(s: str) -> io.StringIO:
            out = io.StringIO()
            for c in s:
                out.write(c)
                out.write(' ')
            return out
        """,
        "        out.write(' ')\n", "    out.write(' ')\n",
    ),
]  # fmt: skip
