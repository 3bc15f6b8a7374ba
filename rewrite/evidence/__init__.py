"""Evidence from calls: run a program's calls in the sandbox and record facts about its expressions.

gather          runs the calls and merges what they show
value_observer  the observer inside the sandbox worker
value_contents  what it records of the contents of a value
assumptions     facts ("is exactly str") and the assumptions that a rewrite makes
facts           whether a fact is proven, assumed or unknown
context         settings of one rewrite: evidence, excluded sites, guards

Imports `rewrite.analysis` and `rewrite.syntax`.
"""
