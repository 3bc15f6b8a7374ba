"""Small runs for the tests of the viewer: records with the outputs that a model might give, also a hostile one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from analyze import diagnose, trace_call
from runner.records.run_folder import SAMPLES_FILE
from runner.records.samples import Divergence, RewriteRecord, Sample, SampleFile, sample_key
from tests.runner.records.test_samples import SAMPLE

SOURCE = "def f(word):\n    return word.split('-')[::-1]\n"
REWRITTEN = "def f(word):\n    _t0 = word.split('-')\n    return _t0[::-1]\n"
CALL = "f('wor-wolf')"
MARKUP = "<script>window.hacked = true</script><img src=x onerror='window.hacked = true'>"
BIDI = "a\u202eb\u2066c\u200b"
ANSI = "\x1b[31mred\x1b[0m\x07"


def record(
    source: str = SOURCE, call: str = CALL, *, name: str = "reverse", wrong: str = "", attempt: str = "original"
) -> Sample:
    """A record whose output is the reference trace, in which `'wor'` became `wrong` if it is given."""
    trace = trace_call(source, call)
    output = trace.text.replace(", 'wor']", f", {wrong}]") if wrong else trace.text
    found = diagnose(trace, output)
    return replace(
        SAMPLE,
        key=sample_key("m", attempt, 3, name, name),
        id=name,
        case_key=name,
        attempt=attempt,
        source=source,
        call=call,
        expected=found.truth,
        reference=found.truth,
        predicted=found.answer,
        verdict="correct" if found.correct else "incorrect",
        output=output,
        diagnosis=Divergence(found.kind, found.frame, found.true, found.predicted),
        rewrite=None,
        caveats=(),
    )


def rewritten(*, wrong: str = "") -> Sample:
    """A record of the rewritten program."""
    changes = RewriteRecord((("temporaries", 2),), (), "same", (), 149, 122)
    return replace(record(REWRITTEN, wrong=wrong, attempt="decompose"), rewrite=changes)


def hostile() -> Sample:
    """A record in which every string that a run controls is hostile."""
    text = MARKUP + BIDI + ANSI
    value = text + "x" * 5_000_000
    return replace(
        record(
            f"def f(x):\n    # {MARKUP}{BIDI}\n    return x\n", "f('</script><script>window.hacked = true</script>')"
        ),
        key="h</script>/<b>",
        id=f"{text}</title>",
        case_key="hostile",
        benchmark=text,
        kind=text,
        model=text,
        verdict="incorrect",
        predicted=value,
        output=f'<|call_sep|>{{"__proto__": "{MARKUP}"}}<|action_sep|>{text}\n<|frame_sep|>' + value,
        prompt=value,
        stopped=text,
        caveats=(text,),
        diagnosis=Divergence("format", 0, text, text),
    )


def write_run(folder: Path, *samples: Sample) -> Path:
    """Writes the records of a run to its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    file = SampleFile(folder / SAMPLES_FILE)
    for sample in samples:
        file.append(sample)
    return folder
