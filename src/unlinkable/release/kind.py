"""Kind: what the centre has to know of a kind of data.

A release of tables, of baskets or of paths is a promise, a plan, a bundle, a verification and a
report. All of that is the same for every kind of data. A kind says what differs: how its data are
read, how a release of them is made and opened again, and how promises are judged from its files.
"""

from __future__ import annotations

import abc
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from unlinkable.errors import UnsupportedError
from unlinkable.registry import DEFAULT_KIND, Entry, data_kind, data_kinds
from unlinkable.typing import Progress

if TYPE_CHECKING:
    from unlinkable.release.bundle.manifest import Manifest
    from unlinkable.release.bundle.opened import Bundle
    from unlinkable.release.bundle.private_half import PrivateHalf
    from unlinkable.release.description import Description
    from unlinkable.release.plan.plan import Plan
    from unlinkable.release.release import Release
    from unlinkable.release.verify.judgement import Judgement

__all__ = ["Kind", "kind_called", "kind_for", "kind_of_file"]


class Kind(abc.ABC):
    """A kind of data: the one object that its room or package exports."""

    name: ClassVar[str]
    """What it is called in plans and on the command line."""
    summary: ClassVar[str]
    """What such data are, in a sentence."""
    endings: ClassVar[tuple[str, ...]] = ()
    """The endings of files that can be nothing else, like ``.gpx``."""
    packages: ClassVar[Mapping[str, str]]
    """Which package exports its models, its methods and so on, by kind of entry."""

    def stand_in(self, kind: str, name: str) -> Entry | None:
        """Give an entry of another kind that can be used as one of this kind; None if none can."""
        return None

    @property
    @abc.abstractmethod
    def plan(self) -> type[Plan]:
        """What its plans say."""

    @property
    @abc.abstractmethod
    def manifests(self) -> tuple[type[Manifest], ...]:
        """The forms of its manifests, which have different format numbers."""

    @property
    @abc.abstractmethod
    def private_half(self) -> type[PrivateHalf]:
        """What its holder keeps."""

    @abc.abstractmethod
    def takes(self, data: object) -> bool:
        """Whether data in memory are of this kind, beyond doubt."""

    @abc.abstractmethod
    def anonymize(self, data: object, **options: object) -> Release:
        """Make a release of data in memory."""

    @abc.abstractmethod
    def run(self, plan: Plan, progress: Progress | None = None) -> Release:
        """Make the release that a plan asks for."""

    @abc.abstractmethod
    def open(
        self, folder: Path, public: Path, manifest: Manifest, private: PrivateHalf | None
    ) -> Bundle:
        """Take the files of a bundle."""

    @abc.abstractmethod
    def judge(self, public: Path, manifest: Manifest, private: PrivateHalf | None) -> Judgement:
        """Judge a release again, from its files alone, which are known to be whole."""

    def describe(self, plan: Plan, progress: Progress | None = None) -> Description:
        """Look at data before anything is done to them.

        Raises
        ------
        UnsupportedError
            If nothing can be told of such data.
        """
        raise UnsupportedError(f"data of the kind {self.name} cannot be described")


def kind_called(name: str) -> Kind:
    """Find a kind of data by its name.

    Raises
    ------
    ParameterError
        If there is none.

    Examples
    --------
    >>> kind_called("tables").name
    'tables'
    """
    return cast("Kind", data_kind(name))


def kind_for(data: object) -> Kind:
    """Find the kind of data in memory: that of tables, unless another one knows them as its own."""
    others = (kind_called(name) for name in data_kinds() if name != DEFAULT_KIND)
    return next((kind for kind in others if kind.takes(data)), kind_called(DEFAULT_KIND))


def kind_of_file(source: str) -> Kind:
    """Find the kind of the data in a file by its ending; that of tables if the ending says nothing.

    Examples
    --------
    >>> kind_of_file("adult.csv").name
    'tables'
    """
    others = (kind_called(name) for name in data_kinds() if name != DEFAULT_KIND)
    lower = source.lower()
    fitting = (kind for kind in others if any(lower.endswith(e) for e in kind.endings))
    return next(fitting, kind_called(DEFAULT_KIND))
