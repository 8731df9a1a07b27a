"""How tests run: how many examples, and where compiled kernels are kept."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).parent.parent

settings.register_profile("development", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=50, deadline=None)
settings.register_profile("nightly", max_examples=5000, deadline=None)

is_ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if is_ci else "development"))

# Numba numbers its cache files without a lock: two processes that compile the same function for
# different types can each write "1" and later load the other's code. Every worker therefore has a
# folder of its own, which the processes it starts inherit.
if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".numba_cache" / worker)
