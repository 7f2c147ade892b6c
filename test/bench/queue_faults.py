"""Breaks a queue while agents work for it, and compares with an undisturbed run.

Most jobs are cheap: they end in the scan of their text or in clang. All are judged by real
agents, in the sandbox.
"""
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

import private_postgres

TASK = "level1/activation/relu/float"
LEASE = 3


class Agents:
    """Some agents, of which any can be killed at any time; a new one takes its place."""

    def __init__(self, belay, url, count, folder):
        self.command = [str(belay), "bench", "agent", "--queue", url, "--lease", str(LEASE), "--until-empty", "--jobs", "1"]
        self.log = open(pathlib.Path(folder) / "agents.log", "ab")
        self.running = [self.begin() for _ in range(count)]

    def begin(self):
        return subprocess.Popen(self.command, stdout=self.log, stderr=self.log, env={**os.environ, "NO_COLOR": "1"})

    def kill(self, which):
        self.running[which].send_signal(signal.SIGKILL)
        self.running[which].wait()
        self.running[which] = self.begin()

    def wait(self, seconds):
        deadline = time.monotonic() + seconds
        for each in self.running:
            if each.wait(max(1, deadline - time.monotonic())):
                raise RuntimeError("an agent failed: " + self.said()[-2000:])

    def said(self):
        return pathlib.Path(self.log.name).read_text()

    def end(self):
        for each in self.running:
            if each.poll() is None:
                each.kill()
                each.wait()
        self.log.close()


def write_candidates(belay, folder, jobs, real):
    """Of all kinds: nothing to launch, an error of clang, and some that are right or wrong."""
    place = folder / "m" / TASK
    place.mkdir(parents=True)
    subprocess.run([belay, "bench", "answers", "--tasks", TASK, "--format", "ascendc", "-o", folder / "answers"],
                   check=True, capture_output=True)
    right = (folder / "answers" / TASK / "answer.cpp").read_text()
    (folder / "answers" / TASK / "answer.cpp").unlink()
    wrong = right.replace("xTile, 0.0f", "xTile, 0.5f")
    assert wrong != right
    for i in range(jobs):
        if i < real:
            text = f"// {i}\n" + (right if i % 2 else wrong)
        elif i % 4 == 0:
            text = f'extern "C" __global__ __aicore__ void k(GM_ADDR x) {{ undeclared{i}(); }}\n'
        else:
            text = f"int nothing_to_launch_{i};\n"
        (place / f"{i}.cpp").write_text(text)


def results(cluster):
    """By key: how often there is one, its verdict and the digest of its record."""
    rows = cluster.sql("SELECT key, count(*), min(verdict), min(digest) FROM belay_bench.result GROUP BY key")
    return {key: rest for key, *rest in rows}


def number(cluster, table):
    return int(cluster.sql(f"SELECT count(*) FROM belay_bench.{table}")[0][0])


def submit(belay, url, candidates):
    done = subprocess.run([belay, "bench", "submit", "--queue", url, "--tasks", TASK, "--candidates", candidates],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)


def disturb(cluster, network, agents, jobs, kills, cuts, chance, say):
    """Each fault comes when the work has gone on a little since the one before."""
    faults = ["agent"] * (kills - kills // 2) + ["server"] * (kills // 2) + ["cut"] * cuts
    chance.shuffle(faults)
    done = {"agent": 0, "server": 0, "cut": 0}
    for at, fault in enumerate(faults):
        goal = jobs * (at + chance.random()) / (len(faults) + 2)
        deadline = time.monotonic() + 120
        while number(cluster, "result") < goal:
            if time.monotonic() > deadline:
                raise RuntimeError("nothing goes on any more: " + agents.said()[-2000:])
            time.sleep(0.05)
        time.sleep(chance.random() * 0.3)
        if number(cluster, "queue") == 0:
            raise RuntimeError(f"all was judged before fault {at}")
        if fault == "agent":
            agents.kill(chance.randrange(len(agents.running)))
        elif fault == "server":
            cluster.kill()
            time.sleep(chance.random())
            cluster.start()
        else:
            network.silent = chance.random() < 0.3
            time.sleep(1 if network.silent else 0)
            network.cut()
            network.silent = False
        done[fault] += 1
        say(f"{at + 1}/{len(faults)} {fault}: {number(cluster, 'result')} results")
    return done


def run(belay, jobs, real, kills, cuts, seed, say=lambda text: None):
    """What was done, and what differs from the undisturbed run; nothing has to."""
    chance = random.Random(seed)
    cluster = private_postgres.Cluster()
    network = private_postgres.Network(cluster)
    try:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            write_candidates(belay, folder / "work", jobs, real)
            submit(belay, cluster.url(), folder / "work")
            agents = Agents(belay, cluster.url(), 2, folder)
            try:
                agents.wait(3600)
            finally:
                agents.end()
            calm = results(cluster)
            say(f"{len(calm)} results of an undisturbed run")
            cluster.sql("TRUNCATE belay_bench.result")
            submit(belay, cluster.url(), folder / "work")
            if number(cluster, "queue") != jobs or len(calm) != jobs:
                raise RuntimeError("not all jobs were queued")
            starts = cluster.starts
            agents = Agents(belay, network.url(), 2, folder)
            try:
                faults = disturb(cluster, network, agents, jobs, kills, cuts, chance, say)
                agents.wait(3600)
                said = agents.said()
            finally:
                agents.end()
            rough = results(cluster)
            return {
                "faults": faults, "restarts": cluster.starts - starts,
                "lost": sorted(set(calm) - set(rough)), "strange": sorted(set(rough) - set(calm)),
                "twice": [key for key, (count, *_) in rough.items() if count != "1"],
                "differ": [(key, calm[key], rough[key]) for key in calm.keys() & rough.keys() if calm[key] != rough[key]],
                "left": number(cluster, "queue"), "warnings": said.count("was another one before"),
                "verdicts": {v: sum(r[1] == v for r in rough.values()) for v in {r[1] for r in rough.values()}},
            }
    finally:
        network.close()
        cluster.remove()
