"""Alternative forms of a finished rewrite: the same program and the same steps, with different temporaries.

With and without copies and unread tables, and with or without shared names for temporaries. The caller takes the form
with the shortest trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from corpora.deadline import current_deadline
from rewrite.anf.names import TEMPORARY
from rewrite.anf.rewrite_result import Rewritten
from rewrite.passes.cleanup.copy_propagation import propagate_copies
from rewrite.passes.cleanup.name_mentions import is_plain
from rewrite.passes.cleanup.naming.readable_names import name_temporaries
from rewrite.passes.cleanup.observed_values import Kinds, Observed
from rewrite.passes.cleanup.temporary_reuse import reuse_temporaries
from rewrite.passes.cleanup.unused_tables import drop_tables


def alternative_forms(made: Rewritten, original: str, kinds: Callable[[Rewritten], Kinds]) -> Iterator[Rewritten]:
    """The rewrite itself, then its other forms, the most similar first.

    Args:
        made: The rewrite.
        original: The source before the rewrite.
        kinds: Returns the types of the temporaries of a form in which they do not share names.

    Raises:
        OutOfTimeError: If the deadline passes before one of the passes over the source.
    """
    texts: set[str] = set()
    for form in (made, plain_form(made, original)):
        current_deadline().check()
        for one in (form, _with_sharing(form, made, original, kinds)):
            if one.source not in texts:
                texts.add(one.source)
                yield one


def last_form(made: Rewritten, original: str, kinds: Callable[[Rewritten], Kinds]) -> Rewritten:
    """The last of `alternative_forms`, for which the others need not be run; the arguments are the same."""
    return _with_sharing(plain_form(made, original), made, original, kinds)


def _with_sharing(form: Rewritten, made: Rewritten, original: str, kinds: Callable[[Rewritten], Kinds]) -> Rewritten:
    """A form of a rewrite with shared names; the rewrite itself stays as it is."""
    if form is made or not TEMPORARY.search(form.source):
        return form
    return shared_form(form, original, kinds(form))


def plain_form(made: Rewritten, original: str) -> Rewritten:
    """The form without copies and unread tables; the rewrite itself if the original has names as temporaries have."""
    if not made.changed or TEMPORARY.search(original) or not is_plain(made.source):
        return made
    current_deadline().check()
    form = _kept(made, original, *propagate_copies(made.source))
    return _kept(form, original, *drop_tables(form.source))


def shared_form(made: Rewritten, original: str, kinds: Kinds) -> Rewritten:
    """The form of a rewrite in which temporaries of one type that are not live together share a name."""
    return replace(made, source=reuse_temporaries(made.source, original, kinds))


def readable_form(made: Rewritten, observed: Observed, original: str, *, brief: bool) -> Rewritten | None:
    """The form of a rewrite with readable names for its temporaries.

    Args:
        made: A form in which temporaries do not share names.
        observed: The values of its variables.
        original: The source before the rewrite.
        brief: Whether a value is named by its type only.

    Returns:
        The form; None if the original has names like those of temporaries.
    """
    if TEMPORARY.search(original) or not is_plain(made.source):
        return None
    return _kept(made, original, *name_temporaries(made.source, observed, brief=brief))


def _kept(made: Rewritten, original: str, text: str, lines: Sequence[int]) -> Rewritten:
    """A rewrite after a pass that keeps some of its lines."""
    positions = tuple(made.positions[line] for line in lines if line < len(made.positions))
    return replace(made, source=text, changed=text != original, positions=positions)
