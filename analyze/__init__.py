"""Only looks: tokens, hazards, the true trace of a call, and where a model's output parts from it.

Names are imported when they are first used, so that a sandbox worker, which needs the tracer, imports only that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import exports

if TYPE_CHECKING:
    from analyze.auditing import audit
    from analyze.divergence import Diagnosis, diagnose
    from analyze.findings import Finding
    from analyze.frames import Frame, frames_to_ids, frames_to_text
    from analyze.hidden import hidden_values
    from analyze.occurrence import Occurrence, classify
    from analyze.parsing import Parsed, parse_ids, parse_stripped, parse_text
    from analyze.risk.assessment import Assessment, assess
    from analyze.tokenizer import Tokenizer, default_tokenizer
    from analyze.trace import Trace, trace_call, trace_in_process

_HOMES = {
    "Assessment": "analyze.risk.assessment",
    "Diagnosis": "analyze.divergence",
    "Finding": "analyze.findings",
    "Frame": "analyze.frames",
    "Occurrence": "analyze.occurrence",
    "Parsed": "analyze.parsing",
    "Tokenizer": "analyze.tokenizer",
    "Trace": "analyze.trace",
    "assess": "analyze.risk.assessment",
    "audit": "analyze.auditing",
    "classify": "analyze.occurrence",
    "default_tokenizer": "analyze.tokenizer",
    "diagnose": "analyze.divergence",
    "frames_to_ids": "analyze.frames",
    "frames_to_text": "analyze.frames",
    "hidden_values": "analyze.hidden",
    "parse_ids": "analyze.parsing",
    "parse_stripped": "analyze.parsing",
    "parse_text": "analyze.parsing",
    "trace_call": "analyze.trace",
    "trace_in_process": "analyze.trace",
}

__all__ = [
    "Assessment",
    "Diagnosis",
    "Finding",
    "Frame",
    "Occurrence",
    "Parsed",
    "Tokenizer",
    "Trace",
    "assess",
    "audit",
    "classify",
    "default_tokenizer",
    "diagnose",
    "frames_to_ids",
    "frames_to_text",
    "hidden_values",
    "parse_ids",
    "parse_stripped",
    "parse_text",
    "trace_call",
    "trace_in_process",
]

if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__ = exports(__name__, _HOMES)
