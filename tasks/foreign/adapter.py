#!/usr/bin/python3
"""Tasks of other benchmarks, read from an unchanged checkout, for belay bench.

    adapter.py SET CHECKOUT tasks                            all tasks, as JSON
    adapter.py SET CHECKOUT cases TASK FOLDER LARGEST        launches, and files of their inputs
    adapter.py SET CHECKOUT judge TASK FOLDER LARGEST OUTPUTS   which of these cases are right
    adapter.py SET CHECKOUT project TASK FOLDER LARGEST FILE    a candidate as an operator project

'cases' writes FOLDER/cases.json, a case file in which @RESULTS@ stands for the folder of a
candidate's outputs. 'judge' finds those in OUTPUTS/CASE/*.npy and prints a list with one object for
each case: whether it is right by the set's own rule, and why not. 'project' is for sets whose
candidates are single files. No candidate's code is ever loaded here; the set's own Python is, and
runs with your rights.
"""
import importlib
import json
import pathlib
import sys

sys.dont_write_bytecode = True  # not into other people's checkouts
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


def main():
    name, checkout, verb, *arguments = sys.argv[1:]
    tasks = importlib.import_module(f"{name}.tasks")
    checkout = pathlib.Path(checkout).resolve()
    # What the set's own Python prints is no part of the answer.
    answer, sys.stdout = sys.stdout, sys.stderr
    if verb == "tasks":
        json.dump(tasks.describe_all(checkout), answer, indent=1)
        return
    task, folder, largest, *outputs = arguments
    folder = pathlib.Path(folder)
    if verb == "cases":
        cases = tasks.cases(checkout, task, folder, int(largest))
        (folder / "cases.json").write_text(json.dumps(cases, indent=1))
    elif verb == "judge":
        json.dump(tasks.judge(checkout, task, folder, int(largest), pathlib.Path(*outputs)), answer)
    elif verb == "project":
        text = pathlib.Path(*outputs).read_text(errors="replace")
        json.dump(tasks.project(checkout, task, folder, text), answer)
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
