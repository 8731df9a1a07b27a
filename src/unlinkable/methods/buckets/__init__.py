"""Methods that tell sensitive values for whole buckets of records."""

from __future__ import annotations

from unlinkable.methods.buckets.anatomize import Anatomize
from unlinkable.methods.buckets.ke_permutation import KEPermutation
from unlinkable.methods.buckets.r_robust_bucketization import RRobustBucketization

__all__ = ["Anatomize", "KEPermutation", "RRobustBucketization"]
