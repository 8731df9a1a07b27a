"""Taxonomies as recipients are told them: of what is published, nothing but names and places.

A quasi-identifier's taxonomy begins at the level that the release shows, and has the nodes that it
shows and what stands above them. Levels that were made from the data are left out unless they are
the published one: where their cuts lie tells of records that were left out. A sensitive column's
taxonomy has the values that are published, because a promise may rest on their order or tree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from attrs import frozen

from unlinkable.errors import TaxonomyError
from unlinkable.release.manifest_sections import PublishedLevel, PublishedTaxonomy
from unlinkable.table import Domain, Kind, Observed, Taxonomy, TaxonomyBuilder
from unlinkable.table.builders.base import Step, stack
from unlinkable.table.builders.verbatim import Verbatim
from unlinkable.table.published import write_level
from unlinkable.table.told import looks_like, read_texts
from unlinkable.typing import CodeArray

__all__ = ["Republished", "hidden_taxonomy", "misfits", "quasi_taxonomy"]

_MOST_NODES = 10_000
"""A taxonomy whose published level has more nodes is told by its root alone."""


def quasi_taxonomy(
    taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray, level: int | None
) -> PublishedTaxonomy:
    """Tell the taxonomy of a quasi-identifier from the published level to the root.

    Parameters
    ----------
    taxonomy
        The whole taxonomy. It stays with the holder.
    lo, hi
        The ranges of codes that are published.
    level
        The level that all published values are on; None if they are on several. The taxonomy is
        then told from the lowest level on which every published range lies within a node.

    Examples
    --------
    >>> from unlinkable.table import Intervals, observe
    >>> ages = Intervals(5, 10).build(observe("age", [31, 33, 36, 47]))
    >>> told = quasi_taxonomy(ages, np.array([0, 2]), np.array([2, 3]), level=1)
    >>> [level.labels for level in told.levels]
    [('[30-35)', '[35-40)'), ('[30-40)',), ('*',)]
    """
    shown = np.unique(lo[lo != taxonomy.domain.missing])
    first = int(taxonomy.cover(lo, hi).max(initial=0)) if level is None else level
    named = [i for i in range(max(first, 1), taxonomy.height) if _is_named(taxonomy, i)]
    if level is not None and level < taxonomy.height and level not in named:
        is_written_once = level > 0 or taxonomy.domain.kind is Kind.CATEGORY
        named = [level, *named] if is_written_once else named
    if named and not 0 < np.unique(_nodes(taxonomy, named[0], shown)).size <= _MOST_NODES:
        named = []
    return _tell(taxonomy, named, shown)


def hidden_taxonomy(taxonomy: Taxonomy, codes: CodeArray) -> PublishedTaxonomy | None:
    """Tell the taxonomy of a hidden column over the values that are published.

    None if recipients need none: categories in alphabetical order under one root. Numbers and
    dates without levels are told by their kind alone.

    Examples
    --------
    >>> from unlinkable.table import Flat, Tree, observe
    >>> tree = Tree({"Heart": ["Angina"], "Lung": ["Asthma", "Flu"]}).build(observe("ill", ["Flu"]))
    >>> [level.labels for level in hidden_taxonomy(tree, np.array([0, 2])).levels]
    [('Angina', 'Flu'), ('Heart', 'Lung'), ('*',)]
    >>> hidden_taxonomy(Flat().build(observe("sex", ["f", "m"])), np.array([0, 1])) is None
    True
    """
    domain = taxonomy.domain
    shown = np.unique(codes[codes != domain.missing])
    if taxonomy.height == 1:
        if domain.kind is not Kind.CATEGORY:
            return _tell(taxonomy, [], shown)
        values = domain.values[shown].tolist()
        if values == sorted(values):
            return None
    levels = list(range(taxonomy.height)) if shown.size else []
    nameless = {i for i in levels[1:] if not _is_named(taxonomy, i)}
    return _tell(taxonomy, levels, shown, nameless)


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
        levels = self.published.levels
        if len(levels) == 1:
            return Verbatim().build(observed)
        domain = _domain(self.published, observed)
        if (domain.locate(observed.domain.values) < 0).any():
            raise TaxonomyError(
                f"column {observed.name!r} holds values that its published taxonomy does not have"
            )
        nodes = np.arange(domain.n_present)
        steps = []
        for below in levels[:-2]:
            nodes = np.array(below.parents)[nodes]
            steps.append(Step(nodes.astype(np.int32)))
        return stack(observed.name, domain, steps)


def misfits(published: PublishedTaxonomy, level: int | None, texts: Iterable[str]) -> list[str]:
    """Find the texts that cannot be published values of this taxonomy.

    Examples
    --------
    >>> levels = [{"labels": ["Artist", "Office"], "parents": [0, 0]}, {"labels": ["*"]}]
    >>> jobs = PublishedTaxonomy.model_validate({"kind": "category", "levels": levels})
    >>> misfits(jobs, 1, ["Artist", "Offices"])
    ['Offices']
    """
    kind, levels = Kind(published.kind), published.levels
    is_listed = level is not None and (level > 0 or kind is Kind.CATEGORY) and len(levels) > 1
    if is_listed:
        listed = set(levels[0].labels)
        return [text for text in texts if text not in listed]
    known = {label for told in levels for label in told.labels}
    return [text for text in texts if text not in known and not looks_like(kind, text)]


def _is_named(taxonomy: Taxonomy, i: int) -> bool:
    """Whether the nodes of a level are called by a rule, and not by the values that occur."""
    return taxonomy.levels[i].labels is not None or taxonomy.levels[i].edges is not None


def _nodes(taxonomy: Taxonomy, i: int, codes: CodeArray) -> CodeArray:
    return taxonomy.levels[i].blocks[codes]


def _tell(
    taxonomy: Taxonomy,
    chosen: Sequence[int],
    shown: CodeArray,
    nameless: Collection[int] = (),
) -> PublishedTaxonomy:
    levels = []
    for i, above in zip(chosen, [*chosen[1:], taxonomy.height], strict=False):
        nodes, first = np.unique(_nodes(taxonomy, i, shown), return_index=True)
        parents = np.unique(_nodes(taxonomy, above, shown), return_inverse=True)[1][first]
        labels = write_level(taxonomy, i, taxonomy.levels[i].starts[nodes]).tolist()
        told = [""] * len(labels) if i in nameless else labels
        levels.append(PublishedLevel(labels=tuple(told), parents=tuple(parents.tolist())))
    levels.append(PublishedLevel(labels=(taxonomy.root,)))
    return PublishedTaxonomy(kind=taxonomy.domain.kind.value, levels=tuple(levels))


def _domain(published: PublishedTaxonomy, observed: Observed) -> Domain:
    kind, labels = Kind(published.kind), published.levels[0].labels
    if observed.domain.kind is not kind:
        raise TaxonomyError(
            f"column {observed.name!r} holds {observed.domain.kind.value} values, and its "
            f"published taxonomy is over {kind.value} values"
        )
    values = read_texts(kind, labels).astype(observed.domain.values.dtype)
    return Domain(kind, values, observed.domain.has_missing)
