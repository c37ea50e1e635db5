"""How registries are reached: proxies, registries.conf, certificates, platforms, files instead of registries; and that no
output holds a password."""

import json
import pathlib
import re
import shutil
import subprocess
import unittest

from faulty_server import FaultyServer
from support import WINDLASS, EndToEndTest

FAR = "registry.shop.test"  # no such host


class NetworkTest(EndToEndTest):
    def setUp(self):
        super().setUp()
        self.wanted = f"@{self.digest('web:1.4.0')}\n"

    def resolve(self, image, *arguments, **variables):
        return self.run_windlass("resolve", image, *arguments, "--timeout", "10s", **variables)

    def test_a_proxy_from_the_environment_is_asked_unless_it_is_excepted(self):
        asked = self.shop.counted.requests
        image = f"{FAR}/shop/web:1.4.0"
        proxy = f"http://someone:s3cret@{self.shop.counted.host}"
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            done = self.resolve(image, "-v", "--plain-http", FAR, **{name: proxy})
            self.expect(done, out=f"{FAR}/shop/web{self.wanted}")
            self.assertNotIn("s3cret", done.out + done.err)
        self.assertEqual(self.shop.counted.requests, asked + 3)
        done = self.resolve(image, "--retries", "0", "--plain-http", FAR, http_proxy=proxy, no_proxy="shop.test")
        self.expect_error(done, 5, "no such host")
        self.assertEqual(self.shop.counted.requests, asked + 3)
        with FaultyServer("407 Proxy Authentication Required") as server:
            done = self.resolve(image, "--retries", "0", "--plain-http", FAR, http_proxy=f"http://u:s3cret@{server.host}")
        self.assertNotIn("s3cret", self.expect_error(done, 5, "the proxy on the way wants a login"))

    def test_registries_conf_says_where_images_are_and_its_faults_are_told_once(self):
        conf = f'[[registry]]\nprefix = "{FAR}"\nlocation = "{self.shop.open.host}/shop"\n'
        file = self.write("registries.conf", conf)
        images = [f"{FAR}/web:1.4.0", f"{FAR}/cart:2.1"]
        wanted = f"{images[0]}\t{FAR}/web{self.wanted}{images[1]}\t{FAR}/cart@{self.digest('cart:2.1')}\n"
        self.expect(self.run_windlass("resolve", *images, "--registries-conf", file), out=wanted, err="")
        self.expect(self.run_windlass("resolve", *images, CONTAINERS_REGISTRIES_CONF=str(file)), out=wanted, err="")
        self.write("home/.config/containers/registries.conf", conf + "unqualified-search-registries = 7\n")
        done = self.expect(self.run_windlass("resolve", *images), out=wanted)
        self.assertEqual(done.err.count("warning: "), 1, done)
        self.assertIn("registries.conf:4:", done.err)
        mirrored = conf + '[[registry.mirror]]\nlocation = "127.0.0.1:5000/UPPER"\n'
        self.write("registries.conf", mirrored)
        done = self.expect(self.run_windlass("resolve", images[0], "--registries-conf", file), out=f"{FAR}/web{self.wanted}")
        self.assertRegex(done.err, "registries.conf:5:12: location: .*; the mirror is left out\n")

    def test_settings_may_come_from_another_command(self):
        login = f"{self.login(self.shop.private)}/config.json"
        self.write("r.conf", f'[[registry]]\nprefix = "{FAR}"\nlocation = "{self.shop.private.host}/shop"\n')
        command = f'"{WINDLASS}" resolve {FAR}/web:1.4.0 --authfile <(cat "{login}") --registries-conf <(cat r.conf)'
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment(), capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr, done.returncode), (f"{FAR}/web{self.wanted}", "", 0))
        image = f"{self.shop.tls.host}/shop/web:1.4.0"
        command = f'"{WINDLASS}" resolve {image} {image}x --tls {self.shop.tls.host} --ca-file <(cat "{self.shop.ca}")'
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment(), capture_output=True, text=True,
                              timeout=60)
        self.assertEqual((done.stdout, done.returncode), (f"{image}\t{self.shop.tls.host}/shop/web{self.wanted}", 4), done.stderr)

    def test_certificates_come_from_certs_d_or_from_one_folder(self):
        host = self.shop.tls.host
        image = f"{host}/shop/web:1.4.0"
        self.write(f"home/.config/containers/certs.d/{host}/ca.crt", pathlib.Path(self.shop.ca).read_bytes())
        self.expect(self.resolve(image, "--tls", host), out=f"{host}/shop/web{self.wanted}", err="")
        self.write("certs/ca.crt", pathlib.Path(self.shop.ca).read_bytes())
        (self.folder / "home").rename(self.folder / "elsewhere")
        self.expect_error(self.resolve(image, "--tls", host), 5, "certificate")
        self.expect(self.resolve(image, "--tls", host, "--cert-dir", "certs"), out=f"{host}/shop/web{self.wanted}", err="")
        self.expect_error(self.resolve(image, "--tls", host, "--cert-dir", "gone"), 3, "--cert-dir gone: no such directory")

    def test_a_registry_that_speaks_tls_where_http_is_expected_gets_the_advice(self):
        host = self.shop.tls.host
        self.expect_error(self.resolve(f"{host}/shop/web:1.4.0", "--retries", "0"), 5, f"{host} GET of ", "--tls HOST")
        with FaultyServer() as silent:
            plain, tls = f"--plain-http {silent.host}", f"--tls {silent.host}"
            silent.close_at_once = True
            self.expect_error(self.resolve(f"{silent.host}/app:1", "--retries", "0"), 5, f"if it speaks TLS, ask it that way: {tls}")
            line = self.expect_error(self.resolve(f"{silent.host}/app:1", "--retries", "1", "--tls", silent.host), 5, plain)
            self.assertNotIn("  ", line)

    def test_a_platform_gives_the_digest_of_its_image(self):
        host = self.shop.open.host
        image = f"{host}/shop/web:1.4.0"
        index = json.loads(subprocess.run(["skopeo", "inspect", "--raw", "--tls-verify=false", f"docker://{image}"], check=True,
                                          capture_output=True).stdout)
        for manifest in index["manifests"]:
            platform = f"{manifest['platform']['os']}/{manifest['platform']['architecture']}"
            self.expect(self.resolve(image, "--platform", platform), out=f"{host}/shop/web@{manifest['digest']}\n")
        self.expect_error(self.resolve(image, "--platform", "plan9/mips"), 4, "plan9/mips")
        self.assertEqual(self.resolve(image, "--platform", "linux").code, 2)

    def test_files_give_digests_and_registries_what_is_not_in_them(self):
        layout = f"oci:{self.shop.folder}/layout"
        self.expect(self.resolve("web:1.4.0", "--source", layout), out=f"docker.io/library/web{self.wanted}", err="")
        self.expect_error(self.resolve("other:1", "--source", layout), 4, "other:1", "--source registry")
        image = f"{self.shop.open.host}/shop/cart:2.1"
        self.expect(self.resolve(image, "--source", layout, "--source", "registry", "-o", "digest"),
                    out=self.digest("cart:2.1") + "\n")
        self.assertEqual(self.resolve("web:1.4.0", "--source", "gone").code, 2)

    def test_files_that_give_no_digests_are_told_before_anybody_is_asked(self):
        layout = f"oci:{self.shop.folder}/layout"
        image = f"{self.shop.counted.host}/shop/web:1.4.0"
        self.write("text.tar", "no archive")
        (self.folder / "empty").mkdir()
        self.write("pod.yaml", self.pod(image))
        asked = self.shop.counted.requests
        for source, part in (("oci:gone", "no such directory; check the name"), ("oci-archive:gone.tar", "no such file"),
                             ("docker-archive:gone.tar", "no such file"), ("oci:empty", "not an OCI image layout"),
                             ("oci-archive:text.tar", "not a tar file"), ("docker-archive:text.tar", "not a tar file"),
                             (f"{layout}:nobody", "there is no image called")):
            for behind in ([], ["--source", "registry"]):
                self.expect_error(self.resolve(image, "--source", source, *behind), 3, f"--source {source}: ", part)
                self.expect_error(self.run_windlass("pin", "pod.yaml", "--source", source, *behind), 3, part)
        self.assertEqual(self.shop.counted.requests, asked)
        self.expect(self.resolve("web:1.4.0", "--source", f"{layout}:web:1.4.0"), out=f"docker.io/library/web{self.wanted}")

    def test_broken_files_are_a_fault_of_the_input(self):
        shutil.copytree(f"{self.shop.folder}/layout", self.folder / "broken")
        for blob in (self.folder / "broken/blobs/sha256").iterdir():
            blob.chmod(0o600)
            blob.write_text("{}")
        self.write("pod.yaml", self.pod("web:1.4.0"))
        for behind in ([], ["--source", "registry"]):
            self.expect_error(self.resolve("web:1.4.0", "--source", "oci:broken", *behind), 3, "web:1.4.0")
            self.expect_error(self.run_windlass("pin", "pod.yaml", "--source", "oci:broken", *behind), 3, "web:1.4.0")

    def test_files_that_are_not_there_are_told_though_nobody_is_asked(self):
        self.write("pod.yaml", self.pod(f"web@sha256:{'a' * 64}"))
        self.expect(self.run_windlass("pin", "pod.yaml"), out=None)
        for option, value in (("--source", "oci:gone"), ("--authfile", "gone.json")):
            self.expect_error(self.run_windlass("pin", "pod.yaml", option, value), 3, f"{option} {value}: no such")

    def test_tries_are_counted_and_images_are_named_as_they_were_written(self):
        with FaultyServer("503 Service Unavailable") as server:
            done = self.run_windlass("resolve", "--retries", "2", "--timeout", "60s", f"{server.host}/app")
            line = self.expect_error(done, 5, f"error: {server.host}/app: ", "(tried 3 times)")
            self.assertNotIn(":latest", line)
            self.assertEqual(server.requests, 3)
            done = self.run_windlass("resolve", "--timeout", "1s", f"{server.host}/app")
            tried = re.search(r"\(tried (\d+) times\)", done.err)
            self.assertEqual(int(tried[1]) if tried else 1, server.requests - 3, done)

    def test_a_run_tells_metrics_and_its_trace(self):
        with FaultyServer("200 OK", body=b"{}") as collector:
            host = self.shop.open.host
            self.expect(self.run_windlass(
                "resolve", f"{host}/shop/web:1.4.0", f"{host}/shop/gone:1", "--metrics-file", "windlass.prom",
                "--trace-endpoint", f"http://{collector.host}/v1/traces",
                TRACEPARENT=f"00-{'a' * 32}-{'b' * 16}-01"), code=4)
            self.assertIn(b"POST /v1/traces", collector.received)
            spans = json.loads(collector.received.split(b"\r\n\r\n", 1)[1])["resourceSpans"][0]["scopeSpans"][0]["spans"]
        self.assertEqual(sorted(span["name"] for span in spans), ["resolve image", "resolve image", "windlass resolve"])
        self.assertEqual({span["traceId"] for span in spans}, {"a" * 32})
        run = next(span["spanId"] for span in spans if span["name"] == "windlass resolve")
        self.assertEqual([span["parentSpanId"] for span in spans if span["spanId"] != run], [run, run])
        endpoint = ("--trace-endpoint", "http://127.0.0.1:1/v1/traces")
        for bad, told in (("00-xyz", 1), ("", 0)):
            done = self.run_windlass("resolve", f"{host}/shop/web:1.4.0", *endpoint, TRACEPARENT=bad)
            self.assertEqual((done.code, done.err.count("TRACEPARENT is not used")), (0, told), done)
        self.assertEqual(self.run_windlass("resolve", f"{host}/shop/web:1.4.0", TRACEPARENT="00-xyz").err, "")
        metrics = (self.folder / "windlass.prom").read_text()
        for line in (f'windlass_lookups_total{{registry="{host}",result="resolved"}} 1', "windlass_run_exit_code 4",
                     f'windlass_lookups_total{{registry="{host}",result="failed"}} 1', "windlass_retries_total 0",
                     'windlass_resolver_images_total{from="lookup"} 2', "windlass_resolver_oldest_lookup_seconds 0",
                     f'windlass_resolver_tries_total{{outcome="found",registry="{host}"}} 1',
                     f'windlass_resolver_try_seconds_count{{registry="{host}"}} 2'):
            self.assertIn(line + "\n", metrics)
        self.expect_error(self.run_windlass("pin", "--metrics-file", "gone/m", "-", stdin=b""), 3, "--metrics-file: gone/m: ")
        self.assertEqual(self.run_windlass("resolve", "a", "--trace-endpoint", "nowhere").code, 2)

    def test_messages_may_be_json(self):
        self.write("a.yaml", self.pod(f"{self.shop.open.host}/shop/gone:1", "a b"))
        done = self.expect(self.run_windlass("pin", "-i", "--log-format", "json", "a.yaml"), code=3)
        lines = [json.loads(line) for line in done.err.splitlines()]
        self.assertEqual([line["level"] for line in lines], ["error", "error", "info"])
        self.assertRegex(lines[0]["time"], r"^\d{4}-\d\d-\d\dT[0-9:.]+Z$")
        self.assertIn('invalid image reference "a b"', lines[1]["message"])

    def test_no_output_holds_a_password_that_somebody_wrote_into_a_name(self):
        secret = "s3cret-canary"
        for written in (f"user:{secret}@host.test/app", f"https://user:{secret}@host.test/app", f"{secret}@host.test/app:1"):
            self.write("pod.yaml", self.pod(written))
            self.write("compose.yaml", f"services:\n  a:\n    image: {written}\n")
            self.write("Dockerfile", f"FROM {written}\n")
            self.write("kustomization.yaml", f'images:\n- name: {written}\n  newTag: "1"\n')
            self.write("list.txt", written + "\n")
            krm = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" + "".join(
                ("- " if i == 0 else "  ") + line + "\n" for i, line in enumerate(self.pod(written).splitlines()))
            runs = [self.run_windlass("krm", stdin=krm.encode()), self.run_windlass("resolve", "-f", "list.txt"),
                    self.run_windlass(written), self.run_windlass("resolve", "app", "--plain-http", written),
                    self.run_windlass("resolve", "app", "--skip", written), self.run_windlass("pin", written)]
            # What is passed through unchanged is the user's own: the errors must not repeat it.
            self.assertEqual(runs[0].out.count(secret), krm.count(secret))
            runs[0].out = ""
            for output in ("text", "json", "ndjson", "digest"):
                runs.append(self.run_windlass("resolve", "-v", "-o", output, written))
            for mode in (["--check"], ["--list"], ["--explain"], ["--diff"], ["-i"], ["--plan", "p.json"], ["--unpin", "-i"]):
                for output in (["-v"], ["-o", "json"], ["-o", "ndjson"], ["-o", "sarif"], ["--annotations", "github"]):
                    if output[0] != "-o" or mode[0] not in ("--diff", "--plan"):
                        runs.append(self.run_windlass("pin", *mode, *output, "pod.yaml", "compose.yaml", "Dockerfile",
                                                      "kustomization.yaml"))
            for done in runs:
                self.assertNotIn(secret, done.out + done.err)
                self.assertIn(done.code, (0, 1, 2, 3), done)
            self.assertTrue(any("***" in done.err for done in runs))


if __name__ == "__main__":
    unittest.main()
