r"""dp-synthetic: records that nobody has, drawn from a model that was learnt with noise.

The table of the largest entropy that has the right counts of single attributes and of some pairs is
what records are drawn from. Counts get noise, and so does the choice of the pairs. It is
the mechanism that won the contest of the NIST on synthetic data [1]_, called MST.

References
----------
.. [1] R. McKenna, G. Miklau, D. Sheldon. "Winning the NIST contest: a scalable and general approach
   to differentially private synthetic data." Journal of Privacy and Confidentiality 11(3), 2021.
.. [2] R. McKenna, B. Mullins, D. Sheldon, G. Miklau. "AIM: an adaptive and iterative mechanism for
   differentially private synthetic data." VLDB 2022. Equation 1.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import optional

from unlinkable.noise import SpendableBudget
from unlinkable.params import at_least
from unlinkable.tables.data import Table, frame_like
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.noisy.shared.noisy_method import NoisyMethod
from unlinkable.tables.methods.noisy.shared.tree_model import learn, n_shares
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies import Kind

__all__ = ["DPSynthetic"]


@frozen(kw_only=True)
class DPSynthetic(NoisyMethod):
    r"""Publish made-up records with about the same counts of values and of telling pairs of values.

    The budget is split into three equal parts, in pure epsilons, or in :math:`\rho` if a
    :math:`\delta` is allowed and that buys less noise.

    1. The counts of the cells of every attribute are measured with noise.
    2. Pairs are chosen that join all attributes (a spanning tree): of the pairs that join two parts
       which are not joined yet, the exponential mechanism chooses one whose counts are far from
       those that independent attributes would have. The score is that distance in L1 in whole
       numbers, which a person changes by one, less the noise that the cells of the pair will get
       [2]_.
    3. The counts of the chosen pairs are measured with noise.

    From the second step on, cells that are rare by the first one are counted together.

    The nearest counts that agree and are not negative are found, and records are drawn from the
    tree that they make up. There are as many as the noisy counts say. Numbers and dates are drawn
    evenly from their cell. With one attribute all goes into its counts, and with two nothing is to
    choose.

    Decisions where the paper leaves them open: noise is geometric where only an epsilon is allowed;
    the number of records is the one that all noisy counts together make likely; and of its
    preprocessing only the merging of rare cells is done. The model is fitted here and not by the
    library of its authors (mbi), which would bring in JAX: on a tree it is exact without iterations
    over potentials.

    Promises
    --------
    Differential privacy, or distributional privacy. The verdict rests on the ledger, which the
    method publishes: every count and every choice of a pair is an event. Not on chance that can be
    repeated: OpenDP draws the noise, and takes no seed. Records are drawn with the chance of the
    run, on which nothing rests.

    Publishes
    ---------
    Records with the columns and types of the table, without those that say who somebody is and
    without weights. No record is true of anybody, though one may be equal to somebody's by chance.
    Which pairs were measured is published as well; true counts stay private.

    Parameters
    ----------
    columns
        The columns; all that do not say who somebody is if not given. All others are left out.
    records
        Number of records, if it is to be another than the noisy counts say.
    bins
        Ranges in which numbers and dates are counted: ``[["age", 20, 40, 60]]``. They are
        published: choose them without looking at the records. What lies outside is counted as below
        and above.
    levels
        How coarsely a column is counted, by the level of its taxonomy: ``[["job", 1]]``, where 0 is
        every value by itself. If neither is given, by the values that the taxonomy lists, or by its
        narrowest ranges. Categories are published as they are counted.
    missing
        Columns in which values may be missing: people without a value are counted, too.

    Cost
    ----
    O(d^2 (n + v)) for n records of d columns and v cells of a pair. The 8 attributes of Adult take
    about a quarter of a CPU second.

    Raises
    ------
    UnsupportedError
        If a person may have several records (an owner column), the values of a column of categories
        were not listed beforehand, or the range of numbers is not public.
    SchemaError
        If a column is not there, or says who somebody is.
    DataError
        If values are missing in a column that is not named in ``missing``.
    InfeasibleError
        If the budget is 0.

    Examples
    --------
    >>> from unlinkable.noise import price
    >>> from unlinkable.tables.models import DifferentialPrivacy
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> from unlinkable.tables.metrics import ILoss
    >>> people = as_table(
    ...     {"sex": ["f", "m"] * 50, "age": [30, 34] * 50}, quasi=["sex", "age"],
    ...     taxonomies={"sex": Tree({"any": ["f", "m"]})})
    >>> method = DPSynthetic(bins=[["age", 20, 40, 60]], records=10)
    >>> masked = method.mask(people, All([DifferentialPrivacy(1)]), Task((), ILoss()))
    >>> masked.frame.columns, masked.frame.height
    (['sex', 'age'], 10)
    >>> price(masked.ledger).at(0) <= 1.0
    True
    """

    name: ClassVar[str] = "dp-synthetic"
    reference: ClassVar[str] = "McKenna, Miklau and Sheldon 2021"

    records: int | None = field(default=None, validator=optional(at_least(0)))

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        method = self.bind(table.schema)
        method.require_people(table)
        budget = method.allowed(table, privacy)
        wanted = method.columns or ()
        found = {c.name: c for c in method.cells(table)}
        method.require_listed(table)
        cells = [found[name] for name in table.frame.columns if name in wanted]
        d = len(cells)
        spendable = SpendableBudget.cheapest(budget, l1=n_shares(d), l2=math.sqrt(n_shares(d)))
        task.progress(0.1, f"measuring {d} attributes")
        learnt = learn(cells, spendable)
        n = round(max(learnt.model.total, 0)) if self.records is None else self.records
        if self.records is None and n and privacy.budget(n) != budget:
            # A promise whose noise depends on the number of records takes it for known.
            n = min(n, len(table))
        task.progress(0.8, f"drawing {n} records")
        drawn = learnt.draw(n, task.rng)
        columns = {
            c.name: c.draw(codes, task.rng, is_whole=_is_whole(table, c.name))
            for c, codes in zip(cells, drawn, strict=True)
        }
        pairs = "; ".join(f"{cells[a].name}, {cells[b].name}" for a, b in learnt.model.pairs)
        return MaskedRecords(
            frame_like(table.frame, columns),
            None,
            ledger=spendable.ledger,
            told={"pairs measured": pairs} if pairs else {},
            effort={"cells": learnt.n_cells, "rounds": learnt.rounds},
        )


def _is_whole(table: Table, name: str) -> bool:
    """Whether a column holds whole numbers, or days."""
    domain = table.numbered(name).observed.domain
    if domain.kind is Kind.DATE:
        return np.datetime_data(domain.values.dtype)[0] != "us"
    return domain.values.dtype.kind in "iu"
