"""What became of the launches of a kernel: three witnesses, launch by launch."""
import collections
import os
import re
import subprocess

import numpy as np

from .kernel import ARCHS, Data
from .stream import Lost
from .values import widen

# Launches that are under way at once.
BATCH = 64
# Of one kernel on one architecture, so many failures of a kind are kept.
KEPT = 3

NOT_YET = re.compile(r"\b(yet|so far)\b|does not have|does not compute with|"
                     r"has no (instruction|conversion|type|bfloat16|atomic)")
ORDER = re.compile(r"may start while|may be raised again|order of")
CAPACITY = re.compile(r"local-capacity|unified buffer")


def why_refused(text):
    """The kind of a refusal: no such instruction, too large, order, not proven, other."""
    errors = [line for line in text.splitlines() if " error: " in line or line.startswith("error: ")]
    if errors and all(NOT_YET.search(line) for line in errors):
        return "type"
    if ORDER.search(text):
        return "order"
    if CAPACITY.search(text):
        return "capacity"
    return "unproven" if "cannot prove" in text else "other"


def difference(view, got, want, tolerance):
    """None, or the first element that is too far from the reference. Signs of zeros and
    bits of NaNs are nobody's business."""
    values = widen(got, view.dtype)
    want = np.asarray(want).astype(values.dtype, copy=False).reshape(values.shape)
    same = values == want
    if same.all():
        return None
    same |= np.isnan(values) & np.isnan(want)
    if tolerance:
        same |= abs(values.astype(np.float64) - want) <= tolerance
    if same.all():
        return None
    at = tuple(int(i) for i in np.argwhere(~same)[0])
    return (f"{view.name}{list(at)} is {values[at]!r}, not {want[at]!r}; "
            f"{int((~same).sum())} of {same.size} differ")


class Record:
    """Of one kernel on one architecture."""

    def __init__(self, kernel, arch):
        self.kernel, self.arch = kernel, arch
        self.counts = collections.Counter()
        self.failures = []

    def fail(self, kind, what, text, **more):
        self.counts[kind] += 1
        if sum(f["kind"] == kind and f["what"] == what for f in self.failures) < KEPT:
            self.failures.append({"kind": kind, "what": what, "text": text[:600], **more})

    def json(self, seconds):
        return {"kernel": self.kernel.name, "arch": self.arch, **self.counts,
                "seconds": round(seconds, 2), "failures": self.failures}


class Judge:
    def __init__(self, stream, twins, belay):
        self.stream, self.twins, self.belay = stream, twins, belay

    def build(self, kernel, arch):
        """What `belay build` says of a kernel that could not be run."""
        command = [self.belay, "build", kernel.text, "--kernel", kernel.instance, "--soc", ARCHS[arch],
                   "--deny", "--emit", "ascendc", "-o", str(self.stream.path / "built.cpp")]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120,
                                  env={**os.environ, "NO_COLOR": "1"}, check=False)
        except subprocess.TimeoutExpired:
            return None, "no end after 120 s"
        return done.returncode, done.stderr

    def judge(self, kernel, arch, step=1):
        """A Record of all launches, or of one in `step`, each time another of them, so that
        no number of cores is left out."""
        record, data = Record(kernel, arch), Data(kernel)
        launches = [x for n, x in enumerate(kernel.launches()) if n % step == n // step % step]
        first = True
        while launches:
            size = 1 if first else BATCH
            batch, launches = launches[:size], launches[size:]
            try:
                if not self.judge_batch(record, data, batch):
                    break
            except Lost:
                record.fail("unknown", "lost", "no answer from belay", sizes=batch[0][1])
                if first:
                    break
            first = False
        return record

    def judge_batch(self, record, data, batch):
        """False if the kernel cannot run at all."""
        kernel = record.kernel
        prepared = []
        for number, sizes, cores in batch:
            sizes = {**sizes, "cores": cores}
            prepared.append((sizes, cores, data.of(number, sizes)))
        self.stream.ask(kernel, record.arch, prepared)
        wanted = [self.expect(record, data, *launch) for launch in prepared]
        for slot, ((sizes, cores, arrays), want) in enumerate(zip(prepared, wanted)):
            answer = self.stream.hear()
            record.counts["launches"] += 1
            where = {"sizes": {k: v for k, v in sizes.items() if k != "cores"}, "cores": cores}
            if not answer["passed"]:
                problem = next(p for p in answer["problems"] if p["severity"] == "error")
                if problem["id"] == "compile-error":
                    self.refusal(record)
                    return False
                record.fail("findings", problem["id"], problem["message"], **where)
                continue
            for problem in answer["problems"]:
                record.fail("findings", problem["id"], problem["message"], **where)
            for view in kernel.written():
                try:
                    got = self.stream.output(kernel, slot, view, arrays[view.name].shape)
                except (OSError, ValueError) as error:
                    record.fail("unknown", "no output", str(error), **where)
                    break
                wrong = difference(view, got, want[view.name], kernel.tolerance.get(view.name, 0))
                if wrong:
                    record.fail("wrong", "simulator", wrong, **where)
                    break
        return True

    def expect(self, record, data, sizes, cores, arrays):
        """The reference; the twin has to agree with it."""
        kernel = record.kernel
        want = kernel.reference(data.wide(arrays), sizes)
        own = {v.name: arrays[v.name].copy() if v.role != "In" else arrays[v.name] for v in kernel.views()}
        violation = self.twins.run(kernel, sizes, cores, own)
        where = {"sizes": {k: v for k, v in sizes.items() if k != "cores"}, "cores": cores}
        if violation:
            record.fail("twin", "violation", violation, **where)
            return want
        for view in kernel.written():
            tolerance = kernel.tolerance.get(view.name, 0)
            wrong = difference(view, own[view.name], want[view.name], tolerance)
            if wrong:
                record.fail("twin", "value", wrong, **where)
                break
        return want

    def refusal(self, record):
        record.counts["launches"] -= 1
        status, text = self.build(record.kernel, record.arch)
        if status == 0:
            record.fail("unknown", "does not compile", "the emitted AscendC does not compile")
        elif status != 3:
            record.fail("unknown", "crash", text)
        else:
            record.fail("refused", why_refused(text), text)
