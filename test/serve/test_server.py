"""`belay serve` by a client, and in a browser without a window where there is one."""
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

from browser import Browser

BELAY, ROOT = os.environ["BELAY"], pathlib.Path(os.environ["BELAY_SOURCE"])
UNSAFE = (ROOT / "corpus/missing-sync/v6-1-load-then-add/unsafe.cpp").read_text()
COPY = """#include "belay/kernel.h"
using namespace belay;
template <i64 C>
[[belay::kernel]] void copy(In<float, dyn, C> x, Out<float, dyn, C> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<8>(y))
    store(rows, load(x, rows));
}
"""
TENSORS = [{"in": "f32:16x64=normal:1"}, {"out": "f32:16x64"}]


class Served:
    """A server, and requests to it."""

    def __init__(self, *options):
        self.process = subprocess.Popen([BELAY, "serve", "--no-open", *options], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.url)
        self.host, self.port = parts.hostname, parts.port
        self.secret = urllib.parse.parse_qs(parts.query)["secret"][0]

    def end(self):
        self.process.terminate()
        self.process.stdout.close()
        try:
            return self.process.wait(timeout=30)
        finally:
            self.process.kill()  # nothing if it has ended

    def ask(self, method, path, body=None, headers=(), host=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=120)
        connection.putrequest(method, path, skip_host=True)
        for name, value in {"Host": host or f"{self.host}:{self.port}", **dict(headers)}.items():
            if value is not None:
                connection.putheader(name, value)
        if body is not None and "Content-Length" not in dict(headers):
            connection.putheader("Content-Length", str(len(body)))
        try:
            connection.endheaders(body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before all of it was read
        reply = connection.getresponse()
        answer = reply.status, reply.read(), dict(reply.getheaders())
        connection.close()
        return answer

    def post(self, request, **changes):
        headers = {"Content-Type": "application/json", "X-Belay-Secret": self.secret, **changes.pop("headers", {})}
        return self.ask("POST", "/view", json.dumps(request).encode(), headers, **changes)

    def view(self, view, source, **more):
        status, body, _ = self.post({"view": view, "source": source, **more})
        assert status == 200, (status, body)
        return json.loads(body)


class WhoMayAsk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served()

    @classmethod
    def tearDownClass(cls):
        assert cls.served.end() == 0

    def test_loopback_only(self):
        listening = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        mine = [each[1] for each in listening if each[3] == "0A" and each[1].endswith(f":{self.served.port:04X}")]
        self.assertEqual(mine, [f"0100007F:{self.served.port:04X}"])
        with self.assertRaises(OSError):
            socket.create_connection(("::1", self.served.port), timeout=2)

    def test_page(self):
        status, body, headers = self.served.ask("GET", "/?secret=" + self.served.secret)
        self.assertEqual(status, 200)
        self.assertNotIn(b"http://", body)
        self.assertNotIn(b"https://", body)
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        self.assertEqual(headers["Cache-Control"], "no-store")

    def test_secret(self):
        other = "0" * 32
        for path in ("/", "/?secret=", "/?secret=" + other, "/?secret=" + self.served.secret[:-1]):
            self.assertEqual(self.served.ask("GET", path)[0], 403, path)
        for secret in (None, "", other):
            status, _, _ = self.served.post({"view": "findings", "source": COPY}, headers={"X-Belay-Secret": secret})
            self.assertEqual(status, 403)
        again = Served()
        self.assertNotEqual(again.secret, self.served.secret)
        again.end()

    def test_names_of_others(self):
        """A name that resolves to 127.0.0.1 by the will of another page's owner."""
        page = "/?secret=" + self.served.secret
        for host in ("evil.example", f"evil.example:{self.served.port}", "127.0.0.1", f"127.0.0.1:{self.served.port + 1}",
                     f"localhost.evil.example:{self.served.port}"):
            self.assertEqual(self.served.ask("GET", page, host=host)[0], 403, host)
        self.assertEqual(self.served.ask("GET", page, host=f"localhost:{self.served.port}")[0], 200)
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{self.served.port}", "http://localhost"):
            status, _, _ = self.served.post({"view": "findings", "source": COPY}, headers={"Origin": origin})
            self.assertEqual(status, 403, origin)
        status, _, _ = self.served.post({"view": "findings", "source": "int x;"},
                                        headers={"Origin": f"http://127.0.0.1:{self.served.port}"})
        self.assertEqual(status, 200)

    def test_other_requests(self):
        for method, path, wanted in (("GET", "/nothing", 404), ("GET", "/../etc/passwd", 404), ("PUT", "/view", 403),
                                     ("OPTIONS", "/view", 403), ("GET", "/timeline/" + "0" * 32, 404),
                                     ("GET", "/view", 404)):
            status, body, _ = self.served.ask(method, path)
            # What no route has is 404, or 400 where no server has it.
            self.assertIn(status, (wanted, 400), (method, path))
            self.assertNotIn(b"root:", body)
        for headers in ({"Content-Type": "text/plain"}, {"Content-Encoding": "gzip"}, {"Transfer-Encoding": "chunked"}):
            self.assertEqual(self.served.post({"view": "findings", "source": ""}, headers=headers)[0], 403, headers)

    def test_bounds(self):
        status, _, _ = self.served.post({"view": "findings", "source": "x" * (2 << 20)})
        self.assertEqual(status, 413)
        self.assertIn("256 KiB", self.served.view("findings", "x" * (300 << 10))["problem"])
        self.assertIn("problem", self.served.view("findings", COPY, args=[{"in": "f32:8=ones"}] * 17))
        self.assertIn("64 MiB", self.served.view("findings", COPY, args=[{"out": "f32:100000000"}])["problem"])
        for body in (b"", b"[", b"[" * 100000, b'{"view": 1, "source": 2}', b'{"view": "rm", "source": ""}'):
            status, answer, _ = self.served.ask("POST", "/view", body, {"Content-Type": "application/json",
                                                                       "X-Belay-Secret": self.served.secret})
            self.assertTrue(status == 400 or "problem" in json.loads(answer), (body[:20], status, answer))

    def test_no_files(self):
        for arg in ({"in": "f32:8=data.bin"}, {"in": "x.npy"}, {"out": "f32:8=y.npy"}, {"inout": "f32:8=ones@y.npy"},
                    {"in": "f32:8=/etc/passwd"}, {"in": "[f32:8=x.bin; f32:8=ones]"}, {"file": "x"}, {}):
            self.assertIn("problem", self.served.view("run", COPY, args=[arg]), arg)
        for kernel in ("copy<64>; #include", "a" * 300, "x\n--keep=/tmp"):
            self.assertIn("problem", self.served.view("findings", COPY, kernel=kernel))

    def test_busy(self):
        """More requests than may wait are refused, and those before them are answered."""
        found = []
        def ask():
            found.append(self.served.post({"view": "ascendc", "source": COPY, "kernel": "copy<64>"})[0])
        threads = [threading.Thread(target=ask) for _ in range(24)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(set(found) - {200, 429}, set())
        self.assertGreater(found.count(200), 0)


class Views(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served()

    @classmethod
    def tearDownClass(cls):
        cls.served.end()

    def test_language(self):
        view = self.served.view
        (case,) = view("findings", COPY, args=TENSORS)["report"]["cases"]
        self.assertEqual((case["kernel"], case["verdicts"][0]["verdict"]), ("copy<64>", "clean"))
        self.assertIn("__global__ __aicore__ void copy_64(", view("ascendc", COPY, args=TENSORS)["out"])
        self.assertIn("func.func @copy_64(", view("tiles", COPY, args=TENSORS)["out"])
        self.assertIn("ascend.", view("core", COPY, args=TENSORS)["out"])
        self.assertIn("copy_64 for Ascend310P3", view("plan", COPY, args=TENSORS, soc="Ascend310P3")["out"])

    def test_run(self):
        answer = self.served.view("run", COPY, args=TENSORS, blocks=2)
        (case,) = answer["report"]["cases"]
        self.assertTrue(case["passed"] and case["sealed"] and case["sandbox"], case)
        self.assertEqual(case["proof"]["verdict"], "clean")
        status, page, headers = self.served.ask("GET", "/timeline/" + answer["timeline"])
        self.assertEqual(status, 200)
        self.assertIn(b"kernel.cpp", page)
        self.assertTrue(headers["Content-Security-Policy"].startswith("sandbox allow-scripts;"))

    def test_ascendc(self):
        (case,) = self.served.view("findings", UNSAFE)["report"]["cases"]
        self.assertEqual([(p["id"], p["line"], p["file"]) for p in case["problems"]], [("missing-sync", 16, "kernel.cpp")])
        self.assertIn("AscendC already", self.served.view("ascendc", UNSAFE)["out"])
        run = self.served.view("run", UNSAFE, args=[{"in": "f32:512=ones"}, {"out": "f32:512"}])
        self.assertEqual(run["report"]["cases"][0]["problems"][0]["id"], "missing-sync")

    def test_confined(self):
        """A source reaches no file of the machine, and does not run for ever."""
        for view in ("findings", "ascendc", "run"):
            for source in (COPY, UNSAFE):
                said = json.dumps(self.served.view(view, '#include "/etc/passwd"\n' + source, args=TENSORS))
                self.assertNotIn("root:", said)
        endless = UNSAFE.replace("  TPipe", "  while (true) { asm volatile(\"\"); }\n  TPipe", 1)
        self.assertNotEqual(endless, UNSAFE)
        began = time.monotonic()
        answer = self.served.view("run", endless, args=[{"in": "f32:512=ones"}, {"out": "f32:512"}])
        self.assertLess(time.monotonic() - began, 60)
        self.assertNotEqual(answer["status"], 0)

    def test_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            before, os.environ["TMPDIR"] = os.environ.get("TMPDIR"), folder
            try:
                served = Served()
                served.view("run", COPY, args=TENSORS)
                served.end()
            finally:
                os.environ.pop("TMPDIR")
                if before is not None:
                    os.environ["TMPDIR"] = before
            self.assertEqual(os.listdir(folder), [])

    def test_command_line(self):
        for words, said in ((["nosuch.cpp"], "there is no file"), (["--port", "x"], "--port"), (["a", "b"], "one file")):
            done = subprocess.run([BELAY, "serve", "--no-open", *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)
        taken = subprocess.run([BELAY, "serve", "--no-open", "--port", str(self.served.port)],
                               capture_output=True, text=True)
        self.assertEqual(taken.returncode, 5, taken)
        self.assertIn("is taken", taken.stderr)


@unittest.skipUnless(shutil.which("chromium"), "no chromium")
class Page(unittest.TestCase):
    """What a user sees, wide and narrow. BELAY_PICTURES=DIR keeps pictures."""

    def test_page(self):
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
            file.write(COPY + "// </script><script>document.title = 'taken over'</script>\n")
            file.flush()
            served = Served(file.name)
            try:
                for width, height in ((1400, 800), (480, 1100)):
                    with self.subTest(width=width), Browser(shutil.which("chromium"), width, height) as page:
                        self.follow(page, served, width)
            finally:
                served.end()

    def follow(self, page, served, width):
        page.open(served.url)
        # The file: a template, of which nothing is known without arguments.
        page.wait("document.getElementById('view').innerText.includes('template')")
        self.assertEqual(page.value("document.title"), "Belay")
        # Arguments are typed, and it is proven; a word is lost, and it is not.
        page.value("""(() => { const box = document.getElementById('args');
            box.value = 'in f32:16x64=normal:1\\nout f32:16x64'; box.dispatchEvent(new Event('input')); })()""")
        page.wait("document.getElementById('view').innerText.startsWith('proven')")
        page.value("""(() => { const box = document.getElementById('source');
            box.value = box.value.replace('expects', '// expects'); box.dispatchEvent(new Event('input')); })()""")
        page.wait("!!document.querySelector('.finding.open') && !!document.querySelector('#lines .open')")
        for view, word in (("ascendc", "copy_64"), ("tiles", "func.func"), ("core", "ascend."), ("plan", "UB")):
            page.value(f"document.querySelector('[data-view={view}]').click()")
            page.wait(f"document.getElementById('view').innerText.includes('{word}')")
        page.value("document.querySelector('[data-view=run]').click()")
        page.wait("!!document.querySelector('iframe')")
        page.wait("document.getElementById('view').innerText.includes('passed')")
        # Nothing is wider than the page, and nothing was blocked or failed.
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
        time.sleep(1)  # the timeline draws itself
        self.assertEqual(page.complaints(), [])
        if os.environ.get("BELAY_PICTURES"):
            page.picture(pathlib.Path(os.environ["BELAY_PICTURES"]) / f"serve-{width}.png")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
