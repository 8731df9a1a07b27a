"""A judge of published files who knows nothing but their texts.

Reads ``release.json`` with ``data.csv``, or with ``quasi.csv`` and ``sensitive.csv``, and counts
again: groups of equal texts (k-anonymity), values of groups and of buckets (l-diversity in three
forms), whether the two tables of buckets agree, and what a ledger of pure noise costs.

Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam, "l-diversity", ICDE 2006; Xiao and Tao,
"Anatomy", VLDB 2006.
"""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.witness.private import price_of_ledger

__all__ = [
    "Published",
    "bucket_counts",
    "bucket_faults",
    "columns_of",
    "copied",
    "distinct_level",
    "entropy_level",
    "frequency_level",
    "least_group",
    "noise_price",
    "read",
    "value_counts",
]

Text = Mapping[str, str]
Counts = Mapping[Hashable, Mapping[Hashable, int]]


@dataclass(frozen=True)
class Published:
    """What recipients have: the manifest, the records, and the hidden values of buckets if any."""

    manifest: Mapping[str, Any]
    records: Sequence[Text]
    hidden: Sequence[Text] | None = None
    files: Sequence[str] = field(default=())


def read(folder: Path) -> Published:
    """Read the public half of a bundle, or a bundle that has one.

    Raises
    ------
    ValueError
        If there are neither ``data.csv`` nor ``quasi.csv`` with ``sensitive.csv``, or all of them.
    """
    place = folder / "public" if (folder / "public").is_dir() else folder
    manifest = json.loads((place / "release.json").read_text(encoding="utf-8"))
    files = sorted(path.name for path in place.iterdir())
    whole, halves = "data.csv" in files, {"quasi.csv", "sensitive.csv"} <= {*files}
    if whole == halves:
        raise ValueError(f"cannot tell what is published by {files}")
    if whole:
        return Published(manifest, _records(place / "data.csv"), None, files)
    hidden = _records(place / "sensitive.csv")
    return Published(manifest, _records(place / "quasi.csv"), hidden, files)


def columns_of(published: Published, role: str) -> list[str]:
    """Give the columns that have a role by the manifest, such as ``quasi-identifier``."""
    return [column["name"] for column in published.manifest["columns"] if column["role"] == role]


def least_group(records: Iterable[Text], quasi: Sequence[str], count: str | None = None) -> int:
    """Give the size of the smallest group of records with equal texts; 0 if there are none.

    >>> least_group([{"a": "1"}, {"a": "1"}, {"a": "[1-2)"}], ["a"])
    1
    """
    sizes: Counter[tuple[str, ...]] = Counter()
    for record in records:
        sizes[tuple(record[c] for c in quasi)] += 1 if count is None else int(record[count])
    return min(sizes.values(), default=0)


def value_counts(
    records: Iterable[Text], quasi: Sequence[str], sensitive: str
) -> dict[Hashable, Counter[Hashable]]:
    """Count the values of every group of records with equal texts."""
    found: dict[Hashable, Counter[Hashable]] = {}
    for record in records:
        found.setdefault(tuple(record[c] for c in quasi), Counter())[record[sensitive]] += 1
    return found


def bucket_counts(
    hidden: Iterable[Text], bucket: str, sensitive: str, count: str = "count"
) -> dict[Hashable, Counter[Hashable]]:
    """Count the values of every bucket.

    >>> rows = [{"group": "1", "s": s, "count": n} for s, n in (("x", "2"), ("y", "1"))]
    >>> bucket_counts(rows, "group", "s")
    {'1': Counter({'x': 2, 'y': 1})}
    """
    found: dict[Hashable, Counter[Hashable]] = {}
    for row in hidden:
        found.setdefault(row[bucket], Counter())[row[sensitive]] += int(row[count])
    return found


def bucket_faults(
    records: Sequence[Text], hidden: Sequence[Text], bucket: str, count: str = "count"
) -> list[str]:
    """Say where the two tables of buckets do not fit, or tell more than they should.

    Every bucket has as many hidden values as records; no row is told twice, no count is below one;
    no hidden column is in the records.

    >>> bucket_faults([{"q": "1", "group": "1"}], [{"group": "1", "s": "x", "count": "2"}], "group")
    ['bucket 1 has 1 records and 2 values']
    """
    faults = []
    sizes = Counter(record[bucket] for record in records)
    told: Counter[str] = Counter()
    for row in hidden:
        told[row[bucket]] += int(row[count])
        if int(row[count]) < 1:
            faults.append(f"bucket {row[bucket]} tells a count of {row[count]}")
    faults += [
        f"bucket {b} has {sizes[b]} records and {told[b]} values"
        for b in sorted({*sizes, *told})
        if sizes[b] != told[b]
    ]
    keys = [tuple(v for c, v in row.items() if c != count) for row in hidden]
    if len({*keys}) < len(keys):
        faults.append("a row of hidden values is told twice")
    if records and hidden and (both := ({*records[0]} & {*hidden[0]}) - {bucket}):
        faults.append(f"both tables have {sorted(both)}")
    return faults


def distinct_level(counts: Counts) -> int:
    """Give the fewest different values in a group."""
    return min((len(of_group) for of_group in counts.values()), default=0)


def frequency_level(counts: Counts) -> Fraction:
    """Give the largest l such that no value is in more than 1/l of its group.

    >>> frequency_level({1: {"x": 2, "y": 2}, 2: {"x": 1, "y": 2}})
    Fraction(3, 2)
    """
    return min(
        (Fraction(sum(g.values()), max(g.values())) for g in counts.values()), default=Fraction(0)
    )


def entropy_level(counts: Counts) -> float:
    """Give the largest l such that the entropy of every group is at least log l.

    >>> round(entropy_level({1: {"x": 2, "y": 2}}), 12)
    2.0
    """
    levels = []
    for of_group in counts.values():
        n = sum(of_group.values())
        levels.append(math.exp(sum(c / n * math.log(n / c) for c in of_group.values())))
    return min(levels, default=0.0)


def noise_price(published: Published) -> float:
    """Give the epsilon of the published ledger, by pure differential privacy alone.

    Infinite if there is no ledger: what was told without one has no price.
    """
    noise = published.manifest["noise"]
    if noise is None:
        return math.inf
    return price_of_ledger(noise["events"], noise.get("neighbours", "add-remove"))


def copied(
    original: Sequence[Mapping[str, Hashable]],
    published: Sequence[Mapping[str, Hashable]],
    columns: Sequence[str],
    common: int,
) -> list[tuple[Hashable, ...]]:
    """List the published records that are original ones which fewer than ``common`` people share.

    >>> people = [{"a": 1}, {"a": 2}, {"a": 2}]
    >>> copied(people, [{"a": 1}, {"a": 2}, {"a": 3}], ["a"], 2)
    [(1,)]
    """
    shared = Counter(tuple(row[c] for c in columns) for row in original)
    shown = [tuple(row[c] for c in columns) for row in published]
    return [record for record in shown if 0 < shared[record] < common]


def _records(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))
