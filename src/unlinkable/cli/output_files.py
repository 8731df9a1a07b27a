"""Files that commands read and write: no input is replaced, and no other file unasked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from unlinkable.errors import ParameterError, unknown

if TYPE_CHECKING:
    from unlinkable.tables.publishing.plans import Plan

__all__ = ["chart_file", "plan_file", "plan_inputs", "require_place"]

_CHARTS = (".svg", ".png", ".html", ".json")
"""How the name of a file for a chart may end."""


def require_place(file: Path, inputs: Iterable[str | Path | None], *, overwrite: bool) -> None:
    """Refuse to write to a file that is there, or that the command reads, before any work is done.

    Parameters
    ----------
    file
        Where to write.
    inputs
        Files that the command reads, and bundles, all of whose files belong to them.
    overwrite
        Whether another file that is there is replaced.

    Raises
    ------
    ParameterError
        If it may not be written.
    """
    place = file.resolve()
    for source in inputs:
        if source is not None and place.is_relative_to(Path(source).resolve()):
            raise ParameterError(
                f"{file} belongs to what is read here and is not replaced: choose another name"
            )
    if file.is_dir():
        raise ParameterError(f"{file} is a folder: name a file")
    if file.exists() and not overwrite:
        raise ParameterError(f"{file} exists: choose another name, or add --overwrite")


def plan_inputs(plan: Plan) -> tuple[Path, ...]:
    """Name the plan and all files that it reads."""
    return (Path(plan.file), *plan.files())


def chart_file(path: Path | None) -> Path | None:
    """Refuse a file that no chart can be written to, before hours are spent on what it shows.

    Raises
    ------
    ParameterError
        If its format is unknown, or its folder is not there.
    MissingExtraError
        If the library that draws is not installed.
    """
    from unlinkable.tables.charts import require_painter

    if path is not None and path.suffix.lower() in _CHARTS[:-1]:
        require_painter()
    if path is not None and path.suffix.lower() not in _CHARTS:
        raise ParameterError(f"{path}: {unknown('format of charts', path.suffix, _CHARTS)}")
    if path is not None and not path.parent.is_dir():
        raise ParameterError(f"{path}: there is no folder {path.parent}; create it first")
    return path


def plan_file(path: Path) -> Path:
    """Refuse a file that is no plan.

    Raises
    ------
    ParameterError
        If it is not called like one.
    """
    if path.suffix.lower() != ".toml":
        raise ParameterError(
            f"{path} is no plan: `unlinkable describe {path} --plan plan.toml` writes one"
        )
    return path
