"""The rewriting pipeline: from a source and the name of a recipe to a rewritten source that compiles.

    recipes             the recipes: ordered lists of interventions, found by folder
    driver              one rewrite of one source: parse, lower scope by scope, print
    attempts            repeats the lowering without the statements that keep the result from compiling
    compile_check       what Python's compiler says of the result, and which statements are to blame
    leave_comments      statements that a comment `# spellout: leave` protects
    restore_form_feeds  puts form feeds back into the result
    catalogue           generates docs/interventions.md

The public functions are one level above: `rewrite.rewriting` runs calls as evidence and applies the cost limit.
"""
