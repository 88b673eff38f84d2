"""A folder knows only the folders before it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src/sesshoku"
BELOW_ALL = {"kernel", "library", "handle", "errors", "given", "version"}
LAYERS = [
    *("spatial", "model", "dynamics", "geometry", "constraint", "contact", "sim", "control"),
    *("papers", "viewer", "envs", "bench", "cli"),
]
FOLDERS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))


def imported(file: Path) -> set[str]:
    """First-level parts of sesshoku that a file imports, anywhere in it; "" is the package itself."""
    modules = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import hides the layer"
            modules |= {f"{node.module}.{name.name}" for name in node.names}
    parts = [module.split(".") for module in modules]
    return {"".join(part[1:2]) for part in parts if part[0] == "sesshoku"}


def test_every_folder_has_its_place():
    assert set(FOLDERS) <= set(LAYERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_folder_knows_only_those_before_it(folder):
    allowed = BELOW_ALL | set(LAYERS[: LAYERS.index(folder) + 1])
    for file in (PACKAGE / folder).rglob("*.py"):
        assert imported(file) <= allowed, file


@pytest.mark.parametrize("module", sorted(BELOW_ALL))
def test_what_lies_below_all_knows_nothing_above(module):
    assert imported(PACKAGE / f"{module}.py") <= BELOW_ALL
