"""Sixty wrong statement-level rewrites, each from a rule of Python's semantics that it ignores.

Each entry is a name, the pattern, and what it becomes (`tests.rewrite.testing.patterns`). They follow the chapters of
the language reference (simple statements, compound statements, expressions, data model). Their author had also written
the grammar that draws programs, so they are not an independent sample.
"""

FAULTS: dict[str, tuple[str, str]] = {
    # 7.2.1 augmented assignment
    "plain addition": ("N_x += E_v", "N_x = N_x + E_v"),
    "plain multiplication": ("N_x *= E_v", "N_x = N_x * E_v"),
    "reversed addition": ("N_x += E_v", "N_x = E_v + N_x"),
    "extend for addition": ("N_x += E_v", "N_x.extend(E_v)"),
    "item read after the value": ("E_c[E_i] += E_v", "new = E_v\nE_c[E_i] = E_c[E_i] + new"),
    "subtraction of a sum": ("N_x -= E_v", "N_x += -E_v"),
    "plain union": ("N_x |= E_v", "N_x = N_x | E_v"),
    # 7.2 assignment
    "swap in two steps": ("N_x, N_y = N_y, N_x", "N_x = N_y\nN_y = N_x"),
    "chain with two values": ("N_x = N_y = E_v", "N_x = E_v\nN_y = E_v"),
    "parallel as sequence": ("N_x, N_y = E_a, E_b", "N_x = E_a\nN_y = E_b"),
    "reversed parallel": ("N_x, N_y = E_a, E_b", "N_y = E_b\nN_x = E_a"),
    "copied alias": ("N_x = N_y", "N_x = N_y[:]"),
    "rest as slice": ("N_x, *N_y = E_v", "N_x = E_v[0]\nN_y = E_v[1:]"),
    # 8.1 if
    "negated comparison by greater": (
        "if E_a < E_b:\n    S_t\nelse:\n    S_f",
        "if E_a > E_b:\n    S_f\nelse:\n    S_t",
    ),
    "negated comparison by not less": (
        "if E_a < E_b:\n    S_t\nelse:\n    S_f",
        "if E_a >= E_b:\n    S_f\nelse:\n    S_t",
    ),
    "branches swapped without not": ("if E_c:\n    S_t\nelse:\n    S_f", "if E_c:\n    S_f\nelse:\n    S_t"),
    "else as second if": ("if E_c:\n    S_t\nelse:\n    S_f", "if E_c:\n    S_t\nif not E_c:\n    S_f"),
    "condition compared with True": ("if E_c:\n    S_t\nelse:\n    S_f", "if E_c == True:\n    S_t\nelse:\n    S_f"),
    "condition is not None": ("if N_c:\n    S_t", "if N_c is not None:\n    S_t"),
    "nested if with else": (
        "if E_a:\n    if E_b:\n        S_t\nelse:\n    S_f",
        "if E_a and E_b:\n    S_t\nelse:\n    S_f",
    ),
    "both conditions evaluated": ("if E_a:\n    if E_b:\n        S_t", "second = E_b\nif E_a and second:\n    S_t"),
    "flag without bool": ("if E_c:\n    N_x = True\nelse:\n    N_x = False", "N_x = E_c"),
    "flag negated": ("if E_c:\n    N_x = True\nelse:\n    N_x = False", "N_x = not E_c"),
    "conditional by and or": ("if E_c:\n    N_x = E_a\nelse:\n    N_x = E_b", "N_x = E_c and E_a or E_b"),
    "both branches evaluated": ("if E_c:\n    N_x = E_a\nelse:\n    N_x = E_b", "N_x = (E_b, E_a)[bool(E_c)]"),
    "if as while": ("if E_c:\n    S_t", "while E_c:\n    S_t\n    break\nelse:\n    pass\nnote = None"),
    # 8.2, 8.3 loops
    "loop variable deleted": ("for N_i in E_s:\n    S_b", "for N_i in E_s:\n    S_b\nN_i = None"),
    "index loop": ("for N_i in E_s:\n    S_b", "for index in range(len(E_s)):\n    N_i = E_s[index]\n    S_b"),
    "loop over a set": ("for N_i in E_s:\n    S_b", "for N_i in set(E_s):\n    S_b"),
    "loop backwards": ("for N_i in E_s:\n    S_b", "for N_i in reversed(E_s):\n    S_b"),
    "loop without the first": ("for N_i in E_s:\n    S_b", "for N_i in list(E_s)[1:]:\n    S_b"),
    "else of a loop always": ("for N_i in E_s:\n    S_b\nelse:\n    S_e", "for N_i in E_s:\n    S_b\nS_e"),
    "else of a while dropped": ("while E_c:\n    S_b\nelse:\n    S_e", "while E_c:\n    S_b"),
    "while tested at the end": ("while E_c:\n    S_b", "while True:\n    S_b\n    if not E_c:\n        break"),
    "append loop as plus": ("N_r = []\nfor N_i in E_s:\n    N_r.append(N_i)", "N_r = E_s"),
    "filter loop as filter": (
        "for N_i in E_s:\n    if N_i:\n        S_b",
        "for N_i in E_s:\n    if N_i is not None:\n        S_b",
    ),
    "sum loop from zero": ("N_r = 1\nfor N_i in E_s:\n    N_r *= N_i", "N_r = 0\nfor N_i in E_s:\n    N_r *= N_i"),
    "break as continue": ("if E_c:\n    break", "if E_c:\n    continue"),
    "continue dropped": ("if E_c:\n    continue", "if E_c:\n    pass"),
    # 7.4, 7.5, 7.6, 7.8 simple statements
    "assert as if": ("assert E_c", "if not E_c:\n    raise AssertionError('')"),
    "assert dropped": ("assert E_c, E_m", "pass"),
    "message evaluated first": ("assert E_c, E_m", "message = E_m\nassert E_c, message"),
    "cause dropped": ("raise E_e from E_c", "raise E_e"),
    "return of None dropped": ("if E_c:\n    return", "if E_c:\n    pass"),
    "early return as assignment": ("if E_c:\n    return E_a\nreturn E_b", "return E_c and E_a or E_b"),
    "delete as None": ("del N_x", "N_x = None"),
    "delete by pop": ("del E_c[E_i]", "E_c.pop(E_i)"),
    # 8.4, 8.5 try and with
    "handler for everything": (
        "try:\n    S_b\nexcept ValueError:\n    S_h",
        "try:\n    S_b\nexcept Exception:\n    S_h",
    ),
    "finally after the try": ("try:\n    S_b\nfinally:\n    S_f", "S_b\nS_f"),
    "finally as handler": ("try:\n    S_b\nfinally:\n    S_f", "try:\n    S_b\nexcept Exception:\n    S_f"),
    "with without exit": ("with E_m:\n    S_b", "E_m.__enter__()\nS_b"),
    "with as call": ("with E_m:\n    S_b", "made = E_m\nmade.__enter__()\nS_b\nmade.__exit__(None, None, None)"),
    # 6 expressions within statements
    "max by greater or equal": ("max(E_a, E_b)", "E_b if E_b >= E_a else E_a"),
    "max by greater": ("max(E_a, E_b)", "E_a if E_a > E_b else E_b"),
    "min of sorted": ("min(E_s)", "sorted(E_s)[0]"),
    "any as list": ("any(E_e for N_x in E_s)", "any([E_e for N_x in E_s])"),
    "sorted without key": ("sorted(E_s, reverse=True)", "sorted(E_s)[::-1]"),
    "enumerate by range": ("list(enumerate(E_s))", "[(k, E_s[k]) for k in range(len(E_s))]"),
    "zip by the first": ("list(zip(E_a, E_b))", "[(E_a[k], E_b[k]) for k in range(len(E_a))]"),
    "chain evaluated twice": ("E_a < E_b < E_c", "E_a < E_b and E_b < E_c"),
}
