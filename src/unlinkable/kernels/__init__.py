"""Loops over records and groups, compiled. Arrays in, arrays out; no classes.

Each kernel has a twin of the same name in ``tests/kernels/by_definition.py`` that says the same in
plain Python. Kernels check nothing: that is done once, at the border.
"""

from __future__ import annotations

from unlinkable.kernels.cache.cache_folder import have_cache, write_one_at_a_time

__all__: list[str] = []

have_cache()
write_one_at_a_time()
