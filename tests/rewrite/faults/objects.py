"""Faults that show with several objects of the program's classes, or after many calls on one of them."""

from tests.rewrite.faults import fault

# fmt: off
FAULTS = [
    fault(
        "a stack becomes a queue", "class state", (),
        """
        class A:
            def __init__(self):
                self.q = []
            def push(self, x):
                self.q.append(x)
            def pop(self):
                return self.q.pop()
        """,
        """
        class A:
            def __init__(self):
                self.q = []
            def push(self, x):
                self.q.append(x)
            def pop(self):
                last = self.q.pop()
                return last
        """,
        "self.q.pop()", "self.q.pop(0)",
    ),
    fault(
        "a stack of the module becomes a queue", "globals", (),
        """
        items = []
        def push(x):
            items.append(x)
        def pop():
            return items.pop() if items else None
        """,
        """
        items = []
        def push(x):
            items.append(x)
        def pop():
            if items:
                return items.pop()
            return None
        """,
        "items.pop()", "items.pop(0)",
    ),
    fault(
        "which entry a cache gives up", "class state", (),
        """
        from collections import OrderedDict
        class Recent:
            def __init__(self, size=2):
                self.size, self.held = size, OrderedDict()
            def get(self, k):
                if k not in self.held:
                    return -1
                self.held.move_to_end(k)
                return self.held[k]
            def put(self, k, v):
                self.held[k] = v
                if len(self.held) > self.size:
                    self.held.popitem(last=False)
        """,
        """
        from collections import OrderedDict
        class Recent:
            def __init__(self, size=2):
                self.size, self.held = size, OrderedDict()
            def get(self, k):
                if k not in self.held:
                    return -1
                self.held.move_to_end(k)
                return self.held[k]
            def put(self, k, v):
                self.held[k] = v
                count = len(self.held)
                if count > self.size:
                    self.held.popitem(last=False)
        """,
        "last=False", "last=True",
    ),
    fault(
        "the rest of a linked list is lost", "class state", (),
        """
        class Node:
            def __init__(self, value, rest=None):
                self.value, self.rest = value, rest
        class Linked:
            def __init__(self):
                self.head = None
            def add(self, value):
                self.head = Node(value, self.head)
            def remove(self, value):
                node, last = self.head, None
                while node and node.value != value:
                    node, last = node.rest, node
                if node is None:
                    return False
                if last is None:
                    self.head = node.rest
                else:
                    last.rest = node.rest
                return True
        """,
        """
        class Node:
            def __init__(self, value, rest=None):
                self.value = value
                self.rest = rest
        class Linked:
            def __init__(self):
                self.head = None
            def add(self, value):
                self.head = Node(value, self.head)
            def remove(self, value):
                node, last = self.head, None
                while node and node.value != value:
                    node, last = node.rest, node
                if node is None:
                    return False
                if last is None:
                    self.head = node.rest
                else:
                    last.rest = node.rest
                return True
        """,
        "last.rest = node.rest", "last.rest = None",
    ),
    fault(
        "operands of a subtraction", "order", (),
        """
        class V:
            def __init__(self, x, y):
                self.x, self.y = x, y
            def __sub__(self, o):
                return V(self.x - o.x, self.y - o.y)
        """,
        """
        class V:
            def __init__(self, x, y):
                self.x, self.y = x, y
            def __sub__(self, o):
                x = self.x - o.x
                return V(x, self.y - o.y)
        """,
        "self.y - o.y", "o.y - self.y",
    ),
    fault(
        "an instance of a subclass is no longer equal", "type", (),
        """
        class A:
            def __init__(self, n):
                self.n = n
            def __eq__(self, other):
                if not isinstance(other, A):
                    return NotImplemented
                return self.n == other.n
        class B(A):
            pass
        """,
        """
        class A:
            def __init__(self, n):
                self.n = n
            def __eq__(self, other):
                known = isinstance(other, A)
                return self.n == other.n if known else NotImplemented
        class B(A):
            pass
        """,
        "isinstance(other, A)", "type(other) is type(self)",
    ),
    fault(
        "another object is overwritten", "aliasing", (),
        """
        class Account:
            def __init__(self, n):
                self.n = n
            def transfer(self, other, amount):
                self.n -= amount
                other.n += amount
                return self.n, other.n
        """,
        """
        class Account:
            def __init__(self, n):
                self.n = n
            def transfer(self, other, amount):
                self.n -= amount
                other.n += amount
                both = self.n, other.n
                return both
        """,
        "other.n += amount", "other.n = amount",
    ),
    fault(
        "a function of two objects", "arithmetic", (),
        """
        class Point:
            def __init__(self, x: int, y: int):
                self.x, self.y = x, y
        def area(p, q):
            return (p.x - q.x) * (p.y - q.y)
        """,
        """
        class Point:
            def __init__(self, x: int, y: int):
                self.x, self.y = x, y
        def area(p, q):
            width = p.x - q.x
            return width * (p.y - q.y)
        """,
        "width = p.x - q.x", "width = abs(p.x - q.x)",
    ),
    fault(
        "a reflected operator of two objects", "conditional evaluation", (),
        """
        class M:
            def __init__(self, n: int):
                self.n = n
            def __radd__(self, other):
                return M(self.n + (other.n if isinstance(other, M) else other))
        """,
        """
        class M:
            def __init__(self, n: int):
                self.n = n
            def __radd__(self, other):
                value = other.n if isinstance(other, M) else other
                return M(self.n + value)
        """,
        "other.n if", "other.n + 1 if",
    ),
    fault(
        "which exception a context manager swallows", "exception", (),
        """
        class Quiet:
            def __enter__(self):
                return self
            def __exit__(self, kind, value, trace):
                return kind is not None and issubclass(kind, ValueError)
        """,
        """
        class Quiet:
            def __enter__(self):
                return self
            def __exit__(self, kind, value, trace):
                if kind is None:
                    return False
                return issubclass(kind, ValueError)
        """,
        "issubclass(kind, ValueError)", "issubclass(kind, KeyError)",
    ),
    fault(
        "the next member of an enumeration", "off by one", (),
        """
        import enum
        class Light(enum.Enum):
            RED = 1
            GREEN = 2
            BLUE = 3
        def after(light):
            return Light(light.value % 3 + 1)
        """,
        """
        import enum
        class Light(enum.Enum):
            RED = 1
            GREEN = 2
            BLUE = 3
        def after(light):
            place = light.value % 3
            return Light(place + 1)
        """,
        "% 3", "% 2",
    ),
    fault(
        "what a returned function does", "function state", "adder(3)",
        """
        def adder(n: int):
            def add(x):
                return x + n
            return add
        """,
        """
        def adder(n: int):
            def add(x):
                total = x + n
                return total
            return add
        """,
        "x + n", "x - n",
    ),
    fault(
        "what a generator is sent", "iterator effects", "echo()",
        """
        def echo():
            got = None
            for _ in range(4):
                got = yield got
        """,
        """
        def echo():
            got = None
            for _ in range(4):
                sent = yield got
                got = sent
        """,
        "got = sent", "got = None",
    ),
]
