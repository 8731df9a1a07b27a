"""Worked examples of the literature, one JSON file each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def load(name: str) -> dict[str, Any]:
    """Read the worked example of this name."""
    path = Path(__file__).parent / f"{name}.json"
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return case
