"""Reads a Markdown table of states, which chat models write instead of a trace, as the frames that it claims.

    | Line | Code | total | x |
    |------|------|-------|---|
    | 2 | total = 0 | 0 | - |
    | 4 (iteration 1) | total += x | 1 | 1 |

A row names a line of the program and shows variables after it ran. Tables leave out lines (loop headers, branches),
list lines that do not run, and show a header before or after its loop. So a value is right if the variable has it at
any time from the row's line up to the line of the next row, and a row of a line that never runs claims nothing if its
values are those of the row before. A cell that is no literal, or a word such as "undefined", says nothing. The frames
are those of the reference trace with the wrong values in their place; they end at the first row that the execution does
not reach. Only the called function is read, and only if the output also states a result. Several
tables are read if each continues the one before, or if each describes the whole call; then the last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from analyze.diagnosis.answer_comparison import same_value, value_in_force
from analyze.diagnosis.direct_values import is_literal, is_right, read_value, string_value
from analyze.gold_trace.frames import Frame
from analyze.gold_trace.trace import Trace, physical_lines

_ROW = re.compile(r"^[ \t]*\|(.*)\|[ \t]*$", re.MULTILINE)
_CELL_END = re.compile(r"(?<!\\)\|")
_LINE_NUMBER = re.compile(r"\D{0,6}(\d{1,6})\b")
_CODE_NAMES = {"code", "source", "statement"}
_LINE_NAMES = {"line", "line number", "line no.", "#"}
_HEADER = re.compile(r"(?:async\s+)?(?:for|while|if|elif|else|try|except|finally|with|match|case|def|class)\b|@")
_COMPREHENSION = re.compile(r"\S.*\bfor\b.*\bin\b")
_NO_VALUES = {
    "undefined",
    "unassigned",
    "not defined",
    "not yet defined",
    "uninitialized",
    "unset",
    "n/a",
    "na",
    "-",
    "—",
}
"""Strings in place of the value of a variable that has none."""
_MOST_ROWS = 10_000


@dataclass(frozen=True)
class TableRow:
    """A row of a table of states.

    Attributes:
        line: Number in the program, from 1.
        source: The line as the row shows it, without indentation.
        values: The literals that it shows, by variable.
    """

    line: int
    source: str
    values: Mapping[str, str]


def has_table(output: str) -> bool:
    """Whether an output has the header of a table of states."""
    return any(_is_header(_cells(match[1])) for match in _ROW.finditer(output))


def read_tables(output: str, source: str) -> list[list[TableRow]]:
    """The rows of each table of states in an output that has rows.

    Args:
        output: What the model wrote.
        source: The program. A row whose line it does not have ends a table, as does one with another number of cells.
    """
    rows = [_cells(match[1]) for match in _ROW.finditer(output)][:_MOST_ROWS]
    lines = ["", *(line.strip() for line in physical_lines(source))]
    starts = [place for place, cells in enumerate(rows) if _is_header(cells)]
    tables = (_read_rows(rows[start], rows[start + 1 : end], lines) for start, end in pairwise([*starts, len(rows)]))
    return [table for table in tables if table]


def _read_rows(header: Sequence[str], rows: Iterable[Sequence[str]], lines: Sequence[str]) -> list[TableRow]:
    """The rows of one table, up to the first that is none."""
    names = [cell.strip("`* ") for cell in header[2:]]
    found: list[TableRow] = []
    for cells in rows:
        if all(not cell.strip(" :-") for cell in cells):
            continue
        number = _number(cells, lines) if len(cells) == len(header) else None
        if number is None:
            break
        values = {name: cell.strip("` ") for name, cell in zip(names, cells[2:], strict=True)}
        found.append(TableRow(number, lines[number], {name: text for name, text in values.items() if _is_value(text)}))
    return found


def table_frames(output: str, trace: Trace) -> tuple[Frame, ...]:
    """The frames that tables of states claim; none without a table, without a stated result, or if the call raises.

    Args:
        output: What the model wrote.
        trace: The reference trace.
    """
    if trace.outcome.status != "ok" or trace.grading != "return" or not trace.lines or "|" not in output:
        return ()
    stated, steps = read_value(_ROW.sub("", output), trace.call), function_steps(trace)
    rows = _claimed_rows(read_tables(output, trace.context), steps, trace)
    result = (trace.frames[-1].value or "") if trace.frames else ""
    right = None if stated is None else is_right(result, stated.text)
    if not rows or stated is None or right is None or not trace.frames:
        return ()
    places, reached = _aligned(rows, steps, trace)
    frames = list(trace.frames)
    for row, place, after in zip(rows, places, [*places[1:], len(steps) - 1], strict=False):
        wrong = _wrong_values(row, after + 1 - place, trace, steps, place)
        if wrong:
            index = steps[min(place + 1, len(steps) - 1)]
            frames[index] = _with_values(frames[index], wrong)
    answer = result if right else stated.text
    if not reached:
        last = places[-1] + 1 if places else 0
        row = rows[len(places)]
        claimed = Frame("line", _physical(row, trace), tuple(row.values.items()))
        return (
            *frames[: steps[last] if last < len(steps) else len(frames) - 1],
            claimed,
            _returning(frames[-1], answer),
        )
    if answer != result:
        frames[-2:] = [_returning(frame, answer) if frame.event == "return" else frame for frame in frames[-2:]]
    return tuple(frames)


def _claimed_rows(tables: Sequence[list[TableRow]], steps: Sequence[int], trace: Trace) -> list[TableRow]:
    """The rows of all tables if they continue each other, of the last if each describes the whole call, else none."""
    every = [row for table in tables for row in table]
    if len(tables) < 2 or _aligned(every, steps, trace)[1]:
        return every
    first = {table[0].line for table in tables}
    runs = sum(trace.lines[index] in first for index in steps)
    return tables[-1] if len(first) == 1 and runs < 2 else []


def _cells(row: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(row)]


def _is_value(cell: str) -> bool:
    return is_literal(cell) and (string_value(cell) or "").strip("<>() ").lower() not in _NO_VALUES


def _is_header(cells: Sequence[str]) -> bool:
    return len(cells) > 1 and cells[0].lower() in _LINE_NAMES and cells[1].lower() in _CODE_NAMES


def _number(cells: Sequence[str], lines: Sequence[str]) -> int | None:
    """The line that a row names: by number if its code is that line's, else by its code if only one line has it."""
    match, code = _LINE_NUMBER.match(cells[0]), spaceless(cells[1].strip("` "))
    number = int(match[1]) if match else 0
    if number < len(lines) and spaceless(lines[number]) == code and code:
        return number
    same = [index for index, line in enumerate(lines) if code and spaceless(line) == code]
    return same[0] if len(same) == 1 else None


