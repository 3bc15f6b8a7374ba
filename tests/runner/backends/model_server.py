"""A server of the small tracer over OpenAI's completions protocol, with what vLLM adds to it, as a process of its own.

`python -m tests.runner.backends.model_server` prints its port. It answers as vLLM says: token-id prompts,
logprobs by token id, prompt_logprobs with ranks, /tokenize, sampling by seed. It stands for the protocol alone: one
request at a time, with nothing of vLLM's own engine. The address /NAME/v1 is that of a server with a fault or
restriction: `busy` (to the first two requests), `nonsense`, `text-only`, `other-vocabulary` or `reasoning`.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import tokenizers
import torch

from runner.backends import load_model
from tests.models import SMALL_TRACER


class Model:
    """The small tracer, asked for its logits step by step, without any of the code under test but its loading."""

    def __init__(self) -> None:
        backend: Any = load_model(str(SMALL_TRACER), device="cpu")
        self.tokenizer = backend.tokenizer
        self.engine = tokenizers.Tokenizer.from_file(str(SMALL_TRACER / "tokenizer.json"))
        self.model = backend.model
        self.lock = threading.Lock()

    def complete(self, body: dict[str, Any]) -> dict[str, Any]:
        ids: list[int] = body["prompt"]
        stops, texts = set(body.get("stop_token_ids", [1])), body.get("stop") or []
        heat, chance = body.get("temperature", 1.0), torch.Generator().manual_seed(body.get("seed", 0))
        with self.lock, torch.inference_mode():
            output = self.model(input_ids=torch.tensor([ids]), use_cache=True)
            logprobs = output.logits[0].log_softmax(-1)
            written: list[int] = []
            tops: list[dict[str, float]] = []
            reason, row = "length", logprobs[-1]
            while len(written) < body["max_tokens"]:
                top = row.topk(2)
                drawn = torch.multinomial((row / heat).softmax(-1), 1, generator=chance) if heat else row.argmax()
                written.append(int(drawn))
                tops.append(
                    {f"token_id:{t}": v for t, v in zip(top.indices.tolist(), top.values.tolist(), strict=True)}
                )
                text = self.tokenizer.decode(written)
                if written[-1] in stops or any(stop in text for stop in texts):
                    reason = "stop"
                    break
                output = self.model(
                    input_ids=torch.tensor([[written[-1]]]), past_key_values=output.past_key_values, use_cache=True
                )
                row = output.logits[0, -1].log_softmax(-1)
        kept = written[:-1] if written[-1] in stops else written
        text = self.tokenizer.decode(kept)
        if not body.get("include_stop_str_in_output"):
            text = text.partition(texts[0])[0] if texts else text
        choice: dict[str, Any] = {"index": 0, "text": text, "finish_reason": reason, "logprobs": None}
        if body.get("logprobs"):
            tokens = [f"token_id:{token}" for token in written]
            own = [max(top.values()) for top in tops]
            choice["logprobs"] = {"tokens": tokens, "top_logprobs": tops, "token_logprobs": own, "text_offset": []}
        if body.get("prompt_logprobs"):
            behind = zip(logprobs, ids[1:], strict=False)
            choice["prompt_logprobs"] = [None, *(self._ranked(row, token) for row, token in behind)]
        return {"id": "1", "object": "text_completion", "created": 0, "model": body["model"], "choices": [choice]}

    @staticmethod
    def _ranked(row: torch.Tensor, token: int) -> dict[str, dict[str, Any]]:
        order = row.argsort(descending=True, stable=True).tolist()
        places = {*order[:2], token}
        return {str(t): {"logprob": float(row[t]), "rank": order.index(t) + 1, "decoded_token": ""} for t in places}


def handler(model: Model) -> type[BaseHTTPRequestHandler]:
    busy = [2]

    class Handler(BaseHTTPRequestHandler):
        @property
        def kind(self) -> str:
            """The first part of the address."""
            return self.path.split("/")[1]

        def log_message(self, *_: object) -> None:
            """Nothing."""

        def send(self, status: int, content: object, **headers: str) -> None:
            data = json.dumps(content).encode()
            self.send_response(status)
            for name, value in {
                "Content-Type": "application/json",
                "Content-Length": str(len(data)),
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def chat(self, body: dict[str, Any]) -> None:
            """As a model that reasons: it takes no temperature, and has its own name for the limit, if asked to."""
            for refused, wanted in (("max_tokens", "max_completion_tokens"), ("temperature", "no temperature")):
                if self.kind == "reasoning" and refused in body:
                    return self.send(400, {"error": {"message": f"unsupported: {refused}; use {wanted}"}})
            text = "\n".join(message["content"] for message in body["messages"])
            limit = body.get("max_tokens") or body["max_completion_tokens"]
            whole = model.complete({"model": "tracer", "prompt": model.tokenizer.encode(text), "max_tokens": limit})
            (choice,) = whole["choices"]
            said = {"role": "assistant", "content": choice.pop("text")}
            return self.send(200, {**whole, "object": "chat.completion", "choices": [{**choice, "message": said}]})

        def do_GET(self) -> None:
            card = {"id": "tracer", "object": "model", "created": 0, "owned_by": "x"}
            self.send(200, {"object": "list", "data": [card | {"root": str(SMALL_TRACER), "max_model_len": 4096}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path.endswith("/tokenize"):
                special = model.tokenizer.special_tokens.get(body["prompt"], 0)
                self.send(200, {"tokens": [special + (self.kind == "other-vocabulary")]})
            elif self.kind == "nonsense":
                self.send(200, {"choices": "many"})
            elif self.kind == "busy" and busy[0] > 0:
                busy[0] -= 1
                self.send(429, {"error": {"message": "too many requests"}}, **{"Retry-After": "0"})
            elif "messages" in body:
                self.chat(body)
            elif isinstance(body["prompt"], str) != (self.kind == "text-only"):
                self.send(400, {"error": {"message": "the prompt is of the wrong kind"}})
            else:
                if self.kind == "text-only":
                    # As engines do: what is spelled like a special token in a prompt of text is one.
                    body["prompt"] = model.engine.encode(body["prompt"], add_special_tokens=False).ids
                self.send(200, model.complete(body))

    return Handler


def main() -> None:
    """Serve until killed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(Model()))
    print(server.server_address[1], flush=True)  # noqa: T201 - for who started it
    server.serve_forever()


if __name__ == "__main__":
    main()
