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
from rewrite.program_grammar.forms import Form

FORMS: tuple[Form, ...] = (
    *operator_forms.FORMS,
    *container_forms.FORMS,
    *string_forms.FORMS,
    *builtin_forms.FORMS,
    *simple_forms.FORMS,
    *flow_forms.FORMS,
    *definition_forms.FORMS,
)
