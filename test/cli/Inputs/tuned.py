"""tuned.py FEW ALL: the search found nearly the best of all, with few launches."""
import json
import sys

few, everything = (json.load(open(path)) for path in sys.argv[1:])
launched = lambda result: [row for row in result["tried"] if "cycles" in row]
refused = [row for row in everything["tried"] if "problem" in row]
assert len(everything["tried"]) == everything["candidates"] == 30
assert refused and all(row["values"]["N"] == "65536" for row in refused), refused
assert all("unified buffer" in row["problem"] for row in refused), refused
assert len(launched(few)) < len(launched(everything)) / 2
assert few["best"]["cycles"] <= 1.05 * everything["best"]["cycles"]
assert everything["best"]["cycles"] == min(row["cycles"] for row in launched(everything))
