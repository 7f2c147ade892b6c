"""Formats the manual page of each command: no warnings, and all words of the help. The page in
Markdown has them, too."""
import re
import subprocess
import sys

BELAY = sys.argv[1]
HEADINGS = {"usage", "options", "examples", "commands", "exit", "status", "tells", "all", "about", "one", "of", "them",
            "and", "safe", "kernels", "for", "ascend", "npus", "on", "machines", "with", "without", "arguments",
            "version"}


def said(*words, text=None, environment=None):
    done = subprocess.run(words, input=text, capture_output=True, text=True, env=environment)
    if done.returncode or "warning" in done.stderr:
        sys.exit(f"{' '.join(words)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def words_of(text):
    return re.findall(r"[A-Za-z0-9]+", text)


def main():
    names = [line.split()[0] for line in
             re.search(r"^Commands\n(.*?)\n\n", said(BELAY, "help"), re.M | re.S)[1].splitlines()]
    # Neither hyphenated nor filled: words stay whole.
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "500", "MANROFFOPT": "-rHY=0"}
    for name in [None, *names]:
        page = said(BELAY, "help", "--man", *([name] if name else []))
        shown = said("man", "--warnings=w", "-l", "-", text=page, environment=environment)
        markdown = said(BELAY, "help", "--markdown", *([name] if name else []))
        for kind, text in (("manual page", shown), ("Markdown", markdown.replace("\\", ""))):
            # The summary begins a sentence there.
            missing = set(words_of(said(BELAY, "help", *([name] if name else [])).lower())) - set(
                words_of(text.lower())) - HEADINGS
            if missing:
                sys.exit(f"the {kind} of {name} lacks {sorted(missing)}")


main()
