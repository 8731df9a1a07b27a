"""Following records through a growing table: detection, and publishing after ten releases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import unlinkable as ul
from benchmarks.data import QI8, adult_frame, adult_table, folder
from benchmarks.measure import Row, cpu
from benchmarks.people import builders
from unlinkable.examples import hospital, hospital_taxonomies
from unlinkable.tables.attacks.series.correspondence import Correspondence
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.cuts.top_down_specialization import TopDownSpecialization
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.series.continuous.continuous import Continuous
from unlinkable.tables.series.next_release import Next, Terms, edition_of, next_release
from unlinkable.tables.series.policy import Past, Request

N_RECORDS = 30_000

PATIENTS = ("age", "sex", "profession", "insurance")
"""What others may know of made-up people."""

HISTORY = 10
"""How many releases are out already."""

LIMIT = 5.0
"""Seconds to make or to check one release of 30,000 records with ten earlier ones."""

K = 10


def rows(large: bool) -> Iterator[Row]:
    """Time detection on releases made one by one, and the last release of a series."""
    ends = [N_RECORDS * (i + 1) // (HISTORY + 1) for i in range(HISTORY + 1)]
    name = "made-up people" if folder() is None else "Adult"
    who = f"{N_RECORDS:,} records of {name}, {HISTORY} earlier releases, k = {K}"
    method = TopDownSpecialization(score="discernibility", numbers="taxonomy")
    made_alone = Series(tuple(released(n, method) for n in ends))
    for targets in ("possible", "actual"):
        attack = Correspondence(K, limit=1, targets=targets)
        attack.run(Series(made_alone.editions[:2]))
        seconds, _, outcome = cpu(lambda attack=attack: attack.run(made_alone))
        note = f"{outcome.n_fallen:,} fall"
        task = f"{attack.name} ({targets} targets), {who}"
        yield Row(task, seconds, LIMIT, 1, 0.2, "limit", note, is_limit=True)
    for targets in ("possible", "actual") if large else ("possible",):
        policy = Continuous(targets=targets, numbers="taxonomy")
        past = Past()
        for n in ends:
            seconds, _, made = cpu(lambda n=n, past=past, policy=policy: publish(policy, n, past))
            past = Past((*past.editions, made.edition), made.memory, n)
        note = f"{made.release.n_groups:,} groups"
        yield Row(f"{policy}, {who}", seconds, LIMIT, 1, 0.5, "limit", note, is_limit=True)


def released(n: int, method: TopDownSpecialization) -> Edition:
    """Publish the first records without a look at other releases."""
    release = ul.anonymize(table(n), privacy=KAnonymity(K), method=method)
    return edition_of(release, np.arange(n), f"{n:,} records")


def publish(policy: Continuous, n: int, past: Past) -> Next:
    """Publish the first records."""
    request = Request(table(n), np.arange(n), (KAnonymity(K),))
    return next_release(policy, request, past, Terms(seed=0))


def table(n: int) -> Table:
    """Give the first records of Adult, in any order; of made-up people if it is not at hand."""
    if folder() is not None:
        frame = adult_frame().sample(fraction=1.0, shuffle=True, seed=0)
        return adult_table(frame[:n], QI8)
    people = hospital(N_RECORDS, seed=0)[:n].select(*PATIENTS, "diagnosis")
    taxonomies = builders(hospital_taxonomies(), PATIENTS)
    return as_table(people, quasi=PATIENTS, sensitive="diagnosis", taxonomies=taxonomies)
