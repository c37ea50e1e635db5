"""windlass pin beyond writing digests once: plan and apply, lock, update, unpin, verify, listing, reports, rules."""

import json
import os
import signal
import subprocess
import unittest

from faulty_server import closed_port
from support import RUN_SECONDS_MAX, WINDLASS, EndToEndTest


class ModesTest(EndToEndTest):
    def setUp(self):
        super().setUp()
        self.host = self.shop.counted.host
        self.web = f"{self.host}/shop/web:1.4.0"
        self.pinned = f"{self.web}@{self.digest('web:1.4.0')}"
        self.other = f"{self.web}@{self.digest('cart:2.1')}"  # a digest that the tag does not have

    # Plan and apply.

    def test_a_plan_changes_nothing_and_applying_it_does_exactly_what_it_says(self):
        files = self.copy_shop()
        self.expect(self.run_windlass("pin", "--plan", "plan.json", "shop"), out="")
        for path, data in files.items():
            self.assertEqual(path.read_bytes(), data)
        plan = json.loads((self.folder / "plan.json").read_text())
        edits = {(file["file"], edit["line"]): edit for file in plan["files"] for edit in file["edits"]}
        self.assertEqual(edits["shop/web.yaml", 21]["becomes"], self.pinned)
        asked = self.shop.counted.requests
        done = self.expect(self.run_windlass("pin", "--apply", "plan.json"), out="")
        self.assertIn(f"{len(edits)} images pinned in {len(plan['files'])} files", done.err)
        self.assertEqual(self.shop.counted.requests, asked)
        applied = {path: path.read_bytes() for path in files}
        self.copy_shop()
        self.expect(self.run_windlass("pin", "-i", "shop"))
        self.assertEqual({path: path.read_bytes() for path in files}, applied)

    def test_an_edit_that_was_taken_out_of_a_plan_is_not_made(self):
        path = self.write("pod.yaml", self.pod(self.web, f"{self.host}/shop/cart:2.1"))
        plan = json.loads(self.expect(self.run_windlass("pin", "--plan", "plan.json", "pod.yaml")) and
                          (self.folder / "plan.json").read_text())
        del plan["files"][0]["edits"][0]
        self.write("plan.json", json.dumps(plan))
        self.expect(self.run_windlass("pin", "--apply", "plan.json"))
        self.assertEqual(path.read_text(), self.pod(self.web, f"{self.host}/shop/cart:2.1@{self.digest('cart:2.1')}"))

    def test_a_plan_is_refused_when_its_file_has_changed_or_it_names_what_is_not_there(self):
        path = self.write("pod.yaml", self.pod(self.web))
        self.expect(self.run_windlass("pin", "--plan", "plan.json", "pod.yaml"))
        plan = (self.folder / "plan.json").read_text()
        self.write("plan.json", plan.replace('"offset": ', '"offset": 1'))
        self.expect_error(self.run_windlass("pin", "--apply", "plan.json"), 3, "pod.yaml:7:12: the plan names")
        path.write_text("# new\n" + path.read_text())
        self.write("plan.json", plan)
        self.expect_error(self.run_windlass("pin", "--apply", "plan.json"), 3, "pod.yaml: has changed since the plan")
        self.write("plan.json", plan.replace('"version": 1', '"version": 7'))
        self.expect_error(self.run_windlass("pin", "--apply", "plan.json"), 3, "plan.json: not a plan that can be used: it is of version 7")
        self.assertEqual(path.read_text(), "# new\n" + self.pod(self.web))

    def test_a_plan_is_refused_when_its_digest_is_not_what_its_reader_was_told(self):
        path = self.write("pod.yaml", self.pod(self.web))
        self.expect(self.run_windlass("pin", "--plan", "plan.json", "pod.yaml"))
        plan = json.loads((self.folder / "plan.json").read_text())
        for name, value in (("becomes", self.other), ("digest", self.digest("cart:2.1")), ("style", "digest")):
            changed = json.loads(json.dumps(plan))
            changed["files"][0]["edits"][0][name] = value
            self.write("changed.json", json.dumps(changed))
            self.expect_error(self.run_windlass("pin", "--apply", "changed.json"), 3, "pod.yaml:7:12: the plan says that it becomes")
        self.assertEqual(path.read_text(), self.pod(self.web))

    def test_a_plan_that_takes_digests_out_says_so(self):
        path = self.write("pod.yaml", self.pod(self.pinned))
        self.expect(self.run_windlass("pin", "--unpin", "--plan", "plan.json", "pod.yaml"))
        done = self.expect(self.run_windlass("pin", "--apply", "plan.json"))
        self.assertIn("1 image unpinned in 1 file", done.err)
        self.assertEqual(path.read_text(), self.pod(self.web))

    def test_a_plan_names_its_files_in_utf8(self):
        name = os.fsdecode(b"odd\xff.yaml")
        text = self.pod(self.pinned)
        self.write(name, text)
        done = self.run_windlass("pin", "--unpin", "--plan", "plan.json", name)
        self.expect_error(done, 3, "odd\\xff.yaml: its name is not UTF-8, and a plan cannot hold it; rename it")
        self.assertFalse((self.folder / "plan.json").exists())
        self.expect(self.run_windlass("pin", "--unpin", "-i", name))

    def test_images_in_texts_of_a_config_map_are_pinned_when_asked_for(self):
        text = ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  pod.yaml: |\n    # kept\n" +
                "".join(f"    {line}\n" for line in self.pod(self.web).splitlines()) +
                f"  c.json: '{{\"services\": {{\"a\": {{\"image\": \"{self.web}\"}}}}}}'\n  notes: see image {self.web}\n")
        path = self.write("cm.yaml", text)
        self.expect(self.run_windlass("pin", "--check", "cm.yaml"))
        done = self.expect(self.run_windlass("pin", "--check", "--in-strings", "cm.yaml"), code=1)
        self.assertIn(f"cm.yaml:13:16: {self.web} is not pinned", done.out + done.err)
        self.expect(self.run_windlass("pin", "--in-strings", "--plan", "plan.json", "cm.yaml"))
        self.expect_error(self.run_windlass("pin", "--apply", "plan.json"), 3, "--in-strings")
        self.expect(self.run_windlass("pin", "--in-strings", "--apply", "plan.json"))
        pinned = text.replace(f"image: {self.web}", f"image: {self.pinned}").replace(f'"{self.web}"', f'"{self.pinned}"')
        self.assertEqual(path.read_text(), pinned.replace(f"see image: {self.pinned}", f"see image {self.web}"))
        self.expect(self.run_windlass("pin", "--in-strings", "--unpin", "-i", "cm.yaml"))
        self.assertEqual(path.read_text(), text)

    def test_no_option_overwrites_a_file_that_is_something_else(self):
        pod = self.pod(self.web)
        path = self.write("pod.yaml", pod)
        (self.folder / "link").symlink_to("pod.yaml")
        for arguments in (["--plan", "pod.yaml", "pod.yaml"], ["--plan", "link", "pod.yaml"], ["--plan", "pod.yaml", "."],
                          ["-i", "--metrics-file", "pod.yaml", "pod.yaml"], ["-i", "--metrics-file", "link", "."],
                          ["-i", "--lock", "pod.yaml", "pod.yaml"]):
            asked = self.shop.counted.requests
            self.expect_error(self.run_windlass("pin", *arguments), 2, "name another file")
            self.assertEqual((path.read_text(), self.shop.counted.requests), (pod, asked), arguments)
        self.expect_error(self.run_windlass("resolve", "--metrics-file", "pod.yaml", self.web), 2, "holds no metrics")
        os.mkfifo(self.folder / "fifo")
        (self.folder / "null").symlink_to("/dev/null")
        for option in ("--plan", "--metrics-file"):
            for name in ("fifo", "null", "."):
                self.expect_error(self.run_windlass("pin", option, name, "pod.yaml"), 2, f"{option} {name}: is no regular file")
        done = self.run_windlass("pin", "-i", "--metrics-file", "none/run.prom", "pod.yaml")
        self.expect_error(done, 3, "--metrics-file: none/run.prom: cannot be written")
        self.assertEqual(path.read_text(), pod)
        (self.folder / "latest.prom").symlink_to("run.prom")
        self.expect(self.run_windlass("resolve", "--metrics-file", "latest.prom", self.web))
        self.assertTrue((self.folder / "latest.prom").is_symlink())
        for _ in range(2):
            self.expect(self.run_windlass("pin", "--plan", "plan.json", "--metrics-file", "run.prom", "pod.yaml"))

    # The lock.

    def test_a_lock_gives_the_same_digests_and_works_offline(self):
        path = self.write("a.yaml", self.pod(self.web))
        self.expect(self.run_windlass("pin", "-i", "--lock", "windlass.lock", "a.yaml"), out="")
        lock = json.loads((self.folder / "windlass.lock").read_text())
        self.assertEqual(lock, {"version": 1, "images": {self.web: self.digest("web:1.4.0")}})
        self.assertEqual(path.read_text(), self.pod(self.pinned))
        asked = self.shop.counted.requests
        self.write("b.yaml", self.pod(self.web))
        self.expect(self.run_windlass("pin", "--lock", "windlass.lock", "--offline", "b.yaml"), out=self.pod(self.pinned))
        self.expect(self.run_windlass("pin", "--lock", "windlass.lock", "b.yaml"), out=self.pod(self.pinned))
        self.assertEqual(self.shop.counted.requests, asked)
        self.write("c.yaml", self.pod(f"{self.host}/shop/cart:2.1"))
        self.expect_error(self.run_windlass("pin", "--lock", "windlass.lock", "--offline", "c.yaml"), 5,
                          "c.yaml:7:12: ", "not in the lock")

    def test_entries_that_somebody_else_adds_to_the_lock_meanwhile_are_not_lost(self):
        run = subprocess.Popen([WINDLASS, "pin", "--lock", "windlass.lock", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, cwd=self.folder, env=self.environment(), text=True)
        run.stdin.write("# more than a pipe holds: when it is written, the lock has been read\n" * 5000)
        run.stdin.flush()
        lock = self.write("windlass.lock", '{"version": 1, "images": {"a.test/b:1": "%s"}}\n' % self.digest("cart:2.1"))
        _, err = run.communicate(self.pod(self.web), timeout=RUN_SECONDS_MAX)
        self.assertEqual(run.returncode, 3, err)
        self.assertIn("windlass.lock: somebody else changed it meanwhile; run again", err)
        self.assertIn("a.test/b:1", lock.read_text())

    def test_a_lock_decides_until_an_update(self):
        old = self.digest("cart:2.1")
        text = json.dumps({"version": 1, "images": {self.web: old}})
        self.write("windlass.lock", text)
        path = self.write("a.yaml", self.pod(self.web))
        self.expect(self.run_windlass("pin", "-i", "--lock", "windlass.lock", "a.yaml"))
        self.assertEqual(path.read_text(), self.pod(self.other))
        self.assertEqual((self.folder / "windlass.lock").read_text(), text)
        self.expect(self.run_windlass("pin", "-i", "--update", "--lock", "windlass.lock", "a.yaml"))
        self.assertEqual(path.read_text(), self.pod(self.pinned))
        self.assertIn(self.digest("web:1.4.0"), (self.folder / "windlass.lock").read_text())
        self.write("windlass.lock", text)
        done = self.expect(self.run_windlass("pin", "--check", "--lock", "windlass.lock", "a.yaml"), code=1)
        self.assertEqual(done.out, f"a.yaml:7:12: {self.pinned} is not as locked: the lock says {old}\n")
        self.assertIn("1 of 1 image is not as locked; 'windlass pin -i --lock' makes it agree", done.err)
        sarif = json.loads(self.run_windlass("pin", "--check", "-o", "sarif", "--lock", "windlass.lock", "a.yaml").out)
        self.assertEqual(sarif["runs"][0]["results"][0]["ruleId"], "not-as-locked")
        # The lock decides, and nobody is asked.
        asked = self.shop.counted.requests
        done = self.expect(self.run_windlass("pin", "-i", "--offline", "--lock", "windlass.lock", "a.yaml"))
        self.assertEqual(done.err, "windlass: 0 images pinned in 1 file, 1 updated, 0 were pinned before\n")
        self.assertIn(old, (self.folder / "a.yaml").read_text())
        self.expect(self.run_windlass("pin", "--check", "--lock", "windlass.lock", "a.yaml"), out="", err="")
        self.assertEqual(self.shop.counted.requests, asked)

    def test_a_lock_learns_what_is_pinned_and_a_check_tells_what_it_does_not_know(self):
        digest_alone = f"{self.host}/shop/cart@{self.digest('cart:2.1')}"
        text = self.pod(self.other, digest_alone)
        self.write("a.yaml", text)
        self.write("windlass.lock", '{"version": 1, "images": {}}')
        asked = self.shop.counted.requests
        done = self.expect(self.run_windlass("pin", "--check", "--lock", "windlass.lock", "a.yaml"), code=1)
        self.assertEqual(done.out, f"a.yaml:7:12: {self.other} is not in the lock\n")
        self.expect(self.run_windlass("pin", "-i", "--lock", "windlass.lock", "a.yaml"))
        self.assertEqual((self.folder / "a.yaml").read_text(), text)
        self.assertEqual(json.loads((self.folder / "windlass.lock").read_text())["images"],
                         {self.web: self.other.partition("@")[2]})
        self.expect(self.run_windlass("pin", "--check", "--lock", "windlass.lock", "a.yaml"), out="", err="")
        self.write("b.yaml", self.pod(self.web))
        self.expect(self.run_windlass("pin", "--lock", "windlass.lock", "b.yaml"), out=self.pod(self.other))
        self.assertEqual(self.shop.counted.requests, asked)

    def test_a_lock_that_cannot_be_used_stops_the_run(self):
        path = self.write("a.yaml", self.pod(self.web))
        for text, part in (("{", "windlass.lock:1:2: not JSON: "), ("[]", "windlass.lock: not a lock that can be used: "),
                           ('{"version": 2, "images": {}}', "it is of version 2, and this windlass knows version 1; use a newer windlass")):
            self.write("windlass.lock", text)
            self.expect_error(self.run_windlass("pin", "-i", "--lock", "windlass.lock", "a.yaml"), 3, part)
            self.assertEqual((self.folder / "windlass.lock").read_text(), text)
        (self.folder / "windlass.lock").unlink()
        self.expect_error(self.run_windlass("pin", "--check", "--lock", "windlass.lock", "a.yaml"), 3, "no such file")
        (self.folder / "windlass.lock").mkdir()
        self.expect_error(self.run_windlass("pin", "-i", "--lock", "windlass.lock", "a.yaml"), 3, "is a directory")
        self.assertEqual(path.read_text(), self.pod(self.web))

    # Update, unpin, verify.

    def test_update_follows_tags_and_unpin_gives_the_file_back(self):
        digest_alone = f"{self.host}/shop/cart@{self.digest('cart:2.1')}"
        path = self.write("a.yaml", self.pod(self.other, digest_alone))
        done = self.expect(self.run_windlass("pin", "-i", "--update", "a.yaml"))
        self.assertIn("0 images pinned in 1 file, 1 updated, 1 was pinned before", done.err)
        self.assertEqual(path.read_text(), self.pod(self.pinned, digest_alone))
        done = self.expect(self.run_windlass("pin", "--unpin", "a.yaml"), out=self.pod(self.web, f"{self.host}/shop/cart"))
        self.assertEqual(done.err, f"windlass: warning: a.yaml:9:12: {digest_alone}: no tag is known: without its digest the image is "
                                   "\"latest\"; write its tag\n")

    def test_unpin_gives_back_every_byte_in_every_style(self):
        for style in ("tag", "comment"):
            files = self.copy_shop()
            self.expect(self.run_windlass("pin", "-i", "--style", style, "shop"))
            self.assertNotEqual({p: p.read_bytes() for p in files}, files)
            asked = self.shop.counted.requests
            self.expect(self.run_windlass("pin", "-i", "--unpin", "shop"))
            self.assertEqual(self.shop.counted.requests, asked)
            for path, data in files.items():
                before = data if b"@sha256" not in data else None
                if before is not None:
                    self.assertEqual(path.read_bytes(), before, f"{style} {path.name}")

    def test_verify_asks_whether_tags_have_moved(self):
        self.write("a.yaml", self.pod(self.other))
        self.expect(self.run_windlass("pin", "--check", "a.yaml"), out="")
        done = self.expect(self.run_windlass("pin", "--check", "--verify", "a.yaml"), code=1)
        self.assertEqual(done.out, f"a.yaml:7:12: {self.other} has moved: its registry now says {self.digest('web:1.4.0')}\n")
        self.write("a.yaml", self.pod(self.pinned))
        self.expect(self.run_windlass("pin", "--check", "--verify", "a.yaml"), out="")
        self.write("a.yaml", self.pod(f"{self.host}/shop/web:9.9@{self.digest('web:1.4.0')}"))
        self.expect_error(self.run_windlass("pin", "--check", "--verify", "a.yaml"), 4, "MANIFEST_UNKNOWN")

    # Listing and reports.

    def test_a_list_tells_every_image_and_why_the_others_are_left_alone(self):
        self.write("a.yaml", self.pod(self.web, f"{self.web}  # windlass: ignore") +
                   "    args: [--sidecar=registry.test/o/sidecar:1]\n")
        asked = self.shop.counted.requests
        lines = self.expect(self.run_windlass("pin", "--list", "a.yaml")).out.splitlines()
        self.assertEqual(len(lines), 3, lines)
        self.assertEqual(lines[0], f"a.yaml:7:12: {self.web}: not pinned; rule: Pod: spec")
        self.assertRegex(lines[1], r"^a.yaml:9:12: .*: left alone: .*ignore")
        self.assertRegex(lines[2], r"^a.yaml:10:\d+: .*sidecar:1: left alone: looks like an image, but it stands in an argument")
        self.assertEqual(self.shop.counted.requests, asked)

    def test_a_check_says_of_how_many_images_it_knows_nothing(self):
        self.write("a.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n"
                   f"  - image: {self.host}/shop/web:${{TAG}}\n  - image: {self.pinned}\n")
        done = self.expect(self.run_windlass("pin", "--check", "a.yaml"), out="")
        self.assertEqual(done.err, "windlass: 1 of 2 images is not checked: a template or a variable stands in it; "
                                   "--list shows it\n")
        done = self.expect(self.run_windlass("pin", "-i", "a.yaml"))
        self.assertIn("1 left alone for a template or variable", done.err)
        # Each reason for which a name in a Dockerfile is not known.
        self.write("Dockerfile", "ARG TAG=1\nARG BASE=web\nARG NESTED=$BASE\nFROM r.test/web:${TAG}\nFROM ${NONE}\n"
                   "FROM r.test/$BASE:1\nFROM $BASE\nFROM $NESTED\nFROM scratch\n")
        done = self.expect(self.run_windlass("pin", "--check", "Dockerfile"), out="")
        self.assertIn("5 of 6 images are not checked", done.err)

    def test_what_is_on_the_skip_list_passes_a_check(self):
        self.write("a.yaml", self.pod("kind.local/app:1", self.pinned))
        self.expect(self.run_windlass("pin", "--check", "a.yaml"), out="", err="")
        self.expect(self.run_windlass("pin", "--check", "--skip", "other.test", "a.yaml"), code=1)
        self.write("b.yaml", self.pod(self.web))
        self.expect(self.run_windlass("pin", "--check", "--skip", f"{self.host}/shop", "b.yaml"), out="")
        line = self.expect(self.run_windlass("pin", "--list", "--skip", self.host, "b.yaml")).out
        self.assertIn("left alone: its registry is on the skip list (--skip)", line)

    def test_an_object_without_a_name_is_told_by_its_kind(self):
        self.write("a.yaml", self.pod(self.web).replace("metadata: {name: p}\n", ""))
        report = json.loads(self.expect(self.run_windlass("pin", "--check", "-o", "json", "a.yaml"), code=1).out)
        self.assertEqual(report["images"][0]["object"], "Pod")

    def test_settings_are_not_read_from_standard_input(self):
        self.write("a.yaml", self.pod(self.web))
        for option in ("--rules", "--config", "--lock"):
            self.expect_error(self.run_windlass("pin", option, "-", "a.yaml"), 3, f"{option}: is not read from standard input")

    def test_explain_tells_what_was_asked_with_which_login_and_what_kind_of_digest_it_is(self):
        path = self.write("a.yaml", self.pod(self.web, self.other, f"{self.host}/shop/ledger:16.2"))
        lines = self.expect(self.run_windlass("pin", "--explain", "a.yaml")).out.splitlines()
        self.assertEqual(lines[0], f"a.yaml:7:12: {self.web}: not pinned: would get {self.digest('web:1.4.0')}, "
                                   f"an index of platforms; asked {self.host} with anonymous; rule: Pod: spec")
        self.assertIn(f"pinned, and moved to {self.digest('web:1.4.0')}", lines[1])
        self.assertIn("one image", lines[2])
        self.assertEqual(path.read_text(), self.pod(self.web, self.other, f"{self.host}/shop/ledger:16.2"))

    def test_reports_for_programs(self):
        self.write("a.yaml", self.pod(self.web, self.other))
        done = self.expect(self.run_windlass("pin", "--check", "-o", "ndjson", "a.yaml"), code=1)
        statuses = [json.loads(line)["status"] for line in done.out.splitlines()]
        self.assertEqual(statuses, ["unpinned", "already-pinned"])
        sarif = json.loads(self.expect(self.run_windlass("pin", "--check", "-o", "sarif", ".//a.yaml"), code=1).out)
        (result,) = sarif["runs"][0]["results"]
        self.assertEqual(sarif["version"], "2.1.0")
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.yaml")
        self.assertEqual(result["ruleId"], "unpinned")
        self.assertIn(result["ruleId"], [rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]])
        self.assertEqual(result["locations"][0]["physicalLocation"],
                         {"artifactLocation": {"uri": "a.yaml"}, "region": {"startLine": 7, "startColumn": 12}})
        done = self.expect(self.run_windlass("pin", "--check", "--annotations", "github", "a.yaml"), code=1)
        self.assertIn(f"::error file=a.yaml,line=7,col=12,title=windlass%3A unpinned::{self.web} is not pinned", done.err)
        self.assertNotIn("::", done.out)
        done = self.expect(self.run_windlass("pin", "--check", "-o", "json", "--annotations", "github", "a.yaml"), code=1)
        self.assertEqual(json.loads(done.out)["exitCode"], 1)
        report = json.loads(self.expect(self.run_windlass("pin", "-i", "-o", "json", "a.yaml")).out)
        self.assertEqual(report["changedFiles"], ["a.yaml"])
        self.assertEqual(report["images"][0]["kind"], "index")

    def test_a_value_that_names_no_image_is_told_with_its_place(self):
        place = "a.yaml:7:12: spec.containers[0].image: expected an image reference, found "
        for value, found in (("12", "the number 12: put it in quotes"), ("[a]", "a list"), ("yes", "the truth value yes")):
            path = self.write("a.yaml", self.pod(value))
            for mode in ("--check", "-i", "--diff"):
                self.expect_error(self.run_windlass("pin", mode, "a.yaml"), 3, place + found)
            self.assertEqual(path.read_text(), self.pod(value))
            self.assertIn(f"a.yaml:7:12: {'' if value == '[a]' else value + ': '}failed: spec.containers[0].image: expected",
                          self.run_windlass("pin", "--list", "a.yaml").out)
        for value in ('""', "null", "~", ""):
            self.write("a.yaml", self.pod(value, self.web))
            line = f"a.yaml:7:{12 if value else 11}: {value + ': ' if value.strip('~nul') != value else ''}"
            line += "cannot be pinned: expected an image reference, found nothing"
            done = self.expect(self.run_windlass("pin", "--check", "a.yaml"), code=1)
            self.assertEqual(done.out.splitlines()[0], line)
            self.assertIn("1 of 2 images cannot be pinned: see above", done.err)
            done = self.expect(self.run_windlass("pin", "a.yaml"), out=self.pod(value, self.pinned))
            self.assertIn("warning: " + line, done.err)
            self.assertIn(line, self.run_windlass("pin", "--list", "a.yaml").out)
        self.write("values.yaml", f'image: ""\nweb: {{image: {{repository: {self.host}/shop/web, tag: ""}}}}\n')
        self.expect(self.run_windlass("pin", "--check", "values.yaml"), out="", err="")

    def test_an_image_that_cannot_be_changed_where_it_stands_fails_a_check(self):
        text = self.pod("*shared").replace("{name: p}", f"{{name: p, annotations: {{a: &shared '{self.web}'}}}}")
        self.write("a.yaml", text)
        done = self.expect(self.run_windlass("pin", "--check", "a.yaml"), code=1)
        self.assertRegex(done.out, f"^a.yaml:3:[0-9]+: {self.web}: cannot be pinned: the anchor of this image stands at a value")
        done = self.expect(self.run_windlass("pin", "a.yaml"), out=text)
        self.assertIn("cannot be pinned", done.err)
        report = json.loads(self.run_windlass("pin", "--check", "-o", "json", "a.yaml").out)
        self.assertEqual((report["exitCode"], report["images"][0]["status"]), (1, "unpinnable"))
        self.write("a.yaml", text.replace("*shared", "*shared  # windlass: ignore"))
        self.expect(self.run_windlass("pin", "--check", "a.yaml"), out="", err="")

    def test_a_tag_that_other_values_share_gets_no_digest(self):
        text = f"a: {{image: {{repository: {self.host}/shop/web, tag: &tag 1.4.0}}}}\nb: {{image: {{repository: {self.host}/shop/cart, tag: *tag}}}}\n"
        self.write("values.yaml", text)
        self.assertIn("cannot be pinned", self.expect(self.run_windlass("pin", "values.yaml"), out=text).err)

    # What is read.

    def test_what_git_ignores_is_left_out(self):
        for name in ("a.yaml", "build/b.yaml", "sub/gen.yaml", "sub/keep.yaml", "sub/deep/gen.yaml"):
            self.write(f"repo/{name}", self.pod(self.web))
        self.write("repo/.gitignore", "build/\ngen.yaml\n")
        self.write("repo/sub/deep/.gitignore", "!gen.yaml\n")
        subprocess.run(["git", "init", "-q", "repo"], cwd=self.folder, check=True, env=self.environment())
        subprocess.run(["git", "add", "."], cwd=self.folder / "repo", check=True, env=self.environment())
        tracked = subprocess.run(["git", "ls-files", "*.yaml"], cwd=self.folder / "repo", check=True, capture_output=True,
                                 text=True, env=self.environment()).stdout.split()
        done = self.expect(self.run_windlass("pin", "--check", "repo"), code=1)
        self.assertEqual([line.split(":")[0] for line in done.out.splitlines()], [f"repo/{name}" for name in tracked])
        done = self.expect(self.run_windlass("pin", "--check", "--no-ignore", "repo"), code=1)
        self.assertEqual(len(done.out.splitlines()), 5)
        self.expect(self.run_windlass("pin", "--check", "repo/build"), code=1)  # it was asked for by name
        self.expect(self.run_windlass("pin", "--check", "repo/build/b.yaml"), code=1)

    def test_a_digest_without_a_tag_is_told_when_tags_are_followed(self):
        text = self.pod(self.web.rsplit(":", 1)[0] + "@" + self.pinned.rsplit("@", 1)[1])
        self.write("a.yaml", text)
        said = "1 of 1 image is not looked up: no tag stands beside its digest; write it\n"
        self.assertIn(said, self.expect(self.run_windlass("pin", "--check", "--verify", "a.yaml")).err)
        self.assertIn(said, self.expect(self.run_windlass("pin", "-i", "--update", "a.yaml")).err)
        self.expect(self.run_windlass("pin", "--check", "a.yaml"), out="", err="")

    def test_a_difference_of_the_current_folder_can_be_applied_by_git(self):
        path = self.write("a.yaml", self.pod(self.web))
        diff = self.expect(self.run_windlass("pin", "--diff", ".")).out
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        subprocess.run(["git", "apply"], input=diff.encode(), cwd=self.folder, check=True)
        self.assertEqual(path.read_text(), self.pod(self.pinned))

    def test_rules_say_where_other_kinds_name_images(self):
        widget = f"apiVersion: example.test/v1\nkind: Widget\nspec:\n  engine: {self.web}\n"
        self.write("w.yaml", widget)
        self.expect(self.run_windlass("pin", "w.yaml"), out=widget)
        self.write("rules.yaml", "rules:\n- kind: Widget\n  paths: [spec.engine]\n")
        self.expect(self.run_windlass("pin", "--rules", "rules.yaml", "w.yaml"), out=widget.replace(self.web, self.pinned))
        # Of a folder, JSON is read too, and a rule that leads nowhere is told.
        self.write("folder/w.json", json.dumps({"apiVersion": "example.test/v1", "kind": "Widget", "spec": {"engine": self.web}}))
        done = self.run_windlass("pin", "--check", "--rules", "rules.yaml", "folder")
        self.expect(done, code=1)
        self.assertIn("folder/w.json:1:", done.out)
        self.write("nowhere.yaml", "rules:\n- kind: Widgets\n  paths: [spec.engine]\n")
        done = self.run_windlass("pin", "--check", "--rules", "rules.yaml", "--rules", "nowhere.yaml", "folder")
        self.assertIn('warning: nowhere.yaml:3:11: the rule "spec.engine" of kind "Widgets" leads to nothing', done.err)
        self.assertNotIn("warning: rules.yaml", done.err)
        self.expect(self.run_windlass("pin", "--rules", "nowhere.yaml", "w.yaml"), out=widget, err="")  # a hook names few files
        self.write("rules.yaml", "rules:\n- kind: Widget\n  path: spec.engine\n")
        self.expect_error(self.run_windlass("pin", "--rules", "rules.yaml", "w.yaml"), 3, "rules.yaml:3:3: ")
        self.expect_error(self.run_windlass("pin", "--rules", "none.yaml", "w.yaml"), 3, "--rules: none.yaml: no such file")

    def test_a_format_and_duplicate_keys_can_be_asked_for(self):
        compose = f"services:\n  web:\n    image: {self.web}\n"
        self.write("stack.txt", compose)
        self.expect(self.run_windlass("pin", "--format", "compose", "stack.txt"), out=compose.replace(self.web, self.pinned))
        twice = self.pod(self.web) + f"    image: {self.host}/shop/cart:2.1\n"
        self.write("twice.yaml", twice)
        self.expect_error(self.run_windlass("pin", "twice.yaml"), 3, "twice.yaml:8:5: ")
        self.expect(self.run_windlass("pin", "--allow-duplicate-keys", "twice.yaml"),
                    out=twice.replace("cart:2.1", f"cart:2.1@{self.digest('cart:2.1')}"))

    def test_a_configuration_file_gives_what_the_command_line_does_not(self):
        self.write("conf.yaml", "timeout: 1s\npin:\n  style: digest\n")
        self.write("a.yaml", self.pod(self.web))
        self.expect(self.run_windlass("pin", "--config", "conf.yaml", "a.yaml"),
                    out=self.pod(self.pinned.replace(":1.4.0@", "@")))
        self.expect(self.run_windlass("pin", "--config", "conf.yaml", "--style", "tag", "a.yaml"), out=self.pod(self.pinned))
        self.write("conf.yaml", "timeout: 1s\nprogres: never\n")
        done = self.run_windlass("pin", "--config", "conf.yaml", "a.yaml")
        self.expect_error(done, 2, "conf.yaml:2:1: unknown option \"progres\"; did you mean progress?; there are timeout,")
        self.expect_error(self.run_windlass("pin", "--config", "none.yaml", "a.yaml"), 3, "--config: none.yaml: no such file")

    def test_retries_bound_the_tries(self):
        self.expect_error(self.run_windlass("resolve", "--retries", "0", "--timeout", "60s", f"{closed_port()}/a:1"), 5, "refused")

    # As a function of an orchestrator.

    def krm(self, *images, config="", tail=""):
        items = "".join(
            f"- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p{i}\n    annotations:\n"
            f"      internal.config.kubernetes.io/index: '{i}'\n      internal.config.kubernetes.io/path: 'pod.yaml'\n"
            f"  spec:\n    containers:\n    - name: a # a comment\n      image: {image}\n" for i, image in enumerate(images))
        return f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n{config}items:\n{items}{tail}"

    def test_krm_pins_the_items_and_tells_results(self):
        done = self.expect(self.run_windlass("krm", stdin=self.krm(self.web, f"{self.host}/shop/cart:2.1").encode()))
        start = self.krm(self.pinned, f"{self.host}/shop/cart:2.1@{self.digest('cart:2.1')}") + "results:\n"
        self.assertTrue(done.out.startswith(start), done)
        results = [json.loads(line.removeprefix("- ")) for line in done.out[len(start):].splitlines()]
        self.assertEqual(results[0], {
            "message": f"pinned {self.web}", "severity": "info",
            "resourceRef": {"apiVersion": "v1", "kind": "Pod", "name": "p0"}, "file": {"path": "pod.yaml", "index": 0},
            "field": {"path": "spec.containers[0].image", "currentValue": self.web, "proposedValue": self.pinned}})
        self.assertEqual(results[1]["file"]["index"], 1)

    def test_krm_takes_options_from_its_function_config(self):
        config = ("functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: fn}\n  data:\n"
                  f"    skip: kind.local, {self.host}/shop/cart\n")
        text = self.krm(self.web, f"{self.host}/shop/cart:2.1", config=config)
        done = self.expect(self.run_windlass("krm", stdin=text.encode()))
        self.assertTrue(done.out.startswith(text.replace(self.web, self.pinned)), done)
        done = self.run_windlass("krm", stdin=text.replace("skip:", "skpi:").encode())
        self.expect_error(done, 3, "<stdin>:8:5: functionConfig: unknown option \"skpi\"")

    def test_krm_pins_texts_of_a_config_map_when_asked_for(self):
        item = ("- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: m}\n  data:\n    pod.json: |\n"
                f'      {{"kind": "Pod", "apiVersion": "v1", "spec": {{"containers": [{{"image": "{self.web}"}}]}}}}\n')
        config = "functionConfig:\n  kind: ConfigMap\n  data: {in-strings: true}\n"
        for how, wanted in (("", item), (config, item.replace(self.web, self.pinned))):
            text = self.krm(config=how) + item
            done = self.expect(self.run_windlass("krm", stdin=text.encode()))
            self.assertIn(wanted, done.out)

    def test_krm_changes_no_item_when_something_failed_and_says_so_in_the_results(self):
        text = self.krm(self.web, f"{self.host}/shop/none:1")
        done = self.expect(self.run_windlass("krm", stdin=text.encode()), code=1)
        self.assertTrue(done.out.startswith(text + "results:\n"), done)
        (result,) = [json.loads(line[2:]) for line in done.out[len(text) + 9:].splitlines() if '"error"' in line]
        self.assertEqual(result["severity"], "error")
        self.assertIn("unknown", result["message"].lower())
        (other,) = [json.loads(line[2:]) for line in done.out[len(text) + 9:].splitlines() if '"error"' not in line]
        self.assertEqual((other["severity"], other["message"]),
                         ("warning", f"{self.web} stays as it was: another image of the list failed"))
        self.assertNotIn("proposedValue", other["field"])

    def test_krm_refuses_what_is_no_resource_list_and_passes_on_what_has_no_images(self):
        self.expect_error(self.run_windlass("krm", stdin=self.pod(self.web).encode()), 3, "expected a ResourceList")
        self.expect(self.run_windlass("krm", stdin=self.krm().encode()), out=self.krm())
        as_json = json.dumps({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "a", "image": self.web}]}}]})
        answer = json.loads(self.expect(self.run_windlass("krm", stdin=as_json.encode())).out)
        self.assertEqual(answer["items"][0]["spec"]["containers"][0]["image"], self.pinned)
        self.assertEqual(len(answer["results"]), 1)
        done = self.run_windlass("krm", stdin=self.krm(self.web, tail="results: {}\n").encode())
        self.expect_error(done, 3, "<stdin>:15:10: expected a list under results")

    def test_krm_adds_its_results_in_whatever_shape_the_list_is_written(self):
        as_json = json.dumps({"kind": "ResourceList", "items": [
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"image": self.web}]}}]})
        result = ('{"message":"pinned ' + self.web + '","severity":"info","resourceRef":{"apiVersion":"v1","kind":"Pod","name":"p"},'
                  '"field":{"path":"spec.containers[0].image","currentValue":"' + self.web + '","proposedValue":"' + self.pinned + '"}}')
        for head, tail in (("---\n", "\n"), ("# c\n", "\n"), ("\ufeff", ""), ("", "\n# }\n"), ("", "\n---\nk: v\n")):
            done = self.expect(self.run_windlass("krm", stdin=(head + as_json + tail).encode()))
            expected = as_json.replace(self.web, self.pinned)[:-1] + f',"results":[{result}]}}'
            self.assertEqual(done.out, head + expected + tail)
        text = self.krm(self.web, tail="results: []\n")
        done = self.expect(self.run_windlass("krm", stdin=text.encode()))
        self.assertTrue(done.out.startswith(text.replace(self.web, self.pinned)[:-2] + '{"message"'), done)
        done = self.expect(self.run_windlass("krm", stdin=self.krm(self.web, tail="...\n").encode()))
        self.assertTrue(done.out.endswith("}}\n...\n"), done)

    def test_an_interrupt_while_the_list_is_read_is_told_as_one(self):
        for command in (["krm"], ["pin", "-"], ["resolve", "-f", "-"]):
            run = subprocess.Popen([WINDLASS, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=self.folder, env=self.environment(), text=True)
            self.await_signal_handling(run)
            run.send_signal(signal.SIGTERM)
            self.assertEqual(run.wait(timeout=RUN_SECONDS_MAX), 130, command)
            out, err = run.communicate()
            self.assertEqual(out, "")
            self.assertIn("windlass: error: interrupted", err)
            self.assertEqual(err.count("\n"), 1, err)


if __name__ == "__main__":
    unittest.main()
