"""How the fake registry answers for manifests, by the behaviours in a repository's name."""

import gzip
import json
import re
import threading
import time
import zlib

import fake_content
from fake_auth import Behaviours, Challenges, basic_user

ERRORS = {
    "err-name": (404, "application/json", b'{"errors":[{"code":"NAME_UNKNOWN","message":"no such repository"}]}'),
    "err-404-text": (404, "text/plain", b"page not found\nreally\n"),
    "err-404-html": (404, "text/html", b"<html><body>Not here</body></html>"),
    "err-404-empty": (404, "text/plain", b""),
    "err-403-html": (403, "text/html", b"<html>blocked by policy</html>"),
    "err-418": (418, "text/plain", b"teapot"),
    "err-ctl": (404, "text/plain", b"\x1b[31mERROR forged\rline\n"),
    "auth-403": (403, "application/json", b'{"errors":[{"code":"DENIED","message":"requested access is denied"}]}'),
}
BODIES = {
    "html-200": ("text/html", b"<html>please log in to the network</html>"),
    "empty-body": ("application/json", b""),
    "json-garbage": ("application/json", b'{"schemaVersion":2,'),
    "json-array": ("application/json", b"[]"),
}
TYPES = {"ctype-charset": "{}; charset=utf-8", "ctype-json": "application/json", "ctype-octet": "application/octet-stream",
         "wrong-ctype": "text/html"}
HUB_LIMIT = json.dumps({"errors": [{
    "code": "TOOMANYREQUESTS", "message": "You have reached your pull rate limit."}]}).encode()
FOREVER = 60


def bomb():
    """200 MB of blanks in 200 kB."""
    return gzip.compress(b" " * (200 << 20), 1)


