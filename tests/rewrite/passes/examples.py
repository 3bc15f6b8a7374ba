"""For each pass: programs that it changes, with what they become, and programs that it must leave alone."""

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Changed:
    """A program, what becomes of it by one candidate of a pass, and calls on which both must do the same."""

    pass_name: str
    before: str
    after: str
    calls: tuple[str, ...]


@dataclass(frozen=True)
class Untouched:
    """A program for which a pass has no candidate, and why."""

    pass_name: str
    why: str
    source: str


def changed(pass_name: str, before: str, after: str, *calls: str) -> Changed:
    return Changed(pass_name, dedent(before).lstrip("\n"), dedent(after).lstrip("\n"), calls)


def untouched(pass_name: str, why: str, source: str) -> Untouched:
    return Untouched(pass_name, why, dedent(source).lstrip("\n"))


CHANGED = [
    changed(
        "sum_loop",
        """
        def f(a, b):
            total = 0  # so far
            # all of them
            for i in range(a, b):
                total += i  # one more
            return total
        """,
        """
        def f(a, b):
            total = 0  # so far
            # all of them
            total += sum(range(a, b))  # one more
            return total
        """,
        "f(3, 9)",
        "f(0, 0)",
        "f(1.5, 2)",
    ),
    changed(
        "sum_loop",
        """
        def f(n):
            total = 7
            for i in range(n): total -= i * i
            for i in range(2):
                total += 1
            return total
        """,
        """
        def f(n):
            total = 7
            total -= sum([i * i for i in range(n)])
            for i in range(2):
                total += 1
            return total
        """,
        "f(5)",
    ),
    changed(
        "sum_loop",
        """
        def f(n):
            s = f'{n}!' if n is None else 'banana' * 2
            ans = 0
            for c in s[1:]:
                ans += (c == 'a')
            return ans
        """,
        """
        def f(n):
            s = f'{n}!' if n is None else 'banana' * 2
            ans = 0
            ans += s[1:].count('a')
            return ans
        """,
        "f(None)",
        "f(1)",
    ),
    changed(
        "sum_loop",
        """
        def f(n):
            total = 0
            for c in f'{n}!' + '12':
                total += ord(c)
            return total
        """,
        """
        def f(n):
            total = 0
            total += sum(map(ord, f'{n}!' + '12'))
            return total
        """,
        "f(12)",
    ),
    changed(
        "sum_loop",
        """
        def f(n):
            text = ''
            for i in range(n):
                text += chr(97 + i)
            return text
        """,
        """
        def f(n):
            text = ''
            text += ''.join([chr(97 + i) for i in range(n)])
            return text
        """,
        "f(5)",
        "f(-1)",
    ),
    changed(
        "count_loop",
        """
        def f(xs):
            n = 0
            for x in xs:
                if x > 2 if xs else 0:
                    n += 1
            return n
        """,
        """
        def f(xs):
            n = 0
            n += len([x for x in xs if (x > 2 if xs else 0)])
            return n
        """,
        "f([1, 2, 3, 4])",
        "f([])",
        "f([1, 'a'])",
    ),
    changed(
        "count_loop",
        """
        def f(n):
            k = 1
            for _ in range(n):
                k += 1
            return k
        """,
        """
        def f(n):
            k = 1
            k += len(range(n))
            return k
        """,
        "f(4)",
        "f(-4)",
    ),
    changed(
        "list_loop",
        """
        def f(n):
            r = []
            m = n + 1
            for i in range(m):
                if i % 3:
                    r.append((i, m))
            return r
        """,
        """
        def f(n):
            m = n + 1
            r = [(i, m) for i in range(m) if i % 3]
            return r
        """,
        "f(7)",
        "f('a')",
    ),
    changed(
        "list_loop",
        """
        def f(n):
            seen = set()  # all
            for c in str(n) + 'ab':
                seen.add(c + '!')
            return sorted(seen)
        """,
        """
        def f(n):
            # all
            seen = {c + '!' for c in str(n) + 'ab'}
            return sorted(seen)
        """,
        "f(7)",
    ),
    changed(
        "list_loop",
        """
        def f(n):
            r = []
            for i in range(n):
                r.append(str(i))
            return r
        """,
        """
        def f(n):
            r = list(map(str, range(n)))
            return r
        """,
        "f(7)",
    ),
    changed(
        "strength_reduction",
        """
        def f(n):
            r = []
            for i in range(1, n):
                if i % 3 == 0:  # of three
                    r.append(i)
                    if i > 10:
                        break
            return r
        """,
        """
        def f(n):
            r = []
            for i in range(3, n, 3):
                # of three
                r.append(i)
                if i > 10:
                    break
            return r
        """,
        "f(7)",
        "f(70)",
        "f(0)",
    ),
    changed(
        "strength_reduction",
        """
        def f(n):
            t = 0
            for i in range(4, n):
                if i % 3 == 0 or i % 5 == 0:
                    t += i
            return t
        """,
        """
        def f(n):
            t = 0
            r = range(4, n)
            for i in sorted({*r[2::3], *r[1::5]}):
                t += i
            return t
        """,
        "f(70)",
        "f(5)",
        "f('a')",
    ),
    changed(
        "memoization",
        """
        X = 1


        # the numbers
        def fib(n: int):
            if n < 2: return n
            return fib(n - 1) + fib(n - 2)
        """,
        """
        X = 1


        known_fib = {}


        # the numbers
        def fib(n: int):
            if n < 2: return n
            if type(n) is int and n in known_fib:
                return known_fib[n]
            if type(n) is int:
                known_fib[n] = fib(n - 1) + fib(n - 2)
                return known_fib[n]
            return fib(n - 1) + fib(n - 2)
        """,
        "fib(9)",
        "fib(True)",
        "fib(3.0)",
        "fib('a')",
        "fib([])",
    ),
    changed(
        "memoization",
        """
        def ways(s, t):
            if not t:
                return 1
            if not s:
                return 0
            total = ways(s[1:], t)
            if s[0] == t[0]:
                total += ways(s[1:], t[1:])
            return total
        """,
        """
        known_ways = {}


        def ways(s, t):
            if not t:
                return 1
            if not s:
                return 0
            if type(s) is str and type(t) is str and (s, t) in known_ways:
                return known_ways[s, t]
            total = ways(s[1:], t)
            if s[0] == t[0]:
                total += ways(s[1:], t[1:])
            if type(s) is str and type(t) is str:
                known_ways[s, t] = total
                return known_ways[s, t]
            return total
        """,
        "ways('rabbbit', 'rabit')",
        "ways('', 'a')",
        "ways([1, 2, 1], [1])",
    ),
    changed(
        "memoization",
        """
        def steps(n, k):
            if n < 2 or k < 1:
                return n
            if k == 1:
                return steps(n - 1, k) + steps(n - 2, k)
            return 1
        """,
        """
        known_steps = {}


        def steps(n, k):
            if n < 2 or k < 1:
                return n
            if (n, k) in known_steps:
                return known_steps[n, k]
            if k == 1:
                known_steps[n, k] = steps(n - 1, k) + steps(n - 2, k)
                return known_steps[n, k]
            return 1
        """,
        "steps(6, 1)",
        "steps(2, 0)",
    ),
    changed(
        "memoization",
        """
        def steps(n, k):
            if n < 2:
                return n
            if n % 2 and k:
                return steps(n - 1, k) + steps(n - 2, k)
            return 1
        """,
        """
        known_steps = {}


        def steps(n, k):
            if n < 2:
                return n
            if type(k) is int and (n, k) in known_steps:
                return known_steps[n, k]
            if n % 2 and k:
                if type(k) is int:
                    known_steps[n, k] = steps(n - 1, k) + steps(n - 2, k)
                    return known_steps[n, k]
                return steps(n - 1, k) + steps(n - 2, k)
            return 1
        """,
        "steps(7, 1)",
        "steps(4, 1)",
    ),
    changed(
        "local_renaming",
        """
        def f(numbers, closest_pair=None):
            new_distance_value = 0
            for element_index in numbers:
                new_distance_value += element_index + len([element_index for e in numbers])
            return new_distance_value, dict(new_distance_value=1), closest_pair
        """,
        """
        def f(numbers, closest_pair=None):
            n = 0
            for a in numbers:
                n += a + len([a for e in numbers])
            return n, dict(new_distance_value=1), closest_pair
        """,
        "f([1, 2])",
        "f(5)",
        "f(['a'], closest_pair=3)",
    ),
    changed(
        "sum_loop",
        """
        def f(xs, s):
            t = 0
            for x in xs:
                t += x
            return t
        """,
        """
        def f(xs, s):
            t = 0
            t += sum(xs)
            return t
        """,
        "f([1, 2], 'ab')",
        "f((3,), '')",
    ),
    changed(
        "count_loop",
        """
        def f(s):
            n = 0
            for c in s:
                if c == 'a':
                    n += 1
            return n
        """,
        """
        def f(s):
            n = 0
            n += s.count('a')
            return n
        """,
        "f('banana')",
    ),
    changed(
        "function_inlining",
        """
        def is_palindrome(k):
            'Reads the same.'
            return str(k) == str(k)[::-1]
        def f(n):
            r = []
            for i in range(n):
                if i % 2 and is_palindrome(i):
                    r.append(i)
            return r, is_palindrome(12)
        """,
        """
        def is_palindrome(k):
            'Reads the same.'
            return str(k) == str(k)[::-1]
        def f(n):
            r = []
            for i in range(n):
                if i % 2 and (str(i) == str(i)[::-1]):
                    r.append(i)
            return r, (str(12) == str(12)[::-1])
        """,
        "f(50)",
        "f('a')",
        "is_palindrome(5)",
    ),
    changed(
        "dead_store_elimination",
        """
        def f(n):
            helper = 5  # said
            def inner(x):
                return x
            if n:
                helper = n
                n += 1
            return n
        """,
        """
        def f(n):
            # said
            def inner(x):
                return x
            if n:
                n += 1
            return n
        """,
        "f(5)",
        "f('')",
    ),
    changed(
        "dead_store_elimination",
        """
        def f(xs):
            first = 0
            for x in xs:
                first += x
            second = first * 2
            for y in xs:
                second -= y
            return second
        """,
        """
        def f(xs):
            first = 0
            for x in xs:
                first += x
            first = first * 2
            for y in xs:
                first -= y
            return first
        """,
        "f([1, 2])",
        "f([])",
        "f(['a'])",
    ),
    changed(
        "function_outlining",
        """
        import re

        # said of f
        def f(xs, other):
            best = None
            total = 0
            for x in xs:
                for i, y in enumerate(xs):
                    # what is far
                    if x != y and abs(x - y) > total:
                        total = abs(x - y)
                        best = i
                for j in []:
                    other = j
            return best, total, other
        """,
        """
        import re

        def f_loop(xs, x, total, best):
            for i, y in enumerate(xs):
                # what is far
                if x != y and abs(x - y) > total:
                    total = abs(x - y)
                    best = i
            return total, best


        # said of f
        def f(xs, other):
            best = None
            total = 0
            for x in xs:
                total, best = f_loop(xs, x, total, best)
                for j in []:
                    other = j
            return best, total, other
        """,
        "f([1, 9, 3], 0)",
        "f([1], [])",
        "f(['a', 1], 2)",
    ),
    changed(
        "function_outlining",
        """
        def f(s, n):
            r = []
            size = len(s)
            while size > 2:
                size -= 1
                r.append(s[size])
            return r, n
        """,
        """
        def f_loop(size, r, s):
            while size > 2:
                size -= 1
                r.append(s[size])
            return size


        def f(s, n):
            r = []
            size = len(s)
            size = f_loop(size, r, s)
            return r, n
        """,
        "f('banana', 3)",
        "f(range(9), 3)",
    ),
]

