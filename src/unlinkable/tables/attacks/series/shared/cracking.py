"""Which correspondence attack cracks which release, and who counts as a target."""

from __future__ import annotations

from enum import StrEnum

from unlinkable.params import Choice

__all__ = ["Crack", "Targets", "as_targets", "crack_of"]


class Targets(Choice, noun="kind of targets"):
    """Who may be attacked."""

    POSSIBLE = "possible"
    """Everybody who could be in the releases, by what they show."""
    ACTUAL = "actual"
    """Everybody who is."""


def as_targets(value: Targets | str) -> Targets:
    """Read who counts.

    Examples
    --------
    >>> as_targets("actual")
    <Targets.ACTUAL: 'actual'>
    """
    return Targets(value)


class Crack(StrEnum):
    """How records are struck out."""

    F = "F-attack"
    """His record is in a later release as well."""
    C = "C-attack"
    """His record was in an earlier release already."""
    B = "B-attack"
    """His record was not in an earlier release."""


def crack_of(since: int, cracked: int, background: int) -> Crack | None:
    """Name the attack on a release with another one; None if there is none.

    Parameters
    ----------
    since
        The first release that has the victim.
    cracked
        The release of whose records some are struck out.
    background
        The release that it is compared with.

    Examples
    --------
    >>> crack_of(1, cracked=1, background=2), crack_of(1, cracked=2, background=1)
    (<Crack.F: 'F-attack'>, <Crack.C: 'C-attack'>)
    >>> crack_of(2, cracked=2, background=1), crack_of(2, cracked=1, background=2)
    (<Crack.B: 'B-attack'>, None)
    """
    if cracked < since or cracked == background:
        return None
    if background < since:
        return Crack.B
    return Crack.F if background > cracked else Crack.C
