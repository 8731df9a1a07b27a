"""The next release of a series: made by a policy, attacked together with all earlier ones."""

from __future__ import annotations

import time
from collections.abc import Mapping
from hashlib import blake2b

import numpy as np
from attrs import define, evolve, field

from unlinkable.errors import ChannelError, ParameterError, UnsupportedError
from unlinkable.registry import make
from unlinkable.tables.attacks.base import AdversaryKnowledge, Outcome
from unlinkable.tables.attacks.series import NOBODY, Edition, Series, SeriesAttack
from unlinkable.tables.data import Frame, IdentifierTreatment, Role, Side, Table
from unlinkable.tables.methods.base import Method, RecordMethod
from unlinkable.tables.metrics.base import GroupMetric, Metric
from unlinkable.tables.operations import Pseudonymization
from unlinkable.tables.publishing.anonymizing import Job, carry_out
from unlinkable.tables.publishing.attacking import target_of, truth_of
from unlinkable.tables.publishing.releases import MaskedRelease, Release
from unlinkable.tables.series.membership_attacks import attempt
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.tables.series.taxonomies.series_taxonomies import keep_taxonomies
from unlinkable.typing import CountArray, Progress

__all__ = ["Next", "Terms", "edition_of", "next_release"]

_AS_IS = (Role.TARGET, Role.INSENSITIVE, Role.WEIGHT)
"""Roles of columns that are published as they are, and are not what is to stay hidden."""


@define(eq=False, frozen=True)
class Terms:
    """What may be asked for besides what is published, and by which policy.

    Attributes
    ----------
    metric
        What is to be kept small, or measured first. Where a policy searches for nothing, as one
        that goes on by merging, there is nothing to guide: only what can measure such a release is
        measured.
    identifiers, key
        How to treat columns that name people, and the holder's key for pseudonyms.
    seed
        Makes chance repeatable. It stays with the holder. Every release of a series gets a seed of
        its own from it.
    side
        The tables that promises refer to.
    progress
        Whom to tell how far it is.
    """

    metric: Metric | str | None = None
    identifiers: Mapping[str, Pseudonymization] = field(factory=dict)
    key: bytes | None = None
    seed: int | None = None
    side: Side = field(factory=Side)
    progress: Progress | None = None

    def metric_of(self, method: Method) -> Metric | str | None:
        """Give the metric, unless it guides searches and the method is none."""
        metric = make("metric", self.metric) if isinstance(self.metric, str) else self.metric
        is_guide = isinstance(metric, GroupMetric) and isinstance(method, RecordMethod)
        return None if is_guide else metric


@define(eq=False, frozen=True)
class Next:
    """A release that may be published after all earlier ones.

    Attributes
    ----------
    release
        The release itself.
    edition
        What everybody sees of it, and whose its records are.
    outcomes
        What became of the attacks that it was made to withstand, together with all earlier ones.
    memory
        What the policy has to know the next time.
    refused
        The attack to which somebody fell in each release that was tried before it.
    """

    release: Release
    edition: Edition
    outcomes: tuple[Outcome, ...]
    memory: Mapping[str, Frame]
    refused: tuple[Outcome, ...] = ()


