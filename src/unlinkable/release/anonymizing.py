"""The main job for any kind of data: from a plan, or from data in memory, to a release."""

from __future__ import annotations

from pathlib import Path

from unlinkable.errors import BundleError
from unlinkable.release.bundle.place import check_place, recover
from unlinkable.release.kind import kind_called, kind_for
from unlinkable.release.plan.plan import Plan
from unlinkable.release.release import Release
from unlinkable.typing import Progress

__all__ = ["anonymize", "prepare", "run", "save"]


def anonymize(data: object, *, kind: str | None = None, **options: object) -> Release:
    """Make a release of data in memory that keeps what is promised, and check it.

    Parameters
    ----------
    data
        The data.
    kind
        What kind of data they are; if not given, the data tell it, or they are a table.
    options
        Promises, method and whatever else this kind of data takes.

    Raises
    ------
    ParameterError
        If there is no such kind of data.
    InfeasibleError, UnsupportedError
        If no release keeps the promises, or the method cannot serve them.
    """
    return (kind_for(data) if kind is None else kind_called(kind)).anonymize(data, **options)


def prepare(plan: Plan, *, overwrite: bool = False) -> None:
    """See that a bundle could be saved, before a long search is done in vain.

    Raises
    ------
    BundleError
        If the place is taken, or the plan reads something from it.
    DataError
        If the key for the signature is missing, or is none.
    """
    plan.signing_key()
    if plan.out is not None:
        target = plan.out.resolve()
        recover(target)
        check_place(target, overwrite=overwrite)
        _require_apart(plan, target)


def _require_apart(plan: Plan, target: Path) -> None:
    """Refuse to replace a bundle that the plan reads something from."""
    for file in plan.files():
        if file.resolve().is_relative_to(target):
            raise BundleError(
                f"{file} is in {target}, which would be replaced: choose another folder for the "
                "bundle"
            )


def run(plan: Plan, *, progress: Progress | None = None) -> Release:
    """Make the release that a plan asks for."""
    return kind_called(plan.form.data.kind).run(plan, progress)


def save(release: Release, plan: Plan, *, overwrite: bool = False) -> Path:
    """Write a release to the folder that its plan names."""
    if plan.out is None:
        raise BundleError("the plan does not say where the bundle goes: give it a folder")
    return release.save(
        plan.out,
        format=plan.form.release.format,
        signing_key=plan.signing_key(),
        plan=plan,
        overwrite=overwrite,
    )
