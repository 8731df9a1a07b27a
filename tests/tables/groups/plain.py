"""From plain Python tables to what the library works on."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import polars as pl

from tests.strategies import RandomTable
from tests.witness.tree import Tree
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.taxonomies import Domain, Kind, Level, Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Flat
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade
from unlinkable.typing import Columns

__all__ = ["finest_of", "groups_of", "histogram_of", "rows_of_case", "table_of", "taxonomy_of"]


def taxonomy_of(tree: Tree) -> Taxonomy:
    """Number the leaves of a tree in their order, None last."""
    present = [leaf for leaf in tree.leaves if leaf is not None]
    values = np.array([str(leaf) for leaf in present], object)
    levels = []
    for i in range(tree.height + 1):
        labels = tree.labels(i)
        blocks = [labels.index(tree.generalize(leaf, i)) for leaf in tree.leaves]
        levels.append(Level(np.array(blocks, np.int32), tuple(map(str, labels)) if i else None))
    return Taxonomy(Domain(Kind.CATEGORY, values, None in tree.leaves), tuple(levels))


def table_of(random: RandomTable) -> Table:
    """Take a random table with the taxonomies that come with it."""
    names = [*random.qid, *random.sensitive, *([random.owner] if random.owner else [])]
    columns = {
        name: pl.Series([row[name] for row in random.rows], dtype=pl.String) for name in names
    }
    return as_table(
        pl.DataFrame(columns),
        quasi=random.qid,
        sensitive=random.sensitive,
        owner=random.owner,
        taxonomies={name: ReadyMade(taxonomy_of(tree)) for name, tree in random.trees.items()},
    )


def finest_of(random: RandomTable) -> Groups:
    """Count the distinct records of a random table and all sensitive values."""
    return count(table_of(random), [(name,) for name in random.sensitive]).finest


def rows_of_case(given: Mapping[str, Sequence[object]]) -> list[dict[str, Hashable]]:
    """Read the columns and rows of a worked example."""
    return [dict(zip(given["columns"], row, strict=True)) for row in given["rows"]]  # type: ignore[call-overload]


def histogram_of(rows: Sequence[Sequence[int]], taxonomy: Taxonomy | None = None) -> Histogram:
    """Make a histogram from dense rows of counts."""
    dense = np.array(rows, np.int64).reshape(len(rows), -1)
    at = np.nonzero(dense)
    indptr = np.append(0, np.cumsum((dense > 0).sum(axis=1))).astype(np.int64)
    taxonomy = taxonomy or Flat().build(observe("s", [f"v{i:02}" for i in range(dense.shape[1])]))
    return Histogram(indptr, at[1].astype(np.int32), dense[at], dense.shape[1], taxonomy)


def groups_of(
    rows: Sequence[Sequence[int]],
    *,
    whole: Sequence[int] | None = None,
    column: str = "s",
    taxonomy: Taxonomy | None = None,
) -> Groups:
    """Make groups that differ in one column ``q`` from the counts of what they hide."""
    hidden = histogram_of(rows, taxonomy)
    sizes = hidden.reduce(np.add, hidden.counts)
    names: Columns = (column,)
    return Groups(
        sizes=sizes,
        weights=sizes.astype(float),
        histograms={names: hidden},
        whole={names: hidden.total if whole is None else np.array(whole, np.int64)},
        columns=("q",),
        keys=np.arange(len(rows), dtype=np.int32).reshape(-1, 1),
    )
