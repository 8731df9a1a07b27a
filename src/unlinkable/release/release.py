"""Release: published data, the promises, and how they were kept."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from unlinkable.release.bundle.opened import open_bundle
from unlinkable.release.bundle.saving import save
from unlinkable.release.finding import Finding
from unlinkable.release.listing import Listing
from unlinkable.release.measurement import Measurement
from unlinkable.typing import Progress

if TYPE_CHECKING:
    from unlinkable.registry import Registered
    from unlinkable.release.attacks.attack import Attackable, Outcome
    from unlinkable.release.attacks.attack_suite import AttackSuite
    from unlinkable.release.bundle.draft import Draft
    from unlinkable.release.bundle.signing import SigningKey
    from unlinkable.release.plan.plan import Plan
    from unlinkable.release.plan.statement import Statement
    from unlinkable.report import Report

__all__ = ["Release"]


class Release(abc.ABC):
    """Published data, and all that is known of how they came about.

    What is promised, how it is saved, measured, attacked and explained is the same for every kind
    of data. A kind says in a class of its own what is published.
    """

    __slots__ = ()

    finding: Finding
    """What the published data were found to keep."""
    seed: int
    """The random seed. It stays with the holder."""
    seconds: Mapping[str, float]
    """How long each step took."""

    @property
    @abc.abstractmethod
    def data_kind(self) -> str:
        """The kind of data."""

    @property
    @abc.abstractmethod
    def promises(self) -> tuple[Registered, ...]:
        """What was promised."""

    @property
    @abc.abstractmethod
    def made_by(self) -> str:
        """The method, in written form."""

    @property
    def holds(self) -> bool:
        """Whether every promise was found to be kept."""
        return self.finding.holds

    @property
    @abc.abstractmethod
    def n_records(self) -> int:
        """Number of published records."""

    @property
    @abc.abstractmethod
    def n_suppressed(self) -> int:
        """Number of records that were left out."""

    @property
    def n_groups(self) -> int:
        """Number of groups that the published records form."""
        return self.finding.n_groups

    @property
    def source(self) -> str | None:
        """The file or address of the original data; None if they came from none."""
        return None

    @property
    def optimal(self) -> bool | None:
        """Whether it is proved that nothing of its kind loses less; None if nothing is claimed."""
        return None

    @property
    def effort(self) -> Mapping[str, int]:
        """What the search took, in counts."""
        return {}

    @property
    def is_complete(self) -> bool:
        """Whether the search came to its own end."""
        return True

    @property
    def facts(self) -> Mapping[str, float]:
        """What else the search found."""
        return {}

    @abc.abstractmethod
    def verify(self) -> Finding:
        """Judge every promise again, from the published values alone."""

    @abc.abstractmethod
    def evaluate(self, metric: str, progress: Progress | None = None) -> Measurement:
        """Measure what was lost, with the numbers that the result is made of.

        Raises
        ------
        ParameterError, UnsupportedError
            If there is no such metric, or it makes no sense for this release.
        """

    def measure(self, metric: str) -> float:
        """Measure what was lost; raises as `evaluate` does."""
        return self.evaluate(metric).value

    @abc.abstractmethod
    def attackable(self) -> Attackable:
        """Take the release as adversaries do, with all that its holder can add.

        Raises
        ------
        UnsupportedError
            If there is nothing to attack.
        """

    def attack(
        self,
        attack: object,
        *,
        limit: float | str | Fraction | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        **given: object,
    ) -> Outcome:
        """Try an attack on what was published, with all that the holder knows.

        Parameters
        ----------
        attack
            The attack, its name, or its written form.
        limit
            The highest confidence that is accepted.
        seed
            Random seed.
        progress
            Progress callback.
        given
            Parameters of the attack; a table in place of the name of one, like
            ``external=voters``. Without a list of people, the adversary knows everybody in it.

        Raises
        ------
        ParameterError
            If there is no such attack or parameter.
        UnsupportedError
            If the attack makes no sense for this release, or the adversary lacks what they need.
        SchemaError, DataError
            If what they bring along does not fit the release.
        """
        return self.attackable().attack(attack, limit=limit, seed=seed, progress=progress, **given)

    def attack_all(
        self,
        *,
        limit: float | str | Fraction | None = None,
        seconds: float | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        **given: object,
    ) -> AttackSuite:
        """Try every attack that applies, and put the strongest finding first.

        Parameters
        ----------
        seconds
            How long an attack may try that could go on for ever; some seconds if not given.
        limit, seed, progress
            As of `attack`.
        given
            What the adversary has: ``external``, ``population``, ``known``, ``prior``, ``control``.
        """
        return self.attackable().attack_all(
            limit=limit, seconds=seconds, seed=seed, progress=progress, **given
        )

    def report(
        self,
        *,
        holder: bool = False,
        statement: Statement | None = None,
        attacks: bool = False,
        explain: bool = False,
    ) -> Report:
        """Explain the release on a page, for recipients or for its holder.

        Parameters
        ----------
        holder
            Whether figures about the original records are shown; recipients must not see these.
        statement
            For whom the release is, and what of the original recipients may see.
        attacks
            Whether all attacks are tried that apply, and not only the quick ones; for the holder.
        explain
            Whether it is tried what would help; for the holder.

        Raises
        ------
        ParameterError, UnsupportedError
            If something is asked for that recipients must not see.
        """
        with TemporaryDirectory() as folder:
            bundle = open_bundle(self.save(Path(folder) / "bundle", statement=statement))
            return bundle.report(holder=holder, attacks=attacks, explain=explain)

    @abc.abstractmethod
    def draft(
        self,
        plan: Plan | None = None,
        statement: Statement | None = None,
        data_format: str | None = None,
    ) -> Draft:
        """Decide what is written of the release: what recipients get, and what the holder keeps.

        Parameters
        ----------
        plan
            The plan that it was made from.
        statement
            For whom it is, and what of the original may be told.
        data_format
            How to write the published data, where there is a choice.

        Raises
        ------
        UnsupportedError, ParameterError
            If something of the original is to be told that must not be.
        """

    def headline(self) -> str:
        """Say how much is published."""
        total = self.n_records + self.n_suppressed
        return f"{self.n_records:,} of {total:,} records published"

    def listings(self) -> list[Listing]:
        """Give the figures that are shown when it was made, besides what was lost in all."""
        return []

    def warnings(self) -> list[str]:
        """Say what its holder should know before it is given away."""
        return []

    def ending(self) -> str:
        """Say what is known of other releases that the search could have made; perhaps nothing."""
        if self.optimal:
            return "Optimal: no release of this kind loses less."
        if not self.is_complete:
            return "The search was stopped: a longer search may find a release that loses less."
        if self.optimal is not None:
            return "A release of this kind that loses less may exist."
        return ""

    def losses(self, stated: Mapping[str, float | None]) -> dict[str, float | None]:
        """Give what was lost, as the holder may know it: what is stated, and perhaps more."""
        return dict(stated)

    def summary(self) -> dict[str, object]:
        """Give what ``anonymize --json`` prints besides what was lost and where the bundle is."""
        return {
            "holds": self.holds,
            "records": self.n_records,
            "suppressed": self.n_suppressed,
            "groups": self.n_groups,
            "models": self.finding.to_json(),
            "method": self.made_by,
            "optimal": self.optimal,
            "effort": dict(self.effort),
            "complete": self.is_complete,
            "facts": dict(self.facts),
            "seconds": sum(self.seconds.values()),
        }

    def save(
        self,
        folder: str | Path,
        *,
        format: str | None = None,  # noqa: A002
        signing_key: SigningKey | None = None,
        plan: Plan | None = None,
        statement: Statement | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Write the release as a bundle, verified from its files before it takes its place.

        Parameters
        ----------
        folder
            Where. Folders above are made.
        format
            How to write the published data, like ``csv`` or ``parquet``.
        signing_key
            What the holder signs with, if the release is to be signed.
        plan
            The plan that the release was made from, for the private half.
        statement
            For whom the release is, and what of the original is told; as the plan says if not
            given.
        overwrite
            Whether a bundle that is there is replaced. Nothing but a bundle is ever replaced.

        Raises
        ------
        BundleError
            If the release does not hold, the place is taken or cannot be written, or what was
            written does not verify.
        """
        return save(
            self,
            folder,
            data_format=format,
            signing_key=signing_key,
            plan=plan,
            statement=statement,
            overwrite=overwrite,
        )
