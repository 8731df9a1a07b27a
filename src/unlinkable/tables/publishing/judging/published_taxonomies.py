"""Taxonomies as recipients are told them, and as a verifier uses them.

A quasi-identifier's taxonomy says how its published texts lie to each other, so that they can be
read as ranges. A sensitive column's has the values that are published, because a promise may rest
on their order or their tree. Neither has a value that is not published. Where that would be a list
of thousands, recipients are told what sort of values there are, and no list.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from unlinkable.errors import DataError
from unlinkable.tables.publishing.bundles.manifest_sections import PublishedLevel, PublishedTaxonomy
from unlinkable.tables.taxonomies import (
    Kind,
    Taxonomy,
    published_taxonomy,
    read_ranges,
    taxonomy_to_json,
)
from unlinkable.tables.taxonomies.builders import Observed, ReadyMade, TaxonomyBuilder, Verbatim
from unlinkable.typing import CodeArray

__all__ = ["Republished", "hidden_taxonomy", "misfit", "quasi_taxonomy"]

_LONGEST_LIST = 5_000
"""No longer list of values is told."""


def quasi_taxonomy(taxonomy: Taxonomy, texts: Sequence[str | None]) -> PublishedTaxonomy:
    """Tell as much of a quasi-identifier's taxonomy as its published texts need.

    Levels that look like the one below, because nothing finer is published, are left out.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> from unlinkable.tables.taxonomies import observe
    >>> ages = Intervals(5, 10).build(observe("age", [31, 33, 36, 47]))
    >>> told = quasi_taxonomy(ages, ["[30-35)", "[35-40)"])
    >>> [level.labels for level in told.levels]
    [('[30-35)', '[35-40)'), ('[30-40)',)]
    """
    told = _told(taxonomy, list(dict.fromkeys(texts)), _LONGEST_LIST)
    levels = []
    values = tuple(map(str, told.values))
    below = PublishedLevel(starts=tuple(range(len(values))), labels=values)
    for level in told.levels:
        is_named = level.labels is not None or level.lower is not None
        if level != below and (is_named or level.starts != below.starts):
            levels.append(level)
        below = level
    return told.model_copy(update={"levels": tuple(levels)})


def hidden_taxonomy(taxonomy: Taxonomy, codes: CodeArray) -> PublishedTaxonomy | None:
    """Tell the taxonomy of a hidden column over the values with these codes.

    None if recipients need none: categories in alphabetical order under one root. Numbers and
    dates without levels have an order of their own, and need no list.

    Examples
    --------
    >>> import numpy as np
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> tree = Tree({"Heart": ["Angina"], "Lung": ["Asthma", "Flu"]}).build(observe("ill", ["Flu"]))
    >>> hidden_taxonomy(tree, np.array([0, 2])).values
    ('Angina', 'Flu')
    >>> hidden_taxonomy(Flat().build(observe("sex", ["f", "m"])), np.array([0, 1])) is None
    True
    """
    domain = taxonomy.domain
    texts = [None if c == domain.missing else domain.text(c) for c in sorted(set(codes.tolist()))]
    if taxonomy.height > 1:
        return _told(taxonomy, texts, len(texts))
    if domain.kind is not Kind.CATEGORY:
        return _told(taxonomy, texts, 0)
    present = [text for text in texts if text is not None]
    return None if present == sorted(present) else _told(taxonomy, texts, len(texts))


@frozen(eq=False)
class Republished(TaxonomyBuilder):
    """The taxonomy of a hidden column, made from what recipients are told.

    Raises
    ------
    TaxonomyError
        If a value has no place in it.
    """

    published: PublishedTaxonomy

    def build(self, observed: Observed) -> Taxonomy:
        if not self.published.values:
            return Verbatim().build(observed)
        return ReadyMade(self.published.taxonomy()).build(observed)


def misfit(published: PublishedTaxonomy, texts: Sequence[str | None], column: str) -> str | None:
    """Say which text cannot be a published value of this taxonomy; None if all can.

    Nothing can be said of a taxonomy that lists no values.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Artist": ["Dancer", "Writer"], "Office": ["Clerk"]})
    >>> told = quasi_taxonomy(jobs.build(observe("job", ["Clerk"])), ["Artist", "Office"])
    >>> print(misfit(told, ["Artist", "Offices"], "job"))
    column 'job': no published value 'Offices' among 2 (did you mean 'Office'?): it is no value,
    label, interval or set of its taxonomy
    """
    if not published.values:
        return None
    try:
        read_ranges(published.taxonomy(), texts, column=column)
    except DataError as error:
        return str(error)
    return None


def _told(taxonomy: Taxonomy, texts: Sequence[str | None], longest: int) -> PublishedTaxonomy:
    if len(texts) > longest:
        whole = taxonomy_to_json(taxonomy)
        told = {"type": whole["type"], "values": [], "missing": False, "levels": []}
        return PublishedTaxonomy.model_validate({**told, "root": taxonomy.root})
    return PublishedTaxonomy.model_validate(published_taxonomy(taxonomy, texts))
