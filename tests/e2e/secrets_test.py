"""A canary password, given in every way to log in, stands in nothing that the program writes, though everybody it talks to
repeats what he was sent; and no credential helper outlives it."""

import base64
import http.server
import json
import os
import select
import threading
import unittest

from faulty_server import FaultyServer
from support import EndToEndTest

CANARY = "s3cret-canary/with+more"
TOKEN = "granted-canary-token-abcdefgh"
FORMS = (CANARY, base64.b64encode(f"alice:{CANARY}".encode()).decode(), "canary")


class EchoingRegistry:
    """Asks for a login (of the kind that a repository is called after) and repeats it when it refuses it."""

    def __init__(self):
        echo = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                echo.answer(self)

            do_GET = do_HEAD = do_POST = answer  # noqa: N815

            def log_message(self, *_):
                pass

        self.logins = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.host = f"127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request):
        login = request.headers.get("Authorization", "")
        sent = request.rfile.read(int(request.headers.get("Content-Length", 0))).decode()
        self.logins.append(login + sent)
        decoded = base64.b64decode(login[6:]).decode() if login.startswith("Basic ") else ""
        status, headers = 403, {"X-Echo": login}
        body = {"errors": [{"code": "DENIED", "message": f"bad login {login} {decoded} {sent}", "detail": login}]}
        if request.path.startswith("/good"):
            status, body = 200, {"token": TOKEN}
        elif not login and not sent:
            kind = request.path.split("/")[2]
            status = 401
            headers["WWW-Authenticate"] = 'Basic realm="x"' if kind == "basic" else f'Bearer realm="/{kind}/token"'
        data = json.dumps(body).encode()
        request.send_response(status)
        for name, value in {**headers, "Content-Length": len(data)}.items():
            request.send_header(name, value)
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(data)


class SecretsTest(EndToEndTest):
    def helper(self, name, script):
        path = self.write(f"bin/docker-credential-{name}", "#!/bin/sh\n" + script)
        path.chmod(0o755)

    def ways_to_log_in(self, host):
        """Arguments and variables by the name of the way; files are written as needed."""
        def auths(**entry):
            return json.dumps({"auths": {host: entry}})

        auth = auths(auth=base64.b64encode(f"alice:{CANARY}".encode()).decode())
        self.helper("canary", f'echo {CANARY} >&2; echo \'{{"Username":"alice","Secret":"{CANARY}"}}\'\n')
        self.helper("token", f'echo \'{{"Username":"<token>","Secret":"{CANARY}"}}\'\n')
        self.helper("broken", f"echo {CANARY}; echo {CANARY} >&2; exit 1\n")
        self.helper("junk", f"echo {CANARY}\n")
        files = {
            "auth": auth, "password": auths(username="alice", password=CANARY),
            "identity": auths(identitytoken=CANARY), "registry": auths(registrytoken=CANARY),
            "bad": auths(auth=f"{CANARY}!"), "odd": auths(username=[CANARY]), "key": json.dumps({"auths": {
                host: {"password": CANARY, "username": "alice"}, f"https://alice:{CANARY}@other.test/": {"auth": "!"}}}),
            "store": '{"credsStore": "canary"}', "helper": json.dumps({"credHelpers": {host: "canary"}}),
            "helper-token": '{"credsStore": "token"}', "helper-broken": '{"credsStore": "broken"}',
            "helper-junk": '{"credsStore": "junk"}', "cut": auth[:-2]}
        ways = {}
        for name, text in files.items():
            folder = self.write(f"{name}/config.json", text).parent
            ways[name] = ([], {"DOCKER_CONFIG": str(folder)})
        ways["authfile"] = (["--authfile", "auth/config.json"], {})
        ways["podman"] = ([], {"REGISTRY_AUTH_FILE": str(self.folder / "auth/config.json")})
        runtime = self.write("runtime/containers/auth.json", auth).parent.parent
        ways["runtime"] = ([], {"XDG_RUNTIME_DIR": str(runtime)})
        return ways

    def test_no_output_holds_a_password_in_whatever_way_it_was_given(self):
        with EchoingRegistry() as registry, FaultyServer("200 OK", body=b"{}") as collector:
            path = f"{self.folder}/bin:{os.environ['PATH']}"
            images = [f"{registry.host}/{kind}/app:1" for kind in ("basic", "good", "refusing")]
            self.write("pod.yaml", self.pod(*images))
            outputs = [["resolve", "-v", "--trace-endpoint", f"http://{collector.host}/v1/traces", *images],
                       ["resolve", "-o", "json", "--log-format", "json", "--metrics-file", "run.prom", *images],
                       ["pin", "-i", "-v", "-o", "sarif", "pod.yaml"]]
            for name, (arguments, variables) in self.ways_to_log_in(registry.host).items():
                for output in outputs:
                    with self.subTest(way=name, output=output[:3]):
                        done = self.run_windlass(*output, *arguments, PATH=path, **variables)
                        self.assertIn(done.code, (3, 4, 5), done)
                        written = done.out + done.err + (self.folder / "pod.yaml").read_text()
                        if (self.folder / "run.prom").exists():
                            written += (self.folder / "run.prom").read_text()
                        for form in FORMS:
                            self.assertNotIn(form, written.replace("docker-credential-canary", ""))
            self.assertNotIn(b"canary", collector.received.replace(b"docker-credential-canary", b""))
            # The canary was where it belongs: nothing of the above is in vain.
            sent = "\n".join(registry.logins)
            for form in (*FORMS[1:2], f"Bearer {TOKEN}", f"Bearer {CANARY}", "refresh_token="):
                self.assertIn(form, sent)

    def test_a_helper_that_hangs_does_not_outlive_the_program(self):
        self.helper("hang", f"echo $$ > {self.folder}/pid; sleep 1000\n")
        self.write("docker/config.json", '{"credsStore": "hang"}')
        done = self.run_windlass("resolve", f"{self.shop.private.host}/shop/web:1.4.0", "--timeout", "500ms",
                                 DOCKER_CONFIG="docker", PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        self.expect_error(done, 5, "no answer in time from where its login is kept", "credential helper")
        try:
            helper = os.pidfd_open(int((self.folder / "pid").read_text()))
        except ProcessLookupError:
            return  # it has ended
        ended, _, _ = select.select([helper], [], [], 10)
        os.close(helper)
        self.assertTrue(ended, "the helper still runs")


if __name__ == "__main__":
    unittest.main()
