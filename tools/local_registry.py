"""Debian's docker-registry on loopback, for the demonstration and the end-to-end tests.

A Registry listens on a port that the system chose, keeps its storage in a folder of the caller's, and ends with its
`with` block.
"""

import base64
import contextlib
import ctypes
import http.client
import json
import os
import pathlib
import queue
import re
import signal
import ssl
import subprocess
import threading

# bcrypt of "s3cret", cost 5: docker-registry takes no other kind.
USER, PASSWORD = "alice", "s3cret"
HTPASSWD = "alice:$2y$05$BiIexdXOdR.oqlIcYMhuQuTLBe3p17zmBTD6k9hu0isKuYb.d4NO.\n"

START_SECONDS_MAX = 30


class Registry:
    """login: ask for USER and PASSWORD. tls: files of the CA, the certificate and its key. auth: the configuration's own
    words instead of login."""

    def __init__(self, program, folder, *, login=False, tls=None, auth=None):
        self.program = program
        self.folder = pathlib.Path(folder)
        self.login = login
        self.tls = tls
        self.auth = auth
        self.port = None
        self.process = None

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        config = self.folder / "config.json"  # YAML takes JSON
        config.write_text(json.dumps(self._config(), indent=1))
        self.process = subprocess.Popen(
            [self.program, "serve", str(config)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env=_environment(),
            preexec_fn=_end_with_parent)
        lines = queue.Queue()
        self.drain = threading.Thread(target=self._drain, args=(self.process.stderr, lines), daemon=True)
        self.drain.start()
        seen = []
        while self.port is None:
            try:
                line = lines.get(timeout=START_SECONDS_MAX)
            except queue.Empty:
                line = None
            if line is None:
                self.__exit__()
                raise RuntimeError("docker-registry did not start:\n" + "".join(seen))
            seen.append(line)
            if found := re.search(r"listening on 127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.drain.join()

    def _config(self):
        config = {
            "version": "0.1", "log": {"level": "info", "accesslog": {"disabled": True}},
            "storage": {"filesystem": {"rootdirectory": str(self.folder / "data")}},
            "http": {"addr": "127.0.0.1:0", "secret": "loopback"},
        }
        if self.login:
            (self.folder / "htpasswd").write_text(HTPASSWD)
            config["auth"] = {"htpasswd": {"realm": "shop", "path": str(self.folder / "htpasswd")}}
        if self.auth:
            config["auth"] = self.auth
        if self.tls:
            _, certificate, key = self.tls
            config["http"]["tls"] = {"certificate": str(certificate), "key": str(key)}
        return config

    def _drain(self, stream, lines):
        with stream, open(self.folder / "registry.log", "w") as log:
            for line in stream:
                log.write(line)
                if self.port is None:
                    lines.put(line)
        lines.put(None)

    def push(self, layout, name_and_tag, repository):
        """Uploads one image of an OCI layout with every platform of it. Nothing is left outside `folder`."""
        layout = pathlib.Path(layout)
        index = json.loads((layout / "index.json").read_text())
        top = next(m for m in index["manifests"]
                   if m["annotations"]["org.opencontainers.image.ref.name"] == name_and_tag)
        with contextlib.closing(self._connection()) as connection:
            self._push_manifest(connection, layout, top, repository, name_and_tag.split(":")[1])

    def _push_manifest(self, connection, layout, descriptor, repository, reference):
        data = _blob(layout, descriptor)
        manifest = json.loads(data)
        for child in manifest.get("manifests", []):
            self._push_manifest(connection, layout, child, repository, child["digest"])
        for blob in [manifest["config"], *manifest["layers"]] if "config" in manifest else []:
            location = self._send(connection, "POST", f"/v2/{repository}/blobs/uploads/", 202).getheader("Location")
            location += ("&" if "?" in location else "?") + "digest=" + blob["digest"]
            self._send(connection, "PUT", location, 201, _blob(layout, blob), "application/octet-stream")
        self._send(connection, "PUT", f"/v2/{repository}/manifests/{reference}", 201, data, descriptor["mediaType"])

    def _connection(self):
        if not self.tls:
            return http.client.HTTPConnection("127.0.0.1", self.port)
        return http.client.HTTPSConnection(
            "127.0.0.1", self.port, context=ssl.create_default_context(cafile=self.tls[0]))

    def _send(self, connection, method, url, wanted, body=None, media_type=None):
        headers = {"Content-Type": media_type} if media_type else {}
        if self.login:
            headers["Authorization"] = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        url = url.removeprefix(f"http://{self.host}").removeprefix(f"https://{self.host}")
        connection.request(method, url, body, headers)
        response = connection.getresponse()
        text = response.read()
        if response.status != wanted:
            raise RuntimeError(f"{method} {url}: {response.status} {text[:200]!r}")
        return response


def _blob(layout, descriptor):
    return (layout / "blobs" / descriptor["digest"].replace(":", "/")).read_bytes()


def write_login(folder, *registries, password=PASSWORD):
    """A Docker config.json with a login for each registry; returns the folder, for DOCKER_CONFIG."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    auth = base64.b64encode(f"{USER}:{password}".encode()).decode()
    (folder / "config.json").write_text(json.dumps({"auths": {r.host: {"auth": auth} for r in registries}}))
    return folder


def _environment():
    # docker-registry takes every REGISTRY_ variable for its configuration; REGISTRY_AUTH_FILE is podman's.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REGISTRY_")}
    return {**kept, "OTEL_TRACES_EXPORTER": "none"}


def _end_with_parent():
    """The registry must not outlive us, however we end."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)
