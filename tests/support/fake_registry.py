"""A registry that behaves as badly as a test asks for.

usage: fake_registry.py [--ping ANSWER] [--tls FOLDER [--certificate NAME] [--client-certificates] [--old-tls]]

Listens on free loopback ports, prints {"main": PORT, "other": PORT, "proxy": PORT} on one line and ends when its input
ends. What a
repository does stands in its name: b/auth-bearer/head-405/app asks for a token and knows no HEAD; b/plain/app behaves.
A name may have an argument: b/503-times.2/app. Control, on the main port: GET /_log lists the requests of both
listeners, POST /_clear forgets them, GET /_expect?name=b/plain/app&tag=v1 tells the digest that is right.
To /v2/ the answer is 404, or ANSWER: 200, 401-basic, 401-bearer, html, slow.
With --tls, main and other speak TLS with NAME.crt and NAME.key of FOLDER (see certificates.py). The proxy is a forward
proxy that takes every name for main.
"""

import argparse
import json
import os
import socket
import socketserver
import ssl
import sys
import threading
import time
import urllib.parse
import warnings

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import fake_auth  # noqa: E402
import fake_content  # noqa: E402
from fake_manifests import Manifests  # noqa: E402


class Request:
    def __init__(self, head, body):
        lines = head.decode("latin-1").split("\r\n")
        self.method, target, self.version = lines[0].split(" ", 2)
        self.target = target
        self.path, _, self.query = target.partition("?")
        if self.path.startswith("http://"):  # as proxies are asked
            self.path = "/" + self.path.removeprefix("http://").partition("/")[2]
        self.path = urllib.parse.unquote(self.path)
        self.body = body
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.headers[name.strip().lower()] = value.strip()


class Disconnect(Exception):
    """Ends the connection, perhaps with a reset."""


class Connection(socketserver.BaseRequestHandler):
    """One connection: reads requests and writes answers byte by byte."""

    def setup(self):
        self.input = b""
        self.number = self.server.next_number()

    def handle(self):
        try:
            while request := self.read():
                self.server.fake.handle(self, request)
        except (OSError, Disconnect):
            pass

    def read(self):
        while b"\r\n\r\n" not in self.input:
            data = self.request.recv(65536)
            if not data:
                return None
            self.input += data
            if self.input.startswith(b"\x16"):  # a TLS greeting
                self.write(b"HTTP/1.0 400 Bad Request\r\n\r\nplain http only\n")
                return None
        head, self.input = self.input.split(b"\r\n\r\n", 1)
        request = Request(head, b"")
        length = int(request.headers.get("content-length", 0))
        while len(self.input) < length:
            self.input += self.request.recv(65536)
        request.body, self.input = self.input[:length], self.input[length:]
        return request

    def write(self, data):
        self.request.sendall(data)

    def tunnel(self, port):
        with socket.create_connection(("127.0.0.1", port)) as there:
            self.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            there.sendall(self.input)
            back = threading.Thread(target=self.pump, args=(there, self.request), daemon=True)
            back.start()
            self.pump(self.request, there)
            back.join()

    @staticmethod
    def pump(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def reset(self):
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        raise Disconnect

    def close(self):
        raise Disconnect

    def answer(self, request, status, headers=(), body=b"", *, length=True, close=False, version="HTTP/1.1"):
        lines = [f"{version} {status} Status", f"Date: {time.strftime('%a, %d %b %Y %H:%M:%S GMT', time.gmtime())}"]
        lines += [f"{name}: {value}" for name, value in headers]
        if length and not any(name.lower() == "content-length" for name, _ in headers):
            lines.append(f"Content-Length: {len(body)}")
        if close:
            lines.append("Connection: close")
        self.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (b"" if request.method == "HEAD" else body))
        if close or not length:
            raise Disconnect


