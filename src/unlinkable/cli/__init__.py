"""The command line: parse, call the library, show what came of it."""

from __future__ import annotations
