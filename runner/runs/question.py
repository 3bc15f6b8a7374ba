"""From a case to a question: run it for the true trace, rewrite it if asked to, check the rewrite, build the prompt.

What cannot be asked (the program does not run, the rewrite changed nothing or changed the outcome) is a value with its
reason, never an exception. No model is asked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from analyze import trace_call
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace
from corpora import Case, dependences, run_call
from corpora.errors import InputError
from rewrite.baselines.equal_length_names import equal_length_names
from rewrite.baselines.placebo import PLACEBO, SUBSTITUTES
from rewrite.cost.cost_limit import BUDGET
from rewrite.equivalence.compared_names import NameFilter
from rewrite.equivalence.observation import difference
from runner.asking.backend import Backend
from runner.asking.direct_prompts import messages, messages_text
from runner.asking.generation import Prompt
from runner.asking.prompts import Form, form_for, prompt_ids, prompt_text
from runner.records.samples import ORIGINAL, REDRAW, Rewrite, case_key
from runner.rewriting.processes import shared

SAME = "same"


@dataclass(frozen=True)
class Question:
    """A case as it is put to a model. `case` holds the program asked about, rewritten if there is a `rewrite`.

    of: the key of the case as it came; true_tokens: None if it is longer than `MAX_COUNTED_TOKENS`; form: the one
    that the prompt is in.
    """

    of: str
    case: Case
    attempt: str
    trace: Trace
    prompt: Prompt
    text: str
    reference_tokens: int | None
    rewrite: Rewrite | None
    form: Form = "bare"
    hidden: frozenset[int] = frozenset()
    """Frames whose state is empty and injected (`runner.asking.sparse_reveals`)."""


@dataclass(frozen=True)
class Unasked:
    """A case that is not put to the model, with the reason in one line. of: the key of the case as it came."""

    of: str
    case: Case
    attempt: str
    reason: str
    rewrite: Rewrite | None = None


def pose(case: Case, attempt: str, backend: Backend, budget: int = BUDGET) -> Question | Unasked:
    """The question for one attempt: the program as it is, or rewritten by the recipe that `attempt` names.

    budget: the tokens that an answer may have, for which `planned` plans.
    """
    of = case_key(case)
    if attempt in (ORIGINAL, REDRAW):
        unsteady = dependences(case.source, case.call)
        if unsteady:
            reason = f"its result depends on {' and '.join(unsteady)}, not on the program alone"
            return Unasked(of, case, attempt, reason)
        return _question(of, case, attempt, backend, None)
    names = {SUBSTITUTES: equal_length_names(case.source, backend.tokenizer)} if attempt == PLACEBO else {}
    rewritten = _rewritten(of, case, attempt, budget, names)
    if isinstance(rewritten, Unasked):
        return rewritten
    changed, rewrite = rewritten
    return _question(of, changed, attempt, backend, rewrite)


def _rewritten(
    of: str, case: Case, recipe: str, budget: int, options: Mapping[str, object]
) -> tuple[Case, Rewrite] | Unasked:
    try:
        result = shared().rewrite(case.source, recipe, calls=[case.call], budget=budget, options=options)
    except InputError as error:  # the recipe is known: it is this program
        return Unasked(of, case, recipe, f"not rewritten: {error}")
    left = tuple(result.left)
    if not result.changed:
        return Unasked(of, case, recipe, "the recipe leaves this program as it is", Rewrite((), left, "unchanged"))
    before, after = run_call(case.source, case.call), run_call(result.source, case.call)
    names = NameFilter(case.source, result.source)
    same = before == after or not difference(*names.filtered(before, after, loaded=False))
    checked = SAME if same else f"differs: {before.status} {before.value}, then {after.status} {after.value}"
    assumes = tuple((one.line, one.column, one.expression, one.what) for one in result.assumes)
    rewrite = Rewrite(tuple(result.applied), left, checked, assumes, result.tokens, result.original_tokens)
    changed = replace(case, source=result.source)
    if checked != SAME:
        return Unasked(of, changed, recipe, f"the rewrite is not the same program on {case.call}: {checked}", rewrite)
    return changed, rewrite


def _question(of: str, case: Case, attempt: str, backend: Backend, rewrite: Rewrite | None) -> Question | Unasked:
    trace = trace_call(case.source, case.call, case.grading)
    # A trace that only a cap cut short is far beyond every token budget, and still a fair question: it truncates.
    if trace.outcome.status not in {"ok", "raised"}:
        return Unasked(of, case, attempt, f"no true trace: {trace.outcome.detail or trace.outcome.status}", rewrite)
    form = _form(case, backend)
    chat = messages(case) if form == "direct" else ()
    ids = backend.chat_ids(chat) if chat else prompt_ids(case, form, backend.tokenizer)
    if backend.context is not None and len(ids) >= backend.context:
        reason = f"its prompt of {len(ids):,} tokens is longer than the model's context of {backend.context:,}"
        return Unasked(of, case, attempt, reason + (": try --prompt bare" if form == "oneshot" else ""), rewrite)
    prompt = Prompt(case.id, attempt, tuple(ids), case.source, case.call, messages=chat)
    tokens = trace.count_tokens(backend.tokenizer, MAX_COUNTED_TOKENS)
    text = messages_text(chat) if chat else prompt_text(case, form)
    return Question(of, case, attempt, trace, prompt, text, tokens, rewrite, form)


def _form(case: Case, backend: Backend) -> Form:
    """The paper's form for this kind of case, or the only one that the model was taught."""
    form = form_for(case)
    return form if form in backend.forms else backend.forms[0]
