"""Register allocation for temporaries by liveness: two of one kind that are not live at the same time share a name.

Each local variable costs tokens in every later frame of the trace. Two temporaries share a name only if all their
values in the traces have the same type, so that a name does not stand for a list and then for a count. A temporary that
a nested function, a generator expression or a `del` mentions keeps its name. The pass works on the source of a finished
rewrite; the caller counts whether the result is cheaper.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from rewrite.analysis.legality import read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.live_intervals import LiveIntervals
from rewrite.passes.cleanup.name_mentions import Renames, apply_renames, functions_with_locals
from rewrite.passes.cleanup.observed_values import Kinds


def reuse_temporaries(text: str, original: str, kinds: Kinds) -> str:
    """The source with fewer names for temporaries; its lines stay the same.

    >>> before = "def f(a):\\n    _t0 = a + 1\\n    _t1 = _t0 * 2\\n    _t2 = str(_t1)\\n    return _t2 + a\\n"
    >>> print(reuse_temporaries(before, "", {(1, "_t0"): int, (1, "_t1"): int, (1, "_t2"): str}), end="")
    def f(a):
        _t0 = a + 1
        _t0 = _t0 * 2
        _t1 = str(_t0)
        return _t1 + a

    Args:
        text: The source, in which temporaries do not share names.
        original: The source before the rewrite.
        kinds: The types of the temporaries; one without a type shares its name with none.
    """
    taken = set(TEMPORARY.findall(original))
    names: Renames = {}
    for node, variables in functions_with_locals(ast.parse(text), read_locals(text)):
        own = {name: kind for (line, name), kind in kinds.items() if line == node.lineno}
        names |= _shared(LiveIntervals.of(node), taken | (variables.references.keys() - variables.renamable), own)
    return apply_renames(text, names)


def _shared(lives: LiveIntervals, taken: set[str], kinds: Mapping[str, type]) -> Renames:
    """The renames by which temporaries share names."""
    free = {name: life for name, life in lives.found.items() if name not in lives.pinned | taken}
    barred = lives.pinned | taken
    names = [name for number in range(len(free) + len(barred)) if (name := f"_t{number}") not in barred]
    busy: dict[str, int] = {}  # until when
    held: dict[str, type | None] = {}  # the type of the values
    changes: Renames = {}
    for old, life in sorted(free.items(), key=lambda item: item[1].first):
        kind = kinds.get(old)
        new = next(
            name
            for name in names
            if name not in busy or (busy[name] < life.first and kind is not None and held[name] is kind)
        )
        busy[new], held[new] = life.last, kind
        if new != old:
            changes |= {(name.lineno, name.col_offset): (old, new) for name in life.mentions}
    return changes
