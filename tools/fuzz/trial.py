"""One try of a fuzzer, and how it ended."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FailureError", "RefusalError", "Result", "Trial", "run"]

Trial = Callable[[random.Random, Path], str]
"""Does something random in an empty folder and says what, in a word or two."""


class FailureError(Exception):
    """The library did something that it must not do."""


class RefusalError(Exception):
    """The library declined, as it may: nothing was wrong, and nothing was made."""


@dataclass(frozen=True)
class Result:
    """How the try with a seed ended: ``done``, ``refused`` or ``failed``."""

    seed: int
    outcome: str
    about: str


def run(trial: Trial, seed: int, folder: Path) -> Result:
    """Run one try; whatever it raises besides a refusal is a failure."""
    try:
        return Result(seed, "done", trial(random.Random(seed), folder))
    except RefusalError as refusal:
        return Result(seed, "refused", str(refusal))
    except FailureError as failure:
        return Result(seed, "failed", str(failure))
    except Exception:  # Whatever it is, it is the finding.
        return Result(seed, "failed", traceback.format_exc())
