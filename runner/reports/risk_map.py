"""The terminal output of `spellout assess`: a program coloured by risk, the riskiest steps, and the riskiest samples.

Reads the records of `analyze.risk.records`. Every figure is also printed as text, so colour is not needed.
`analyze.risk` does the assessment, `analyze.risk.html_report` the HTML page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from analyze.cost.grown_calls import ALL
from analyze.cost.growth import Growth
from analyze.cost.token_budget import WINDOWS
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS
from analyze.risk.assessment_folder import BANDS, AssessmentSummary
from analyze.risk.program_map import training_data
from analyze.risk.records import Record
from corpora.foreign_text import one_line
from runner.terminal.console import styled

MAX_ARGUMENT = 40
"""Characters of an argument that are shown."""
LEAST = 0.005
"""A risk below this one would be rounded to 0 %."""
STYLES = ((0.2, "bold red"), (0.05, "yellow"), (0.01, "cyan"), (0.0, "dim"))


def percent(risk: float | None) -> str:
    """A risk in per cent, with "<1%" and ">99%" instead of rounding to 0 or 100."""
    if risk is None:
        return "unknown"
    if 0 < risk < LEAST:
        return "<1%"
    return ">99%" if 0.995 <= risk < 1 else f"{risk:.0%}"


def print_map(console: Console, record: Record, most: int) -> None:
    """Prints the risk and tokens of one call, the program line by line, and its riskiest steps."""
    head = styled(one_line(f"{record['where']}  {record['call']}") + "  ", "bold")
    head.append(f"risk {percent(record['risk'])}", style_of(record["risk"]))
    console.print(head, soft_wrap=True)
    for line in _facts(record):
        _print_wrapped(console, line, "  ")
    console.print()
    console.print(_program(record), soft_wrap=True)
    if record["risk"] is None:
        return
    console.print()
    risky = [step for step in record["steps"] if step["risk"] >= LEAST]
    console.print("riskiest steps" if risky else "no step has a risk of 1% or more", style="bold")
    for step in risky[:most]:
        _print_step(console, step)


def _facts(record: Record) -> Iterator[str]:
    """Lines with the frames, tokens, hazards and notes of a record."""
    if record["frames"]:
        yield f"{record['frames']:,} frames, {budget_words(record)}"
        yield from _spent(record)
    hazards = sorted(record["hazards"].items(), key=lambda item: -item[1][1])
    if hazards:
        named = ", ".join(f"{name} {count} (severity up to {worst:.2f})" for name, (count, worst) in hazards)
        yield f"tokenization hazards: {named}"
    yield from map(one_line, record["notes"])


def _spent(record: Record) -> Iterator[str]:
    """Lines with the tokens per part of the trace, variable, source line and loop, largest first."""
    spent = record["spent"]
    if not spent or not record["tokens"]:
        return
    parts = ", ".join(f"{name} {count / record['tokens']:.0%}" for name, count in spent["parts"].items())
    variables = ", ".join(f"{name or 'none'} {count:,}" for name, count in spent["variables"].items())
    lines = ", ".join(f"line {line} {count:,}" for line, count in spent["lines"].items())
    yield f"tokens by part: {parts}; most by {'; '.join(filter(None, (variables, lines)))}"
    for name, first, last, count, why in spent["loops"]:
        lines = f"line {first}" if first == last else f"lines {first} to {last}"
        yield f"{name}, {lines}: {count:,} tokens ({why})"


def growth_lines(found: Sequence[Growth]) -> Iterator[str]:
    """The tokens and frames of the trace at the smallest and the largest size: a line for arguments that are alike."""
    alike: dict[str, list[str]] = {}
    for one in found:
        shown = f"{one.argument[:MAX_ARGUMENT]}…" if len(one.argument) > MAX_ARGUMENT else one.argument
        name = "all strings and containers together" if one.argument == ALL else shown
        why = f"; {one.why}" if one.why else ""
        alike.setdefault(f"{_measured(one) if len(one.points) > 1 else ': not measured'}{why}", []).append(name)
    for text, names in alike.items():
        yield f"{', '.join(names)}{text}"


def _measured(one: Growth) -> str:
    first, last = one.points[0], one.points[-1]
    most = f"over {MAX_COUNTED_TOKENS:,}" if last.tokens is None else f"{last.tokens:,}"
    tokens, frames = f"{first.tokens or 0:,} to {most}", f"{first.frames:,} to {last.frames:,}"
    unknown = "of unknown order"
    if one.tokens is one.steps is None:
        counts = f"tokens {tokens}, frames {frames}, {unknown}"
    else:
        counts = f"tokens {one.tokens or unknown} ({tokens}), frames {one.steps or unknown} ({frames})"
    largest = one.largest(WINDOWS[1])
    which = "all fit" if largest == last.size else "none fits" if largest is None else f"up to size {largest:,} fit"
    return f", size {first.size:,} to {last.size:,}: {counts}; {which} {WINDOWS[1]:,} tokens"


def print_growth(console: Console, found: Sequence[Growth]) -> None:
    """Prints how the trace of a call grows with larger inputs."""
    if found:
        console.print()
        console.print("the trace with larger arguments, as measured", style="bold")
    for line in growth_lines(found):
        _print_wrapped(console, line, "  ")


def budget_words(record: Record) -> str:
    """The number of tokens, and which budgets it fits."""
    groups = {"fits": True, "does not fit": False, "unknown whether it fits": None}
    parts = [
        f"{word} {', '.join(f'{int(budget):,}' for budget, fit in record['fits'].items() if fit is value)}"
        for word, value in groups.items()
        if value in record["fits"].values()
    ]
    return "; ".join([_tokens(record), *parts])


def _tokens(record: Record) -> str:
    if record["tokens"] is not None:
        return f"{record['tokens']:,} tokens"
    return "tokens not counted" if record["least_tokens"] is None else f"over {record['least_tokens']:,} tokens"


def _program(record: Record) -> Text:
    lines = record["text"].split("\n")
    lines = lines[: max((at for at, line in enumerate(lines, 1) if line.strip()), default=0)]
    width = len(str(len(lines)))
    text = Text()
    for number, source in enumerate(lines, 1):
        risk = record["lines"].get(str(number))
        style = style_of(risk) if risk is not None else ""
        line = f"{percent(risk) if risk else '':>5} {number:>{width}}  {source}".rstrip()
        text.append_text(styled(line + ("\n" if number < len(lines) else ""), style))
    return text


def _print_step(console: Console, step: Record) -> None:
    where = f"line {step['line']}" if step["line"] is not None else step["event"]
    which = f"step {step['step']}, {where}"
    line = Text("  ").append(f"{percent(step['risk']):>5}", style_of(step["risk"]))
    line.append_text(styled(one_line(f"  {which}: {step['source'].strip()}")))
    _print_cut(console, line)
    for name, value in step["values"]:
        _print_cut(console, styled(one_line(f"         {name or step['event']} = {value}"), "bold"))
    if step["why"]:
        _print_wrapped(console, "; ".join(step["why"]), " " * 9, "italic")


def _print_wrapped(console: Console, text: str, indent: str, style: str = "") -> None:
    for line in styled(one_line(text), style).wrap(console, max(20, console.width - len(indent))):
        line.rstrip()
        console.print(Text(indent).append_text(line), soft_wrap=True)


def _print_cut(console: Console, text: Text) -> None:
    """Prints one line, truncated with an ellipsis at the width of the terminal."""
    console.print(text, no_wrap=True, overflow="ellipsis")


def print_survey(console: Console, survey: AssessmentSummary, source: str, riskiest: Sequence[Record]) -> None:
    """Prints the distribution of risks of a data set, the budgets that its traces fit, and its riskiest samples."""
    unknown = f", the risk of {survey.unknown:,} of them unknown" if survey.unknown else ""
    head = f"{one_line(source)}: {survey.assessed:,} of {survey.rows:,} rows assessed{unknown}"
    console.print(styled(head), soft_wrap=True)
    mean = survey.expected / max(1, survey.known)
    of = f"{survey.known:,} samples of known risk" if survey.unknown else "samples"
    console.print(f"expected failures: {survey.expected:.1f}, {mean:.1%} of the {of}")
    console.print(_bands(survey))
    console.print(_fits(survey))
    if survey.reasons:
        console.print(_reasons(survey))
    console.print("samples of unknown risk, then the riskiest" if survey.unknown else "riskiest samples", style="bold")
    for record in riskiest:
        _print_sample(console, record)


def _print_sample(console: Console, record: Record) -> None:
    line = Text().append(f"{percent(record['risk']):>5}", style_of(record["risk"]))
    line.append_text(styled(one_line(f"  {record['where']}  {record['id']}  {_tokens(record)}")))
    console.print(line, soft_wrap=True)
    if record["risk"] is None:
        _print_wrapped(console, record["notes"][0], " " * 9, "italic")
    for step in record["steps"][:1]:
        _print_step(console, step)


def _bands(survey: AssessmentSummary) -> Table:
    table = _table("risk", "samples", "fraction")
    for band, above in zip(BANDS, (None, *BANDS), strict=False):
        count = survey.bands[f"{band:.2f}"]
        share = f"{count / max(1, survey.assessed):.1%}"
        name = f"{band:.0%} or more" if above is None else f"{band:.0%} to {above:.0%}"
        table.add_row(Text(name, style_of(band)), f"{count:,}", share)
    if survey.unknown:
        share = f"{survey.unknown / survey.assessed:.1%}"
        table.add_row(Text("unknown", style_of(None)), f"{survey.unknown:,}", share)
    return table


def _fits(survey: AssessmentSummary) -> Table:
    table = _table("budget in tokens", "traces that fit", "fraction")
    for budget, (fit, known) in sorted(survey.fits.items(), key=lambda item: int(item[0])):
        table.add_row(f"{int(budget):,}", f"{fit:,} of {known:,}", f"{fit / max(1, known):.1%}")
    return table


def _reasons(survey: AssessmentSummary) -> Table:
    table = _table("main reason of the riskiest step", "samples", "fraction")
    for reason, count in survey.reasons.most_common(8):
        table.add_row(reason, f"{count:,}", f"{count / max(1, survey.assessed):.1%}")
    return table


def _table(*columns: str) -> Table:
    headers = (Column(name, justify="right" if at else "left") for at, name in enumerate(columns))
    return Table(*headers, box=None, pad_edge=False)


def style_of(risk: float | None) -> Any:
    """The style of a risk; an unknown risk counts as the highest."""
    risk = 1.0 if risk is None else risk
    return next((style for least, style in STYLES if risk >= least), "")


def risk_note(risk_map: str) -> str:
    """One line that says what the risks were fitted on, by the file of the map ("" for the published one)."""
    return f"risks are estimates, fitted on {training_data(risk_map)}; see docs/risk.md"
