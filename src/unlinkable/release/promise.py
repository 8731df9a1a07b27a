"""Privacy model: what can be promised about a release, whatever kind of data it is about."""

from __future__ import annotations

import abc
from typing import ClassVar

from unlinkable.registry import Registered
from unlinkable.release.attacks.attack import Threat

__all__ = ["PrivacyModel"]


class PrivacyModel(Registered, abc.ABC):
    """A promise: a definition of protection with its parameters."""

    entry_kind: ClassVar[str] = "model"
    threats: ClassVar[Threat]
    """What it guards against."""
    parameter: ClassVar[str]
    """The parameter that a release reaches more or less of."""
    higher_is_safer: ClassVar[bool] = True
    """Which way that runs."""
    not_promised: ClassVar[tuple[str, ...]]
    """What it does not promise, in sentences."""

    @abc.abstractmethod
    def promised(self) -> str:
        """Put the promise into a sentence, for people who do not know models."""
