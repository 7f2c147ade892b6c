"""The static check on the whole corpus: most of what the source shows is found, at
its line, and right kernels are left alone."""
import json
import os
import subprocess

from harness import main


def test_score():
    process = subprocess.run(
        [os.environ["BELAY"], "corpus", "--static", "--json"],
        stdout=subprocess.PIPE, check=False)
    assert process.returncode in (0, 1), "the corpus cannot be read"
    score = json.loads(process.stdout)
    total = score["total"]
    assert total["found"] >= 0.85 * total["showable"], score["misses"]
    assert total["falseAlarms"] <= 0.02 * total["safeKernels"], score["falseAlarms"]
    assert total["unknown"] <= 0.15 * total["asked"], total


if __name__ == "__main__":
    main()
