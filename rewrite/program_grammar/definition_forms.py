"""Forms of nested functions, generators, coroutines, classes and imports. Each is used where it is defined.

A class body runs once, in order, and the names that it binds become attributes. A temporary in it would be visible.
"""

from __future__ import annotations

import sys

from rewrite.program_grammar.form import GrammarForm, forms

FORMS: list[GrammarForm] = [
    # Decorators and defaults are evaluated before the call; the body may return early.
    *forms("def", "statement", """
        «|@deco(§)»
        @deco(§)
        def inner({parameters}*rest, **options):
            {suite}
            «pass|return {int}»
        inner({arguments})
    """, """
        def inner({parameters}*rest, **options):
            {suite}
            return {any}
        inner({arguments})
    """),
    # Recursion with live temporaries on every level; `go` terminates it.
    *forms("def", "typed statement", """
        def rec(k):
            if go(§) and k < 99:
                return «t(§, k) + rec(k - 1) * {int}|rec({int}) - t(§, k)|h(rec(k), k, *it(§, {int}))»
            return {int}
        {target} = rec({int})
    """),
    *forms("nested function", "mixed statement", """
        def {g=new g}(a, b, c):
            {suite}
            return a, b, c
        «a = |»{g}(«a, b, c|b, a, c|a, a, c»)
    """),
    # A default is evaluated once, and a mutable one is shared by the calls.
    *forms("default argument", "mixed statement", """
        def {g=new g}(x, made=«[]|t(§, [])|a|dict()|[a]»):
            «made.append(x)|made += [x]|made = made + [x]|made[x] = 1»
            return made
        a = {g}(«1|b, [0]»), {g}(«2|b»)
    """),
    # Defaults are evaluated from left to right at definition, then annotations; arguments at the call.
    *forms("parameters", "typed statement", """
        def every(a: t(§, int), /, b={int}, *, c: t(§, 'c') = {int}, **k) -> t(§, None):
            return {int}, c, k
        «every({int}, c={int}, **{dict})|h(*every({int}, c={int}, **{dict})[:2])»
    """),
    # A variable of one function that a nested function rebinds and a third one reads.
    *forms("closure", "typed statement", """
        def counter():
            count = {int}
            def step(by=t(§, 1)):
                nonlocal count
                count += by * {int}
                return count
            return step, lambda: t(§, count)
        step, read = counter()
        {target} = step() + step({int}) * read()
    """),
    *forms("closure", "mixed statement", """
        total = 0
        def {g=new g}(x):
            nonlocal total
            «total += x|total = total + x|total = [x, total]»
            return total
        «|b = »{g}(«1|a»)
        a = total, {g}(2), total
    """),
    # Functions made in a loop see the last value of its variable, except as a default.
    *forms("late binding", "statement", """
        made = []
        for k in range(3):
            made.append(«lambda: k|lambda k=k: k|lambda: t(§, k)»)
        {list!} = [each() for each in made]
    """),
    *forms("global", "typed statement", """
        def rebind():
            global n
            «n = {int}|n += {int}|n, *_ = {int}, bump(§)|t(§, n := {int})»
            return n
        {target} = n + rebind() * {int}
    """),
    *forms("yield", "statement", """
        def g({parameters}):
            «{suite}|yield from {iterable}»
            yield {any}
        «drain(g())|a, *p = g()|next(g(), None)|p = [*map(str, g())]|g()|p = list(g())|q = [x for x in g()]»
    """),
    *forms("generator", "mixed statement", """
        def {g=new g}():
            «for x in {iterable}: yield t(§, x)|yield a; yield t(§, b)|yield from c; return a|got = yield a; yield got»
        «a = list({g}())|a = next({g}())|r = {g}(); b = next(r); c = list(r)|a = sum({g}())|for x in {g}(): b = x»
    """, """
        def {g=new g}():
            for x in c:
                if x == a:
                    return
                yield x
        a = list({g}())
    """, """
        def {g=new g}():
            try:
                yield 1
                yield a
            finally:
                print('closed')
        a = «list|next»({g}())
    """),
    # `poke` calls next, send, throw and close; `yield from` delegates all of them and has a value.
    *forms("generator protocol", "typed statement", """
        def g():
            got = None
            try:
                got = yield {int}
                yield t(§, got), {int}
            except ValueError as error:
                yield t(§, str(error))
            finally:
                t(§, got)
            return t(§, 7)
        def outer():
            result = yield from g()
            yield t(§, result) + {int}
        «poke(g())|poke(outer())|drain(outer())|[*outer()]»
    """),
    *forms("async generator", "typed statement", """
        async def steps():
            for i in it(§, 2):
                yield await aw(§, i + {int})
        async def total():
            found = {{i: t(§, i) async for i in steps() if await aw(§, i)}}
            async for k in steps(): found[k] = {int}
            return sum(found.values())
        {target} = drive(total())
    """),
    *forms("async", "typed statement", """
        async def co({parameters}):
            async «with acm(§) as a, acm(§)|with acm(§) as a|for a in ait(§, 2)»:
                {suite}
            return await aw(§, {int})
        {target} = drive(co())
    """, """
        async def co({parameters}):
            {suite}
            «p = [{int} async for i in ait(§, 2)]|pass»
            return await aw(§, {int})
        {target} = drive(co())
    """),
    *forms("class", "typed statement", """
        «|@deco(§)»
        class C«|(t(§, object))»:
            x = {int}
            __y = {int}
            def m(self, {parameters}):
                {suite}
                return self.__dict__, super().__str__
        t(§, sorted(vars(C)))
        C().m()[0]
        {target} = C.x
    """, """
        class C:
            if {bool}:
                x = {int}
            else:
                x = t(§, 0)
            «y = [t(§, i) for i in it(§, x)]|y = x + t(§, 1)|x += t(§, 1)»
            for i in it(§, 2):
                z = i * {int}
        {target} = t(§, C.x)
        h(*sorted(vars(C)))
    """),
    *forms("class", "mixed statement", """
        class {C=new C}:
            items = []
            n = 0
            def __init__(self, n):
                self.n = n
            def step(self, x):
                self.«n += x|items += [x]|items = self.items + [x]|n = x|items.append(x)»
                return self.n, self.items
        «a = {C}(a).step(b), {C}.items, {C}.n|own = {C}(1); own.step(b); own.n += 1; a = own.n, {C}.n»
    """),
    # Bases and keywords are evaluated from left to right, then the body; `Meta` logs each binding of the body.
    *forms("metaclass", "typed statement", """
        class C(t(§, object), «metaclass=t(§, Meta)|metaclass=Meta, k={int}|k={int}, metaclass=t(§, Meta)»):
            x = {int}
            y = {int}
            def m(self): return t(§, self.y)
        {target} = C.x + C().m()
    """),
    *forms("descriptor", "typed statement", """
        class C:
            x = Field(§, {int})
            @property
            def y(self, {parameters}):
                {suite}
                return self.x + {int}
            @y.setter
            def y(self, new):
                self.x = t(§, new)
        c = C()
        {target} = c.y
        c.x = {int}
        c.y += t(§, 1)
        del c.x
    """),
    *forms("property", "statement", """
        class P:
            @property
            def n(self):
                return t(§, 1)
            @n.setter
            def n(self, value):
                t(§, value)
        own = P()
        «own.n += 1|own.n = t(§, a)|a = own.n + own.n|own.n, a = a, own.n|a = own.n if own.n else 0»
    """),
    # Defaults and decorators of methods are evaluated in the class body.
    *forms("static method", "typed statement", """
        class C:
            n = t(§, 0)
            @classmethod
            def make(cls, k={int}):
                cls.n += t(§, k)
                return cls()
            @«staticmethod|deco(§)»
            def twice(k, *, by={int}):
                return t(§, k) * by
        C.make(), C.make(t(§, 2))
        {target} = C.twice({int}) + C.n
    """),
    *forms("slots", "typed statement", """
        class C:
            __slots__ = ('x', *t(§, ('y',)))
            def __init__(self, x):
                self.x = t(§, x)
                self.«y|z» = t(§, self.x) + 1
        {target} = C({int}).y
    """),
    # Annotations and defaults of fields are evaluated in order; a temporary must not become a field.
    *forms("dataclass", "typed statement", """
        from dataclasses import dataclass, field
        @dataclass(order=t(§, True))
        class D:
            x: t(§, int) = {int}
            y: list = field(default_factory=lambda: [t(§, 1)])
            def __post_init__(self):
                self.y.append(t(§, self.x))
        {target} = «D({int}).y[-1]|len(repr(D()))|(D({int}) < D({int})) + 0|D(x={int}, y=[t(§, 2)]).x»
    """),
    # `super()` without arguments needs the cell `__class__` of the method that contains it.
    *forms("super", "typed statement", """
        class B:
            def __init__(self, *args):
                LOG.append(args)
            def m(self, k):
                return t(§, k) + {int}
        class C(B):
            def __init__(self, k):
                super().__init__(t(§, k), {int})
            def m(self, k):
                return super().m(t(§, k) + 1) * {int}
        {target} = C({int}).m({int})
    """),
    *forms("import", "typed statement", """
        from operator import add as plus, sub
        {target} = plus({int}, sub({int}, 1))
    """, """
        import itertools as tools, operator, math
        {target} = «math.gcd({int}, {int})|operator.mul(len([*tools.chain(it(§, 2), it(§, 1))]), {int})»
    """, """
        import os.path
        {target} = len(os.path.join(t(§, 'a'), str({int})))
    """, """
        from collections import Counter
        from functools import partial, reduce
        {target} = «Counter(t(§, 'abca'))['a'] + {int}|reduce(partial(h, {int}), it(§, 3), {int})»
    """),
]  # fmt: skip
if sys.version_info >= (3, 12):
    # The value of an alias and the bound of a parameter are evaluated lazily; annotations are evaluated at once.
    FORMS += forms("type parameters", "typed statement", """
        type Alias = t(§, list)
        t(§, Alias.__value__), Alias.__value__
    """, """
        type Pair[T] = tuple[t(§, T), t(§, int)]
        Pair.__name__, Pair.__value__
    """, """
        def first[T: t(§, int)](x: t(§, 'T'), *rest: T) -> t(§, 'T'):
            return t(§, x)
        first({int}, {int})
    """, """
        class Box[T]:
            x: T = {int}
            def get(self) -> T: return t(§, self.x)
        Box[t(§, int)]().get()
    """)  # fmt: skip
