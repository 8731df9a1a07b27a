"""Privacy-preserving data publishing.

Turn records about people into a release that no one can be linked to, keep as much of their
usefulness as possible, and prove what was promised.

>>> import unlinkable as ul
>>> people = ul.as_table({"age": [30, 31, 45, 46], "ill": ["flu", "hiv", "flu", "cold"]},
...     quasi="age", sensitive="ill")
>>> release = ul.anonymize(people, privacy=[ul.KAnonymity(2), ul.DistinctLDiversity(2)])
>>> release.holds
True

Everything below is loaded when it is first used.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__version__ = "0.1.0"
