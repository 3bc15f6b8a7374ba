"""Programs in which a pass is easily wrong: late reads, names that are no variables, errors half-way, positions.

Each has the calls that candidates are asked for, and others, on which what is made of it must do the same.
"""

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Hostile:
    """A program, the calls that a plan is made for, and calls that nobody has seen."""

    why: str
    source: str
    given: tuple[str, ...]
    others: tuple[str, ...]


def hostile(why: str, source: str, given: str, *others: str) -> Hostile:
    return Hostile(why, dedent(source).lstrip("\n"), (given,), others)


HOSTILE = [
    hostile(
        "a join of what is not iterable has another message",
        """
        def f(parts):
            out = ''
            for part in parts:
                out += part
            return out
        """,
        "f(['ab', 'cd'])",
        "f(None)",
        "f(5)",
        "f([])",
        "f({'a': 1})",
    ),
    hostile(
        "a lazy pipeline reads its variables later",
        """
        def f(xs, show):
            offset_value = 10
            pairs_made = zip(xs, (x + offset_value for x in xs))
            offset_again = 20
            mapped_ones = map(str, (x + offset_again for x in xs))
            final_value = 30
            if show:
                return list(pairs_made), list(mapped_ones), final_value
            return final_value
        """,
        "f([1, 3, 2], 0)",
        "f([1], 1)",
    ),
    hostile(
        "a sum makes a bool an int",
        """
        def f(xs):
            total = True
            for x in xs:
                total += x
            return total
        """,
        "f([1, 2])",
        "f([])",
    ),
    hostile(
        "a walrus binds in the loop",
        """
        def f(k, stop):
            n = 10
            r = []
            for i in range(k):
                limit = n * 2
                r.append(limit)
                if i > stop and [n := n + 1 for _ in [1]]:
                    r.append(0)
            return r
        """,
        "f(4, 100)",
        "f(9, 2)",
    ),
    hostile(
        "generators made in a loop read its variable when they run",
        """
        def f(n, show):
            gens = []
            for i in range(n):
                if i % 5 == 0:
                    gens.append(i + k for k in [1])
            if show:
                return [list(g) for g in gens]
            return len(gens)
        """,
        "f(23, False)",
        "f(23, True)",
    ),
    hostile(
        "generators made in a loop see the variables of the function change",
        """
        def f(xs, show):
            title = 'a text'
            gens = []
            k = 2
            for x in xs:
                k += x
                gens.append(y * k for y in xs)
            k = 10
            if show:
                return [sum(g) for g in gens], title
            return title
        """,
        "f([1, 2], False)",
        "f([1, 2], True)",
    ),
    hostile(
        "names of attributes in patterns and what an import takes are no variables",
        """
        class Point:
            def __init__(self, width_of_it):
                self.width_of_it = width_of_it
        def f(w, n):
            width_of_it = 0
            ascii_letters = 1
            for i in range(n):
                width_of_it += i + ascii_letters
            if w > 2:
                from string import ascii_letters as found
                match Point(w):
                    case Point(width_of_it=3):
                        return 'three', width_of_it, found[:2]
            return width_of_it
        """,
        "f(1, 4)",
        "f(3, 4)",
        "f(4, 4)",
    ),
    hostile(
        "super asks the function that it stands in",
        """
        class D(dict):
            def f(self, xs, go):
                if go:
                    r = []
                    for x in xs:
                        r.append(super().get(x))
                    return r
                return None
        def g(xs, go):
            return D(a=1).f(xs, go)
        """,
        "g(['a'], False)",
        "g(['a'], True)",
    ),
    hostile(
        "map takes a StopIteration for its end",
        """
        class Lazy:
            def __init__(self, items):
                self.items = iter(items)
            def __len__(self):
                return next(self.items)
        def f(xs):
            sizes = []
            for x in xs:
                sizes.append(len(x))
            return sizes
        def g(xs):
            total = 0
            for x in xs:
                total += len(x)
            return total
        def h(xs):
            for x in xs:
                if len(x):
                    return True
            return False
        """,
        "f(['a', 'bc'])",
        "f([Lazy([1]), Lazy([]), Lazy([3])])",
        "g([Lazy([1]), Lazy([]), Lazy([3])])",
        "h([Lazy([0]), Lazy([]), Lazy([3])])",
    ),
    hostile(
        "a string becomes the docstring",
        """
        def f(xs):
            unused_value = 'abc'
            "what follows is the sum"
            total = 0
            for x in xs:
                total = total * 2 + x
            return total, f.__doc__
        def g(xs):
            found = []
            "what follows is the list"
            for x in xs:
                found.append(x)
            return found, g.__doc__
        """,
        "f([1])",
        "f([1])",
        "g([1])",
    ),
    hostile(
        "an unbound variable is another error in a comprehension",
        """
        def f(xs, b):
            if b:
                k = 2
            r = []
            for x in xs:
                r.append(x * k)
            n = 0
            for x in xs:
                n += int(x) * k
            return r, n
        """,
        "f([1], 1)",
        "f([1], 0)",
        "f([], 0)",
    ),
    hostile(
        "numbers and strings compared the other way round have another message",
        """
        def f(xs):
            best = 0
            for x in xs:
                if best < x:
                    best = x
            return best
        """,
        "f([])",
        "f(['a'])",
    ),
    hostile(
        "a generator that is dropped runs its `finally`",
        """
        LOG = []
        def g():
            try:
                yield 1
            finally:
                LOG.append('closed')
        def f(xs):
            first_made = g()
            next(first_made)
            second_made = list(xs)
            LOG.append('later')
            return LOG[:], second_made
        """,
        "f([])",
        "f([1])",
    ),
    hostile(
        "what is added to the module shows",
        """
        def f(n):
            title, total = 'a title', 0
            for i in range(n):
                total += i * i
                total %= 7
            return total, title, sorted(globals())[-3:]
        """,
        "f(3)",
        "f(4)",
    ),
    hostile(
        "the text of an annotation is kept",
        """
        from __future__ import annotations
        def f(n):
            long_name_of_type = int
            def g(a: long_name_of_type):
                return a
            return g.__annotations__, [long_name_of_type(n)]
        """,
        "f(3)",
        "f('5')",
    ),
    hostile(
        "a decorator of several lines, and a string above that ends like a comment",
        '''
        def deco(*a, **k):
            return lambda c: (c, sorted(k))
        NOTE = """
        # said"""
        def f(n):
            title, total = 'a title', 0
            for i in range(n):
                total += i * i
                total %= 7
            return total, title, NOTE
        @deco(
            1,
        )
        class A:
            def f(self, n):
                title, total = 'a title', 0
                for i in range(n):
                    total += i * i
                    total %= 7
                return total, title
        ''',
        "f(3)",
        "f(4)",
        "A[1], A[0]().f(3)",
    ),
    hostile(
        "a star import may replace what is defined above it",
        """
        def lower(k):
            return k + 1
        from string import *
        def f(n):
            def digits_of(k):
                return k * 2
            ascii_lowercase = lower(n)
            for i in range(n):
                ascii_lowercase += digits_of(i)
            return ascii_lowercase, capwords('a b'), n
        """,
        "f(3)",
        "f(4)",
    ),
    hostile(
        "an object that is dropped leaves its address to another one",
        """
        def f(n):
            first_list = [n]
            seen_address = id(first_list)
            second_list = None
            third_list = [n, second_list]
            return seen_address == id(third_list)
        """,
        "f(3)",
        "f(4)",
    ),
    hostile(
        "functions that stand in a function say so",
        """
        def f(n):
            def make(k):
                class Made:
                    pass
                def inner():
                    return k
                return repr(Made), repr(inner).split(' at')[0], repr(lambda: k).split(' at')[0]
            return make(n), n
        """,
        "f(3)",
        "f(4)",
    ),
    hostile(
        "an accumulator that is seen half-way, after the error",
        """
        LOG = []
        def f(xs):
            total = 0
            seen = []
            def show():
                return total
            LOG.append(show)
            try:
                for x in xs:
                    total += 10 // x
            finally:
                LOG.append(total)
            for x in xs:
                seen.append(x)
            return seen, [g() for g in LOG if callable(g)], total
        def g(xs):
            LOG.clear()
            try:
                return f(xs)
            except ZeroDivisionError:
                return [one() if callable(one) else one for one in LOG]
        """,
        "g([1, 2])",
        "g([5, 0])",
        "g([])",
    ),
    hostile(
        "items that count and compare in their own manner",
        """
        class Odd:
            log = []
            def __init__(self, n): self.n = n
            def __radd__(self, other): self.log.append('radd'); return other
            def __iadd__(self, other): self.log.append('iadd'); return other
            def __gt__(self, other): self.log.append('gt'); return self.n % 2
            def __lt__(self, other): self.log.append('lt'); return self.n % 2
            def __eq__(self, other): self.log.append('eq'); return True
            def __hash__(self): self.log.append('hash'); return 1
            def __bool__(self): self.log.append('bool'); return False
            def __len__(self): self.log.append('len'); return 3
            def __iter__(self): self.log.append('iter'); return iter(range(self.n))
            def __contains__(self, one): self.log.append('in'); return True
            def __repr__(self): return f'Odd({self.n})'
        def adds(xs):
            total = 0
            for x in xs:
                total += x
            return total, Odd.log
        def counts(xs):
            number = 0
            for x in xs:
                if x == 'a':
                    number += 1
            return number, Odd.log
        def best(xs):
            found = 0
            for x in xs:
                if x > found:
                    found = x
            return found, Odd.log
        def fills(xs):
            found = set()
            for x in xs:
                found.add(x)
            return len(found), Odd.log
        def lists(xs):
            found = []
            for x in xs:
                found.append(x)
            return found, Odd.log
        def finds(xs):
            for x in xs:
                if x == 'a':
                    return True
            return False
        def truths(xs):
            for x in xs:
                if bool(x):
                    return True
            return False
        """,
        "[g([]) for g in (adds, counts, best, fills, lists, finds, truths)]",
        *(
            f"{name}({items}), Odd.log"
            for name in ("adds", "counts", "best", "fills", "lists", "finds", "truths")
            for items in ("[Odd(1), Odd(2)]", "Odd(3)", "[0, Odd(1)]", "iter([1, 2])")
        ),
    ),
    hostile(
        "a list that grows while it is gone through, and iterators that are shared",
        """
        def grows(xs):
            found = []
            for x in xs:
                found.append(xs.pop() if len(xs) > 2 else x)
            return found, xs
        def shared(xs):
            it = iter(xs)
            total = 0
            for x in it:
                total += next(it, 5)
            for x in it:
                if x:
                    return True
            return False
        """,
        "grows([1, 2, 3, 4]), shared([1, 2, 3])",
        "grows([1, 2, 3, 4, 5, 6, 7])",
        "shared([1, 2, 3, 4, 5])",
        "shared([])",
    ),
    hostile(
        "generators and coroutines that are stopped in the middle",
        """
        def numbers(xs):
            first_total = 0
            for x in xs:
                first_total += x
            second_total = yield first_total
            found = []
            for x in xs:
                found.append((yield x))
            return second_total, found
        async def waits(xs):
            count_of_all = 0
            for x in xs:
                if x:
                    count_of_all += 1
            return count_of_all
        def f(xs, stop):
            g = numbers(xs)
            seen = [next(g)]
            for k in range(stop):
                try:
                    seen.append(g.send(k))
                except StopIteration as e:
                    seen.append(e.value)
            try:
                waits(xs).send(None)
            except StopIteration as e:
                seen.append(e.value)
            return seen
        """,
        "f([1, 2], 1)",
        "f([1, 2], 9)",
        "f([], 3)",
    ),
    hostile(
        "private names and names of a class",
        """
        class A:
            limit = 3
            def __init__(self): self.__hidden = [1, 2, 3]
            def f(self, n):
                __own_local = 0
                title_of_it = 'a'
                for x in self.__hidden:
                    __own_local += x * n
                def helper(k):
                    return k.__hidden
                return __own_local, helper(self), title_of_it, __class__.limit
            def g(self, n, title):
                found = []
                for x in self.__hidden:
                    found.append(__class__.limit + x)
                for x in self.__hidden:
                    title += str(__class__.limit)
                return found, title
        """,
        "A().f(2), A().g(1, 'a')",
        "A().f(5)",
        "A().g(2, '')",
    ),
    hostile(
        "deleted, declared and rebound names",
        """
        total = 5
        def f(n, xs):
            global total
            total = 0
            for x in xs:
                total += x
            unused_value = n
            del unused_value
            try:
                long_name_of_error = 1 // n
            except ZeroDivisionError as long_name_of_error:
                kept_message = str(long_name_of_error)
            else:
                kept_message = 'fine'
            for first_index in range(n):
                if first_index % 2 == 0:
                    del first_index
            return total, kept_message
        def g(n, xs):
            def inner():
                nonlocal counted_items
                counted_items = 'inner'
            counted_items = 0
            for x in xs:
                counted_items += 1
                if x > 2:
                    inner()
                    counted_items = 0
            return counted_items
        """,
        "f(1, [1, 2]), g(1, [1, 2])",
        "f(0, [])",
        "f(0, [1, 'a'])",
        "f(5, [1]), total",
        "g(1, [3, 1])",
    ),
]
