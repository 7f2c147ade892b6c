"""What `belay compile` stops, what it only warns of, and what it lets through."""
import os
import pathlib
import subprocess
import unittest

from mistakes import DOUBTFUL, FIXED, FLAGS, MISTAKES, NO_QUEUE, RIGHT, line_of
from standin import BELAY, Case


class Stops(Case):
    def test_each_mistake(self):
        for number, (id, socs, text, line) in enumerate(MISTAKES):
            for soc in socs:
                name = f"m{number}.cpp"
                self.write(name, text)
                for how in ("on", "quick", "required"):
                    with self.subTest(id=id, soc=soc, how=how, number=number):
                        status, report = self.compile(name, "--soc", soc, "--check", how)
                        self.assertEqual((status, report["status"], report["check"]),
                                         (1, "failed", "findings"))
                        found = [(each["id"], each["severity"], each["file"], each["line"])
                                 for each in report["problems"]]
                        self.assertIn((id, "error", name, line), found)
        self.assertEqual(self.cann.calls(), [])

    def test_nothing_where_nothing_is_wrong(self):
        for text in FIXED:
            for soc in ("Ascend310P3", "Ascend910B3"):
                for how in ("on", "quick", "required"):
                    with self.subTest(soc=soc, how=how):
                        self.write("right.cpp", text)
                        status, report = self.compile("right.cpp", "--soc", soc,
                                                      "--check", how)
                        self.assertEqual((status, report["problems"]), (0, []))

    def test_off_lets_everything_through(self):
        self.write("m.cpp", MISTAKES[0][2])
        status, report = self.compile("m.cpp", "--check", "off")
        self.assertEqual((status, report["check"], report["problems"]),
                         (0, "not-run", []))

    def test_text_has_the_line(self):
        id, _, text, line = MISTAKES[0]
        self.write("m.cpp", text)
        ran = self.belay("m.cpp")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(f"m.cpp:{line}:3: error: ", ran.stderr)
        self.assertIn(f"[{id}]", ran.stderr)
        self.assertIn("  Adds(tile, tile, 1.0f, 2048);", ran.stderr)


