"""What `spellout assess` prints: a program coloured by risk, its riskiest steps, the riskiest samples of a data set.

Reads the records of `analyze.risk.records`. Every figure stands in the text too: without colour, nothing is lost.
What it does not do: assess (`analyze.risk`) or make the HTML page (`analyze.risk.page`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analyze.cost.growth import Growth
from analyze.cost.token_budget import WINDOWS
from analyze.risk.model import published
from analyze.risk.records import Record
from analyze.risk.survey import BANDS, Survey
from runner.terminal.console import one_line, shown

STYLES = ((0.2, "bold red"), (0.05, "yellow"), (0.01, "cyan"), (0.0, "dim"))


def percent(risk: float | None) -> str:
    """A risk for people; what is not quite none is not shown as none, nor what is not certain as certain."""
    if risk is None:
        return "unknown"
    if 0 < risk < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= risk < 1 else f"{risk:.0%}"


def print_map(console: Console, record: Record, most: int) -> None:
    """One call: its risk and budget, the program line by line, and its riskiest steps."""
    head = shown(one_line(f"{record['where']}  {record['call']}") + "  ", "bold")
    head.append(f"risk {percent(record['risk'])}", style_of(record["risk"]))
    console.print(head, soft_wrap=True)
    for line in _facts(record):
        _print_wrapped(console, line, "  ")
    console.print()
    console.print(_program(record), soft_wrap=True)
    if record["risk"] is None:
        return
    console.print()
    console.print("riskiest steps", style="bold")
    for step in record["steps"][:most]:
        _print_step(console, step)


def _facts(record: Record) -> Iterator[str]:
    """How far it was read, the tokens, the hazards and the notes."""
    if record["frames"]:
        yield f"{record['frames']:,} frames, {budget_words(record)}"
        yield from _spent(record)
    hazards = sorted(record["hazards"].items(), key=lambda item: -item[1][1])
    if hazards:
        named = ", ".join(f"{name} {count} (severity up to {worst:.2f})" for name, (count, worst) in hazards)
        yield f"tokenization hazards: {named}"
    yield from map(one_line, record["notes"])


def _spent(record: Record) -> Iterator[str]:
    """What the tokens go to, dearest first."""
    spent = record["spent"]
    if not spent or not record["tokens"]:
        return
    parts = ", ".join(f"{name} {count / record['tokens']:.0%}" for name, count in spent["parts"].items())
    variables = ", ".join(f"{name or 'none'} {count:,}" for name, count in spent["variables"].items())
    lines = ", ".join(f"line {line} {count:,}" for line, count in spent["lines"].items())
    yield f"tokens go to {parts}; most by {'; '.join(filter(None, (variables, lines)))}"
    for name, first, last, count in spent["loops"]:
        yield f"{name}, lines {first} to {last}: {count:,} tokens"


def growth_lines(found: Sequence[Growth]) -> Iterator[str]:
    """How the trace grows with each argument of the call, as a line each."""
    for one in found:
        grows = f"frames {one.steps or 'in no known order'}, tokens {one.tokens or 'in no known order'}"
        sizes = f"sizes {one.points[0].size:,} to {one.points[-1].size:,}" if one.points else "no size run"
        largest = one.largest(WINDOWS[1])
        fits = f"; up to {largest:,} run and within {WINDOWS[1]:,} tokens" if largest is not None else ""
        yield f"grows with {one.argument}: {grows} ({sizes}){fits}{'; ' + one.why if one.why else ''}"


def print_growth(console: Console, found: Sequence[Growth]) -> None:
    """Below the map of one call: what becomes of its trace on larger inputs."""
    for line in growth_lines(found):
        _print_wrapped(console, line, "")


def budget_words(record: Record) -> str:
    """The tokens, and the budgets that hold them."""
    groups = {"fits": True, "does not fit": False, "not known for": None}
    said = [
        f"{word} {', '.join(f'{int(budget):,}' for budget, fit in record['fits'].items() if fit is value)}"
        for word, value in groups.items()
        if value in record["fits"].values()
    ]
    return "; ".join([_tokens(record), *said])


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
        text.append_text(shown(line + ("\n" if number < len(lines) else ""), style))
    return text


def _print_step(console: Console, step: Record) -> None:
    where = f"line {step['line']}" if step["line"] is not None else step["event"]
    which = f"step {step['step']}, {where}"
    line = Text("  ").append(f"{percent(step['risk']):>5}", style_of(step["risk"]))
    line.append_text(shown(one_line(f"  {which}: {step['source'].strip()}")))
    _print_cut(console, line)
    for name, value in step["values"]:
        _print_cut(console, shown(one_line(f"         {name or step['event']} = {value}"), "bold"))
    if step["why"]:
        _print_wrapped(console, "; ".join(step["why"]), " " * 9, "italic")


def _print_wrapped(console: Console, text: str, indent: str, style: str = "") -> None:
    for line in shown(one_line(text), style).wrap(console, max(20, console.width - len(indent))):
        line.rstrip()
        console.print(Text(indent).append_text(line), soft_wrap=True)


def _print_cut(console: Console, text: Text) -> None:
    """One line, cut with an ellipsis where the terminal ends."""
    console.print(text, no_wrap=True, overflow="ellipsis")


def print_survey(console: Console, survey: Survey, source: str, riskiest: Sequence[Record]) -> None:
    """A data set: how many of its samples are how risky and fit which budget, and the riskiest with what carries it."""
    unknown = f", the risk of {survey.unknown:,} of them unknown" if survey.unknown else ""
    head = f"{one_line(source)}: {survey.assessed:,} of {survey.rows:,} rows assessed{unknown}"
    console.print(shown(head), soft_wrap=True)
    mean = survey.expected / max(1, survey.known)
    of = f"{survey.known:,} samples of known risk" if survey.unknown else "samples"
    console.print(f"failures to be expected: {survey.expected:.1f}, {mean:.1%} of the {of}")
    console.print(_bands(survey))
    console.print(_fits(survey))
    if survey.reasons:
        console.print(_reasons(survey))
    console.print("samples of unknown risk, then the riskiest" if survey.unknown else "riskiest samples", style="bold")
    for record in riskiest:
        _print_sample(console, record)


def _print_sample(console: Console, record: Record) -> None:
    line = Text().append(f"{percent(record['risk']):>5}", style_of(record["risk"]))
    line.append_text(shown(one_line(f"  {record['where']}  {record['id']}  {_tokens(record)}")))
    console.print(line, soft_wrap=True)
    if record["risk"] is None:
        _print_wrapped(console, record["notes"][0], " " * 9, "italic")
    for step in record["steps"][:1]:
        _print_step(console, step)


def _bands(survey: Survey) -> Table:
    table = _table("risk", "samples", "share")
    for band, above in zip(BANDS, (None, *BANDS), strict=False):
        count = survey.bands[f"{band:.2f}"]
        share = f"{count / max(1, survey.assessed):.1%}"
        name = f"{band:.0%} and more" if above is None else f"{band:.0%} to {above:.0%}"
        table.add_row(Text(name, style_of(band)), f"{count:,}", share)
    if survey.unknown:
        share = f"{survey.unknown / survey.assessed:.1%}"
        table.add_row(Text("unknown", style_of(None)), f"{survey.unknown:,}", share)
    return table


def _fits(survey: Survey) -> Table:
    table = _table("budget in tokens", "traces that fit", "of those known")
    for budget, (fit, known) in sorted(survey.fits.items(), key=lambda item: int(item[0])):
        table.add_row(f"{int(budget):,}", f"{fit:,} of {known:,}", f"{fit / max(1, known):.1%}")
    return table


def _reasons(survey: Survey) -> Table:
    table = _table("what carries the riskiest step most", "samples", "share")
    for reason, count in survey.reasons.most_common(8):
        table.add_row(reason, f"{count:,}", f"{count / max(1, survey.assessed):.1%}")
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for at, name in enumerate(columns):
        table.add_column(name, justify="right" if at else "left")
    return table


def style_of(risk: float | None) -> Any:
    """The colour of a risk; what is unknown may be as risky as any."""
    risk = 1.0 if risk is None else risk
    return next((style for least, style in STYLES if risk >= least), "")


def caveat() -> str:
    """What the figures rest on, in one line."""
    return f"risks are those of the 32B CWM on programs like CruxEval's ({published().made_from}): docs/risk.md"
