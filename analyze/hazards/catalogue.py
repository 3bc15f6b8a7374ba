"""Generates docs/hazards.md from the hazards: `python -m analyze.hazards.catalogue > docs/hazards.md`.

The figures are those that `lab.risk.calibrate` wrote.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from analyze.hazards.base import Hazard, HazardExample, all_hazards, get_hazard
from analyze.hazards.levels import level
from analyze.hazards.measured_effects import measured_effects
from analyze.hazards.severity import fitted_effects
from analyze.tokens.token_strips import token_strip

HEAD = """\
# Tokenization hazards

Use this page to look up a hazard that `spellout audit` reports, or to decide which strings a model should not be asked
to search, split or edit.

```sh
spellout audit figure3.py                           # operations whose operands are known
spellout audit cases.jsonl --output audits/cases    # a data set in shards; the same command resumes
spellout audit cases.jsonl --format html > cases.html   # one self-contained page
spellout audit --separators                         # separators that keep their own tokens between neighbours
```

(`spellout example DIR` writes these files.) The [tutorial](audit.md) goes through an audit. `--ray --output DIR`
distributes the shards over a Ray cluster (extra `ray`; DIR is shared).

## Terms

- The *context* of a string is `bare` (the string itself), `source` (`f('text')`) or `trace` (`{"text": "'text'"}`, as a
  state of an execution trace shows it).
- An *occurrence* of a pattern is one that the string method sees: from the left without overlap for split, replace and
  count, the first for find and index, from the right for rsplit and rfind, the stripped ends for strip.
- The *tokens of an occurrence* are those that touch its bytes in the context. The *query* is the pattern's own tokens.

An audit reads the strings in literals, inputs and targets, and finds string operations in the source. `--context all`
reports how often the verdicts in the bare context and in a trace differ. If a row has a call, the sandbox also records
the string operations that are executed, except concatenation and formatting: at most 2,000 distinct ones per call, with
operands of at most 20,000 characters. Operations beyond these limits are counted.

## Classes

| column | meaning |
|---|---|
| CWM | difference in failure rate between programs with the class and others, in percentage points, for the 32B CWM |
| all families | the same over the model families cl100k, o200k, Llama-3 and Qwen2.5; intervals have 95 % confidence |
| warning for | families with an interval above 0: a warning for them, informational for others; LOST is an error |
| severity | fitted if steps of at least ten programs carry the class; otherwise a default, in brackets |

The differences are adjusted for string operations and lengths. They are associations: on these programs, the hazards of
vocabularies that a model does not use say as much about its failures as those of its own. On character tasks with
words, a token that hides characters does cost accuracy ([findings](findings.md#character-tasks)); this effect decides
whether HIDDEN_CHAR is a warning. `python -m lab.risk.calibrate` fits the figures to [published
failures](published_data.md).

| class | definition | CWM | all families | warning for | severity |
|---|---|---|---|---|---|
"""
TAIL = """
## Tokenizers

| family | `--tokenizer` | tokens and bytes |
|---|---|---|
| byte-level BPE | `tokenizer.json`, Hugging Face id | tokens are the bytes of the text |
| tiktoken | name of an encoding, `.model` file of ranks | the same |
| SentencePiece | `.model` file (extra `sentencepiece`), `tokenizer.json` | by offsets; a space is written as `▁` |
| WordPiece, word level | `tokenizer.json` | by offsets; spaces belong to no token |

Offsets are those of the characters before a tokenizer normalizes them (NFC, NFKC, lower case). A space that a tokenizer
writes before each text (`add_dummy_prefix`) is left out. Merges are replayed, to explain a cut, for byte-level BPE
only. `--explain` says for which families a class has another meaning or none.

`--engine gigatoken` (extra `fast`) replaces tiktoken. At start, each engine is compared with the package `tokenizers`
on 3,000 strings and rejected if any ids differ.

## Rows that are not audited

The audit lists the following rows with file, line and reason, and continues:

- Unreadable rows, which count for `--max-bad`: rows that are not JSON, that lack the program or hold invalid UTF-8 or
  lone surrogates; programs and calls that do not parse; calls that call nothing; rows whose strings take longer to
  check than `--seconds` (default: 60). The exit status is 2 if no row remains.
- Rows whose execution ends early or takes longer than `--seconds`, which do not count: what was executed is checked.

## Why cuts arise, and safer separators

Byte-level BPE joins the neighbours whose union has the lowest rank. In `a-.-.b`, `.-` (12898) outranks `-.` (14863), so
token 14863 is in the pattern but not in the text. `spellout audit --separators` reports, for each separator, the share
of all pairs of printable ASCII neighbours between which it keeps its own tokens.

`python -m analyze.hazards.catalogue > docs/hazards.md` generates this page from the files in `analyze/hazards`.
"""

EXAMPLES_HEAD = """
## Examples

Of the classes that are a warning or an error for some family. `│` marks the end of a token, `^` the bytes of the
hazard. `spellout audit --explain CLASS` prints more of any class: an example in which it is not found, the differences
of all families, and the odds ratio of a wrong step.
"""


def page() -> Iterator[str]:
    """Yields the page, part by part."""
    yield HEAD
    hazards = sorted(all_hazards(), key=lambda kind: (-kind.severity, kind.name))
    for kind in hazards:
        severity = f"{kind.severity:.2f}" if kind.name in fitted_effects() else f"({kind.start_severity:.2f})"
        yield f"| {kind.name} | {kind.summary} | {_effects(kind.name)} | {severity} |\n"
    yield EXAMPLES_HEAD
    for kind in hazards:
        if kind.is_error or _warned(kind.name):
            lines = "\n".join(example_lines(kind, kind.EXAMPLE))
            yield f"\n### {kind.name}\n\n```\n{lines}\n```\n"
    yield TAIL


def _effects(name: str) -> str:
    """Returns the cells of the measured differences, and of the families for which the class is a warning."""
    if get_hazard(name).is_error:
        return "not measured | not measured | error for all"
    found = measured_effects().hazards.get(name)
    if found is None:
        return "not measured | not measured | "
    return f"{found.families.get('cwm', 'not measured')} | {found.panel} | {', '.join(_warned(name))}"


def _warned(name: str) -> list[str]:
    """Returns the families for which the class is a warning."""
    found = measured_effects().hazards.get(name)
    families = () if found is None else (*found.families, "")
    return [family or "all families" for family in families if level(name, family) == "warning"]


def example_lines(kind: Hazard, example: HazardExample) -> Iterator[str]:
    """Yields the lines of an example, or of a near miss: the operation, the tokens, and the reason if it is found."""
    batch = example.batch()
    placed = batch.texts if kind.looks_at == "text" else batch.queries.placed
    start, end = example.spans[0] if example.spans else (0, 0)
    given = repr(example.pattern) if example.pattern else ""
    asked = f"  {example.method}({given})" if given or example.method else ""
    above, below = token_strip(placed.written[0], placed.tokens.boundaries(0), *placed.bytes_of(0, start, end))
    yield f"{example.context}{asked}"
    yield f"  {above}"
    if example.spans:
        yield f"  {below}"
        yield f"  {kind.why(batch, 0, start, end)}"


def main() -> int:
    """Writes the page to standard output."""
    sys.stdout.writelines(page())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
