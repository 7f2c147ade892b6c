"""What --check says: text, JSON and SARIF, and that nothing hides what was found.

    test_reports.py --update

writes golden/*.txt anew."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from harness import belay, line_of, main

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = "reports.cpp"
# kernel, blocks, number for the defect, number for none
GOLDEN = [("race", 1, 4, 2), ("use_after_free", 1, 3, 1), ("cores", 2, 0, 256)]


def run(kernel, number, *options, blocks=1, source=SOURCE):
    return subprocess.run(
        [belay(), "run", str(source), "--check", "--allow-unwritten", "all", "--kernel", kernel,
         "--blocks", str(blocks), "--in", "f32:1024=normal:1",
         "--out", "f32:1024", "--scalar", f"u32={number}", *options],
        cwd=HERE, text=True, errors="replace", check=False,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def as_json(*args, **kwargs):
    process = run(*args, "--format", "json", **kwargs)
    answer = json.loads(process.stdout)
    assert answer["exitStatus"] == process.returncode
    return answer["cases"][0]["problems"]


def as_sarif(*args, **kwargs):
    process = run(*args, "--format", "sarif", **kwargs)
    (sarif_run,) = json.loads(process.stdout)["runs"]
    assert sarif_run["invocations"][0]["exitCode"] == process.returncode
    return sarif_run


# --- text --------------------------------------------------------------------


def golden(kernel):
    return HERE / "golden" / f"{kernel}.txt"


def test_text():
    for kernel, blocks, bad, _ in GOLDEN:
        process = run(kernel, bad, blocks=blocks)
        assert process.returncode == 1, process.stderr
        want = golden(kernel).read_text()
        assert process.stderr == want, f"{process.stderr}\n--- expected\n{want}"


def test_silent():
    for kernel, blocks, _, good in GOLDEN:
        process = run(kernel, good, blocks=blocks)
        assert process.returncode == 0 and not process.stderr, process.stderr
        assert as_json(kernel, good, blocks=blocks) == []
        assert as_sarif(kernel, good, blocks=blocks)["results"] == []


def test_names_of_buffers():
    (element,) = as_json("element", 1)
    assert element["buffer"] == "parts[1]", element
    (hidden,) = as_json("hidden", 1)
    line = line_of(SOURCE, "// set up")
    assert "buffer" not in hidden
    assert f"the buffer of line {line}" in hidden["message"], hidden


# --- JSON --------------------------------------------------------------------


def test_json():
    (race,) = as_json("race", 4)
    assert race["id"] == "missing-sync" and race["severity"] == "error"
    assert race["line"] == line_of(SOURCE, "Muls(tmp, tmp")
    assert race["core"] == "vector core of block 0" and race["execution"] == 3
    assert race["buffer"] == "tmpBuf" and race["count"] == 1
    other = race["other"]
    assert other["line"] == line_of(SOURCE, "DataCopy(tmp, xGm")
    assert other["execution"] == 3 and other["core"] == race["core"]
    assert other["role"] == "written by DataCopy on PIPE_MTE2"
    first, second = other["line"], race["line"]
    assert race["help"] == (
        f"insert SetFlag<HardEvent::MTE2_V>(id) after line {first} "
        f"and WaitFlag<HardEvent::MTE2_V>(id) before line {second}")


def test_executions_count_in_the_block():
    """Eight tiles in each of two blocks; the third of each is wrong."""
    problems = as_json("race", 3, blocks=50)
    # All blocks store the same tiles, which is another defect. Which of the two
    # is found first is a matter of the threads that run the blocks.
    assert {p["id"] for p in problems} == {"missing-sync", "race-between-cores"}, problems
    (race,) = [p for p in problems if p["id"] == "missing-sync"]
    assert race["execution"] == race["other"]["execution"] == 3, race
    assert race["count"] == 50, race


# --- SARIF -------------------------------------------------------------------


def check_location(location):
    physical = location["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9/._~%:-]+", uri) and "\\" not in uri, uri
    region = physical.get("region", {"startLine": 1})  # none: the whole file
    assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1


def check_result(result, rules):
    assert result["level"] in ("error", "warning", "note")
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["message"]["text"]
    for location in result["locations"]:
        check_location(location)
    ids = [x["id"] for x in result.get("relatedLocations", [])]
    assert len(ids) == len(set(ids))
    for location in result.get("relatedLocations", []):
        assert location["message"]["text"]
        check_location(location)
    for fix in result.get("fixes", []):
        assert fix["description"]["text"] and fix["artifactChanges"]
        for change in fix["artifactChanges"]:
            assert change["artifactLocation"]["uri"] and change["replacements"]
            for replacement in change["replacements"]:
                assert replacement["deletedRegion"]["startLine"] >= 1


def test_sarif_shape():
    log = json.loads(run("race", 4, "--format", "sarif").stdout)
    assert log["version"] == "2.1.0" and "sarif-2.1.0" in log["$schema"]
    (sarif_run,) = log["runs"]
    driver = sarif_run["tool"]["driver"]
    assert driver["name"] == "belay" and driver["version"]
    ids = [rule["id"] for rule in driver["rules"]]
    pages = {p.stem for p in (HERE.parents[1] / "docs/errors").glob("*.md")}
    assert len(ids) == len(set(ids)) and set(ids) == pages - {"README"}
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"] and rule["name"].isalnum()
        assert rule["help"]["markdown"].startswith(f"# {rule['id']}\n")
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    (result,) = sarif_run["results"]
    check_result(result, driver["rules"])
    assert result["properties"]["buffer"] == "tmpBuf"
    assert result["properties"]["execution"] == 3
    other = result["relatedLocations"][0]["physicalLocation"]["region"]
    assert other["startLine"] == line_of(SOURCE, "DataCopy(tmp, xGm")
    for kernel, blocks, bad, _ in GOLDEN:
        for result in as_sarif(kernel, bad, blocks=blocks)["results"]:
            check_result(result, driver["rules"])


def test_sarif_fix_works():
    """The statements of the fix, inserted where it says, silence the finding."""
    (result,) = as_sarif("element", 1)["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    region = replacement["deletedRegion"]
    assert region["startColumn"] == region["endColumn"] == 1
    lines = (HERE / SOURCE).read_text().splitlines(keepends=True)
    lines.insert(region["startLine"] - 1, replacement["insertedContent"]["text"])
    with tempfile.TemporaryDirectory() as folder:
        fixed = pathlib.Path(folder) / SOURCE
        fixed.write_text("".join(lines))
        process = run("element", 1, source=fixed)
    assert process.returncode == 0, process.stderr


# --- nothing hides what was found before -------------------------------------

THEN = [("then_stuck", "kernel-timeout", 4), ("then_crash", "kernel-crash", 4),
        ("then_unpaired", "flag-never-set", 1), ("then_assert", "kernel-trap", 1)]


def test_found_before_the_end():
    race = line_of(SOURCE, "// race")
    for kernel, ident, status in THEN:
        limit = ["--time-limit", "2"]
        text = run(kernel, 1, *limit)
        assert text.returncode == status, text.stderr
        assert re.search(rf"{SOURCE}:{race}:.*\[missing-sync\]", text.stderr)
        assert f"[{ident}]" in text.stderr, text.stderr
        problems = as_json(kernel, 1, *limit)
        assert (problems[0]["id"], problems[0]["line"]) == ("missing-sync", race)
        assert ident in [p["id"] for p in problems[1:]], problems
        sarif_run = as_sarif(kernel, 1, *limit)
        rules = [r["ruleId"] for r in sarif_run["results"]]
        assert rules[0] == "missing-sync" and ident in rules[1:], rules
        for result in sarif_run["results"]:
            check_result(result, sarif_run["tool"]["driver"]["rules"])
        # Without what follows, the race alone.
        assert [p["id"] for p in as_json(kernel, 0, *limit)][:1] == ["missing-sync"]
        assert ident not in [p["id"] for p in as_json(kernel, 0, *limit)]


def update():
    for kernel, blocks, bad, _ in GOLDEN:
        golden(kernel).write_text(run(kernel, bad, blocks=blocks).stderr)


if __name__ == "__main__":
    update() if "--update" in sys.argv else main()
