"""Makes OCI images from the folders of examples/images, the same bytes every time.

usage: make_images.py IMAGES_DIR OUT_DIR

Each folder holds image.json (tags, platforms, entrypoint) and rootfs/. OUT_DIR becomes an OCI image layout whose index
names every image as NAME:TAG. An image with several platforms becomes an index of its own.
"""

import gzip
import hashlib
import io
import json
import pathlib
import sys
import tarfile

CONFIG = "application/vnd.oci.image.config.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def layer_of(rootfs):
    """A tar of the folder that depends on names, contents and run bits only: no times, no owners."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(rootfs.rglob("*")):
            entry = tarfile.TarInfo(str(path.relative_to(rootfs)))
            if path.is_dir():
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                tar.addfile(entry)
            else:
                data = path.read_bytes()
                entry.size = len(data)
                entry.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
                tar.addfile(entry, io.BytesIO(data))
    return raw.getvalue()


class Layout:
    """An OCI image layout on disk."""

    def __init__(self, folder):
        self.blobs = folder / "blobs" / "sha256"
        self.blobs.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.manifests = []

    def add_blob(self, data, media_type):
        digest = sha256(data)
        (self.blobs / digest.removeprefix("sha256:")).write_bytes(data)
        return {"mediaType": media_type, "digest": digest, "size": len(data)}

    def add_json(self, value, media_type):
        return self.add_blob(json.dumps(value, sort_keys=True, separators=(",", ":")).encode(), media_type)

    def add_image(self, folder):
        spec = json.loads((folder / "image.json").read_text())
        tar = layer_of(folder / "rootfs")
        layer = self.add_blob(gzip.compress(tar, mtime=0), LAYER)
        platforms = []
        for platform in spec["platforms"]:
            system, architecture = platform.split("/")
            config = self.add_json({
                "architecture": architecture, "os": system, "config": {"Entrypoint": spec["entrypoint"]},
                "rootfs": {"type": "layers", "diff_ids": [sha256(tar)]}}, CONFIG)
            manifest = self.add_json(
                {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer]}, MANIFEST)
            platforms.append({**manifest, "platform": {"os": system, "architecture": architecture}})
        top = platforms[0] if len(platforms) == 1 else self.add_json(
            {"schemaVersion": 2, "mediaType": INDEX, "manifests": platforms}, INDEX)
        for tag in spec["tags"]:
            self.manifests.append(
                {**top, "annotations": {"org.opencontainers.image.ref.name": f"{folder.name}:{tag}"}})

    def finish(self):
        (self.folder / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
        (self.folder / "index.json").write_text(
            json.dumps({"schemaVersion": 2, "mediaType": INDEX, "manifests": self.manifests}))


def make_images(images, out):
    """Returns {"NAME:TAG": digest}."""
    layout = Layout(pathlib.Path(out))
    for folder in sorted(pathlib.Path(images).iterdir()):
        layout.add_image(folder)
    layout.finish()
    return {m["annotations"]["org.opencontainers.image.ref.name"]: m["digest"] for m in layout.manifests}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    for name, digest in make_images(*sys.argv[1:]).items():
        print(name, digest)
