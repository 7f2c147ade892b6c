"""scripts/check-arrows: the sources of this tree, and small trees with one mistake each."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = """# Architecture

| part | what it is | may use |
|---|---|---|
| src/low | – | – |
| src/sim/core, parts | one row | low |
| src/high | – | core, low/Open.h, LLVM |
| src/top | – | high |

"""
FILES = {
    "src/low/Low.h": "",
    "src/low/Open.h": "",
    "src/sim/core/Core.h": '#include "low/Low.h"\n#include "../parts/Part.h"\n',
    "src/sim/parts/Part.h": '#include "../core/Core.h"\n#include <vector>\n',
    "src/high/High.cpp": '#include "high/Own.h"\n#include "low/Open.h"\n'
                         '#include "llvm/ADT/StringRef.h"\n',
    "src/high/Own.h": '#include "../sim/core/Core.h"\n',
    "src/top/Top.cpp": '#include "high/Own.h"\n#include "llvm/ADT/StringRef.h"\n',
}


def check(*arguments):
    return subprocess.run([sys.executable, ROOT / "scripts/check-arrows", *arguments],
                          capture_output=True, text=True, check=False)


class Arrows(unittest.TestCase):
    def tried(self, table=TABLE, **files):
        """check-arrows on a tree of its own, with files changed (/ written as __)."""
        with tempfile.TemporaryDirectory() as folder:
            changed = {name.replace("__", "/").replace("_", "."): text
                       for name, text in files.items()}
            for name, text in {"docs/architecture.md": table, **FILES, **changed}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check(folder)

    def refused(self, message, **changes):
        ran = self.tried(**changes)
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn(message, ran.stdout)
        self.assertIn(" 1 wrong", ran.stdout)

    def test_this_tree(self):
        ran = check()
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_what_the_table_allows(self):
        ran = self.tried()
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_upwards(self):
        self.refused("src/low may not use src/high", src__low__Low_h='#include "high/Own.h"\n')

    def test_another_header_than_the_open_one(self):
        self.refused("src/high may not use src/low", src__high__Own_h='#include "low/Low.h"\n')

    def test_library(self):
        self.refused("src/low may not use llvm",
                     src__low__Low_h='#include "llvm/ADT/StringRef.h"\n')
        self.refused("src/high may not use clang",
                     src__high__Own_h='#include <clang/AST/Decl.h>\n')

    def test_made_by_tablegen(self):
        self.refused("src/low may not use src/high",
                     src__low__Low_h='#include "high/Ops.h.inc"\n')

    def test_circle(self):
        self.refused("a circle", table=TABLE.replace("| src/low | – | – |",
                                                     "| src/low | – | high |"))

    def test_folder_without_a_row(self):
        self.refused("src/new/New.h: belongs to no part",
                     src__new__New_h='#include "low/Low.h"\n')

    def test_row_without_a_folder(self):
        self.refused("no folder src/gone",
                     table=TABLE.replace("| src/top |", "| src/gone | – | – |\n| src/top |"))

    def test_name_that_means_nothing(self):
        self.refused("'lofty': no such part", table=TABLE.replace("core, low/", "core, lofty, low/"))


if __name__ == "__main__":
    unittest.main()
