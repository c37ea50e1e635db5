"""A server on loopback that answers every request in one faulty way: what a real registry cannot be made to do."""

import contextlib
import re
import socket
import threading

ANSWER = "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nContent-Type: application/json\r\n{extra}Connection: close\r\n\r\n"


class FaultyServer:
    """status: the status line to answer with; None: accept and never answer. `requests` counts what came, `received` is
    the last of it."""

    def __init__(self, status=None, body=b'{"errors":[]}', extra=""):
        self.status, self.body, self.extra = status, body, extra
        self.close_at_once = False  # without an answer
        self.requests = 0
        self.received = b""
        self.asked = threading.Event()

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.open = []
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.open:
            connection.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.open.append(connection)
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with contextlib.suppress(OSError):
            request = connection.recv(65536)
            if not request:
                return
            length = re.search(rb"(?i)\r\ncontent-length: (\d+)", request)
            while length and len(request.split(b"\r\n\r\n", 1)[-1]) < int(length[1]):
                request += connection.recv(65536)
            self.received = request
            self.requests += 1
            self.asked.set()
            if self.close_at_once:
                connection.close()
                return
            if self.status is None:
                return  # kept open in self.open, never answered
            head = ANSWER.format(status=self.status, length=len(self.body), extra=self.extra).encode()
            connection.sendall(head + (b"" if request.startswith(b"HEAD") else self.body))
            connection.close()


def closed_port():
    """A loopback address that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"127.0.0.1:{listener.getsockname()[1]}"
