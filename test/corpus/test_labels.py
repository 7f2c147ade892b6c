"""What holds for every folder of the corpus."""
import difflib
import re

from corpus import ROOT, is_bait, patterns
from harness import main

MARKER = re.compile(r"\s*// (site|other)$", re.MULTILINE)
# A flag has two ends, and code that moves leaves one place for another.
MOST_HUNKS = 2


def kernel(folder, name):
    return (folder / name).read_text()


def test_twins_differ_in_one_edit():
    for folder, label in patterns():
        if is_bait(label):
            continue
        unsafe = MARKER.sub("", kernel(folder, "unsafe.cpp")).splitlines()
        safe = kernel(folder, "safe.cpp").splitlines()
        steps = difflib.SequenceMatcher(a=unsafe, b=safe, autojunk=False).get_opcodes()
        hunks = [s for s in steps if s[0] != "equal"]
        if "unsafe" in label or "safe" in label:
            assert not hunks, f"{folder}: the host differs, and the kernels too"
        else:
            assert 1 <= len(hunks) <= MOST_HUNKS, f"{folder}: {len(hunks)} hunks"


def test_markers():
    for folder, label in patterns():
        assert not MARKER.search(kernel(folder, "safe.cpp")), f"{folder}: marker in safe.cpp"
        if is_bait(label):
            continue
        text = kernel(folder, "unsafe.cpp")
        for verdict in label["expected"].values():
            if "id" in verdict and verdict.get("site", True):
                assert "// site\n" in text, f"{folder}: no // site"
            if verdict.get("other"):
                assert "// other\n" in text, f"{folder}: no // other"


def test_kernels_are_small():
    for folder, label in patterns():
        for path in folder.glob("*.cpp"):
            lines = path.read_text().count("\n")
            assert 15 <= lines <= 80, f"{path}: {lines} lines"


def test_descriptions_are_sentences():
    for folder, label in patterns():
        text = label["description"]
        assert text[0].isupper() or text[0].isdigit(), f"{folder}: {text}"
        assert text.endswith(".") and "\n" not in text, f"{folder}: {text}"


def test_seeds_name_a_commit():
    for folder, label in patterns():
        commit = label["seed"].get("commit")
        if commit:
            assert re.fullmatch(r"[a-z-]+(-[0-9a-f]{7,10})", commit, re.I), f"{folder}: {commit}"


if __name__ == "__main__":
    main()
