"""All forms of the grammar, the simplest ones of each kind first."""

from __future__ import annotations

from rewrite.program_grammar import (
    builtin_forms,
    container_forms,
    definition_forms,
    flow_forms,
    operator_forms,
    simple_forms,
    string_forms,
)
from rewrite.program_grammar.form import GrammarForm

_TABLES = (operator_forms, container_forms, string_forms, builtin_forms, simple_forms, flow_forms, definition_forms)
FORMS: tuple[GrammarForm, ...] = tuple(form for table in _TABLES for form in table.FORMS)
