"""Programs as text and as trees, before anyone asks what they mean.

    tree, build        walking and rebuilding LibCST trees; statements made from parts
    source_map         on which lines nodes stand, before and after
    spelling           names that Python reads in another form than they are written
    nesting_depth      how deep a text nests, before a parser is asked
    form_feeds, long_lines
                       two things of layout that a rewrite has to keep or mend

Imports nothing else of the project but `corpora.errors`. What this room does not do: know what a name
means or when a part is evaluated (`rewrite.analysis`).
"""
