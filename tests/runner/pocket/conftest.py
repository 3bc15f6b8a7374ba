import pytest

from analyze.tokens.tokenizer import Tokenizer
from runner.pocket.data import vocabulary_texts
from runner.pocket.tokenizer import train_tokenizer


@pytest.fixture(scope="session")
def pocket_tokenizer() -> Tokenizer:
    """A vocabulary made anew, so that these tests hold before there are weights."""
    return Tokenizer(train_tokenizer(vocabulary_texts()), "pocket")
