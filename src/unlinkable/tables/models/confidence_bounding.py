"""Confidence bounding: some values may be inferred from some columns only so far.

Not every value is as sensitive as every other, and not every adversary knows the same columns. A
*template* names the columns that are known, the value that is guarded, and the largest confidence
in it that is allowed [1]_, [2]_. It is also known as l+-diversity [3]_.

References
----------
.. [1] K. Wang, B. C. M. Fung, P. S. Yu. "Template-based privacy preservation in classification
   problems." ICDM 2005.
.. [2] K. Wang, B. C. M. Fung, P. S. Yu. "Handicapping attacker's confidence: an alternative to
   k-anonymization." KAIS 11(3), 2007.
.. [3] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.2.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError, SchemaError, in_short, unknown
from unlinkable.tables.data import SideTable
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.ceilings import SensitiveGoal
from unlinkable.tables.models.base.model import ValueNormalizer
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.gaps import NO_GROUP_SIZE, VALUES_RULED_OUT
from unlinkable.tables.models.shared.known_columns import knowing
from unlinkable.tables.models.shared.listed_values import Values
from unlinkable.tables.models.shared.share_model import ShareModel
from unlinkable.tables.models.shared.templates import Template, read_names, read_share
from unlinkable.typing import Columns, ValueText

__all__ = ["ConfidenceBounding"]


def _as_texts(templates: str | Template | Iterable[str | Template]) -> tuple[str, ...]:
    """Read one template or several, and write each in one way."""
    if isinstance(templates, str | Template):
        given = [templates]
    else:
        given = list(templates) if isinstance(templates, Iterable) else []
    if not isinstance(templates, Iterable | Template) or not all(
        isinstance(template, str | Template) for template in given
    ):
        raise ParameterError(
            f"templates are texts like 'job -> disease = HIV <= 0.1', got {in_short(templates)}"
        )
    read = (t if isinstance(t, Template) else Template.read(t) for t in given)
    return tuple(dict.fromkeys(map(str, read)))


@frozen
class ConfidenceBounding(ShareModel):
    r"""Nobody is surer of certain sensitive values than templates allow.

    A template :math:`\langle QID \to s, h \rangle` asks that of the records with any values
    :math:`q` on the columns :math:`QID`, at most a share :math:`h` has the sensitive value
    :math:`s`: :math:`Conf(QID \to s) = \max_q |T[q, s]| / |T[q]| \le h`. The bound is met by
    equality, and decided exactly. Every template is a promise of its own: bound to a table, this is
    one promise for each.

    Parameters
    ----------
    templates
        What is bounded, each written like ``job, sex -> disease = HIV <= 0.1``: the columns that
        are known (none for the whole quasi-identifier), a sensitive column and one of its values,
        and the largest share, as a number, a fraction like 1/3 or a percentage. Names and values
        with commas, quotes, arrows or signs of equality in them stand in double quotes; ``""`` is
        the missing value.
    file
        A side table with more templates, one in each row: ``qid`` (names of columns, separated by
        commas; empty for the whole quasi-identifier), ``column``, ``value`` (empty for the missing
        value) and ``h``.

    Guarantees
    ----------
    From the release alone, nobody who knows the columns of a template is surer than h that a victim
    has its value. A value without a template is not bounded, and one that no record has is within
    every bound. It does not protect against adversaries who can rule out other values.

    Merging
    -------
    Safe: the share of a value in a union is a weighted mean of its shares in the parts, hence at
    most h. It does not absorb: {1, 1} keeps the first value within one half, and with one more
    record of it, {2, 1}, it does not.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"job": ["cook", "cook", "clerk"], "ill": ["flu", "HIV", "flu"]},
    ...     quasi="job", sensitive="ill")
    >>> promise = ConfidenceBounding("job -> ill = HIV <= 10%")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (False, {'h': 0.5})
    >>> print(verdict.why)
    'ill' is HIV in 1 of 2 records here (0.5), and may be in at most 0.1 of them
    """

    name: ClassVar[str] = "confidence-bounding"
    reference: ClassVar[str] = "Wang, Fung and Yu 2005, 2007"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Nobody who knows the columns of a rule can be surer of the sensitive values that it "
        "names than the rule allows."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "A value that no rule names is not bounded.",
        VALUES_RULED_OUT,
        NO_GROUP_SIZE,
    )
    parameter: ClassVar[str] = "h"
    higher_is_safer: ClassVar[bool] = False

    templates: tuple[str, ...] = field(default=(), converter=_as_texts)
    file: str | None = field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not self.templates and self.file is None:
            raise ParameterError(
                "nothing is bounded: give templates like 'job -> disease = HIV <= 0.1', or a file"
            )

    @property
    def sources(self) -> Columns:
        return () if self.file is None else (self.file,)

    def bind(self, context: BindingContext) -> tuple[ConfidenceBounding, ...]:
        found = [Template.read(text) for text in self.templates]
        if self.file is not None:
            found += _templates_in(context.side.open(self.file))
        for template in found:
            knowing(self, template.qid, context.quasi)
            if template.column not in context.sensitive:
                raise SchemaError(
                    f"{unknown('sensitive column', template.column, context.sensitive)} for the "
                    f"template {str(template)!r}"
                )
        return tuple(ConfidenceBounding(str(template)) for template in dict.fromkeys(found))

    @property
    def h(self) -> Fraction:
        """The largest share that its one template allows."""
        return self.template.h

    @property
    def template(self) -> Template:
        """Its one template."""
        if len(self.templates) != 1 or self.file is not None:
            raise SchemaError(
                f"{self} has several templates, each a promise of its own: bind it to a table"
            )
        return Template.read(self.templates[0])

    @property
    def most(self) -> Fraction:
        return self.h

    @property
    def counted(self) -> Columns:
        return (self.template.column,)

    @property
    def listed(self) -> Values | None:
        return (self.template.value,)

    @property
    def known(self) -> Columns | None:
        return self.template.qid or None

    def with_normalized_values(self, normalize: ValueNormalizer) -> ConfidenceBounding:
        template = self.template
        value = normalize(template.column, template.value)
        return ConfidenceBounding(str(evolve(template, value=value)))

    def is_about(self, goal: SensitiveGoal) -> bool:
        return self.template.column == goal.column and goal.values == (self.template.value,)

    def share_ceiling(self, goal: SensitiveGoal) -> Fraction:
        return self.h

    def is_share_bound(self, value: ValueText, h: Fraction, goal: SensitiveGoal) -> bool:
        bound = self.template
        is_about_all = not bound.qid or set(bound.qid) == set(goal.quasi)
        return is_about_all and (bound.column, bound.value, bound.h) == (goal.column, value, h)

    def weaker(self) -> ConfidenceBounding | None:
        more = self.h + Fraction(1, 20)
        return ConfidenceBounding(evolve(self.template, h=more)) if more < 1 else None


def _templates_in(table: SideTable) -> list[Template]:
    """Read a template from every row of a side table."""
    rows = zip(*(table.texts(name) for name in ("qid", "column", "value", "h")), strict=True)
    found = []
    for at, (qid, column, value, h) in enumerate(rows, 1):
        if not column or not h:
            raise ParameterError(
                f"row {at} of {table.name!r} has no column or no h: fill in both, in every row"
            )
        try:
            found.append(Template(read_names(qid or ""), column, value or "", read_share(h)))
        except ParameterError as error:
            raise ParameterError(f"row {at} of {table.name!r}: {error}") from None
    return found
