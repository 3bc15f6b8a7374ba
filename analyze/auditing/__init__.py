"""Hazards in data sets: rows of programs in, findings out, in constant memory and over all cores.

    audit                              rows to findings
    row_strings                        the strings of a row that a model has to see through, from
    string_calls, string_call_probes   the string operations in its text, and those that its run really does
    label_errors, duplicates           what else an auditor asks: wrong labels, rows that repeat others
    findings, findings_io              what is found, and the files it stands in
    shards, resume, executors          large data sets: parts that can be cut off and go on, on many cores
    html_report                        the audit as one page

Imports `analyze.hazards`, `analyze.gold_trace`, `analyze.diagnosis` and `corpora`.
"""
