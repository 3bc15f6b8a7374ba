"""What makes the trace of a program cheaper: places where it can be said in fewer frames, or with fewer names in each.

    from rewrite.passes import apply, candidates

    for saving in candidates(source, ["f(3)"]):
        cheaper = apply(source, saving)         # .source, and for each of its lines the one that it comes from

Each saving is text to text and stands alone: whoever wants two applies one and asks again. Nothing is promised of the
tokens, which are counted by whoever chooses; that the program stays the same one is promised, and where it is not
certain there is no candidate. What calls show counts as in other rewrites, and stands in `Saving.assumes`.

    saving, offers    what a saving is; all of them, found by folder
    program, loops    a module read once; what its loops are like
    known             one saving a file

A saving hides what it saves: what a loop did step by step is one step of a builtin. It is never part of a recipe.
"""

from __future__ import annotations

from rewrite.passes.candidate import EditedSource as EditedSource
from rewrite.passes.candidate import PassCandidate as PassCandidate
from rewrite.passes.registry import apply_candidate as apply_candidate
from rewrite.passes.registry import find_candidates as find_candidates
from rewrite.passes.registry import pass_names as pass_names
