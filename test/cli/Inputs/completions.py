"""Asks bash, zsh and fish to complete command lines of belay, and compares with its help."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BELAY = sys.argv[1]


def said(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def commands():
    listed = re.search(r"^Commands\n(.*?)\n\n", said(BELAY, "help"), re.M | re.S)[1]
    return [line.split()[0] for line in listed.splitlines()]


def options(command):
    """The options that the help of a command describes, by their own lines."""
    text = said(BELAY, "help", command).split("\nExamples\n")[0]
    return set(re.findall(r"^  (--?[A-Za-z][A-Za-z-]*)(?: |$)", text, re.M))


class Bash:
    def __init__(self, folder):
        self.script = folder / "belay.bash"
        self.script.write_text(said(BELAY, "completion", "bash"))

    def complete(self, *words):
        line = " ".join(f"'{word}'" for word in ("belay", *words))
        return said("bash", "-c", f"source {self.script}; COMP_WORDS=({line}); COMP_CWORD={len(words)}; "
                    "_belay; printf '%s\\n' \"${COMPREPLY[@]}\"").split()


class Fish:
    def __init__(self, folder):
        self.script = folder / "belay.fish"
        self.script.write_text(said(BELAY, "completion", "fish"))

    def complete(self, *words):
        # The line is an argument, so that quotes in it mean nothing.
        text = said("fish", "--private", "-c", f"source {self.script}; complete -C $argv[1]",
                    " ".join(("belay", *words)))
        return [line.split("\t")[0] for line in text.splitlines()]


class Zsh:
    """Its functions need a terminal; the script says by itself what it would offer."""

    def __init__(self, folder):
        self.script = folder / "_belay"
        self.script.write_text(said(BELAY, "completion", "zsh"))
        said("zsh", "-n", self.script)

    def complete(self, *words):
        fake = ('compadd() { print -l -- "${@:#--}"; }; _files() { }; _directories() { };'
                '_describe() { print -l -- "${(@P)2%%:*}"; };'
                '_arguments() { local each; for each; do print -r -- "${${each#\\*}%%[\\[=+:]*}"; '
                '[[ $each == *"(\"*\")" ]] && print -l -- ${=${${each##*\\(}%\\)}}; done; true; };')
        line = " ".join(f"'{word}'" for word in ("belay", *words))
        found = said("zsh", "-f", "-c", f"{fake} words=({line}); CURRENT={len(words) + 1}; source {self.script}")
        return [each for each in found.split() if each.startswith(words[-1])]


def check(shell, name):
    def expect(wanted, *words, exact=False):
        found = set(shell.complete(*words))
        if not set(wanted) <= found or (exact and set(wanted) != found):
            sys.exit(f"{name}: 'belay {' '.join(words)}' is completed to {sorted(found)}, not {sorted(wanted)}")

    names = commands()
    assert "run" in names and "completion" in names, names
    expect(names, "")
    expect(["check"], "chec", exact=True)
    for command in names:
        wanted = options(command)
        if wanted:
            expect({o for o in wanted if o.startswith("--")}, command, "--")
    expect({"missing-sync", "missing-barrier"}, "explain", "missing-", exact=True)
    expect({"list", "prune", "clear", "stats"}, "cache", "")
    expect(names, "help", "")
    expect({"bash", "zsh", "fish"}, "completion", "")
    expect({"Ascend310P3"}, "targets", "Ascend310P3", exact=True)
    if name != "zsh":  # which has them inside of its specifications
        expect({"text", "json", "sarif"}, "check", "--format", "", exact=True)
        expect({"Ascend310P3"}, "run", "--soc", "Ascend310P3", exact=True)
    if name == "bash":
        expect({"text"}, "check", "--format", "=", "te", exact=True)


def main():
    with tempfile.TemporaryDirectory() as name:
        for shell in (Bash, Fish, Zsh):
            if not shutil.which(shell.__name__.lower()):
                sys.exit(f"{shell.__name__.lower()} is not installed; scripts/setup-debian installs it")
            check(shell(pathlib.Path(name)), shell.__name__.lower())


main()
