"""What promises about adversaries with a prior have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.params import as_columns, at_least, exact
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.models.base.belief_model import BeliefModel
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.coded_prior import CodedPrior
from unlinkable.tables.models.shared.known_columns import is_about_all_of
from unlinkable.tables.models.shared.listed_values import as_texts, mark
from unlinkable.tables.models.shared.prior import Prior
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.typing import BoolArray, CodeArray, Columns, FloatArray, ValueText

__all__ = ["PriorModel"]


@frozen
class PriorModel(BeliefModel, SensitiveModel):
    """A promise about an adversary who knows how likely people of a kind have a value.

    The adversary also knows who is in a group, and the original values of its members on the
    columns of the prior, not only the published ones. They link nobody to a value with a chance of
    more than 1/r.
    """

    threats: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    about_originals: ClassVar[bool] = True
    parameter: ClassVar[str] = "r"

    r: Fraction = field(converter=exact, validator=at_least(1))
    prior: Columns = field(converter=as_columns, kw_only=True)
    sensitive: str | None = field(default=None, kw_only=True)
    values: tuple[ValueText, ...] | None = field(default=None, converter=as_texts, kw_only=True)
    _priors: tuple[Prior, ...] | None = field(default=None, kw_only=True, eq=False, repr=False)
    """What is believed; None until the promise is bound to a table."""
    _beliefs: tuple[CodedPrior, ...] | None = field(
        default=None, kw_only=True, eq=False, repr=False
    )
    """The same in the codes of a table that was examined before."""

    @prior.validator
    def _names_a_prior(self, attribute: object, value: Columns) -> None:
        if not value:
            raise ParameterError("prior must name at least one side table with what is believed")

    @property
    def needs_all(self) -> bool:
        """Whether a prior must say how likely every value is, also those that are not guarded."""
        return False

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    @property
    def sources(self) -> Columns:
        return self.prior

    def bind(self, context: BindingContext) -> tuple[Self, ...]:
        renew: Callable[..., Self] = evolve
        priors = tuple(Prior.read(context.side.open(name)) for name in self.prior)
        bound = super().bind(context)
        for prior in priors:
            for model in bound:
                if model.column in prior.columns:
                    raise SchemaError(
                        f"prior {prior.name!r} has a column {model.column!r}, which is what {self} "
                        "is about: it must say for whom a value is how likely, not for which value"
                    )
            if self.needs_all:
                prior.refuse_less_than_all()
        return tuple(renew(model, priors=priors) for model in bound)

    def needs(self) -> frozenset[Columns]:
        return frozenset({(self.column,), *(prior.columns for prior in self._known())})

    def prepared(self, finest: Groups) -> Self:
        """Look up once what is believed of whom."""
        renew: Callable[..., Self] = evolve
        return renew(self, beliefs=tuple(beliefs for _, beliefs in self.believed(finest)))

    def believed(self, groups: Groups) -> Iterator[tuple[Histogram, CodedPrior]]:
        """Give for each prior what people in groups show, and what is believed of them."""
        hidden = self.hidden(groups)
        known = self._beliefs or (None,) * len(self._known())
        for prior, beliefs in zip(self._known(), known, strict=True):
            seen = self._seen_by(prior, groups)
            if beliefs is not None and beliefs.fit(seen, hidden):
                yield seen, beliefs
            else:
                asked = mark(hidden, None if self.needs_all else self.values)
                yield seen, CodedPrior.of(prior, seen, hidden, self.column, asked)

    def odds(self, alike: Groups) -> Iterator[tuple[str, CodeArray, FloatArray]]:
        hidden = self.hidden(alike)
        is_guarded = mark(hidden, self.values) & (hidden.total > 0)
        codes = np.flatnonzero(is_guarded).astype(np.int32)
        for seen, beliefs in self.believed(alike):
            who = beliefs.row[seen.values[seen.indptr[:-1]]]
            at = np.ix_(who, beliefs.place[codes])
            with np.errstate(divide="ignore"):
                odds = np.log(beliefs.prior.shares[at]) - np.log(beliefs.prior.others[at])
            yield self.column, codes, odds

    def guarded(self, groups: Groups) -> BoolArray:
        """Mark the entries of the histogram of hidden values that nobody may be linked to."""
        hidden = self.hidden(groups)
        return mark(hidden, self.values)[hidden.values]

    def covers(self, other: GroupModel) -> bool:
        """Whether it asks for as much, against at least the same priors, and for all its values."""
        if not isinstance(other, type(self)):
            return False
        same: Callable[..., GroupModel] = evolve
        return (
            getattr(self, self.parameter) >= getattr(other, self.parameter)
            and set(other.prior) <= set(self.prior)
            and is_about_all_of(self.values, other.values)
            and same(self, prior=other.prior, values=other.values)
            == same(other, **{self.parameter: getattr(self, self.parameter)})
        )

    def explain_failure(self, groups: Groups) -> str:
        reached = float(np.min(self.level(groups), initial=np.inf))
        return (
            f"all {groups.n_records} records in one group reach {self.parameter} = {reached:.4g}. "
            "Merging people with unlike beliefs does not help: form groups of people who are about "
            "as likely to have a value, or ask for less"
        )

    def _known(self) -> tuple[Prior, ...]:
        if self._priors is None:
            raise SchemaError(f"{self} has not read its prior yet: bind it to a table")
        return self._priors

    def _seen_by(self, prior: Prior, groups: Groups) -> Histogram:
        try:
            return groups.histograms[prior.columns]
        except KeyError:
            raise SchemaError(
                f"{self} needs the values of {', '.join(map(repr, prior.columns))}, which were not "
                "counted: count the table with what the promise needs"
            ) from None
