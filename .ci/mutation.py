"""Change the code in small ways, and see whether the tests of the folder of the same name notice.

    python .ci/mutation.py [--sample 60] [--seed 0] [--seconds 30] [PATH ...]

A PATH is a folder or a file of the package; all of FOLDERS if none is given. Changes that survive
are listed with a reason in mutation_survivors.txt: others that survive are failures, and so are
listed ones that do not, or that the code has no more. The listed ones of a PATH are always tried.

Changed code is compiled in a fork of one process, which has imported everything else: files are
not changed, and a change costs the tests until one fails, the quickest first.
"""

import argparse
import ast
import contextlib
import importlib
import json
import math
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "sklearn_clustcompare"
FOLDERS = (
    *("_table", "_chance", "indices", "significance", "candidates", "consensus", "hierarchies"),
    *("without_reference", "model_selection", "report", "plot", "checks", "cli"),
)
LIST = Path(__file__).with_name("mutation_survivors.txt")
HEAVY = ("pandas", "scipy.stats", "scipy.optimize", "sklearn.metrics", "sklearn.cluster", "mpmath")
SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.And: ast.Or,
    ast.Or: ast.And,
}  # fmt: skip
# Annotations, declarations for type checkers, and texts are not changed.
SKIPPED = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom, ast.arg)


def changes(node):
    """Yield the ways to change a node of the syntax tree."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield ast.Compare(node.left, [SWAPS[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        yield ast.BinOp(node.left, SWAPS[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(SWAPS[type(node.op)](), node.values)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()


def mutants_of(path):
    """Return the changes of a file by name: where it is, its tree, and what to change there."""
    tree = ast.parse(path.read_text("utf-8"))
    found, times = {}, Counter()

    def visit(node, scope):
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list"):
                continue
            for place, child in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(child, ast.AST) or isinstance(child, SKIPPED):
                    continue
                if isinstance(child, ast.keyword) and child.arg == "strict":  # asserts, too
                    continue
                for changed in changes(child):
                    old, new = ast.unparse(child), ast.unparse(changed)
                    name = f"{path.relative_to(PACKAGE)}: {'.'.join(scope)}: {old} -> {new}"
                    times[name] += 1
                    name += f" ({times[name]})" if times[name] > 1 else ""
                    ast.fix_missing_locations(ast.copy_location(changed, child))
                    found[name] = path, tree, (node, field, place, changed)
                is_scope = isinstance(child, ast.FunctionDef | ast.ClassDef)
                visit(child, [*scope, child.name] if is_scope else scope)

    visit(tree, [])
    return found


def apply(node, field, place, changed):
    """Change a syntax tree."""
    value = getattr(node, field)
    if isinstance(value, list):
        value[place] = changed
    else:
        setattr(node, field, changed)


class Tests:
    """Plugin of pytest: the quickest tests first, until the time is up.

    Those that were not measured come last, and before it was done those that are marked slow.
    """

    def __init__(self, durations, seconds):
        self.durations, self.seconds = durations, seconds
        self.measured = Counter()

    def pytest_collection_modifyitems(self, items):
        """Sort the tests by duration."""
        items.sort(
            key=lambda item: (
                self.durations.get(item.nodeid, math.inf),
                item.get_closest_marker("slow") is not None,
            )
        )

    def pytest_runtest_logreport(self, report):
        """Add up the duration of a test."""
        self.measured[report.nodeid] += report.duration

    def pytest_runtest_setup(self):
        """End before a test if the time is up."""
        if time.process_time() > self.seconds:
            pytest.exit("time is up", returncode=0)


def passes(folder, path, tree, change, durations, seconds):
    """Return whether the tests pass with a changed file, in a fork; and the time of each."""
    with tempfile.NamedTemporaryFile("r") as file:
        child = os.fork()
        if not child:
            # An endless loop is noticed, too, and a test that waits for ever.
            signal.alarm(20 * seconds)
            resource.setrlimit(resource.RLIMIT_CPU, (2 * seconds + 20, 2 * seconds + 20))
            resource.setrlimit(resource.RLIMIT_AS, (2**34, 2**34))
            for stream in range(3):
                os.dup2(os.open(os.devnull, os.O_RDWR), stream)
            if change:
                apply(*change)
            get_code = SourceFileLoader.get_code
            SourceFileLoader.get_code = lambda self, name: (
                compile(tree, path, "exec") if self.path == str(path) else get_code(self, name)
            )
            tests = Tests(durations, seconds)
            code = 1
            with contextlib.suppress(BaseException):
                # With --assert=plain the package is not loaded by pytest's own loader.
                options = "-q -x --assert=plain -p no:xdist -p no:cacheprovider -p no:randomly"
                markers = ["-m", "not processes"]
                code = pytest.main([*options.split(), *markers, f"tests/{folder}"], plugins=[tests])
                Path(file.name).write_text(json.dumps(tests.measured))
            os._exit(int(code))
        status = os.waitpid(child, 0)[1]
        return status == 0, json.loads(file.read() or "{}")


def main():
    """Try the changes, and compare those that survive with the list."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="*", default=FOLDERS, metavar="PATH")
    parser.add_argument("--sample", type=int, help="number of changes tried, of each PATH")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=30, help="CPU time of the tests of a change")
    options = parser.parse_args()
    os.chdir(ROOT)
    for name in HEAVY:
        importlib.import_module(name)
    lines = LIST.read_text("utf-8").splitlines()
    listed = {line for line in lines if line and not line.startswith(("#", " "))}
    wrong, durations, n_tried, n_survivors = [], {}, 0, 0
    for start in options.paths:
        top = PACKAGE / start
        mutants = {}
        for path in sorted(top.rglob("*.py")) if top.is_dir() else [top]:
            mutants |= mutants_of(path)
        of_path = {name for name in listed if name.startswith(start)}
        wrong += [f"listed, but not in the code: {name}" for name in sorted(of_path - set(mutants))]
        names = sorted(mutants)
        if options.sample is not None and options.sample < len(names):
            names = random.Random(options.seed).sample(names, options.sample)
        for name in sorted({*names, *(of_path & set(mutants))}):
            path, tree, change = mutants[name]
            folder = path.relative_to(PACKAGE).parts[0]
            if folder not in durations:
                is_passed, durations[folder] = passes(folder, path, tree, None, {}, 600)
                if not is_passed:
                    sys.exit(f"the tests of {folder} fail without a change")
            survives, _ = passes(folder, path, tree, change, durations[folder], options.seconds)
            n_tried, n_survivors = n_tried + 1, n_survivors + survives
            print("survives" if survives else "noticed ", name, flush=True)
            if survives != (name in listed):
                wrong.append(f"{'survives' if survives else 'listed, but noticed'}: {name}")
    print(f"{n_tried} changes, {n_survivors} survive, {len(wrong)} not as listed")
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