class Warns(Case):
    def test_of_what_the_launch_decides(self):
        self.write("k.cpp", DOUBTFUL)
        # Also when it was compiled before.
        for cached in (False, True):
            status, report = self.compile("k.cpp", "--check", "on")
            self.assertEqual((status, report["fromCache"], report["check"]),
                             (0, cached, "findings"))
            self.assertEqual(
                [(each["id"], each["severity"], each["line"])
                 for each in report["problems"]],
                [("race-between-cores", "warning", line_of(DOUBTFUL, "DataCopy(yGm"))])
        status, report = self.compile("k.cpp", "--check", "required")
        self.assertEqual((status, report["problems"][0]["severity"]), (1, "error"))
        ran = self.belay("k.cpp")
        self.assertEqual(ran.returncode, 0)
        self.assertIn("warning: ", ran.stderr)

    def test_under_the_name_of_the_day(self):
        for name in ("first.cpp", "second.cpp"):
            self.write(name, DOUBTFUL)
            _, report = self.compile(name, "--check", "on")
            (problem,) = report["problems"]
            self.assertEqual({problem["file"], *(each["file"] for each in problem["notes"])},
                             {name})
        self.assertTrue(report["fromCache"])

    def test_the_same_is_an_error_of_check(self):
        self.write("k.cpp", DOUBTFUL)
        ran = subprocess.run([BELAY, "check", "k.cpp"], cwd=self.path, env=self.env,
                             capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("error: ", ran.stdout + ran.stderr)


class Allowed(Case):
    def test_at_the_line(self):
        id, _, text, line = MISTAKES[0]
        lines = text.splitlines(keepends=True)
        lines[line - 1] = lines[line - 1].rstrip("\n") + \
            f" // belay: allow {id} the copy is tiny\n"
        self.write("k.cpp", "".join(lines))
        status, report = self.compile("k.cpp", "--check", "required")
        self.assertEqual((status, report["problems"]), (0, []))

    def test_not_without_a_reason(self):
        id, _, text, line = MISTAKES[0]
        lines = text.splitlines(keepends=True)
        lines[line - 1] = lines[line - 1].rstrip("\n") + f" // belay: allow {id}\n"
        self.write("k.cpp", "".join(lines))
        status, report = self.compile("k.cpp", "--check", "on")
        self.assertEqual((status, self.problems(report)), (1, [id]))


class Asks(Case):
    """The checker is told what the device's compiler is told."""

    def test_macros(self):
        self.write("k.cpp", "#ifdef WRONG\n" + (NO_QUEUE % ("", FLAGS[1])) +
                   "#else\n" + (NO_QUEUE % FLAGS) + "#endif\n")
        status, report = self.compile("k.cpp", "--check", "on")
        self.assertEqual((status, report["problems"]), (0, []))
        status, report = self.compile("k.cpp", "--check", "on", "-D", "WRONG")
        self.assertEqual((status, self.problems(report)), (1, ["missing-sync"]))

    def test_headers_beside_the_source_and_elsewhere(self):
        self.write("beside.h", "constexpr int A = 2048;\n")
        self.write("more/other.h", "constexpr int B = 2048;\n")
        text = (NO_QUEUE % FLAGS).replace(
            "using namespace AscendC;",
            '#include "beside.h"\n#include "other.h"\nstatic_assert(A == B);\n'
            "using namespace AscendC;")
        self.write("k.cpp", text)
        status, report = self.compile("k.cpp", "--check", "required", "-I", "more")
        self.assertEqual((status, report["problems"]), (0, []))

    def test_flags_of_the_compiler(self):
        """Without its help, two vector instructions need a barrier."""
        text = (NO_QUEUE % FLAGS).replace(
            "  Adds(tile, tile, 1.0f, 2048);\n", "  Adds(tile, tile, 1.0f, 2048);\n" * 2)
        self.write("k.cpp", text)
        status, report = self.compile("k.cpp", "--check", "on", "--core", "vec")
        self.assertEqual((status, report["problems"]), (0, []))
        status, report = self.compile("k.cpp", "--check", "on", "--core", "vec",
                                      "--option", "--cce-auto-sync=off")
        self.assertEqual((status, self.problems(report)), (1, ["missing-barrier"]))

    def test_a_file_without_kernels(self):
        self.write("k.cpp", "int helper() { return 1; }\n")
        status, report = self.compile("k.cpp", "--check", "on")
        self.assertEqual((status, self.problems(report)), (0, ["not-validated"]))
        self.assertIn("has no kernel", report["problems"][0]["message"])


class BrokenChecker(Case):
    """What reads untrusted input may die of it; nothing else does."""

    def setUp(self):
        super().setUp()
        build = pathlib.Path(os.environ["BELAY_BUILD"])
        home = self.path / "home"
        (home / "libexec/belay").mkdir(parents=True)
        for name in ("bin", "lib", "share"):
            (home / name).symlink_to(build / name)
        for tool in (build / "libexec/belay").iterdir():
            if tool.name != "belay-checker":
                (home / "libexec/belay" / tool.name).symlink_to(tool)
        self.env["BELAY_HOME"] = str(home)
        self.write("k.cpp", RIGHT)

    def checker(self, script):
        self.write("home/libexec/belay/belay-checker", "#!/bin/sh\n" + script).chmod(0o755)

    def outcome(self, *args):
        status, report = self.compile("k.cpp", "--no-cache", *args)
        (problem,) = report["problems"]
        return status, problem["id"], problem["severity"], problem["message"]

    def test_each_way_to_break(self):
        for script, why in (("kill -SEGV $$\n", "signal 11"), ("exit 3\n", "exit status 3"),
                            ("echo nonsense\n", "exit status 0"), ("sleep 99\n", "timed out")):
            with self.subTest(script=script):
                self.checker(script)
                status, *problem, message = self.outcome("--check", "on", "--timeout", "1")
                self.assertEqual((status, problem), (0, ["not-validated", "warning"]))
                self.assertIn(why, message)
                status, *problem, _ = self.outcome("--check", "required", "--timeout", "1")
                self.assertEqual((status, problem), (1, ["validation-required", "error"]))

    def test_none_there(self):
        status, *problem, _ = self.outcome("--check", "on")
        self.assertEqual((status, problem), (0, ["not-validated", "warning"]))


if __name__ == "__main__":
    unittest.main()
