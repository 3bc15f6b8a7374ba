"""The table of measured effects: what it does not claim first."""

from analyze.hazards.base import all_hazards
from analyze.hazards.measured_effects import RateDifference, TokenizationEffect, measured_effects

NONE = RateDifference(0.05, -0.01, 0.11, 20)
SOME = RateDifference(0.10, 0.02, 0.18, 20)


def _effect(
    cwm: RateDifference = NONE, panel: RateDifference = NONE, over: RateDifference = NONE
) -> TokenizationEffect:
    return TokenizationEffect({"cwm": cwm}, panel, over, over, None)


def test_a_higher_failure_rate_is_no_effect_of_the_tokenizer_unless_the_own_vocabulary_adds_to_it() -> None:
    assert not _effect().is_tokenizer_effect
    assert not _effect(panel=SOME).is_tokenizer_effect
    assert not _effect(over=SOME).is_tokenizer_effect
    assert _effect(panel=SOME, over=SOME).is_tokenizer_effect


def test_the_shipped_table_is_about_known_hazards_and_families() -> None:
    found = measured_effects()
    assert found.hazards.keys() <= {kind.name for kind in all_hazards()}
    assert all(effect.families.keys() == found.runs.keys() for effect in found.hazards.values())
    assert all(
        one.low <= one.effect <= one.high and one.programs >= 0
        for effect in found.hazards.values()
        for one in (*effect.families.values(), effect.panel, effect.over_foreign, effect.over_placebo)
    )
