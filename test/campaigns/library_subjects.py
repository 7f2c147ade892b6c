"""Kernels of the library as subjects of campaigns: AscendC with launches of their tests, traced."""
import importlib.machinery
import importlib.util
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "kernels" / "tests")]

import library  # noqa: E402
import runner  # noqa: E402


def mutate_emitted():
    """The campaign whose subjects these are, too: a script without a suffix."""
    loader = importlib.machinery.SourceFileLoader("mutate_emitted", str(HERE / "mutate-emitted"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate_emitted", loader))
    loader.exec_module(module)
    return module


emitted = mutate_emitted()
MOST = 100_000  # elements of a launch


class Subject(emitted.Subject):
    """A kernel of the library: as AscendC, with the launches of its tests that tell most, traced."""

    def __init__(self, kernel, dtype, instance, arch, scratch, launches=1):
        self.name, self.arch, self.instance = kernel.name, arch, instance
        self.build, self.source = pathlib.Path(runner.belay()).parents[1], kernel.source
        self.scratch = scratch
        self.compile("", "built")
        (path,) = (scratch / "built").glob("*.json")
        self.launcher = json.loads(path.read_text())
        self.symbol = self.launcher["entry"]
        text = (scratch / "built" / f"{self.symbol}.cpp").read_text().splitlines()
        self.code = scratch / "kernel.cpp"
        self.lines = [line for line in text if not line.startswith("#line")]
        self.code.write_text("\n".join(self.lines) + "\n")
        chosen = self.telling(kernel, dtype)[:launches]
        self.write_cases([(blocks, self.parameters(n, blocks, arguments))
                          for n, (blocks, arguments) in enumerate(chosen)])
        self.trace(len(chosen))

    def compile(self, form, name):
        target = self.scratch / name
        done = emitted.run([runner.belay(), "build", self.source, "--soc", library.SOCS[self.arch], "-o", target,
                            "--kernel", self.instance, *(["--emit", form] if form else [])])
        if done.returncode:
            raise SystemExit(done.stderr)
        return target

    def telling(self, kernel, dtype):
        """Launches that are not too large, and have no empty tensor, the largest first; before them those with
        odd extents, so that copies of what whole tiles leave copy something."""
        all_of = [c for c in (kernel.cases(dtype) if kernel.dtypes else kernel.cases()) if self.elements(c)]
        cases = [c for c in all_of if self.elements(c) <= MOST] or [min(all_of, key=self.elements)]
        return sorted(cases, key=lambda c: (self.is_odd(c), self.elements(c)), reverse=True)

    @staticmethod
    def is_odd(case):
        return any(a.data.dim() and a.data.shape[-1] % 2 for a in case[1] if isinstance(a, library.In))

    @staticmethod
    def elements(case):
        sizes = [(a.want if isinstance(a, library.Out) else a.data).numel() for a in case[1]
                 if not isinstance(a, library.Scalar)]
        return 0 if 0 in sizes else sum(sizes)

    def parameters(self, launch, blocks, arguments):
        """Of the AscendC, which has views, then extents and scalars."""
        tensors = iter([a for a in arguments if not isinstance(a, library.Scalar)])
        scalars = iter([a for a in arguments if isinstance(a, library.Scalar)])
        shapes, specs = {}, []
        for n, p in enumerate(self.launcher["parameters"]):
            if p["kind"] == "view" and p["access"] == "percore":
                shape = [blocks, *p["extents"][1:]]
                shapes[p["name"]] = shape
                specs.append({"inout": f"{p['dtype']}:{'x'.join(map(str, shape))}=zeros"})
            elif p["kind"] == "view":
                specs.append(self.tensor(next(tensors), f"{launch}.{n}", p, shapes))
            elif p["kind"] == "extent":
                specs.append({"scalar": f"i64={int(shapes[p['of']][p['dimension']])}"})
            else:
                scalar = next(scalars)
                specs.append({"scalar": f"{scalar.kind}={scalar.value!r}"})
        return specs

    def tensor(self, argument, name, parameter, shapes):
        data = argument.want if type(argument) is library.Out else argument.data
        kind = library.KINDS[argument.dtype if isinstance(argument, library.Out) else data.dtype]
        shape = "x".join(str(d) for d in data.shape)
        shapes[parameter["name"]] = list(data.shape)
        if type(argument) is library.Out:
            return {"out": f"{kind}:{shape}"}
        path = self.scratch / f"{name}.bin"
        path.write_bytes(data.flatten().view(library.torch.uint8).numpy())
        return {"inout" if isinstance(argument, library.InOut) else "in": f"{kind}:{shape}={path}"}
