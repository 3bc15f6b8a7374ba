"""The rewriting pipeline: from a source and the name of a recipe to a rewritten source that compiles.

    recipe              what a recipe is: it says what it needs, takes and costs, and how it rewrites
    intervention_recipe recipes that are lists of interventions: lower scope by scope, print
    source_rewrites     recipes that are functions of whole sources, and codemods
    baseline_recipes    the recipes `paper` and `placebo`
    recipes             the recipes by name
    driver              one rewrite of one source by a recipe's name
    attempts            repeats the lowering without the statements that keep the result from compiling
    compile_check       what Python's compiler says of the result, and which statements are to blame
    leave_comments      statements that a comment `# spellout: leave` protects
    restore_form_feeds  puts form feeds back into the result

The public functions are one level above: `rewrite.rewriting` runs calls as evidence and applies the cost limit.
"""
