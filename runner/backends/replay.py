"""Recorded outputs instead of a model (`replay:FILE`): grades, reports and rewrites without weights.

Reads a run's `samples.jsonl`, or any rows with `id` and `output`. Optional fields: `attempt` (default: "original");
`answer_index` of a sampled answer; `stopped`, why it ended (default: "limit" if it may be a trace, else "end"); the
program (`source` or `code`) and the `call`. An output whose row has a program is used for that program only. A question
without a recorded output is not answered ("unrecorded").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from analyze.diagnosis.parse_output import parse_output
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora import BadRow, Case, Row
from corpora.errors import InputError
from corpora.outputs.format import program_of
from corpora.outputs.reading import read_outputs
from runner.asking.backend import Backend
from runner.asking.generation import END_OF_ANSWER, Generation, Prompt, Stopped, recorded_prompt
from runner.asking.prompts import PromptFormat
from runner.records.samples import Sample, case_key

SPEC = "replay:FILE"
_PREFIX = "replay:"
_STOPPED: tuple[Stopped, ...] = ("end", "answer", "limit", "long", "context")
CHECKED = 20
"""Outputs that are searched for a trace, to warn about a recording without any."""

Name = tuple[str, str, int | None]
"""Identifies an output: id, attempt, and the index of a sampled answer."""


def claims(spec: str) -> bool:
    """Whether a value of `--model` is `replay:FILE`."""
    return spec.startswith(_PREFIX)


def load(spec: str, device: str | None = None) -> Replay:
    """Reads the outputs of the file. Raises InputError if there are none."""
    return Replay(Path(spec.removeprefix(_PREFIX)))


@dataclass(frozen=True)
class RecordedOutput:
    """A recorded output.

    Attributes:
        text: the output.
        where: file and line.
        program: program and call; None if the row has neither.
        stopped: why it ended, as a run records it; None if that is unknown.
    """

    text: str
    where: str
    program: tuple[str, str] | None
    stopped: Stopped | None = None

    @property
    def answer(self) -> str:
        """The text up to `[/ANSWER]`, at which a run stops: some published outputs go on and repeat the problem."""
        answered, mark, _ = self.text.partition(END_OF_ANSWER)
        return answered + mark


class Replay(Backend):
    """The outputs of one file.

    Attributes:
        bad: rows that cannot be read, or have no `id` and `output`.

    Raises:
        InputError: the file is missing, no row has an id and an output, or two rows contradict each other.
    """

    prompt_formats: tuple[PromptFormat, ...] = ("oneshot", "bare", "direct")
    weights = ""  # a recording may grow during a run; `check_cases` detects another recording
    recorded = True

    def __init__(self, path: Path) -> None:
        self.name = f"replay:{path}"
        self.tokenizer: Tokenizer = default_tokenizer()
        self.bad: list[BadRow] = []
        self._outputs = _read(path, self.bad)

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None]) -> list[Generation]:
        """The recorded outputs in full; `max_tokens` has no effect."""
        return [self._generation(prompt) for prompt in prompts]

    def has_output(self, prompt: Prompt) -> bool:
        """Whether an output was recorded for the prompt."""
        return self.output(prompt) is not None

    def output(self, prompt: Prompt) -> str | None:
        """The recorded answer to a prompt, up to `[/ANSWER]`; None if there is none."""
        recorded = self._recorded(prompt)
        return None if recorded is None else recorded.answer

    def _recorded(self, prompt: Prompt) -> RecordedOutput | None:
        found = self._outputs.get((prompt.case_id, prompt.attempt, prompt.number), {})
        return found.get(_program(prompt.source, prompt.call)) or found.get(None)

    def check_cases(
        self, sharing: Iterable[tuple[Case, Case]], places: Mapping[str, str], records: Iterable[Sample]
    ) -> Iterator[str]:
        """Warnings of rows that could not be read and of outputs that a run cannot use; see `Backend.check_cases`."""
        yield from (f"no recorded output: {bad.where}: {bad.reason}" for bad in self.bad)
        yield from self._limits()
        self._check_ids(sharing, places)
        self._check_resumed(records)

    def _limits(self) -> Iterator[str]:
        """What a run without further options does not find in the recording."""
        numbers = [number for _, _, number in self._outputs]
        several = [number for number in numbers if number is not None]
        if len(several) == len(numbers):
            yield f"{self.name} has {max(several) + 1} answers to a sample: a run finds them with --num-samples only"
        first = islice((one.text for found in self._outputs.values() for one in found.values()), CHECKED)
        if not any(parse_output(text, None).frames for text in first):
            yield f"{self.name} has no traces: `spellout report FILE` grades such outputs by value, a run does not"

    def _check_ids(self, sharing: Iterable[tuple[Case, Case]], places: Mapping[str, str]) -> None:
        """Raises InputError for two cases with the same id if the recording has only the id."""
        for one, other in sharing:
            own = (found for name, found in self._outputs.items() if name[:2] == (one.id, "original"))
            recorded = next((found[None] for found in own if None in found), None)
            if recorded is not None:
                first, second = places[case_key(one)], places[case_key(other)]
                reason = f"{first} and {second} share the id {one.id}; the recording does not say to which this belongs"
                raise InputError(f"{reason}: add the program and call, or other ids", where=recorded.where)

    def _check_resumed(self, samples: Iterable[Sample]) -> None:
        """Raises InputError if a resumed run's records have other outputs than the recording."""
        for sample in samples:
            text = self.output(recorded_prompt(sample))
            if sample.asked and text != sample.output:
                found = "no output" if text is None else "another output"
                reason = f"has {found} for {sample.id} ({sample.attempt}) than the run's records"
                raise InputError(f"{reason}: take another folder with --output", where=f"--model {self.name}")

    def _generation(self, prompt: Prompt) -> Generation:
        recorded = self._recorded(prompt)
        if recorded is None:
            return Generation((), "", "unrecorded")
        text = recorded.answer
        if text.endswith(END_OF_ANSWER):
            return Generation((), text, "answer")
        return Generation((), text, recorded.stopped or ("end" if _is_no_trace(text) else "limit"))


