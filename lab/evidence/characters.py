"""What it costs that a token hides a character, measured on character tasks with words (CUTE, Edman et al. 2024).

    python -m lab.evidence.characters CUTE --vocabularies DIR [--write]

CUTE has rows with `task`, `item`, `model`, `inputs`, `label` and `output`. DIR has `tokenizer.json` files of MODELS and
UNUSED by name (docs/findings.md says which packages have them); Llama-3's is always there.

The question: is a model more often wrong if its tokens hide more characters? The regressor is the number of further
characters in the token of the asked-for character (their mean if the task asks for several places). A fixed effect for
each item and one for each model, task and length of the word leave only differences between vocabularies on the same
item. Standard errors are clustered by word; p-values are corrected for the number of questions (Holm).

The placebo: all assignments of vocabularies to the families of models, and all assignments of vocabularies that none
of the models uses.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import scipy  # type: ignore[import-untyped]

from analyze.hazards.hidden_characters import FILE
from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from corpora import Row, read_rows
from corpora.errors import InputError
from lab.evidence.fixed_effects import Floats, Groups, group_indices, slope, within
from lab.evidence.rewrite_effects import holm
from runner.statistics.paired import format_p
from runner.terminal.console import note, output_console, print_lines
from runner.terminal.tables import terminal_table

MODELS = {
    "llama-7b": "llama-2",
    "llama-13b": "llama-2",
    "llama-70b": "llama-2",
    "mistral-7b": "mistral",
    "mistral-8x7b": "mistral",
    "gemma-7b": "gemma",
    "dbrx": "cl100k",
    "llama3-8b": "llama-3",
    "llama3-70b": "llama-3",
}
"""The vocabulary of each model. Command R's could not be had."""
UNUSED = ("qwen2.5", "o200k", "deepseek-v3", "gemma-3")
"""Vocabularies that none of the models uses."""
TASKS = ("contains_char", "del_char", "ins_char", "sub_char", "swap_char", "spell", "spell_inverse")
EDITS = ("del_char", "ins_char", "sub_char", "swap_char")
LONGEST = 12
"""Longer words count as this long in the fixed effects."""
POWER = 0.8
QUESTIONS: dict[str, tuple[str, ...]] = {**{task: (task,) for task in TASKS}, "edits": EDITS, "all tasks": TASKS}
COLUMNS = ("task", "items", "differ", "points per character (95 % interval)", "p, corrected", "detectable")


@dataclass(frozen=True)
class CharacterItem:
    """An item of a task, answered by all models.

    Attributes:
        task: The task.
        word: The word.
        places: Indices of the characters that the task asks for.
        right: By model, whether its answer is right.
    """

    task: str
    word: str
    places: tuple[int, ...]
    right: Mapping[str, bool]


@dataclass(frozen=True)
class CharacterData:
    """The answers to some tasks as columns without their fixed effects.

    Attributes:
        right: [answers].
        hidden: By family and vocabulary: the regressor if the family had this vocabulary, and 0 for other families.
        words: Cluster of each answer.
        items: Number of items.
        differ: Number of items on which the vocabularies of the models differ.
    """

    right: Floats
    hidden: Mapping[tuple[str, str], Floats]
    words: Groups
    items: int
    differ: int

    def estimate(self, assignment: Mapping[str, str]) -> tuple[float, float]:
        """The slope and its standard error if each family had the vocabulary that is assigned to it."""
        regressor = np.sum([self.hidden[family, name] for family, name in assignment.items()], axis=0)
        return slope(self.right, regressor, self.words)


def read_items(rows: Iterable[object]) -> list[CharacterItem]:
    """The items that all of MODELS answered and whose word has an asked-for character.

    Raises:
        InputError: There is none.
    """
    found: dict[tuple[str, object], dict[str, tuple[list[str], bool]]] = {}
    for row in rows:
        fields = row.fields if isinstance(row, Row) else {}
        task, model, output, label = (fields.get(name) for name in ("task", "model", "output", "label"))
        inputs = fields.get("inputs")
        texts = inputs if isinstance(inputs, list) else []
        is_complete = bool(texts) and all(isinstance(one, str) for one in (*texts, output, label))
        if task in TASKS and model in MODELS and is_complete:
            right = normalized(str(output)) == normalized(str(label))
            found.setdefault((str(task), fields.get("item")), {})[str(model)] = ([str(one) for one in texts], right)
    items = []
    for (task, _), answers in found.items():
        word, places = asked_for(task, next(iter(answers.values()))[0])
        if len(answers) == len(MODELS) and places:
            items.append(CharacterItem(task, word, places, {model: right for model, (_, right) in answers.items()}))
    if not items:
        raise InputError("has no item that all models answered")
    return items


