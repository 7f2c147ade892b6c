"""The plain search that test/campaigns/mutate holds the sanitizer to: small streams with
known order, and the corpus, where both have to agree."""
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

from harness import ROOT, belay, main

sys.path.insert(0, str(ROOT / "test/campaigns"))
import happens_before as hb  # noqa: E402

V, MTE2, MTE3, S = "PIPE_V", "PIPE_MTE2", "PIPE_MTE3", "PIPE_S"


def operand(access, address=0, size=64, space="UB"):
    return {"access": access, "space": space, "address": address, "blockBytes": size,
            "blocks": 1, "blockStride": 0, "repeats": 1, "repeatStride": 0}


def access(pipe, *operands, **more):
    return {"kind": "compute", "name": "x", "pc": 1, "pipe": pipe, "block": 0,
            "operands": list(operands), **more}


def write(pipe, **where):
    return access(pipe, operand("write", **where))


def read(pipe, **where):
    return access(pipe, operand("read", **where))


def sync(kind, on, to=S, **more):
    return {"kind": kind, "name": kind, "pc": 2, "pipe": on, "to": to, "id": 0,
            "mode": 0, "vectorOnly": False, "block": 0, "operands": [], **more}


def disorder(*streams, auto_sync=False, arch=2201):
    cores = [hb.CoreTrace("aiv", n, 0, list(s)) for n, s in enumerate(streams)]
    return hb.find_disorder(cores, auto_sync, arch)


def pair(on, to, **more):
    return sync("set-flag", on, to, **more), sync("wait-flag", on, to, **more)


def test_vector_unit():
    """That of 3510 orders its own instructions, and nothing else."""
    assert disorder([write(V), read(V)])
    assert disorder([write(V), read(V)], arch=3510) is None
    assert disorder([write(V), read(MTE3)], arch=3510)
    assert disorder([write("PIPE_M"), read("PIPE_M")], arch=3510)


def test_flags():
    assert disorder([write(MTE2), read(V)])
    assert disorder([write(MTE2), *pair(MTE2, V), read(V)]) is None
    assert disorder([write(MTE2), *pair(MTE2, MTE3), read(V)])
    assert disorder([write(MTE2), *pair(MTE2, V), read(V), write(MTE2)])
    assert disorder([write(MTE2), read(V, address=64)]) is None
    assert disorder([read(MTE3), read(V)]) is None
    # Over a third pipe.
    assert disorder([write(MTE2), *pair(MTE2, V), *pair(V, MTE3), read(MTE3)]) is None
    # The set comes too early.
    assert disorder([sync("set-flag", MTE2, V), write(MTE2),
                     sync("wait-flag", MTE2, V), read(V)])


def test_pairs():
    setting, waiting = pair(MTE2, V)
    assert "1 sets, 0 waits" in disorder([setting])
    assert "0 sets, 1 waits" in disorder([waiting])
    assert "twice" in disorder([setting, waiting, setting, waiting])
    assert disorder([setting, waiting, *pair(V, MTE2), setting, waiting]) is None
    assert "circle" in disorder([
        sync("wait-flag", V, MTE2), sync("set-flag", MTE2, V),
        sync("wait-flag", MTE2, V), sync("set-flag", V, MTE2)])


def test_barriers():
    assert disorder([write(V), read(V)])
    assert disorder([write(V), read(V)], auto_sync=True) is None
    assert disorder([write(V), sync("barrier", V), read(V)]) is None
    assert disorder([write(V), sync("barrier", MTE2), read(V)])
    assert disorder([write(MTE2), sync("barrier", V), read(V)])
    assert disorder([write(MTE2), sync("barrier", "PIPE_ALL"), read(V)]) is None


def test_cube():
    m, fix = "PIPE_M", "PIPE_FIX"

    def multiply(**more):
        return access(m, operand("read", space="L0C"), operand("write", space="L0C"), **more)

    def store(**more):
        return access(fix, operand("read", space="L0C"), **more)

    assert disorder([multiply(), multiply()])
    assert disorder([multiply(), sync("barrier", m), multiply()]) is None
    assert disorder([multiply(interlocked=True), multiply()]) is None
    assert disorder([multiply(interlocked=True), store()])
    flag = dict(unitFlag=True)
    fresh = access(m, operand("write", space="L0C"), **flag)
    assert disorder([multiply(**flag), store(**flag), fresh]) is None
    assert disorder([multiply(**flag), store(), fresh])
    assert disorder([multiply(**flag), store()])
    assert disorder([multiply(**flag), multiply(**flag)])


