"""scripts/check-tidy: which lines and sources of a difference it looks at."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def load():
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("tidy", str(ROOT / "scripts/check-tidy"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", loader))
    loader.exec_module(module)
    return module


DIFF = """diff --git a/src/a.cpp b/src/a.cpp
--- a/src/a.cpp
+++ b/src/a.cpp
@@ -3 +3 @@ void f() {
-old
+new
@@ -10,0 +11,4 @@
+1
@@ -20,2 +23,0 @@
-gone
diff --git a/src/b.h b/src/b.h
--- /dev/null
+++ b/src/b.h
@@ -0,0 +1,9 @@
+x
diff --git a/src/c.cpp b/src/c.cpp
--- a/src/c.cpp
+++ /dev/null
@@ -1,5 +0,0 @@
-x
"""


class Tidy(unittest.TestCase):
    def setUp(self):
        self.tidy = load()

    def test_lines(self):
        self.assertEqual(self.tidy.changed_lines(DIFF),
                         {"src/a.cpp": [[3, 3], [11, 14]], "src/b.h": [[1, 9]]})

    def test_sources(self):
        lines = self.tidy.changed_lines(DIFF)
        self.assertEqual(self.tidy.sources_of(lines, {"src/a.cpp", "src/b.cpp", "src/d.cpp"}),
                         ["src/b.cpp", "src/a.cpp"])
        self.assertEqual(self.tidy.sources_of(lines, {"src/a.cpp"}), ["src/a.cpp"])
        self.assertEqual(self.tidy.sources_of(lines, set()), [])

    def test_a_header_and_its_source_are_one(self):
        lines = {"a.h": [[1, 1]], "a.cpp": [[1, 2]], "b.cpp": [[5, 6]]}
        self.assertEqual(self.tidy.sources_of(lines, {"a.cpp", "b.cpp"}), ["a.cpp", "b.cpp"])


if __name__ == "__main__":
    unittest.main()