def normalized(text: str) -> str:
    """An answer without spaces, quotes and a period around it, in lower case.

    >>> normalized(' "Fbor".')
    'fbor'
    """
    return text.strip().strip("\"'.").lower()


def asked_for(task: str, inputs: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """The word of an item, and the places of the characters that the task is about.

    >>> asked_for("ins_char", ["b", "f", "for"]), asked_for("contains_char", ["n", "for"])
    (('for', (0,)), ('for', ()))
    """
    word = inputs[0].replace(" ", "") if task == "spell_inverse" else inputs[-1]
    asked = {"ins_char": inputs[1:2], "swap_char": inputs[:2], "spell": word, "spell_inverse": word}.get(
        task, inputs[:1]
    )
    return word, tuple(index for index, character in enumerate(word) if character in asked)


def hidden_characters(tokenizer: Tokenizer, word: str) -> list[int]:
    """For each character of a word in quotes, how many other characters of the word its token has.

    >>> hidden_characters(load_tokenizer("llama-3"), "octopus")
    [2, 2, 2, 3, 3, 3, 3]
    """
    _, sizes = tokenizer.encode_sized(f'"{word}"')
    bounds = np.cumsum([0, *sizes])
    found = []
    for start, end in pairwise(bounds):
        first, last = max(int(start), 1), min(int(end), len(word) + 1)
        found += [last - first - 1] * (last - first)
    return found


def character_data(
    items: Sequence[CharacterItem], vocabularies: Mapping[str, Tokenizer], tasks: Sequence[str]
) -> CharacterData:
    """The answers to some tasks, prepared for the regression. Words are ASCII; others are left out."""
    families = list(dict.fromkeys(MODELS.values()))
    used = [one for one in items if one.task in tasks and one.word.isascii()]
    sizes = {word: {name: hidden_characters(tok, word) for name, tok in vocabularies.items()} for word in _words(used)}
    means = [
        {name: float(np.mean([every[i] for i in one.places])) for name, every in sizes[one.word].items()}
        for one in used
    ]
    rows = [(index, model) for index in range(len(used)) for model in MODELS]
    columns = [
        [float(used[index].right[model])]
        + [means[index][name] if MODELS[model] == family else 0.0 for family in families for name in vocabularies]
        for index, model in rows
    ]
    by_item = group_indices([index for index, _ in rows])
    by_model = group_indices([(used[i].task, model, min(len(used[i].word), LONGEST)) for i, model in rows])
    found = within(np.array(columns), by_item, by_model)
    keys = [(family, name) for family in families for name in vocabularies]
    hidden = {key: found[:, 1 + index] for index, key in enumerate(keys)}
    words = group_indices([used[index].word for index, _ in rows])
    differ = sum(len({mean[family] for family in families}) > 1 for mean in means)
    return CharacterData(found[:, 0], hidden, words, len(used), differ)


def _words(items: Iterable[CharacterItem]) -> list[str]:
    return sorted({one.word for one in items})


def own() -> dict[str, str]:
    """The assignment of each family's own vocabulary."""
    return {family: family for family in MODELS.values()}


def assignments(vocabularies: Sequence[str]) -> list[dict[str, str]]:
    """All assignments that give each vocabulary to at least one family."""
    families = list(own())
    found = product(vocabularies, repeat=len(families))
    return [dict(zip(families, one, strict=True)) for one in found if set(one) == set(vocabularies)]


def load_vocabularies(folder: Path) -> dict[str, Tokenizer]:
    """The vocabularies by name. Raises InputError if one is missing."""
    names = dict.fromkeys((*MODELS.values(), *UNUSED))
    return {name: load_tokenizer("llama-3" if name == "llama-3" else str(folder / f"{name}.json")) for name in names}


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the effects; returns 0."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.evidence.characters", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("cute", metavar="CUTE", help="answers to CUTE's tasks")
    parser.add_argument(
        "--vocabularies", type=Path, required=True, metavar="DIR", help="folder of tokenizer.json files"
    )
    parser.add_argument("--write", action="store_true", help=f"save the effect in {FILE.name}")
    arguments = parser.parse_args(argv)
    try:
        items, vocabularies = read_items(read_rows(arguments.cute)), load_vocabularies(arguments.vocabularies)
    except InputError as error:
        parser.error(str(error))
    data = {name: character_data(items, vocabularies, tasks) for name, tasks in QUESTIONS.items()}
    console = output_console()
    console.print(terminal_table(COLUMNS, table(data), console.width))
    placebos = count_assignments(data["all tasks"])
    print_lines(console, *_sentences(placebos))
    if arguments.write:
        content = as_json(data["all tasks"], items, vocabularies) | {
            "rows": [dict(zip(COLUMNS, row, strict=True)) for row in table(data)],
            "assignments": placebos,
        }
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        note(f"wrote {FILE}")
    return 0


def table(data: Mapping[str, CharacterData]) -> list[tuple[str, ...]]:
    """The rows of COLUMNS, in points of accuracy."""
    found = {name: one.estimate(own()) for name, one in data.items()}
    corrected = holm([_p(*one) for one in found.values()])
    quantile = scipy.stats.norm.ppf(1 - 0.025 / len(data)) + scipy.stats.norm.ppf(POWER)
    return [
        (
            name,
            str(data[name].items),
            str(data[name].differ),
            _points(*one),
            format_p(p),
            f"{100 * quantile * one[1]:.1f}",
        )
        for (name, one), p in zip(found.items(), corrected, strict=True)
    ]


def _p(estimate: float, error: float) -> float:
    return float(2 * scipy.stats.norm.sf(abs(estimate) / error))


def _points(estimate: float, error: float) -> str:
    half = 1.96 * error
    return f"{100 * estimate:+.1f} [{100 * (estimate - half):+.1f}, {100 * (estimate + half):+.1f}]"


def count_assignments(data: CharacterData) -> dict[str, tuple[int, int]]:
    """How many assignments of vocabularies to families have at most the slope of the true one, of how many.

    By what is assigned: the models' own vocabularies, or those that no model uses.
    """
    true = data.estimate(own())[0]
    found: dict[str, tuple[int, int]] = {}
    for what, names in (("the models' vocabularies", list(own())), ("vocabularies that no model uses", UNUSED)):
        slopes = [data.estimate(one)[0] for one in assignments(names)]
        found[what] = sum(one <= true + 1e-12 for one in slopes), len(slopes)
    return found


def _sentences(placebos: Mapping[str, tuple[int, int]]) -> list[str]:
    lines = [f"{len(MODELS)} models, {len(own())} vocabularies. p: corrected for {len(QUESTIONS)} questions (Holm)."]
    for what, (count, every) in placebos.items():
        lines.append(f"All tasks, {what}: {count} of {every} assignments have at most the slope of the true one.")
    return lines


def as_json(
    data: CharacterData, items: Sequence[CharacterItem], vocabularies: Mapping[str, Tokenizer]
) -> dict[str, object]:
    """The content of `analyze/hazards/hidden_characters.json`."""
    estimate, error = data.estimate(own())
    words = [word for word in _words(items) if word.isascii()]
    means = {
        name: np.mean([np.mean(hidden_characters(tok, word)) for word in words]) for name, tok in vocabularies.items()
    }
    return {
        "made_by": "python -m lab.evidence.characters CUTE --vocabularies DIR --write",
        "made_from": f"CUTE, half of its items: {data.items} items, {len(MODELS)} models, {len(own())} vocabularies",
        "per_character": {
            "effect": round(-estimate, 5),
            "low": round(-estimate - 1.96 * error, 5),
            "high": round(-estimate + 1.96 * error, 5),
        },
        "words": len(words),
        "hidden": {name: round(float(mean), 3) for name, mean in means.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
