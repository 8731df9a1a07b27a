"""The rules of the house, as functions of a syntax tree.

Each rule takes a module and yields sentences on what is wrong with it. `violations` applies all of
them to a source tree; ``test_architecture.py`` holds the library to them, and shows on small trees
that each rule is able to object.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from attrs import frozen

LAYERS: tuple[frozenset[str], ...] = tuple(
    frozenset(layer.split())
    for layer in (
        "errors containment extras file_lock params spelling typing",
        "registry",
        "kernels",
        "noise report",
        "release",
        "tables.taxonomies",
        "tables.data",
        "tables.groups",
        "tables.models tables.operations tables.metrics",
        "tables.charts tables.engines",
        "tables.methods tables.risk tables.attacks",
        "tables.publishing",
        "tables.series",
        "transactions trajectories graphs texts queries",
        "parties collection examples",
        "studio cli",
    )
)
"""Imports point from later layers to earlier ones; rooms of one layer do not know each other."""

RANKS = {room: rank for rank, layer in enumerate(LAYERS) for room in layer}

SIBLINGS = {("cli", "studio")}
"""Who may import whom within a layer, besides the files of the first one."""

BASE_ONLY = {("tables.methods", "tables.models")}
"""Who may import nothing but the ``base`` of whom: a method does not know which model it serves."""

ROOT = "unlinkable"
PUBLIC_API = {"cli", "studio", "checks", ROOT}
"""Who may import the package itself, as users do."""

BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "factory"}

ANYWHERE = {"attrs", "lazy_loader", "numpy", "scipy"}
DOORS: dict[str, set[str]] = {
    library: set(rooms.split())
    for libraries, rooms in {
        "numba llvmlite": "kernels",
        "polars pandas pyarrow narwhals": "tables.data tables.taxonomies examples",
        "fastexcel xlsxwriter pyreadstat": "tables.data",
        "sqlalchemy": "tables.data release",
        "duckdb pyspark": "tables.engines",
        "opendp dp_accounting randomgen": "noise",
        "sklearn": "tables.metrics tables.attacks tables.methods collection",
        "networkx igraph": "graphs",
        "pydantic": "release tables.publishing studio",
        "pydantic_core tomli_w cryptography": "release tables.publishing",
        "altair vl_convert": "tables.charts",
        "jinja2": "report studio",
        "typer click rich": "cli",
        "fastapi starlette uvicorn flask django litestar nicegui streamlit dash": "studio",
    }.items()
    for library in libraries.split()
}
"""Where each library may be imported. One that is not listed has no door at all."""


@frozen(slots=False)
class Module:
    """One source file, by its path below the package."""

    package: Path
    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text, filename=str(self.path))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the syntax tree."""
        return tuple(ast.walk(self.tree))

    @property
    def room(self) -> str:
        """The folder or file that it belongs to: below the package, or below ``tables``."""
        return room_of(self.path.with_suffix("").parts)

    @property
    def is_empty(self) -> bool:
        """Whether it defines nothing."""
        body = self.tree.body[1:] if ast.get_docstring(self.tree) else self.tree.body
        return all(
            isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in body
        )

    def imports(self) -> Iterator[tuple[int, str]]:
        """Yield line and full dotted name of all that is imported, wherever and whenever."""
        for node in self.nodes:
            match node:
                case ast.Import(names=names):
                    yield from ((node.lineno, alias.name) for alias in names)
                case ast.ImportFrom(module=str(source), names=names, level=0):
                    yield from ((node.lineno, f"{source}.{alias.name}") for alias in names)
                case ast.Call(
                    func=ast.Name(id="__import__" | "import_module")
                    | ast.Attribute(attr="import_module"),
                    args=[ast.Constant(value=str(source)), *_],
                ):
                    yield node.lineno, source


def violations(package: Path) -> list[str]:
    """Apply all rules to all modules of a package."""
    rules = (knows_its_place, enters_by_doors, uses_its_doors, has_its_form, is_named, is_silent)
    found = []
    for file in sorted(package.rglob("*.py")):
        module = Module(package, file.relative_to(package), file.read_text(encoding="utf-8"))
        found += [f"{module.path.as_posix()}{text}" for rule in rules for text in rule(module)]
    return found


