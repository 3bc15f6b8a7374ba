"""What plans do about the operations that a published model got wrong; used by `bench/planned.py`.

- `diverging_line`: the line of the first wrong value
- `operation_level`: how far a rewrite exposes the operation that produced it
- `bound`: whether any rewrite exposes it within the limits of a plan
- `held_out_weights`: weights of the reliability map for a program that they were not fitted on
"""
