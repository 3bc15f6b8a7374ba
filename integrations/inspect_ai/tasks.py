"""Output prediction by trace as tasks of inspect_ai, with the prompt of the paper, graded like `spellout run`.

    inspect eval integrations/inspect_ai/tasks.py@output_prediction --model vllm/facebook/cwm -T benchmark=humaneval

The prompt is one user message. A provider that adds chat tokens changes the prompt: use one with plain text completion.
"""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState, generate

from runner.inputs.benchmarks import token_limit
from runner.interchange.questions import STOP, grade, questions


@task
def output_prediction(benchmark: str = "humaneval", limit: int | None = None, prompt: str | None = None) -> Task:
    """Output prediction on a benchmark.

    Args:
        benchmark: A name of `spellout corpora list`, or a data set.
        limit: Number of cases; default: all.
        prompt: "bare" or "oneshot" (the paper's own).
    """
    rows = questions(benchmark, limit, prompt)
    samples = [
        Sample(id=f"{number} {row['id']}", input=row["prompt"], target=row["expected"] or "", metadata=row)
        for number, row in enumerate(rows)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=benchmark),
        solver=generate(),
        scorer=execution(),
        config=GenerateConfig(temperature=0.0, max_tokens=token_limit(benchmark), stop_seqs=[STOP]),
    )


@scorer(metrics=[accuracy(), stderr()])
def execution() -> Scorer:
    """The answer of the trace, compared with the result of running the program.

    The explanation is the first divergence.
    """

    async def score(state: TaskState, target: Target) -> Score:
        found = grade(state.metadata, state.output.completion)
        value = CORRECT if found.correct else INCORRECT
        return Score(value=value, answer=found.answer, explanation=f"first divergence: {found.kind}")

    return score
