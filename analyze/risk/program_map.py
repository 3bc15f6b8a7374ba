"""A map of program-level risk for any model, fitted to the outcomes of its recorded outputs.

The shipped weights (`analyze.risk.risk_model`) are those of the 32B CWM, whose outputs say which step failed first.
Outputs of other models say only which programs failed. Their map is a logistic regression on a few features of a
program and its reference trace, one of which is the log-odds of the shipped risk. Its coefficients have a normal prior:
`PRIOR` of `analyze.risk.map_fit` for that feature and for panel difficulty, 0 for the others. With few outputs the map
therefore ranks programs as the shipped map does, at the model's own failure rate.

With a panel (`analyze.risk.panel`) there is a second map, which also knows how often other models fail on the program.
The 32B CWM's is `panel_map.json` (`python -m lab.risk.fit --write`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace
from analyze.risk.risk_model import published_weights
from analyze.tokens.tokenizer import default_tokenizer
from corpora.atomic_files import write_atomically
from corpora.errors import InputError, did_you_mean

PANEL = "panel"
FEATURES: dict[str, str] = {
    "shipped_log_odds": "log-odds of the risk by the shipped map",
    "frames": "log(1 + frames of the reference trace)",
    "tokens": "log(1 + tokens of the reference trace, in CWM's vocabulary)",
    "state_load": "log(1 + characters of all states of the reference trace)",
    "source": "log(1 + characters of the program)",
    "output_is_string": "1 if the result is a string, else 0",
    "output": "log(1 + characters of the result)",
    "string_operations": "log(1 + methods, slices and operators that are applied to strings)",
    PANEL: "log-odds of the panel difficulty",
}
"""The features by name, in order, with their definitions."""
WITHOUT_PANEL = tuple(name for name in FEATURES if name != PANEL)
PANEL_MAP = Path(__file__).with_name("panel_map.json")
WORDS: Final = "words"
SHIPPED_MAPS = {WORDS: Path(__file__).with_name("words_map.json")}
"""Maps by the form of the answers: WORDS for models that answer in words instead of states (`lab.risk.transfer`)."""
_VERSION = 2
_EXTREME = 1e-6
_LEAST_DIFFICULTY = 0.003


@dataclass(frozen=True)
class ProgramMap:
    """A fitted map.

    Attributes:
        bias: log-odds of failure of a program with average features.
        weights: by feature, per standard deviation.
        means: by feature, of the programs it was fitted on.
        scales: by feature, their standard deviations.
        fitted_on: what it was fitted on, in words.
    """

    bias: float
    weights: Mapping[str, float]
    means: Mapping[str, float]
    scales: Mapping[str, float]
    fitted_on: str = ""

    def risk(self, features: Sequence[float]) -> float:
        """Returns the probability that the model fails on a program with these features (in the order of FEATURES)."""
        known = dict(zip(FEATURES, features, strict=True))
        score = self.bias + sum(
            weight * (known[name] - self.means[name]) / self.scales[name] for name, weight in self.weights.items()
        )
        return float(1 / (1 + math.exp(-score)))


@dataclass(frozen=True)
class ReliabilityMap:
    """The reliability maps of a model: one without results of other models, and one with them (a panel).

    Attributes:
        program_map: For samples without results of other models.
        with_panel: For samples of a panel; None if the map was fitted without one.
        models: The models whose outputs it was fitted to. Their runs in a panel do not count.
    """

    program_map: ProgramMap
    with_panel: ProgramMap | None = None
    models: tuple[str, ...] = ()

    def risk(self, features: Sequence[float]) -> float:
        """Returns the risk of a program; with the panel if both the map and the features have it."""
        is_known = self.with_panel is not None and not math.isnan(features[-1])
        chosen = self.with_panel if is_known and self.with_panel else self.program_map
        return chosen.risk(features)

    def save(self, path: Path) -> None:
        """Writes the maps as JSON. Raises InputError if the file cannot be written."""
        try:
            write_atomically(path, json.dumps({"version": _VERSION, **asdict(self)}, indent=1) + "\n")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error


def load_reliability_map(path: Path) -> ReliabilityMap:
    """Reads the maps in a file. Raises InputError if they are not maps, or were fitted with other features.

    Args:
        path: The file, or the name of one of SHIPPED_MAPS.

    >>> load_reliability_map(Path("words")).program_map.risk([-2.0, 3.0, 6.0, 0, 0, 0, 0, 0, math.nan]) < 0.5
    True
    """
    path = SHIPPED_MAPS.get(str(path), path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except ValueError as error:
        raise InputError(f"is not a map: {error}", where=str(path)) from error
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        raise InputError("is not a map that `spellout assess --fit --save` wrote", where=str(path))
    try:
        first = _read_map(content["program_map"], WITHOUT_PANEL, path)
        second = content["with_panel"]
        with_panel = _read_map(second, tuple(FEATURES), path) if second else None
        return ReliabilityMap(first, with_panel, tuple(content["models"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError("is a damaged map: run `spellout assess --fit` again", where=str(path)) from error


def training_data(risk_map: str) -> str:
    """Returns what a map was fitted on, in words, by its file ("" for the map of the 32B CWM)."""
    if risk_map:
        return load_reliability_map(Path(risk_map)).program_map.fitted_on
    return f"the 32B CWM's published failures on programs like CruxEval's ({published_weights().made_from})"


@cache
def shipped_panel_map() -> ProgramMap:
    """Returns the map of the 32B CWM for programs of a panel, which is shipped with Spellout."""
    content = json.loads(PANEL_MAP.read_text(encoding="utf-8"))
    return ProgramMap(**{name: value for name, value in content.items() if name != "made_by"})


def _read_map(content: Mapping[str, Any], features: Sequence[str], path: Path) -> ProgramMap:
    names = list(content["weights"])
    if not names or not set(names) <= set(features):
        unknown = next((name for name in names if name not in FEATURES), "")
        hint = f" ({unknown!r}{did_you_mean(unknown, FEATURES)})" if unknown else ""
        raise InputError(f"was fitted with other features{hint}: run `spellout assess --fit` again", where=str(path))
    return ProgramMap(**content)


def program_features(trace: Trace, risk: float, string_operations: int, difficulty: float | None = None) -> list[float]:
    """Returns the features of a program, in the order of FEATURES.

    Args:
        trace: The whole reference trace of its call.
        risk: The risk by the shipped map, 0..1.
        string_operations: Number of operations on strings.
        difficulty: The panel difficulty, 0..1; None if no panel knows the program (the feature is nan).
    """
    tokens = trace.count_tokens(default_tokenizer(), MAX_COUNTED_TOKENS) or MAX_COUNTED_TOKENS
    pairs = [pair for frame in trace.frames for pair in frame.shown]
    result = trace.outcome.value or ""
    return [
        _log_odds(risk, _EXTREME),
        math.log1p(len(trace.frames)),
        math.log1p(tokens),
        math.log1p(sum(len(name) + len(value) for name, value in pairs)),
        math.log1p(len(trace.context)),
        float(result[:1] in ("'", '"')),
        math.log1p(len(result)),
        math.log1p(string_operations),
        math.nan if difficulty is None else _log_odds(difficulty, _LEAST_DIFFICULTY),
    ]


def _log_odds(probability: float, least: float) -> float:
    known = min(max(probability, least), 1 - least)
    return math.log(known / (1 - known))
