"""The grammar of generated programs, from which `rewrite.testing` draws: forms, and profiles that use them.

    templates         the language of forms: source with typed holes
    hole_context      what a hole allows, read off the syntax tree of its template
    form              a form, and how a row of a table is written: `*forms(feature, kinds, template, ...)`
    *_forms           the tables of forms; `form_tables` has them all
    form_filling      fills the holes of forms with forms
    profiles, scope   what differs between profiles; what a part of a program may read and use
    logged_programs   a profile: typed operands, each of them logged, few of which raise
    mixed_programs    a profile: programs like those that people write, with values of all types
    choices           the source of randomness: Hypothesis or `random.Random`
    helpers           source of the functions and classes that programs call

Generated programs terminate: a loop runs over a short new sequence or takes fuel from `go`, and a statement lets no
value grow by more than a constant factor.
"""