_LOOP = "sum_loop"
UNTOUCHED = [
    untouched(
        _LOOP,
        "sum is another one",
        "def sum(x): return 0\ndef f(n):\n t = 0\n for i in range(n):\n  t += i\n return t\n",
    ),
    untouched(_LOOP, "range is another one", "def f(n, range):\n t = 0\n for i in range(n):\n  t += i\n return t\n"),
    untouched(_LOOP, "floats", "def f(n):\n t = 0.0\n for i in range(n):\n  t += i\n return t\n"),
    untouched(_LOOP, "floats are added", "def f(n):\n t = 0\n for i in range(n):\n  t += i / 2\n return t\n"),
    untouched(
        _LOOP,
        "floats in between",
        "def f(n):\n t = 0\n for i in range(n):\n  t += i\n t /= 2\n for i in range(n):\n  t += i\n return t\n",
    ),
    untouched(_LOOP, "nothing is known of the items", "def f(xs):\n t = 0\n for x in xs:\n  t += x\n return t\n"),
    untouched(
        _LOOP, "the variable is used later", "def f(n):\n t = i = 0\n for i in range(n):\n  t += i\n return t, i\n"
    ),
    untouched(
        _LOOP,
        "a loop around binds it",
        "def f(n):\n t = 0\n for i in range(n):\n  for i in range(3):\n   t += i\n  t += i\n return t\n",
    ),
    untouched(
        _LOOP,
        "an inner function sees it",
        "def f(n):\n t = 0\n g = lambda: t\n for i in range(n):\n  t += i\n return g()\n",
    ),
    untouched(_LOOP, "everybody sees it", "t = 0\ndef f(n):\n global t\n for i in range(n):\n  t += i\n"),
    untouched(_LOOP, "the module sees its variable", "t = 0\nfor i in range(4):\n t += i\n"),
    untouched(_LOOP, "an else", "def f(n):\n t = 0\n for i in range(n):\n  t += i\n else:\n  t += 1\n return t\n"),
    untouched(
        _LOOP,
        "seen half-way",
        "def f(n):\n t = 0\n try:\n  for i in range(n):\n   t += 6 // i\n except ZeroDivisionError:\n  return t\n",
    ),
    untouched(_LOOP, "what is added asks for it", "def f(n):\n t = 1\n for i in range(n):\n  t += t * i\n return t\n"),
    untouched(
        _LOOP, "a loop of no rounds never reads it", "def f(n):\n if n:\n  t = 0\n for i in range(n):\n  t += i\n"
    ),
    untouched(_LOOP, "locals shows it", "def f(n):\n t = 0\n for i in range(n):\n  t += i\n return locals()\n"),
    untouched(
        _LOOP,
        "a comment asks for it",
        "def f(n):\n t = 0\n for i in range(n):  # spellout: leave\n  t += i\n return t\n",
    ),
    untouched(_LOOP, "a walrus in it", "def f(n):\n t = 0\n for i in range(n):\n  t += (k := i)\n return t, k\n"),
    untouched(
        "count_loop",
        "the program calls itself, a frame deeper",
        "def f(n):\n k = 0\n for i in range(n):\n  if f(i):\n   k += 1\n return k\n",
    ),
    untouched(
        "count_loop",
        "a method calls itself",
        "class A:\n def f(self, xs):\n  k = 0\n  for x in xs:\n   if x.f(x):\n    k += 1\n  return k\n",
    ),
    untouched("count_loop", "it may be a float", "def f(n, k):\n for i in range(n):\n  if i:\n   k += 1\n return k\n"),
    untouched("count_loop", "len of anything", "def f(xs):\n k = 0\n for i in xs:\n  k += 1\n return k\n"),
    untouched("count_loop", "async", "async def f(xs):\n k = 0\n async for i in xs:\n  if i:\n   k += 1\n return k\n"),
    untouched(
        "list_loop",
        "another name for it",
        "def f(n):\n r = []\n q = r\n for i in range(n):\n  r.append(len(q))\n return r\n",
    ),
    untouched(
        "list_loop", "the items ask for it", "def f(n):\n r = []\n for i in range(n):\n  r.append(len(r))\n return r\n"
    ),
    untouched("list_loop", "it may hold something", "def f(n, r):\n for i in range(n):\n  r.append(i)\n return r\n"),
    untouched(
        "list_loop",
        "seen half-way",
        "def f(n):\n r = []\n with open(n) as h:\n  for i in h:\n   r.append(i)\n return r\n",
    ),
    untouched("list_loop", "yields", "def f(n):\n r = []\n for i in range(n):\n  r.append((yield i))\n return r\n"),
    untouched("list_loop", "other methods", "def f(n):\n r = []\n for i in range(n):\n  r.insert(i)\n return r\n"),
    untouched(
        "strength_reduction", "used later", "def f(n):\n for i in range(n):\n  if i % 3 == 0:\n   print(i)\n return i\n"
    ),
    untouched(
        "strength_reduction",
        "something for the others",
        "def f(n):\n for i in range(n):\n  if i % 3 == 0:\n   print(i)\n  else:\n   print()\n",
    ),
    untouched(
        "strength_reduction",
        "ends early",
        "def f(n):\n for i in range(n):\n  if i % 3 == 0 or i % 2 == 0:\n   return i\n",
    ),
    untouched(
        "strength_reduction", "another remainder", "def f(n):\n for i in range(n):\n  if i % 3 == 1:\n   print(i)\n"
    ),
    untouched(
        "strength_reduction",
        "a step of its own",
        "def f(n):\n for i in range(0, n, 2):\n  if i % 3 == 0:\n   print(i)\n",
    ),
    untouched(
        "strength_reduction", "no remainder by zero", "def f(n):\n for i in range(n):\n  if i % 0 == 0:\n   print(i)\n"
    ),
    untouched("memoization", "calls itself once", "def f(n):\n return n * f(n - 1) if n else 1\n"),
    untouched("memoization", "prints", "def f(n):\n if n < 2:\n  return n\n print(n)\n return f(n - 1) + f(n - 2)\n"),
    untouched(
        "memoization",
        "reads the module's variables",
        "K = 1\ndef f(n):\n if n < 2:\n  return K\n return f(n - 1) + f(n - 2)\n",
    ),
    untouched(
        "memoization",
        "gives lists, which can be changed",
        "def f(n):\n if n < 2:\n  return [n]\n return f(n - 1) + f(n - 2)\n",
    ),
    untouched("memoization", "rebound", "def f(n):\n if n < 2:\n  return n\n return f(n - 1) + f(n - 2)\nf = print\n"),
    untouched(
        "memoization",
        "other than exact numbers within",
        "def f(n):\n if n < 2:\n  return n\n return f(n / 1) + f(n - 2)\n",
    ),
    untouched(
        "memoization",
        "a parameter changes",
        "def f(n):\n n -= 1\n if n < 2:\n  return n\n return f(n - 1) + f(n - 2)\n",
    ),
    untouched(
        "memoization",
        "len is another one",
        "def len(x): print(x)\ndef f(s):\n if len(s) == 0:\n  return 1\n return f(s[1:]) + f(s[2:])\n",
    ),
    untouched(
        "memoization", "a method", "class A:\n def f(n):\n  if n < 2:\n   return n\n  return f(n - 1) + f(n - 2)\n"
    ),
    untouched(
        "memoization",
        "decorated",
        "import functools\n@functools.cache\ndef f(n):\n if n < 2:\n  return n\n return f(n - 1) + f(n - 2)\n",
    ),
    untouched(
        "local_renaming",
        "parameters",
        "def f(closest_pair_found, *other_arguments_given):\n return closest_pair_found, other_arguments_given\n",
    ),
    untouched(
        "local_renaming",
        "an inner function sees it",
        "def f(n):\n closest_pair_found = 1\n return lambda: closest_pair_found\n",
    ),
    untouched("local_renaming", "locals shows it", "def f(n):\n closest_pair_found = 1\n return locals()\n"),
    untouched("local_renaming", "exec sees it", "def f(n):\n closest_pair_found = 1\n exec(n)\n"),
    untouched(
        "local_renaming",
        "a frame shows it",
        "import sys\ndef g():\n return sys._getframe(1).f_locals\ndef f(n):\n closest_pair_found = 1\n return g()\n",
    ),
    untouched(
        "local_renaming",
        "an error says its name",
        "def f(n):\n if n:\n  closest_pair_found = 1\n return closest_pair_found\n",
    ),
    untouched(
        "local_renaming",
        "a text says its name",
        "def f(n):\n closest_pair_found = 1\n return f'{closest_pair_found=}'\n",
    ),
    untouched(
        "local_renaming",
        "a module's",
        "closest_pair_found = 1\ndef f(n):\n global closest_pair_found\n closest_pair_found = 1\n",
    ),
    untouched("local_renaming", "deleted", "def f(n):\n closest_pair_found = 1\n del closest_pair_found\n"),
    untouched(
        "local_renaming",
        "a function's name is its own",
        "def f(n):\n def closest_pair_found(): pass\n return closest_pair_found\n",
    ),
    untouched("local_renaming", "a class body keeps it", "class A:\n closest_pair_found = 1\n"),
    untouched(
        "local_renaming",
        "a comprehension has one of that name",
        "def f(n):\n closest_pair_found = 1\n return [closest_pair_found for closest_pair_found in n]\n",
    ),
    untouched("local_renaming", "one token", "def f(n):\n count = 1\n return count\n"),
    untouched("function_inlining", "prints", "def g(k):\n print(k)\n return k\ndef f(n):\n return g(n)\n"),
    untouched(
        "function_inlining", "given something that happens", "def g(k):\n return k + k\ndef f(n):\n return g(n())\n"
    ),
    untouched("function_inlining", "a default", "def g(k, m=[]):\n return k, m\ndef f(n):\n return g(n)\n"),
    untouched("function_inlining", "decorated", "@staticmethod\ndef g(k):\n return k\ndef f(n):\n return g(n)\n"),
    untouched("function_inlining", "rebound", "def g(k):\n return k\ndef f(n):\n return g(n)\ng = print\n"),
    untouched("function_inlining", "another str there", "def g(k):\n return str(k)\ndef f(n, str):\n return g(n)\n"),
    untouched("function_inlining", "reads the module", "K = 1\ndef g(k):\n return k + K\ndef f(n):\n return g(n)\n"),
    untouched("function_inlining", "too few are given", "def g(k, m):\n return k\ndef f(n):\n return g(n)\n"),
    untouched("function_inlining", "by keyword", "def g(k, m):\n return k\ndef f(n):\n return g(m=n, k=n)\n"),
    untouched("function_inlining", "a generator", "def g(k):\n return (yield k)\ndef f(n):\n return g(n)\n"),
    untouched(
        "function_inlining",
        "perhaps unbound",
        "def g(k, m):\n return m and k\ndef f(n):\n if n: x = 1\n return g(x, n)\n",
    ),
    untouched("function_inlining", "not there yet", "def f(n):\n return g(n)\nprint(f(1))\ndef g(k):\n return k\n"),
    untouched("dead_store_elimination", "read", "def f(n):\n a = 1\n return a\n"),
    untouched("dead_store_elimination", "may fail", "def f(n):\n a = n.b\n a = n + 1\n a = 1 / n\n"),
    untouched("dead_store_elimination", "may be unbound", "def f(n):\n if n: b = 1\n a = b\n return 1\n"),
    untouched("dead_store_elimination", "locals shows it", "def f(n):\n a = 1\n return locals()\n"),
    untouched("dead_store_elimination", "everybody sees it", "def f(n):\n global a\n a = 1\n return n\n"),
    untouched("dead_store_elimination", "both are needed", "def f(n):\n a = n()\n for b in n:\n  a += b\n return a\n"),
    untouched("dead_store_elimination", "in a loop", "def f(n):\n for x in n:\n  a = x\n  b = a + 1\n  print(b, x)\n"),
    untouched("dead_store_elimination", "decorators do something", "def f(n):\n @print\n def g(): pass\n return n\n"),
    untouched("function_outlining", "returns", "def f(n, m):\n for x in n:\n  if x:\n   return x\n return m\n"),
    untouched("function_outlining", "yields", "def f(n, m):\n for x in n:\n  yield x\n return m\n"),
    untouched(
        "function_outlining",
        "seen half-way",
        "def f(n, m):\n t = 0\n try:\n  for x in n:\n   t += x\n except TypeError: pass\n return t, m\n",
    ),
    untouched("function_outlining", "nothing to hide", "def f(n):\n for x in n:\n  print(x)\n"),
    untouched(
        "function_outlining",
        "a private attribute is another one outside of its class",
        "class A:\n def f(self, n, m):\n  t = 0\n  for i in range(n):\n   t += self.__x\n  return t, m\n",
    ),
    untouched(
        "function_inlining",
        "super asks for the first parameter",
        "class A:\n def f(self, n):\n  def g(a):\n   return super().f(a)\n  return g(n)\n",
    ),
    untouched(
        "function_inlining",
        "a private attribute is another one inside of a class",
        "def g(a):\n return a.__x\nclass A:\n def f(self):\n  return g(self)\n",
    ),
    untouched("function_outlining", "calls itself", "def f(n, m):\n for x in n:\n  f(x, 1)\n return m\n"),
    untouched("function_outlining", "perhaps unbound", "def f(n, m):\n for x in n:\n  y = x\n return y, m\n"),
    untouched(
        "function_outlining",
        "an inner function sees it",
        "def f(n, m):\n t = 0\n g = lambda: t\n for x in n:\n  t += x\n return g, m\n",
    ),
    untouched(
        "function_outlining", "everybody sees it", "def f(n, m):\n global t\n for x in n:\n  t += x\n return m\n"
    ),
    untouched(
        "function_outlining",
        "super",
        "class A(list):\n def f(self, n, m):\n  for x in n:\n   super().append(x)\n  return m\n",
    ),
    untouched(
        "function_outlining", "its variable is read later", "def f(n, m):\n for x in n:\n  print(x)\n return x\n"
    ),
    untouched(
        "function_outlining",
        "names of the class",
        "class A:\n def f(s, n, m):\n  for x in n:\n   print(__y)\n  return m\n",
    ),
    untouched(
        "memoization",
        "asks which object",
        "def f(n, m):\n if n is m:\n  return n\n return f(n - 1, m) + f(n - 2, m)\n",
    ),
    untouched(
        "memoization", "another int", "int = 1\ndef f(n):\n if n < 2:\n  return n\n return f(n - 1) + f(n - 2)\n"
    ),
    untouched(
        "function_outlining",
        "a weak reference asks",
        "import weakref\ndef f(n, m):\n for x in n:\n  print(x)\n return m\n",
    ),
]
