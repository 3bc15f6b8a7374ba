"""CWM on a vLLM server over HTTP: `vllm:NAME@URL`.

Prompts and answers are token ids, so special tokens are kept. `prompt_logprobs` scores a draft in one request. vLLM
requires its own version of torch: install it in a separate environment (constraints-vllm.txt) and start
`vllm serve NAME --max-logprobs 20`. The tests use a server with the same protocol
(`tests/runner/backends/model_server.py`), or vLLM itself if VLLM_URL is set.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError
from runner.asking.backend import Backend
from runner.asking.generation import (
    END_OF_ANSWER,
    NEAR_TIES,
    Generation,
    Prompt,
    Scores,
    generation_from_tokens,
    stop_ids,
)
from runner.asking.prompts import TRACE_TOKENS, PromptFormat, trained_formats
from runner.backends.shared import openai_client, servers
from runner.backends.shared.redaction import redacted
from runner.backends.shared.servers import Address, UnusableAnswerError

SPEC = "vllm:NAME@URL"
EXTRA = "server"
_PREFIX = "vllm:"
_NEEDED = (*TRACE_TOKENS, "<|end_of_text|>")


def claims(spec: str) -> bool:
    """Whether a value of `--model` is `vllm:NAME@URL`."""
    return spec.startswith(_PREFIX)


def load(spec: str, device: str | None = None) -> VllmBackend:
    """Connects to the server. Raises InputError if it does not answer, or its vocabulary is not CWM's."""
    place, card = openai_client.connect(spec, _PREFIX)
    root = str(card.get("root") or place.name)
    tokenizer = servers.tokenizer_of(card)
    _check_vocabulary(place, tokenizer, f"--model {spec}")
    context = card.get("max_model_len")
    return VllmBackend(spec, place, tokenizer, context if isinstance(context, int) else None, root)


class VllmBackend(Backend):
    """A model of a vLLM server.

    Attributes:
        weights: the `root` that the server reports for the model.
    """

    concurrent = True
    seconds = servers.SECONDS
    scores = True
    gives_ids = True
    tie = NEAR_TIES["bfloat16"]  # the number format of the server is unknown

    def __init__(self, name: str, place: Address, tokenizer: Tokenizer, context: int | None, root: str) -> None:
        self.name = name
        self.weights = root
        self.tokenizer = tokenizer
        self.context = context
        self.prompt_formats: tuple[PromptFormat, ...] = trained_formats(root)
        self._model = place.name
        self._client = openai_client.client(place)
        self._stops = stop_ids(tokenizer)

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None]) -> list[Generation]:
        """Continuations, with one request per prompt. A failed request gives a "failed" generation."""

        def one(prompt: Prompt) -> Generation:
            try:
                choice = _choice(self._complete(prompt.ids, max_tokens, **openai_client.sampling(prompt)))
                return self._generation(choice, prompt)
            except openai_client.failures() as error:
                return openai_client.failed(error)

        return servers.each(one, prompts, openai_client.failed(TimeoutError()))

    def score(self, sequences: Sequence[tuple[Sequence[int], int]]) -> list[Scores]:
        """The greedy choices in place of ids[start:], and after the last token; one request per sequence."""

        def one(sequence: tuple[Sequence[int], int]) -> Scores:
            ids, start = sequence
            try:
                return self._scores(self._complete(ids, 1, scored=True), len(ids), start)
            except openai_client.failures() as error:
                return Scores((), (), why=openai_client.why(error))

        return servers.each(one, sequences, Scores((), (), why=openai_client.why(TimeoutError())))

    def _generation(self, choice: Any, prompt: Prompt) -> Generation:
        """The generation of a choice. Raises UnusableAnswerError for unknown ids, or if they spell an API key."""
        stopped = getattr(choice, "finish_reason", None) == "stop"
        try:
            found = generation_from_tokens(*_written(choice), self.tokenizer, stopped=stopped, sampling=prompt.sampling)
        except (LookupError, ValueError, OverflowError) as error:
            raise _unusable(f"unknown token ids ({error})") from None
        if redacted(found.text) != found.text:
            raise _unusable("an API key")
        return found

    def _complete(
        self, ids: Sequence[int], max_tokens: int, *, temperature: float = 0.0, scored: bool = False, **more: Any
    ) -> Any:
        return self._client.completions.create(
            model=self._model,
            prompt=list(ids),
            max_tokens=max_tokens,
            temperature=temperature,
            logprobs=2,
            stop=[END_OF_ANSWER],
            **more,
            extra_body={
                "return_tokens_as_token_ids": True,
                "skip_special_tokens": False,
                "include_stop_str_in_output": True,
                "stop_token_ids": sorted(self._stops),
                **({"prompt_logprobs": 2} if scored else {}),
            },
        )

    def _scores(self, answer: Any, length: int, start: int) -> Scores:
        choice = _choice(answer)
        shown = (getattr(choice, "model_extra", None) or {}).get("prompt_logprobs")
        if not isinstance(shown, list) or len(shown) != length:
            raise _unusable("no prompt_logprobs for each token of the prompt")
        best, gaps = zip(*map(_first_two, shown[start:]), strict=True) if start < length else ((), ())
        last, after = _written(choice)
        if not last:
            raise _unusable("no token after the prompt")
        return Scores((*best, last[0]), (*gaps, after[0]))


