"""All that a window sends and gets: addresses, bodies, cookies and every message of its socket."""

from __future__ import annotations

from playwright.sync_api import Page, Request, WebSocket


class Wire:
    """Records from the moment it is put on a page, before the page is opened."""

    def __init__(self, page: Page) -> None:
        self.sent: list[bytes] = []
        self.got: list[bytes] = []
        page.on("request", self._request)
        page.on("websocket", self._socket)

    def _request(self, request: Request) -> None:
        self.sent.append(request.url.encode())
        self.sent.append(repr(request.headers).encode())
        if body := request.post_data_buffer:
            self.sent.append(body)

    def _socket(self, socket: WebSocket) -> None:
        self.sent.append(socket.url.encode())
        socket.on("framesent", lambda data: self.sent.append(_bytes(data)))
        socket.on("framereceived", lambda data: self.got.append(_bytes(data)))

    def held(self, text: str) -> bool:
        """Whether anything that was sent or came holds the text."""
        return any(text.encode() in each for each in (*self.sent, *self.got))

    def said(self, text: str) -> bool:
        """Whether anything that was sent holds the text."""
        return any(text.encode() in each for each in self.sent)


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data
