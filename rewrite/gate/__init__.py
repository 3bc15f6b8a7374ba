"""The last gate: what was rewritten compiles, and lines that a comment protects stay (`rewrite.attempts` asks).

    compiles     what Python's compiler says of a text, and which statements are to blame
    keep_lines   `# spellout: leave`

Imports `rewrite.anf` and what that stands on.
"""
