"""The reference of belay/host.h, from the comments of its headers.

Each class, function and constant of belay::host that is for users, as its header declares
it: bodies, private members and what is in detail are left out.
"""
import pathlib
import re
import subprocess

TOKEN = re.compile(r"""
    (?P<doc>///(?!/).*?$)|(?P<note>//.*?$)|(?P<block>/\*.*?\*/)|(?P<macro>^[ ]*\#(?:\\\n|[^\n])*)|
    (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')|(?P<mark>[{};()<>=:,])|(?P<space>\s+)|(?P<word>[^\s{};()<>=:,"'/]+|/)
    """, re.M | re.X | re.S)
ACCESS = {"public", "private", "protected"}
# Headers that others are made of.
INTERNAL = {"binding", "states"}
# Constraints of templates are ours; their names tell enough.
CONSTRAINTS = re.compile(r"^(template\s*<[^()]*?>)\s*(?:requires\s+detail::[\w:]+<[^<>]*>\s*)?(?=\w+ )")


def doc_of(lines):
    text = "\n".join(re.sub(r"^\s*/// ?", "", each) for each in lines)
    return re.sub(r"\\name |^@[{}]\n?", "", text, flags=re.M).strip()


class Reader:
    """Declarations of one header, by the scopes they are in."""

    def __init__(self, text):
        self.tokens = [(m.lastgroup, m[0]) for m in TOKEN.finditer(text)
                       if m.lastgroup not in ("note", "block")]
        self.at = 0

    def skip_braces(self):
        """To after the brace that closes the one that was just read."""
        depth = 1
        while depth and self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            self.at += 1
            if kind == "mark":
                depth += (text == "{") - (text == "}")

    def scope(self, visible):
        """The declarations up to the closing brace: (documentation, text, members or None)."""
        found, docs, words = [], [], []
        parens = 0
        while self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            self.at += 1
            if kind == "doc":
                docs.append(text)
                continue
            if kind == "macro":
                docs = [] if not words else docs  # those of the macro
                continue
            if kind == "space":
                if words:
                    words.append(" " if "\n" not in text else "\n")
                continue
            if text == "}" and not parens:
                return found
            if text in ("(", ")"):
                parens += 1 if text == "(" else -1
            declared = "".join(words).strip()
            if text == ":" and declared in ACCESS:
                visible = declared == "public"
                docs, words = [], []
            elif text == ";" and not parens:
                if visible and declared:
                    found.append((doc_of(docs), declared + ";", None))
                docs, words = [], []
            elif text == "{" and not parens:
                found += self.braces(declared, docs, visible)
                if self.at < len(self.tokens) and self.tokens[self.at][1] == ";":
                    self.at += 1
                docs, words = [], []
            else:
                words.append(text)
        return found

    def braces(self, declared, docs, visible):
        head = re.sub(r"^template\s*<.*>\s*(?=class|struct)", "", declared, flags=re.S)
        space = re.match(r"(?:inline )?namespace\s*([\w:]*)", declared)
        if space:
            if space[1] in ("belay", "belay::host", "host", "operations"):
                return self.scope(True)
            self.skip_braces()
            return []
        kind = re.match(r"(class|struct)\b", head)
        if kind and "(" not in re.sub(r"\([^)]*\)", "", head):
            members = self.scope(kind[1] == "struct")
            return [(doc_of(docs), declared, members)] if visible else []
        if re.match(r"enum\b", head):
            start = self.at
            self.skip_braces()
            body = "".join(text for _, text in self.tokens[start:self.at - 1])
            return [(doc_of(docs), f"{declared} {{{body}}};", None)] if visible else []
        # A function, or a variable with an initialiser in braces.
        self.skip_braces()
        return [(doc_of(docs), signature(declared) + ";", None)] if visible and declared else []


def signature(declared):
    """Without the initialisers of a constructor."""
    depth, angle = 0, declared
    for index, char in enumerate(angle):
        depth += (char in "(<[") - (char in ")]" or (char == ">" and angle[index - 1] not in "-="))
        if char == ":" and depth == 0 and angle[index - 1:index + 2].count(":") == 1 and ")" in angle[:index]:
            return declared[:index].rstrip()
    return declared


def shown(text):
    """Without what is for compilers."""
    text = re.sub(r"\bBELAY_[A-Z_]+(\([^)]*\))?\s*", "", text)
    text = re.sub(CONSTRAINTS, lambda m: f"{m[1].replace('detail::', '')}\n", text)
    return re.sub(r"\s*\n\s*", " ", text).strip()


def comment(doc):
    return [f"// {each}" for each in doc.splitlines()]


def for_users(text):
    inner = re.sub(CONSTRAINTS, "", text)
    return not re.match(r"(friend|static_assert|using type)\b", text) and "detail::" not in inner and \
        not re.search(r"\boperator=\(|\btype_name\b|^#", text)


def synopsis(head, members):
    lines = [shown(head) + " {", "public:"]
    for doc, text, inner in members:
        if for_users(text) and inner is None:
            lines += [*comment(doc), shown(text)]
    return "\n".join([*lines, "};"])


def name_of(head):
    plain = re.sub(r"^template\s*<.*?>\s*(?=class|struct)", "", shown(head))
    match = re.match(r"(?:class|struct|namespace)\s+(?:\[\[[^\]]*\]\]\s*)?([\w:]+(?:<[^:]*>)?)", plain)
    return match[1] if match else plain


def formatted(blocks):
    """All blocks by one run of clang-format."""
    border = "// --- next ---"
    style = "{BasedOnStyle: LLVM, ColumnLimit: 92, EmptyLineBeforeAccessModifier: Leave, SortIncludes: Never}"
    done = subprocess.run(["clang-format-22", "--assume-filename=x.h", f"--style={style}"],
                          input=f"\n{border}\n".join(blocks), capture_output=True, text=True, check=True)
    return [each.strip("\n").replace("\npublic:\n", "\n") for each in done.stdout.split(border)]


def page(folder):
    parts, blocks = [], []
    for path in sorted(pathlib.Path(folder).glob("*.h")):
        found = Reader(path.read_text()).scope(True)
        classes = [each for each in found if each[2]]
        others = [each for each in found if each[2] is None and for_users(each[1])
                  and (each[0] or "(" in each[1])]
        if path.stem in INTERNAL or not classes and not others:
            continue
        parts.append(f"\n## belay/host/{path.name}\n")
        for doc, head, members in classes:
            parts += [f"\n### {name_of(head)}\n\n{doc}\n", len(blocks)]
            blocks.append(synopsis(head, members))
        if others:
            parts += [f"\n### Beside them in {path.name}\n" if classes else "", len(blocks)]
            blocks.append("\n".join("\n".join([*comment(doc), shown(each)]) for doc, each, _ in others))
    blocks = formatted(blocks)
    body = "".join(each if isinstance(each, str) else f"\n```cpp\n{blocks[each]}\n```\n" for each in parts)
    return "# Types of host programs\n\nWhat `#include \"belay/host.h\"` declares in `belay::host`, by header; " \
           f"made from the comments of include/belay/host. [Host programs](host.md) says how they are used.\n{body}"
