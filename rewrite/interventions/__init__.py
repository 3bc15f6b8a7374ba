"""The interventions that are written by hand, one per module.

They are discovered by listing this package: to add one, add a module with examples, which the tests run. The modules
import `rewrite.anf`, `rewrite.analysis`, `rewrite.syntax` and `rewrite.string_methods`.
"""
