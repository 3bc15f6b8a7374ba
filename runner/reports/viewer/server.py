"""Serves the page on 127.0.0.1."""

from __future__ import annotations

from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOST = "127.0.0.1"


def page_server(page: str, port: int) -> ThreadingHTTPServer:
    """Returns a server of the page, which is not running yet. Other paths and other methods are errors.

    Args:
        page: the HTML.
        port: the port; 0 for any free one.

    Raises:
        OSError: the port is in use.
    """
    content = page.encode()

    class PageHandler(BaseHTTPRequestHandler):
        """Answers GET / with the page."""

        def do_GET(self) -> None:
            """Sends the page; 404 for any other path, 421 for a host name that is not this machine's."""
            if self.headers.get("Host") not in {f"{name}:{server.server_port}" for name in (HOST, "localhost")}:
                self.send_error(HTTPStatus.MISDIRECTED_REQUEST)  # DNS rebinding
                return
            if self.path != "/":
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("X-Frame-Options", "DENY")
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that http.server has
            """Logs nothing."""

    server = ThreadingHTTPServer((HOST, port), PageHandler)
    return server
