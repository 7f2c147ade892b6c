"""README.zh-CN.md says what README.md says: headings, code blocks, commands and links."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAIRS = [("README.md", "README.zh-CN.md")]


def parts(text):
    """What does not depend on the language a page is written in."""
    block = re.compile(r"^```.*?^```$", re.M | re.S)
    prose = block.sub("", text)
    return {
        "levels of headings": re.findall(r"^(#+) ", prose, re.M),
        "code blocks": block.findall(text),
        "first columns of tables": re.findall(r"^\| (`[^|]+`) \|", prose, re.M),
        # Sentences may be in another order.
        "links": sorted(link for link in re.findall(r"\]\(([^)]+)\)", prose) if not link.startswith("README")),
        "numbers of list entries": len(re.findall(r"^- ", prose, re.M)),
    }


class Translations(unittest.TestCase):
    def test_pages_agree(self):
        for original, translation in PAIRS:
            wanted, found = (parts((ROOT / name).read_text()) for name in (original, translation))
            for kind, value in wanted.items():
                self.assertEqual(found[kind], value, f"{translation}: {kind} are not those of {original}")

    def test_differences_are_noticed(self):
        text = (ROOT / PAIRS[0][0]).read_text()
        for old, new in [("## Commands", "### Commands"), ("cmake --preset release", "cmake --preset dev"),
                         ("| `belay cache` |", "| `belay caches` |"), ("docs/check.md", "docs/guide.md")]:
            self.assertNotEqual(parts(text), parts(text.replace(old, new, 1)), old)


if __name__ == "__main__":
    unittest.main()
