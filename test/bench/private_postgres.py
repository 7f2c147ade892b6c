"""A PostgreSQL cluster of a test's own: in a temporary folder, on a Unix socket.

PostgreSQL refuses to run as root; it runs as the user postgres or nobody then, to whom the
folder belongs. Nothing listens on the network.
"""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

PORT = 5432


def programs():
    """The folder of PostgreSQL's programs, or None."""
    found = shutil.which("initdb")
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folders += [pathlib.Path(found).resolve().parent] if found else []
    needed = ("initdb", "postgres", "pg_isready", "psql")
    return next((f for f in folders if all((f / name).exists() for name in needed)), None)


class Cluster:
    def __init__(self):
        self.bin = programs()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="belay-pg-"))
        self.as_user, self.user = [], pwd.getpwuid(os.getuid()).pw_name
        if os.getuid() == 0:
            other = next(p for p in map(self.entry, ("postgres", "nobody")) if p)
            os.chown(self.folder, other.pw_uid, other.pw_gid)
            self.as_user = ["setpriv", f"--reuid={other.pw_uid}", f"--regid={other.pw_gid}", "--clear-groups"]
            self.user = other.pw_name
        self.data, self.process, self.starts = self.folder / "data", None, 0
        try:
            subprocess.run([*self.as_user, self.bin / "initdb", "-D", self.data, "-U", self.user, "-A", "trust",
                            "-E", "UTF8", "--locale=C", "--no-sync"], check=True, capture_output=True, cwd="/")
            self.start()
            self.sql("CREATE DATABASE bench", database="postgres")
        except BaseException:
            self.remove()
            raise

    @staticmethod
    def entry(name):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            return None

    def url(self, folder=None):
        return f"postgres:///bench?host={folder or self.folder}&port={PORT}&user={self.user}"

    def start(self):
        """Starts the server, and waits until it answers; the children of one that was killed may
        hold its memory for a moment."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.process is None or self.process.poll() is not None:
                with open(self.folder / "log", "ab") as log:
                    self.process = subprocess.Popen(
                        [*self.as_user, str(self.bin / "postgres"), "-D", str(self.data), "-k", str(self.folder),
                         "-p", str(PORT), "-c", "listen_addresses=", "-c", "max_connections=100"],
                        stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/")
            ready = subprocess.run([self.bin / "pg_isready", "-q", "-h", self.folder, "-p", str(PORT)])
            if ready.returncode == 0 and self.process.poll() is None:
                self.starts += 1
                return
            time.sleep(0.1)
        raise RuntimeError("PostgreSQL does not start: " + (self.folder / "log").read_text()[-2000:])

    def kill(self):
        """As if its machine had lost its power; what was written is on the disk."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def sql(self, text, database="bench"):
        done = subprocess.run([self.bin / "psql", "-h", self.folder, "-p", str(PORT), "-U", self.user, "-d", database,
                               "-v", "ON_ERROR_STOP=1", "-qAtX", "-c", text], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return [line.split("|") for line in done.stdout.splitlines()]

    def remove(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Network:
    """Connections to a cluster that can be cut, or go silent, at any time."""

    def __init__(self, cluster):
        self.cluster, self.lock, self.links, self.silent = cluster, threading.Lock(), [], False
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="belay-net-"))
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.folder / f".s.PGSQL.{PORT}"))
        self.listener.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self):
        return self.cluster.url(self.folder)

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(str(self.cluster.folder / f".s.PGSQL.{PORT}"))
            except OSError:
                near.close()
                far.close()
                continue
            with self.lock:
                self.links += [near, far]
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(a, b), daemon=True).start()

    def carry(self, a, b):
        try:
            while data := a.recv(1 << 16):
                while self.silent:
                    time.sleep(0.05)
                b.sendall(data)
        except OSError:
            pass
        for each in (a, b):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        with self.lock:
            links, self.links = self.links, []
        for each in links:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()

    def close(self):
        self.listener.close()
        self.cut()
        shutil.rmtree(self.folder, ignore_errors=True)
