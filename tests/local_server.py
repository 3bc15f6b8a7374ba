"""A server of this machine that runs in a thread while a test uses it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import TCPServer

POLL_SECONDS = 0.01
"""How often the thread looks whether it is to end. By default every half second, which each test would wait."""


@contextmanager
def serving(server: TCPServer) -> Iterator[int]:
    """The port of the server, which runs until the block ends."""
    threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
