"""A CWM in memory: greedy decoding, sampling, scoring, and speculative verification. `loading` loads it.

`generate` decodes left-padded batches with transformers itself; `verify` returns the same answers from drafts
(`speculative_decoding`). Sampling is by temperature only (`gumbel_noise`), without beams, top-k or top-p.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from transformers import LogitsProcessorList, StoppingCriteria, StoppingCriteriaList

from analyze.tokens.tokenizer import Tokenizer
from runner.asking.answer import TAIL_TOKENS, PendingAnswer, has_answer_end
from runner.asking.backend import Backend
from runner.asking.generation import NEAR_TIES, Generation, Prompt, Scores, Stopped, stop_ids
from runner.asking.prompts import PromptFormat
from runner.asking.request import GenerationRequest
from runner.backends.transformers.forward_pass import score
from runner.backends.transformers.gumbel_noise import GumbelNoise
from runner.backends.transformers.speculative_decoding import SpeculativeDecoder, pass_sizes

# A placeholder for a message in a chat template, from Unicode's private use area.
_MARK = "\ue000{}\ue001"
_MARKED = re.compile("\ue000(\\d+)\ue001")


class TransformersBackend(Backend):
    """A `CwmForCausalLM` with its tokenizer.

    Attributes:
        name: the value of `--model`.
        weights: as `runner.backends.transformers.loading.identity` returns it.
    """

    scores = True
    verifies = True
    gives_ids = True

    def __init__(
        self,
        name: str,
        model: Any,
        tokenizer: Tokenizer,
        forms: tuple[PromptFormat, ...],
        weights: str = "",
        chat: Any = None,
    ) -> None:
        # `model` is Any: the classes of transformers are typed too loosely for strict checking.
        self.name = name
        self.model = model
        self.tokenizer = tokenizer
        self.prompt_formats = forms
        self.weights = weights
        self.context: int | None = model.config.max_position_embeddings
        self.tie = NEAR_TIES[str(model.dtype).removeprefix("torch.")]
        self._stops = _stop_ids(model, tokenizer)
        self._template = chat

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None]) -> list[Generation]:
        """Continuations of one batch, in order; at most `max_tokens` new tokens each."""
        ids, mask = self._batch(prompts)
        noise = [GumbelNoise(prompts, ids.shape[1])] if any(prompt.sampling for prompt in prompts) else []
        stop = _StopAtAnswer(self.tokenizer, self._stops, ids.shape[1], on_token)
        with torch.inference_mode():
            output = self.model.generate(
                input_ids=ids,
                attention_mask=mask,
                max_new_tokens=max_tokens,
                do_sample=False,
                eos_token_id=sorted(self._stops),
                pad_token_id=min(self._stops),
                stopping_criteria=StoppingCriteriaList([stop]),
                logits_processor=LogitsProcessorList(noise),
            )
        return [self._generation(row) for row in output[:, ids.shape[1] :].tolist()]

    def chat_ids(self, messages: Sequence[tuple[str, str]]) -> list[int]:
        """A chat as the model was taught it. Only for a model whose `prompt_formats` have "direct".

        What a program spells like a special token stays text: such messages are encoded by themselves.
        """
        if not any(name in text for name in self.tokenizer.special_tokens for _, text in messages):
            return self._encoded(self._rendered(messages))
        marked = [(role, _MARK.format(number)) for number, (role, _) in enumerate(messages)]
        ids: list[int] = []
        for place, part in enumerate(_MARKED.split(self._rendered(marked))):
            ids += self.tokenizer.encode(messages[int(part)][1]) if place % 2 else self._encoded(part)
        return ids

    def _rendered(self, messages: Sequence[tuple[str, str]]) -> str:
        chat = [{"role": role, "content": text} for role, text in messages]
        text: str = self._template.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
        return text

    def _encoded(self, text: str) -> list[int]:
        """With the special tokens that a template writes."""
        ids: list[int] = self._template(text, add_special_tokens=False)["input_ids"] if text else []
        return ids

    def release_memory(self) -> None:
        """Gives back what is kept of the device's memory, after a batch that was too large for it."""
        gc.collect()
        if self.model.device.type == "cuda":
            torch.cuda.empty_cache()

    def score(self, sequences: Sequence[tuple[Sequence[int], int]]) -> list[Scores]:
        """The greedy choices in place of ids[start:], and after the last; a pass for each."""
        block = pass_sizes(self.model.device.type, 1).block
        return [score(self.model, ids, start, block) for ids, start in sequences]

    def verify(self, requests: Sequence[GenerationRequest], rows: int) -> Iterator[tuple[int, Generation]]:
        """Answers, each with the place of its request, as they end; `rows` are decoded together."""
        answers = [PendingAnswer(request, self.tokenizer, self._stops) for request in requests]
        return SpeculativeDecoder(self.model, pass_sizes(self.model.device.type, rows)).run(answers)

    def _batch(self, prompts: Sequence[Prompt]) -> tuple[torch.Tensor, torch.Tensor]:
        width = max(len(prompt.ids) for prompt in prompts)
        pad = min(self._stops)
        rows = [[pad] * (width - len(prompt.ids)) + list(prompt.ids) for prompt in prompts]
        mask = [[0] * (width - len(prompt.ids)) + [1] * len(prompt.ids) for prompt in prompts]
        return torch.tensor(rows, device=self.model.device), torch.tensor(mask, device=self.model.device)

    def _generation(self, row: list[int]) -> Generation:
        end = next((index for index, token in enumerate(row) if token in self._stops), len(row))
        ids = tuple(row[:end])
        text = self.tokenizer.decode(list(ids))
        spelled = has_answer_end(ids, self.tokenizer)
        stopped: Stopped = "answer" if spelled else "end" if end < len(row) else "limit"
        return Generation(ids, text, stopped)


class _StopAtAnswer(StoppingCriteria):
    """Ends a sequence once its last tokens spell `[/ANSWER]`; reports progress."""

    def __init__(
        self, tokenizer: Tokenizer, stops: frozenset[int], prompt_width: int, on_token: Callable[[int], None]
    ) -> None:
        self._tokenizer = tokenizer
        self._stops = stops
        self._width = prompt_width
        self._on_token = on_token

    def __call__(self, input_ids: torch.Tensor, scores: Any, **_: Any) -> Any:
        tails = input_ids[:, max(self._width, input_ids.shape[1] - TAIL_TOKENS) :].tolist()
        done = [has_answer_end(tail, self._tokenizer) for tail in tails]
        ended = sum(tail[-1] in self._stops or stop for tail, stop in zip(tails, done, strict=True))
        self._on_token(len(tails) - ended)
        return torch.tensor(done, device=input_ids.device)


def _stop_ids(model: Any, tokenizer: Tokenizer) -> frozenset[int]:
    """The stop tokens of the weights' own generation settings, and those of CWM that the vocabulary has."""
    configured = model.generation_config.eos_token_id
    own = configured if isinstance(configured, list) else [configured] if configured is not None else []
    size = model.config.vocab_size
    return frozenset({token for token in own if token < size}) | stop_ids(tokenizer)
