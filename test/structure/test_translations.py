"""Translated pages say what the English ones say: headings, code blocks, commands and links."""
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/zh-CN"
# The index of the folder is a page of its own.
PAIRS = [("README.md", "README.zh-CN.md")] + [
    (f"docs/{path.relative_to(FOLDER)}", str(path.relative_to(ROOT)))
    for path in sorted(FOLDER.rglob("*.md")) if path != FOLDER / "README.md"]


def target(page, link):
    """What a link leads to, whatever the language. Places in translated pages have other names."""
    if re.match(r"[a-z]+:", link):
        return link
    name, _, place = link.partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
    translated = next((original for original, translation in PAIRS if path in (original, translation)), None)
    return translated or f"{path}#{place}"


def parts(page, text):
    """What does not depend on the language a page is written in."""
    block = re.compile(r"^```.*?^```$", re.M | re.S)
    prose = block.sub("", text)
    own = target(page, os.path.basename(page))
    return {
        "levels of headings": re.findall(r"^(#+) ", prose, re.M),
        "code blocks": block.findall(text),
        "code in first columns of tables": [
            code for cell in re.findall(r"^\| ((?:\\.|[^|\\])+)\|", prose, re.M)
            if (code := re.findall(r"`[^`]+`", cell))],
        # Sentences may be in another order, and pages refer to their other languages.
        "links": sorted(set(target(page, link) for link in re.findall(r"\]\(([^)]+)\)", prose)) - {own}),
        "numbers of list entries": len(re.findall(r"^- ", prose, re.M)),
    }


class Translations(unittest.TestCase):
    def test_pages_agree(self):
        for original, translation in PAIRS:
            wanted, found = (parts(name, (ROOT / name).read_text()) for name in (original, translation))
            for kind, value in wanted.items():
                self.assertEqual(found[kind], value, f"{translation}: {kind} are not those of {original}")

    def test_pages_that_matter_are_translated(self):
        there = {original for original, _ in PAIRS}
        tutorials = {f"docs/tutorials/{path.name}" for path in (ROOT / "docs/tutorials").glob("*.md")}
        self.assertEqual({"README.md", "docs/start.md", "docs/language.md", *tutorials} - there, set())

    def test_languages_refer_to_each_other(self):
        for one, other in [*PAIRS, *(reversed(pair) for pair in PAIRS)]:
            link = os.path.relpath(other, os.path.dirname(one) or ".")
            self.assertIn(f"]({link})", (ROOT / one).read_text(), one)

    def test_differences_are_noticed(self):
        page = "README.md"
        text = (ROOT / page).read_text()
        for old, new in [("## Commands", "### Commands"), ("cmake --preset release", "cmake --preset dev"),
                         ("| `belay cache` |", "| `belay caches` |"), ("docs/security.md", "docs/guide.md")]:
            self.assertNotEqual(parts(page, text), parts(page, text.replace(old, new)), old)


if __name__ == "__main__":
    unittest.main()
