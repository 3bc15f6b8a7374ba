"""The forms that a finished rewrite can be given, of which the one with the shortest trace is taken.

Each is the same program to the last step: with temporaries that only hand a value on and without them, with tests one
after the other and one inside the other, with a name for each temporary and with those of dead ones used again.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rewrite.passes.cleanup.copy_propagation import propagate_copies
from rewrite.passes.cleanup.nested_ifs import nest_ifs
from rewrite.passes.cleanup.temporaries import TEMPORARY
from rewrite.passes.cleanup.temporary_reuse import reuse_temporaries
from rewrite.result import Rewritten


def alternative_forms(made: Rewritten, original: str, check: Callable[[], None] = lambda: None) -> Iterator[Rewritten]:
    """The rewrite itself and its other forms, the plainest first. check: called before each pass over the text."""
    yield made
    if not made.changed or TEMPORARY.search(original) or not _is_plain(made.source):
        return  # names of the program's own are not told from temporaries
    check()
    plain = _kept(made, original, *propagate_copies(made.source))
    check()
    nested = _kept(plain, original, *nest_ifs(plain.source))
    texts = {made.source}
    for form in (plain, nested):
        check()
        for one in (form, replace(form, source=reuse_temporaries(form.source, original))):
            if one.source not in texts:
                texts.add(one.source)
                yield one


def _kept(made: Rewritten, original: str, text: str, lines: Sequence[int]) -> Rewritten:
    """A rewrite with some of its lines."""
    positions = tuple(made.positions[line] for line in lines if line < len(made.positions))
    return replace(made, source=text, changed=text != original, positions=positions)


def _is_plain(text: str) -> bool:
    """Whether `ast` reads the text, and counts its lines as it is split here."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return "\r" not in text.replace("\r\n", "\n") and "\f" not in text
