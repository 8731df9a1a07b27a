"""Kinds: people who are in the same groups of all releases."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from tests.tables.attacks.series.tiny import records, tiny_series
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.kinds import histogram_of, kinds_of


@given(tiny_series())
def test_everybody_is_in_the_groups_of_his_kind(sheets: tuple[Sheet, ...]) -> None:
    kinds = kinds_of(sheets)
    for i, (sheet, owners) in enumerate(zip(sheets, kinds.owners, strict=True)):
        assert kinds.where[kinds.kind[owners], i].tolist() == sheet.groups.tolist()
        assert (owners[sheet.people >= 0] == sheet.people[sheet.people >= 0]).all()
        assert (owners[sheet.people < 0] >= kinds.n_people).all()
    assert len({tuple(row) for row in kinds.where.tolist()}) == len(kinds)
    assert kinds.sizes.sum() == (kinds.kind >= 0).sum()
    assert kinds.kind[kinds.first].tolist() == list(range(len(kinds)))
    assert kinds.returns.tolist() == [sum(g >= 0 for g in row) > 1 for row in kinds.where.tolist()]


@given(tiny_series(changes=True))
def test_what_groups_have_in_common_is_the_smallest_count(sheets: tuple[Sheet, ...]) -> None:
    kinds = kinds_of(sheets)
    common = kinds.common([histogram_of(sheet) for sheet in sheets])
    listed = records(sheets)
    for kind, row in enumerate(kinds.where.tolist()):
        hidden = [
            Counter(v for _, g, v in release if g == group)
            for release, group in zip(listed, row, strict=True)
            if group >= 0
        ]
        left = hidden[0]
        for other in hidden[1:]:
            left &= other
        part = slice(*common.indptr[kind : kind + 2].tolist())
        assert common.values[part].tolist() == sorted(left)
        assert common.counts[part].tolist() == [left[value] for value in sorted(left)]


def test_made_up_records_have_owners_of_their_own() -> None:
    kinds = kinds_of([Sheet.of([-1, 0], [0, 0], [0, 1]), Sheet.of([-1, 4], [0, 0], [1, 1])])
    assert [owners.tolist() for owners in kinds.owners] == [[5, 0], [6, 4]]
    assert kinds.where.tolist() == [[0, -1], [-1, 0]]
    assert kinds.sizes.tolist() == [2, 2]
