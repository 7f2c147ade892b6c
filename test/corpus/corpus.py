"""The labels of the corpus, for the tests beside this file."""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"


def patterns():
    """(folder, label) of every pattern and bait."""
    for path in sorted(CORPUS.glob("*/*/case.json")):
        yield path.parent, json.loads(path.read_text())


def is_bait(label):
    return label["class"] == "bait"