def next_release(policy: Policy, request: Request, past: Past, terms: Terms | None = None) -> Next:
    """Make the next release, and attack it together with all earlier ones.

    If somebody falls, the policy is asked for another way to make it, which is attacked as well.

    Raises
    ------
    ChannelError
        If somebody falls to an attack that the policy guards against, and the policy knows no other
        way.
    UnsupportedError
        If the policy cannot treat this table, promise or method.
    InfeasibleError
        If nothing of these records can be published any more.
    """
    terms, started = terms or Terms(), time.perf_counter()
    request = evolve(request, table=keep_taxonomies(request.table, past.editions))
    policy = policy.bind(request.table.schema)
    if policy.needs_promise and not request.models:
        raise ParameterError(
            f"nothing is promised, and {policy} keeps a promise: give at least one model, like "
            "k-anonymity(k=5); in a plan under [[privacy]]"
        )
    if policy.is_undone_by_names:
        _refuse_names(request.table, terms.identifiers)
    job = Job(
        request.table,
        request.models,
        terms.side,
        request.suppression,
        dict(terms.identifiers),
        terms.key,
        _seed_of(terms.seed, len(past)),
        terms.progress,
        started,
        is_shuffled=True,
    )
    refused: list[Outcome] = []
    method: Method | None = policy.method_for(request, past)
    while method is not None:
        release = carry_out(job, method.bind(request.table.schema), terms.metric_of(method))
        edition = edition_of(release, request.people, f"release {len(past) + 1}")
        other = policy.instead_of(release, request, past) if len(past) else None
        outcomes = attack_outcomes(policy, request, past, edition, is_last=other is None)
        fallen = tuple(outcome for outcome in outcomes if outcome.succeeded)
        if not fallen:
            memory = policy.remember(release, request, past)
            return Next(release, edition, outcomes, memory, tuple(refused))
        refused += fallen
        method = other
    raise _channel(edition, fallen)


def _refuse_names(table: Table, identifiers: Mapping[str, Pseudonymization]) -> None:
    """Refuse columns by which the records of one release can be found in the next.

    Raises
    ------
    UnsupportedError
        If a column that is published as it is, or as pseudonyms, is different for everybody.
    """
    for name in table.frame.columns:
        how = identifiers.get(name)
        if how is not None and how.treatment is IdentifierTreatment.PSEUDONYM:
            raise UnsupportedError(
                f"column {name!r} would be published as pseudonyms, which stay the same. Published "
                "again and again, they link the records of all releases: drop the column"
            )
        is_plain = table.schema[name].role in _AS_IS
        if is_plain and len(table) > 1 and table.frame[name].n_unique() == len(table):
            raise UnsupportedError(
                f"column {name!r} tells every record from all others. Published again and again, "
                "it links the records of all releases: leave it out, or make it an identifier"
            )


def _seed_of(seed: int | None, number: int) -> int | None:
    """Give a release of a series, by its number from 0, a seed of its own.

    Noise that is the same in two releases can be taken away from both.
    """
    if seed is None or not number:
        return seed
    digest = blake2b(f"{seed} {number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1


def edition_of(release: Release, people: CountArray, name: str) -> Edition:
    """Take a release for one of a series.

    Parameters
    ----------
    release
        The release.
    people
        Whose each original record is.
    name
        What it is to be called.
    """
    rows = truth_of(release).rows
    if isinstance(release, MaskedRelease) and release.masked.whose is not None:
        rows = release.masked.whose
    if rows is None:
        return Edition(target_of(release), None, name)
    whose = np.where(rows >= 0, people[rows], NOBODY)
    return Edition(target_of(release), whose, name)


def attack_outcomes(
    policy: Policy, request: Request, past: Past, edition: Edition, *, is_last: bool
) -> tuple[Outcome, ...]:
    """Try the attacks that a policy guards against on all releases together.

    If it is not the last release that is tried, the first attack that somebody falls to is enough.
    """
    if not len(past):
        return ()
    knowledge, found = AdversaryKnowledge(), list[Outcome]()
    for attack, series in policy.trials(request, past, edition):
        if attack.name in policy.where_they_fit and not _fits(attack, series, knowledge):
            continue
        found.append(attempt(attack, series, knowledge))
        if found[-1].succeeded and not is_last:
            break
    return tuple(found)


def _fits(attack: SeriesAttack, series: Series, knowledge: AdversaryKnowledge) -> bool:
    """Whether there is anything to compare, and the attack can be tried on it."""
    return len(series) > 1 and attack.misfit(series, knowledge) is None


def _channel(edition: Edition, fallen: tuple[Outcome, ...]) -> ChannelError:
    """Say who falls, and to what."""
    told = [
        f"{o.attack.name} finds {o.n_fallen:,} of {o.n_attacked:,}: {o.found.rstrip('.')}"
        for o in fallen
    ]
    return ChannelError(
        f"{edition.name} would open a channel together with earlier ones. "
        f"{'; '.join(dict.fromkeys(told))}. Nothing was published",
        fallen,
    )
