"""Attacking what was published, one attack after the other or all that apply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

import attrs
import numpy as np
from attrs import define, evolve, field

from unlinkable.attacks.base import Attack, Outcome
from unlinkable.attacks.target import Arms, Oracle, Target, Truth
from unlinkable.errors import (
    BundleError,
    DataError,
    ParameterError,
    SchemaError,
    UnsupportedError,
    unknown,
)
from unlinkable.params import exact
from unlinkable.release.assault import Assault, Skipped
from unlinkable.release.opened import Bundle
from unlinkable.release.oracle import MethodOracle
from unlinkable.release.registry import entries, find, make_from
from unlinkable.release.run import rerun
from unlinkable.release.targets import (
    listed_taxonomies,
    target_of,
    target_of_bundle,
    target_of_table,
    truth_of,
    truth_of_bundle,
)
from unlinkable.spelling import read_call
from unlinkable.table import Table, TaxonomyBuilder
from unlinkable.table.reading import to_frame
from unlinkable.table.recoded import Frame, beside, keep_rows
from unlinkable.table.side import Side
from unlinkable.typing import Columns, Progress

if TYPE_CHECKING:
    from unlinkable.release.release import Release

__all__ = ["PATIENCE", "Attackable"]

_EVERYBODY = "external"
"""The list of people that attacks join with a release."""

_TABLES = ("control", "external", "known", "population", "prior")
"""The tables that an adversary may have."""

PATIENCE = 10.0
"""So many seconds an attack may try, if all are tried."""

_NAME = "record"
"""What people are called who have no names: by the number of their record."""


@define(eq=False, frozen=True, slots=False)
class Attackable:
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
    """

    target: Target
    truth: Truth | None = None
    oracle: Oracle | None = None
    side: Side = field(factory=Side)

    @classmethod
    def of(cls, release: Release) -> Self:
        """Take a release as its holder has it.

        Raises
        ------
        UnsupportedError
            If it shows no records.
        """
        return cls(target_of(release), truth_of(release), MethodOracle(release), release.side)

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
            return cls(target)
        assert bundle.private is not None
        is_planned = bundle.private.provenance.plan is not None
        oracle = _Rerun(bundle.folder, original) if is_planned else None
        return cls(target, truth, oracle, bundle.private.side())

    @classmethod
    def of_table(cls, table: Table) -> Self:
        """Take a table as it stands for what was published."""
        return cls(target_of_table(table))

    def attack(
        self,
        attack: str | Attack,
        *,
        limit: float | str | Fraction | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        **given: object,
    ) -> Outcome:
        """Try one attack.

        Parameters
        ----------
        attack
            The attack, its name, or its written form.
        limit
            How sure the adversary may be at most of anybody.
        seed
            Makes chance repeatable.
        progress
            Whom to tell how far the attack is.
        given
            Parameters of the attack. A table in place of the name of a table is used as it is.

        Raises
        ------
        ParameterError
            If there is no such attack or parameter.
        UnsupportedError, SchemaError, DataError
            As the attack itself.
        """
        tables = {name: value for name, value in given.items() if _is_table(value)}
        values = {name: name if name in tables else value for name, value in given.items()}
        made = _made(attack, values, limit)
        return made.run(self.target, self.arms(tables, seed, progress))

    def attack_all(
        self,
        *,
        limit: float | str | Fraction | None = None,
        seconds: float = PATIENCE,
        seed: int = 0,
        progress: Progress | None = None,
        **tables: object,
    ) -> Assault:
        """Try every attack that applies, and put the strongest finding first.

        Parameters
        ----------
        seconds
            How long an attack may try that could go on for ever.
        limit, seed, progress
            As of `attack`.
        tables
            What the adversary has: ``external``, ``population``, ``known``, ``prior``, ``control``.

        Raises
        ------
        ParameterError
            If there is no attack with such a table.
        """
        for name in tables:
            if name not in _TABLES:
                raise ParameterError(f"{unknown('table', name, _TABLES)} that an attack could use")
        arms = self.arms(tables, seed, None)
        names = [entry.name for entry in entries("attack")]
        outcomes, skipped = [], []
        for i, name in enumerate(names):
            known = {parameter.name for parameter in find("attack", name).parameters}
            values: dict[str, object] = {n: n for n in tables if n in known}
            values |= {"seconds": exact(seconds)} if "seconds" in known else {}
            # Who knows nothing besides is attribute-linkage; so he knows a little.
            values |= {"negations": 1} if "negations" in known else {}
            made = _made(name, values, limit)
            tell = _part(progress, i, len(names), name)
            try:
                why = made.misfit(self.target, arms)
                if why is None:
                    outcomes.append(made.attack(self.target, evolve(arms, progress=tell)))
            except (UnsupportedError, DataError, SchemaError) as error:
                why = str(error)
            if why is not None:
                skipped.append(Skipped(made, why))
        return Assault.of(outcomes, skipped)

    def arms(
        self,
        tables: Mapping[str, object] | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Arms:
        """Give all that the worst adversary has besides the release, with tables of his own."""
        everybody = {} if self._everybody is None else {_EVERYBODY: self._everybody}
        side = Side.of({**everybody, **self.side.given, **(tables or {})}, self.side.folder)
        arms = Arms(side, self.truth, self.oracle, np.random.default_rng(seed))
        return arms if progress is None else evolve(arms, progress=progress)

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


@define(eq=False, frozen=True, slots=False)
class _Rerun:
    """The method that made a bundle. The search is repeated when it is first asked."""

    folder: Path
    original: Path | None

    @cached_property
    def _oracle(self) -> MethodOracle:
        return MethodOracle(
            rerun(self.folder, None if self.original is None else str(self.original))
        )

    @property
    def algorithm(self) -> str:
        return self._oracle.algorithm

    @property
    def is_random(self) -> bool:
        return self._oracle.is_random

    @property
    def reads(self) -> Columns:
        return self._oracle.reads

    def publish(self, table: Table, rng: np.random.Generator) -> Target:
        return self._oracle.publish(table, rng)


def _made(
    attack: str | Attack, values: Mapping[str, object], limit: float | str | Fraction | None
) -> Attack:
    """Make an attack with these parameters, and this limit if there is one."""
    bound = {} if limit is None else {"limit": exact(limit)}
    if isinstance(attack, Attack):
        change: Callable[..., Attack] = attrs.evolve
        return change(attack, **values, **bound) if values or bound else attack
    name, written = read_call(attack)
    if twice := sorted(written.keys() & values.keys()):
        raise ParameterError(f"{name}: {twice[0]!r} is given twice")
    return make_from("attack", name, {**written, **values, **bound})


def _is_table(value: object) -> bool:
    return not isinstance(value, str | int | float | bool | Fraction | list | tuple | None)


def _part(progress: Progress | None, i: int, n: int, name: str) -> Progress:
    """Tell of the progress of one of several attacks."""

    def tell(share: float, words: str) -> None:
        if progress is not None:
            progress((i + share) / n, f"{name}: {words}")

    tell(0.0, "starting")
    return tell
