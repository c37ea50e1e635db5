"""nginx before a registry: TLS and HTTP/2 on loopback."""

import contextlib
import pathlib
import socket
import ssl
import subprocess
import time

CONFIG = """daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  log_format protocol '$server_protocol $request_method $uri $status';
  access_log {folder}/access.log protocol;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl http2;
    ssl_certificate {tls}/server.crt; ssl_certificate_key {tls}/server.key; ssl_protocols TLSv1.2 TLSv1.3;
    location / {{
      proxy_pass http://127.0.0.1:{behind};
      proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto https;
    }}
  }}
}}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Front:
    def __init__(self, program, folder, tls, behind):
        self.program, self.folder, self.tls, self.behind = program, pathlib.Path(folder), tls, behind
        self.log = self.folder / "access.log"

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def __enter__(self):
        self.folder.mkdir(parents=True)
        for _ in range(5):  # somebody else may have taken the port meanwhile
            self.port = free_port()
            config = self.folder / "nginx.conf"
            config.write_text(CONFIG.format(folder=self.folder, port=self.port, tls=self.tls, behind=self.behind))
            self.process = subprocess.Popen([self.program, "-p", self.folder, "-e", self.folder / "error.log", "-c", config],
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL)
            while self.process.poll() is None:
                with contextlib.suppress(OSError):
                    context = ssl.create_default_context(cafile=str(self.tls / "ca.crt"))
                    with socket.create_connection(("127.0.0.1", self.port)) as plain, \
                            context.wrap_socket(plain, server_hostname="127.0.0.1"):
                        return self
                time.sleep(0.02)
        raise RuntimeError("nginx did not start:\n" + (self.folder / "error.log").read_text())

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
