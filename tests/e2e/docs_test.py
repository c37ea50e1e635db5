"""Every example in the help texts and in the documents is run, and what it prints is compared.

A block of a document that starts with ```console holds commands behind "$ " and what each prints: standard output, then
standard error, then "[exit code N]" unless it is 0. Each block starts in a fresh folder with the files below. With
UPDATE_DOCS=1 the blocks are written anew instead.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from support import ROOT, RUN_SECONDS_MAX, WINDLASS, EndToEndTest

REGISTRY = "registry.shop.test"
BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.S)
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

DEPLOY = f"""apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  template:
    spec:
      containers:
      - name: web   # two platforms
        image: {REGISTRY}/shop/web:1.4.0
      - name: logs
        image: {REGISTRY}/shop/log-shipper:0.9.3
"""
DOCKERFILE = f'FROM {REGISTRY}/shop/web:1.4.0 AS base\nRUN echo "no image here: nginx:1"\n'
WIDGET = f"apiVersion: example.test/v1\nkind: Widget\nmetadata:\n  name: one\nspec:\n  engine: {REGISTRY}/shop/web:1.4.0\n"
RULES = "rules:\n- kind: Widget\n  paths: [spec.engine]\n"

# What examples of help texts take for granted.
KNOWN_IMAGES = {"nginx:1.27": "shop/web:1.4.0", "redis:7": "shop/cart:2.1"}


class DocsTest(EndToEndTest):
    def fresh(self, name):
        """A folder with the files of the examples, naming the test's registry; and programs that examples call."""
        self.folder = pathlib.Path(self.home) / name
        for file, text in (("deploy/web.yaml", DEPLOY), ("Dockerfile", DOCKERFILE), ("widget.yaml", WIDGET),
                           ("rules.yaml", RULES), ("deploy.yaml", DEPLOY)):
            self.write(file, text.replace(REGISTRY, self.shop.counted.host))
        image = f"{self.shop.counted.host}/shop/web:1.4.0"
        self.write("images.txt", f"{image}\n")
        self.write("list.tsv", f"web\t{image}\n")
        self.write("resources.yaml", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n")
        for program, script in (("helm", "cat deploy.yaml"), ("kubectl", "cat"), ("man", "cat")):
            self.write(f"bin/{program}", f"#!/bin/sh\n{script}\n").chmod(0o755)
        (self.folder / "bin/windlass").symlink_to(WINDLASS)
        (self.folder / "etc").mkdir()

    def setUp(self):
        super().setUp()
        self.home = self.folder

    def sh(self, command):
        environment = self.environment(PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        return subprocess.run(["sh", "-c", command], cwd=self.folder, env=environment, capture_output=True, text=True,
                              timeout=RUN_SECONDS_MAX)

    def run_block(self, block):
        """The block as it should read."""
        lines = []
        for command in re.findall(r"^\$ (.*)$", block, re.M):
            done = self.sh(command.replace(REGISTRY, self.shop.counted.host))
            printed = (done.stdout + done.stderr).replace(self.shop.counted.host, REGISTRY)
            lines.append(f"$ {command}\n{printed}")
            if done.returncode != 0:
                lines.append(f"[exit code {done.returncode}]\n")
        return "".join(lines)

    def test_the_examples_of_the_documents_print_what_they_say(self):
        blocks = 0
        for document in DOCUMENTS:
            text = document.read_text()
            for number, block in enumerate(BLOCK.findall(text)):
                blocks += 1
                self.fresh(f"{document.stem}-{number}")
                got = self.run_block(block)
                if os.environ.get("UPDATE_DOCS"):
                    text = text.replace(block, got)
                else:
                    self.assertEqual(got, block, document.relative_to(ROOT))
            if os.environ.get("UPDATE_DOCS"):
                document.write_text(text)
        self.assertGreater(blocks, 5)

    def test_the_examples_of_the_help_texts_do_what_they_say(self):
        web = f"{self.shop.counted.host}/shop/web"
        pinned = DEPLOY.replace(REGISTRY, self.shop.counted.host)
        for image in ("web:1.4.0", "log-shipper:0.9.3"):
            pinned = pinned.replace(image, f"{image}@{self.digest(image)}")
        one = f"{web}@{self.digest('web:1.4.0')}\n"
        many = f"{web}:1.4.0\t{one}"
        expected = {
            "windlass resolve nginx:1.27": (0, one),
            "windlass resolve nginx:1.27 redis:7 -o digest":
                (0, f"{self.digest('web:1.4.0')}\n{self.digest('cart:2.1')}\n"),
            "windlass resolve -f images.txt -o json": (0, '"status": "resolved"'),
            "cut -f2 list.tsv | windlass resolve -": (0, many),
            "windlass pin deploy.yaml > pinned.yaml": (0, "", "pinned.yaml", pinned),
            "windlass pin --diff deploy/": (0, "+++ b/deploy/web.yaml"),
            "windlass pin -i deploy/": (0, "", "deploy/web.yaml", pinned),
            "windlass pin --check deploy/": (1, "web:1.4.0 is not pinned"),
            "windlass pin --check --verify deploy/": (1, "web:1.4.0 is not pinned"),
            "windlass pin --plan plan.json deploy/ && windlass pin --apply plan.json": (0, "", "deploy/web.yaml", pinned),
            "windlass pin -i --lock windlass.lock deploy/": (0, "", "deploy/web.yaml", pinned),
            "helm template shop | windlass pin - | kubectl apply -f -": (0, pinned),
            "windlass krm < resources.yaml": (0, "kind: ResourceList"),
            "windlass completion bash > /etc/bash_completion.d/windlass":
                (0, "", "etc/bash_completion.d/windlass", "complete -F _windlass windlass"),
            "windlass manual man windlass-pin | man -l -": (0, ".TH WINDLASS-PIN 1"),
            "windlass manual markdown > cli.md": (0, "", "cli.md", "## windlass pin"),
        }
        page = self.run_windlass("manual", "markdown").out
        examples = re.findall(r"^# .*\n(.*)$", "".join(re.findall(r"Examples:\n\n```\n(.*?)```", page, re.S)), re.M)
        self.assertEqual(sorted(examples), sorted(expected))
        for number, example in enumerate(examples):
            with self.subTest(example):
                self.fresh(f"help-{number}")
                (self.folder / "etc/bash_completion.d").mkdir()
                command = example.replace(" /etc/", " etc/")
                for name, image in KNOWN_IMAGES.items():
                    command = command.replace(name, f"{self.shop.counted.host}/{image}")
                done = self.sh(command)
                code, out, *file = expected[example]
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(out, done.stdout)
                if file:
                    self.assertIn(file[1], (self.folder / file[0]).read_text())

    def test_what_is_made_from_the_options_is_not_stale(self):
        done = subprocess.run([sys.executable, ROOT / "tools/reference.py", "--check", WINDLASS, ROOT], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_completions_are_good_scripts_and_complete(self):
        bash = ROOT / "packaging/completions/windlass.bash"
        script = ('. "$1"; COMP_WORDS=(windlass pin --st); COMP_CWORD=2; _windlass; echo "${COMPREPLY[@]}";'
                  'COMP_WORDS=(windlass pin --style ""); COMP_CWORD=3; _windlass; echo "${COMPREPLY[@]}";'
                  'COMP_WORDS=(windlass re); COMP_CWORD=1; _windlass; echo "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", bash], capture_output=True, text=True)
        self.assertEqual(done.stdout, "--style\ntag digest comment\nresolve\n", done.stderr)
        for shell, name in (("zsh", "_windlass"), ("fish", "windlass.fish")):
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", ROOT / "packaging/completions" / name], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)

    def test_manual_pages_are_good_troff(self):
        if not shutil.which("man"):
            self.skipTest("there is no man")
        for page in sorted((ROOT / "packaging/man").glob("*.1")):
            done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True,
                                  env={**os.environ, "MANWIDTH": "80"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
            self.assertIn("EXIT STATUS", done.stdout)

    def test_the_action_checks_what_its_inputs_say(self):
        self.fresh("action")
        check = ROOT / "packaging/action/check.sh"
        environment = self.environment(WINDLASS=WINDLASS, WINDLASS_PATHS="deploy\n\nDockerfile\n", WINDLASS_ARGUMENTS="--quiet\n")
        done = subprocess.run([check], cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("::error file=Dockerfile,line=1,col=6,title=windlass%3A unpinned::", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 3, done.stderr)
        self.assertEqual(done.stderr.count("::error"), 3)


if __name__ == "__main__":
    unittest.main()
