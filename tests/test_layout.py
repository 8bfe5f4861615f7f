"""Who imports whom, what a wheel holds, what an import loads, how long files are."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())

SERVICES = {"config", "errors", "logs", "metrics"}
MAY_IMPORT = {
    "errors": set[str](),
    "metrics": set[str](),
    "config": {"errors"},
    "logs": {"config"},
    "mlir": {"dialect"},
    "dialect": {"mlir"},
    "passes": {"mlir", "dialect", "logs"},
    "tools": {"mlir", "dialect", "passes", "frontend_torch"},
    "core": {"mlir", "dialect", "passes", "runtime", *SERVICES},
    "runtime": {"mlir", "dialect", "passes", "core", *SERVICES},
    "frontend_torch": {"mlir", "dialect", "passes", "core", "runtime", "", *SERVICES},
    "debug": {"mlir", "dialect", "passes", "core", "runtime", "frontend_torch", *SERVICES},
    "tensor": {"core", "frontend_torch", "runtime", *SERVICES},
    "_autoload": {"frontend_torch"},
    "": {"frontend_torch", "_autoload"},
}
"""Part of lazymlir ("" is its __init__) to the other parts that it may import."""

ONLY_IN = {
    "torch": {"frontend_torch", "tensor"},
    "jax": {"runtime"},
    "jaxlib": {"runtime"},
    "torch_mlir": {"mlir"},
    "numpy": {"frontend_torch", "runtime", "passes"},  # a second of Python's work for 50,000 operations, otherwise
    "ml_dtypes": {"frontend_torch", "runtime"},
}
"""Package to the parts of lazymlir that may import it. Every import counts, inside functions too."""

LONG_FILES = {
    "tests/test_ops_nn.py": "one table of cases for the layers of a network",
}
"""Files of more than 500 lines, each with its reason."""


def sources() -> Iterator[tuple[str, Path]]:
    """Module names and files of the package, each once."""
    for folder, name in (("dialect", "lazymlir.dialect"), ("passes", "lazymlir.passes"), ("lazymlir", "lazymlir")):
        for root, folders, files in os.walk(CHECKOUT / folder):
            folders[:] = [entry for entry in folders if entry != "__pycache__"]
            for file in files:
                if file.endswith(".py"):
                    path = Path(root, file)
                    parts = path.relative_to(CHECKOUT / folder).with_suffix("").parts
                    yield ".".join([name, *(part for part in parts if part != "__init__")]), path


def imports(module: str, path: Path) -> Iterator[str]:
    """The modules that a file imports, at any depth; `from a import b` counts as a.b."""
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield from (".".join([*base, *([node.module] if node.module else []), alias.name]) for alias in node.names)


def part(module: str) -> str:
    """`lazymlir.passes.base` is in `passes`; what the package itself holds, in ""."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in MAY_IMPORT else ""


def test_imports_follow_the_direction() -> None:
    wrong = [
        f"{module} imports {imported}"
        for module, path in sources()
        for imported in imports(module, path)
        if imported.split(".")[0] == "lazymlir" and part(imported) not in {part(module), *MAY_IMPORT[part(module)]}
    ]
    assert wrong == []


def test_foreign_packages_are_imported_where_they_may_be() -> None:
    wrong = [
        f"{module} imports {imported}"
        for module, path in sources()
        for imported in imports(module, path)
        if part(module) not in ONLY_IN.get(imported.split(".")[0], {part(module)})
    ]
    assert wrong == []


def test_every_part_has_a_rule() -> None:
    parts = {module.split(".")[1] for module, _ in sources() if "." in module}
    assert parts == set(MAY_IMPORT) - {""}


@pytest.mark.parametrize(
    "module", ["lazymlir", "lazymlir.passes", "lazymlir.dialect", "lazymlir.tools.opt", "lazymlir.config", "lazymlir.metrics", "lazymlir.logs"]
)
def test_importing_it_loads_neither_torch_nor_jax(module: str) -> None:
    program = f"import sys, {module}; print([name for name in ('torch', 'jax', 'jaxlib') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=CHECKOUT)
    assert done.stdout.strip() == "[]"


def test_the_links_of_a_checkout_lead_to_the_folders() -> None:
    for name in ("dialect", "passes"):
        link = CHECKOUT / "lazymlir" / name
        assert link.is_symlink()
        assert os.readlink(link) == f"../{name}"


