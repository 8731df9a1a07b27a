"""sequential-join: releases with different columns of the same people are joined.

One release has names and jobs, the other jobs and diseases, and each of them tells little. Joined
on what they share they link names to diseases [1]_. An adversary who joins does not know which
records are of the same person: they match all that may be, and some matches are false. A join may
therefore tell more than the releases by themselves, and it may tell less.

References
----------
.. [1] K. Wang, B. C. M. Fung. "Anonymizing sequential releases." KDD 2006.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Chapter 9.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import SchemaError, unknown
from unlinkable.params import as_columns, at_least, exact, is_flag, is_share
from unlinkable.tables.attacks.base.attack import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.joins.columns import Releases
from unlinkable.tables.attacks.series.shared.joins.join_counts import Question, count_all, look_up
from unlinkable.tables.attacks.series.shared.joins.join_effects import (
    JoinEffects,
    alone,
    effects,
    found_by_joining,
    offer_victims,
)
from unlinkable.tables.attacks.series.shared.joins.join_targets import (
    JoinTarget,
    read_rules,
    read_targets,
    refuse_unfit,
)
from unlinkable.tables.attacks.series.shared.joins.nodes import match_all
from unlinkable.tables.attacks.series.shared.joins.trees import Hidden, Tree
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.attacks.shared.victims import TopVictims
from unlinkable.tables.models.base import Threat
from unlinkable.typing import Columns

__all__ = ["SequentialJoin"]


@frozen
class SequentialJoin(SeriesAttack):
    r"""Match the records of all releases, and ask what the matches tell.

    Records :math:`t_1, \dots, t_p` of the releases are a *match* if on every categorical column
    that several releases have, their values lie on one path of its taxonomy (equal, or one above
    the other), and no two of them show values that are declared inconsistent, or values under such.
    The join has a row for every match. With :math:`a(x)` its rows that show :math:`x`, :math:`a(x,
    y)` those of them with :math:`y`, and :math:`a_Y(x)` the number of different :math:`y` among
    them, the confidence in :math:`y` is :math:`a(x, y) / a(x)`; too high if that is above the
    limit, or if :math:`a_Y(x) < k`.

    A column of ``x`` that several releases have stands for all its copies. Each item of ``y`` is
    judged by itself; a column that several releases have is read from the one that tells it most
    precisely. A missing value matches a missing value and ``*``.

    Parameters
    ----------
    x
        The columns that are known; all quasi-identifiers of all releases if not given.
    y
        What is to stay hidden: columns, single values (``"disease=HIV"``), each with a bound of its
        own if it has one (``"disease=HIV<=0.1"``); the sensitive columns of all releases if not
        given.
    k
        How many different values of a column of ``y`` have to go with every ``x``. Single values
        are bounded by the limit alone.
    limit
        Highest confidence allowed in a value.
    inconsistent
        Values that nobody has at once, like ``"sex=Male, state=Pregnant"``: one in one release, the
        other in another. Values under them are inconsistent, too.
    numbers
        Whether numbers and dates that releases share are matched as well: if their intervals
        overlap. The literature leaves them out, because intervals may be made differently for each
        release; raw ones are told by more than that.

    Needs
    -----
    All releases, the taxonomies, and what the victim shows on ``x``.

    Finds
    -----
    The confidence by the join, beside that by each release; and what the join does to groups:
    ``sharper`` ones are smaller than in any release, ``weaker`` ones larger. Everybody of the last
    release everybody is exposed who is in a group that tells too much, whether or not the match is
    true. ``dangling`` records match nothing: then the releases are not of the same people, or a
    taxonomy changed. If it is known whose the records are, ``true_matches`` tells how many rows are
    of one person.

    Cost
    ----
    Records that show the same are counted together, and matched once for all that agree on the
    shared columns; rows of the join are never made. If x has all columns that are matched,
    O(r log r) for r records; otherwise as many steps as groups of one release match groups of the
    others.

    Raises
    ------
    SchemaError
        If a column is in no release, a release has no column of x, or nothing is to stay hidden.
    UnsupportedError
        If a release has buckets or replaced values, or too many groups match.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.attacks.series.series import Edition, Series
    >>> from unlinkable.tables.attacks.base.target import Target
    >>> first = pl.DataFrame({"job": ["Banker", "Banker", "Clerk", "Driver"],
    ...     "disease": ["Cancer", "Cancer", "HIV", "Cancer"]})
    >>> then = pl.DataFrame({"name": ["Alice", "Alice", "Bob", "Bob"],
    ...     "job": ["Banker", "Banker", "Clerk", "Driver"]})
    >>> series = Series((Edition(Target(first, ("job",), ("disease",))),
    ...     Edition(Target(then, ("name", "job"), ()))))
    >>> outcome = SequentialJoin(x="name").run(series)
    >>> outcome.n_fallen, outcome.victims[0].who, outcome.victims[0].learned
    (2, {'name': 'Alice'}, {'disease': 'Cancer'})
    >>> outcome.details["rows"], outcome.details["weaker"]
    (6, 1)
    """

    name: ClassVar[str] = "sequential-join"
    reference: ClassVar[str] = "Wang and Fung 2006"
    threat: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    needs: ClassVar[str] = "all releases, and what the victim shows on the known columns"
    remedy: ClassVar[str] = (
        "publish the next release with the policy sequential, which generalizes it until the join "
        "with all earlier ones tells no more than the limit"
    )
    joins_columns: ClassVar[bool] = True
    stopped_by: ClassVar[tuple[str, ...]] = ("sequential",)

    x: Columns | None = field(default=None, converter=as_columns)
    y: Columns | None = field(default=None, converter=as_columns)
    k: int = field(default=1, validator=at_least(1), kw_only=True)
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )
    inconsistent: Columns = field(default=(), converter=as_columns, kw_only=True)
    numbers: bool = field(default=False, validator=is_flag, kw_only=True)

    @y.validator
    def _fits(self, attribute: object, value: Columns | None) -> None:
        refuse_unfit(self.x, value)

    @inconsistent.validator
    def _is_read(self, attribute: object, value: Columns) -> None:
        read_rules(value)

    def misfit(self, series: Series, knowledge: AdversaryKnowledge) -> str | None:
        for edition in series.editions:
            if edition.target.bucket is not None:
                return f"{edition.name} has buckets: join what it shows without its hidden values"
            if not edition.target.is_truthful:
                return (
                    f"values of {edition.name} were replaced: what matches is not the same person"
                )
        return None

    def attack(self, series: Series, knowledge: AdversaryKnowledge) -> Outcome:
        """Join the releases, and count what the join tells.

        Raises
        ------
        SchemaError
            If a column is in no release, or nothing is to stay hidden.
        UnsupportedError
            If too many groups match.
        """
        found = self.joined(series)
        surest, falls = TopVictims(), np.zeros(len(found.trees[-1]), bool)
        names = [edition.name for edition in series.editions]
        for asked, told in zip(found.targets, found.counts, strict=True):
            falls |= told.falls
            offer_victims(surest, found, asked, told, names)
        n_fallen = int(found.trees[-1].size[falls].sum())
        highest = max((told.part / told.whole for told in found.counts), default=0.0)
        details = effects(found, series)
        return Outcome(
            attack=self,
            n_attacked=len(series.editions[-1].target),
            n_fallen=n_fallen,
            highest=highest,
            victims=surest.victims,
            found=found_by_joining(found, n_fallen, len(series.editions[-1].target), highest),
            details=details,
        )

    def joined(self, series: Series) -> JoinEffects:
        """Count what the join of all releases tells, for everything that is asked."""
        releases, asked = self._read(series)
        trees = tuple(
            Tree.of(releases.known(i), releases.nodes(i), np.ones(frame.height, np.int64))
            for i, frame in enumerate(releases.frames)
        )
        _, which = match_all([tree.nodes for tree in trees], releases.sizes)
        told, before = [], []
        for item in asked:
            question = self._question(releases, trees, item)
            before.append(alone(trees[question.release], question))
            if all(tree.tells_node for tree in trees):
                told.append(look_up(trees, which, question))
            else:
                told.append(count_all(trees, releases.sizes, question))
        return JoinEffects(releases, trees, which, asked, tuple(told), tuple(before))

    def _read(self, series: Series) -> tuple[Releases, tuple[JoinTarget, ...]]:
        targets = [edition.target for edition in series.editions]
        there = list(dict.fromkeys(name for t in targets for name in t.frame.columns))
        y = self.y or tuple(dict.fromkeys(name for t in targets for name in t.sensitive))
        if not y:
            raise SchemaError("no column is sensitive: name what is to stay hidden with y=...")
        asked = read_targets(y)
        hidden = {item.column for item in asked}
        quasi = dict.fromkeys(name for t in targets for name in t.quasi if name not in hidden)
        x = self.x or tuple(quasi)
        for name in (*x, *hidden):
            if name not in there:
                raise SchemaError(f"{unknown('column', name, there)} of any release")
        if not x:
            raise SchemaError("no column is known to others: name what is known with x=...")
        releases = Releases.of(
            [t.frame for t in targets],
            [t.taxonomies for t in targets],
            x,
            read_rules(self.inconsistent) if len(series) > 1 else (),
            numbers=self.numbers,
        )
        return releases, asked

    def _question(self, releases: Releases, trees: tuple[Tree, ...], item: JoinTarget) -> Question:
        i = releases.teller(item.column)
        codes, texts = releases.of_teller(item.column, i)
        tree = trees[i]
        hidden = Hidden.of(tree.labels, codes, np.ones(codes.size, np.int64))
        is_asked, k = item.among(texts), self.k if item.value is None else 1
        return Question(i, hidden, is_asked, item.limit or self.limit, k)
