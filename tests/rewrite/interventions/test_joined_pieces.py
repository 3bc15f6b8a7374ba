"""Joined pieces: every use of the variable that needs the string keeps it; then where the list is joined."""

from dataclasses import replace

import pytest

from rewrite import check_equivalence, rewrite_source
from rewrite.evidence.context import InterventionSite, RewriteContext
from rewrite.evidence.gather import gather_evidence
from rewrite.pipeline.driver import rewrite_once

LOOP = "def f(text):\n    out = ''\n    for c in text:\n        out += c.upper()\n    return out\n"


def joined(source: str, call: str = "f('ab-')") -> str:
    made = rewrite_source(source, "joined_pieces", calls=[call])
    verdict = check_equivalence(source, made.source, [call], examples=30, assumes=made.assumes, inputs="any")
    assert verdict.equivalent is not False, verdict.why
    return made.source


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("out += c.upper()", "out += c.upper()\n        print(out)"),
        ("out += c.upper()", "out += c.upper() + out[:1]"),
        ("out += c.upper()", "out += c.upper()\n        if len(out) > 1:\n            break"),
        ("out += c.upper()", "out *= 2"),
        ("out += c.upper()", "out = out + c"),
        ("out += c.upper()", "out += c\n        del out\n        out = ''"),
        ("out += c.upper()", "out += yield"),
        ("out += c.upper()", "out += c  # spellout: leave"),
        ("return out", "return out, len(out)"),
        ("return out", "return (lambda: out)()"),
        ("return out", "return [out for _ in text]"),
        ("return out", "return f'{out}'"),
        ("return out", "return locals()['out']"),
        ("for c", "out = '-'\n    for c"),
        ("for c", "def g():\n        nonlocal out\n        out = '-'\n    g()\n    for c"),
        ("out = ''", "global out\n    out = ''"),
        ("(text):", "(text, out=''):\n    text += out"),
    ],
)
def test_any_other_use_keeps_the_string(old: str, new: str) -> None:
    source = LOOP.replace(old, new, 1)
    assert joined(source) == source


def test_pieces_that_are_no_strings_in_some_call_keep_the_string() -> None:
    source = "def f(items):\n    out = ''\n    for item in items:\n        out += item\n    return out\n"
    calls = ["f(['a', 'b'])", "f([1])"]
    assert not rewrite_source(source, "joined_pieces", calls=calls).changed


@pytest.mark.medium
def test_another_function_may_have_a_variable_of_the_same_name() -> None:
    made = joined(f"def g(out):\n    return out\n\n\n{LOOP}")
    assert "out.append(c.upper())" in made and "return ''.join(out)" in made


@pytest.mark.medium
@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ("return(out)", "return(''.join(out))"),
        ("return out[::-1]", "return ''.join(out)[::-1]"),
        ("return (out +\n            text)  # both", "return (''.join(out) +\n            text)  # both"),
        ("result = out.strip()\n    return result", "result = ''.join(out).strip()\n    return result"),
        ("return [c for c in out]", "return [c for c in ''.join(out)]"),
    ],
)
def test_the_list_is_joined_where_the_string_is_read(read: str, expected: str) -> None:
    assert joined(LOOP.replace("return out", read)).endswith(f"    {expected}\n")


@pytest.mark.medium
def test_additions_in_branches_and_handlers_become_appends_with_their_comments() -> None:
    source = (
        "def f(words):\n    out = ''  # all\n    for w in words:\n        try:\n            out += w[1]; n = 1\n"
        "        except IndexError:\n            # short\n            out += '-'  # one\n    return out\n"
    )
    made = joined(source, "f(['ab', 'c'])")
    assert made == (
        "def f(words):\n    out = []  # all\n    for w in words:\n        try:\n            out.append(w[1])\n"
        "            n = 1\n        except IndexError:\n            # short\n            out.append('-')  # one\n"
        "    return ''.join(out)\n"
    )


def test_a_piece_that_the_list_shows_gets_no_temporary() -> None:
    given = RewriteContext("assume", gather_evidence(LOOP, ["f('ab-')"]))
    assert "out.append(c.upper())" in rewrite_once(LOOP, "planned", given, options={}).source


def test_a_loop_that_another_intervention_replaces_is_left_to_it() -> None:
    source = "def f(text):\n    out = ''\n    for i in range(len(text)):\n        out += text[i]\n    return out\n"
    given = RewriteContext("assume", gather_evidence(source, ["f('ab-')"]))
    made = rewrite_once(source, "planned", given, options={})
    assert "in enumerate(text):" in made.source and "append" not in made.source
    ((start, end),) = made.spans
    kept = {InterventionSite(start, end, "enumerated_loop"): "not chosen"}
    made = rewrite_once(source, "planned", replace(given, excluded=kept), options={})
    assert "enumerate" not in made.source and "out.append(text[i])" in made.source
