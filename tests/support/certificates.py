"""Certificates for tests, made anew with the openssl program: nothing to expire, nothing to leak.

make(folder) leaves ca.crt there and, signed by it: server.crt/.key for localhost, 127.0.0.1 and [::1]; other.crt/.key
for another name; expired.crt/.key; client.crt/.key. stranger.crt is a CA that signed nothing.
"""

import pathlib
import subprocess

NAMES = "DNS:localhost,DNS:registry.test,IP:127.0.0.1,IP:::1"


def _openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _authority(folder, name):
    _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", 2,
             "-subj", f"/CN=windlass test {name}", "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.crt")


def _signed(folder, name, subject_names, days=2):
    extensions = folder / f"{name}.ext"
    extensions.write_text(f"subjectAltName={subject_names}\nbasicConstraints=CA:FALSE\n")
    _openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
             "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.csr")
    _openssl("x509", "-req", "-in", folder / f"{name}.csr", "-CA", folder / "ca.crt", "-CAkey", folder / "ca.key",
             "-CAcreateserial", "-days", days, "-extfile", extensions, "-out", folder / f"{name}.crt")


def make(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for authority in ("ca", "stranger"):
        _authority(folder, authority)
    _signed(folder, "server", NAMES)
    _signed(folder, "other", "DNS:elsewhere.test")
    _signed(folder, "expired", NAMES, -1)
    _signed(folder, "client", "DNS:client.test")
    return folder
