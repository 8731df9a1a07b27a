"""What the test file of a model declares, for the tests that run on all models.

``test_NAME.py`` may have

- ``MODELS``, ``DO_NOT_ABSORB``, ``ARE_NOT_SAFE``, ``COUNTED``: see `tests.tables.models.samples`;
- ``ATTACKED``: promises about the patients of `tests.tables.attacks.promised`, published by every
  method that serves them and attacked;
- ``BEATEN``: a promise, the title of a table of `tools.showcases` that keeps it, and the attack
  that succeeds there all the same.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["declared", "declaring"]


@cache
def declaring() -> tuple[ModuleType, ...]:
    """Load the test files that declare models."""
    files = sorted(Path(__file__).parent.glob("test_*.py"))
    named = [file.stem for file in files if "\nMODELS" in file.read_text(encoding="utf-8")]
    return tuple(import_module(f"tests.tables.models.{stem}") for stem in named)


def declared(name: str) -> list[Any]:
    """Give all that test files declare under a name."""
    return [each for module in declaring() for each in getattr(module, name, [])]
