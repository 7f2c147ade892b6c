"""Writes compile_commands.json as a build of the project in a folder would: FOLDER"""
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1]).resolve()
(folder / "build").mkdir(exist_ok=True)
(folder / "build" / "compile_commands.json").write_text(json.dumps([
    {"directory": str(folder / "build"), "file": "../kernels/increment.cpp",
     "command": "bisheng -O2 -I ../include -DSIZE=512 -fplugin=none.so -c ../kernels/increment.cpp"},
    {"directory": str(folder / "build"), "file": str(folder / "kernels" / "main.cpp"),
     "arguments": ["c++", "-c", "../kernels/main.cpp"]},
]))
