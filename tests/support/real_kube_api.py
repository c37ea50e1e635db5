"""A real kube-apiserver on etcd, on loopback, with a namespace "shop" to read pull secrets from.

usage: real_kube_api.py --apiserver PROGRAM --etcd PROGRAM --folder FOLDER

Prints one line when it is ready: {"server": URL}; ends when its input ends. In FOLDER it leaves `kubeconfig`, with a
context for each way to log in and for some that fail, and `pod/`, what a pod of the service account "robot" is given.
"""

import argparse
import base64
import contextlib
import ctypes
import json
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import certificates  # noqa: E402

START_SECONDS_MAX = 120
ADMIN = "admin-canary"
ALICE = "alice-canary"


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running(folder, name, program, *options):
    command = [str(pathlib.Path(program).resolve()), *map(str, options)]
    with open(folder / f"{name}.log", "wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder,
                                   preexec_fn=end_with_parent)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


class Cluster:
    def __init__(self, folder, server):
        self.folder = folder
        self.server = server
        self.tls = ssl.create_default_context(cafile=str(folder / "tls/ca.crt"))

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.server + path, method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Authorization": f"Bearer {ADMIN}",
                                                  "Content-Type": "application/json"})
        with urllib.request.urlopen(request, context=self.tls, timeout=30) as answer:
            return answer.read()

    def await_ready(self, process):
        deadline = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                self.ask("GET", "/readyz")
                return
            except (OSError, urllib.error.URLError):
                if process.poll() is not None or time.monotonic() > deadline:
                    sys.exit("kube-apiserver did not start:\n" + (self.folder / "apiserver.log").read_text()[-3000:])
                time.sleep(0.1)

    def create(self, path, kind, name, **members):
        self.ask("POST", path, {"kind": kind, "metadata": {"name": name}, **members})

    def put_login(self, name, user, password):
        auth = base64.b64encode(f"{user}:{password}".encode()).decode()
        config = json.dumps({"auths": {"registry.test": {"auth": auth}}})
        self.create("/api/v1/namespaces/shop/secrets", "Secret", name, type="kubernetes.io/dockerconfigjson",
                    data={".dockerconfigjson": base64.b64encode(config.encode()).decode()})

    def fill(self):
        """What may be read: everything by "robot" and by the owner of client.crt, s1 alone by alice."""
        self.create("/api/v1/namespaces", "Namespace", "shop")
        for name, user in (("s1", "one"), ("s2", "two"), ("s3", "three")):
            self.put_login(name, user, "canary")
        self.create("/api/v1/namespaces/shop/secrets", "Secret", "opaque", data={"password": "Y2FuYXJ5"})
        self.create("/api/v1/namespaces/shop/serviceaccounts", "ServiceAccount", "robot",
                    imagePullSecrets=[{"name": "s3"}, {"name": "gone"}])
        roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/"
        for name, names in (("all", {}), ("one", {"resourceNames": ["s1"]})):
            self.create(roles + "roles", "Role", name,
                        rules=[{"apiGroups": [""], "resources": ["secrets", "serviceaccounts"], "verbs": ["get"], **names}])
        users = [{"kind": "User", "name": "client"}, {"kind": "ServiceAccount", "name": "robot", "namespace": "shop"}]
        for role, subjects in (("all", users), ("one", [{"kind": "User", "name": "alice"}])):
            self.create(roles + "rolebindings", "RoleBinding", role, subjects=subjects,
                        roleRef={"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": role})
        answer = self.ask("POST", "/api/v1/namespaces/shop/serviceaccounts/robot/token",
                          {"spec": {"expirationSeconds": 3600}})
        pod = self.folder / "pod"
        pod.mkdir()
        (pod / "token").write_text(json.loads(answer)["status"]["token"])
        (pod / "namespace").write_text("shop")
        (pod / "ca.crt").write_bytes((self.folder / "tls/ca.crt").read_bytes())

    def write_kubeconfig(self):
        def encoded(name):
            return base64.b64encode((self.folder / name).read_bytes()).decode()

        good = {"server": self.server, "certificate-authority": "tls/ca.crt"}
        clusters = {
            "good": good,
            "data": {"server": self.server, "certificate-authority-data": encoded("tls/ca.crt")},
            "named": {**good, "tls-server-name": "registry.test"},
            "insecure": {"server": self.server, "insecure-skip-tls-verify": True},
            "misnamed": {**good, "tls-server-name": "nowhere.test"},
            "stranger": {"server": self.server, "certificate-authority": "tls/stranger.crt"},
            "unnamed": {"server": self.server},
            "nobody": {**good, "server": "https://127.0.0.1:1"},
        }
        (self.folder / "alice").write_text(ALICE + "\n")
        key = {"clientCertificateData": (self.folder / "tls/client.crt").read_text(),
               "clientKeyData": (self.folder / "tls/client.key").read_text()}
        for name, status in (("token", {"token": ALICE}), ("key", key)):
            (self.folder / f"exec-{name}.json").write_text(json.dumps(
                {"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": status}))

        def plugin(name):
            return {"exec": {"command": "cat", "args": [str(self.folder / f"exec-{name}.json")],
                             "apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never"}}

        users = {
            "admin": {"token": ADMIN},
            "alice": {"token": ALICE},
            "alice-file": {"tokenFile": "alice"},
            "pod": {"tokenFile": "pod/token"},
            "client-files": {"client-certificate": "tls/client.crt", "client-key": "tls/client.key"},
            "client-data": {"client-certificate-data": encoded("tls/client.crt"),
                            "client-key-data": encoded("tls/client.key")},
            "exec-token": plugin("token"),
            "exec-key": plugin("key"),
            "wrong": {"token": "wrong-canary"},
            "as-alice": {"token": ADMIN, "as": "alice"},
        }
        contexts = {user: ("good", user) for user in users}
        contexts.update({cluster: (cluster, "alice") for cluster in clusters})
        (self.folder / "kubeconfig").write_text(json.dumps({
            "kind": "Config", "apiVersion": "v1", "current-context": "alice",
            "clusters": [{"name": name, "cluster": value} for name, value in clusters.items()],
            "users": [{"name": name, "user": value} for name, value in users.items()],
            "contexts": [{"name": name, "context": {"cluster": cluster, "user": user, "namespace": "shop"}}
                         for name, (cluster, user) in contexts.items()]}, indent=1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--apiserver", required=True)
    parser.add_argument("--etcd", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    options = parser.parse_args()
    folder = options.folder.resolve()
    certificates.make(folder / "tls")
    subprocess.run(["openssl", "genrsa", "-out", folder / "sa.key", "2048"], check=True, stderr=subprocess.DEVNULL)
    (folder / "tokens.csv").write_text(f'{ADMIN},admin,1,"system:masters"\n{ALICE},alice,2\n')
    socket_name = "etcd.sock:0"  # etcd takes it for a host and a port, in the folder it runs in
    port = free_port()
    cluster = Cluster(folder, f"https://127.0.0.1:{port}")
    with running(folder, "etcd", options.etcd, "--data-dir", folder / "etcd", "--listen-client-urls",
                 f"unix://{socket_name}", "--advertise-client-urls", f"unix://{socket_name}", "--listen-peer-urls",
                 "http://127.0.0.1:0", "--unsafe-no-fsync"), \
         running(folder, "apiserver", options.apiserver, f"--etcd-servers=unix://{folder}/{socket_name}", f"--secure-port={port}",
                 "--bind-address=127.0.0.1", "--tls-cert-file=tls/server.crt", "--tls-private-key-file=tls/server.key",
                 "--client-ca-file=tls/ca.crt", "--service-account-key-file=sa.key",
                 "--service-account-signing-key-file=sa.key", "--service-account-issuer=https://kubernetes.default.svc",
                 "--token-auth-file=tokens.csv", "--authorization-mode=RBAC", "--service-cluster-ip-range=10.0.0.0/24",
                 "--disable-admission-plugins=ServiceAccount", "--endpoint-reconciler-type=none") as apiserver:
        cluster.await_ready(apiserver)
        cluster.fill()
        cluster.write_kubeconfig()
        print(json.dumps({"server": cluster.server}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
