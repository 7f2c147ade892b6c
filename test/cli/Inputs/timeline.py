"""timeline.py TRACE.json PAGE.html: both show the same, and the page needs nothing else."""
import json
import re
import sys

trace = json.load(open(sys.argv[1]))["traceEvents"]
page = open(sys.argv[2]).read()
data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])

names = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace if e["name"] == "thread_name"}
cores = [e["args"]["name"] for e in trace if e["name"] == "process_name"]
assert cores == data["cores"] and any("cube" in c for c in cores) and any("vector" in c for c in cores)
run = [e for e in trace if e["ph"] == "X" and e["cat"] != "wait"]
assert len(run) == len(data["events"]) > 20
assert {e["name"] for e in run} >= {"Mmad", "Fixpipe"}
assert all("matmul_mixed.cpp:" in e["args"]["line"] for e in run)
for e in run:  # an instruction is on the pipe of its thread, within the launch
    assert names[e["pid"], e["tid"]] == e["cat"] and e["dur"] >= 0
    assert 0 < e["ts"] and e["ts"] + e["dur"] <= data["cycles"] + 1
for pid, tid in names:  # a pipe runs one at a time
    lane = sorted((e["ts"], e["ts"] + e["dur"]) for e in run if (e["pid"], e["tid"]) == (pid, tid))
    assert all(a[1] <= b[0] + 0.2 for a, b in zip(lane, lane[1:])), (pid, tid)
starts = {e["id"]: e for e in trace if e["ph"] == "s"}
ends = {e["id"]: e for e in trace if e["ph"] == "f"}
assert starts.keys() == ends.keys() and starts and all(starts[i]["ts"] <= ends[i]["ts"] for i in starts)
assert any(starts[i]["pid"] != ends[i]["pid"] for i in starts), "no flag between cores"
assert not re.search(r'(src|href)\s*=|https?://|@import|url\(', page.replace(json.dumps(data), ""))
assert any("Mmad" in text for text in data["sources"].values())
