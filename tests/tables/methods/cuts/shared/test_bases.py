"""Bases tell apart what chromosomes do, with fewer rows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.cuts.shared import bases as module
from unlinkable.tables.methods.cuts.shared.bases import Bases
from unlinkable.tables.methods.cuts.shared.genome import Genome
from unlinkable.tables.taxonomies.builders import Tree

LETTERS = Tree({f"{a}*": [f"{a}{b}" for b in "0123"] for a in "abcd"})


@pytest.fixture
def genome() -> tuple[Groups, Genome]:
    rng = np.random.default_rng(0)
    values = np.array([f"{a}{b}" for a in "abcd" for b in "0123"])
    frame = pl.DataFrame({n: rng.choice(values, 3000) for n in "xy"} | {"s": ["u", "v"] * 1500})
    taxonomies = {"x": LETTERS, "y": LETTERS}
    table = as_table(frame, quasi=["x", "y"], sensitive="s", taxonomies=taxonomies)
    finest = count(table, [("s",)]).finest
    return finest, Genome.of(finest, table.attributes, free_numbers=False)


def test_rows_are_added_up_for_chromosomes_within_bounds_on_all_columns_but_one(
    genome: tuple[Groups, Genome],
) -> None:
    finest, genes = genome
    bases = Bases(finest, genes, frozenset({("s",)}))
    # The roots of both columns, and the four nodes under each.
    split = np.array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0], np.uint8)
    finer = np.array([1, 1, 0, 1, 0, 1, 0, 0, 0, 0], np.uint8)
    finer_on_both = np.array([1, 1, 0, 0, 0, 1, 0, 0, 0, 1], np.uint8)
    bases.bound(split)
    for bits, n_rows in ((split, 16), (finer, 64), (finer_on_both, len(finest))):
        first = bases.rows(bits)
        assert first is bases.finest
        for _ in range(module._OFTEN - 1):
            rows = bases.rows(bits)
        assert len(rows) == n_rows
        cuts = genes.cuts(bits)
        expected, found = bases.finest.group(cuts), rows.group(cuts)
        assert found.sizes.tolist() == expected.sizes.tolist()
        counts = [
            r.groups(g, cuts, frozenset({("s",)})).histograms["s",].counts.tolist()
            for r, g in ((bases.finest, expected), (rows, found))
        ]
        assert counts[0] == counts[1]


def test_new_bounds_start_anew_and_equal_ones_do_not(genome: tuple[Groups, Genome]) -> None:
    finest, genes = genome
    bases = Bases(finest, genes, frozenset())
    split = np.array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0], np.uint8)
    bases.bound(split)
    for _ in range(module._OFTEN):
        rows = bases.rows(split)
    assert len(rows) == 16
    bases.bound(split.copy())
    assert bases.rows(split) is rows
    bases.bound(np.ones(10, np.uint8))
    assert bases.rows(split) is bases.finest


def test_rows_that_hardly_get_fewer_are_left_as_they_are(genome: tuple[Groups, Genome]) -> None:
    finest, genes = genome
    bases = Bases(finest, genes, frozenset())
    nearly_all = np.array([1, 1, 1, 1, 1, 1, 1, 1, 1, 0], np.uint8)
    bases.bound(nearly_all)
    for _ in range(module._OFTEN + 1):
        assert bases.rows(nearly_all) is bases.finest
