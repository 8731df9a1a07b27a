"""The house rules hold in the library, and each of them is able to object."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture import LAYERS, violations
from tools import rooms

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


def test_contributing_shows_the_rooms_as_they_are() -> None:
    text = rooms.PAGE.read_text(encoding="utf-8")
    assert rooms.picture() in text, "run `python -m tools.rooms`"


def test_every_room_has_one_place() -> None:
    rooms = [room for layer in LAYERS for room in layer]
    assert len(rooms) == len(set(rooms))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("params.py", "from unlinkable.errors import ParameterError"),
        ("errors.py", ""),
        ("tables/data/reading/csv.py", "import polars as pl\nfrom unlinkable.kernels import x"),
        ("tables/data/a.py", "from unlinkable.tables.data.b import c\nimport json, re"),
        ("tables/data/a.py", "from unlinkable.tables.taxonomies import Domain"),
        ("tables/models/a.py", "from unlinkable.noise import events"),
        ("tables/models/a.py", "from unlinkable.tables.groups import g"),
        ("tables/methods/regions/a.py", "from unlinkable.tables.models.base import GroupModel"),
        ("tables/methods/a.py", "from unlinkable.tables.models import base"),
        ("tables/methods/a.py", "from unlinkable.tables.operations import x"),
        ("cli/a.py", "import typer, unlinkable\nfrom unlinkable import anonymize\nprint()"),
        ("examples/a.py", "import polars\nfrom unlinkable.tables.data import read"),
        ("cli/b.py", "from unlinkable.studio import serve"),
        ("studio/pages/a.py", "from nicegui import ui"),
        ("studio/pages/a.py", "from unlinkable.tables.publishing.anonymizing import run"),
        ("checks/a.py", "import polars, unlinkable\nfrom unlinkable.cli import app"),
        ("__init__.py", "from unlinkable.tables.publishing import anonymize"),
        ("kernels/a.py", "def f():\n    from numba import njit"),
        ("tables/groups/a.py", "from importlib import import_module\nimport_module(name)"),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, path: str, body: str) -> None:
    assert broken(tmp_path, path, GOOD.format(body=body)) == []


@pytest.mark.parametrize(
    ("path", "rest"),
    [
        ("kernels/__init__.py", ""),
        ("kernels/__init__.py", "from __future__ import annotations"),
        ("tables/data/_private.py", "from __future__ import annotations\n\nX = 1"),
        ("__main__.py", "from __future__ import annotations\n\nX = 1"),
    ],
)
def test_what_exports_nothing_needs_no_all(tmp_path: Path, path: str, rest: str) -> None:
    assert broken(tmp_path, path, f'"""A module."""\n\n{rest}\n') == []


@pytest.mark.parametrize(
    ("path", "wrong", "room"),
    [
        ("kernels/a.py", "tables.data", "kernels"),
        ("registry/a.py", "kernels", "registry"),
        ("registry/a.py", "tables.models", "registry"),
        ("noise/a.py", "tables.models", "noise"),
        ("release/a.py", "tables.publishing", "release"),
        ("release/plan/a.py", "tables.data", "release"),
        ("release/a.py", "cli", "release"),
        ("release/a.py", "examples", "release"),
        ("report/a.py", "studio", "report"),
        ("tables/taxonomies/a.py", "tables.data", "tables.taxonomies"),
        ("tables/data/a.py", "tables.groups", "tables.data"),
        ("tables/groups/a.py", "tables.models", "tables.groups"),
        ("tables/models/a.py", "tables.metrics", "tables.models"),
        ("tables/metrics/a.py", "tables.engines", "tables.metrics"),
        ("tables/attacks/a.py", "tables.methods", "tables.attacks"),
        ("tables/risk/a.py", "tables.methods.base", "tables.risk"),
        ("tables/methods/a.py", "tables.publishing", "tables.methods"),
        ("tables/publishing/a.py", "tables.series", "tables.publishing"),
        ("collection/a.py", "cli", "collection"),
        ("errors.py", "kernels", "errors"),
        ("cli/a.py", "checks", "cli"),
        ("studio/a.py", "cli", "studio"),
        ("__init__.py", "checks", "unlinkable"),
    ],
)
def test_imports_against_the_order_are_caught(
    tmp_path: Path, path: str, wrong: str, room: str
) -> None:
    (found,) = broken(tmp_path, path, GOOD.format(body=f"from unlinkable.{wrong} import x"))
    assert found == f"{path}:5: {room} must not import {wrong.removesuffix('.base')}"


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("report/a.py", "import unlinkable as ul", "report must not import unlinkable"),
        ("release/a.py", "from unlinkable import anonymize", "release must not import unlinkable"),
        ("release/a.py", "from unlinkable import cli", "release must not import cli"),
        ("tables/data/a.py", "def f():\n    import unlinkable.cli", "must not import cli"),
        (
            "release/a.py",
            "import typing\nif typing.TYPE_CHECKING:\n    from unlinkable.cli import x",
            "release must not import cli",
        ),
        (
            "release/a.py",
            "import importlib\nimportlib.import_module('unlinkable.tables.data')",
            "release must not import tables.data",
        ),
        (
            "tables/methods/a.py",
            "from unlinkable.tables.models import KAnonymity",
            "only the base of tables.models, not unlinkable.tables.models.KAnonymity",
        ),
        ("cellar/a.py", "", "no room 'cellar' in the design"),
        ("cellar.py", "", "no room 'cellar' in the design"),
        ("tables/cellar/a.py", "", "no room 'tables.cellar' in the design"),
    ],
)
def test_every_way_to_import_is_seen(tmp_path: Path, path: str, body: str, message: str) -> None:
    (found,) = broken(tmp_path, path, GOOD.format(body=body))
    assert found.startswith(path)
    assert message in found


def test_a_file_inside_another_room_is_not_its_door(tmp_path: Path) -> None:
    inside = tmp_path / "tables" / "groups" / "histogram.py"
    inside.parent.mkdir(parents=True)
    inside.write_text(GOOD.format(body=""), encoding="utf-8")
    body = "from unlinkable.tables.groups.histogram import Histogram"
    (found,) = broken(tmp_path, "tables/models/a.py", GOOD.format(body=body))
    assert found.endswith(
        "enters tables.groups by unlinkable.tables.groups.histogram, which is not its door"
    )


def test_what_a_room_shares_inside_is_not_for_others(tmp_path: Path) -> None:
    body = "from unlinkable.tables.models.shared import earth_mover"
    (found,) = broken(tmp_path, "tables/attacks/a.py", GOOD.format(body=body))
    assert "which is not its door" in found


def test_the_centre_knows_no_kind_of_data(tmp_path: Path) -> None:
    body = "from unlinkable.tables.data import Table"
    for room in ("registry", "release"):
        found = broken(tmp_path / room, f"{room}/a.py", GOOD.format(body=body))
        assert any(said.endswith(f"{room} must not import tables.data") for said in found), found


DATA_ROOMS = "examples/, tables.data/, tables.taxonomies/"


@pytest.mark.parametrize(
    ("path", "library", "door"),
    [
        ("tables/data/a.py", "numba", "kernels/"),
        ("tables/groups/a.py", "polars", DATA_ROOMS),
        ("release/a.py", "pandas", DATA_ROOMS),
        ("release/a.py", "pyarrow.parquet", DATA_ROOMS),
        ("cli/a.py", "narwhals", DATA_ROOMS),
        ("release/a.py", "fastexcel", "tables.data/"),
        ("examples/a.py", "pyreadstat", "tables.data/"),
        ("tables/series/a.py", "sqlalchemy", "release/, tables.data/"),
        ("tables/data/a.py", "duckdb", "tables.engines/"),
        ("tables/data/a.py", "pyspark.sql", "tables.engines/"),
        ("release/a.py", "fastapi", "studio/"),
        ("release/a.py", "typer", "cli/"),
        ("cli/a.py", "nicegui", "studio/"),
        ("cli/a.py", "pydantic", "release/, studio/, tables.publishing/"),
        ("studio/a.py", "polars", DATA_ROOMS),
        ("__init__.py", "polars", DATA_ROOMS),
    ],
)
def test_libraries_outside_their_door_are_caught(
    tmp_path: Path, path: str, library: str, door: str
) -> None:
    (found,) = broken(tmp_path, path, GOOD.format(body=f"import {library}"))
    assert found == f"{path}:5: {library.partition('.')[0]} belongs to {door}"


def test_libraries_without_a_door_are_caught(tmp_path: Path) -> None:
    (found,) = broken(tmp_path, "tables/data/a.py", GOOD.format(body="import left_pad"))
    assert found == "tables/data/a.py:5: no room may import left_pad: declare it and give it a door"


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
    ],
)
def test_files_out_of_form_are_caught(tmp_path: Path, text: str, message: str) -> None:
    (found,) = broken(tmp_path, "tables/data/a.py", text.replace("{body}", ""))
    assert found.startswith(f"tables/data/a.py{message}")


@pytest.mark.parametrize(
    "path", ["report/utils.py", "report/helpers/a.py", "report/common.py", "report/csv_utils.py"]
)
def test_names_that_say_nothing_are_caught(tmp_path: Path, path: str) -> None:
    (found,) = broken(tmp_path, path, GOOD.format(body=""))
    assert "says nothing" in found


def test_every_fault_is_reported_with_its_line(tmp_path: Path) -> None:
    body = "import numba\nimport polars\nfrom unlinkable.cli import app"
    assert broken(tmp_path, "tables/groups/a.py", GOOD.format(body=body)) == [
        "tables/groups/a.py:7: tables.groups must not import cli",
        "tables/groups/a.py:5: numba belongs to kernels/",
        "tables/groups/a.py:6: polars belongs to " + DATA_ROOMS,
    ]
