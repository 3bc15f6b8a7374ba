"""Source text and LibCST trees, below any question about what a program means.

    tree, build        walk and rebuild LibCST trees; make statements from parts
    character_offsets  positions of `ast` as offsets in the characters of a source
    source_map         print a tree and record on which line each node begins
    normalized_names   identifiers in NFKC form and with private names mangled
    nesting_depth      limit the nesting of a source before a parser sees it
    parsing            CPython and LibCST parse a source, with the place of what one of them refuses
    tight_keywords     programs without blanks around keywords, which LibCST refuses
    form_feeds, long_lines
                       layout: form feeds in indentation, folding of long lines

Imports nothing else of the project but `corpora.errors` and `corpora.literals`. Not in scope: scopes, evaluation order
and types (`rewrite.analysis`).
"""
