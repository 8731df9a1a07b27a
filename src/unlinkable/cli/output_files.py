"""Where commands write: nothing that is there is replaced unasked, and no input ever."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.errors import ParameterError

if TYPE_CHECKING:
    from unlinkable.tables.publishing.plans import Plan

__all__ = ["Overwrite", "plan_inputs", "require_place"]

Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace files that are there.")]


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
