"""The images of examples/images as files: an OCI layout, the same as a tar file, and an archive of docker's form.

usage: local_images.py FOLDER

Makes FOLDER/layout, FOLDER/oci.tar.gz and FOLDER/docker.tar; prints the names in the first two and in the last as JSON.
"""

import io
import json
import gzip
import pathlib
import sys
import tarfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))

import make_images  # noqa: E402


def docker_archive(layout, target):
    """The first platform of each image, as `docker save` writes them; returns their names."""
    def blob(descriptor):
        return (layout / "blobs" / descriptor["digest"].replace(":", "/")).read_bytes()

    entries = {}
    with tarfile.open(target, "w") as tar:
        def add(name, data):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))

        for top in json.loads((layout / "index.json").read_text())["manifests"]:
            manifest = json.loads(blob(top))
            if "manifests" in manifest:
                manifest = json.loads(blob(manifest["manifests"][0]))
            config = manifest["config"]["digest"].removeprefix("sha256:")
            entry = entries.setdefault(config, {"Config": config + ".json", "RepoTags": [], "Layers": []})
            entry["RepoTags"].append(top["annotations"]["org.opencontainers.image.ref.name"])
            if entry["Layers"]:
                continue
            add(entry["Config"], blob(manifest["config"]))
            for number, layer in enumerate(manifest["layers"]):
                entry["Layers"].append(f"{config}-{number}/layer.tar")
                add(entry["Layers"][-1], gzip.decompress(blob(layer)))
        add("manifest.json", json.dumps(list(entries.values())).encode())
    return [name for entry in entries.values() for name in entry["RepoTags"]]


def main():
    folder = pathlib.Path(sys.argv[1])
    digests = make_images.make_images(ROOT / "examples" / "images", folder / "layout")
    with tarfile.open(folder / "oci.tar.gz", "w:gz") as tar:
        tar.add(folder / "layout", arcname=".")
    print(json.dumps({"layout": digests, "docker": docker_archive(folder / "layout", folder / "docker.tar")}))


if __name__ == "__main__":
    main()
