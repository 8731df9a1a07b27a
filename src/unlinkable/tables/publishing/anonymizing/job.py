"""Job: what was asked of a release, and what it means to refuse one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from attrs import define

from unlinkable.errors import UnlinkableError
from unlinkable.tables.data import Side, Table
from unlinkable.tables.methods.base import Method
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.operations import Pseudonymization
from unlinkable.tables.publishing.judging.evidence import Finding
from unlinkable.typing import Progress

__all__ = ["BrokenPromiseError", "Job", "broken", "refuse"]


class BrokenPromiseError(UnlinkableError):
    """A method proposed a release that does not keep its promise; nothing was published."""


@define(eq=False, frozen=True)
class Job:
    """What was asked for, as far as it does not depend on the kind of method.

    Attributes
    ----------
    table, models, side
        The records, what is promised of them, and the tables that promises refer to.
    suppression
        Share of the records that may be left out.
    identifiers, key
        How to treat columns that name people, and the holder's key for pseudonyms.
    seed
        The start of all chance, if it is to be repeatable.
    progress
        Whom to tell how far it is.
    started
        When it was asked for.
    is_shuffled
        Whether records are published in an order of their own: the order that they came in lets
        everybody tell which record of one release is which of another. It is never made from the
        seed, which would mix two releases of equally many records in the same way.
    """

    table: Table
    models: tuple[GroupModel, ...]
    side: Side
    suppression: Fraction
    identifiers: Mapping[str, Pseudonymization]
    key: bytes | None
    seed: int | None
    progress: Progress | None
    started: float
    is_shuffled: bool = False


def refuse(method: Method, faults: Sequence[str]) -> None:
    """Publish nothing if there is anything wrong with what a method proposes.

    Raises
    ------
    BrokenPromiseError
        If there is.
    """
    if faults:
        raise BrokenPromiseError(
            f"{method} proposed a release that {' and '.join(faults)}: nothing was published. This "
            "is a defect of the method; please report it"
        )


def broken(finding: Finding) -> list[str]:
    """Say which promises were found not to be kept."""
    return [f"does not keep {v.model}" for v in finding.verdicts if not v.holds]