def room_of(parts: tuple[str, ...]) -> str:
    """Name the room of a module, by its path below the package."""
    if not parts or parts[0] in ("__init__", "__main__", "api"):
        return ROOT
    if parts[0] == "tables":
        is_door = len(parts) == 1 or parts[1] == "__init__"
        return "tables" if is_door else f"tables.{parts[1]}"
    return parts[0]


def knows_its_place(module: Module) -> Iterator[str]:
    """Imports point one way."""
    room = module.room
    if room not in RANKS and room not in (ROOT, "checks", "tables"):
        yield f": no room {room!r} in the design"
        return
    for line, name in module.imports():
        package, *rest = name.split(".")
        if package != ROOT:
            continue
        target = room_of(tuple(rest))
        target = target if target in RANKS or target == "checks" else ROOT
        if not _may_import(room, target):
            yield f":{line}: {room} must not import {target}"
        if (room, target) in BASE_ONLY and rest[2:3] != ["base"]:
            yield f":{line}: {room} may import only the base of {target}, not {name}"


def enters_by_doors(module: Module) -> Iterator[str]:
    """Other rooms are entered by the door of a folder, never by a file inside."""
    for node in module.nodes:
        match node:
            case ast.ImportFrom(module=str(source), level=0) if source.startswith(f"{ROOT}."):
                parts = tuple(source.split(".")[1:])
            case _:
                continue
        target = room_of(parts)
        if target == module.room or RANKS.get(target, 0) == 0 or module.room in (ROOT, "checks"):
            continue
        is_file = module.package.joinpath(*parts).with_suffix(".py").is_file()
        if is_file or "shared" in parts:
            yield f":{node.lineno}: enters {target} by {source}, which is not its door"


def uses_its_doors(module: Module) -> Iterator[str]:
    """Every library has one door."""
    for line, name in module.imports():
        library = name.partition(".")[0]
        if library in sys.stdlib_module_names or library in ANYWHERE | {ROOT}:
            continue
        if library not in DOORS:
            yield f":{line}: no room may import {library}: declare it and give it a door"
        elif module.room not in DOORS[library] | {"checks"}:
            yield f":{line}: {library} belongs to {'/, '.join(sorted(DOORS[library]))}/"


def has_its_form(module: Module) -> Iterator[str]:
    """Docstring, future import, ``__all__``, absolute imports."""
    if not ast.get_docstring(module.tree):
        yield ": has no docstring"
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom) and node.level:
            yield f":{node.lineno}: imports relatively; write unlinkable..."
    if module.is_empty:
        return
    if "__future__.annotations" not in {name for _, name in module.imports()}:
        yield ": lacks `from __future__ import annotations`"
    is_private = any(part.startswith("_") and part != "__init__.py" for part in module.path.parts)
    if not is_private and not any(_assigns_all(node) for node in module.tree.body):
        yield ": lacks __all__"


def is_named(module: Module) -> Iterator[str]:
    """A name says what the thing is."""
    for part in module.path.with_suffix("").parts:
        if BANNED_NAMES & set(part.split("_")):
            yield f": {part!r} says nothing"


def is_silent(module: Module) -> Iterator[str]:
    """Only the command line talks."""
    for node in module.nodes:
        match node:
            case ast.Call(func=ast.Name(id="print")) if module.room != "cli":
                yield f":{node.lineno}: prints"


def _may_import(room: str, target: str) -> bool:
    if room in (target, "checks"):
        return True
    if target == "checks":
        return False
    if target == ROOT:
        return room in PUBLIC_API
    if room in (ROOT, "tables") or RANKS[target] < RANKS[room]:
        return True
    return RANKS[target] == RANKS[room] and (RANKS[room] == 0 or (room, target) in SIBLINGS)


def _assigns_all(node: ast.stmt) -> bool:
    match node:
        case (
            ast.Assign(targets=[ast.Name(id="__all__")])
            | ast.Assign(targets=[ast.Tuple(elts=[*_, ast.Name(id="__all__")])])
            | ast.AnnAssign(target=ast.Name(id="__all__"))
        ):
            return True
        case _:
            return False
