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
from hypothesis import given, settings
from hypothesis import strategies as st

import unlinkable as ul
from tests.tables.publishing.forty_people import METHODS
from unlinkable.errors import UnlinkableError
from unlinkable.registry import lookup as registry
from unlinkable.release.bundle.saving import write_public
from unlinkable.release.plan.statement import Statement
from unlinkable.tables.data import Table
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.metrics.base import Generalized, Metric
from unlinkable.tables.models.base import All
from unlinkable.tables.operations.base.operation import Scheme
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.publishing.bundles.draft import draft_of
from unlinkable.tables.publishing.releases.measuring import Treatment, beside
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder

Row = tuple[object, ...]

QUASI = ("age", "job", "zip")
COLUMNS = (*QUASI, "ill", "class", "n")

APPROVED = Statement(approve=("risk-before", "distribution:age", "distribution:job"))

TRAINS = {"propensity", "classification-error", "cluster-f-measure"}

RULES: Mapping[str, TaxonomyBuilder] = {
    "age": ul.Intervals(5, 50),
    "job": ul.Flat(),
    "zip": ul.Mask(8),
}
"""Taxonomies in which no value moves because of another one."""


class Any(Scheme):
    """Every recoding that is true."""

    name: ClassVar[str] = "recoding"

    def apply(self, recoding: Recoding) -> Recoding:
        raise NotImplementedError

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        return []

    @classmethod
    def count(cls, recoding: Recoding) -> int:
        raise NotImplementedError


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
            n_present = attribute.taxonomy.domain.n_present
            shown = np.zeros(attribute.taxonomy.n, bool)
            shown[finest.keys[is_kept, j]] = True
            for g in range(found.n_parts):
                while lo[g, j] > 0 and not shown[lo[g, j] - 1]:
                    lo[g, j] -= 1
                while hi[g, j] < n_present and not shown[hi[g, j]]:
                    hi[g, j] += 1
        return Solution(Partition(finest, labels, lo, hi), {})


def every_metric() -> list[Metric]:
    """Make all metrics that do not train anything."""
    made = [entry.make() for entry in registry.entries("metric") if entry.name not in TRAINS]
    return [*made, Metric.read("kl-divergence(joint=true)")]


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
    statement = APPROVED if release.table.schema.weight is None else None
    draft = draft_of(release, tuple(metrics), statement, None)
    with TemporaryDirectory() as folder:
        write_public(Path(folder) / "public", draft.public)
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


@settings(max_examples=12)
@given(
    st.lists(st.sampled_from(["c", "f", "k", "p"]), min_size=3, max_size=6),
    st.lists(st.tuples(values, values), min_size=1, max_size=3),
    st.booleans(),
)
def test_the_public_half_is_the_same_whatever_suppressed_records_have(
    jobs: list[str], pairs: list[tuple[Row, Row]], is_weighted: bool
) -> None:
    found = []
    for which in (0, 1):
        # A place of its own makes each of them like no other.
        left_out = [
            (*pair[which][:2], f"{pair[which][2]}{i}", *pair[which][3:])
            for i, pair in enumerate(pairs)
        ]
        table = table_of([*kept_rows(jobs), *left_out], RULES, is_weighted=is_weighted)
        release = ul.anonymize(
            table, privacy=ul.KAnonymity(2), method=Singles(), suppression="1/2", seed=1
        )
        assert release.n_suppressed == len(pairs)
        metrics = measurable(release)
        found.append((metrics, public_files(release, metrics)))
    assert found[0] == found[1]


def outlier(place: int) -> list[Row]:
    """Give somebody whose values are like nobody's, one of two who stand at the same place."""
    mark = ("CANARY", "SPARROW")[place]
    return [((123_456, 999_999)[place], f"ZZ{mark}", f"9{mark}"[:6], f"Z{mark}", f"Z{mark}", 1)]


@pytest.mark.parametrize("rule", [None, ul.Auto()], ids=["default", "auto"])
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_no_method_shows_values_of_suppressed_records(
    method: Search, rule: TaxonomyBuilder | None, tmp_path: Path
) -> None:
    rules = {} if rule is None else dict.fromkeys(QUASI, rule)
    kept = kept_rows(["c", "c", "f", "f", "k", "k", "p", "p"]) * 3
    releases = []
    for place in (0, 1):
        table = table_of([*kept, *outlier(place)], rules)
        try:
            release = ul.anonymize(
                table, privacy=ul.KAnonymity(4), method=method, suppression="1/40", seed=1
            )
        except UnlinkableError as error:
            pytest.skip(str(error))
        releases.append(release)
    if any(release.n_suppressed != 1 for release in releases):
        # Then there is nobody whose values are to be kept back.
        assert releases[0].n_suppressed == releases[1].n_suppressed
        return
    one, other = (public_files(release) for release in releases)
    assert one == other
    assert not any(b"CANARY" in text or b"123456" in text for text in one.values())
    for release in releases:
        assert ul.verify(release.save(tmp_path / str(id(release)))).holds


def test_a_suppressed_value_cannot_be_computed_from_what_is_published(tmp_path: Path) -> None:
    pays = [100 + i // 4 for i in range(200)]
    rule = {"pay": ul.Intervals(10)}
    table = ul.as_table({"pay": [*pays, 123_456]}, quasi="pay", taxonomies=rule)
    release = ul.anonymize(table, privacy=ul.KAnonymity(5), suppression="1/100")
    assert release.n_suppressed == 1
    bundle = release.save(tmp_path / "bundle")
    stated = ul.open_bundle(bundle / "public").manifest.metrics
    # Its own figure says how far the outlier lies; what recipients get does not.
    assert release.measure("average-information-loss") != pytest.approx(
        stated["average-information-loss"]
    )
    alone = ul.as_table({"pay": pays}, quasi="pay", taxonomies=rule)
    others = ul.anonymize(alone, privacy=ul.KAnonymity(5))
    expected = (200 * others.measure("average-information-loss") + 1) / 201
    assert stated["average-information-loss"] == pytest.approx(expected)


def test_auto_labels_end_with_what_is_published() -> None:
    rows = [(age, sex) for age in (20, 30, 40, 50, 60) for sex in "fffff"]
    table = ul.as_table(
        {"age": [*(a for a, _ in rows), 99], "sex": [*(s for _, s in rows), "m"]},
        quasi=["age", "sex"],
    )
    release = ul.anonymize(table, privacy=ul.KAnonymity(6), suppression="1/10")
    assert release.n_suppressed == 1
    shown = set(release.applied.frame.get_column("age").to_list())
    assert not any("99" in text or "100" in text for text in shown), shown
    later = release.recode({"age": [55, 99], "sex": ["f", "f"]})
    assert set(later.applied.frame.get_column("age").to_list()) <= shown


def test_the_published_table_can_be_measured_against_the_original() -> None:
    """Sets of a release skip what only suppressed records have, and are read all the same."""
    kept = kept_rows(["b", "d", "f", "h"]) * 2
    table = table_of([*kept, (20, "c", "9", "a", "y", 1)], {})
    release = ul.anonymize(table, privacy=ul.KAnonymity(2), method=Singles(), suppression="1/2")
    assert release.n_suppressed == 1
    assert "{b, d}" in release.applied.frame.get_column("job").to_list()
    seen = beside(table, release.applied.frame, "it", Treatment.GENERALIZED)
    assert isinstance(seen, Generalized)
    assert seen.shown.n_suppressed == 1
