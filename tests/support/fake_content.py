"""What the fake registry stores: for every repository and tag a manifest, made from their names, always the same."""

import hashlib
import json

OCI = "application/vnd.oci.image."
DOCKER = "application/vnd.docker.distribution."
TYPES = {
    "manifest": OCI + "manifest.v1+json", "index": OCI + "index.v1+json",
    "docker": DOCKER + "manifest.v2+json", "list": DOCKER + "manifest.list.v2+json",
    "artifact": "application/vnd.oci.artifact.manifest.v1+json",
    "schema1": DOCKER + "manifest.v1+prettyjws",
}
PLATFORMS = [("linux", "amd64", ""), ("linux", "arm64", "v8"), ("linux", "arm", "v7"), ("unknown", "unknown", "")]


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def _encode(value):
    return json.dumps(value, indent=3).encode()


class Manifest:
    """body, media_type, digest; children: {"linux/amd64": Manifest} of an index."""

    def __init__(self, name, tag, kind, with_type=True):
        self.media_type = TYPES[kind]
        self.children = {}
        value = {"schemaVersion": 1 if kind == "schema1" else 2}
        if with_type:
            value["mediaType"] = self.media_type
        if kind in ("index", "list"):
            value["manifests"] = self._children(name, tag, kind)
        else:
            value["config"] = {"mediaType": OCI + "config.v1+json", "size": 2, "digest": digest(b"{}")}
            value["layers"] = []
        value["annotations"] = {"name": name, "tag": tag}
        self.body = _encode(value)
        self.digest = digest(self.body)

    def _children(self, name, tag, kind):
        entries = []
        for system, machine, variant in PLATFORMS:
            child = Manifest(f"{name}/{system}/{machine}/{variant}", tag, "docker" if kind == "list" else "manifest")
            platform = {"architecture": machine, "os": system}
            if variant:
                platform["variant"] = variant
            self.children["/".join(filter(None, (system, machine, variant)))] = child
            entries.append({"mediaType": child.media_type, "digest": child.digest, "size": len(child.body),
                            "platform": platform})
        return entries


def find(name, reference, kind, with_type=True):
    """The manifest of a tag or digest; None when there is none. Tags called missing-... are not there."""
    if reference.startswith("missing-"):
        return None
    if not reference.startswith("sha256:"):
        return Manifest(name, reference, kind, with_type)
    for tag in ("latest", "v1", "v2"):
        top = Manifest(name, tag, kind, with_type)
        for manifest in (top, *top.children.values()):
            if manifest.digest == reference:
                return manifest
    return None
