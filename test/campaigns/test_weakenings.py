"""Ways to weaken the order of a kernel, on a small one: what is changed, and that all of it is found."""
import sys

from harness import ROOT, main

sys.path.insert(0, str(ROOT / "test/campaigns"))
from weakenings import weakenings  # noqa: E402

KERNEL = """\
func.func @f() {
  ascend.flag.set <M> to <MTE1> event 0
  scf.for %i = %a to %b step %c {
    ascend.flag.wait <M> to <MTE1> event 0
    ascend.cube.load %l1 -> %l0a : memref<4xf16, #ascend.space<l1>>
    ascend.flag.set <MTE1> to <M> event 0
    ascend.flag.wait <MTE1> to <M> event 0
    scf.if %few {
      ascend.barrier on <M>
    }
    ascend.cube.mmad %l0a, %l0b -> %l0c
    ascend.flag.set <M> to <MTE1> event 0
  }
  ascend.flag.wait <M> to <MTE1> event 0
  ascend.cube.fixpipe %l0c -> %gm
  ascend.flag.set <FIX> to <S> event 0
  ascend.flag.wait <FIX> to <S> event 0
  ascend.copy_pad.in %gm -> %ub
  return
}""".splitlines()


# A core with both units.
ONE_CORE = """\
func.func @f() {
  ascend.cube.fill %l1 one_core : memref<4xf16, #ascend.space<l1>>
  ascend.flag.set <MTE2> to <MTE3> event 0
  ascend.flag.wait <MTE2> to <MTE3> event 0
  ascend.cube.put_blocks %ub -> %l1
  ascend.flag.set <MTE3> to <AI_MTE1> event 0
  ascend.flag.wait <MTE3> to <AI_MTE1> event 0
  ascend.cube.load %l1 -> %l0a one_core : memref<4xf16, #ascend.space<l1>>
  return
}""".splitlines()


def changes(kind, kernel=KERNEL):
    return [(what, lines) for k, what, lines in weakenings(kernel) if k == kind]


def test_set_too_early():
    """Each set after an instruction of its pipe in its block; the first one has none."""
    found = changes("set too early")
    assert [what for what, _ in found] == ["ascend.flag.set <MTE1> to <M> event 0", "ascend.flag.set <M> to <MTE1> event 0",
                                           "ascend.flag.set <FIX> to <S> event 0"], found
    lines = [line.strip() for line in found[1][1]]
    at = lines.index("ascend.cube.mmad %l0a, %l0b -> %l0c")
    assert lines[at - 1] == "ascend.flag.set <M> to <MTE1> event 0" and lines[at - 2] == "}"
    assert sorted(found[1][1]) == sorted(KERNEL)


def test_wait_too_late():
    """Before an instruction of its pipe, or of its core where all of it waits; the last one holds nothing back."""
    found = changes("wait too late")
    assert len(found) == 3, found
    lines = [line.strip() for line in found[2][1]]
    assert lines.index("ascend.copy_pad.in %gm -> %ub") + 1 == lines.index("ascend.flag.wait <FIX> to <S> event 0")
    lines = [line.strip() for line in found[1][1]]
    assert lines.index("ascend.flag.wait <MTE1> to <M> event 0") > lines.index("ascend.cube.mmad %l0a, %l0b -> %l0c")


def test_other_id():
    found = changes("other id")
    assert len(found) == 8 and all(sum(a != b for a, b in zip(KERNEL, lines)) == 1 for _, lines in found)
    assert all("event 1" in "".join(lines) for _, lines in found)


def test_other_pipe():
    """All sets and waits of a pair together, and a barrier alone."""
    found = dict(changes("other pipe"))
    assert set(found) == {"flags of FIX to S are raised by AIC_MTE2", "flags of FIX to S are raised by MTE1",
                          "flags of FIX to S are raised by M", "flags of M to MTE1 are raised by AIC_MTE2",
                          "flags of M to MTE1 are raised by FIX", "flags of MTE1 to M are raised by AIC_MTE2",
                          "flags of MTE1 to M are raised by FIX", "ascend.barrier on <M>"}, sorted(found)
    text = "\n".join(found["flags of M to MTE1 are raised by FIX"])
    assert text.count("<FIX> to <MTE1>") == 4 and "<M> to <MTE1>" not in text
    assert "ascend.barrier on <AIC_MTE2>" in "\n".join(found["ascend.barrier on <M>"])


def test_one_core():
    assert len(changes("set too early", ONE_CORE)) == len(changes("wait too late", ONE_CORE)) == 2
    assert {what for what, _ in changes("other pipe", ONE_CORE)} == {
        "flags of MTE2 to MTE3 are raised by V", "flags of MTE2 to MTE3 are raised by AI_MTE1",
        "flags of MTE3 to AI_MTE1 are raised by MTE2", "flags of MTE3 to AI_MTE1 are raised by AI_M"}


if __name__ == "__main__":
    main()
