"""Several releases attacked together: bundles, tables, or all that a history has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
from attrs import evolve

from unlinkable.errors import DataError, SchemaError, UnsupportedError, unknown
from unlinkable.registry import entries
from unlinkable.release.attacks import AttackSuite, Outcome, Skipped
from unlinkable.spelling import read_call
from unlinkable.tables.attacks.base import AdversaryKnowledge
from unlinkable.tables.attacks.series import CriticalAbsence, Edition, Series, SeriesAttack
from unlinkable.tables.data import Frame, Role, Schema, Side, Table, keep_rows, number_together
from unlinkable.tables.publishing.attacking.attack_arguments import made_series_attack, takes
from unlinkable.tables.publishing.attacking.bundle_targets import target_of_bundle, truth_of_bundle
from unlinkable.tables.publishing.attacking.targets import target_of_table
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.typing import Progress

__all__ = ["attack_series", "attack_series_all", "series_attacks", "series_of"]

_KEY = "person"


def series_of(sources: Sequence[tuple[str, Bundle | Table]], person: str | None = None) -> Series:
    """Take releases, the earliest first, for a series.

    Parameters
    ----------
    sources
        What each release is called, and a bundle, or a table as it stands. With the private half of
        bundles, or a column of tables that names people, it is known whose records are.
    person
        The column by which people are known in all of them; the owner, or the only identifier, if
        not given.

    Raises
    ------
    SchemaError
        If there is no such column.
    """
    found = [_edition(name, source, person) for name, source in sources]
    frames = [keys for _, keys in found if keys is not None]
    if not frames or len(frames) < len(found):
        return Series(tuple(edition for edition, _ in found))
    people, names = number_together(frames, _KEY)
    editions = tuple(
        evolve(edition, people=who.astype(np.int64))
        for (edition, _), who in zip(found, people, strict=True)
    )
    return Series(editions, [name or "?" for name in names])


def _edition(name: str, source: Bundle | Table, person: str | None) -> tuple[Edition, Frame | None]:
    """Give a release, and what each of its records' people is known by."""
    if isinstance(source, Table):
        column = _person(source, person)
        keys = None if column is None else source.frame.select(column).rename({column: _KEY})
        return Edition(target_of_table(source), None, name), keys
    edition = Edition(target_of_bundle(source), None, name)
    if source.private is None:
        return edition, None
    truth = truth_of_bundle(source)
    column = _person(truth.table, person or _planned_person(source.private))
    if column is None or truth.rows is None:
        return edition, None
    keys = keep_rows(truth.table.frame.select(column), truth.rows).rename({column: _KEY})
    return edition, keys


def _planned_person(private: PrivateHalf) -> str | None:
    """Find the column that tells who somebody is, as the plan of a bundle says."""
    told = private.provenance
    if told.plan is None:
        return None
    plan = Plan.from_dict(told.plan, Path(told.folder or "."))
    return plan.form.series.person or _naming(plan.schema())


def _person(table: Table, asked: str | None) -> str | None:
    """Find the column that tells who somebody is; None if none does."""
    if asked is not None:
        if asked not in table.frame.columns:
            raise SchemaError(f"{unknown('column', asked, table.frame.columns)} to know people by")
        return asked
    return _naming(table.schema)


def _naming(schema: Schema) -> str | None:
    """Name the owner, or the only identifier."""
    naming = schema.with_role(Role.IDENTIFIER)
    return schema.owner or (naming[0] if len(naming) == 1 else None)


def attack_series(
    series: Series,
    attack: SeriesAttack,
    *,
    tables: Mapping[str, object] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Outcome:
    """Try one attack on several releases.

    Raises
    ------
    UnsupportedError, SchemaError, DataError
        As the attack itself.
    """
    knowledge = AdversaryKnowledge(Side.of(tables), rng=np.random.default_rng(seed))
    return attack.run(
        series, knowledge if progress is None else evolve(knowledge, progress=progress)
    )


def series_attacks() -> list[str]:
    """Name the attacks on several releases."""
    return [e.name for e in entries("attack") if issubclass(e.make, SeriesAttack)]


def attack_series_all(
    series: Series,
    *,
    limit: float | str | Fraction | None = None,
    k: int | None = None,
    guarded: Sequence[str] = (),
    seed: int = 0,
    progress: Progress | None = None,
) -> AttackSuite:
    """Try every attack on several releases that applies, and put the strongest finding first.

    Parameters
    ----------
    series
        The releases, the earliest first.
    limit, k
        How sure the adversary may be at most of anybody, and how many people must be left at least.
    guarded
        The attacks that the releases were made to withstand, in written form. They are tried as
        they are written, but for how many worlds are counted, and the others with their defaults.
    seed
        Makes chance repeatable.
    progress
        Whom to tell how far it is.
    """
    outcomes: list[Outcome] = []
    skipped: list[Skipped] = []
    attacks = _asked(guarded, limit, k)
    for i, (attack, is_guarded) in enumerate(attacks):
        if progress is not None:
            progress(i / len(attacks), f"trying {attack.name}")
        if attack.joins_columns and series.has_same_columns and not is_guarded:
            skipped.append(Skipped(attack, "all releases have the same columns"))
            continue
        if attack.may_take_long and guarded and not is_guarded:
            why = "the releases were not made to withstand it, and it may take long: try it alone"
            skipped.append(Skipped(attack, why))
            continue
        try:
            outcomes.append(attack_series(series, attack, seed=seed))
        except UnsupportedError as error:
            skipped.append(Skipped(attack, str(error)))
        except (DataError, SchemaError) as error:
            skipped.append(Skipped(attack, str(error), is_refused=True))
    if progress is not None:
        progress(1.0, "done")
    return AttackSuite.of(outcomes, skipped)


def _asked(
    guarded: Sequence[str], limit: float | str | Fraction | None, k: int | None
) -> list[tuple[SeriesAttack, bool]]:
    """List the attacks that are tried, and whether the releases were made to withstand them."""
    found = []
    for name in series_attacks():
        written = [text for text in guarded if read_call(text)[0] == name]
        given = {"k": k} if k is not None and takes(name, "k") else {}
        found += [
            (made_series_attack(_unhurried(text), given, limit), bool(written))
            for text in written or [name]
        ]
    return found


def _unhurried(text: str) -> SeriesAttack:
    """Read an attack, and let it count as many worlds as when it is tried alone."""
    attack = made_series_attack(text, {}, None)
    if not isinstance(attack, CriticalAbsence):
        return attack
    return evolve(attack, worlds=max(attack.worlds, CriticalAbsence().worlds))
