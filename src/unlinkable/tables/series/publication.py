"""Publication: the next release of a series as it was published, and what goes on record of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from attrs import define, field

from unlinkable.release.history import ReleaseEntry
from unlinkable.tables.attacks.base import Outcome
from unlinkable.tables.publishing.releases import MaskedRelease, Release
from unlinkable.tables.series.next_release import Next
from unlinkable.tables.series.recognition import Recognition

__all__ = ["Publication", "entry_of"]


@define(eq=False, frozen=True)
class Publication:
    """A release that was published as the next of a series.

    Attributes
    ----------
    line
        The entry of the release in the history.
    release
        The release itself.
    outcomes
        What became of the attacks that it was tried with, together with all earlier releases.
    folder
        Where its bundle is; None if none was asked for.
    is_published
        Whether it is on record; not if it was only tried.
    refused
        The attack to which somebody fell in each release that was tried before it, and told more.
    unseen
        Which values the policy was to hide by name, and neither these records nor earlier releases
        have, in words: they may be written in another way.
    """

    line: ReleaseEntry
    release: Release = field(repr=False)
    outcomes: tuple[Outcome, ...] = field(repr=False)
    folder: Path | None = None
    is_published: bool = True
    refused: tuple[Outcome, ...] = field(default=(), repr=False)
    unseen: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """Its place in the series, from 1."""
        return self.line.number

    @property
    def told(self) -> Mapping[str, float | str]:
        """What recipients are told besides the records."""
        return self.release.masked.told if isinstance(self.release, MaskedRelease) else {}

    def to_json(self) -> dict[str, object]:
        """Give what was published as ``publish --json`` prints it.

        Of attacks, it names those who fall, and nobody else.
        """
        entry = self.line
        return {
            "published": self.is_published,
            "number": entry.number,
            "recipient": entry.recipient,
            "policy": entry.policy,
            "holds": self.release.holds,
            "records": entry.records,
            "suppressed": entry.suppressed,
            "new_people": entry.new_people,
            "groups": self.release.n_groups,
            "told": dict(self.told),
            "models": self.release.finding.to_json(),
            "attacks": [o.to_json(with_victims=o.succeeded) for o in self.outcomes],
            "refused": [outcome.to_json() for outcome in self.refused],
            "unseen": list(self.unseen),
            "bundle": None if self.folder is None else str(self.folder),
        }


def entry_of(made: Next, policy: str, known: Recognition, recipient: str | None) -> ReleaseEntry:
    """Say what goes on record of a release."""
    release = made.release
    return ReleaseEntry(
        number=len(known.past) + 1,
        recipient=recipient,
        policy=policy,
        method=str(release.method),
        promises=tuple(map(str, release.models)),
        records=release.n_records,
        suppressed=release.n_suppressed,
        new_people=_n_new(made, known),
        findings=tuple(outcome.to_json(with_victims=False) for outcome in made.outcomes),
    )


def _n_new(made: Next, known: Recognition) -> int:
    """Count who is published for the first time; who was left out is not."""
    people = made.edition.people
    if people is None:
        return known.n_new
    published = np.unique(people[people >= 0])
    for edition in known.past.editions:
        if edition.people is not None:
            published = np.setdiff1d(published, edition.people)
    return int(published.size)