def test_queues():
    full = [sync("enque", MTE2, V, buffer=7), sync("deque", MTE2, V, buffer=7)]
    alloc, free = (sync(k, MTE2, V, buffer=7) for k in ("alloc", "free"))
    assert disorder([alloc, write(MTE2), *full, read(V), free]) is None
    assert disorder([alloc, write(MTE2), read(V), free])
    once = [alloc, write(MTE2), *full, read(V), free]
    assert disorder([*once, *once]) is None
    assert disorder([*once, write(MTE2)])
    other = [sync("enque", MTE2, V, buffer=8), sync("deque", MTE2, V, buffer=8)]
    assert disorder([alloc, *other, write(MTE2), read(V), free])


def test_cores():
    store, load = write(MTE3, space="GM"), read(MTE2, space="GM")
    everyone = sync("sync-all", "PIPE_ALL")
    assert disorder([store], [load])
    assert disorder([store, everyone], [everyone, load]) is None
    assert disorder([store, everyone], [load, everyone])
    assert disorder([everyone, store], [everyone, load])
    add = access(MTE3, operand("write", space="GM"), atomic=True)
    assert disorder([add], [add]) is None
    assert disorder([add], [load])
    # A flag holds all pipes back; on 3510 only the one that waits for it.
    setting, waiting = sync("cross-set", MTE3), sync("cross-wait", MTE2)
    assert disorder([store, setting, waiting], [setting, waiting, load]) is None
    late = sync("cross-wait", MTE3)
    assert disorder([store, setting, waiting], [setting, late, load]) is None
    assert disorder([store, setting, waiting], [setting, late, load], arch=3510)
    assert disorder([store, setting, waiting], [setting, late, *pair(MTE3, MTE2), load],
                    arch=3510) is None


# --- the corpus --------------------------------------------------------------

ORDER = ("missing-sync", "missing-barrier", "race-between-cores")


def corpus_patterns():
    """The folders of all patterns that are about order, on the default target."""
    for path in sorted((ROOT / "corpus").glob("*/*/case.json")):
        label = json.loads(path.read_text())
        if (label.get("expected", {}).get("dynamic") or {}).get("id") in ORDER:
            if 2201 in label["archs"]:
                yield path.parent, label


def traced(source, label, folder):
    """The search's answer for one kernel."""
    case = {"name": "case", "source": str(source), **label["run"]}
    (folder / "case.json").write_text(json.dumps({"cases": [case]}))
    auto_sync = label["autoSync"] == "on"
    # Loads and stores by plain pointers are traced in checked runs only, which may fail.
    pointers = "__ubuf__" in source.read_text()
    done = subprocess.run(
        [belay(), "run", str(folder / "case.json"), "--trace", str(folder / "trace"),
         *(["--check"] if pointers else [])],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert pointers or done.returncode == 0, done.stdout
    return hb.find_disorder(hb.read_trace(folder / "trace"), auto_sync)


def test_corpus():
    """Both kernels of a pattern, judged without the sanitizer."""
    seen = 0
    for pattern, label in corpus_patterns():
        for name in ("unsafe", "safe"):
            with tempfile.TemporaryDirectory() as folder:
                found = traced(pattern / f"{name}.cpp", label, pathlib.Path(folder))
            assert bool(found) == (name == "unsafe"), f"{pattern.name}, {name}: {found}"
        seen += 1
    assert seen >= 10, seen


def test_verdicts_of_mutate():
    """Each verdict, from what the two of them say."""
    loader = importlib.machinery.SourceFileLoader("mutate", str(ROOT / "test/campaigns/mutate"))
    mutate = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("mutate", loader))
    loader.exec_module(mutate)

    class Case:
        name, places = "case", {1}

        def __init__(self, ids, wrong):
            self.ids, self.wrong = ids, wrong

        def findings(self, mutant):
            return self.ids

        def disorder(self, mutant):
            return self.wrong

    change = mutate.Mutant("no flag", "drop", [1])

    def verdict(*cases):
        return mutate.judge([Case(*c) for c in cases], change)[0]

    assert verdict((["missing-sync"], "race")) == "killed"
    assert verdict(([], None)) == "equivalent"
    assert verdict(([], "race")) == "survived"
    assert verdict((["missing-sync"], None)) == "false"
    assert verdict(([], None), (["missing-sync"], "race")) == "killed"
    assert verdict(([], None), ([], "race")) == "survived"


if __name__ == "__main__":
    main()
