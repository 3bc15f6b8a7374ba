"""The audit as a linter: settings, diagnostics with suggestions, gates, baselines and machine-readable formats.

    audit_plan, audit_outcome
                   what a command line asks for, and what an audit found
    settings       `[tool.spellout.audit]` in pyproject.toml, profiles of models, selections of classes
    diagnostics    findings merged by string and operation, in the order in which they are listed
    suggestions    what to change, checked with the vocabulary and by execution
    fail_conditions
                   the conditions of `--fail-on`
    baseline       findings that are accepted, so that only new ones fail
    formats, sarif the outputs json, github and sarif

Imports `analyze` and `rewrite`. `runner.reports.audit_report` has the text output.
"""
