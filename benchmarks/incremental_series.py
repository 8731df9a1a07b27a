"""Byun's experiment on Adult, measured again: ``python -m benchmarks.incremental_series``.

Six releases of a growing table, 5,000 records and 5,000 more each time, by static, checked and
merged Incognito and Mondrian. Prints the tables of ``docs/explanation/reproductions.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from benchmarks.data import adult_frame, adult_table
from benchmarks.measure import cpu
from benchmarks.reproductions import Cells, table
from unlinkable.tables.attacks.series.difference import Difference
from unlinkable.tables.attacks.series.intersection import Intersection
from unlinkable.tables.attacks.series.record_tracing import RecordTracing
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.data import Table
from unlinkable.tables.data.release_columns import texts_of
from unlinkable.tables.methods import Incognito, Mondrian
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.metrics import AverageInformationLoss, Discernibility
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import KCAnonymity
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.next_release import Next, Terms, next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.taxonomies.published_values import read_ranges

QUASI = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "race",
    "sex",
    "native-country",
    "salary-class",
)
SENSITIVE = "occupation"
K, C = 5, "0.7"
BATCH, RELEASES = 5_000, 6
SEED = 0

METHODS: tuple[Search, ...] = (Incognito(), Mondrian())
STRATEGIES = ("static", "checked", "merge")

ATTACKS: tuple[SeriesAttack, ...] = (
    Difference(k=K, limit=C),
    Intersection(limit=C),
    RecordTracing(k=K, limit=C),
)
"""What whoever holds all releases tries. Limits are those of the promise."""


@dataclass
class Published:
    """What became of one release.

    Attributes
    ----------
    n_records, n_groups
        Its size.
    seconds
        CPU time from the table to the release, attacks that it was held to included.
    ail, dm
        What was lost.
    fallen
        By attack, how many people fall to whoever holds it and all earlier ones.
    """

    n_records: int
    n_groups: int
    seconds: float
    ail: float
    dm: float
    fallen: dict[str, int] = field(default_factory=dict)


class AsPublished(Incremental):
    """What the search finds is held to the three attacks of the paper, and to no others.

    The policy itself goes on by merging as soon as somebody falls to another attack, here from the
    second release of Mondrian on, so that there would be nothing left to compare.
    """

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        watched = {attack.name for attack in ATTACKS}
        return tuple(a for a in super().adversaries(request, past) if a.name in watched)


def main() -> None:
    """Print all tables."""
    runs = {
        (method.name, strategy): list(published(method, strategy))
        for method in METHODS
        for strategy in STRATEGIES
    }
    print(f"k = {K}, c = {C}, seed {SEED}")
    print(f"\nVulnerable records of static releases\n\n{table(*fallen_rows(runs))}")
    for title, what in (
        ("AIL", lambda one: f"{one.ail:.3f}"),
        ("DM", lambda one: f"{one.dm:.3g}"),
        ("Groups", lambda one: f"{one.n_groups:,}"),
        ("CPU seconds", lambda one: f"{one.seconds:.2f}"),
    ):
        header = ("method", "strategy", *(f"{BATCH * i // 1000}K" for i in range(1, RELEASES + 1)))
        rows = [(*name, *map(what, run)) for name, run in runs.items()]
        print(f"\n{title}\n\n{table(header, rows)}", flush=True)


Runs = dict[tuple[str, str], list[Published]]


def fallen_rows(runs: Runs) -> tuple[Cells, list[Cells]]:
    """List for every attack and release how many people fall."""
    header = ("method", "strategy", "attack", *(f"{BATCH * i // 1000}K" for i in range(2, 7)))
    rows: list[Cells] = []
    for (method, strategy), run in runs.items():
        for attack in ATTACKS:
            found = [f"{one.fallen[attack.name]:,}" for one in run[1:]]
            rows.append((method, strategy, attack.name, *found))
    return header, rows


def published(method: Search, strategy: str) -> Iterator[Published]:
    """Publish the table whenever a batch has come, and attack what is out by then."""
    past = Past()
    for people, n in growing_adult():
        seconds, _, found = publish(people, n, method, AsPublished(strategy), past)
        fallen = {}
        if len(past):
            series = past.followed_by(found.edition)
            fallen = {attack.name: attack.run(series).n_fallen for attack in ATTACKS}
        past = Past((*past.editions, found.edition), found.memory, n)
        shown = shown_of(people, found)
        yield Published(
            n,
            shown.sizes.size,
            seconds,
            AverageInformationLoss().value(shown),
            Discernibility().value(shown),
            fallen,
        )


def growing_adult() -> Iterator[tuple[Table, int]]:
    """Give Adult in batches, in an order that chance decided."""
    frame = adult_frame().select([*QUASI, SENSITIVE])
    frame = frame[np.random.default_rng(SEED).permutation(frame.height)]
    for n in range(BATCH, BATCH * RELEASES + 1, BATCH):
        yield adult_table(frame[:n], QUASI), n


def publish(
    people: Table, n: int, method: Search, policy: Incremental, past: Past
) -> tuple[float, float, Next]:
    """Publish what there is."""
    request = Request(people, np.arange(n), (KCAnonymity(K, C, sensitive=SENSITIVE),), method)
    return cpu(lambda: next_release(policy, request, past, Terms(seed=SEED)))


def shown_of(people: Table, found: Next) -> Shown:
    """Read from the published texts what groups show, in the taxonomies of the table."""
    frame, counted = found.edition.target.frame, found.edition.target.counted()
    first = np.unique(counted.labels, return_index=True)[1]
    ranges = [
        read_ranges(people.taxonomy(name), texts_of(frame, name).gather(first)) for name in QUASI
    ]
    lo, hi = (np.column_stack(ends) for ends in zip(*ranges, strict=True))
    sizes = counted.finest.sizes
    return Shown(people.attributes, lo, hi, sizes, sizes.astype(float))


if __name__ == "__main__":
    main()
