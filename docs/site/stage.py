"""Lays out the pages of the repository as Sphinx wants them.

docs/ becomes the root of the site, other Markdown of the repository goes below tree/, and
so does every file that a page links to: those are shown by pages that Sphinx does not
make, so that they cost little. Links are rewritten to where their targets are; one that
leads nowhere is an error. A README.md is the index of its folder: the pages it links to,
in its order, are what navigation shows.
"""
import html
import os
import pathlib
import re
import shutil

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

TOP = pathlib.Path("docs")
PICTURES = {".png", ".svg"}
LEXERS = {".cpp": "cpp", ".h": "cpp", ".def": "cpp", ".asc": "cpp", ".py": "python", ".json": "json", ".cmake": "cmake",
          ".yml": "yaml", ".sh": "sh"}
# Pages that scripts/make-site writes.
GENERATED = {pathlib.Path("docs/cli/README.md"), pathlib.Path("docs/host-reference.md")}
# What links to files are written as until Sphinx is done; it takes them for links to elsewhere.
FILE = "https://repository.invalid/"
FILE_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>body {{ font-family: sans-serif; margin: 1em auto; max-width: 100ch; padding: 0 1em }}
pre {{ overflow-x: auto; font-size: 0.9em; line-height: 1.4; padding: 0.8em }}
{style}</style></head>
<body><p><a href="{up}">Belay</a></p><h1>{title}</h1>{body}</body></html>
"""
FENCE = re.compile(r"^( {0,3})(`{3,}|~{3,})")
# Both take code between backquotes as well, so that nothing inside of it is found.
LINK = re.compile(r"(`+)(?:(?!\1).)+?\1|(?<=\])\(([^()\s]+)\)")
NAMED_BY_FILE = re.compile(r"(`+)(?:(?!\1).)+?\1|\[[\w./-]+\.md\]\((?=[^()\s#]+\.md\))")


def is_text(path):
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True


class DeadLink(Exception):
    pass


def outside_of_code(text, change):
    """The text with each paragraph changed; blocks of code are left alone."""
    result, plain, fence = [], [], None

    def finish():
        result.append(change("".join(plain)))
        plain.clear()

    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        if fence is None and mark:
            finish()
            fence = mark[2]
            result.append(line)
        elif fence is not None:
            result.append(line)
            if line.strip() == fence:
                fence = None
        else:
            plain.append(line)
    finish()
    return "".join(result)


class Stage:
    def __init__(self, root, target):
        self.root, self.target = root, target
        self.pages = {}    # path in the repository -> path in the site, of Markdown
        self.waiting = []  # files and folders that pages link to

    def place(self, path):
        """Where a file of the repository is in the site."""
        inside = path.relative_to("docs") if path.parts[0] == "docs" else pathlib.Path("tree") / path
        if path.parts[0] == "docs" and path.name == "README.md":
            return inside.with_name("index.md")
        return inside

    def write(self, name, text):
        path = self.target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def add_all(self, names):
        for name in names:
            self.pages[pathlib.Path(name)] = self.place(pathlib.Path(name))
        for path in list(self.pages):
            self.write(self.pages[path], self.page(path))

    def read(self, path):
        """The text, with what only the site has: `<!-- site: ... -->`."""
        return re.sub(r"<!-- site: (.*?) -->", r"\1", (self.root / path).read_text())

    def page(self, path):
        # A page that is called by its file has a title here.
        text = outside_of_code(self.read(path), lambda part: NAMED_BY_FILE.sub(lambda m: m[0] if m[1] else "[](", part))
        text = outside_of_code(text, lambda part: LINK.sub(lambda m: self.link(path, m), part))
        if path.name == "README.md" and path.parts[0] == "docs":
            return text + self.navigation(path)
        return text if self.navigated(path) else "---\norphan: true\n---\n\n" + text

    @staticmethod
    def navigated(path):
        """A hundred errors would be most of what navigation shows; their index lists them."""
        return path.parts[0] == "docs" and path.parent != pathlib.Path("docs/errors")

    def link(self, page, match):
        target = match[2]
        if target is None or re.match(r"[a-z]+:|#", target):
            return match[0]
        name, _, anchor = target.partition("#")
        path = pathlib.Path(os.path.normpath(page.parent / name))
        if path.parts[:1] == ("..",) or not (self.root / path).exists():
            if path not in GENERATED:
                raise DeadLink(f"{page}: there is no {target}")
            self.pages[path] = self.place(path)
        if (self.root / path / "README.md").is_file():
            path = path / "README.md"
        place = self.pages.get(path)
        if place is None and path.suffix in PICTURES:
            place = self.place(path)
            self.picture(path)
        elif place is None:
            self.waiting.append(path)
            return f"({FILE}{path}.html)"
        relative = os.path.relpath(place, self.pages[page].parent)
        return f"({relative}{'#' + anchor if anchor else ''})"

    def entries(self, path):
        """(heading, text, page) of the links of an index to pages below its folder, each once."""
        folder, seen, heading = path.parent, {path}, None
        for line in self.read(path).splitlines():
            if line.startswith("## "):
                heading = line[3:]
            for text, name in re.findall(r"\[([^\]]+)\]\(([^()\s#]+)", line):
                target = pathlib.Path(os.path.normpath(folder / name))
                if (self.root / target / "README.md").is_file():
                    target = target / "README.md"
                # What comes before the first heading of the start page is repeated below it.
                if target in self.pages and target not in seen and folder in target.parents and \
                        (heading or folder != TOP):
                    seen.add(target)
                    yield heading, text, target
        if folder != TOP:
            for target in sorted(self.pages):
                if target.parent == folder and target not in seen and self.navigated(target):
                    yield heading, None, target

    def navigation(self, path):
        """Hidden tables of contents. On the start page one for each heading, in the words of its links."""
        sections = {}
        for heading, text, target in self.entries(path):
            place = f"/{self.place(target).with_suffix('')}"
            if path.parent == TOP:
                sections.setdefault(heading, []).append(f"{text} <{place}>")
            else:
                sections.setdefault(None, []).append(place)
        text = ""
        for heading, lines in sections.items():
            caption = f":caption: {heading}\n" if heading else ""
            text += f"\n```{{toctree}}\n:hidden:\n{caption}\n" + "\n".join(lines) + "\n```\n"
        return text

    def picture(self, path):
        place = self.target / self.place(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(self.root / path, place)


def show_files(root, site, waiting):
    """Pages for files and folders that other pages link to, below site/tree."""
    done = set()
    while waiting:
        path = waiting.pop()
        if path in done:
            continue
        done.add(path)
        source, place = root / path, site / "tree" / f"{path}.html"
        place.parent.mkdir(parents=True, exist_ok=True)
        up = os.path.relpath(site / "index.html", place.parent)
        if source.is_dir():
            body = "<ul>"
            for each in sorted(each for each in source.iterdir() if not each.name.startswith((".", "__"))):
                name = html.escape(each.name)
                if each.is_dir() or is_text(each):
                    waiting.append(path / each.name)
                    name = f'<a href="{html.escape(path.name)}/{name}.html">{name}</a>'
                body += f"<li>{name}</li>"
            body += "</ul>"
        else:
            lexer = get_lexer_by_name(LEXERS.get(path.suffix, "text"))
            body = highlight(source.read_text(), lexer, HtmlFormatter())
        place.write_text(FILE_PAGE.format(title=html.escape(str(path)), up=up, body=body,
                                          style=HtmlFormatter().get_style_defs("pre")))
