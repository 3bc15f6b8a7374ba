import pytest

from corpora.source_block import source_block


@pytest.mark.parametrize("text", ["", "x = 1\n", "    x = 1\n", "  x = 1\n    \n", "\f\nx = 1\n"])
def test_a_string_that_begins_without_a_line_break_stays(text: str) -> None:
    assert source_block(text) == text


def test_only_the_indentation_that_all_lines_share_goes() -> None:
    block = """
        if a:
            b

        c
    """
    assert source_block(block) == "if a:\n    b\n\nc\n"


def test_a_source_may_begin_with_an_empty_line() -> None:
    assert source_block("\n\n    x = 1\n    ") == "\nx = 1\n"
