"""Read-only analysis: tokens, hazards, the reference trace of a call, and the divergence of a model's output from it.

Names are imported on first use: a sandbox worker needs only the tracer and imports only that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import lazy_exports

if TYPE_CHECKING:
    from analyze.auditing.audit import audit as audit
    from analyze.auditing.findings import Finding as Finding
    from analyze.diagnosis.divergence import Diagnosis as Diagnosis
    from analyze.diagnosis.divergence import diagnose as diagnose
    from analyze.diagnosis.parse_output import ParsedOutput as ParsedOutput
    from analyze.diagnosis.parse_output import parse_ids as parse_ids
    from analyze.diagnosis.parse_output import parse_stripped as parse_stripped
    from analyze.diagnosis.parse_output import parse_text as parse_text
    from analyze.diagnosis.recorded_outputs import diagnose_rows as diagnose_rows
    from analyze.gold_trace.frames import Frame as Frame
    from analyze.gold_trace.frames import frames_to_ids as frames_to_ids
    from analyze.gold_trace.frames import frames_to_text as frames_to_text
    from analyze.gold_trace.hidden_values import hidden_values as hidden_values
    from analyze.gold_trace.trace import Trace as Trace
    from analyze.gold_trace.trace import trace_call as trace_call
    from analyze.gold_trace.trace import trace_in_process as trace_in_process
    from analyze.hazards.classify import Occurrence as Occurrence
    from analyze.hazards.classify import classify as classify
    from analyze.risk.assessed_rows import assess_rows as assess_rows
    from analyze.risk.assessment import Assessment as Assessment
    from analyze.risk.assessment import assess as assess
    from analyze.tokens.tokenizer import Tokenizer as Tokenizer
    from analyze.tokens.tokenizer import default_tokenizer as default_tokenizer

if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