def _check_vocabulary(place: Address, tokenizer: Tokenizer, where: str) -> None:
    """Raises InputError if the server's ids of trace tokens differ. Not checked if the server has no /tokenize."""
    for token in _NEEDED:
        body = {"model": place.name, "prompt": token, "add_special_tokens": False}
        found = openai_client.post(place.url.removesuffix(openai_client.PATH) + "/tokenize", body)
        if not isinstance(found, Mapping) or "tokens" not in found:
            return
        if found["tokens"] != [tokenizer.special_id(token)]:
            raise InputError(
                f"the vocabulary has no token {token} with CWM's id: not a code world model, or another tokenizer",
                where=where,
            )


def _unusable(what: str) -> Exception:
    return UnusableAnswerError(f"the server's answer has {what}")


def _choice(answer: Any) -> Any:
    """The only choice of a response. Any: its fields are checked one by one, because servers differ."""
    choice = openai_client.only_choice(answer)
    if getattr(choice, "logprobs", None) is None:
        raise _unusable("no choice with logprobs")
    return choice


def _written(choice: Any) -> tuple[list[int], list[float]]:
    """The generated ids and their margins."""
    try:
        ids = [_id(token) for token in choice.logprobs.tokens]
        gaps = [_gap(shown) for shown in choice.logprobs.top_logprobs]
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise _unusable(f"no token ids ({error})") from None
    if len(ids) != len(gaps):
        raise _unusable("not as many logprobs as tokens")
    return ids, gaps


def _id(token: str) -> int:
    prefix, _, number = token.rpartition(":")
    if prefix != "token_id":
        raise ValueError(f"{token!r} is not token_id:N")
    return int(number)


def _gap(shown: Mapping[str, float]) -> float:
    first, second, *_ = sorted(shown.values(), reverse=True)
    return _finite(first - second)


def _finite(margin: float) -> float:
    if math.isnan(margin):
        raise ValueError("a logprob is not a number")
    return margin


def _first_two(shown: Any) -> tuple[int, float]:
    """The most likely token at a position of the prompt, and its margin. `shown` may also contain the prompt's own."""
    try:
        ranked = sorted((entry["rank"], int(token), entry["logprob"]) for token, entry in shown.items())
        (first, token, logprob), (_, _, second), *_ = ranked
        margin = _finite(logprob - second)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _unusable(f"prompt_logprobs without ranks ({error})") from None
    if first != 1:
        raise _unusable("prompt_logprobs without the most likely token")
    return token, margin
