"""windlass pin, against a real registry: what is written, where, and that nothing else changes."""

import json
import os
import pathlib
import re
import stat
import subprocess
import unittest

from support import EndToEndTest

PINNED = re.compile(rb"@sha256:[0-9a-f]{64}")


class PinTest(EndToEndTest):
    def expected_shop(self, files):
        """The shop pinned by plain text replacement: what a careful person would have typed."""
        wanted = {}
        for path, data in files.items():
            for name, digest in self.shop.digests.items():
                repository, tag = name.split(":")
                full = f"{self.shop.counted.host}/shop/{repository}"
                if tag == "latest":  # written without a tag, and stays so
                    data = re.sub(rf"{full}(?=\}})".encode(), f"{full}@{digest}".encode(), data)
                elif repository != "web":
                    data = data.replace(f"{full}:{tag}".encode(), f"{full}:{tag}@{digest}".encode())
                else:
                    data = data.replace(f'"{full}:{tag}"'.encode(), f'"{full}:{tag}@{digest}"'.encode())
            wanted[path] = data
        return wanted

    def test_in_place_changes_the_references_and_no_other_byte(self):
        files = self.copy_shop()
        wanted = self.expected_shop(files)
        done = self.expect(self.run_windlass("pin", "-i", "shop"), out="")
        for path, data in files.items():
            self.assertEqual(path.read_bytes(), wanted[path], path.name)
            self.assertEqual(PINNED.sub(b"", path.read_bytes()), data, path.name)
        self.assertRegex(done.err, r"floats|floating")  # shop/checkout has no tag
        self.assertNotEqual(wanted, files)

    def test_a_second_run_changes_nothing_and_asks_nobody(self):
        files = self.copy_shop()
        self.expect(self.run_windlass("pin", "-i", "shop"))
        before = {path: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) for path in files}
        asked = self.shop.counted.requests
        self.expect(self.run_windlass("pin", "-i", "shop"), out="")
        after = {path: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) for path in files}
        self.assertEqual(after, before)
        self.assertEqual(self.shop.counted.requests, asked)

    def test_one_request_for_each_distinct_reference(self):
        files = self.copy_shop()
        asked = self.shop.counted.requests
        self.expect(self.run_windlass("pin", "-i", "shop"))
        references = {m for data in files.values() for m in re.findall(
            rb"(?<=image: )[^\n]*?(127\.0\.0\.1[^\s\"',}]+)", data)} - {f"{self.shop.counted.host}/shop/checkout:1.9".encode()}
        folded = re.findall(rb"image: >-\n\s+(\S+)", b"".join(files.values()))
        self.assertEqual(self.shop.counted.requests - asked, len(references | set(folded)))

    def test_a_diff_shows_the_change_and_patch_can_apply_it(self):
        files = self.copy_shop()
        done = self.expect(self.run_windlass("pin", "--diff", "shop"))
        for path, data in files.items():
            self.assertEqual(path.read_bytes(), data)
        self.assertIn("--- a/shop/web.yaml\n+++ b/shop/web.yaml\n", done.out)
        applied = subprocess.run(["git", "apply", "-p1", "--unidiff-zero", "-"], input=done.out_bytes, cwd=self.folder,
                                 capture_output=True)
        self.assertEqual(applied.returncode, 0, applied.stderr.decode())
        for path, data in self.expected_shop(files).items():
            self.assertEqual(path.read_bytes(), data, path.name)

    def test_one_file_and_standard_input_go_to_standard_output(self):
        image = f"{self.shop.counted.host}/shop/web:1.4.0"
        text = self.pod(image)
        wanted = self.pod(f"{image}@{self.digest('web:1.4.0')}")
        self.write("pod.yaml", text)
        self.expect(self.run_windlass("pin", "pod.yaml"), out=wanted)
        self.expect(self.run_windlass("pin", "-", stdin=text.encode()), out=wanted)
        self.assertEqual((self.folder / "pod.yaml").read_text(), text)

    def test_style_digest_drops_the_tag(self):
        host = self.shop.counted.host
        self.expect(self.run_windlass("pin", "-", "--style", "digest", stdin=self.pod(f"{host}/shop/web:1.4.0").encode()),
                    out=self.pod(f"{host}/shop/web@{self.digest('web:1.4.0')}"))

    def test_several_files_need_a_mode(self):
        self.copy_shop()
        done = self.run_windlass("pin", "shop")
        self.expect_error(done, 2, "--in-place", "--diff", "--check")

    def test_check_tells_what_is_not_pinned_and_asks_nobody(self):
        files = self.copy_shop()
        asked = self.shop.counted.requests
        done = self.expect(self.run_windlass("pin", "--check", "shop"), code=1)
        self.assertIn(f"shop/web.yaml:21:18: {self.shop.counted.host}/shop/web:1.4.0", done.out)
        self.assertEqual(self.shop.counted.requests, asked)
        self.expect(self.run_windlass("pin", "-i", "shop"))
        self.expect(self.run_windlass("pin", "--check", "shop"), out="")
        self.assertTrue(files)

    def test_the_report_names_every_image_with_its_place(self):
        self.copy_shop()
        report = json.loads(self.expect(self.run_windlass("pin", "-o", "json", "shop")).out)
        self.assertEqual(report["exitCode"], 0)
        images = {(image["file"], image["line"], image["column"]): image for image in report["images"]}
        web = images["shop/web.yaml", 21, 18]
        self.assertEqual(web["image"], f"{self.shop.counted.host}/shop/web:1.4.0")
        self.assertEqual(web["status"], "pinned")
        self.assertEqual(web["digest"], self.digest("web:1.4.0"))
        self.assertEqual(web["pinned"], f"{web['image']}@{web['digest']}")
        ignored = [i for i in report["images"] if i["image"].endswith("checkout:1.9")]
        self.assertEqual([i["status"] for i in ignored], ["skipped"])

    def test_a_folder_may_hold_json_that_is_not_ours(self):
        image = f"{self.shop.counted.host}/shop/web:1.4.0"
        self.write("dir/tsconfig.json", '{\n  // comments are fine there\n  "compilerOptions": {},\n}\n')
        self.write("dir/pod.json", '{"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"image": "%s"}]}}' % image)
        self.expect(self.run_windlass("pin", "-i", "dir"))
        self.assertIn(f'"{image}@{self.digest("web:1.4.0")}"', (self.folder / "dir/pod.json").read_text())
        named = self.expect(self.run_windlass("pin", "--check", "dir/tsconfig.json"), out="")  # as hooks name it
        self.assertIn("warning: dir/tsconfig.json: JSON with comments (line 2)", named.err)
        self.write("broken.json", '{"compilerOptions": ')
        self.expect(self.run_windlass("pin", "--check", "broken.json"), code=3)

    def test_permissions_and_links_stay(self):
        target = self.write("real/pod.yaml", self.pod(f"{self.shop.counted.host}/shop/web:1.4.0"))
        target.chmod(0o640)
        link = self.folder / "pod.yaml"
        link.symlink_to("real/pod.yaml")
        self.expect(self.run_windlass("pin", "-i", "pod.yaml"))
        self.assertTrue(link.is_symlink())
        self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o640)
        self.assertEqual(os.listdir(target.parent), ["pod.yaml"])

    def test_the_examples_are_read_as_they_are_in_the_project(self):
        """--check needs no registry, so the shop in the project itself must parse and be unpinned."""
        shop = pathlib.Path(__file__).resolve().parents[2] / "examples/shop"
        done = self.expect(self.run_windlass("pin", "--check", shop), code=1)
        self.assertIn("registry.shop.test/shop/node-agent:3.0.1", done.out)


if __name__ == "__main__":
    unittest.main()
