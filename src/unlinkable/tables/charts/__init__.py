"""Charts of a release, one per file: what was lost, how groups look, what can be had for what.

A chart holds numbers that are added up, never records. Building one needs nothing but this library;
drawing it needs the extra ``charts``, and no network.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
