"""attribute-linkage: the people who look like the victim have something in common.

Nobody has to find a victim's record to learn what it hides. If nine of ten people who look like the
victim have HIV, so most likely has the victim; if all have it, it is certain (the homogeneity
attack). k-anonymity does not even notice: it counts people, and not what they have [1]_. Values
that differ may still mean nearly the same (the similarity attack) [2]_, and an adversary who knows
some sensitive values of a victim uses them like all other knowledge [3]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Sections 2.2 and 6.2.1.
.. [2] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Section 2.4.
.. [3] C. C. Aggarwal. "Data Mining: The Textbook." 2015. Section 20.3.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import ClassVar

from attrs import field, frozen
from attrs.validators import optional

from unlinkable.errors import DataError, ParameterError
from unlinkable.params import as_columns, at_least, exact, is_flag, is_share
from unlinkable.release.attacks import Outcome, Threat, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.grouped.shared.beliefs import (
    Beliefs,
    beliefs,
    hidden_in,
    known_columns,
    no_groups,
)
from unlinkable.tables.attacks.grouped.shared.exposure import Exposure
from unlinkable.tables.attacks.grouped.shared.value_guesses import Guesses, has_value, inner_levels
from unlinkable.tables.models import refuse_invalid_values
from unlinkable.tables.models.base import Bound, GroupModel, SensitiveGoal
from unlinkable.typing import Columns

__all__ = ["AttributeLinkage"]


@frozen
class AttributeLinkage(Attack):
    r"""Infer a sensitive value from what people who look alike have in common.

    The adversary knows that the victim is in the table, and the victim's quasi-identifier
    :math:`q`. That leaves the records :math:`T[q]`. The adversary guesses the most frequent
    sensitive value :math:`s` of them: :math:`P(s \mid q) = |T[q, s]| / |T[q]|`. In buckets, this is
    the mean of the shares of the value in the buckets of these records.

    Parameters
    ----------
    sensitive
        The sensitive column to attack; each of them if not given.
    qid
        The columns that the adversary knows of the victim; the whole quasi-identifier if not given.
    at_most
        The adversary knows at most so many of these columns, whichever they are: a person is
        exposed if some choice of them is enough. All of them if not given.
    values
        Only these sensitive values count; all if not given. With ``similar``, also the names of
        nodes of the taxonomy.
    similar
        Whether a node of the column's taxonomy below its root is a guess as well: "some stomach
        disease".
    knows_sensitive
        The adversary also knows the victim's values in up to so many other sensitive columns.
    limit
        Highest confidence allowed: a person is exposed if the adversary is more confident.

    Needs
    -----
    The victim's quasi-identifying values, or some of them.

    Finds
    -----
    For each group of people who look alike the most likely value and how likely it is; groups in
    which everybody has the same value.

    Cost
    ----
    O(n) for n records and each set of columns that the adversary may know; there are
    :math:`\binom{d}{1} + \dots + \binom{d}{L}` sets of at most L of d columns.

    Raises
    ------
    SchemaError
        If a column is not published in that role.
    DataError
        If no record has one of the values.

    Examples
    --------
    >>> import polars as pl
    >>> told = pl.DataFrame({"job": ["artist"] * 4 + ["clerk"] * 2,
    ...     "ill": ["flu", "hiv", "hiv", "hiv", "flu", "cold"]})
    >>> outcome = AttributeLinkage().run(Target(told, ("job",), ("ill",)))
    >>> outcome.n_fallen, outcome.highest
    (4, 0.75)
    >>> outcome.victims[0].who, outcome.victims[0].learned
    ({'job': 'artist'}, {'ill': 'hiv'})
    """

    name: ClassVar[str] = "attribute-linkage"
    reference: ClassVar[str] = "Fung, Wang, Fu and Yu 2010, section 2.2"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[str] = "what the victim shows on the quasi-identifier, or some of it"
    remedy: ClassVar[str] = (
        "bound the share of a sensitive value in a group: frequency-l-diversity, "
        "entropy-l-diversity, confidence-bounding, lkc-privacy (if little is known of people) or "
        "t-closeness"
    )
    stopped_by: ClassVar[tuple[str, ...]] = (
        "frequency-l-diversity",
        "entropy-l-diversity",
        "recursive-cl-diversity",
        "alpha-k-anonymity",
        "kc-anonymity",
        "lkc-privacy",
        "confidence-bounding",
        "xy-linkability",
        "xy-privacy",
        "ff-anonymity",
        "t-closeness",
        "hellinger-closeness",
        "beta-likeness",
        "delta-disclosure",
    )

    sensitive: str | None = None
    qid: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    at_most: int | None = field(default=None, validator=optional(at_least(1)), kw_only=True)
    values: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    similar: bool = field(default=False, validator=is_flag, kw_only=True)
    knows_sensitive: int = field(default=0, validator=at_least(0), kw_only=True)
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )

    @values.validator
    def _are_texts(self, attribute: object, value: Columns | None) -> None:
        refuse_invalid_values(value)

    def __attrs_post_init__(self) -> None:
        if self.qid == () and not self.knows_sensitive:
            raise ParameterError(
                "qid must name at least one column if the adversary knows no sensitive values; "
                "leave it out to mean all"
            )

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        if why := no_groups(target):
            return why
        if self.knows_sensitive and len(target.sensitive) < 2:
            return "there is one sensitive column, so none is left to know"
        if self.knows_sensitive and target.bucket is not None:
            return "in buckets nobody can tell which of the known values belong to which record"
        hidden = hidden_in(target, target.columns_about(self.sensitive)) if self.similar else {}
        if self.similar and not any(map(inner_levels, hidden.values())):
            return "no sensitive column has a taxonomy with nodes between its values and the root"
        return None

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        whole = hidden_in(target, target.columns_about(self.sensitive))
        for value in self.values or ():
            if not any(has_value(h, value, similar=self.similar) for h in whole.values()):
                where = " or ".join(map(repr, whole))
                raise DataError(f"no record has {value!r} in {where}: check how it is written")
        known = known_columns(target, self.qid, self.at_most)
        n_hidden = min(self.knows_sensitive, len(target.sensitive) - 1)
        run = _Run(self, n_hidden)
        n_all = len(known) * sum(comb(len(target.sensitive), n) for n in range(n_hidden + 1))
        for i, seen in enumerate(beliefs(target, tuple(whole), known, n_hidden=n_hidden)):
            run.take(seen)
            knowledge.progress((i + 1) / n_all, "guessed from sets of columns")
        return run.outcome()

    def value_ceiling(self, model: GroupModel, goal: SensitiveGoal) -> Bound:
        # A node of the taxonomy as a guess, or other known sensitive values, are not bounded.
        return None if self.similar or self.knows_sensitive else model.share_ceiling(goal)


class _Run:
    """What is found by one adversary after the other."""

    def __init__(self, attack: AttributeLinkage, n_hidden: int) -> None:
        self._attack, self._n_hidden = attack, n_hidden
        self._exposure = Exposure(attack.limit)
        self._n_sets = 0

    def take(self, seen: Beliefs) -> None:
        """Take in what an adversary sees."""
        for name, hidden in seen.histograms.items():
            guesses = Guesses.of(hidden, self._attack.values, similar=self._attack.similar)
            self._guess(seen, name, guesses)
        self._n_sets += len(seen)
        if self._n_hidden:
            n = len(set(seen.columns) & set(seen.target.sensitive))
            self._exposure.note(f"unique_knowing_{n}", seen, seen.people == 1)

    def _guess(self, seen: Beliefs, name: str, guesses: Guesses) -> None:
        def tell(at: int, sure: float) -> Victim:
            who, n = seen.describe(at)
            records = n if seen.target.bucket is None else None
            return Victim(who, sure, {name: guesses.text(at)}, records, n)

        for level, peaks in enumerate(guesses.peaks):
            what = f"certain_on_level_{level}" if level else "certain"
            self._exposure.note(what, seen, peaks == seen.wholes)
        self._exposure.take(seen, guesses.best, seen.wholes, tell)

    def outcome(self) -> Outcome:
        """Say what was found."""
        details = {"groups": self._n_sets, **self._exposure.noted}
        return self._exposure.outcome(self._attack, self._found(), details)

    def _found(self) -> str:
        attack, exposure = self._attack, self._exposure
        what = "a sensitive value" if attack.sensitive is None else repr(attack.sensitive)
        what += ", or of the kind of value," if attack.similar else ""
        if not exposure.n_fallen:
            sure = f"at most {exposure.highest:.3g} sure of {what.rstrip(',')}"
            return f"Nobody falls: whoever knows what a person shows is {sure}."
        certain = max(n for key, n in exposure.noted.items() if key.startswith("certain"))
        same = "values of one kind" if attack.similar else "the same value"
        everybody = f" {quantity(certain, 'person', 'people')} can be told for sure: all who look "
        return (
            f"{exposure.n_fallen:,} of {quantity(exposure.n_attacked, 'person', 'people')} fall: "
            f"whoever knows what they show is more than {float(attack.limit):.3g} sure of "
            f"{what.rstrip(',')}." + (f"{everybody}alike have {same}." if certain else "")
        )