def test_pyproject_lists_the_packages_of_the_tree() -> None:
    packages = {module for module, path in sources() if path.name == "__init__.py"}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == packages
    without = {str(path.parent.relative_to(CHECKOUT)) for _, path in sources() if not (path.parent / "__init__.py").exists()}
    assert without == set(), "folders without __init__.py"


def test_versions_in_constraints_are_within_the_ranges() -> None:
    from packaging.requirements import Requirement

    lines = [line for line in (CHECKOUT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")]
    pins = {(requirement.name, str(requirement.marker)): requirement for requirement in map(Requirement, lines)}
    extras = PROJECT["project"]["optional-dependencies"]
    declared = [Requirement(text) for text in (*PROJECT["project"]["dependencies"], *extras["test"], *extras["bench"])]
    for wanted in declared:
        matching = [pin for (name, _), pin in pins.items() if name == wanted.name]
        assert matching, f"{wanted.name} has no pin"
        for pin in matching:
            (version,) = (specifier.version for specifier in pin.specifier)
            assert wanted.specifier.contains(version), f"{pin} is outside of {wanted}"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout to build in."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "README.md", "LICENSE", "lazymlir", "dialect", "passes"):
        subprocess.run(["cp", "-a", str(CHECKOUT / name), str(folder)], check=True)
    return folder


def build_wheel(source: Path, folder: Path) -> zipfile.ZipFile:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    done = subprocess.run([*command, "--wheel-dir", str(folder), str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return zipfile.ZipFile(wheel)


def modules_in(wheel: zipfile.ZipFile) -> set[str]:
    return {name for name in wheel.namelist() if ".dist-info/" not in name}


MODULES = {
    str(Path(*module.split("."), "__init__.py") if path.name == "__init__.py" else Path(*module.split(".")).with_suffix(".py"))
    for module, path in sources()
} | {"lazymlir/runtime/handlers.mlir"}


def test_a_wheel_holds_every_module_and_nothing_else(copy: Path, tmp_path: Path) -> None:
    with build_wheel(copy, tmp_path) as wheel:
        assert modules_in(wheel) == MODULES
        entry_points = wheel.read(next(name for name in wheel.namelist() if name.endswith("entry_points.txt"))).decode()
        assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())
    assert "lazymlir-opt = lazymlir.tools.opt:main" in entry_points
    assert "lazymlir = lazymlir._autoload:autoload" in entry_points


def test_a_source_archive_keeps_the_top_folders_and_builds_the_same_wheel(copy: Path, tmp_path: Path) -> None:
    program = f"from setuptools import build_meta; build_meta.build_sdist({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", program], cwd=copy, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    (source,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert (source / "dialect" / "declare.py").exists()
    with build_wheel(source, tmp_path) as wheel:
        assert modules_in(wheel) == MODULES


@pytest.mark.parametrize("module", sorted(module for module, path in sources() if ">>> " in path.read_text()))
def test_the_examples_in_docstrings_run(module: str) -> None:
    outcome = doctest.testmod(importlib.import_module(module), raise_on_error=False)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_no_file_is_long_without_a_reason() -> None:
    folders = ("dialect", "passes", "lazymlir", "tests", "examples", "benchmarks", "lit_tests")
    files = {path for folder in folders for path in (CHECKOUT / folder).rglob("*.py") if "__pycache__" not in path.parts}
    long = {str(path.relative_to(CHECKOUT)) for path in files if len(path.read_text().splitlines()) > 500}
    assert long <= set(LONG_FILES)


def test_importers_take_what_torch_passes_by_name() -> None:
    """torch passes arguments by name where they can only be given so, and our `out=` forms where it left out a default."""
    from lazymlir.frontend_torch.registry import IMPORTERS

    positional = {"from", "to", "lambd"}  # words of Python, and of a mutating form, which has no out=
    unknown = []
    for overload, importer in IMPORTERS.items():
        parameters = inspect.signature(importer.function).parameters
        if any(parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) for parameter in parameters.values()):
            continue
        named = {a.name for a in overload._schema.arguments if a.has_default_value() and not a.kwarg_only and not a.is_out}
        unknown += [f"{overload}: {name}" for name in sorted(named - set(parameters) - positional - {"attn_bias", "generator"})]
    assert unknown == []
