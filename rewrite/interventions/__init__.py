"""The interventions, one a file, found by folder. A new one is a file here, with examples that are run.

Imports `rewrite.anf`, `rewrite.analysis`, `rewrite.syntax` and `rewrite.string_methods`; nothing imports a file of this
folder by name.
"""