def _is_no_trace(text: str) -> bool:
    """Whether an output is neither a trace nor the beginning of one: nothing shows that it was cut off."""
    parsed = parse_output(text, None)
    return bool(text.strip()) and not parsed.frames and parsed.ending != "cut"


def _program(source: str, call: str) -> tuple[str, str]:
    return source.strip(), call.strip()


def _read(path: Path, bad: list[BadRow]) -> dict[Name, dict[tuple[str, str] | None, RecordedOutput]]:
    """The outputs by name, then by program; unusable rows are appended to `bad`."""
    outputs: dict[Name, dict[tuple[str, str] | None, RecordedOutput]] = {}
    if not path.is_file():
        raise InputError("no such file", where=f"--model replay:{path}")
    for row in read_outputs(path).rows:
        if isinstance(row, Row) and row.fields.get("verdict") == "not asked":
            continue  # a record of a run, without an output
        found = row if isinstance(row, BadRow) else _recorded(row)
        if isinstance(found, BadRow):
            bad.append(found)
            continue
        name, recorded = found
        known = outputs.setdefault(name, {}).setdefault(recorded.program, recorded)
        if known.text != recorded.text:
            raise InputError(f"another output for id {name[0]} than {known.where} has", where=recorded.where)
    if bad and not outputs:
        raise InputError(f"no row with id and output ({bad[0].reason})", where=bad[0].where)
    return outputs


def _recorded(row: Row) -> tuple[Name, RecordedOutput] | BadRow:
    fields, output, number = row.fields, row.fields.get("output"), row.fields.get("answer_index")
    if fields.get("id") is None or not isinstance(output, str):
        return BadRow(row.number, row.where, "has no id, or no text in output")
    found = program_of(fields)
    program = _program(**found) if found else None
    name = str(fields["id"]), str(fields.get("attempt", "original")), number if isinstance(number, int) else None
    stopped = next((why for why in _STOPPED if why == fields.get("stopped")), None)
    return name, RecordedOutput(output, row.where, program, stopped)
