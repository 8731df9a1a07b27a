"""Attacking what was published, one attack after the other or all that apply."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from attrs import define, evolve, field

from unlinkable.errors import (
    BundleError,
    DataError,
    ParameterError,
    SchemaError,
    UnsupportedError,
    in_short,
    unknown,
)
from unlinkable.registry import entries
from unlinkable.release.attacks import Attackable as AnyAttackable
from unlinkable.release.attacks import AttackSuite, Outcome, Skipped
from unlinkable.tables.attacks.base import AdversaryKnowledge, Attack, Oracle, Target, Truth
from unlinkable.tables.data import Frame, Side, Table, beside, keep_rows
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.publishing.anonymizing.oracle import BundleOracle, MethodOracle
from unlinkable.tables.publishing.attacking.attack_arguments import (
    is_table,
    made_attack,
    name_of,
    values_for,
)
from unlinkable.tables.publishing.attacking.bundle_targets import target_of_bundle, truth_of_bundle
from unlinkable.tables.publishing.attacking.targets import (
    listed_taxonomies,
    target_of,
    target_of_table,
    truth_of,
)
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder
from unlinkable.typing import Progress

if TYPE_CHECKING:
    from unlinkable.tables.publishing.releases.release import Release

__all__ = ["ATTACK_SECONDS", "Attackable"]

_EVERYBODY = "external"
"""The list of people that attacks join with a release."""

_NO_ORIGINAL = (
    "the original records are not where they were, or have changed: the adversary does not know "
    "everybody in the release, and some attacks are not tried; say where they are with --original"
)
_SEVERAL_RECORDS = (
    "people have several records here, and attacks take every record for a person: look at the "
    "risk, which counts people"
)

_TABLES = ("control", "external", "known", "population", "prior")
"""The tables that an adversary may have."""

ATTACK_SECONDS = 10.0
"""Time limit of each attack, if all are tried."""

_NAME = "record"
"""What people are called who have no names: by the number of their record."""


@define(eq=False, frozen=True, slots=False)
class Attackable(AnyAttackable):
    """A release that can be attacked, with all that its holder can add.

    Attributes
    ----------
    target
        What everybody sees.
    truth
        The original records, if they are at hand.
    oracle
        The method that made the release, if it can be asked.
    side
        The tables that its promises refer to.
    doubt
        Why attacks may fail for another reason than that the release withstands them.
    """

    target: Target
    truth: Truth | None = None
    oracle: Oracle | None = None
    side: Side = field(factory=Side)
    doubt: str | None = None

    @classmethod
    def of(cls, release: Release) -> Self:
        """Take a release as its holder has it.

        Raises
        ------
        UnsupportedError
            If it shows no records.
        """
        truth, oracle = truth_of(release), MethodOracle(release)
        return cls(
            target_of(release), truth, oracle, release.side, _doubt(truth.table.schema.owner)
        )

    @classmethod
    def of_bundle(
        cls,
        bundle: Bundle,
        original: Path | None = None,
        builders: Mapping[str, TaxonomyBuilder] | None = None,
    ) -> Self:
        """Take a bundle: with its private half, the original records are looked for.

        Parameters
        ----------
        bundle
            The bundle, or its public half alone.
        original
            Where the original records are now.
        builders
            What published labels mean, by column, where recipients are not told.

        Raises
        ------
        BundleError
            If ``original`` is not what the release was made from.
        UnsupportedError
            If the release shows no records.
        """
        target = target_of_bundle(bundle)
        given = listed_taxonomies(builders or {})
        target = evolve(target, taxonomies={**target.taxonomies, **given})
        try:
            truth = truth_of_bundle(bundle, original)
        except BundleError:
            if original is not None:
                raise
            return cls(target, doubt=None if bundle.private is None else _NO_ORIGINAL)
        assert bundle.private is not None
        told = bundle.private.provenance
        is_planned = told.plan is not None
        oracle = BundleOracle(bundle, original) if is_planned else None
        # The adversary's own tables are files that whoever attacks has named.
        side = Side.of(bundle.private.side().given)
        return cls(target, truth, oracle, side, _doubt(told.owner))

    @classmethod
    def of_table(cls, table: Table) -> Self:
        """Take a table as it stands for what was published."""
        return cls(target_of_table(table))

    def attack(
        self,
        attack: object,
        *,
        limit: float | str | Fraction | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        **given: object,
    ) -> Outcome:
        self._refuse_no_tables(given)
        tables = {name: value for name, value in given.items() if is_table(value)}
        values = {name: name if name in tables else name_of(value) for name, value in given.items()}
        made = made_attack(attack, values, limit)
        found = made.run(self.target, self.knowledge(tables, seed, progress))
        _ended(progress)
        return found

    def attack_all(
        self,
        *,
        limit: float | str | Fraction | None = None,
        seconds: float | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        **given: object,
    ) -> AttackSuite:
        patience = ATTACK_SECONDS if seconds is None else seconds
        for name in given:
            if name not in _TABLES:
                raise ParameterError(f"{unknown('table', name, _TABLES)} that an attack could use")
        self._refuse_no_tables(given)
        knowledge = self.knowledge(
            {n: table for n, table in given.items() if is_table(table)}, seed
        )
        names = [entry.name for entry in entries("attack") if issubclass(entry.make, Attack)]
        outcomes: list[Outcome] = []
        skipped: list[Skipped] = []
        for i, name in enumerate(names):
            made = made_attack(name, values_for(name, given, patience), limit)
            tell, rng = _part(progress, i, len(names), name), np.random.default_rng([seed, i])
            found = self.tried(made, evolve(knowledge, progress=tell, rng=rng))
            if isinstance(found, Outcome):
                outcomes.append(found)
            else:
                skipped.append(found)
        _ended(progress)
        if not outcomes:
            reasons = "; ".join(dict.fromkeys(s.why for s in skipped))
            raise UnsupportedError(f"no attack can be tried here: {reasons}")
        return AttackSuite.of(outcomes, skipped, self.doubt)

    def tried(
        self, attack: Attack, knowledge: AdversaryKnowledge | None = None
    ) -> Outcome | Skipped:
        """Try an attack, if it can be tried."""
        knowledge = knowledge or self.knowledge()
        try:
            why = attack.misfit(self.target, knowledge)
            return attack.attack(self.target, knowledge) if why is None else Skipped(attack, why)
        except UnsupportedError as error:
            return Skipped(attack, str(error))
        except (DataError, SchemaError) as error:
            return Skipped(attack, str(error), is_refused=True)

    def knowledge(
        self,
        tables: Mapping[str, object] | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> AdversaryKnowledge:
        """Give all that the worst adversary has besides the release, with tables of his own."""
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise ParameterError(f"seed must be a whole number from 0 on, got {in_short(seed)}")
        everybody = {} if self._everybody is None else {_EVERYBODY: self._everybody}
        side = Side.of({**everybody, **self.side.given, **(tables or {})}, self.side.folder)
        knowledge = AdversaryKnowledge(side, self.truth, self.oracle, np.random.default_rng(seed))
        return knowledge if progress is None else evolve(knowledge, progress=progress)

    def _refuse_no_tables(self, given: Mapping[str, object]) -> None:
        """Refuse what stands for a table of the adversary, and is neither one nor its name."""
        for name in _TABLES:
            value = given.get(name)
            if value is None or is_table(value) or value == name:
                continue
            if not isinstance(value, str | Path):
                raise ParameterError(
                    f"{name} must be a table (a frame, or a dictionary of lists) or the name of "
                    f"one, got {in_short(value)}"
                )
            if str(value) not in self.side.given and not self.side.path(str(value)).is_file():
                raise ParameterError(f"{name}: there is no table or file {str(value)!r}")

    @cached_property
    def _everybody(self) -> Frame | None:
        """List everybody in the release, as the worst adversary has it: with all that they show."""
        if self.truth is None or not self.target.is_truthful:
            return None
        table, rows = self.truth.table, self.truth.rows
        numbers = np.arange(len(table)) if rows is None else np.sort(rows)
        names = to_frame({_NAME: [f"{i + 1}" for i in numbers.tolist()]})[0]
        known = [name for name in self.target.quasi if name in table.frame.columns]
        return beside(names, keep_rows(table.frame, numbers), known)


def _doubt(owner: str | None) -> str | None:
    """Say why attacks may be too timid here."""
    return None if owner is None else _SEVERAL_RECORDS


def _ended(progress: Progress | None) -> None:
    if progress is not None:
        progress(1.0, "done")


def _part(progress: Progress | None, i: int, n: int, name: str) -> Progress:
    """Tell of the progress of one of several attacks."""

    def tell(share: float, words: str) -> None:
        if progress is not None:
            progress((i + share) / n, f"{name}: {words}")

    tell(0.0, "starting")
    return tell
