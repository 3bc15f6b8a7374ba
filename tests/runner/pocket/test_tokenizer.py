from hypothesis import given, settings
from hypothesis import strategies as st

from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from runner.pocket.tokenizer import SPECIAL, train_tokenizer


@settings(deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back_from_its_tokens(pocket_tokenizer: Tokenizer, text: str) -> None:
    ids = pocket_tokenizer.encode(text)
    assert b"".join(map(pocket_tokenizer.token_bytes, ids)) == text.encode()


@settings(deadline=None)
@given(text=st.text("0123456789 \"'.,[]{}:=_()abcxyz\n", max_size=40))
def test_no_token_crosses_a_boundary_of_the_big_vocabulary_s_pre_tokenization(
    pocket_tokenizer: Tokenizer, text: str
) -> None:
    def cut(tokenizer: Tokenizer) -> list[str]:
        pieces = tokenizer.reference.pre_tokenizer.pre_tokenize_str(text)
        return [piece for piece, _ in pieces]

    assert cut(pocket_tokenizer) == cut(default_tokenizer())


def test_the_text_of_a_special_token_in_a_program_is_ordinary(pocket_tokenizer: Tokenizer) -> None:
    for name in SPECIAL:
        assert pocket_tokenizer.special_id(name) not in pocket_tokenizer.encode(f"s = '{name}'")


def test_every_number_below_a_hundred_is_one_token(pocket_tokenizer: Tokenizer) -> None:
    assert all(len(pocket_tokenizer.encode(str(number))) == 1 for number in range(100))


def test_a_vocabulary_has_the_size_asked_for_and_is_the_same_each_time() -> None:
    texts = ["total = total + value\n", "return total\n", "value = 12\n"] * 3
    first, second = train_tokenizer(texts, 280), train_tokenizer(texts, 280)
    assert first.get_vocab_size() == 280
    assert first.to_str() == second.to_str()
