"""Bad input and bad registries: one line that says what was tried and what to do, the documented exit code, and no
file touched."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from faulty_server import FaultyServer, closed_port
from support import RUN_SECONDS_MAX, WINDLASS, EndToEndTest


class TroubleTest(EndToEndTest):
    def expect_untouched(self, text, code, *parts, arguments=(), **variables):
        """Pinning a file with `text` in place fails with one line that holds `parts`, and the file stays."""
        path = self.write("pod.yaml", text)
        before = (path.read_bytes(), path.stat().st_ino, path.stat().st_mtime_ns)
        done = self.run_windlass("pin", "-i", "pod.yaml", *arguments, **variables)
        line = self.expect_error(done, code, *parts)
        self.assertEqual((path.read_bytes(), path.stat().st_ino, path.stat().st_mtime_ns), before)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir() if p.name not in ("home", "docker")), ["pod.yaml"])
        return line

    def expect_lookup_error(self, image, code, *parts, arguments=(), **variables):
        self.expect_error(self.run_windlass("resolve", image, *arguments, **variables), code, image, *parts)
        return self.expect_untouched(self.pod(image), code, "pod.yaml:7:12: ", image, *parts, arguments=arguments,
                                     **variables)

    # Inputs.

    def test_a_file_that_is_missing(self):
        self.expect_error(self.run_windlass("pin", "gone.yaml"), 3, "gone.yaml: no such file")

    def test_a_directory_without_manifests(self):
        (self.folder / "empty").mkdir()
        self.expect_error(self.run_windlass("pin", "--diff", "empty"), 3, "empty: holds no manifest")

    def test_a_file_that_may_not_be_read(self):
        path = self.write("secret.yaml", self.pod("nginx:1"))
        path.chmod(0)
        command = [WINDLASS, "pin", "secret.yaml"]
        if os.getuid() == 0:  # root may read everything: become somebody else
            os.chmod(self.folder, 0o755)
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=self.environment())
        if done.returncode != 3 and "ermission denied" in done.stderr and "windlass: error" not in done.stderr:
            # The build's own folder is closed to others: they cannot even start the program there.
            self.assertEqual(done.returncode, 127 if "setpriv" in done.stderr else done.returncode)
            return
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("secret.yaml: may not be read", done.stderr)

    def test_broken_yaml_is_named_by_file_line_and_column(self):
        self.expect_untouched("kind: Pod\nspec: {containers: [\n", 3, "pod.yaml:3:1: ")
        self.expect_untouched("a: 1\n\tb: 2\n", 3, "pod.yaml:2:1: ")

    def test_text_that_is_not_utf8(self):
        self.expect_untouched(b"kind: Pod\nname: \xff\xfe\n", 3, "pod.yaml:2:7: ", "UTF-8")

    def test_an_empty_file_is_fine_and_stays_empty(self):
        self.write("pod.yaml", "")
        self.expect(self.run_windlass("pin", "-i", "pod.yaml"), out="")
        self.assertEqual((self.folder / "pod.yaml").read_bytes(), b"")
        self.expect(self.run_windlass("pin", "-", stdin=b""), out="")

    def test_an_image_that_is_not_a_reference(self):
        self.expect_untouched(self.pod("registry.test/Shop/Web:1"), 3, "pod.yaml:7:12: ", "lower case")
        self.expect_error(self.run_windlass("resolve", "registry.test/Shop/Web:1"), 3, "lower case")
        self.expect_error(self.run_windlass("resolve", "nginx:1\x1b[2J"), 3, "\\x1b")

    def test_every_bad_file_is_named_and_good_ones_are_not_written(self):
        host = self.shop.open.host
        good = self.write("dir/a.yaml", self.pod(f"{host}/shop/web:1.4.0"))
        before = good.read_bytes()
        self.write("dir/b.yaml", "a: [\n")
        self.write("dir/c.yaml", self.pod(f"{host}/shop/gone:1"))
        done = self.run_windlass("pin", "-i", "dir")
        self.assertEqual(done.code, 3, done)
        self.assertIn("dir/b.yaml:2:1: ", done.err)
        self.assertIn("dir/c.yaml:7:12: ", done.err)
        self.assertEqual(good.read_bytes(), before)
        done = self.run_windlass("pin", "-i", "dir", "--keep-going")
        self.assertEqual(done.code, 3, done)
        self.assertIn(self.digest("web:1.4.0"), good.read_text())

    # Registries.

    def test_a_registry_that_is_down(self):
        self.expect_lookup_error(f"{closed_port()}/app:1", 5, "refused", "check the host's name and port, or try again later", arguments=["--timeout", "1s"])

    def test_a_registry_that_never_answers(self):
        with FaultyServer() as server:
            self.expect_lookup_error(f"{server.host}/app:1", 5, "answer", arguments=["--timeout", "300ms"])

    def test_registries_that_never_answer_do_not_hold_up_one_that_does(self):
        good = [f"{self.shop.counted.host}/shop/{image}" for image in self.shop.digests]
        with contextlib.ExitStack() as silent:  # more than there are lookups at a time
            hosts = [silent.enter_context(FaultyServer()).host for _ in range(20)]
            bad = [f"{host}/app{i}:1" for host in hosts for i in range(20)]
            self.write("images.txt", "\n".join([*bad, *good]) + "\n")
            wanted = self.shop.counted.requests + len(good)
            run = subprocess.Popen([WINDLASS, "resolve", "-f", "images.txt", "--timeout", "10m", "--retries", "0", "-q"],
                                   cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.addCleanup(run.kill)
            deadline = time.monotonic() + RUN_SECONDS_MAX
            while self.shop.counted.requests < wanted:
                self.assertIsNone(run.poll(), "it ended before the silent registries did")
                self.assertLess(time.monotonic(), deadline, "the silent registries held up the others")
                time.sleep(0.005)
        out, err = run.communicate(timeout=RUN_SECONDS_MAX)
        self.assertEqual(run.returncode, 5, err)
        self.assertEqual([line.split("\t")[0] for line in out.decode().splitlines()], good)
        self.assertEqual(err.decode().count("error: "), len(bad))

    def test_what_a_registry_answers_decides_the_exit_code(self):
        for status, code, part in (("404 Not Found", 4, "answered 404; check the name and the tag"), ("403 Forbidden", 4, "403"),
                                   ("401 Unauthorized", 4, "wants a login"), ("500 Internal Server Error", 5, "500"),
                                   ("503 Service Unavailable", 5, "503"), ("418 I'm a teapot", 4, "418")):
            with self.subTest(status), FaultyServer(status) as server:
                self.expect_lookup_error(f"{server.host}/app:1", code, part, arguments=["--timeout", "1s"])

    def test_a_login_of_an_unknown_kind_is_not_advised(self):
        with FaultyServer("401 Unauthorized", extra="WWW-Authenticate: Negotiate\r\n") as server:
            done = self.run_windlass("resolve", f"{server.host}/app:1")
            self.assertNotIn("log in", self.expect_error(done, 4, "not known here", "ask who runs it for Bearer or Basic"))

    def test_a_registry_that_throttles_is_told_from_one_that_is_down(self):
        with FaultyServer("429 Too Many Requests", extra="Retry-After: 86400\r\n") as server:
            self.expect_lookup_error(f"{server.host}/app:1", 5, "429", "24 h")

    def test_an_image_that_is_missing(self):
        self.expect_lookup_error(f"{self.shop.open.host}/shop/web:9.9", 4, "MANIFEST_UNKNOWN", "check the name and the tag")

    def test_a_login_that_is_missing(self):
        self.expect_lookup_error(f"{self.shop.private.host}/shop/web:1.4.0", 4, "no credentials",
                                 self.shop.private.host)

    def test_a_login_that_is_wrong_is_named_by_its_source_and_never_shown(self):
        line = self.expect_lookup_error(f"{self.shop.private.host}/shop/web:1.4.0", 4, "config.json",
                                        DOCKER_CONFIG=self.login(self.shop.private, password="canary-3f9a"))
        self.assertNotIn("canary-3f9a", line)

    def test_a_password_is_in_no_output_however_much_is_told(self):
        import base64
        config = self.login(self.shop.private, password="canary-3f9a")
        done = self.run_windlass("resolve", "-v", f"{self.shop.private.host}/shop/web:1.4.0", DOCKER_CONFIG=config)
        for secret in ("canary-3f9a", base64.b64encode(b"alice:canary-3f9a").decode()):
            self.assertNotIn(secret, done.out + done.err)

    def test_a_certificate_that_is_not_trusted(self):
        host = self.shop.tls.host
        self.expect_lookup_error(f"{host}/shop/web:1.4.0", 5, "certificate", "--ca-file", arguments=["--tls", host])

    def test_a_login_file_that_is_broken_is_told_once_and_hinders_only_whoever_needs_it(self):
        broken = self.write("home/.docker/config.json", '{"auths": {\n  "a": [}\n')
        done = self.run_windlass("resolve", *(f"{self.shop.open.host}/shop/{name}" for name in ("web:1.4.0", "web:1.4.0")))
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(done.err.count(f"{broken}:2:9: not valid JSON"), 1, done.err)
        self.assertIn("; mend that, or name another file with --authfile", done.err)
        done = self.run_windlass("resolve", f"{self.shop.private.host}/shop/web:1.4.0")
        self.assertEqual(done.code, 4, done.err)
        self.assertRegex(done.err, f"error: .*wants a login and none can be had: .*{broken}:2:9: not valid JSON")

    def test_all_files_of_options_that_cannot_be_used_are_told_at_once(self):
        broken = self.write("auth.json", '{"auths":\n')
        junk = self.write("junk.pem", "junk")
        done = self.run_windlass("resolve", "app:1", "--authfile", "auth.json", "--ca-file", "junk.pem",
                                 "--registries-conf", "gone")
        self.assertEqual(done.code, 3, done.err)
        for text in (f"--authfile: {broken.name}:2:1: not valid JSON", f"--ca-file: {junk.name} does not hold a certificate",
                     "--registries-conf gone: no such file"):
            self.assertEqual(done.err.count(text), 1, done.err)

    # Being interrupted, and waiting.

    def test_an_interrupt_ends_at_once_and_leaves_files_whole(self):
        with FaultyServer() as server:
            path = self.write("pod.yaml", self.pod(f"{server.host}/app:1"))
            before = path.read_bytes()
            run = subprocess.Popen([WINDLASS, "pin", "-i", "pod.yaml"], cwd=self.folder, env=self.environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertTrue(server.asked.wait(RUN_SECONDS_MAX))
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=RUN_SECONDS_MAX)
            self.assertEqual(run.returncode, 130, err)
            self.assertEqual(out, b"")
            self.assertIn(b"interrupted", err)
            self.assertEqual(path.read_bytes(), before)
            self.assertEqual(sorted(os.listdir(self.folder)), ["pod.yaml"])

    def test_a_terminal_sees_progress_and_a_pipe_does_not(self):
        with FaultyServer() as server:
            command = [WINDLASS, "resolve", f"{server.host}/app:1", "--timeout", "1500ms"]
            controller, terminal = pty.openpty()
            run = subprocess.Popen(command, cwd=self.folder, env=self.environment(TERM="xterm"),
                                   stdout=subprocess.PIPE, stderr=terminal)
            os.close(terminal)
            shown = self.read_all(controller)
            run.communicate(timeout=RUN_SECONDS_MAX)
            self.assertRegex(shown, rb"\r\x1b\[K0/1 image, [0-9.]+ m?s; asking for ")
            self.assertRegex(shown, rb"\r\x1b\[Kwindlass: error: ")
            quiet = subprocess.run(command, cwd=self.folder, env=self.environment(), capture_output=True)
            self.assertNotIn(b"0/1 image", quiet.stderr)

    @staticmethod
    def read_all(controller):
        shown = b""
        deadline = time.monotonic() + RUN_SECONDS_MAX
        while time.monotonic() < deadline:
            if not select.select([controller], [], [], 1)[0]:
                continue
            try:
                chunk = os.read(controller, 65536)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            shown += chunk
        os.close(controller)
        return shown

    def test_nothing_is_written_to_a_full_or_closed_output(self):
        image = f"{self.shop.open.host}/shop/web:1.4.0"
        with open("/dev/full", "wb") as full:
            done = subprocess.run([WINDLASS, "resolve", image], stdout=full, stderr=subprocess.PIPE,
                                  env=self.environment(), cwd=self.folder, text=True)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertTrue(re.search("output", done.stderr), done.stderr)

    def test_a_reader_that_has_read_enough_hears_no_complaint(self):
        self.write("dir/a.yaml", self.pod(*[f"registry.test/app:{i}" for i in range(2000)]))
        pinned = f"app@{self.digest('web:1.4.0')}"
        for command, code in (('pin --list dir', 141), ('--help', 141), ('manual markdown', 141), ('pin --check dir', 1),
                              (f'resolve {pinned} {pinned}', 141)):
            read_end, write_end = os.pipe()
            os.close(read_end)
            done = subprocess.run([WINDLASS, *command.split()], stdout=write_end, stderr=subprocess.PIPE, cwd=self.folder,
                                  env=self.environment(), text=True, timeout=RUN_SECONDS_MAX)
            os.close(write_end)
            self.assertEqual(done.returncode, code, done)
            self.assertNotIn("error", done.stderr)

    def test_a_closed_standard_stream_is_not_taken_for_another_file(self):
        def run(*arguments, closed):
            return subprocess.run(["sh", "-c", f'exec "$0" "$@" {closed}', WINDLASS, *arguments], cwd=self.folder,
                                  env=self.environment(), capture_output=True, text=True, timeout=RUN_SECONDS_MAX)

        for arguments in (["resolve", "-"], ["pin", "-"], ["pin", "--check", "-"], ["krm"]):
            for closed in ("<&-", "<."):
                done = run(*arguments, closed=closed)
                self.assertEqual((done.returncode, done.stdout), (3, ""), (arguments, closed))
                self.assertIn("standard input cannot be read", done.stderr)
        self.assertEqual(run("resolve", f"app@{self.digest('web:1.4.0')}", closed=">&-").returncode, 3)


if __name__ == "__main__":
    unittest.main()
