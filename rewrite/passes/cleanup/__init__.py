"""Cleanup passes over the text of a finished rewrite: same program, same steps, fewer tokens in its trace.

forms               all alternative forms of a rewrite, from which the caller takes the cheapest
copy_propagation    a temporary that only hands a value on becomes the variable that receives it
unused_tables       a translation table that nothing reads gives its name to the dict that it was made of
temporary_reuse     temporaries that are never live together share a name
naming              readable names for temporaries
live_intervals      from when to when a temporary is live
observed_values     what the calls showed of variables
earlier_bindings    whether a variable may be bound at an earlier statement
name_mentions       where functions mention names, and renaming them
"""