def spaceless(line: str) -> str:
    """A line of source as models copy it: without its comment and all spaces."""
    return "".join(line.partition("#")[0].split())


def function_steps(trace: Trace) -> list[int]:
    """The indices of the LINE frames of the called function, without those of functions that it calls."""
    depth, found = 0, []
    for index, frame in enumerate(trace.frames):
        if frame.event == "call":
            depth += 1
        elif frame.event == "return":
            depth -= 1
        elif frame.event == "line" and depth == 2:
            found.append(index)
    return found


def _aligned(rows: Sequence[TableRow], steps: Sequence[int], trace: Trace) -> tuple[list[int], bool]:
    """For each row, in order, its position in `steps`; and whether the execution reaches all rows.

    The first rows may name the definition. Steps that a table leaves out are headers and lines without any row.
    """
    shown, run = {row.line for row in rows}, {trace.lines[index] for index in steps}
    places: list[int] = []
    start = 0
    for row in rows:
        last = places[-1] if places else 0
        found = _next_step(row, start, shown, steps, trace)
        if found is not None:
            start = found + 1
        elif _claims_no_step(row, last, steps, trace, never=row.line not in run):
            found = last
        else:
            return places, False
        places.append(found)
    return places, True


def _next_step(row: TableRow, start: int, shown: Collection[int], steps: Sequence[int], trace: Trace) -> int | None:
    """The next step of the row's line; None if a step in between is of a line that has rows and is no header."""
    for place in range(start, len(steps)):
        if trace.lines[steps[place]] == row.line:
            return place
        if trace.lines[steps[place]] in shown and not _HEADER.match(trace.frames[steps[place]].source.strip()):
            return None
    return None


def _claims_no_step(row: TableRow, last: int, steps: Sequence[int], trace: Trace, *, never: bool) -> bool:
    """Whether a row is about no step: a definition or header, one more element of a comprehension, a line not taken."""
    same_line = trace.lines[steps[last]] == row.line
    if _HEADER.match(row.source) or (same_line and _COMPREHENSION.match(row.source)):
        return True
    return never and not _wrong_values(row, 2, trace, steps, last)


def _wrong_values(row: TableRow, count: int, trace: Trace, steps: Sequence[int], place: int) -> dict[str, str]:
    """The values of a row that their variables have at none of `count` steps from `place` on."""
    wrong: dict[str, str] = {}
    for name, text in row.values.items():
        known = list(_values(name, count, trace, steps, place))
        absent = text == "None" and name not in dict(trace.frames[steps[place]].state or ())
        inner = string_value(text)  # some models quote each cell
        if (
            known
            and not absent
            and not any(same_value(value, form) for value in known for form in (text, inner or text))
        ):
            wrong[name] = text
    return wrong


def _values(name: str, count: int, trace: Trace, steps: Sequence[int], place: int) -> Iterator[str]:
    """The values of a variable at the steps of a window, where it has one."""
    for index in steps[place : place + max(count, 2)]:
        if name in dict(trace.frames[index].state or ()):
            value = value_in_force(trace.frames, index, name)
            if value is not None:
                yield value


def _with_values(frame: Frame, wrong: Mapping[str, str]) -> Frame:
    return replace(frame, state=tuple({**dict(frame.state or ()), **wrong}.items()))


def _physical(row: TableRow, trace: Trace) -> str:
    return physical_lines(trace.context)[row.line - 1]


def _returning(frame: Frame, value: str) -> Frame:
    return replace(frame, value=value)
