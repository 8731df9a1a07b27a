"""The house rules hold in the library, and each of them is able to object."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture import LAYERS, violations

PACKAGE = Path(__file__).parent.parent / "src" / "unlinkable"
HEAVY = {
    *("fastapi", "nicegui", "numba", "pandas", "polars", "pyarrow", "pydantic", "rich", "scipy"),
    *("sqlalchemy", "typer", "uvicorn"),
}

GOOD = '''"""A module."""

from __future__ import annotations

{body}

__all__ = ["something"]
'''


def broken(folder: Path, path: str, text: str) -> list[str]:
    """What is wrong with a package of one module."""
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return violations(folder)


def test_the_library_keeps_the_rules() -> None:
    assert list(PACKAGE.rglob("*.py"))
    found = violations(PACKAGE)
    assert not found, "\n".join(found)


def test_importing_the_library_loads_nothing_heavy() -> None:
    code = "import sys, unlinkable; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert "unlinkable" in loaded
    assert HEAVY & set(loaded) == set()


def test_every_room_has_one_place() -> None:
    rooms = [room for layer in LAYERS for room in layer]
    assert len(rooms) == len(set(rooms))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("params.py", "from unlinkable.errors import ParameterError"),
        ("errors.py", ""),
        ("table/reading/csv.py", "import polars as pl\nfrom unlinkable.kernels import grouping"),
        ("table/a.py", "from unlinkable.tables.data.b import c\nimport json, re"),
        (
            "privacy/a.py",
            "from unlinkable.noise import events\nfrom unlinkable.tables.groups import g",
        ),
        ("methods/regions/a.py", "from unlinkable.tables.models.base import GroupModel"),
        (
            "methods/a.py",
            "from unlinkable.tables.models import base\nfrom unlinkable.tables.operations import x",
        ),
        ("cli/a.py", "import typer, unlinkable\nfrom unlinkable import anonymize\nprint()"),
        ("examples/a.py", "import polars\nfrom unlinkable.tables.data import Mask"),
        ("cli/b.py", "from unlinkable.studio.server import serve"),
        (
            "studio/pages/a.py",
            "from nicegui import ui\nfrom unlinkable.tables.publishing import run",
        ),
        ("checks/a.py", "import polars, unlinkable\nfrom unlinkable.cli import app"),
        ("__init__.py", "from unlinkable.tables.publishing import anonymize"),
        ("kernels/a.py", "def f():\n    from numba import njit"),
        ("groups/a.py", "from importlib import import_module\nimport_module(name)"),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, path: str, body: str) -> None:
    assert broken(tmp_path, path, GOOD.format(body=body)) == []


@pytest.mark.parametrize(
    ("path", "rest"),
    [
        ("kernels/__init__.py", ""),
        ("kernels/__init__.py", "from __future__ import annotations"),
        ("table/_private.py", "from __future__ import annotations\n\nX = 1"),
        ("__main__.py", "from __future__ import annotations\n\nX = 1"),
    ],
)
def test_what_exports_nothing_needs_no_all(tmp_path: Path, path: str, rest: str) -> None:
    assert broken(tmp_path, path, f'"""A module."""\n\n{rest}\n') == []


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("kernels/a.py", "from unlinkable.tables.data import x", "kernels must not import table"),
        ("table/a.py", "import unlinkable.tables.groups.b", "table must not import groups"),
        ("table/a.py", "from unlinkable import groups", "table must not import groups"),
        ("groups/a.py", "from unlinkable.tables.models import x", "groups must not import privacy"),
        (
            "privacy/a.py",
            "from unlinkable.tables.metrics import x",
            "privacy must not import utility",
        ),
        ("noise/a.py", "from unlinkable.tables.models import x", "noise must not import privacy"),
        (
            "utility/a.py",
            "from unlinkable.tables.engines import x",
            "utility must not import engines",
        ),
        (
            "attacks/a.py",
            "from unlinkable.tables.methods import x",
            "attacks must not import methods",
        ),
        (
            "risk/a.py",
            "from unlinkable.tables.methods.base.search import x",
            "risk must not import methods",
        ),
        (
            "methods/a.py",
            "from unlinkable.tables.publishing import x",
            "methods must not import release",
        ),
        ("release/a.py", "from unlinkable.cli import x", "release must not import cli"),
        ("release/a.py", "from unlinkable.examples import x", "release must not import examples"),
        ("errors.py", "from unlinkable.kernels import x", "errors must not import kernels"),
        ("report/a.py", "import unlinkable as ul", "report must not import unlinkable"),
        ("release/a.py", "from unlinkable import anonymize", "release must not import unlinkable"),
        ("cli/a.py", "from unlinkable.checks import x", "cli must not import checks"),
        ("studio/a.py", "from unlinkable.cli import x", "studio must not import cli"),
        ("report/a.py", "from unlinkable.studio import x", "report must not import studio"),
        ("__init__.py", "import unlinkable.checks", "unlinkable must not import checks"),
        ("table/a.py", "def f():\n    import unlinkable.cli", "table must not import cli"),
        (
            "table/a.py",
            "import typing\nif typing.TYPE_CHECKING:\n    from unlinkable.tables.publishing import x",
            "table must not import release",
        ),
        (
            "table/a.py",
            "import importlib\nimportlib.import_module('unlinkable.tables.publishing')",
            "table must not import release",
        ),
        (
            "methods/a.py",
            "from unlinkable.tables.models import KAnonymity",
            "may import only the base of privacy, not unlinkable.tables.models.KAnonymity",
        ),
        (
            "methods/a.py",
            "import unlinkable.tables.models.k_anonymity",
            "may import only the base of privacy",
        ),
        ("cellar/a.py", "", "no room 'cellar' in the design"),
        ("cellar.py", "", "no room 'cellar' in the design"),
    ],
)
def test_imports_against_the_order_are_caught(
    tmp_path: Path, path: str, body: str, message: str
) -> None:
    (found,) = broken(tmp_path, path, GOOD.format(body=body))
    assert found.startswith(path)
    assert message in found


@pytest.mark.parametrize(
    ("path", "library", "door"),
    [
        ("table/a.py", "numba", "kernels/"),
        ("groups/a.py", "polars", "examples/, table/"),
        ("release/a.py", "pandas", "examples/, table/"),
        ("release/a.py", "pyarrow.parquet", "examples/, table/"),
        ("cli/a.py", "narwhals", "examples/, table/"),
        ("release/a.py", "fastexcel", "table/"),
        ("examples/a.py", "pyreadstat", "table/"),
        ("release/a.py", "sqlalchemy", "history/, table/"),
        ("table/a.py", "duckdb", "engines/"),
        ("table/a.py", "pyspark.sql", "engines/"),
        ("release/a.py", "fastapi", "studio/"),
        ("release/a.py", "typer", "cli/"),
        ("cli/a.py", "nicegui", "studio/"),
        ("cli/a.py", "pydantic", "release/, studio/"),
        ("studio/a.py", "polars", "examples/, table/"),
        ("__init__.py", "polars", "examples/, table/"),
    ],
)
def test_libraries_outside_their_door_are_caught(
    tmp_path: Path, path: str, library: str, door: str
) -> None:
    (found,) = broken(tmp_path, path, GOOD.format(body=f"import {library}"))
    assert found == f"{path}:5: {library.partition('.')[0]} belongs to {door}"


def test_libraries_without_a_door_are_caught(tmp_path: Path) -> None:
    (found,) = broken(tmp_path, "table/a.py", GOOD.format(body="import left_pad"))
    assert found == "table/a.py:5: no room may import left_pad: declare it and give it a door"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace('"""A module."""', ""), ": has no docstring"),
        ("", ": has no docstring"),
        (GOOD.replace("from __future__ import annotations", ""), ": lacks `from __future__"),
        (GOOD.replace("__all__", "some"), ": lacks __all__"),
        ("from __future__ import annotations", ": has no docstring"),
        (GOOD.format(body="from .b import c"), ":5: imports relatively"),
        (GOOD.format(body="print('hello')"), ":5: prints"),
        (GOOD.format(body="def f():\n    print()"), ":6: prints"),
        (GOOD.format(body="#\n" * 450), ": has 457 lines, more than 450"),
    ],
)
def test_files_out_of_form_are_caught(tmp_path: Path, text: str, message: str) -> None:
    (found,) = broken(tmp_path, "table/a.py", text.replace("{body}", ""))
    assert found.startswith(f"table/a.py{message}")


@pytest.mark.parametrize(
    "path", ["table/utils.py", "table/helpers/a.py", "table/common.py", "table/csv_utils.py"]
)
def test_names_that_say_nothing_are_caught(tmp_path: Path, path: str) -> None:
    (found,) = broken(tmp_path, path, GOOD.format(body=""))
    assert "says nothing" in found


def test_every_fault_is_reported_with_its_line(tmp_path: Path) -> None:
    body = "import numba\nimport polars\nfrom unlinkable.cli import app"
    assert broken(tmp_path, "groups/a.py", GOOD.format(body=body)) == [
        "groups/a.py:7: groups must not import cli",
        "groups/a.py:5: numba belongs to kernels/",
        "groups/a.py:6: polars belongs to examples/, table/",
    ]
