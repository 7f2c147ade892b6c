#!/usr/bin/env python3
"""Makes the packages for Debian and lives with them in a clean root.

    test/install/walk_packages.py --build build/dev [--keep DIR]

The root has what Debian calls essential and what the packages depend on or recommend, as
links to the machine's own files, and the state of exactly these packages: neither the
sources nor the build folder, and nothing that a package forgot to ask for. There, dpkg
installs the packages, the commands of README.md run as they stand, one pattern of each
class of the corpus scores as in the build tree, the ten lines of docs/python.md run, a C
program links libbelay, and the commands of all pages that pages.py names run as they
stand. Then dpkg removes the packages, and nothing is left.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import pages
from walk_readme import ROOT, Place, Readme, fail, one_of_each_class

PACKAGES = ["belay", "libbelay-dev", "python3-belay-npu"]
# Inside of the root; the first is where the README is followed.
AWAY, DEBS = "/away", "/debs"


def said(*words, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **options)
    if done.returncode:
        fail(f"{shlex.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def make_packages(build, folder):
    said("cpack", "--config", build / "CPackConfig.cmake", "-G", "DEB", "-B", folder)
    found = {path.name.split("_")[0]: path for path in folder.glob("*.deb")}
    if sorted(found) != sorted(PACKAGES):
        fail(f"cpack made {sorted(found)}, not {PACKAGES}")
    return found


def lint(packages):
    """No errors; warnings are shown."""
    if not shutil.which("lintian"):
        fail("lintian is not installed; scripts/setup-debian installs it")
    done = subprocess.run(["lintian", "--allow-root", "--tag-display-limit", "0", "--fail-on", "error",
                           *packages], capture_output=True, text=True)
    print(done.stdout, end="")
    if done.returncode:
        fail(f"lintian found errors\n{done.stderr}")


class Installed:
    """The packages of this machine, as dpkg's database has them."""

    def __init__(self):
        self.names, self.provides, self.needs = {}, {}, {}
        fields = "${Package}\t${Architecture}\t${Essential}\t${db:Status-Abbrev}\t${Provides}\t" \
                 "${Pre-Depends}\t${Depends}\n"
        self.essential = []
        for line in said("dpkg-query", "-W", "-f", fields).splitlines():
            name, arch, essential, status, provides, before, needs = line.split("\t")
            if not status.startswith("ii"):
                continue
            self.names[name] = arch
            self.needs[name] = f"{before}, {needs}"
            for each in self.words(provides):
                self.provides.setdefault(each[0], name)
            if essential == "yes":
                self.essential.append(name)

    @staticmethod
    def words(text):
        """Each dependency as its alternatives, without versions and architectures."""
        for group in filter(None, map(str.strip, text.split(","))):
            yield [re.split(r"[ :(]", each.strip())[0] for each in group.split("|")]

    def closure(self, text):
        """All packages that the dependencies lead to."""
        waiting, found = [*self.words(text), *([name] for name in self.essential)], set()
        while waiting:
            choice = waiting.pop()
            name = next((n for each in choice for n in (each, self.provides.get(each))
                         if n in self.names), None)
            if name and name not in found:
                found.add(name)
                waiting += self.words(self.needs[name])
        return found


def field(package, name):
    return said("dpkg-deb", "-f", package, name).strip()


def link_or_copy(source, target):
    # dpkg and ldconfig write below /etc and /var; elsewhere files are only replaced.
    if not source.startswith(("/etc/", "/var/")):
        try:
            return os.link(source, target, follow_symlinks=False)
        except OSError:
            pass
    shutil.copy2(source, target, follow_symlinks=False)


def alternatives(paths):
    """Links that update-alternatives made to these files, and those that lead there."""
    real = {os.path.realpath(path) for path in paths}
    for record in pathlib.Path("/var/lib/dpkg/alternatives").iterdir():
        for link in record.read_text().splitlines():
            if link.startswith("/") and os.path.islink(link) and os.path.realpath(link) in real:
                yield from (link, os.readlink(link))


def other_choices(paths):
    """Links of update-alternatives that lead to another package's file here, and what they lead to without it."""
    real = {os.path.realpath(path) for path in paths}
    for record in pathlib.Path("/var/lib/dpkg/alternatives").iterdir():
        lines = record.read_text().splitlines()
        choices = [line for line in lines[lines.index("") + 1:] if line in paths]
        if choices and os.path.realpath(lines[1]) not in real:
            yield lines[1], choices[0]


def qualified_names(names, installed):
    return [f"{name}:{installed.names[name]}" if installed.names[name] != "all" else name
            for name in sorted(names)]


