"""Agreeing: levels and chances, counted pair by pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.linking.shared import agreement as module
from unlinkable.tables.attacks.linking.shared.agreement import AGREE, CLOSE, DIFFER, UNTOLD
from unlinkable.tables.attacks.linking.shared.candidate_pairs import Pairs
from unlinkable.tables.attacks.shared.matching import Matching, match
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Tree

JOB = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]}).build(
    observe("job", ["Dancer"])
)


def matched(
    published: list[Any], listed: list[Any], taxonomy: Taxonomy | None = None
) -> tuple[Matching, module.ColumnAgreement]:
    taxonomies = {} if taxonomy is None else {"a": taxonomy}
    target = Target(pl.DataFrame({"a": published}), ("a",), (), taxonomies)
    found = match(target, SideTable("list", pl.DataFrame({"a": listed})))
    boxes = found.overlaps.first.columns[0], found.overlaps.second.columns[0]
    return found, module.column_agreement(found.linked[0], *boxes, found.kind_sizes)


def levels(
    published: list[Any], listed: list[Any], taxonomy: Taxonomy | None = None
) -> list[list[int]]:
    """The level of every listed value with every published one."""
    found, column = matched(published, listed, taxonomy)
    n_kinds, n_looks = found.first.size, found.first_look.size
    indptr = np.arange(n_kinds + 1) * n_looks
    looks = np.tile(np.arange(n_looks, dtype=np.int32), n_kinds)
    table = Pairs.of(found, [column], indptr, looks).levels[0].reshape(n_kinds, n_looks)
    shown: list[list[int]] = table[found.kind][:, found.look].tolist()
    return shown


def test_numbers_are_close_within_a_twentieth_of_their_spread() -> None:
    listed = [0, 100, 51, None]  # a standard deviation of about 40: within 2
    assert levels([50, 48, 51, None], listed) == [
        [DIFFER, DIFFER, DIFFER, UNTOLD],
        [DIFFER, DIFFER, DIFFER, UNTOLD],
        [CLOSE, DIFFER, AGREE, UNTOLD],
        [UNTOLD] * 4,
    ]


def test_intervals_agree_with_what_they_hold_and_are_close_to_what_is_near() -> None:
    assert levels(["[49-52)", "[52-60)", "*"], [0, 100, 51])[2] == [AGREE, CLOSE, UNTOLD]


def test_texts_are_close_if_they_are_misspelt() -> None:
    told = ["Smith", "Jones", "Dancer"]
    assert levels(told, ["Smith", "Smiht", "Dncer", "Jo"]) == [
        [AGREE, DIFFER, DIFFER],
        [CLOSE, DIFFER, DIFFER],
        [DIFFER, DIFFER, CLOSE],
        [DIFFER, DIFFER, DIFFER],
    ]


def test_misspelt_values_are_close_to_the_labels_of_what_is_meant() -> None:
    told = ["Artist", "Professional", "{Lawyer, Dancer}"]
    assert levels(told, ["Wirter", "Laywer", "Artist"], JOB) == [
        [CLOSE, DIFFER, DIFFER],
        [DIFFER, CLOSE, CLOSE],
        [AGREE, DIFFER, AGREE],
    ]


@pytest.mark.parametrize(
    ("published", "listed"),
    [
        (["Smith", "Jones", "Smyth"], ["Smith", "Smith", "Jones", "Smiht", None]),
        ([50, 48, 51, None], [50, 50, 49, 100, None]),
        (["[49-52)", "[52-60)", "*"], [0, 100, 51, 54]),
    ],
    ids=str,
)
def test_chances_are_the_shares_of_the_list(published: list[Any], listed: list[Any]) -> None:
    found, column = matched(published, listed)
    table = np.array(levels(published, listed))
    for record, look in enumerate(found.look):
        seen = table[:, record]
        told = seen[seen != UNTOLD]
        if not told.size:
            continue
        chance = column.chance[column.published[0][look]]
        for level in (DIFFER, CLOSE, AGREE):
            assert chance[level] == pytest.approx((told == level).mean(), abs=1e-6)


def test_many_texts_are_compared_if_they_begin_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_COMPARED", 3)
    # All twelve would be too many; with the same first letter there are three.
    assert levels(["Smith", "Jones", "Dancer"], ["Smith", "Smiht", "Jonse", "ancer"]) == [
        [AGREE, DIFFER, DIFFER],
        [CLOSE, DIFFER, DIFFER],
        [DIFFER, CLOSE, DIFFER],
        [DIFFER, DIFFER, DIFFER],
    ]
