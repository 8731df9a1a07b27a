"""Synthetic data on UCI Adult: figures that must not get worse."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.adult import full_records, needs_full_adult
from tests.tables.methods.perturb.points_setting import masked_by
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.methods.perturb import Synthetic
from unlinkable.tables.metrics import Propensity
from unlinkable.tables.metrics.base import Perturbed

pytestmark = needs_full_adult


@pytest.fixture(scope="module")
def adult() -> Table:
    frame = full_records()
    return as_table(
        frame,
        quasi=[name for name in frame.columns if name not in ("occupation", "salary-class")],
        sensitive="occupation",
        target="salary-class",
    )


@pytest.fixture(scope="module")
def made_up(adult: Table) -> MaskedRecords:
    return masked_by(Synthetic(), adult)


def test_nobody_with_few_like_them_is_published(adult: Table, made_up: MaskedRecords) -> None:
    originals = Counter(adult.frame.rows())
    assert all(not 0 < originals[row] < 5 for row in made_up.frame.rows())
    assert made_up.effort["repeated"] == 0


def test_a_tree_hardly_tells_made_up_from_original_records(
    adult: Table, made_up: MaskedRecords
) -> None:
    pytest.importorskip("sklearn")
    published = Perturbed(adult, made_up.frame, None)
    assert Propensity(classifier="decision-tree").measure(published).value < 0.02


def test_shares_of_pairs_of_categories_are_kept(adult: Table, made_up: MaskedRecords) -> None:
    names = ["workclass", "occupation", "education", "relationship", "sex", "salary-class"]
    off = []
    for i, name in enumerate(names):
        for other in names[:i]:
            old, new = (Counter(f.select(name, other).rows()) for f in (adult.frame, made_up.frame))
            off.append(sum(abs(old[p] - new[p]) for p in old | new) / 2 / len(adult))
    assert np.mean(off) < 0.03
