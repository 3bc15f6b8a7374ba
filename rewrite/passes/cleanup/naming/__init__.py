"""Readable names for temporaries.

readable_names      names for the temporaries of a source, and which may share one
temporary_words     words for a temporary, the best first
function_facts      how a function makes and uses its variables
operation_words     words by the operation that computes a value
usage_words         words by what a value is used for, and the program's own
value_words         words by a variable's values
names_in_use        names that no temporary may get
"""
