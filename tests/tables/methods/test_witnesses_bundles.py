"""Whole bundles of maskings on disk, judged from their texts alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import unlinkable as ul
from tests.witness import bundles
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.record_method import RecordMethod
from unlinkable.tables.methods.buckets import Anatomize, KEPermutation
from unlinkable.tables.methods.noisy import DPHistogram, DPSynthetic
from unlinkable.tables.methods.perturb import MDAV, PRAM, AlphaBeta, RGather
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.taxonomies.builders import Tree

N = 120


def ward(seed: int = 1) -> Table:
    """Give people of whom everything is listed beforehand, and one number is not."""
    rng = random.Random(seed)
    columns = {
        "name": [f"person {i}" for i in range(N)],
        "age": [rng.randrange(20, 60) for _ in range(N)],
        "pay": [rng.randrange(1000, 9000) for _ in range(N)],
        "sex": [rng.choice("fm") for _ in range(N)],
        "ill": [rng.choice("aabbccdde") for _ in range(N)],
    }
    return ul.as_table(
        columns, identifiers="name", quasi=["age", "pay", "sex"], sensitive="ill", taxonomies=TREES
    )


TREES = {"sex": Tree({"any": ["f", "m"]}), "ill": Tree({"any": [*"abcde"]})}


def listed() -> Table:
    rng = random.Random(3)
    columns = {
        "sex": [rng.choice("fm") for _ in range(N)],
        "ill": [rng.choice("abc") for _ in range(N)],
    }
    return ul.as_table(columns, quasi="sex", sensitive="ill", taxonomies=TREES)


def saved(
    table: Table, privacy: GroupModel, method: RecordMethod, folder: Path
) -> bundles.Published:
    release = ul.anonymize(table, privacy=privacy, method=method, seed=5)
    return bundles.read(release.save(folder / "release"))


@pytest.mark.parametrize("l", [2, 3])
def test_buckets_on_disk_are_diverse(l: int, tmp_path: Path) -> None:  # noqa: E741
    found = saved(ward(), ul.FrequencyLDiversity(l), Anatomize(), tmp_path)
    assert found.hidden is not None
    (bucket,) = bundles.columns_of(found, "bucket")
    assert bundles.bucket_faults(found.records, found.hidden, bucket) == []
    counts = bundles.bucket_counts(found.hidden, bucket, "ill")
    assert bundles.frequency_level(counts) >= l
    assert bundles.distinct_level(counts) >= l
    assert bundles.entropy_level(counts) >= l - 1e-9
    assert found.manifest["models"][0]["achieved"]["l"] == pytest.approx(
        float(bundles.frequency_level(counts))
    )
    assert found.manifest["records"] == len(found.records) == N
    assert found.manifest["groups"] == len(counts) == N // l
    assert all("name" not in row and "ill" not in row for row in found.records)


def test_buckets_of_numbers_on_disk_are_wide(tmp_path: Path) -> None:
    rng = random.Random(2)
    columns = {"age": [rng.randrange(20, 60) for _ in range(N)], "pay": list(range(0, 5 * N, 5))}
    table = ul.as_table(columns, quasi="age", sensitive="pay")
    found = saved(table, ul.KEAnonymity(3, 12), KEPermutation(), tmp_path)
    assert found.hidden is not None
    (bucket,) = bundles.columns_of(found, "bucket")
    assert bundles.bucket_faults(found.records, found.hidden, bucket) == []
    for of_bucket in bundles.bucket_counts(found.hidden, bucket, "pay").values():
        numbers = [float(str(value)) for value in of_bucket]
        assert len(numbers) >= 3
        assert max(numbers) - min(numbers) >= 12


@pytest.mark.parametrize("method", [MDAV(), RGather()], ids=["mdav", "r-gather"])
@pytest.mark.parametrize("k", [2, 5])
def test_near_records_on_disk_are_anonymous_by_their_texts(
    method: RecordMethod, k: int, tmp_path: Path
) -> None:
    found = saved(ward(), ul.KAnonymity(k), method, tmp_path)
    quasi = bundles.columns_of(found, "quasi-identifier")
    assert quasi == ["age", "pay", "sex"]
    assert bundles.least_group(found.records, quasi) >= k
    assert found.manifest["models"][0]["achieved"]["k"] == bundles.least_group(found.records, quasi)
    assert all("name" not in row for row in found.records)


@pytest.mark.parametrize(
    "method",
    [DPHistogram(), DPSynthetic(), PRAM(), AlphaBeta()],
    ids=["dp-histogram", "dp-synthetic", "pram", "alpha-beta"],
)
@pytest.mark.parametrize("epsilon", [0.5, 2])
def test_private_releases_on_disk_cost_no_more_than_allowed(
    method: RecordMethod, epsilon: float, tmp_path: Path
) -> None:
    found = saved(listed(), ul.DifferentialPrivacy(epsilon), method, tmp_path)
    cost = bundles.noise_price(found)
    assert 0 < cost <= epsilon * (1 + 1e-9)
    assert found.manifest["models"][0]["achieved"]["epsilon"] == pytest.approx(cost)
    assert found.manifest["metrics"] == {}, "figures that nothing was paid for"
    assert found.files == ["data.csv", "release.json", "report.html"]
