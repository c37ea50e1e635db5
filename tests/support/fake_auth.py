"""How the fake registry asks for logins and what its token service gives, by the behaviours in a repository's name."""

import base64
import json
import threading
import time
import urllib.parse

USERS = {"alice": "s3cret", "robot$ci": "p:a:ss", "bob": ""}
IDENTITY_TOKEN = "refresh-1"
SERVICE = "fake"


def basic_user(header):
    """The user of a good Basic header; None otherwise."""
    scheme, _, text = (header or "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        user, colon, password = base64.b64decode(text, validate=True).decode().partition(":")
    except ValueError:
        return None
    return user if colon and USERS.get(user) == password else None


class Challenges:
    """WWW-Authenticate values by behaviour."""

    def __init__(self, base, other, repository):
        self.realm = base + "/token"
        self.other_realm = other + "/token"
        self.scope = f"repository:{repository}:pull"

    def of(self, behaviours):
        for name in behaviours.names:
            make = getattr(self, name.replace("-", "_"), None) if name.startswith("chal-") else None
            if make:
                return make()
        return [f'Bearer realm="{self.realm}",service="{SERVICE}",scope="{self.scope}"']

    def chal_spaces(self):
        return [f'  Bearer   realm = "{self.realm}" , service  = "{SERVICE}",   scope= "{self.scope}"  ']

    def chal_lower(self):
        return [f'bearer realm="{self.realm}",service="{SERVICE}",scope="{self.scope}"']

    def chal_unquoted(self):
        return [f'Bearer realm={self.realm},service={SERVICE},scope="{self.scope}"']

    def chal_escaped(self):
        escaped = self.realm.replace("/", "\\/")
        return [f'Bearer realm="{escaped}",service="{SERVICE}",scope="{self.scope}"']

    def chal_empty(self):
        return [f'Bearer service="",realm="{self.realm}",scope="{self.scope}"']

    def chal_error(self):
        return [f'Bearer error="invalid_token",error_description="a, b",realm="{self.realm}",service="{SERVICE}"']

    def chal_comma(self):
        return [f'Bearer realm="{self.realm}?x=1,2",service="{SERVICE}",scope="repository:a:pull,push"']

    def chal_query(self):
        return [f'Bearer realm="{self.realm}?x=1%2C2&y=",service="{SERVICE}",scope="{self.scope}"']

    def chal_multi(self):
        return ['Negotiate', 'Basic realm="fake"', *self.of(Behaviours(""))]

    def chal_multi_one(self):
        return [f'Basic realm="a, b", {self.of(Behaviours(""))[0]}, Digest realm="x",nonce="y"']

    def chal_trailing(self):
        return [self.of(Behaviours(""))[0] + ", ,"]

    def chal_noservice(self):
        return [f'Bearer realm="{self.realm}",scope="{self.scope}"']

    def chal_noscope(self):
        return [f'Bearer realm="{self.realm}",service="{SERVICE}"']

    def chal_scope_other(self):
        return [f'Bearer realm="{self.realm}",service="{SERVICE}",scope="repository:someone/else:push"']

    def chal_basic_junk(self):
        return ['Basic realm="unterminated, junk=']

    def chal_none(self):
        return []

    def chal_unknown(self):
        return ['Magic wand="yes"']

    def chal_norealm(self):
        return [f'Bearer service="{SERVICE}"']

    def chal_negotiate(self):
        return ["Negotiate", 'Basic realm="fake"']

    def chal_relative(self):
        return [f'Bearer realm="/token",service="{SERVICE}"']

    def chal_other(self):
        return [f'Bearer realm="{self.other_realm}",service="{SERVICE}"']

    def chal_stranger(self):
        return [f'Bearer realm="{self.realm.replace("127.0.0.1", "localhost")}",service="{SERVICE}"']


class Behaviours:
    """b/auth-bearer/429.2/app: the names between b and the last component, some with an argument after a dot."""

    def __init__(self, repository):
        parts = repository.split("/")
        self.names = parts[1:-1] if parts[0] == "b" else []
        self.arguments = dict(name.split(".", 1) for name in self.names if "." in name)

    def __contains__(self, name):
        return name in self.names or name in self.arguments

    def argument(self, name, default=None):
        return self.arguments.get(name, default)


class TokenService:
    """Answers as (status, headers, body)."""

    def __init__(self):
        self.lock = threading.Lock()
        self.granted = {}  # token: (repository, until)
        self.asked = {}

    def is_good(self, header, repository):
        scheme, _, token = (header or "").partition(" ")
        with self.lock:
            good_for, until = self.granted.get(token, (None, 0))
        return scheme.lower() == "bearer" and good_for == repository and time.monotonic() < until

    def answer(self, request):
        query = urllib.parse.parse_qs(request.query, keep_blank_values=True)
        form = urllib.parse.parse_qs(request.body.decode(), keep_blank_values=True)
        parameters = form if request.method == "POST" else query
        scope = parameters.get("scope", [""])[0]
        repository = scope.removeprefix("repository:").removesuffix(":pull")
        behaviours = Behaviours(repository)
        refusal = self._check(request, behaviours, query, parameters, scope, repository)
        if refusal:
            return refusal
        with self.lock:
            self.asked[repository] = count = self.asked.get(repository, 0) + 1
        for name, status, headers in (("tok-500-times", 500, []), ("tok-429", 429, [("Retry-After", "1")])):
            if count <= int(behaviours.argument(name, 0)):
                return status, headers, b""
        if "tok-slow" in behaviours:
            time.sleep(float(behaviours.argument("tok-slow")))
        good_for = "someone/else" if "tok-wrong-scope" in behaviours else repository
        token = f"token-{repository.replace('/', '-')}-{count}"
        seconds = int(behaviours.argument("tok-expires", 300))
        with self.lock:
            self.granted[token] = (good_for, time.monotonic() + seconds)
        return self._grant(behaviours, token, seconds)

    def _check(self, request, behaviours, query, parameters, scope, repository):
        def refuse(status, text):
            return status, [], json.dumps({"errors": [{"code": "DENIED", "message": text}]}).encode()

        if scope != f"repository:{repository}:pull" or not repository:
            return refuse(400, f"odd scope {scope}")
        service = parameters.get("service")
        wanted = None if "chal-noservice" in behaviours else [""] if "chal-empty" in behaviours else [SERVICE]
        if service != wanted:
            return refuse(400, f"odd service {service}")
        if ("chal-comma" in behaviours or "chal-query" in behaviours) and query.get("x") != ["1,2"]:
            return refuse(400, "the realm's own query is lost")
        if request.method == "POST":
            good = parameters.get("refresh_token") == [IDENTITY_TOKEN] and "client_id" in parameters \
                and parameters.get("grant_type") == ["refresh_token"] and "tok-get-only" not in behaviours
            return None if good else refuse(401, "bad refresh token")
        if "tok-post-only" in behaviours:
            return refuse(405, "POST only")
        login = request.headers.get("authorization")
        if "tok-401" in behaviours or ("tok-401-anon" in behaviours and not login):
            return refuse(401, "incorrect username or password")
        if "tok-403" in behaviours:
            return refuse(403, "not for you")
        if login is None:
            return None if "auth-bearer-anon" in behaviours else refuse(401, "a login is needed")
        return None if basic_user(login) is not None else refuse(401, "incorrect username or password")

    def _grant(self, behaviours, token, seconds):
        names = {"tok-access": ["access_token"], "tok-both": ["token", "access_token"], "tok-none": []}
        members = next((names[n] for n in behaviours.names if n in names), ["token"])
        value = {name: token for name in members}
        if "tok-empty-token" in behaviours:
            value = {"token": "", "access_token": token}
        if "tok-crlf" in behaviours:
            value = {"token": token + "\r\nX-Injected: yes"}
        if "tok-huge" in behaviours:
            value = {"token": token * 100_000}
        value["expires_in"] = seconds
        if "tok-html" in behaviours:
            return 200, [("Content-Type", "text/html")], b"<html>log in here</html>"
        return 200, [("Content-Type", "application/json")], json.dumps(value).encode()
