"""Certificates for tests, made anew with the openssl program: nothing to expire, nothing to leak.

make(folder) leaves ca.crt there and, signed by it: server.crt/.key for localhost, 127.0.0.1 and [::1]; other.crt/.key
for another name; expired.crt/.key; future.crt/.key, of a time to come; old-ca.crt/.key, for localhost, of an
intermediate CA that has expired, whose certificate is in the file too; self.crt/.key, self-signed; client.crt/.key. stranger.crt is a CA that signed nothing.
"""

import pathlib
import subprocess

NAMES = "DNS:localhost,DNS:registry.test,IP:127.0.0.1,IP:::1"

CA_CONFIG = """[ca]
default_ca = one
[one]
database = {folder}/index.txt
serial = {folder}/serial.txt
new_certs_dir = {folder}
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
"""


def _openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _authority(folder, name):
    _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", 2,
             "-subj", f"/CN=windlass test {name}", "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.crt")


def _request(folder, name):
    _openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
             "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.csr")


# In another time than now: only "openssl ca" can do that.
def _signed_between(folder, name, begin, end, extensions, authority="ca"):
    _request(folder, name)
    (folder / f"{name}.ext").write_text(extensions)
    (folder / "index.txt").write_text("")
    (folder / "ca.cnf").write_text(CA_CONFIG.format(folder=folder))
    _openssl("ca", "-batch", "-notext", "-config", folder / "ca.cnf", "-startdate", begin, "-enddate", end,
             "-cert", folder / f"{authority}.crt", "-keyfile", folder / f"{authority}.key", "-create_serial",
             "-in", folder / f"{name}.csr", "-out", folder / f"{name}.crt", "-extfile", folder / f"{name}.ext")


def _signed(folder, name, subject_names, days=2):
    extensions = folder / f"{name}.ext"
    extensions.write_text(f"subjectAltName={subject_names}\nbasicConstraints=CA:FALSE\n")
    _request(folder, name)
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
    leaf = f"subjectAltName={NAMES}\nbasicConstraints=CA:FALSE\n"
    _signed_between(folder, "future", "20900101000000Z", "20910101000000Z", leaf)
    _signed_between(folder, "middle", "20200101000000Z", "20210203040500Z", "basicConstraints=CA:TRUE\n")
    _signed_between(folder, "old-ca", "20200101000000Z", "20900101000000Z", leaf, "middle")
    with (folder / "old-ca.crt").open("a") as chain:
        chain.write((folder / "middle.crt").read_text())
    _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", 2, "-subj",
             "/CN=self", "-addext", f"subjectAltName={NAMES}", "-keyout", folder / "self.key", "-out", folder / "self.crt")
    return folder
