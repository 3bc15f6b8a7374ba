"""What a model gets right of programs that training left out, by kind: `python -m runner.pocket.evaluate`.

Prints the model card's table. Exact traces are found by one forward pass (`runner.pocket.scoring`); only where a trace
goes wrong the model decodes, since its answer (the final RETURN, or S_n's last state) may be right all the same.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.progress import track

from analyze.answers import final_answer, same_value
from analyze.parsing import parse_ids
from corpora.program import Case
from runner.backends import Prompt
from runner.backends.transformers import POCKET, TransformersBackend, load
from runner.console import error_console
from runner.pocket.card import card
from runner.pocket.data import Document, document, true_frames, unseen
from runner.pocket.scoring import score

BATCH = 64


@dataclass(frozen=True)
class Result:
    """Of one case: was the trace right in every token, and was the answer right (True where the trace is exact)."""

    case: Case
    exact: bool
    right: bool


def evaluate(backend: TransformersBackend, cases: Sequence[Case], max_tokens: int) -> list[Result]:
    """One Result a case, in order. Programs whose documents are too long for training count as wrong, undecoded."""
    fitting = {made: case for case in cases if (made := document(case, backend.tokenizer))}
    console = error_console()
    scores = score(backend.model, list(fitting))
    exact = {fitting[one.document].id for one in scores if one.exact}
    wrong = [one.document for one in scores if not one.exact]
    groups = [wrong[start : start + BATCH] for start in range(0, len(wrong), BATCH)]
    right = set(exact)
    for group in track(groups, "decoding the others", console=console, transient=True):
        asked = [fitting[one] for one in group]
        right |= {case.id for case in _right(backend, asked, group, max_tokens)}
    return [Result(case, case.id in exact, case.id in right) for case in cases]


def _right(
    backend: TransformersBackend, cases: Sequence[Case], made: Sequence[Document], max_tokens: int
) -> Iterable[Case]:
    prompts = [Prompt(case.id, "original", one.ids[: one.prompt]) for case, one in zip(cases, made, strict=True)]
    for case, generation in zip(cases, backend.generate(prompts, max_tokens), strict=True):
        answer = final_answer(parse_ids(generation.ids, backend.tokenizer).frames, case.grading)
        truth = final_answer(true_frames(case), case.grading)
        if generation.stopped == "end" and answer is not None and truth is not None and same_value(truth, answer):
            yield case


def table(results: Sequence[Result], name: str, key: Callable[[Result], str]) -> str:
    """A Markdown table with a row for each value of `key`, and one for all."""
    rows: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        rows[key(result)].append(result)
    lines = [f"| {name} | programs | exact traces | right answers |", "| --- | --: | --: | --: |"]
    for label, group in [*sorted(rows.items()), ("**all**", list(results))]:
        exact, right = (sum(values) / len(group) for values in ([r.exact for r in group], [r.right for r in group]))
        lines.append(f"| {label} | {len(group)} | {exact:.0%} | {right:.0%} |")
    return "\n".join(lines)


def family(result: Result) -> str:
    """The kind without depth or length: "boolean", "S3", "text loop"."""
    return result.case.kind.partition(",")[0]


def size(result: Result) -> str:
    """The depth of a composition or length of a permutation program; "function" for the rest."""
    return result.case.kind.partition(", ")[2] or "function"


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate and print both tables, as Markdown; or write the model card with them."""
    parser = argparse.ArgumentParser(prog="python -m runner.pocket.evaluate", description=main.__doc__)
    parser.add_argument("--model", default="pocket", help="pocket, or a folder that runner.pocket.train wrote")
    parser.add_argument("--count", type=int, default=300, help="unseen programs (default 300)")
    parser.add_argument("--seed", type=int, default=0, help="of the programs (default 0)")
    parser.add_argument("--max-tokens", type=int, default=1024, help="new tokens a program (default 1024)")
    parser.add_argument("--card", action="store_true", help="write README.md beside the weights as well")
    options = parser.parse_args(arguments)
    backend = load(options.model)
    results = evaluate(backend, unseen(options.count, options.seed), options.max_tokens)
    tables = f"{table(results, 'kind', family)}\n\n{table(results, 'depth or length', size)}"
    sys.stdout.write(tables + "\n")
    if options.card:
        folder = POCKET if options.model == "pocket" else Path(options.model)
        command = f"python -m runner.pocket.evaluate --count {options.count} --seed {options.seed}"
        size_of = (backend.model.num_parameters(), backend.tokenizer.reference.get_vocab_size())
        (folder / "README.md").write_text(card(folder, *size_of, tables, command), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
