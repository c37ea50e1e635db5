"""Runs the example and looks at what people would: files, log lines, /metrics, spans.

usage: sync_files_test.py PROGRAM [PROMTOOL]

Every wait is for something the program says or does, never for a time to pass.
"""

import http.server
import json
import pathlib
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

PROGRAM = sys.argv.pop(1)
PROMTOOL = sys.argv.pop(1) if len(sys.argv) > 1 else ""
PATIENCE = 60  # seconds until a test is taken to hang


class SpanReceiver:
    """A collector of traces that keeps the spans it was sent."""

    def __init__(self):
        spans = self.spans = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                for resource in sent["resourceSpans"]:
                    for scope in resource["scopeSpans"]:
                        for span in scope["spans"]:
                            spans.put(span)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def await_span(self, wanted):
        while not wanted(span := self.spans.get(timeout=PATIENCE)):
            pass
        return span

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def field(span, name):
    for attribute in span["attributes"]:
        if attribute["key"] == name:
            return next(iter(attribute["value"].values()))
    return None


class SyncFiles(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.files = self.folder / "files"
        self.files.mkdir()
        self.list = self.folder / "list"
        self.list.write_text("")

    def start(self, log=subprocess.PIPE, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
        self.program = subprocess.Popen([PROGRAM, self.list, self.files], stdout=subprocess.PIPE, stderr=log, text=True,
                                        env=environment | variables)
        self.addCleanup(self.program.stdout.close)
        if self.program.stderr:
            self.addCleanup(self.program.stderr.close)
        self.addCleanup(self.program.wait)
        self.addCleanup(self.program.kill)
        timer = threading.Timer(PATIENCE, self.program.kill)  # ends a read that waits for ever
        self.addCleanup(timer.cancel)
        timer.start()
        self.url = self.program.stdout.readline().strip()

    def await_line(self, *texts):
        seen = []
        for line in self.program.stderr:
            seen.append(line)
            if all(text in line for text in texts):
                return line
        self.fail(f"no line with {texts}, only:\n{''.join(seen)}")

    def stop(self):
        self.program.send_signal(signal.SIGTERM)
        rest = self.program.stderr.read() if self.program.stderr else ""
        self.assertEqual(self.program.wait(PATIENCE), 0, rest)

    def scrape(self):
        text = urllib.request.urlopen(self.url, timeout=PATIENCE).read().decode()
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        return text, {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in lines}

    def await_metric(self, name, least):
        """Reads it anew until it has grown to `least`; the timer of start() is the bound."""
        while (value := self.scrape()[1].get(name, 0)) < least:
            pass
        return value

    def replace_list(self, text):
        """As editors do: a new file takes the place of the old one."""
        fresh = self.folder / "list.new"
        fresh.write_text(text)
        fresh.rename(self.list)

    def put_obstacle(self, name):
        """A directory with something inside cannot be replaced by a file."""
        (self.files / name).mkdir()
        (self.files / name / "inside").write_text("")

    def test_files_are_made_and_removed_as_the_list_says(self):
        self.list.write_text(" no name\na one\nb two\nnothing\n")
        (self.files / "stray").write_text("nobody wants me")
        self.start()
        lines = [self.await_line("key=") for _ in range(3)]
        for what, name in ("written", "a"), ("written", "b"), ("removed", "stray"):
            self.assertTrue(any(what in line and f"key={name} " in line for line in lines), lines)
        self.assertEqual(self.scrape()[1]['reconcile_errors_total{controller="files"}'], 0)
        self.stop()
        self.assertEqual({path.name: path.read_text() for path in self.files.iterdir()}, {"a": "one\n", "b": "two\n"})

    def test_a_change_of_list_or_directory_is_mended(self):
        self.list.write_text("a one\n")
        self.start()
        self.await_line("written", "key=a")
        self.replace_list("a other\nc three\n")
        lines = self.await_line("written") + self.await_line("written")
        self.assertIn("key=a", lines)
        self.assertIn("key=c", lines)
        self.assertEqual((self.files / "a").read_text(), "other\n")
        (self.files / "c").unlink()
        self.await_line("written", "key=c")
        (self.files / "a").write_text("meddled with\n")
        self.await_line("written", "key=a")
        self.assertEqual((self.files / "a").read_text(), "other\n")
        (self.files / "stray").write_text("x")
        self.await_line("removed", "key=stray")
        self.stop()

    def test_what_fails_is_retried_until_it_works(self):
        self.put_obstacle("a")
        self.list.write_text("a one\n../b two\n")
        self.start()
        self.await_line("requeuing", "key=a", "requeues=2", "error=")
        shutil.rmtree(self.files / "a")
        self.await_line("written", "key=a")
        self.await_metric('reconcile_total{controller="files",result="success"}', 1)
        self.await_metric('reconcile_terminal_errors_total{controller="files"}', 1)

        text, metrics = self.scrape()
        self.assertGreaterEqual(metrics['reconcile_errors_total{controller="files"}'], 4)
        self.assertGreaterEqual(metrics['workqueue_retries_total{name="files"}'], 3)
        self.assertEqual(metrics['reconcile_terminal_errors_total{controller="files"}'], 1)
        self.assertEqual(metrics['reconcile_max_workers{controller="files"}'], 2)
        self.assertEqual(metrics['windlass_log_lines_total{result="dropped"}'], 0)
        if PROMTOOL:
            checked = subprocess.run([PROMTOOL, "check", "metrics"], input=text, text=True, capture_output=True,
                                     timeout=PATIENCE, check=False)
            self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, "", ""))
        self.stop()

    def test_a_collector_gets_the_spans_of_each_run(self):
        collector = SpanReceiver()
        self.addCleanup(collector.close)
        self.put_obstacle("a")
        self.list.write_text("a one\n")
        self.start(OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_BSP_SCHEDULE_DELAY="50")
        handled = collector.await_span(lambda span: span["name"] == "handleQueueItemObject")
        taken = collector.await_span(lambda span: span.get("spanId") == handled["parentSpanId"])
        self.assertEqual(taken["name"], "handleQueueItem")
        self.assertEqual(taken["traceId"], handled["traceId"])
        self.assertEqual(field(handled, "key"), "a")
        self.assertEqual(field(handled, "queue"), "files")
        self.assertEqual(handled["status"]["code"], 2)
        shutil.rmtree(self.files / "a")
        done = collector.await_span(lambda span: field(span, "bytes") and not span.get("status", {}).get("code"))
        self.assertEqual(done["name"], "handleQueueItemObject")
        self.stop()

    def test_without_a_collector_work_goes_on_and_lost_spans_are_counted(self):
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))  # bound, but nobody listens
            self.start(OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{nobody.getsockname()[1]}",
                       OTEL_BSP_SCHEDULE_DELAY="1", OTEL_BSP_MAX_QUEUE_SIZE="10")
            self.replace_list("".join(f"file{i} text\n" for i in range(50)))
            # A file just written is an event of its own, so a run of a key says nothing of how many keys have run.
            names = {f"file{i}" for i in range(50)}
            while {path.name for path in self.files.iterdir()} != names:
                self.assertIsNone(self.program.poll())
            self.await_metric('windlass_spans_total{result="dropped_full"}', 1)
            self.stop()

    def test_a_silent_collector_holds_up_neither_work_nor_the_end(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            self.start(OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{silent.getsockname()[1]}",
                       OTEL_EXPORTER_OTLP_TIMEOUT="3600000", OTEL_BSP_SCHEDULE_DELAY="1")
            self.replace_list("a one\n")
            self.await_line("written", "key=a")
            silent.accept()[0].close()
            self.stop()

    def test_a_full_disk_for_the_log_costs_lines_and_nothing_else(self):
        self.list.write_text("a one\n")
        with open("/dev/full", "w", encoding="ascii") as full:
            self.start(log=full)
        self.await_metric('reconcile_total{controller="files",result="success"}', 1)
        self.await_metric('windlass_log_lines_total{result="dropped"}', 1)
        self.assertEqual((self.files / "a").read_text(), "one\n")
        self.stop()

    def test_a_scraper_that_does_not_read_holds_up_nobody(self):
        self.start()
        address = self.url.split("/")[2].rsplit(":", 1)
        with socket.create_connection((address[0], int(address[1]))) as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            slow.send(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            self.replace_list("a one\n")
            self.await_line("written", "key=a")
            self.assertIn("workqueue_depth", self.scrape()[0])
            self.stop()

    def test_wrong_use_is_told(self):
        inside = self.files / "list"
        for arguments, code, text in (
            ([], 2, "usage: "),
            ([self.list, self.folder / "none"], 1, "watch the folders of LIST and DIRECTORY: No such file"),
            ([inside, self.files], 1, "LIST is in DIRECTORY"),
            ([self.list, self.files, "nowhere"], 1, "nowhere"),
        ):
            ended = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)
            self.assertEqual(ended.returncode, code, ended.stderr)
            self.assertIn(text, ended.stderr)


unittest.main()
