"""Turns a case into a question: reference trace, rewrite, equivalence check and prompt.

A case that cannot be asked (the program fails, the rewrite changes nothing or changes the outcome) becomes a
`SkippedQuestion` with the reason, not an exception. No model is asked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from analyze import trace_call
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace
from analyze.tokens.lost_characters import describe_loss
from corpora import Case, dependences
from corpora.errors import InputError
from rewrite.baselines import SUBSTITUTES
from rewrite.baselines.equal_length_names import equal_length_names
from rewrite.cost.budget import BUDGET
from rewrite.equivalence.judgement import find_observer_effect, find_unobserved_difference
from rewrite.pipeline.recipes import find_recipe
from runner.asking.backend import Backend
from runner.asking.direct_prompts import messages, messages_text
from runner.asking.generation import Prompt
from runner.asking.prompts import PromptFormat, default_format, prompt_ids, prompt_text
from runner.batch_rewriting.process import shared_process
from runner.records.samples import ORIGINAL, REDRAW, RewriteRecord, case_key

SAME = "same"


@dataclass(frozen=True)
class PosedQuestion:
    """A question for a model.

    Attributes:
        case_key: key of the original case.
        case: the case with the program that is asked about, rewritten if there is a `rewrite`.
        attempt: "original", a recipe or a control.
        trace: the reference trace.
        prompt: the prompt as token ids.
        text: the prompt as text.
        reference_tokens: length of the reference trace; None beyond `MAX_COUNTED_TOKENS`.
        rewrite: changes and check of the rewrite; None for the original.
        prompt_format: format of the prompt.
        hidden: frames whose state is empty and injected (`runner.asking.sparse_reveals`).
    """

    case_key: str
    case: Case
    attempt: str
    trace: Trace
    prompt: Prompt
    text: str
    reference_tokens: int | None
    rewrite: RewriteRecord | None
    prompt_format: PromptFormat = "bare"
    hidden: frozenset[int] = frozenset()


@dataclass(frozen=True)
class SkippedQuestion:
    """A case that is not asked.

    Attributes:
        case_key: key of the original case.
        case: the case, with the rewritten program if there is one.
        attempt: "original" or the recipe.
        reason: why it is not asked, on one line.
        rewrite: changes and check of the rewrite, if there is one.
    """

    case_key: str
    case: Case
    attempt: str
    reason: str
    rewrite: RewriteRecord | None = None


def pose_question(case: Case, attempt: str, backend: Backend, budget: int = BUDGET) -> PosedQuestion | SkippedQuestion:
    """The question for one attempt at a case.

    Args:
        case: the original case.
        attempt: "original", or the recipe that rewrites the program.
        backend: the model that will be asked.
        budget: token budget of a trace, for the recipes `planned` and `repair`.
    """
    of = case_key(case)
    if attempt in (ORIGINAL, REDRAW):
        causes = dependences(case.source, case.call)
        if causes:
            reason = f"the program is nondeterministic: its result depends on {' and '.join(causes)}"
            return SkippedQuestion(of, case, attempt, reason)
        return _question(of, case, attempt, backend, None)
    renames = find_recipe(attempt).takes_names
    names = {SUBSTITUTES: equal_length_names(case.source, backend.tokenizer)} if renames else {}
    rewritten = _rewritten(of, case, attempt, budget, names)
    if isinstance(rewritten, SkippedQuestion):
        return rewritten
    changed, rewrite = rewritten
    return _question(of, changed, attempt, backend, rewrite)


def _rewritten(
    of: str, case: Case, recipe: str, budget: int, options: Mapping[str, object]
) -> tuple[Case, RewriteRecord] | SkippedQuestion:
    is_over_budget = False
    try:
        found = find_recipe(recipe)
        if found.is_planned:
            plan = shared_process().plan(case.source, [case.call], budget, failed=found.assumes_failure)
            result, is_over_budget = plan.rewritten(case.source), plan.is_over_budget
        else:
            result = shared_process().rewrite(case.source, recipe, calls=[case.call], options=options)
    except InputError as error:  # the recipe is known, so the program is the reason
        return SkippedQuestion(of, case, recipe, f"not rewritten: {error}")
    left = tuple(result.left)
    if is_over_budget:
        reason = f"its trace is over the budget of {budget:,} tokens, and no shortening makes it fit"
        return SkippedQuestion(of, case, recipe, reason, RewriteRecord((), left, "unchanged"))
    if not result.changed:
        reason = "the recipe does not change this program" + (" (`rewrite.left` says why)" if left else "")
        return SkippedQuestion(of, case, recipe, reason, RewriteRecord((), left, "unchanged"))
    checked = find_unobserved_difference(case.source, result.source, [case.call]) or SAME
    assumes = tuple((one.line, one.column, one.expression, one.what) for one in result.assumes)
    rewrite = RewriteRecord(tuple(result.applied), left, checked, assumes, result.tokens, result.original_tokens)
    changed = replace(case, source=result.source)
    if checked != SAME:
        return SkippedQuestion(of, changed, recipe, f"the rewrite is not equivalent: {checked}", rewrite)
    return changed, rewrite


def _question(
    of: str, case: Case, attempt: str, backend: Backend, rewrite: RewriteRecord | None
) -> PosedQuestion | SkippedQuestion:
    trace = trace_call(case.source, case.call, case.grading)
    # A trace beyond the tracing limits is over every token budget, but the question is valid: the answer is truncated.
    if not trace.has_ended:
        return SkippedQuestion(of, case, attempt, trace.missing_reason, rewrite)
    effect = find_observer_effect(trace.context, trace.outcome)
    if effect:
        reason = f"no reference trace: the program does something else when it is traced ({effect})"
        return SkippedQuestion(of, case, attempt, reason, rewrite)
    form = _prompt_format(case, backend)
    chat = messages(case) if form == "direct" else ()
    lost = "" if chat else describe_loss(case.context, backend.tokenizer)
    if lost:
        reason = f"the vocabulary loses characters of the program, so the model would read another one: {lost}"
        return SkippedQuestion(of, case, attempt, reason, rewrite)
    ids = backend.chat_ids(chat) if chat else prompt_ids(case, form, backend.tokenizer)
    if backend.context is not None and len(ids) >= backend.context:
        reason = f"the prompt of {len(ids):,} tokens exceeds the model's context of {backend.context:,}"
        advice = "; try --prompt bare" if form == "oneshot" else ""
        return SkippedQuestion(of, case, attempt, reason + advice, rewrite)
    prompt = Prompt(case.id, attempt, tuple(ids), case.source, case.call, messages=chat)
    tokens = trace.count_tokens(backend.tokenizer, MAX_COUNTED_TOKENS)
    text = messages_text(chat) if chat else prompt_text(case, form)
    return PosedQuestion(of, case, attempt, trace, prompt, text, tokens, rewrite, form)


def _prompt_format(case: Case, backend: Backend) -> PromptFormat:
    """The paper's prompt format for the case, or the first that the model was trained on."""
    form = default_format(case)
    return form if form in backend.prompt_formats else backend.prompt_formats[0]
