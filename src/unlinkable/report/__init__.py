"""Report: a document for people, as HTML, Markdown and JSON.

This room knows how a page looks, and nothing of releases: what is on the page is gathered in
`unlinkable.tables.publishing`.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
