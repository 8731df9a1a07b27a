"""Methods that tell sensitive values for whole buckets of records.

Each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.methods.buckets.anatomize import Anatomize as Anatomize
    from unlinkable.tables.methods.buckets.ke_permutation import KEPermutation as KEPermutation
    from unlinkable.tables.methods.buckets.r_robust_bucketization import (
        RRobustBucketization as RRobustBucketization,
    )

_WHERE = {
    "Anatomize": "anatomize",
    "KEPermutation": "ke_permutation",
    "RRobustBucketization": "r_robust_bucketization",
}
"""The file of each name."""

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
