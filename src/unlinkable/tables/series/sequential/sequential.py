"""sequential: publish other columns of the same people, so that joining them tells little.

Earlier releases are out and cannot be changed. The next one has new attributes, or other ones for
another recipient, and whoever has all of them joins them. It is therefore generalized until the
join is so full of false matches that it tells no more than was promised: the ambiguity of the join
does the work, and is no loss to those who use the release [1]_ [2]_.

References
----------
.. [1] K. Wang, B. C. M. Fung. "Anonymizing sequential releases." KDD 2006 (TDS4SA).
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Chapter 9. Lemmas 9.1 and 9.2 say that telling more never makes the join tell
   less; they need x to tell how records match, which is not said there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import ClassVar, Self

from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.params import as_columns, at_least, exact, is_flag, is_share
from unlinkable.tables.attacks.base import AdversaryKnowledge
from unlinkable.tables.attacks.series import (
    Edition,
    SequentialJoin,
    Series,
    SeriesAttack,
    read_rules,
    read_targets,
    refuse_unfit,
)
from unlinkable.tables.data import Frame, Role, Schema
from unlinkable.tables.methods.base import Method
from unlinkable.tables.methods.cuts import Score, as_score
from unlinkable.tables.publishing.anonymizing import refuse
from unlinkable.tables.publishing.releases import Release
from unlinkable.tables.series.membership_attacks import MEMBERSHIP_ATTACKS
from unlinkable.tables.series.next_release import edition_of
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.tables.series.sequential.join_problem import JoinProblem
from unlinkable.tables.series.sequential.join_promise import (
    earlier_promises,
    join_promise_of,
    remembered,
)
from unlinkable.tables.series.sequential.search import DISCLOSED, SequentialSearch
from unlinkable.tables.series.sequential.x_attacks import x_attacks
from unlinkable.typing import Columns

__all__ = ["Sequential"]


@frozen(kw_only=True)
class Sequential(Policy):
    r"""Generalize the next release until its join with all earlier ones tells little.

    Records of the releases *match* if their values lie on one path of the taxonomy on every
    categorical column that they share, and no rule says that what they show excludes each other;
    the join has a row for every match (see `SequentialJoin`). For every :math:`x` on the known
    columns that occurs in it, every :math:`y` has a share of at most ``h`` of its rows, and at
    least ``k`` different :math:`y` occur. The same is true of the release by itself: who matches
    nothing is in no row of the join, and must be guarded as well. A release that breaks what was
    promised when an earlier one was published is refused.

    Where releases tell the same column of y, somebody who knows x of everybody, and so who is in
    which group of each, is no surer either: of nobody who is left when groups are taken away, of
    nobody's values in all his groups, and in no more than ``h`` of the worlds that are possible, as
    far as they can be counted. If somebody falls to him, the search is stopped after half of its
    steps, then after half of these, until nobody does.

    The release starts with everything as general as can be, and in each step one value is replaced
    by its children, the one that gains most for each unit of privacy that the join loses
    (:math:`\mathrm{Gain} / (\mathrm{Loss} + 1)`), as long as the join keeps the promise. Numbers
    are split where that gains most. Quasi-identifiers that are not in ``x`` are published as they
    are.

    Parameters
    ----------
    x
        The columns that are known, of this release and of earlier ones: those of this release are
        generalized. All quasi-identifiers of all releases if not given.
    y
        What is to stay hidden: columns, single values (``"disease=HIV"``), each with a bound of its
        own if it has one (``"disease=HIV<=0.1"``); the sensitive columns of all releases if not
        given. Each is kept by itself.
    k
        How many different values of a column of ``y`` have to go with every ``x``.
    h
        How sure anybody may be of a value.
    inconsistent
        Values that nobody has at once, like ``"sex=Male, state=Pregnant"``.
    numbers
        Whether numbers and dates that releases share are matched as well. They are then refined
        along their taxonomy, so that intervals of several releases fit each other.
    score
        What a step gains: what it tells of the class (``igpl`` and ``information-gain``), what it
        takes off the metric of the task (``loss``), or off ``discernibility``. If not given, igpl
        if the table has a target, and loss otherwise.
    priced
        Whether the gain is divided by what the join loses of its privacy. information-gain never
        is, igpl always.
    target
        The column with the class, if score asks for one.

    Raises
    ------
    ParameterError
        If nothing is promised, neither of the join nor of the release.
    SchemaError
        If a column is in no release.
    UnsupportedError
        If a method was asked for, an earlier release cannot be joined, or the most general release
        breaks the promise and that does not prove that all others do.
    InfeasibleError
        If no release keeps the promise: the most general one does not.

    Examples
    --------
    >>> str(Sequential(x=["job", "zip"], y=["test=HIV"], h=0.9))
    'sequential(x=["job", "zip"], y=["test=HIV"], h=0.9)'
    """

    name: ClassVar[str] = "sequential"
    reference: ClassVar[str] = "Wang and Fung 2006"
    scenario: ClassVar[str] = (
        "other columns of the same people; what was published before stays as it is"
    )
    guards: ClassVar[tuple[str, ...]] = ("sequential-join", *MEMBERSHIP_ATTACKS)
    where_they_fit: ClassVar[tuple[str, ...]] = MEMBERSHIP_ATTACKS
    needs_promise: ClassVar[bool] = False

    x: Columns | None = field(default=None, converter=as_columns)
    y: Columns | None = field(default=None, converter=as_columns)
    k: int = field(default=1, validator=at_least(1))
    h: Fraction = field(default=Fraction(1, 2), converter=exact, validator=is_share)
    inconsistent: Columns = field(default=(), converter=as_columns)
    numbers: bool = field(default=False, validator=is_flag)
    score: Score | None = field(default=None, converter=as_score)
    priced: bool = field(default=True, validator=is_flag)
    target: str | None = None

    @y.validator
    def _fits(self, attribute: object, value: Columns | None) -> None:
        refuse_unfit(self.x, value)

    @inconsistent.validator
    def _is_read(self, attribute: object, value: Columns) -> None:
        read_rules(value)

    def bind(self, schema: Schema) -> Self:
        has_class = self.target is not None or bool(schema.with_role(Role.TARGET))
        score = self.score or (Score.IGPL if has_class else Score.LOSS)
        renew: Callable[..., Self] = evolve
        return renew(self, score=score)

    def method_for(self, request: Request, past: Past) -> Method:
        if request.method is not None:
            raise UnsupportedError(
                f"{self.name} makes releases in a way of its own: leave the method "
                f"{request.method.name} out"
            )
        promise = join_promise_of(self, request, past)
        is_bounded = self.h < 1 or self.k > 1 or any(item.limit for item in promise.asked)
        if not (promise.asked and is_bounded) and not request.models:
            raise ParameterError(
                "nothing is to stay hidden in this release or an earlier one: name columns with "
                "y=..., and bound how sure anybody may be with h or k; or promise something of "
                "this release, like k-anonymity(k=5)"
            )
        earlier = past.editions
        if earlier:
            why = SequentialJoin().misfit(Series(earlier), AdversaryKnowledge())
            if why is not None:
                raise UnsupportedError(f"{self.name} joins all releases: {why}")
        known = JoinProblem.of(promise, earlier, request.table)
        score = self.bind(request.table.schema).score
        is_igpl = score is Score.IGPL
        return SequentialSearch(
            score=Score.INFORMATION_GAIN if is_igpl else score,
            target=self.target,
            policy=self,
            earlier=known,
            priced=is_igpl or (self.priced and score is not Score.INFORMATION_GAIN),
        )

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        """Name the join by what is promised now, and by all that was promised before."""
        said = [self, *earlier_promises(past)]
        joins = [found for policy in said for found in policy._joins(request, past)]
        return tuple(dict.fromkeys(joins))

    def trials(
        self, request: Request, past: Past, edition: Edition
    ) -> Iterator[tuple[SeriesAttack, Series]]:
        """Try whoever joins all releases, and whoever knows x of everybody."""
        yield from super().trials(request, past, edition)
        series, wishes = past.followed_by(edition), [self, *earlier_promises(past)]
        for promise in dict.fromkeys(join_promise_of(policy, request, past) for policy in wishes):
            yield from x_attacks(promise, series)

    def instead_of(self, fallen: Release, request: Request, past: Past) -> Method | None:
        """Stop after half of the steps; in the end all of x is as general as can be."""
        method, effort = fallen.method, fallen.outcome.effort
        assert isinstance(method, SequentialSearch)
        n_steps = int(effort["steps"]) - int(effort.get(DISCLOSED, 0))
        return evolve(method, steps=n_steps // 2) if n_steps else None

    def named_values(self, schema: Schema) -> tuple[tuple[str, str], ...]:
        asked = read_targets(self.y) if self.y else ()
        return tuple((item.column, item.value) for item in asked if item.value is not None)

    def _joins(self, request: Request, past: Past) -> tuple[SequentialJoin, ...]:
        promise = join_promise_of(self, request, past)
        if not promise.asked:
            return ()
        return (
            SequentialJoin(
                promise.x,
                self.y or tuple(item.column for item in promise.asked),
                k=self.k,
                limit=self.h,
                inconsistent=self.inconsistent,
                numbers=self.numbers,
            ),
        )

    def remember(self, release: Release, request: Request, past: Past) -> Mapping[str, Frame]:
        """Remember what was promised; and see whether the release by itself keeps it.

        Raises
        ------
        BrokenPromiseError
            If it does not.
        """
        edition = edition_of(release, request.people, f"release {len(past) + 1}")
        there, promise = edition.target.frame.columns, join_promise_of(self, request, past)
        x = tuple(name for name in promise.x if name in there)
        texts = self.y or tuple(item.column for item in promise.asked)
        y = [t for t, item in zip(texts, promise.asked, strict=True) if item.column in there]
        if x and y:
            alone = SequentialJoin(x, y, k=self.k, limit=self.h)
            outcome = alone.attack(Series((edition,)), AdversaryKnowledge())
            told = [f"tells too much by itself: {outcome.found}"] if outcome.succeeded else []
            refuse(release.method, told)
        # What is sensitive in later releases only was promised nothing in this one.
        return remembered([*earlier_promises(past), *([evolve(self, y=texts)] if texts else [])])
