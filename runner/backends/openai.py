"""Any server with OpenAI's completions protocol: `openai:NAME@URL`.

Prompts are sent as token ids if the server accepts them, otherwise as text. `--prompt direct` uses the chat endpoint.
Answers are text, from which most servers remove special tokens; diagnosis reads both forms. The protocol has no
scoring of given tokens, so there is no speculative verification, and records say "plain". Tested with a server of
a small model (`tests/runner/backends/model_server.py`); not tested with other engines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from analyze.tokens.tokenizer import Tokenizer
from runner.asking.backend import Backend
from runner.asking.generation import END_OF_ANSWER, Generation, Prompt
from runner.asking.prompts import PromptFormat
from runner.backends.shared import openai_client, servers
from runner.backends.shared.servers import Address, UnusableAnswerError

SPEC = "openai:NAME@URL"
EXTRA = "server"
_PREFIX = "openai:"


def claims(spec: str) -> bool:
    """Whether a value of `--model` is `openai:NAME@URL`."""
    return spec.startswith(_PREFIX)


def load(spec: str, device: str | None = None) -> OpenAIBackend:
    """Connects to the server. Raises InputError if it does not answer, or has no model of that name."""
    place, card = openai_client.connect(spec, _PREFIX)
    return OpenAIBackend(spec, place, servers.tokenizer_of(card))


class OpenAIBackend(Backend):
    """A model of an OpenAI-compatible server.

    Attributes:
        tokenizer: encodes prompts and counts tokens.
    """

    concurrent = True
    seconds = servers.SECONDS

    def __init__(self, name: str, place: Address, tokenizer: Tokenizer) -> None:
        self.name = name
        self.tokenizer = tokenizer
        self.prompt_formats: tuple[PromptFormat, ...] = ("oneshot", "bare", "direct")
        self._model = place.name
        self._client = openai_client.client(place)
        self._ids = True
        self._limit_name = "max_tokens"
        self._no_temperature = False

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None]) -> list[Generation]:
        """Continuations, with one request per prompt. A failed request gives a "failed" generation."""

        def one(prompt: Prompt) -> Generation:
            try:
                return _generation(self._complete(prompt, max_tokens), chat=bool(prompt.messages))
            except openai_client.failures() as error:
                return openai_client.failed(error)

        return servers.each(one, prompts, openai_client.failed(TimeoutError()))

    def _complete(self, prompt: Prompt, max_tokens: int) -> Any:
        import openai

        if prompt.messages:
            return self._chat(prompt, max_tokens)
        if self._ids:
            try:
                return self._ask(list(prompt.ids), max_tokens, prompt)
            except (openai.BadRequestError, openai.UnprocessableEntityError):
                self._ids = False
        return self._ask(self.tokenizer.decode(prompt.ids), max_tokens, prompt)

    def _chat(self, prompt: Prompt, max_tokens: int) -> Any:
        import openai

        chat: Any = [{"role": role, "content": text} for role, text in prompt.messages]
        create: Any = self._client.chat.completions.create
        limit, plain = self._limit_name, self._no_temperature and prompt.sampling is None
        drawn = {} if plain else openai_client.sampling(prompt)
        try:
            return create(model=self._model, messages=chat, **{limit: max_tokens}, **drawn)
        except openai.BadRequestError as error:
            # Reasoning models use another name for the limit, and some do not accept a temperature.
            if limit == "max_tokens" and "max_completion_tokens" in str(error):
                self._limit_name = "max_completion_tokens"
            elif not plain and prompt.sampling is None and "temperature" in str(error):
                self._no_temperature = True
            else:
                raise
        return self._chat(prompt, max_tokens)

    def _ask(self, text: str | list[int], max_tokens: int, prompt: Prompt) -> Any:
        return self._client.completions.create(
            model=self._model,
            prompt=text,
            max_tokens=max_tokens,
            stop=[END_OF_ANSWER],
            **openai_client.sampling(prompt),
        )


def _generation(answer: Any, *, chat: bool) -> Generation:
    """The generation of a response, of the chat endpoint or of the one for completions."""
    first = openai_client.only_choice(answer)
    text = getattr(getattr(first, "message", None), "content", None) if chat else getattr(first, "text", None)
    if not isinstance(text, str):
        raise UnusableAnswerError("the server's answer has no text")
    if getattr(first, "finish_reason", None) == "length":
        return Generation((), text, "limit")
    if not chat and "[ANSWER]" in text:  # servers remove the stop string
        return Generation((), text.removesuffix(END_OF_ANSWER) + END_OF_ANSWER, "answer")
    return Generation((), text, "end")
