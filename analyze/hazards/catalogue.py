"""The page on hazards, made from the hazards themselves: `python -m analyze.hazards.catalogue > docs/hazards.md`.

What it does not do: measure anything; the figures are those that `analyze.risk.calibrate` keeps.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from analyze.hazards.base import Hazard, all_hazards
from analyze.hazards.batch import QuestionBatch, StringQuestion
from analyze.hazards.severity import fitted_effects, format_odds_ratio
from analyze.tokens.engines import engine_for
from analyze.tokens.token_strips import token_strip
from analyze.tokens.tokenizer import default_tokenizer

HEAD = """\
# Tokenization hazards

Made by `python -m analyze.hazards.catalogue > docs/hazards.md` from the files in `analyze/hazards`; a test fails when
this page is stale, and every example is run.

A string stands in a *context*: `bare` (the text itself), `source` (`f('text')`) or `trace` (`{"text": "'text'"}`, as
a state of an execution trace shows it). An *occurrence* is what the string method sees: from the left without overlap
for split, replace and count, the first for find and index, from the right for rsplit and rfind, the stripped ends for
strip. Its tokens are those that touch its bytes where the text stands; the query is the pattern's own tokens. Bare
and in-trace verdicts differ in both directions, so the context is part of the question (`--context all` counts how
often).

```
spellout audit program.py                     the paper's Figure 3 for each operation whose operands are known
spellout audit cases.jsonl --output audits/x     a data set in shards; the same call resumes
spellout audit cases.jsonl --format html      one self-contained page
spellout audit cases.jsonl --ray --output D      the same shards on a Ray cluster (extra ray; its machines share D)
spellout audit --separators                   separators that keep their own tokens between neighbours
python -m analyze.risk.calibrate ../shared/data    what each flag is worth, and the severities
python bench/bench_audit.py                   costs beside the tokenization, memory, two cores
```

Strings are looked for in literals, inputs and targets; operations are found in the program's text, and, where a call
is given, the values that meet in the execution are recorded in the sandbox, step by step (at most 2,000 different
ones a call, of at most 20,000 characters; what goes beyond is reported). Concatenation and formatting are not
recorded.

## The classes

*Severity* is fitted where steps of at least five judged programs carry the class, else it is the one to start from (in
brackets). *Adds* is how much the class multiplies the odds that the 32B code world model gets a step wrong, beside what
comes with it: that a text is searched, that a text is edited, and the length of the longest text in the step; with the
95 % interval. An interval with 1 in it shows nothing, and says so. MATCH is the reference. *Rows* is how much more
often failures carry the class anywhere than successes do: what comes with a failure. For MATCH, the harmless class, it
is @MATCH@: failures search strings more, so it is no severity.

| class | what it is | severity | adds | rows |
|---|---|---|---|---|
"""
TAIL = """
## Why, and what is safer

A byte-level BPE joins the neighbours whose union has the lowest rank. For each cut the merges are replayed and the
one that crossed the edge is named, with the pattern's own merge that it outranks: in `a-.-.b`, `.-` (12898) outranks
`-.` (14863), so token 14863 is in the pattern and not in the text. Separators with bytes that seldom merge are safer;
a separator's share in `spellout audit --separators` is that of all pairs of printable ASCII neighbours between which
it keeps its own tokens.

## Engines

`tokenizers` is the reference. tiktoken, called in a plain loop, is the default; gigatoken (`--engine gigatoken`, `pip
install 'spellout[fast]'`) is the optional accelerator. Each proves itself at start on 3,000 strings against the
reference, one by one, or is refused. Texts of 20,000 characters and more go from tiktoken to the reference, because
tiktoken panics on very long runs of spaces. A tokenizer that normalizes text is refused for auditing, since bytes
could not be placed.

## What is read, and what is not judged

Rows that are not JSON, lack the program, hold invalid UTF-8 or lone surrogates, programs that do not parse and
executions that end early are counted and listed with file, line and reason; the audit goes on. The text of a special
token is a finding (SPECIAL), and is tokenized as the ordinary text that it is.
"""


def page() -> Iterator[str]:
    """The page, piece by piece."""
    match = fitted_effects().get("MATCH")
    yield HEAD.replace("@MATCH@", f"{match.ratio:.1f}" if match else "also some")
    hazards = sorted(all_hazards(), key=lambda kind: (-kind.severity, kind.name))
    for kind in hazards:
        severity = f"{kind.severity:.2f}" if kind.name in fitted_effects() else f"({kind.start_severity:.2f})"
        worth = fitted_effects().get(kind.name)
        rows = f"{worth.ratio:.2f} [{worth.low:.2f}, {worth.high:.2f}]" if worth else ""
        odds_ratio = format_odds_ratio(kind.name) or "not measured"
        yield f"| {kind.name} | {kind.summary} | {severity} | {odds_ratio} | {rows} |\n"
    yield "\n## Examples\n\nThe marks stand under the bytes, `│` where a token ends.\n\n```\n"
    for kind in hazards:
        yield from _example(kind)
    yield "```\n" + TAIL


def _example(kind: Hazard) -> Iterator[str]:
    example = kind.EXAMPLE
    question = StringQuestion(example.text, example.pattern, example.method, example.result, example.cuts)
    batch = QuestionBatch([question], engine_for(default_tokenizer(), "tokenizers"), example.context)
    placed = batch.texts if kind.looks_at == "text" else batch.queries.placed
    start, end = example.spans[0]
    asked = (
        f"  {example.method}({example.pattern!r})"
        if example.pattern
        else f"  {example.method}()" * bool(example.method)
    )
    above, below = token_strip(placed.written[0], placed.tokens.boundaries(0), *placed.bytes_of(0, start, end))
    yield f"{kind.name}  {example.context}{asked}\n    {above}\n    {below}\n    {kind.why(batch, 0, start, end)}\n"


def main() -> int:
    """Write the page to standard output."""
    sys.stdout.writelines(page())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
