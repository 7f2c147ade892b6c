"""faster.py A B RATIO: in all draws B takes RATIO times as long as A, at least."""
import json
import sys

a, b = (json.load(open(path))["cases"][0]["time"] for path in sys.argv[1:3])
for draw, cycles in a["draws"].items():
    assert b["draws"][draw] >= float(sys.argv[3]) * cycles, (draw, cycles, b["draws"][draw])
for time in a, b:
    assert time["low"] <= time["cycles"] <= time["high"], time
    assert abs(sum(time["causes"].values()) - time["cycles"]) < 20, time
    assert 0 <= time["guesses"] <= 1, time
