"""The documents: code that pages show is that of the files it comes from, and the site is built of
them without a warning or a dead link.

    test/structure/test_site.py [BELAY]

Without the path of belay, only what needs no site is tested.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "docs/site"), str(ROOT / "test/install")]
import host_reference  # noqa: E402
import pages  # noqa: E402
import stage  # noqa: E402

BELAY = sys.argv.pop() if len(sys.argv) > 1 and not sys.argv[-1].startswith("-") else None


def excerpts(text):
    """(file, code) of blocks that a comment before them takes from a file."""
    return [(block.says["from"], block.text) for block in pages.blocks(text) if "from" in block.says]


class Excerpts(unittest.TestCase):
    def test_code_is_that_of_the_files(self):
        count = 0
        for page in sorted((ROOT / "docs").rglob("*.md")):
            for name, code in excerpts(page.read_text()):
                self.assertIn(code, (ROOT / name).read_text(), f"{page}: {name} has other code")
                count += 1
        self.assertGreater(count, 10)

    def test_differences_are_noticed(self):
        ((name, code),) = excerpts("<!-- from: a.cpp -->\n```cpp\nint x;\n```\n")
        self.assertEqual((name, code), ("a.cpp", "int x;\n"))
        self.assertNotIn(code, "int y;\n")


class Staging(unittest.TestCase):
    def stage(self, files):
        with tempfile.TemporaryDirectory() as name:
            root, target = pathlib.Path(name) / "root", pathlib.Path(name) / "target"
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            staged = stage.Stage(root, target)
            staged.add_all([path for path in files if path.endswith(".md")])
            return {str(p.relative_to(target)): p.read_text() for p in target.rglob("*.md")}, staged.waiting

    def test_links_follow_their_pages(self):
        made, waiting = self.stage({
            "docs/README.md": "# Top\n\n## Part\n\n- [one](one.md#there)\n",
            "docs/one.md": "[up](../README.md) [code](../a.cpp) `[no](link.md)`\n```cpp\n[x](y)\n```\n",
            "README.md": "[docs](docs/README.md) [docs](docs/) [docs/one.md](docs/one.md) `[a.md](a.md)`\n", "a.cpp": ""})
        self.assertIn(":caption: Part\n\none </one>\n", made["index.md"])
        self.assertIn("(one.md#there)", made["index.md"])
        self.assertIn(f"(tree/README.md) [code]({stage.FILE}a.cpp.html) `[no](link.md)`", made["one.md"])
        self.assertIn("[x](y)", made["one.md"])
        self.assertIn("[docs](../index.md) [docs](../index.md) [](../one.md) `[a.md](a.md)`", made["tree/README.md"])
        self.assertEqual(waiting, [pathlib.Path("a.cpp")])

    def test_dead_links_are_refused(self):
        with self.assertRaisesRegex(stage.DeadLink, "docs/one.md: there is no two.md"):
            self.stage({"docs/one.md": "[two](two.md)\n"})


class HostReference(unittest.TestCase):
    HEADER = """
namespace belay::host {
/// One NPU.
class Device {
public:
  /// The number.
  explicit Device(int id = 0) : Device(id, 1) {}
  int id() const { return state_->id; }

private:
  int hidden;
};
namespace detail {
/// Not for users.
struct secret { int x; };
} // namespace detail
/// Which pages.
enum class pages : int { huge = 0, normal = 1 };
} // namespace belay::host
"""

    def test_what_users_see(self):
        with tempfile.TemporaryDirectory() as name:
            (pathlib.Path(name) / "x.h").write_text(self.HEADER)
            page = host_reference.page(name)
        for part in ("### Device\n\nOne NPU.\n", "  // The number.\n  explicit Device(int id = 0);\n  int id() const;\n",
                     "enum class pages : int { huge = 0, normal = 1 };"):
            self.assertIn(part, page)
        self.assertNotRegex(page, "secret|hidden|state_")

    def test_types_of_the_table_are_there(self):
        page = host_reference.page(ROOT / "include/belay/host")
        for name in ("Acl", "Device", "Context", "Stream", "Event", "TimingEvent", "DeviceBuffer", "Pending", "Module",
                     "Tensor", "TensorView", "Picture", "PictureChannel", "Profiler", "ProfilingSession", "Model",
                     "Communicator", "Rank", "RootInfo", "Operation"):
            self.assertIn(f"### {name}\n", page)
        self.assertIn("void all_reduce(const Stream &stream, From &&from, To &&to, reduce how) const;", page)


@unittest.skipUnless(BELAY, "no belay was named")
class Site(unittest.TestCase):
    def test_it_is_built(self):
        with tempfile.TemporaryDirectory() as name:
            done = subprocess.run([sys.executable, ROOT / "scripts/make-site", "--belay", BELAY, "-o", f"{name}/site"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            site = pathlib.Path(name) / "site"
            for page in ("index.html", "start.html", "search.html", "cli/run.html", "errors/missing-sync.html",
                         "host-reference.html", "tree/examples/kernels/softmax.cpp.html"):
                self.assertTrue((site / page).is_file(), page)
            self.assertIn("missing-sync", (site / "searchindex.js").read_text())


if __name__ == "__main__":
    unittest.main()
