"""Audits data sets for tokenization hazards, wrong labels and duplicates, in constant memory and on all cores.

    audit                              rows to findings
    row_strings                        the strings and operations of a row that are checked, from
    string_calls, string_call_probes   string operations in the source, and those that an execution performs
    label_errors, duplicates           labels that execution contradicts, rows that repeat others
    findings, findings_io              findings, their summary and their files
    audit_folder                       large data sets: resumable, on many cores or machines (`corpora.shard_store`)
    html_report                        the audit as one page

Imports `analyze.hazards`, `analyze.gold_trace`, `analyze.diagnosis` and `corpora`.
"""
