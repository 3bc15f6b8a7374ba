"""S_n permutation tracking as code (Siems et al. 2026), in the form that "Debugging Code World Models" prints.

Each program initialises n variables with digits, then reassigns all of them at once, `length` times, by random
permutations. The source follows Appendix C.2 of the paper character by character: `execute_repl_trace`, its docstring,
its last line `print(f"c = {c}")` (for n < 3, the last variable). `main` returns nothing, so the answer is the last
state of the traced function (`grading="state"`).

The paper prints one example and no generator. Chosen here: start values from 1 to 9, and permutations drawn uniformly
without the identity.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from string import ascii_lowercase

from corpora.errors import InputError
from corpora.program import Case

SUMMARY = "S_n permutation tracking: n variables, reassigned all at once, LENGTH times (paper, Appendix C)"
CALL = "execute_repl_trace()"
_HEAD = '''\
def execute_repl_trace():
    """Execute the REPL trace operations."""
'''


def cases(n: int = 5, length: int = 8, size: int = 100, seed: int = 0) -> Iterator[Case]:
    """`size` programs over n variables with `length` permutations each.

    A larger `size` extends the same list of programs. `expected` is the repr of the final state as a dict of ints, in
    order of assignment.

    Raises:
        InputError: Unless 2 <= n <= 26, length >= 0 and size >= 0.
    """
    if not 2 <= n <= len(ascii_lowercase) or length < 0 or size < 0:
        raise InputError(f"permutations need 2 <= n <= 26, length >= 0, size >= 0, not n={n}, length={length}, {size=}")
    for number in range(size):
        yield case(n, length, random.Random(f"permutations {seed} {n} {length} {number}"), f"{seed}-{number}")


def case(n: int, length: int, chance: random.Random, name: str) -> Case:
    """One random program; `chance` is the only source of randomness."""
    names = list(ascii_lowercase[:n])
    state = {variable: chance.randint(1, 9) for variable in names}
    lines = [f"    {variable} = {value}" for variable, value in state.items()]
    for _ in range(length):
        order = _permutation(names, chance)
        lines.append(f"    {', '.join(names)} = {', '.join(order)}")
        state = dict(zip(names, [state[source] for source in order], strict=True))
    shown = names[min(2, n - 1)]
    source = _HEAD + "\n".join(lines) + f'\n    print(f"{shown} = {{{shown}}}")\n'
    return Case(f"S{n}-{length}-{name}", source, CALL, repr(state), "permutations", f"S{n}, length {length}", "state")


def _permutation(names: list[str], chance: random.Random) -> list[str]:
    while True:
        order = chance.sample(names, len(names))
        if order != names:
            return order
