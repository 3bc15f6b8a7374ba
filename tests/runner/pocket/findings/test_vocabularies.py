from collections.abc import Mapping
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyze.tokens.tokenizer import Tokenizer
from corpora.generators.matched_functions import OPERATIONS, matched_function
from runner.pocket.findings.vocabularies import ARMS


def pieces(tokenizer: Tokenizer, text: str) -> list[str]:
    return [tokenizer.decode([token]) for token in tokenizer.encode(text)]


def test_only_the_characters_between_quotes_are_tokens_of_their_own(vocabularies: Mapping[str, Tokenizer]) -> None:
    text = """{"s": "'banana'", "xs": "['garden', 'b']"}"""
    bpe, characters = (pieces(vocabularies[arm], text) for arm in ARMS)
    assert "".join(bpe) == "".join(characters) == text
    assert [one for one in characters if len(one) > 1] == [
        one for one in bpe if len(one) > 1 and one not in "banana garden"
    ]
    assert list("banana") == characters[characters.index("b") :][:6]


def test_both_arms_have_the_same_tokens(vocabularies: Mapping[str, Tokenizer]) -> None:
    bpe, characters = (vocabularies[arm].reference.get_vocab() for arm in ARMS)
    assert bpe == characters


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), operation=st.sampled_from(sorted(OPERATIONS)))
def test_list_programs_have_the_same_tokens_in_both_arms(
    vocabularies: Mapping[str, Tokenizer], seed: int, operation: str
) -> None:
    case = matched_function(Random(seed), "list", operation)
    assert vocabularies[ARMS[0]].encode(case.context) == vocabularies[ARMS[1]].encode(case.context)
