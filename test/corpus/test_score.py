"""The sanitizer on the whole corpus: everything that a run can show is found, and
there is no false alarm."""
import json
import os
import subprocess

from harness import main

def test_score():
    process = subprocess.run(
        [os.environ["BELAY"], "corpus", "--dynamic", "--json"],
        stdout=subprocess.PIPE, check=False)
    assert process.returncode in (0, 1), "the corpus cannot be read"
    score = json.loads(process.stdout)
    assert not score["falseAlarms"], score["falseAlarms"]
    assert not score["misses"], score["misses"]


if __name__ == "__main__":
    main()
