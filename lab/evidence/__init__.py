"""Evidence about equivalent rewrites from published data: are they equivalent, and what do they do to a model?

- `pairs`: pairs of programs that somebody published as equivalent
- `census`: how many of them are, by kind (`python -m lab.evidence.census PAIRS`)
- `rewrite_effects`: what a rewrite does to accuracy on average (`python -m lab.evidence.rewrite_effects ANSWERS`)
- `prices`: what one unit of each change costs, in the unit of risks (`python -m lab.evidence.prices`)
- `ratios`, `published_changes`: the regression behind `prices`, and what it counts
"""
