"""Incremental: releases of a growing table, of which no two together tell more than each may.

Each release of a growing table may keep its promise, and yet whoever holds several of them can take
one away from another (difference), intersect what they tell of a person (intersection), or follow a
record from one to the next (record tracing) [1]_. Here the next release is searched for among those
from which none of that can be done.

References
----------
.. [1] J.-W. Byun, T. Li, E. Bertino, N. Li, Y. Sohn. "Privacy-preserving incremental data
   dissemination." Journal of Computer Security 17(1), 2009.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Self

from attrs import field, frozen

from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.tables.attacks.series import Correspondence, SeriesAttack, Targets
from unlinkable.tables.data import Frame, Schema
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.methods.base import Method
from unlinkable.tables.methods.lattice import Incognito, Optimal
from unlinkable.tables.methods.regions import Mondrian
from unlinkable.tables.publishing.releases import Release
from unlinkable.tables.series.bounds import series_bounds
from unlinkable.tables.series.incremental.channels import Channels
from unlinkable.tables.series.incremental.checked_lattice import CheckedIncognito, CheckedOptimal
from unlinkable.tables.series.incremental.checked_mondrian import CheckedMondrian
from unlinkable.tables.series.incremental.growth import (
    newcomers,
    raw_series,
    require_batch,
    require_growth,
)
from unlinkable.tables.series.incremental.history_table import updated_memory
from unlinkable.tables.series.incremental.merging import Merging
from unlinkable.tables.series.incremental.strategy import Strategy, as_strategy
from unlinkable.tables.series.incremental.unchecked import Unchecked
from unlinkable.tables.series.membership_attacks import MEMBERSHIP_ATTACKS, membership_attacks
from unlinkable.tables.series.next_release import edition_of
from unlinkable.tables.series.policy import Past, Policy, Request

__all__ = ["Incremental"]

_Found = Mondrian | Incognito | Optimal

_MERGED = "merged"
"""Remembered of a series in which somebody fell to a checked release: it goes on by merging."""


@frozen
class Incremental(Policy):
    r"""Publish a growing table again, so that all releases together keep what each one promised.

    Records are added, and never changed or deleted. With :math:`(k, c)` what was promised
    (`series_bounds`), for whoever holds all releases and knows who is in which group of each:

    - people who are left when groups of one release are taken away from groups of another are at
      least k, and no value of theirs has a share above c;
    - the values that all groups of a person have in common, each as often as it is in all of them,
      have shares of at most c;
    - at least k people lie in the region to which a record can be narrowed down by following it;
    - over all worlds that the releases leave possible, nobody has a value with a probability above
      c, as far as they can be counted (`critical-absence`).

    Where the releases are recoded alike, at least k records are left as well to whoever follows
    them (`correspondence`), and no value of theirs has a share above c.

    Parameters
    ----------
    strategy
        ``checked``: all records are put into groups anew, such that the above holds. If somebody
        is exposed to an attack all the same, this release and all later ones are made by ``merge``:
        what was published stays as it is, and newcomers get groups of their own. That is safe and
        fast, and loses less, but equal records may show different things. ``static``: as if nothing
        had been published before. **That is the broken way**, here for comparison only: it guards
        against nothing.

    Methods
    -------
    ``mondrian`` (if none is asked for), ``incognito`` and ``optimal``.

    Promises
    --------
    ``k-anonymity``, ``kc-anonymity``, ``alpha-k-anonymity`` on all values, and
    ``frequency-l-diversity``. All releases of a series must amount to the same k and c.

    Raises
    ------
    SchemaError
        If nothing is sensitive.
    UnsupportedError
        If somebody is gone or changed, or the promise or the method is not among those above.
    InfeasibleError
        If newcomers are fewer than k, or share a value too often, so that they would be given away
        whatever is published: wait for more.

    Examples
    --------
    >>> from unlinkable.tables.series.next_release import next_release
    >>> from unlinkable.tables.models import KCAnonymity
    >>> from unlinkable.tables.data import as_table
    >>> import numpy as np
    >>> ages, ill = [21, 23, 52, 57, 27, 53, 59, 28], list("abcdebca")
    >>> def request(n: int) -> Request:
    ...     table = as_table({"age": ages[:n], "ill": ill[:n]}, quasi="age", sensitive="ill")
    ...     return Request(table, np.arange(n), (KCAnonymity(2, "1/2", sensitive="ill"),))
    >>> first = next_release(Incremental(), request(4), Past())
    >>> sorted(set(first.edition.target.frame["age"]))
    ['[21-24)', '[52-58)']
    >>> then = next_release(Incremental(), request(8), Past((first.edition,), {}, 4))
    >>> sorted(set(then.edition.target.frame["age"]))
    ['[21-24)', '[27-29)', '[52-60)']
    >>> [outcome.n_fallen for outcome in then.outcomes]
    [0, 0, 0, 0, 0]
    """

    name: ClassVar[str] = "incremental"
    reference: ClassVar[str] = "Byun, Li, Bertino, Li and Sohn 2009"
    scenario: ClassVar[str] = (
        "records are added; nobody leaves, and nothing that is known of somebody changes"
    )
    guards: ClassVar[tuple[str, ...]] = (*MEMBERSHIP_ATTACKS, "correspondence")
    where_they_fit: ClassVar[tuple[str, ...]] = ("correspondence",)
    is_undone_by_names: ClassVar[bool] = True

    strategy: Strategy = field(default=Strategy.CHECKED, converter=as_strategy)

    def bind(self, schema: Schema) -> Self:
        if not schema.sensitive:
            raise SchemaError(
                f"{self} guards what releases tell of sensitive values together, and no column is "
                "sensitive: say which column nobody may find out"
            )
        return self

    def method_for(self, request: Request, past: Past) -> Method:
        method = self._method(request)
        bounds = self._bounds(request, past)
        if self.strategy is Strategy.STATIC:
            if past.memory:
                raise UnsupportedError(
                    f"{self} guards against nothing, and the people of earlier releases were "
                    "promised that it would be: go on with incremental, or begin a new series to "
                    "compare"
                )
            return Unchecked(self, method)
        series = raw_series(request, past)
        require_growth(self, request, past, series)
        if not len(past):
            return Unchecked(self, method)
        for column, bound in bounds.items():
            require_batch(self, request, past, column, bound)
        if self.strategy is Strategy.MERGE or _MERGED in past.memory:
            return self._merging(request, past)
        channels = Channels(request, past, bounds)
        match method:
            case Mondrian():
                return CheckedMondrian(
                    method.strict,
                    method.split,
                    method.along,
                    method.labels,
                    policy=self,
                    channels=channels,
                )
            case Optimal():
                return CheckedOptimal(method.steps, method.time, policy=self, channels=channels)
            case Incognito():
                return CheckedIncognito(policy=self, channels=channels)

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        if self.strategy is Strategy.STATIC:
            return ()
        bounds = self._bounds(request, past)
        following = (
            Correspondence(k, sensitive=column, targets=Targets.ACTUAL, limit=c)
            for column, (k, c) in bounds.items()
        )
        return (*membership_attacks(bounds), *following)

    def instead_of(self, fallen: Release, request: Request, past: Past) -> Method | None:
        """Leave what was published as it is, and put newcomers into groups of their own."""
        if self.strategy is not Strategy.CHECKED or isinstance(fallen.method, Merging):
            return None
        return self._merging(request, past)

    def remember(self, release: Release, request: Request, past: Past) -> Mapping[str, Frame]:
        """Write down what can be inferred of everybody by now: Byun's history table."""
        if self.strategy is Strategy.STATIC:
            return {}
        edition = edition_of(release, request.people, "the release")
        found = updated_memory(past, past.followed_by(edition))
        if self.strategy is Strategy.CHECKED and isinstance(release.method, Merging):
            return {**found, _MERGED: to_frame({"since": [len(past) + 1]})[0]}
        return found

    def _merging(self, request: Request, past: Past) -> Merging:
        last = past.editions[-1]
        return Merging(self, self._method(request), last, request.people, newcomers(request, last))

    def _method(self, request: Request) -> _Found:
        method = request.method or Mondrian()
        if not isinstance(method, _Found):
            raise UnsupportedError(
                f"{self} cannot use {method}: it knows how to check mondrian, incognito and "
                "optimal against earlier releases. Ask for one of these"
            )
        return method

    def _bounds(self, request: Request, past: Past) -> Mapping[str, tuple[int, Fraction]]:
        """Read what all releases are held to, for each sensitive column.

        Raises
        ------
        UnsupportedError
            If something else is promised now than before.
        """
        found = {}
        for column in request.table.schema.sensitive:
            k, c = series_bounds(request.models, self, column)
            earlier = [
                series_bounds(edition.target.promises, self, column)
                for edition in past.editions
                if edition.target.promises
            ]
            if earlier:
                then = max(k for k, _ in earlier), min(c for _, c in earlier)
                if self.strategy is not Strategy.STATIC and (k, c) != then:
                    raise UnsupportedError(
                        f"{self}: earlier releases promised at least {then[0]} people, and shares "
                        f"of {column!r} of at most {float(then[1]):.4g}, and now {k} people and "
                        f"shares of {float(c):.4g} are asked for. All releases of a series are "
                        "held to the same: promise that, or begin a new series"
                    )
            found[column] = k, c
        return found
