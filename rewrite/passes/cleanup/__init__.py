"""Cleanup passes over the text of a finished rewrite: same program, same steps, fewer tokens in its trace.

forms               all alternative forms of a rewrite, from which the caller takes the cheapest
copy_propagation    a temporary that only hands a value on becomes the variable that receives it
nested_ifs          a test that an earlier `if` decides moves into that `if`
temporary_reuse     temporaries that are never live together share a name
name_mentions       where functions mention names, and renaming them
"""
