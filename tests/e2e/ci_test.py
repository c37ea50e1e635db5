"""What others' CI runs: the pre-commit hooks and the GitHub action of this project, as their runners start them."""

import os
import pathlib
import re
import shlex
import subprocess
import unittest

from support import WINDLASS, RUN_SECONDS_MAX, Done, EndToEndTest

TOP = pathlib.Path(__file__).resolve().parents[2]


def hooks():
    """The hooks by their names, each a dict of its fields."""
    entries = (TOP / ".pre-commit-hooks.yaml").read_text().split("\n- ")
    fields = (dict(re.findall(r"^ *(\w+): (.*)$", entry, re.M)) for entry in entries[1:])
    return {entry["id"]: entry for entry in fields}


class CiTest(EndToEndTest):
    web = property(lambda self: f"{self.host}/shop/web:1.4.0")
    host = property(lambda self: self.shop.counted.host)

    def run_program(self, command, **variables):
        folder = str(pathlib.Path(WINDLASS).parent)
        path = os.pathsep.join([folder, os.environ["PATH"]])
        done = subprocess.run(command, capture_output=True, cwd=self.folder, timeout=RUN_SECONDS_MAX,
                              env=self.environment(PATH=path, **variables))
        return Done(done.returncode, done.stdout, done.stderr)

    def run_hook(self, name, *arguments):
        """As pre-commit: with every file of the folder that the hook's pattern names."""
        hook = hooks()[name]
        names = sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())
        named = [path for path in names if re.search(hook["files"], path)]
        return self.run_program([*shlex.split(hook["entry"]), *arguments, *named])

    def write_what_is_no_manifest(self):
        self.write("tsconfig.json", '{\n  // where it goes\n  "outDir": "dist", /* here */\n}\n')
        self.write(".vscode/settings.json", '{"a": [1, 2,],}\n')
        self.write(".devcontainer/devcontainer.json", '// the usual\n{"image": "debian:12"}\n')
        self.write("lines.json", '{"a": 1}\n{"a": 2}\n')
        self.write("empty.json", "")
        self.write("mkdocs.yml", "theme: !!python/name:material\nsite: !ENV SITE\n")
        self.write("chart/templates/web.yaml", "image: {{ .Values.image }}\n{{ if .x }}\na: 1\n{{ end }}\n")
        self.write("dockerfile.py", "import os\n")
        self.write("Dockerfile.md", "# How to build\n\nWith care.\n")

    def test_the_hooks_pass_over_what_only_has_the_name_of_a_manifest(self):
        self.write_what_is_no_manifest()
        self.expect(self.run_hook("windlass-check"), code=0, out="")
        self.expect(self.run_hook("windlass-pin"), code=0, out="")

    def test_the_hooks_check_and_pin(self):
        self.write_what_is_no_manifest()
        files = {"a.yaml": f"kind: Pod\napiVersion: v1\nspec: {{containers: [{{image: '{self.web}'}}]}}\n",
                 "b.json": f'{{"kind": "Pod", "apiVersion": "v1", "spec": {{"containers": [{{"image": "{self.web}"}}]}}}}\n',
                 "docker-compose.yml": f"services:\n  web:\n    image: {self.web}\n",
                 "build/Dockerfile.web": f"FROM {self.web}\n",
                 "web.dockerfile": f"FROM {self.web}\n",
                 "deploy/kustomization": f"images:\n- name: web\n  newName: {self.host}/shop/web\n  newTag: 1.4.0\n"}
        for name, text in files.items():
            self.write(name, text)
        done = self.expect(self.run_hook("windlass-check"), code=1)
        self.assertEqual({line.split(":")[0] for line in done.out.splitlines()}, set(files))
        self.expect(self.run_hook("windlass-pin"), code=0)
        self.expect(self.run_hook("windlass-check"), code=0, out="")

    def run_action(self, paths, arguments=""):
        action = TOP / "packaging" / "action"
        text = (action / "action.yml").read_text()
        inputs = {"paths": paths, "arguments": arguments, "windlass": "windlass"}
        variables = {variable: inputs[name] for variable, name in re.findall(r"(\w+): \$\{\{ inputs\.(\w+) \}\}", text)}
        self.assertEqual(len(variables), len(inputs))
        command = re.search(r"run: '(.*)'", text)[1]
        return self.run_program(["bash", "-e", "-c", command], GITHUB_ACTION_PATH=str(action), **variables)

    def test_the_action_annotates_what_is_not_pinned(self):
        self.write("my folder/a.yaml", f"kind: Pod\napiVersion: v1\nspec: {{containers: [{{image: '{self.web}'}}]}}\n")
        self.write("-b.yaml", "kind: Pod\napiVersion: v1\n")
        done = self.expect(self.run_action("my folder\n-b.yaml\n"), code=1)
        self.assertIn("::error file=my folder/a.yaml,line=3,", done.err)
        self.expect(self.run_action("-b.yaml", "--list\n"), code=2)  # options that do not go together: no shell hides it
        self.expect(self.run_action("-b.yaml\n", "--in-strings\n--format\nkubernetes\n"), code=0)
        self.expect(self.run_action("$(touch made)"), code=3)
        self.assertFalse((self.folder / "made").exists())


if __name__ == "__main__":
    unittest.main()
