"""How many people of a population are unique, estimated from a sample of them.

Sizes of groups go in, an estimate comes out: nothing here knows of models or tables.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
