"""The page of `spellout view`: runs as one self-contained HTML file that a browser explores without a network.

    alignment     reference and predicted frames side by side
    program_json  a program with its reference trace, risk, hazards and token boundaries as JSON
    attempt_json  a record of a run as JSON: aligned frames, diff of the rewrite, cause of the failure
    collection    the records of runs, grouped by sample, with a table of all
    page          the HTML file: compressed data, style and scripts with their Content-Security-Policy
    server        the same page on 127.0.0.1
    assets        the page without its data: HTML, CSS and JavaScript

Everything from a run is untrusted. The page gets it as compressed data and writes it as text nodes only.
"""
