"""Nothing that is published depends on values that only suppressed records have.

Two tables that differ in such values alone, and of which the same records are published in the same
groups, have the same public half, byte for byte but for the date.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests.release.forty_people import METHODS
from unlinkable.errors import UnlinkableError
from unlinkable.groups import Groups, Partition
from unlinkable.methods.base import Search, Solution, Task
from unlinkable.privacy.base import All
from unlinkable.recoding.recoding import Recoding
from unlinkable.recoding.scheme import Scheme
from unlinkable.release import registry
from unlinkable.release.approved import about
from unlinkable.release.bundle import contents
from unlinkable.release.plan_sections import Format
from unlinkable.release.public_half import write_public
from unlinkable.release.release import Release
from unlinkable.release.statement import Statement
from unlinkable.table import Table, TaxonomyBuilder
from unlinkable.utility.base import Metric

Row = tuple[object, ...]

QUASI = ("age", "job", "zip")
COLUMNS = (*QUASI, "ill", "class", "n")

APPROVED = Statement(approve=("risk-before", "distribution:age", "distribution:job"))

RULES: Sequence[Mapping[str, TaxonomyBuilder]] = (
    {},
    {"age": ul.Auto(), "job": ul.Auto(), "zip": ul.Auto(), "ill": ul.Auto()},
    {"age": ul.Intervals(5, 50), "job": ul.Auto(groups=3), "zip": ul.Mask(8)},
)


class Any(Scheme):
    """Every recoding that is true."""

    name: ClassVar[str] = "recoding"

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        return []


@frozen
class Singles(Search):
    """Leave out records that are like no other, and halve the rest by the first column.

    Ranges reach over all values next to them that only records have that are left out.
    """

    name: ClassVar[str] = "singles"
    reference: ClassVar[str] = "a test"
    scheme: ClassVar[type[Scheme]] = Any

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        is_kept = finest.sizes > 1
        first = finest.keys[is_kept, 0]
        middle = np.sort(first)[first.size // 2]
        labels = np.full(len(finest), -1, np.int32)
        labels[is_kept] = np.unique(first >= middle, return_inverse=True)[1]
        found = Partition.tight(finest, labels, int(labels.max()) + 1)
        lo, hi = found.lo.copy(), found.hi.copy()
        for j, attribute in enumerate(task.attributes):
            n = attribute.taxonomy.n
            shown = np.zeros(n, bool)
            shown[finest.keys[is_kept, j]] = True
            for g in range(found.n_parts):
                while lo[g, j] > 0 and not shown[lo[g, j] - 1]:
                    lo[g, j] -= 1
                while hi[g, j] < n and not shown[hi[g, j]]:
                    hi[g, j] += 1
        shown_as = Partition(finest, labels, lo, hi).publishable(task.attributes)
        return Solution(shown_as, {})


def every_metric() -> list[Metric]:
    return [entry.make() for entry in registry.entries("metric") if entry.name != "propensity"]


def table_of(
    rows: Sequence[Row], rules: Mapping[str, TaxonomyBuilder], *, is_weighted: bool = False
) -> Table:
    columns = {name: [row[i] for row in rows] for i, name in enumerate(COLUMNS)}
    return ul.as_table(
        pl.DataFrame(columns, schema_overrides={"job": pl.String, "zip": pl.String}),
        quasi=QUASI,
        sensitive="ill",
        target="class",
        weight="n" if is_weighted else None,
        insensitive=() if is_weighted else "n",
        taxonomies=rules,
    )


def public_files(release: Release, metrics: Sequence[Metric] = ()) -> dict[str, bytes]:
    """Write the public half with everything that can be told, and read its files."""
    tables, told, records = contents(release, tuple(metrics))
    statement = APPROVED if release.table.schema.weight is None else None
    with TemporaryDirectory() as folder:
        said = about(release, records.public, statement)
        write_public(Path(folder) / "public", tables, told, Format.CSV, None, said)
        return read_files(Path(folder) / "public")


def read_files(folder: Path) -> dict[str, bytes]:
    """Read a public half without the date, and what depends on it."""
    found = {file.name: file.read_bytes() for file in folder.iterdir()}
    dated = re.compile(rb"\d{4}-\d{2}-\d{2}|\"(sha256|size)\": [^\n]*|<td[^>]*>[0-9a-f]{64}</td>")
    return {name: dated.sub(b"", text) for name, text in found.items()}


def measurable(release: Release) -> list[Metric]:
    found = []
    for metric in every_metric():
        try:
            metric.measure(release.published_alone(metric))
        except UnlinkableError:
            continue
        found.append(metric)
    return found


def kept_rows(jobs: Sequence[str]) -> list[Row]:
    kept = [(20 + 5 * i, job, f"10{i}", "abc"[i % 3], "yn"[i % 2], 1) for i, job in enumerate(jobs)]
    return [row for row in kept for _ in range(2)]


values = st.tuples(
    st.sampled_from([None, 3, 21, 33, 99, 123_456, 999_999]),
    st.sampled_from([None, "ZZCANARY", "aCANARY", "m"]),
    st.sampled_from([None, "CANARY", "1CANARY", "998"]),
    st.sampled_from(["ZILL", "a", "aILL"]),
    st.sampled_from(["ZCLASS", "y"]),
    st.sampled_from([1, 7, 777]),
)


@given(
    st.lists(st.sampled_from(["c", "f", "k", "p"]), min_size=3, max_size=6),
    st.lists(st.tuples(values, values), min_size=1, max_size=3),
    st.sampled_from(RULES),
    st.booleans(),
)
def test_the_public_half_is_the_same_whatever_suppressed_records_have(
    jobs: list[str],
    pairs: list[tuple[Row, Row]],
    rules: Mapping[str, TaxonomyBuilder],
    is_weighted: bool,
) -> None:
    found = []
    for which in (0, 1):
        # A place of its own makes each of them like no other.
        left_out = [
            (pair[which][0], pair[which][1], f"9{i}", *pair[which][3:])
            if pair[which][2] is None
            else (*pair[which][:2], f"{pair[which][2]}{i}"[:8], *pair[which][3:])
            for i, pair in enumerate(pairs)
        ]
        table = table_of([*kept_rows(jobs), *left_out], rules, is_weighted=is_weighted)
        release = ul.anonymize(
            table, privacy=ul.KAnonymity(2), method=Singles(), suppression="1/2", seed=1
        )
        assert release.n_suppressed == len(pairs)
        metrics = measurable(release)
        found.append((metrics, public_files(release, metrics)))
    assert found[0] == found[1]