class Listener(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 512

    def __init__(self, fake, name, context):
        super().__init__(("127.0.0.1", 0), Connection)
        self.fake = fake
        self.name = name
        self.context = context
        self.port = self.server_address[1]
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.port}"
        self.numbers = 0

    def next_number(self):
        self.numbers += 1
        return self.numbers

    def finish_request(self, request, client_address):
        if self.context:
            try:
                request = self.context.wrap_socket(request, server_side=True)
            except OSError:
                return
        self.RequestHandlerClass(request, client_address, self)

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Fake:
    def __init__(self, context=None, ping="404"):
        self.ping_answer = ping
        self.main = Listener(self, "main", context)
        self.other = Listener(self, "other", context)
        self.proxy = Listener(self, "proxy", None)
        self.tokens = fake_auth.TokenService()
        self.manifests = Manifests(self)
        self.lock = threading.Lock()
        self.log = []

    def start(self):
        for listener in (self.main, self.other, self.proxy):
            threading.Thread(target=listener.serve_forever, args=(60,), daemon=True).start()

    def handle(self, connection, request):
        if request.path.startswith("/_"):
            return self.control(connection, request)
        with self.lock:
            self.log.append({
                "listener": connection.server.name, "connection": connection.number, "time": time.monotonic(),
                "method": request.method, "target": request.target, "path": request.path, "query": request.query,
                "headers": request.headers, "body": request.body.decode("latin-1")})
        if request.method == "CONNECT":
            connection.tunnel(self.main.port)
            return connection.close()
        if request.path.startswith("/token"):
            return connection.answer(request, *self.tokens.answer(request))
        if request.path == "/v2/":
            return self.ping(connection, request)
        return self.manifests.answer(connection, request)

    def ping(self, connection, request):
        status, _, scheme = self.ping_answer.partition("-")
        if status == "slow":
            connection.request.recv(1)
            connection.reset()
        if status == "html":
            return connection.answer(request, 200, [("Content-Type", "text/html")], b"<html>welcome</html>")
        challenge = f'Bearer realm="{connection.server.url}/token",service="{fake_auth.SERVICE}"' \
            if scheme == "bearer" else 'Basic realm="fake"'
        return connection.answer(request, int(status), [("WWW-Authenticate", challenge)] if scheme else [])

    def control(self, connection, request):
        query = dict(urllib.parse.parse_qsl(request.query))
        with self.lock:
            if request.path == "/_log":
                value = list(self.log)
            elif request.path == "/_clear":
                self.log.clear()
                value = {}
            else:
                behaviours = fake_auth.Behaviours(query["name"])
                manifest = fake_content.find(query["name"], query["tag"], behaviours.argument("kind", "manifest"),
                                             "no-mediatype" not in behaviours)
                value = {"digest": manifest.digest,
                         "children": {platform: child.digest for platform, child in manifest.children.items()}}
        connection.answer(request, 200, [("Content-Type", "application/json")], json.dumps(value).encode())


warnings.filterwarnings("ignore", category=DeprecationWarning)  # old versions are the point


def tls_context(folder, name, client_certificates, old):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, name + ".crt"), os.path.join(folder, name + ".key"))
    if old:
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("ALL:@SECLEVEL=0")
    if client_certificates:
        context.verify_mode = ssl.CERT_REQUIRED
        # With 1.3 a refusal comes after the handshake and may be lost with the connection.
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.load_verify_locations(os.path.join(folder, "ca.crt"))
    return context


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ping", default="404")
    parser.add_argument("--tls")
    parser.add_argument("--certificate", default="server")
    parser.add_argument("--client-certificates", action="store_true")
    parser.add_argument("--old-tls", action="store_true")
    options = parser.parse_args()
    context = tls_context(options.tls, options.certificate, options.client_certificates,
                          options.old_tls) if options.tls else None
    fake = Fake(context, options.ping)
    fake.start()
    print(json.dumps({"main": fake.main.port, "other": fake.other.port, "proxy": fake.proxy.port}), flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
