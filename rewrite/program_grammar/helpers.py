"""Source of the helpers that generated programs call. Each helper logs to `LOG` how it is used.

A program contains only the helpers that it calls, which keeps counterexamples short. The log is a global variable: it
reveals if two programs evaluate operands in a different order, twice or not at all.
"""

from __future__ import annotations

import re

PIECES: dict[str, str] = {
    "t": """
def t(label, value):
    LOG.append(label)
    return value
""",
    "note": """
def note(value):
    print('note', value)
    return value
""",
    "fail": """
def fail(label):
    LOG.append(label)
    raise ValueError(label)
""",
    "stop": """
def stop(label):
    LOG.append(label)
    raise StopIteration(label)
""",
    "go": """
def go(label, fuel=[4]):
    LOG.append(label)
    fuel[0] -= 1
    return fuel[0] >= 0
""",
    "bump": """
n = 0

def bump(label):
    global n
    LOG.append(label)
    n += 1
    return n
""",
    "h": """
def h(*args, **kwargs):
    LOG.append((args, kwargs))
    return len(args) + len(kwargs)
""",
    "it": """
def it(label, count):
    for i in range(count):
        LOG.append((label, i))
        yield i
    LOG.append((label, 'end'))
""",
    "Item": """
class Item:
    def __init__(self, n): self.n = n
    def __bool__(self): print('bool', self.n); return self.n > 0
    def __eq__(self, other): print('eq', self.n); return self.n == getattr(other, 'n', other)
    def __lt__(self, other): print('lt', self.n); return self.n < getattr(other, 'n', other)
    def __gt__(self, other): print('gt', self.n); return self.n > getattr(other, 'n', other)
    def __add__(self, other): print('add', self.n); return Item(self.n + 1)
    def __iadd__(self, other):
        print('iadd', self.n)
        self.n += 2
        return self
    def __len__(self): print('len', self.n); return abs(self.n)
    def __getitem__(self, key): print('item', key); return (self.n, key)[key]
    def __contains__(self, key): print('contains', self.n); return self.n
    def __ne__(self, other): print('ne', self.n); return self.n != getattr(other, 'n', other)
    def __repr__(self): return f'Item({self.n})'
    def __str__(self): print('str', self.n); return f'item {self.n}'
    def __format__(self, spec): print('format', self.n, spec); return f'{self.n} formatted'
    def __hash__(self): return self.n
""",
    "Obj": """
class Obj:
    x = 0
    def __getattribute__(self, name):
        LOG.append('get ' + name)
        return object.__getattribute__(self, name)
    def __setattr__(self, name, value):
        LOG.append(('set ' + name, value))
        object.__setattr__(self, name, value)
    def m(self, *args, **kwargs): LOG.append(('m', args, kwargs)); return len(args) + len(kwargs)
    def __getitem__(self, key): LOG.append(('item', key)); return 1
    def __setitem__(self, key, value): LOG.append(('set item', key, value))
    def __delitem__(self, key): LOG.append(('del item', key))
    def __bool__(self): LOG.append('bool'); return True
    def __format__(self, spec): LOG.append(('format', spec)); return 'o'
    def __add__(self, other): LOG.append(('add', type(other).__name__)); return 1
    def __matmul__(self, other): LOG.append(('matmul', type(other).__name__)); return 2
    def __neg__(self): LOG.append('neg'); return 3
    def __call__(self, *args): LOG.append(('call', args)); return 4
    def __lt__(self, other): LOG.append(('lt', type(other).__name__)); return self
    def __contains__(self, item): LOG.append(('contains', item)); return True
""",
    "cm": """
class cm:
    def __init__(self, label, swallow=False):
        LOG.append(label)
        self.label, self.swallow = label, swallow
    def __enter__(self): LOG.append((self.label, 'enter')); return self.label
    def __exit__(self, kind, error, traceback):
        LOG.append((self.label, 'exit', kind and kind.__name__))
        return self.swallow
""",
    "deco": """
def deco(label):
    LOG.append(label)
    def decorate(item): LOG.append((label, item.__name__)); return item
    return decorate
""",
    "drain": """
def drain(generator, limit=20):
    sent = None
    for step in range(limit):
        try:
            LOG.append(('yielded', generator.send(sent)))
        except StopIteration as stop:
            return stop.value
        sent = step
    generator.close()
""",
    "poke": """
def poke(generator):
    LOG.append(next(generator, 'nothing'))
    for act in (lambda: generator.send(5), lambda: generator.throw(ValueError('thrown')), generator.close):
        try:
            LOG.append(act())
        except StopIteration as stop:
            LOG.append(('end', stop.value))
            return
""",
    "Point": """
class Point:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y):
        LOG.append(('point', type(x).__name__, type(y).__name__))
        self.x, self.y = x, y
    def __getattribute__(self, name):
        LOG.append('get ' + name)
        return object.__getattribute__(self, name)
""",
    "Meta": """
class Space(dict):
    def __setitem__(self, name, value):
        LOG.append(('bind', name))
        dict.__setitem__(self, name, value)

class Meta(type):
    def __prepare__(name, bases, **options): LOG.append(('prepare', name, options)); return Space()
    def __new__(cls, name, bases, space, **options):
        return type.__new__(cls, name, bases, dict(space))
    def __init__(cls, name, bases, space, **options):
        LOG.append(('made', [key for key in space if key[:2] != '__']))
""",
    "Field": """
class Field:
    def __init__(self, label, value): LOG.append(label); self.value = value
    def __set_name__(self, owner, name): LOG.append(('name', name))
    def __get__(self, instance, owner): LOG.append('read'); return self.value
    def __set__(self, instance, value): LOG.append(('write', value)); self.value = value
""",
    "aw": """
class aw:
    def __init__(self, label, value): LOG.append(label); self.label, self.value = label, value
    def __await__(self):
        LOG.append((self.label, 'wait'))
        yield self.label
        return self.value
""",
    "ait": """
async def ait(label, count):
    for i in range(count):
        LOG.append((label, i))
        yield i
""",
    "acm": """
class acm:
    def __init__(self, label): LOG.append(label); self.label = label
    async def __aenter__(self): LOG.append((self.label, 'enter')); return self.label
    async def __aexit__(self, kind, error, traceback):
        LOG.append((self.label, 'exit', kind and kind.__name__))
""",
    "drive": """
def drive(coroutine):
    try:
        while True:
            LOG.append(('waits', coroutine.send(None)))
    except StopIteration as stop:
        return stop.value
""",
}


_USED = re.compile(rf"\b({'|'.join(PIECES)})(?=[(,)])")


def prelude(body: str) -> str:
    """Return the source of the helpers that `body` names, in a fixed order after `LOG = []`; "" if it names none.

    >>> print(prelude("return 1"), end="")
    >>> prelude("return t(1, 2)").splitlines()[:3]
    ['LOG = []', '', 'def t(label, value):']
    """
    names = {match[1] for match in _USED.finditer(body)}
    used = [text for name, text in PIECES.items() if name in names]
    if "bump" not in names and re.search(r"\bn\b", body):
        used.append("\nn = 0\n")
    return "LOG = []\n" + "".join(used) + "\n" if used else ""
