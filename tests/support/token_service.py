"""A token service that Debian's docker-registry believes: it gives alice, with her password, tokens signed with ES256."""

import base64
import http.server
import json
import pathlib
import subprocess
import threading
import time
import urllib.parse

SERVICE = ISSUER = "shop"
LOGIN = "Basic " + base64.b64encode(b"alice:s3cret").decode()


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def raw_signature(der):
    """The two numbers of an ECDSA signature, 32 bytes each, which DER writes as integers of their own length."""
    numbers, at = b"", 2
    for _ in range(2):
        size = der[at + 1]
        numbers += der[at + 2:at + 2 + size].lstrip(b"\0").rjust(32, b"\0")
        at += 2 + size
    return numbers


class TokenService:
    """`tls` is a folder of certificates.make(): its client certificate signs, its CA is believed. `anonymous`: anybody may
    have a token."""

    def __init__(self, tls, anonymous=False):
        self.tls = pathlib.Path(tls)
        self.anonymous = anonymous
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                service.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()

    def auth(self):
        realm = f"http://127.0.0.1:{self.server.server_port}/token"
        return {"token": {"realm": realm, "service": SERVICE, "issuer": ISSUER, "rootcertbundle": str(self.tls / "ca.crt")}}

    def answer(self, request):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query)
        may_have_one = self.anonymous or request.headers.get("Authorization") == LOGIN
        good = may_have_one and query.get("service") == [SERVICE]
        body = json.dumps({"token": self.token(query["scope"][0]), "expires_in": 300} if good else {}).encode()
        request.send_response(200 if good else 401)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def token(self, scope):
        kind, name, actions = scope.split(":")
        certificate = "".join((self.tls / "client.crt").read_text().splitlines()[1:-1])
        now = int(time.time())
        header = {"typ": "JWT", "alg": "ES256", "x5c": [certificate]}
        claims = {"iss": ISSUER, "sub": "alice", "aud": SERVICE, "exp": now + 300, "nbf": now - 10, "iat": now,
                  "jti": "1", "access": [{"type": kind, "name": name, "actions": actions.split(",")}]}
        text = ".".join(encode(json.dumps(part).encode()) for part in (header, claims))
        der = subprocess.run(["openssl", "dgst", "-sha256", "-sign", str(self.tls / "client.key")],
                             input=text.encode(), capture_output=True, check=True).stdout
        return text + "." + encode(raw_signature(der))
