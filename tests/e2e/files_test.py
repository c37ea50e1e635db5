"""windlass pin and the files people really have: each kind has a documented result, and nothing is ever lost."""

import contextlib
import json
import os
import signal
import stat
import subprocess
import threading
import time
import unittest

from faulty_server import FaultyServer
from support import RUN_SECONDS_MAX, WINDLASS, EndToEndTest



class FilesTest(EndToEndTest):
    def setUp(self):
        super().setUp()
        self.web = f"{self.shop.open.host}/shop/web:1.4.0"
        self.pinned = f"{self.web}@{self.digest('web:1.4.0')}"

    def start(self, *arguments, **options):
        return subprocess.Popen([WINDLASS, *arguments], cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **options)

    def names(self):
        return sorted(name for name in os.listdir(self.folder) if name != "home")

    def test_a_file_that_somebody_else_changes_meanwhile_keeps_the_change_and_no_file_is_written(self):
        other = self.write("dir/a.yaml", self.pod(self.web))
        with FaultyServer("404 Not Found") as slow:
            slow.status = None
            path = self.write("dir/b.yaml", self.pod(f"{slow.host}/app:1"))
            run = self.start("pin", "-i", "--keep-going", "--timeout", "1500ms", "dir")
            self.assertTrue(slow.asked.wait(RUN_SECONDS_MAX))
            path.write_text("# mine\n")
            other.write_text("# mine, too\n")
            _, err = run.communicate(timeout=RUN_SECONDS_MAX)
        self.assertEqual(run.returncode, 3, err)
        self.assertIn("dir/a.yaml: somebody else changed it meanwhile", err)
        self.assertEqual((path.read_text(), other.read_text()), ("# mine\n", "# mine, too\n"))
        self.assertEqual(sorted(os.listdir(self.folder / "dir")), ["a.yaml", "b.yaml"])

    def test_a_read_only_file_or_folder_stops_the_run_before_anything_is_written(self):
        first = self.write("dir/a.yaml", self.pod(self.web))
        second = self.write("dir/b.yaml", self.pod(self.web))
        second.chmod(0o444)
        done = self.as_somebody([WINDLASS, "pin", "-i", "dir"], self.folder / "dir", first, second)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("dir/b.yaml: cannot be written: Permission denied; the file is unchanged", done.stderr)
        self.assertEqual((first.read_text(), second.read_text()), (self.pod(self.web), self.pod(self.web)))
        self.assertEqual(sorted(os.listdir(self.folder / "dir")), ["a.yaml", "b.yaml"])

    def test_a_link_and_its_target_are_one_file(self):
        target = self.write("dir/a.yaml", self.pod(self.web))
        (self.folder / "dir/link.yaml").symlink_to("a.yaml")
        done = self.expect(self.run_windlass("pin", "-i", "dir", "./dir", "dir/link.yaml", "dir/../dir/a.yaml"))
        self.assertIn("1 image pinned in 1 file, ", done.err)
        self.assertTrue((self.folder / "dir/link.yaml").is_symlink())
        self.assertEqual(target.read_text(), self.pod(self.pinned))

    def test_links_in_a_folder_do_not_lead_out_of_it(self):
        outside = self.write("outside/a.yaml", self.pod(self.web))
        self.write("dir/b.yaml", self.pod(self.web))
        (self.folder / "dir/a.yaml").symlink_to("../outside/a.yaml")
        (self.folder / "dir/more").symlink_to("../outside")
        done = self.expect(self.run_windlass("pin", "-i", "-o", "json", "dir"))
        self.assertEqual(json.loads(done.out)["changedFiles"], ["dir/b.yaml"])
        self.assertEqual(outside.read_text(), self.pod(self.web))

    def as_somebody(self, command, *paths):
        """Runs the program as a user who is not root and owns `paths`."""
        if os.getuid() == 0:
            for path in (self.folder, *paths):
                os.chown(path, 65534, 65534)
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=self.environment())
        if "windlass: " not in done.stderr:
            self.skipTest("the build's own folder is closed to other users")
        return done

    def test_a_file_that_cannot_be_put_in_place_takes_the_others_back(self):
        if os.getuid() != 0:
            self.skipTest("only root can make a file of somebody else's")
        mine, others = self.write("dir/a.yaml", self.pod(self.web)), self.write("dir/b.yaml", self.pod(self.web))
        last = self.write("dir/c.yaml", self.pod(self.web))
        others.chmod(0o666)
        (self.folder / "dir").chmod(0o1777)  # everybody may make files there, and rename but their own
        command = [WINDLASS, "pin", "-i", "-o", "json", "dir"]
        done = self.as_somebody(command, mine, last)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("dir/b.yaml: cannot be written: Operation not permitted; the file is unchanged", done.stderr)
        self.assertIn("nothing was written", done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["changedFiles"], [i["status"] for i in report["images"]]), ([], ["not-written"] * 3))
        self.assertEqual([path.read_text() for path in (mine, others, last)], [self.pod(self.web)] * 3)
        done = self.as_somebody([*command, "--keep-going"], mine, last)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("2 images pinned in 2 files, 0 were pinned before, 1 not written\n", done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["changedFiles"], ["dir/a.yaml", "dir/c.yaml"])
        self.assertEqual([i["status"] for i in report["images"]], ["pinned", "not-written", "pinned"])
        self.assertNotIn("pinned", report["images"][1])
        self.assertEqual([path.read_text() for path in (mine, others, last)],
                         [self.pod(self.pinned), self.pod(self.web), self.pod(self.pinned)])
        self.assertEqual(sorted(os.listdir(self.folder / "dir")), ["a.yaml", "b.yaml", "c.yaml"])

    def test_a_folder_that_may_not_be_read_is_named_and_hides_no_other(self):
        path = self.write("dir/a.yaml", self.pod(self.web))
        shut = self.write("dir/shut/b.yaml", self.pod(self.web)).parent
        shut.chmod(0)
        done = self.as_somebody([WINDLASS, "pin", "--check", "dir"], path)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("error: dir/shut: may not be read by this user; check its permissions", done.stderr)
        self.assertIn("dir/a.yaml:7:12: ", done.stdout)
        shut.chmod(0o755)

    def test_other_names_of_a_file_keep_the_old_contents_and_it_is_said(self):
        path = self.write("a.yaml", self.pod(self.web))
        os.link(path, self.folder / "b.txt")
        done = self.expect(self.run_windlass("pin", "-i", "a.yaml"))
        self.assertIn("warning: a.yaml: has other names (hard links), which keep the old contents", done.err)
        self.assertEqual(path.read_text(), self.pod(self.pinned))
        self.assertEqual((self.folder / "b.txt").read_text(), self.pod(self.web))

    def test_names_of_one_file_that_are_all_changed_keep_nothing_old(self):
        path, other = self.write("a.yaml", self.pod(self.web)), self.folder / "b.yaml"
        os.link(path, other)
        done = self.run_windlass("pin", "-i", "a.yaml", "b.yaml", "gone.yaml")
        self.assertNotIn("hard links", self.expect(done, code=3).err)
        done = self.expect(self.run_windlass("pin", "-i", "a.yaml", "b.yaml"))
        self.assertNotIn("keep the old contents", done.err)
        self.assertEqual(done.err.count("now each is a file of its own"), 2, done)
        self.assertEqual((path.read_text(), other.read_text()), (self.pod(self.pinned), self.pod(self.pinned)))

    def test_a_pipe_is_read_and_never_changed(self):
        os.mkfifo(self.folder / "pipe")
        self.expect_error(self.run_windlass("pin", "-i", "pipe"), 2, "pipe: is no regular file")
        writer = threading.Thread(target=lambda: (self.folder / "pipe").write_text(self.pod(self.web)), daemon=True)
        writer.start()
        self.expect(self.run_windlass("pin", "pipe"), out=self.pod(self.pinned))
        self.assertTrue(stat.S_ISFIFO((self.folder / "pipe").stat().st_mode))
        (self.folder / "dir").mkdir()
        os.mkfifo(self.folder / "dir/a.yaml")
        self.write("dir/b.yaml", self.pod(self.pinned))
        self.expect(self.run_windlass("pin", "--check", "dir"))

    def test_an_interrupt_ends_the_waiting_for_a_pipe(self):
        os.mkfifo(self.folder / "pipe")
        run = self.start("pin", "--check", "pipe")
        self.await_signal_handling(run)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=RUN_SECONDS_MAX)
        self.assertEqual(run.returncode, 130)

    def test_a_disk_without_room_leaves_every_file_as_it_was(self):
        padding = "# " + "x" * 70 + "\n"
        path = self.write("a.yaml", self.pod(self.web) + padding * 300)
        before = path.read_bytes()
        done = subprocess.run(["sh", "-c", 'ulimit -f 8; exec "$0" pin -i a.yaml', WINDLASS], cwd=self.folder,
                              env=self.environment(), capture_output=True, text=True)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"error: a\.yaml: cannot be written: .*; the file is unchanged")
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual(self.names(), ["a.yaml"])

    def test_a_full_output_is_an_error(self):
        self.write("a.yaml", self.pod(self.web))
        for arguments in (["pin", "a.yaml"], ["pin", "--check", "a.yaml"], ["pin", "--help"], ["--help"], ["--version"],
                          ["completion", "zsh"], ["manual", "man"], ["manual", "markdown"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([WINDLASS, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                      env=self.environment(), cwd=self.folder)
            self.assertEqual(done.returncode, 3, (arguments, done.stderr))
            self.assertEqual(done.stderr.count("standard output cannot be written"), 1, (arguments, done.stderr))

    def test_a_reader_that_goes_away_is_no_crash(self):
        self.write("a.yaml", self.pod(self.web) + "# " + "x" * 1000000 + "\n")
        done = subprocess.run(["bash", "-c", 'set -o pipefail; "$0" pin a.yaml | head -c1 >/dev/null', WINDLASS], cwd=self.folder,
                              env=self.environment(), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (141, ""))

    def test_names_and_contents_that_are_not_utf8(self):
        path = os.fsencode(self.folder) + b"/caf\xe9.yaml"
        with open(path, "w") as file:
            file.write(self.pod(self.web))
        done = self.expect(self.run_windlass("pin", "--check", "-o", "json", "."), code=1)
        self.assertIn('"file": "./caf\\\\xe9.yaml"', done.out)
        self.expect(self.run_windlass("pin", "-i", "."))
        with open(path) as file:
            self.assertEqual(file.read(), self.pod(self.pinned))
        self.write("b.yaml", b"kind: Pod\nname: \xff\n")
        self.expect_error(self.run_windlass("pin", "--check", "b.yaml"), 3, "b.yaml:2:7: ", "UTF-8")

    def test_a_file_of_a_gigabyte_is_refused_without_being_read(self):
        with open(self.folder / "big.yaml", "wb") as file:
            file.truncate(1 << 30)
        started = time.monotonic()
        self.expect_error(self.run_windlass("pin", "big.yaml"), 3, "big.yaml: larger than 64 MiB")
        self.assertLess(time.monotonic() - started, 10)

    def test_ten_thousand_documents_in_one_file(self):
        text = "".join(f"---\n{self.pod(self.web)}" for _ in range(10000))
        self.write("many.yaml", text)
        done = self.expect(self.run_windlass("pin", "many.yaml"))
        self.assertEqual(done.out, text.replace(self.web, self.pinned))

    def test_bombs_and_depths_end_quickly_with_the_place(self):
        bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
            f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30))
        self.write("bomb.yaml", "apiVersion: v1\nkind: Pod\n" + bomb + f"spec: {{containers: [{{image: '{self.web}'}}]}}\n")
        self.write("deep.yaml", "a: " + "[" * 100000)
        self.write("deep.json", "[" * 100000)
        started = time.monotonic()
        self.assertIn(self.run_windlass("pin", "--check", "bomb.yaml").code, (1, 3))
        for name in ("deep.yaml", "deep.json"):
            self.expect_error(self.run_windlass("pin", "--check", name), 3, f"{name}:1:")
        self.assertLess(time.monotonic() - started, 20)

    def test_keys_that_stand_twice_and_kinds_that_nobody_knows(self):
        self.write("twice.yaml", self.pod(self.web) + f"    image: {self.web}\n")
        self.expect_error(self.run_windlass("pin", "twice.yaml"), 3, "twice.yaml:8:5: ", "7")
        unknown = self.pod(self.web).replace("kind: Pod", "kind: Gadget").replace("v1", "gadgets.test/v1")
        self.write("unknown.yaml", unknown)
        self.expect(self.run_windlass("pin", "unknown.yaml"), out=unknown.replace(self.web, self.pinned))

    def test_options_that_contradict_each_other(self):
        for arguments, part in ((["-i", "--check"], "--in-place and --check do not go together"),
                                (["--update", "--unpin"], "do not go together"), (["-q", "-v"], "do not go together"),
                                (["--diff", "-o", "json"], "do not go together"), (["--verify"], "needs --check")):
            done = self.run_windlass("pin", *arguments, "a.yaml")
            self.assertEqual((done.code, done.out), (2, ""), done)
            self.assertIn(part, done.err)
            self.assertIn("Try 'windlass pin --help'.", done.err)

    def test_an_interrupt_is_answered_at_once_even_inside_a_large_file(self):
        self.write("large.yaml", "".join(f"---\n{self.pod('a.test/b:1')}" for _ in range(400000)))
        run = self.start("pin", "--check", "large.yaml")
        self.await_signal_handling(run)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=RUN_SECONDS_MAX)
        self.assertEqual(run.returncode, 130, err)
        self.assertIn("interrupted; no file was changed", err)

    def test_an_interrupt_while_waiting_for_registries_leaves_no_trace(self):
        with FaultyServer() as server, contextlib.ExitStack() as stack:
            for i in range(50):
                self.write(f"dir/{i}.yaml", self.pod(self.web, f"{server.host}/app:{i}"))
            run = stack.enter_context(self.start("pin", "-i", "dir"))
            self.assertTrue(server.asked.wait(RUN_SECONDS_MAX))
            run.send_signal(signal.SIGTERM)
            _, err = run.communicate(timeout=RUN_SECONDS_MAX)
        self.assertEqual(run.returncode, 130, err)
        self.assertEqual(err, "windlass: error: interrupted; no file was changed\n")
        self.assertEqual(len(os.listdir(self.folder / "dir")), 50)


if __name__ == "__main__":
    unittest.main()
