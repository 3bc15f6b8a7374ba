"""Semantics-preserving passes: they shorten a program's trace, or clean up a finished rewrite.

    from rewrite.passes import apply_candidate, find_candidates

    for candidate in find_candidates(source, ["f(3)"]):
        shorter = apply_candidate(source, candidate)    # .source, and for each line the line it comes from

    candidate, registry   one place for a pass as text edits; all passes, found by folder
    parsed_program        a module parsed once for all passes
    loops                 what passes ask about `for` loops
    purity                whether a function computes numbers and strings only
    type_evidence         types that the source proves or the calls show
    loop_intervention     base class of passes that replace a loop by one statement; `statement_candidates` finds them
    shortening            passes that remove steps or variables, one a file
    cleanup               passes over a finished rewrite that keep every step

Candidates are independent: to apply two passes, apply one and search again. A candidate is offered only if the program
stays the same. It may depend on what the calls show; `PassCandidate.assumes` lists that. Passes do not count tokens;
`rewrite.planner` measures and chooses. A shortening pass hides the steps it removes, so no recipe contains one.
"""

from __future__ import annotations

from rewrite.passes.candidate import EditedSource as EditedSource
from rewrite.passes.candidate import PassCandidate as PassCandidate
from rewrite.passes.registry import apply_candidate as apply_candidate
from rewrite.passes.registry import find_candidates as find_candidates
from rewrite.passes.registry import pass_names as pass_names
