"""Records survive interruption, a round trip, and refuse what is none."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import Case
from corpora.errors import InputError
from runner.records.samples import (
    VERSION,
    Divergence,
    RewriteRecord,
    Sample,
    SampleFile,
    case_key,
    read_samples,
    sample_key,
)

SAMPLE = Sample(
    key="k",
    id="a",
    case_key="c",
    benchmark="b",
    kind="",
    attempt="original",
    model="m",
    source="def f():\n    return 1\n",
    call="f()",
    grading="return",
    expected="1",
    reference="1",
    verdict="incorrect",
    predicted="2",
    answer_block=None,
    answer_verdict=None,
    reason="",
    prompt="p",
    prompt_tokens=1,
    reference_tokens=2,
    max_tokens=3,
    output="o",
    output_tokens=4,
    stopped="end",
    decode="plain",
    diagnosis=Divergence("state", 3, "1", "2"),
    rewrite=RewriteRecord((("decompose", 1),), ((2, "locals() in scope"),), "same"),
    caveats=("set order",),
    isolation="C",
)


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    SampleFile(path).append(SAMPLE)
    path.write_text(path.read_text() + '{"key": 1}\n')
    with pytest.raises(InputError, match=r"samples\.jsonl:2: not a record"):
        SampleFile(path)


def test_a_last_line_cut_off_by_an_interruption_is_dropped_and_the_rest_kept(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    SampleFile(path).append(SAMPLE)
    with path.open("a") as file:
        file.write('{"key": "half')
    file_again = SampleFile(path)
    assert list(file_again.samples) == ["k"]
    file_again.append(replace(SAMPLE, key="l"))
    assert [sample.key for sample in read_samples(path)] == ["k", "l"]


def test_what_was_appended_is_on_disk_before_the_next_sample_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    SampleFile(path).append(SAMPLE)
    assert list(read_samples(path)) == [SAMPLE]


@given(
    output=st.text(), note=st.sampled_from([None, SAMPLE.rewrite]), diagnosis=st.sampled_from([None, SAMPLE.diagnosis])
)
def test_every_record_survives_the_round_trip(
    tmp_path_factory: pytest.TempPathFactory, output: str, note: RewriteRecord | None, diagnosis: Divergence | None
) -> None:
    sample = replace(SAMPLE, output=output, rewrite=note, diagnosis=diagnosis)
    path = tmp_path_factory.mktemp("run") / "samples.jsonl"
    SampleFile(path).append(sample)
    assert list(read_samples(path)) == [sample]
    assert len(path.read_text().splitlines()) == 1 and json.loads(path.read_text())["output"] == output


def test_a_key_changes_with_everything_that_was_asked() -> None:
    keys = {
        sample_key("m", "original", 8, "a", "p"),
        sample_key("n", "original", 8, "a", "p"),
        sample_key("m", "decompose", 8, "a", "p"),
        sample_key("m", "original", 9, "a", "p"),
        sample_key("m", "original", 8, "b", "p"),
        sample_key("m", "original", 8, "a", "q"),
    }
    assert len(keys) == 6


def test_cases_with_one_id_have_keys_of_their_own() -> None:
    case = Case("a", "def f(): return 1", "f()")
    others = [replace(case, id="b"), replace(case, source="def f(): return 2"), replace(case, call="f( )")]
    assert len({case_key(other) for other in [case, *others, replace(case, expected="1")]}) == 4


@pytest.mark.parametrize("version", [None, VERSION - 1, VERSION + 1])
def test_a_record_of_another_version_is_refused(tmp_path: Path, version: int | None) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text(json.dumps({**asdict(SAMPLE), "version": version}) + "\n")
    with pytest.raises(InputError, match=rf"its version is {version}, not {VERSION}"):
        read_samples(path)


def test_of_two_records_with_one_key_the_later_counts(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    for verdict in ("not asked", "correct"):
        SampleFile(path).append(replace(SAMPLE, verdict=verdict))
    assert [sample.verdict for sample in read_samples(path)] == ["correct"]


def test_a_full_disk_is_one_line() -> None:
    file = SampleFile(Path("/dev/missing"))
    file.path = Path("/dev/full")
    with pytest.raises(InputError, match=r"/dev/full: cannot be written \(No space left on device\)"):
        file.append(SAMPLE)
    assert not file.samples, "what is not on the disk counts as done"
