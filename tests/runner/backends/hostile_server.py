"""A server on this machine that misbehaves in the way that the first part of an address names.

It lists the model `tracer` at /NAME/v1/models, and applies NAME to questions; with NAME `list-…` to the list itself.
"""

import gzip
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.local_server import serving
from tests.models import SMALL_TRACER

CARD = {"id": "tracer", "object": "model", "created": 0, "owned_by": "x", "max_model_len": 4096}
CARD["root"] = str(SMALL_TRACER)
MODELS = {"object": "list", "data": [CARD]}
GOOD: dict[str, Any] = {"index": 0, "text": "fine", "finish_reason": "stop", "logprobs": None}
SHAPES: dict[str, object] = {
    "null-content": [GOOD | {"text": None}],
    "text-as-list": [GOOD | {"text": ["a", "b"]}],
    "number-content": [GOOD | {"text": 5}],
    "no-choices": [],
    "null-choices": None,
    "choices-of-strings": ["fine"],
    "choices-as-object": {"0": GOOD},
    "no-finish-reason": [{"text": "fine"}],
    "bad-logprobs": [GOOD | {"logprobs": {"tokens": ["token_id:5"], "top_logprobs": [{"a": None, "b": None}]}}],
    "nan-logprobs": [GOOD | {"logprobs": {"tokens": ["token_id:5"], "top_logprobs": [{"a": float("nan"), "b": 0.0}]}}],
    "unknown-ids": [GOOD | {"logprobs": {"tokens": ["token_id:99999999"], "top_logprobs": [{"a": -1.0, "b": -2.0}]}}],
    "negative-ids": [GOOD | {"logprobs": {"tokens": ["token_id:-3"], "top_logprobs": [{"a": -1.0, "b": -2.0}]}}],
}
"""The choices of answers by behaviour."""
MEBIBYTE = b" " * (1 << 20)


class HostileServer:
    """The server.

    Attributes:
        seen: number of questions by behaviour.
        stopped: set at the end; behaviours that hang wait for it.
        prompts: bodies of the questions that arrived.
    """

    def __init__(self, elsewhere: str = "") -> None:
        self.seen: Counter[str] = Counter()
        self.stopped = threading.Event()
        self.prompts: list[bytes] = []
        self.elsewhere = elsewhere
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.http.daemon_threads = True

    def url(self, behaviour: str) -> str:
        """The address of the server that behaves so."""
        return f"http://127.0.0.1:{self.http.server_address[1]}/{behaviour}/v1"


@contextmanager
def hostile_server(elsewhere: str = "") -> Iterator[HostileServer]:
    """A running server. elsewhere: where `redirect` leads."""
    server = HostileServer(elsewhere)
    with serving(server.http):
        try:
            yield server
        finally:
            server.stopped.set()


def _handler(server: HostileServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Nothing."""

        def do_GET(self) -> None:
            behaviour = self.path.split("/")[1]
            if behaviour.startswith("list-"):
                self.behave(behaviour.removeprefix("list-"))
            else:
                self.answer(200, json.dumps(MODELS).encode())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path.endswith("/tokenize"):
                return self.answer(404, b"{}")
            server.prompts.append(body)
            return self.behave(self.path.split("/")[1])

        def behave(self, behaviour: str) -> None:
            server.seen[behaviour] += 1
            self.close_connection = True
            if behaviour in SHAPES:
                self.answer(200, json.dumps({"id": "1", "choices": SHAPES[behaviour]}).encode())
            else:
                with suppress(OSError):  # the client gives up, as it should
                    getattr(self, behaviour.replace("-", "_"))()

        def answer(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)

        def good(self) -> None:
            self.answer(200, json.dumps({"id": "1", "choices": [GOOD]}).encode())

        def slow_headers(self) -> None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while not server.stopped.wait(0.05):
                self.wfile.write(b"X-More: 1\r\n")

        def slow_body(self) -> None:
            self.endless(b" ", wait=0.05)

        def endless_body(self) -> None:
            self.endless(MEBIBYTE, wait=0)

        def endless(self, piece: bytes, wait: float) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            while not server.stopped.wait(wait):
                self.wfile.write(piece)

        def hang(self) -> None:
            server.stopped.wait()

        def gzip_bomb(self) -> None:
            self.answer(200, gzip.compress(MEBIBYTE * 64), Content_Encoding="gzip")

        def gzip_of_an_answer(self) -> None:
            body = gzip.compress(json.dumps({"id": "1", "choices": [GOOD]}).encode())
            self.answer(200, body, Content_Encoding="gzip")

        def gzip_garbage(self) -> None:
            self.answer(200, b"no gzip", Content_Encoding="gzip")

        def unknown_compression(self) -> None:
            self.answer(200, b"x", Content_Encoding="br")

        def redirect(self) -> None:
            self.answer(307, b"", Location=f"{server.elsewhere}/completions?key={self.headers['Authorization']}")

        def redirect_here(self) -> None:
            self.answer(307, b"", Location="/good/v1/completions")

        def redirect_for_ever(self) -> None:
            self.answer(307, MEBIBYTE, Location=self.path)

        def echo_in_error(self) -> None:
            self.answer(401, json.dumps({"error": {"message": f"bad key: {self.headers['Authorization']}"}}).encode())

        def echo_in_html(self) -> None:
            self.answer(403, f"<p>{self.headers['Authorization']}</p>".encode(), "text/html; charset=utf-7")

        def echo_escaped(self) -> None:
            spelled = "".join(f"\\u{ord(character):04x}" for character in self.headers["Authorization"])
            self.answer(400, f'{{"error": {{"message": "{spelled}"}}}}'.encode())

        def echo_in_utf16(self) -> None:
            said = json.dumps({"error": {"message": self.headers["Authorization"]}})
            self.answer(400, said.encode("utf-16"))

        def echo_in_answer(self) -> None:
            choice = GOOD | {"text": f"my key is {self.headers['Authorization']}"}
            self.answer(200, json.dumps({"id": "1", "choices": [choice]}).encode())

        def echo_in_headers(self) -> None:
            key = self.headers["Authorization"]
            self.answer(500, b"{}", X_Key=key, Retry_After=key, x_should_retry="false", x_request_id=key)

        def echo_as_a_model(self) -> None:
            card = CARD | {"id": self.headers["Authorization"].split()[1]}
            self.answer(200, json.dumps({"object": "list", "data": [card]}).encode())

        def malformed_json(self) -> None:
            self.answer(200, b'{"choices": [')

        def deep_json(self) -> None:
            self.answer(200, b'{"choices": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")

        def deep_field(self) -> None:
            self.answer(200, b'{"choices": [{"text": "x", "more": ' + b"[" * 700 + b"]" * 700 + b"}]}")

        def too_many_requests(self) -> None:
            if server.seen["too-many-requests"] > 1:
                return self.good()
            return self.answer(429, b"{}", Retry_After="0.01")

        def internal_error(self) -> None:
            self.answer(500, b'{"error": {"message": "out of order"}}', Retry_After="0.01")

        def wait_for_a_day(self) -> None:
            self.answer(429, b"{}", Retry_After="86400")

        def reset(self) -> None:
            self.connection.close()

        def html(self) -> None:
            self.answer(200, b"<html>It works!</html>", "text/html")

        def chunked_garbage(self) -> None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nnonsense")

        def endless_headers(self) -> None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while not server.stopped.is_set():
                self.wfile.write(b"X-More: " + b"x" * 4096 + b"\r\n")

        def short_body(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"{}")

    return Handler
