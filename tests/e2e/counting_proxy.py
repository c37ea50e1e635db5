"""Stands before a registry and counts what is asked of it, before it is answered. Also a proxy, for what is asked of
other hosts over http."""

import http.client
import http.server
import re
import threading


class CountingProxy:
    """Passes HEAD and GET on to the registry at `port`; `requests` counts those for manifests."""

    def __init__(self, port):
        self.port = port
        self.requests = 0

    def __enter__(self):
        proxy = self
        lock = threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if "/manifests/" in self.path:
                    with lock:
                        proxy.requests += 1
                connection = http.client.HTTPConnection("127.0.0.1", proxy.port)
                kept = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
                connection.request(self.command, re.sub("^http://[^/]+", "", self.path), headers=kept)
                answer = connection.getresponse()
                body = answer.read()
                self.send_response_only(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding"):
                        self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                connection.close()

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.host = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
