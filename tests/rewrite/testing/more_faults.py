"""Wrong rewrites whose author had not read the grammar that draws programs, as an independent sample.

They ignore aliasing, the order of evaluation, early returns, exceptions raised halfway, closures, defaults, generators,
`__eq__` or `__bool__`. Entries are like those of `tests.rewrite.testing.statement_faults`.
"""

FAULTS: dict[str, tuple[str, str]] = {
    "addition in place": ("N_x = N_y + E_v", "N_x = N_y\nN_x += E_v"),
    "sorted instead of sort": ("N_x.sort()", "N_x = sorted(N_x)"),
    "slice assignment as assignment": ("N_x[:] = E_v", "N_x = list(E_v)"),
    "index evaluated before the value": ("E_c[E_i] = E_v", "key = E_i\nE_c[key] = E_v"),
    "found value without flag": (
        "for N_i in E_s:\n    if E_c:\n        return E_r",
        "found = None\nfor N_i in E_s:\n    if E_c:\n        found = E_r\n        break\n"
        "if found is not None:\n    return found",
    ),
    "return after the finally": ("try:\n    return E_a\nfinally:\n    S_f", "value = E_a\nS_f\nreturn value"),
    "two assignments at once in a try": (
        "try:\n    N_x = E_a\n    N_y = E_b\nexcept Exception:\n    S_h",
        "try:\n    N_x, N_y = E_a, E_b\nexcept Exception:\n    S_h",
    ),
    "closure over the value": ("lambda: E_e", "(lambda value: lambda: value)(E_e)"),
    "generator as list": ("(E_e for N_x in E_s)", "iter([E_e for N_x in E_s])"),
    "yielded from a list": ("for N_i in E_s:\n    yield E_e", "yield from [E_e for N_i in E_s]"),
    "membership by equality": ("E_a in E_c", "any(E_a == item for item in E_c)"),
    "falsy value as False": ("E_a and E_b", "E_b if E_a else False"),
    "default of a condition assigned first": ("N_x = E_a if E_c else E_b", "N_x = E_b\nif E_c:\n    N_x = E_a"),
    "get instead of setdefault": ("E_c.setdefault(E_k, E_d).append(E_v)", "E_c.get(E_k, E_d).append(E_v)"),
    "repr as str": ("repr(E_x)", "str(E_x)"),
}
