"""windlass resolve, against real registries."""

import json
import os
import subprocess
import unittest
import urllib.request

from support import EndToEndTest, sha256

ACCEPT = ("application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json, "
          "application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.docker.distribution.manifest.v2+json")


class ResolveTest(EndToEndTest):
    def test_a_time_limit_may_be_long(self):
        for limit in ("501s", "10m", "8760h"):
            self.expect(self.run_windlass("resolve", "--timeout", limit, f"{self.shop.open.host}/shop/web:1.4.0"))

    def test_a_line_of_a_file_that_is_no_reference_is_told_with_its_place(self):
        self.write("list.txt", f"# images\n\n{self.shop.open.host}/shop/web:1.4.0\n  Ubuntu\n")
        done = self.run_windlass("resolve", "-f", "list.txt")
        self.assertEqual(done.code, 3, done)
        self.assertTrue(done.err.startswith("windlass: error: list.txt:4:3: "), done)
        self.assertEqual(len(done.out.splitlines()), 1)
        done = self.run_windlass("resolve", "-f", "-", stdin=b"Ubuntu\n")
        self.expect_error(done, 3, "<stdin>:1:1: ", 'did you mean "ubuntu"?')

    def test_the_digest_is_that_of_the_served_bytes_and_what_skopeo_says(self):
        host = self.shop.open.host
        for image in ("web:1.4.0", "ledger:16.2"):  # an index of two platforms, and a single image
            name, tag = image.split(":")
            done = self.expect(self.run_windlass("resolve", f"{host}/shop/{image}"))
            request = urllib.request.Request(f"http://{host}/v2/shop/{name}/manifests/{tag}", headers={"Accept": ACCEPT})
            with urllib.request.urlopen(request) as response:
                self.assertEqual(done.out, f"{host}/shop/{name}@{sha256(response.read())}\n")
            judge = subprocess.run(["skopeo", "inspect", "--raw", "--tls-verify=false", f"docker://{host}/shop/{image}"],
                                   check=True, capture_output=True).stdout
            self.assertEqual(done.out, f"{host}/shop/{name}@{sha256(judge)}\n")

    def test_several_images_come_in_the_order_asked_duplicates_too(self):
        host = self.shop.open.host
        images = [f"{host}/shop/report:7", f"{host}/shop/cart:2.1", f"{host}/shop/report:7"]
        wanted = "".join(f"{i}\t{host}/shop/{i.split('/')[-1].split(':')[0]}@{self.digest(i.split('/')[-1])}\n"
                         for i in images)
        self.expect(self.run_windlass("resolve", *images), out=wanted, err="")
        self.expect(self.run_windlass("resolve", "-", stdin="\n".join(images).encode()), out=wanted)
        self.write("images.txt", "# the shop\n" + "\n\n".join(images) + "\n")
        self.expect(self.run_windlass("resolve", "-f", "images.txt"), out=wanted)

    def test_a_list_stands_where_it_is_named(self):
        host = self.shop.open.host
        web, cart = f"{host}/shop/web:1.4.0", f"{host}/shop/cart:2.1"
        self.write("list.txt", cart)

        def order(*arguments):
            done = self.expect(self.run_windlass("resolve", *arguments, stdin=cart.encode()))
            return [line.split("\t")[0] for line in done.out.splitlines()]

        self.assertEqual(order(web, "-"), [web, cart])
        self.assertEqual(order("-", web), [cart, web])
        self.assertEqual(order("-f", "list.txt", web), [cart, web])
        self.assertEqual(order(web, "-f", "list.txt", web), [web, cart, web])

    def test_a_list_is_utf8_with_a_mark_or_without(self):
        host = self.shop.open.host
        image = f"{host}/shop/web:1.4.0"
        wanted = f"{image}\t{host}/shop/web@{self.digest('web:1.4.0')}\n"
        self.write("list.txt", (image + "\r\n").encode("utf-8-sig"))
        self.expect(self.run_windlass("resolve", "-f", "list.txt"), out=wanted, err="")
        for encoding, place in (("utf-16", "1:1"), ("utf-16-le", "1:2"), ("utf-16-be", "1:1")):
            self.write("list.txt", f"{image}\n{image}\n".encode(encoding))
            done = self.run_windlass("resolve", image, "-f", "list.txt")
            self.expect_error(done, 3, f"list.txt:{place}: not UTF-8 text; save the list as UTF-8")
        self.write("list.txt", f"{image}\n# caf\u00e9\n".encode("latin-1"))
        self.expect_error(self.run_windlass("resolve", "-f", "list.txt"), 3, "list.txt:2:6: not UTF-8 text")

    def test_output_for_machines(self):
        host = self.shop.open.host
        image = f"{host}/shop/cart:2.1"
        digest = self.digest("cart:2.1")
        self.expect(self.run_windlass("resolve", image, "-o", "digest"), out=digest + "\n")
        (entry,) = json.loads(self.expect(self.run_windlass("resolve", image, "-o", "json")).out)
        self.assertEqual({k: entry[k] for k in ("image", "status", "name", "digest", "mediaType", "credentials")}, {
            "image": image, "status": "resolved", "name": f"{host}/shop/cart@{digest}", "digest": digest,
            "mediaType": "application/vnd.oci.image.index.v1+json", "credentials": "anonymous"})
        lines = self.expect(self.run_windlass("resolve", image, image, "-o", "ndjson")).out.splitlines()
        self.assertEqual([json.loads(line) for line in lines], [entry, entry])

    def test_a_digest_is_told_without_asking_anybody(self):
        pinned = f"registry.invalid/app@{self.digest('web:1.4.0')}"
        self.expect(self.run_windlass("resolve", pinned), out=pinned + "\n", err="")

    def test_a_login_from_the_docker_file_is_used_where_it_is_asked_for(self):
        host = self.shop.private.host
        wanted = f"{host}/shop/payments@{self.digest('payments:1.0.8')}\n"
        image = f"{host}/shop/payments:1.0.8"
        config = self.login(self.shop.private)
        self.expect(self.run_windlass("resolve", image, DOCKER_CONFIG=config), out=wanted)
        self.expect(self.run_windlass("resolve", image, "--authfile", config + "/config.json"), out=wanted)
        (self.folder / "home").mkdir()
        (self.folder / "docker").rename(self.folder / "home/.docker")
        self.expect(self.run_windlass("resolve", image), out=wanted)

    def test_a_login_may_come_from_a_credential_helper(self):
        host = self.shop.private.host
        helper = self.write("bin/docker-credential-shop", "#!/bin/sh\ncat > asked\n"
                            'echo \'{"ServerURL": "x", "Username": "alice", "Secret": "s3cret"}\'\n')
        helper.chmod(0o755)
        config = self.write("docker/config.json", '{"credHelpers": {"%s": "shop"}}' % host).parent
        done = self.run_windlass("resolve", f"{host}/shop/web:1.4.0", f"{host}/shop/report:7", DOCKER_CONFIG=str(config),
                                 PATH=f"{helper.parent}:{os.environ['PATH']}")
        self.expect(done, out=f"{host}/shop/web:1.4.0\t{host}/shop/web@{self.digest('web:1.4.0')}\n"
                              f"{host}/shop/report:7\t{host}/shop/report@{self.digest('report:7')}\n", err="")
        self.assertEqual((self.folder / "asked").read_text(), host)

    def test_a_tls_registry_is_trusted_through_its_ca_file(self):
        host = self.shop.tls.host
        done = self.run_windlass("resolve", f"{host}/shop/web:1.4.0", "--tls", host, "--ca-file", self.shop.ca)
        self.expect(done, out=f"{host}/shop/web@{self.digest('web:1.4.0')}\n", err="")

    def test_one_failure_does_not_hide_the_others(self):
        host = self.shop.open.host
        done = self.run_windlass("resolve", f"{host}/shop/gone:1", f"{host}/shop/web:1.4.0", f"{host}/Shop/web:1")
        self.assertEqual(done.code, 3, done)
        self.assertEqual(done.out, f"{host}/shop/web:1.4.0\t{host}/shop/web@{self.digest('web:1.4.0')}\n")
        self.assertEqual(done.err.count("error: "), 2, done)


if __name__ == "__main__":
    unittest.main()
