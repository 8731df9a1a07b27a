"""Where pictures of pages are kept for people to look at."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["screenshots"]

USUAL = Path(__file__).parents[2] / "build" / "screenshots"


def screenshots() -> Path:
    """Give ``build/screenshots``, or the folder that ``UNLINKABLE_SCREENSHOTS`` names."""
    folder = Path(os.environ.get("UNLINKABLE_SCREENSHOTS") or USUAL)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