class Manifests:
    def __init__(self, fake):
        self.fake = fake
        self.lock = threading.Lock()
        self.counts = {}

    def count(self, key):
        with self.lock:
            self.counts[key] = self.counts.get(key, 0) + 1
            return self.counts[key]

    def answer(self, connection, request):
        found = re.fullmatch(r"/(?:v2|moved|chain/\d+)/(.+)/manifests/([^/]+)", request.path)
        if not found:
            return connection.answer(request, 404, [("Content-Type", "text/plain")], b"no such path")
        repository, reference = found.groups()
        behaviours = Behaviours(repository)
        for step in (self.fail_connection, self.fail_for_a_while, self.fail_head, self.check_login, self.fail,
                     self.redirect, self.check_accept):
            if step(connection, request, behaviours, repository):
                return None
        kind = behaviours.argument("kind", "manifest")
        manifest = fake_content.find(repository, reference, kind, "no-mediatype" not in behaviours)
        if "accept-convert" in behaviours and manifest and manifest.media_type not in request.headers.get("accept", ""):
            manifest = fake_content.find(repository, reference, "docker")
        if manifest is None:
            return connection.answer(request, 404, [("Content-Type", "application/json")], json.dumps(
                {"errors": [{"code": "MANIFEST_UNKNOWN", "message": "manifest unknown"}]}).encode())
        return self.send(connection, request, behaviours, manifest)

    def fail_connection(self, connection, request, behaviours, repository):
        if "hang" in behaviours or ("head-hang" in behaviours and request.method == "HEAD"):
            connection.request.recv(1)
            connection.reset()
        if "slow-headers" in behaviours:
            time.sleep(float(behaviours.argument("slow-headers")))
        for name in ("close-times", "reset-times"):
            if self.count((repository, name)) <= int(behaviours.argument(name, 0)):
                connection.reset() if name == "reset-times" else connection.close()
        return False

    def fail_for_a_while(self, connection, request, behaviours, repository):
        for status in ("500", "502", "503", "504"):
            for name in (f"{status}-times", f"{status}-html"):
                if name in behaviours and self.count((repository, name)) <= int(behaviours.argument(name)):
                    body = b"<html>bad gateway</html>" if name.endswith("html") else b""
                    connection.answer(request, int(status), [("Content-Type", "text/html")], body)
                    return True
        for name in ("429", "429-hub", "429-date"):
            times = int(behaviours.argument(name, 1_000_000 if name == "429-hub" else 1))
            if name in behaviours and self.count((repository, name)) <= times:
                headers = [("Content-Type", "application/json")]
                if "retry-after" in behaviours:
                    headers.append(("Retry-After", behaviours.argument("retry-after")))
                if name == "429-date":
                    date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 2))
                    headers.append(("Retry-After", date))
                connection.answer(request, 429, headers, HUB_LIMIT)
                return True
        return False

    def fail_head(self, connection, request, behaviours, repository):
        if request.method != "HEAD":
            return False
        for status in (400, 403, 404, 405, 501):
            if f"head-{status}" in behaviours:
                connection.answer(request, status)
                return True
        if "head-close" in behaviours:
            connection.reset()
        return False

    def check_login(self, connection, request, behaviours, repository):
        login = request.headers.get("authorization")
        server = connection.server
        if server.name == "other":
            if any(name in request.headers for name in ("authorization", "cookie", "proxy-authorization")):
                connection.answer(request, 400, [("Content-Type", "text/plain")], b"LEAK")
                return True
            return False
        for status in (403, 404):
            if f"hidden-{status}" in behaviours:
                known = basic_user(login) is not None or self.fake.tokens.is_good(login, repository)
                if not known:
                    connection.answer(request, status)
                return not known
        challenges = Challenges(server.url, self.fake.other.url, repository).of(behaviours)
        if "auth-basic" in behaviours or "auth-basic-forever" in behaviours:
            if not any(name.startswith("chal-") for name in behaviours.names):
                challenges = ['Basic realm="fake"']
            good = "auth-basic" in behaviours and basic_user(login) is not None
        elif "auth-401-forever" in behaviours:
            good = False
        elif "auth-bearer" in behaviours or "auth-bearer-anon" in behaviours:
            good = self.fake.tokens.is_good(login, repository) or (
                "chal-negotiate" in behaviours and basic_user(login) is not None)
        elif "auth-public" in behaviours:
            good = login is None
        else:
            return False
        if not good:
            body = b'{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}'
            connection.answer(request, 401, [("Content-Type", "application/json"),
                                             *(("WWW-Authenticate", value) for value in challenges)], body)
        return not good

    def fail(self, connection, request, behaviours, repository):
        for name, (status, media_type, body) in ERRORS.items():
            if name in behaviours:
                connection.answer(request, status, [("Content-Type", media_type)], body)
                return True
        return False

    def redirect(self, connection, request, behaviours, repository):
        query = "sig=a%2Fb&x=1,2"
        tail = request.path.split("/manifests/")[1]
        if request.path.startswith("/moved/"):
            if request.query == query:
                return False
            connection.answer(request, 400, [("Content-Type", "text/plain")], b"query changed")
            return True
        moved = f"/moved/{repository}/manifests/{tail}?{query}"
        target = None
        for name, base in (("redirect-other", self.fake.other.url), ("redirect-same", connection.server.url),
                           ("redirect-rel", "")):
            if name in behaviours:
                target = base + moved
                status = int(behaviours.argument(name, 307))
        if "redirect-chain" in behaviours:
            left = int(behaviours.argument("redirect-chain"))
            if found := re.match(r"/chain/(\d+)/", request.path):
                left = int(found[1])
            status, target = 307, f"/chain/{left - 1}/{repository}/manifests/{tail}" if left else moved
        if "redirect-loop" in behaviours:
            status, target = 302, request.path
        if "redirect-https" in behaviours:
            status, target = 307, connection.server.url.replace("https:", "http:") + moved
        if target is None:
            return False
        connection.answer(request, status, [("Location", target)])
        return True

    def check_accept(self, connection, request, behaviours, repository):
        accept = request.headers.get("accept", "")
        wanted = fake_content.TYPES[behaviours.argument("kind", "manifest")]
        for name, status in (("accept-strict", 404), ("accept-406", 406)):
            if name in behaviours and wanted not in accept:
                connection.answer(request, status, [("Content-Type", "text/plain")], b"manifest found, but not accepted")
                return True
        return False

    def send(self, connection, request, behaviours, manifest):
        media_type = manifest.media_type
        for name, form in TYPES.items():
            if name in behaviours:
                media_type = form.format(media_type)
        if "ctype-upper" in behaviours:
            media_type = media_type.upper()
        digest = manifest.digest
        if "head-child-digest" in behaviours and request.method == "HEAD":
            digest = next(iter(manifest.children.values())).digest
        if "wrong-digest" in behaviours:
            digest = "sha256:" + "f" * 64
        headers = [] if "no-ctype" in behaviours else [("Content-Type", media_type)]
        if "rate-limit" in behaviours:
            headers += [("RateLimit-Limit", "100;w=21600"),
                        ("RateLimit-Remaining", behaviours.argument("rate-limit") + ";w=21600")]
        if "header-flood" in behaviours:
            headers += [(f"X-Flood-{i}", "x" * 100) for i in range(10_000)]
        if "header-long" in behaviours:
            headers.append(("X-Long", "x" * 1_000_000))
        if "header-split" in behaviours:
            headers.append(("X-Split", "a\rDocker-Content-Digest: sha256:" + "f" * 64))
        if "digest-twice" in behaviours:
            headers.append(("Docker-Content-Digest", "sha256:" + "f" * 64))
        without = ("no-digest-header" in behaviours or "etag-only" in behaviours
                   or ("head-no-digest" in behaviours and request.method == "HEAD"))
        if not without:
            headers.append(("Docker-Content-Digest", digest))
        if "etag-only" in behaviours:
            headers.append(("ETag", '"sha256:' + "e" * 64 + '"'))
        body = manifest.body
        for name, (kind, text) in BODIES.items():
            if name in behaviours:
                headers, body = [("Content-Type", kind)], text
        if "json-bom" in behaviours:
            headers, body = headers[:1], b"\xef\xbb\xbf" + body
        if request.method == "HEAD":
            length = "head-no-length" not in behaviours
            return connection.answer(request, 200, [*headers, *([("Content-Length", len(body))] if length else [])],
                                     length=length)
        return self.send_body(connection, request, behaviours, headers, body)

    def send_body(self, connection, request, behaviours, headers, body):
        length = ("Content-Length", str(len(body)))
        for name, encoding, packed in (("gzip", "gzip", gzip.compress), ("x-gzip", "x-gzip", gzip.compress),
                                       ("deflate", "deflate", zlib.compress), ("gzip-lie", "gzip", bytes)):
            if name in behaviours:
                return connection.answer(request, 200, [*headers, ("Content-Encoding", encoding)], packed(body))
        if "gzip-bomb" in behaviours:
            return connection.answer(request, 200, [*headers, ("Content-Encoding", "gzip")], bomb())
        if "gzip-asked" in behaviours and "gzip" in request.headers.get("accept-encoding", ""):
            return connection.answer(request, 200, [*headers, ("Content-Encoding", "gzip")], gzip.compress(body))
        truncated = "truncated" in behaviours or (
            "truncated-times" in behaviours
            and self.count(("truncated", request.path)) <= int(behaviours.argument("truncated-times")))
        if truncated:
            return connection.answer(request, 200, [*headers, length], body[:-5], close=True)
        if "chunked" in behaviours or "chunked-cut" in behaviours:
            connection.write(self.head(headers, ("Transfer-Encoding", "chunked")))
            connection.write(b"%x\r\n%s\r\n" % (len(body), body))
            if "chunked-cut" in behaviours:
                return connection.reset()
            return connection.write(b"0\r\n\r\n")
        if "http10" in behaviours:
            return connection.answer(request, 200, headers, body, length=False, version="HTTP/1.0")
        if "no-length" in behaviours:
            return connection.answer(request, 200, headers, body, length=False)
        if "lf-only" in behaviours:
            return connection.write(self.head(headers, length).replace(b"\r\n", b"\n") + body)
        if "early-hints" in behaviours:
            connection.write(b"HTTP/1.1 103 Early Hints\r\nDocker-Content-Digest: sha256:00\r\n\r\n")
        if "stall-body" in behaviours or "slow-drip" in behaviours:
            connection.write(self.head(headers, length))
            for byte in body:
                connection.write(bytes([byte]))
                time.sleep(FOREVER if "stall-body" in behaviours else float(behaviours.argument("slow-drip")) / 1000)
            return None
        if "oversize" in behaviours:
            return connection.answer(request, 200, headers, b" " * (8 << 20))
        if "oversize-lie" in behaviours:
            connection.write(self.head(headers, ("Content-Length", str(1 << 40))) + body)
            time.sleep(FOREVER)
        return connection.answer(request, 200, headers, body, close="conn-close" in behaviours)

    @staticmethod
    def head(headers, *more):
        lines = [f"{name}: {value}" for name, value in (*headers, *more)]
        return ("HTTP/1.1 200 OK\r\n" + "".join(line + "\r\n" for line in lines) + "\r\n").encode("latin-1")
