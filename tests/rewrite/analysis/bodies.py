"""Bodies of functions, drawn: what binds, deletes and reads three names, on ways that the caller chooses."""

from __future__ import annotations

import textwrap

from hypothesis import strategies as st

NAMES = ("a", "b", "c")
_names = st.sampled_from(NAMES)
_simple = st.one_of(
    _names.map("{} = 1".format),
    _names.map("{}: int = 1".format),
    st.tuples(_names, _names).map("{0[0]}, [{0[1]}] = 1, [2]".format),
    st.tuples(_names, _names).map("{0[0]} = {0[1]}".format),
    _names.map("del {}".format),
    _names.map("print({})".format),
    _names.map("def {}(): return 3".format),
    st.just("pass"),
)
_jumps = st.sampled_from(["return", "raise ValueError", "break", "continue"])


def _block(head: str, body: str) -> str:
    return f"{head}:\n{textwrap.indent(body, '    ')}"


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: f"{_block('if choose()', p[0])}\n{_block('else', p[1])}"),
        st.tuples(inner, inner).map(lambda p: f"{_block('if choose()', p[0])}\n{_block('elif choose()', p[1])}"),
        inner.map(lambda body: _block("if choose()", body)),
        st.tuples(_names, inner).map(lambda p: _block(f"for {p[0]} in two()", p[1])),
        st.tuples(inner, inner).map(lambda p: f"{_block('while choose()', p[0])}\n{_block('else', p[1])}"),
        inner.map(lambda body: _block("while True", f"choose()\n{body}")),
        st.tuples(inner, inner).map(lambda p: f"{_block('try', p[0])}\n{_block('except ValueError', p[1])}"),
        st.tuples(inner, inner).map(lambda p: f"{_block('try', p[0])}\n{_block('finally', p[1])}"),
        inner.map(lambda body: _block("with context()", body)),
        inner.map(lambda body: _block("match two()", _block("case [1, *_]", body))),
    )


bodies = st.recursive(
    st.lists(_simple | _jumps, min_size=1, max_size=3).map("\n".join),
    lambda inner: st.lists(_compound(inner) | _simple, min_size=1, max_size=3).map("\n".join),
    max_leaves=5,
)
"""The text of a body; jumps may stand where no loop is, so that not every one compiles."""