def add_files(root, qualified):
    """The files of these packages."""
    paths = {line for line in said("dpkg-query", "-L", *qualified).splitlines() if line.startswith("/")}
    # What maintainer scripts make: accounts, and links of alternatives.
    paths |= {"/bin/sh", "/etc/passwd", "/etc/group", *alternatives(paths)}
    for path in sorted(paths):
        target = root / os.path.realpath(os.path.dirname(path))[1:] / os.path.basename(path)
        if os.path.isdir(path) and not os.path.islink(path):
            target.mkdir(parents=True, exist_ok=True)
        elif os.path.lexists(path) and not os.path.lexists(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            link_or_copy(path, target)
    for link, choice in other_choices(paths):
        target = root / os.path.realpath(os.path.dirname(link))[1:] / os.path.basename(link)
        if not os.path.lexists(target):
            target.symlink_to(choice)


def make_root(root, names, installed):
    """The files of these packages, and a database that knows them and no others."""
    for top in ("bin", "sbin", "lib", "lib64"):
        if os.path.islink(f"/{top}"):
            (root / top).symlink_to(os.readlink(f"/{top}"))
    qualified = qualified_names(names, installed)
    add_files(root, qualified)
    for name in ("proc", "dev", "tmp", "root", AWAY[1:], DEBS[1:]):
        (root / name).mkdir(parents=True, exist_ok=True)
    database = root / "var/lib/dpkg"
    for name in ("info", "updates", "triggers"):
        (database / name).mkdir(parents=True, exist_ok=True)
    (database / "status").write_text(said("dpkg-query", "-s", *qualified))
    for name in qualified:
        for stem in (name, name.split(":")[0]):
            for path in pathlib.Path("/var/lib/dpkg/info").glob(f"{stem}.list"):
                shutil.copy2(path, database / "info")


class Root(Place):
    """A place whose commands run in the root, which they cannot leave by a name."""

    def __init__(self, root):
        self.root, self.folder = root, root / AWAY[1:]
        self.env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "NO_COLOR": "1",
                    "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1", "BELAY": "/usr"}

    def shell(self, command, folder=AWAY):
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        inside = (f"mount --rbind /proc {self.root}/proc && mount --rbind /dev {self.root}/dev && "
                  f"exec chroot {self.root} bash -c " + shlex.quote(f"cd {folder} && {command}"))
        return subprocess.run(["unshare", *user, "--mount", "--propagation", "private", "bash", "-c", inside],
                              env=self.env, capture_output=True, text=True)

    def run(self, command, status=0):
        done = self.shell(command)
        if done.returncode != status:
            fail(f"in the clean root: {command}\nstatus {done.returncode}, not {status}\n"
                 f"{done.stdout}{done.stderr}")
        return done


def ten_lines():
    """The quick start of docs/python.md."""
    text = (ROOT / "docs/python.md").read_text()
    return re.search(r"^## Ten lines.*?^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[1]


PROGRAM = r"""
#include <belay/c.h>
#include <stdio.h>
int main(void) { return puts(belay_version()) < 0; }
"""


def use(place):
    """What a user does after the installation."""
    for part in ("examples", "corpus"):
        (place.folder / part).symlink_to(f"/usr/share/belay/{part}")
    place.run("belay doctor")
    print(f"clean root: {place.walk(Readme(ROOT / 'README.md'))} commands of the README work", flush=True)
    ids = " ".join(f"--id {each}" for each in one_of_each_class(ROOT / "corpus"))
    for how in ("--dynamic", "--static"):
        place.run(f"belay corpus {how} {ids}", status=0)
    print("clean root: belay corpus finds all", flush=True)
    (place.folder / "ten.py").write_text(ten_lines())
    place.run("cp examples/kernels/softmax.cpp softmax.cpp && python3 ten.py")
    place.run("python3 -m belay_npu --version")
    (place.folder / "hub.c").write_text(PROGRAM)
    place.run("clang-22 hub.c -lbelay -o hub && ./hub")
    place.run("test -f /usr/share/man/man1/belay-run.1.gz -a -f /usr/share/doc/belay/docs/guide.md "
              "-a -f /usr/share/doc/belay/copyright")
    place.run("source /usr/share/bash-completion/completions/belay; COMP_WORDS=(belay che); COMP_CWORD=1; "
              "_belay; test \"${COMPREPLY[*]}\" = check")


def follow_pages(place, installed, there):
    """All pages, each in a folder of its own. What a page needs besides is added when it does: before,
    a package that forgets to ask for it would not be noticed."""
    def need(names):
        missing = [name for name in names if name not in installed.names]
        if missing:
            fail(f"a page needs {missing}, which this machine does not have")
        more = installed.closure(", ".join(names)) - there
        if more:
            add_files(place.root, qualified_names(more, installed))
            there.update(more)

    walk, count = pages.Walk(place.shell, need, fail), 0
    for name in pages.PAGES:
        inside = f"{AWAY}/pages/{name}"
        folder = place.root / inside[1:]
        folder.mkdir(parents=True)
        for part in pages.PARTS:
            (folder / part).symlink_to(f"/usr/share/belay/{part}")
        count += walk.page(ROOT / f"docs/{name}.md", folder, inside)
    print(f"clean root: {count} blocks of {len(pages.PAGES)} pages work as written", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--keep", type=pathlib.Path, help="leave the packages here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="belay-packages-") as name:
        top = pathlib.Path(name)
        made = make_packages(options.build.resolve(), options.keep or top / "made")
        lint(made.values())
        installed, wanted = Installed(), ""
        for path in made.values():
            wanted += f", {field(path, 'Depends')}, {field(path, 'Recommends')}"
        root = top / "root"
        root.mkdir()
        names = installed.closure(wanted)
        make_root(root, names, installed)
        place = Root(root)
        for path in made.values():
            shutil.copy2(path, root / DEBS[1:])
        place.run(f"dpkg -i {DEBS}/*.deb")
        print(f"clean root: {len(names)} packages of this machine, and ours", flush=True)
        use(place)
        follow_pages(place, installed, names)
        listed = place.run("dpkg -L " + " ".join(PACKAGES)).stdout.split("\n")
        files = [p for p in listed if "belay" in p]
        place.run("dpkg -r " + " ".join(reversed(PACKAGES)))
        left = [p for p in files if os.path.lexists(f"{root}{p}")]
        if left or not files:
            fail(f"of {len(files)} paths these are left after dpkg -r: {left}")
        print(f"clean root: dpkg -r leaves none of {len(files)} paths", flush=True)


if __name__ == "__main__":
    main()
