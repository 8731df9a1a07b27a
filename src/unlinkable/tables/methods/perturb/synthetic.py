"""Synthetic: a table of records that nobody has, which together look like the original ones.

References
----------
.. [1] J. P. Reiter. "Using CART to generate partially synthetic public use microdata." Journal of
   Official Statistics 21(3), 2005.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.3.3.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen
from attrs.validators import optional

from unlinkable.params import at_least
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.operations import SyntheticData

__all__ = ["Synthetic"]


@frozen
class Synthetic(RecordMethod):
    """Publish records that are drawn from trees which were grown on the original ones.

    How that is done, and why by trees, is said in the operation `SyntheticData`: one column after
    the other, each by a tree over the columns before it. Categories and whole records that fewer
    than ``common`` original records share are never published; numbers that fewer share are
    replaced by others between their neighbours.

    Promises
    --------
    None that a verifier could judge: no published record is anybody's. Protection rests on the
    model's knowing little of single people, by ``leaf`` and ``common``, and is not proved. It is
    not differentially private: `DPSynthetic` is. Records may come near to original ones, and
    extreme numbers show about where the extreme people are.

    Publishes
    ---------
    As many made-up records as asked for, with all columns but those that say who somebody is.
    Sensitive, target and weight columns are made up like all others. The trees and the original
    records stay private, and so does the seed. No record is true of anybody.

    Parameters
    ----------
    n
        Number of records to make; as many as there are if not given.
    common
        From how many original records on a value or a whole record is no longer a single person's.
    leaf
        The least number of original records in a leaf. The more, the less is kept of how columns
        hang together, and the less of single people.

    Cost
    ----
    O(d^2 h n) for n records, d columns and trees of height h, at most 40. Adult, 15 columns and
    32,561 records: 0.7 CPU s; one million records of these columns: 45 CPU s.

    Raises
    ------
    SchemaError
        If there is nothing to publish.
    DataError
        If there are no records, or if no value of a column is common.
    UnsupportedError
        If people may have several records, or if all records that the model makes are too like
        original ones.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"sex": ["f", "m"] * 50, "age": [30, 40] * 50}, quasi=["sex", "age"])
    >>> masked = ul.anonymize(people, privacy=[], method=ul.Synthetic(n=10), seed=1).masked
    >>> masked.frame.height, masked.rows is None
    (10, True)
    """

    name: ClassVar[str] = "synthetic"
    reference: ClassVar[str] = "Reiter 2005"
    needs_promise: ClassVar[bool] = False

    n: int | None = field(default=None, validator=optional(at_least(1)), kw_only=True)
    common: int = field(default=5, validator=at_least(1), kw_only=True)
    leaf: int = field(default=20, validator=at_least(1), kw_only=True)

    def refusal(self, model: GroupModel) -> str | None:
        return (
            "its records are nobody's, and nothing is proved of the model that they come from: use "
            "dp-synthetic for promises about noise, and mdav or mondrian for those about groups"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Make up records; the effort counts ``leaves``, records ``redrawn`` and ``repeated``."""
        self.require(privacy, may_suppress=False)
        operation = SyntheticData(n=self.n, common=self.common, leaf=self.leaf)
        frame, effort = operation.synthesize(table, task.rng, task.progress)
        return MaskedRecords(frame, None, effort=effort)
