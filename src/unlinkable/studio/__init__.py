"""Studio: the web application, on the holder's own machine.

The server holds no records: all work on data is done by worker processes, which it talks to in
JSON. It does not even load the parts of the library that compute, so that it starts at once and
never stops answering.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
