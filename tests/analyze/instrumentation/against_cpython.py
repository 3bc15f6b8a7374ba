"""The operations that CPython performs, from its own instructions: what instrumentation is held against."""

from __future__ import annotations

import ast
import dis
import io
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from analyze.instrumentation.instrument import Instrumentation
from analyze.instrumentation.observer import Observer
from analyze.instrumentation.sites import InstrumentedExpression, InstrumentedSite, Marker

FILENAME = "<program>"
Performed = tuple[str, int, int]
"""What kind of node, and line and column where it ends (CPython moves the beginning of calls over several lines).

A class and a generator expression are called too: programs must not let one end where a call ends.
"""

_NODES: dict[str, type[ast.AST]] = {
    "BINARY_OP": ast.BinOp,
    "COMPARE_OP": ast.Compare,
    "CONTAINS_OP": ast.Compare,
    "IS_OP": ast.Compare,
    "BINARY_SUBSCR": ast.Subscript,
    "BINARY_SLICE": ast.Subscript,
    "UNARY_NEGATIVE": ast.UnaryOp,
    "UNARY_INVERT": ast.UnaryOp,
    "CALL": ast.Call,
    "CALL_KW": ast.Call,
    "CALL_FUNCTION_EX": ast.Call,
    "CALL_INTRINSIC_1": ast.UnaryOp,  # UNARY_POSITIVE, from 3.12 on
    "UNARY_POSITIVE": ast.UnaryOp,
}
_KINDS = {"item": ast.Subscript, "slice": ast.Subscript, "call": ast.Call, "method": ast.Call}


@dataclass(frozen=True)
class Run:
    """What a program did: its value or exception, its output, and the operations in order."""

    outcome: str
    output: str
    performed: Sequence[Performed]


class Everything(Observer):
    """Wants all operations and all values."""

    values = True

    def __init__(self) -> None:
        self.found: list[tuple[int, InstrumentedSite, list[Any], Any]] = []
        self.valued: list[InstrumentedExpression] = []

    def wants(self, kind: str, name: str, is_chained: bool) -> bool:
        """All."""
        return True

    def value(self, expression: InstrumentedExpression, value: Any) -> None:
        """Counted."""
        self.valued.append(expression)

    def operation(self, site: InstrumentedSite, operands: Sequence[Any], result: Any, order: int) -> None:
        """Kept, to be put in order."""
        self.found.append((order, site, list(operands), result))

    @property
    def in_order(self) -> list[tuple[int, InstrumentedSite, list[Any], Any]]:
        """What was found, in the order in which Python began it."""
        return sorted(self.found, key=lambda found: found[0])


def native(source: str) -> Run:
    """The program as it is; each instruction that performs an operation is recorded."""
    places = _places(source)
    performed: list[Performed] = []
    codes: dict[CodeType, dict[int, dis.Instruction]] = {}

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        if code.co_filename != FILENAME:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            if code not in codes:
                codes[code] = {found.offset: found for found in dis.get_instructions(code)}
            found = codes[code][frame.f_lasti]
            place = found.positions
            kind = _NODES.get(found.opname)
            if kind and place and place.end_lineno is not None and place.end_col_offset is not None:
                if found.opname == "BINARY_OP":
                    kind = ast.AugAssign if found.argrepr.endswith("=") else ast.BinOp
                where = (kind.__name__, place.end_lineno, place.end_col_offset)
                if where in places:
                    performed.append(where)
        return trace

    code = compile(source, FILENAME, "exec", dont_inherit=True)
    outcome, output = _run(code, trace)
    return Run(outcome, output, performed)


def instrumented(source: str) -> tuple[Run, Everything]:
    """The program with probes around everything."""
    observer = Everything()
    instrumentation = Instrumentation(source, observer)
    code = instrumentation.compile(source, FILENAME)
    outcome, output = _run(code, None)
    instrumentation.probes.end()
    performed = []
    for _, site, _, _ in observer.in_order:
        if site.kind in ("attribute", "format", "boolean") or site.name in ("Not", "super") or site.position is None:
            continue
        unary = site.name in ("USub", "UAdd", "Invert")
        kind = ast.UnaryOp if unary else _KINDS.get(site.kind) or _operator(site)
        performed.append((kind.__name__, *site.position[2:]))
    return Run(outcome, output, performed), observer


def _operator(site: InstrumentedSite) -> type[ast.AST]:
    if site.kind == "augmented":
        return ast.AugAssign
    return ast.Compare if issubclass(getattr(ast, site.name), ast.cmpop) else ast.BinOp


def _places(source: str) -> set[Performed]:
    kinds = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Call, ast.AugAssign)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    # `super()` is one instruction with the look-up on it, from 3.12 on.
    nodes = [node for node in nodes if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "super")]
    return {(type(node).__name__, node.end_lineno or 0, node.end_col_offset or 0) for node in nodes}


def _run(code: CodeType, trace: Any) -> tuple[str, str]:
    namespace: dict[str, Any] = {"__name__": "program"}
    printed = io.StringIO()
    before = sys.gettrace()
    with redirect_stdout(printed):
        sys.settrace(trace)
        try:
            exec(code, namespace)
            outcome = repr(namespace["f"]())
        except Exception as error:  # noqa: BLE001 - whatever a program raises is its outcome
            outcome = f"{type(error).__name__}: {error}"
        finally:
            sys.settrace(before)
    return outcome, printed.getvalue()


RAISED, UNSEEN = Marker.RAISED, Marker.UNSEEN
