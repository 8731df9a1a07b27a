"""Ready-made taxonomies, as they are, or with nodes that are values, too."""

from __future__ import annotations

import numpy as np
from attrs import define, evolve, field, frozen
from numpy.typing import NDArray

from unlinkable.errors import TaxonomyError
from unlinkable.tables.taxonomies.builders.base import Observed, TaxonomyBuilder
from unlinkable.tables.taxonomies.builders.csv_file import Csv
from unlinkable.tables.taxonomies.builders.flat import Flat
from unlinkable.tables.taxonomies.builders.tree import Tree
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.published_values import write_ranges
from unlinkable.tables.taxonomies.taxonomy import ANY, Level, Taxonomy
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["NodeValues", "ReadyMade", "with_nodes", "without_labels"]


@frozen(eq=False)
class ReadyMade(TaxonomyBuilder):
    """Use a taxonomy as it is, for values that it has.

    Parameters
    ----------
    taxonomy
        The taxonomy.
    is_listed
        Which of its values are there whatever the records have; all of them if not given.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> letters = Flat().build(observe("letter", ["a", "b", "c"]))
    >>> ReadyMade(letters).build(observe("letter", ["b"])) is letters
    True
    """

    taxonomy: Taxonomy
    is_listed: BoolArray | None = field(default=None, repr=False)

    def listed(self, taxonomy: Taxonomy) -> BoolArray:
        return np.ones(taxonomy.n, bool) if self.is_listed is None else self.is_listed.copy()

    def build(self, observed: Observed) -> Taxonomy:
        unlisted = int((self.taxonomy.domain.find(observed.domain) < 0).sum())
        if unlisted:
            raise TaxonomyError(
                f"column {observed.name!r} holds {unlisted} value(s) that the taxonomy it is "
                "to be read with does not have"
            )
        return self.taxonomy


@frozen(eq=False)
class NodeValues(TaxonomyBuilder):
    """Use a taxonomy as it is, for values that it has and for its nodes.

    As long as no node is among the values, it is the taxonomy that was given; otherwise all of its
    nodes become values.

    Raises
    ------
    TaxonomyError
        If something is neither a value nor a node of it.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> ills = Tree({"infection": ["hiv", "sars"]}).build(observe("ill", ["hiv"]))
    >>> told = NodeValues(ills).build(observe("ill", ["hiv", "infection"]))
    >>> told.domain.values.tolist()
    ['hiv', 'sars', 'infection']
    """

    taxonomy: Taxonomy

    def build(self, observed: Observed) -> Taxonomy:
        domain = self.taxonomy.domain
        if not domain.n:
            # Nothing is known of what is shown but that it is shown.
            return Flat().build(observed)
        is_known = (domain.find(observed.domain) >= 0).all()
        if is_known or domain.kind is not Kind.CATEGORY:
            return ReadyMade(self.taxonomy).build(observed)
        return ReadyMade(with_nodes(self.taxonomy)).build(observed)


def without_labels(observed: Observed, rule: TaxonomyBuilder) -> Observed:
    """Leave out of the values of a column what the rule for its taxonomy calls several of them.

    These are the labels of a rule that lists its values, and ``*``.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> told = observe("ill", ["hiv", "infection", "*"])
    >>> without_labels(told, Tree({"infection": ["hiv", "sars"]})).domain.values.tolist()
    ['hiv']
    """
    if observed.domain.kind is not Kind.CATEGORY:
        return observed
    labels = {ANY}
    if isinstance(rule, Tree | Csv):
        listed = rule.build(evolve(observed, domain=Domain(Kind.CATEGORY, np.empty(0, object))))
        labels |= {*listed.named, listed.root} - set(map(listed.domain.text, range(listed.n)))
    keep = np.array([text not in labels for text in observed.domain.values], bool)
    if keep.all():
        return observed
    codes = np.append(keep, np.ones(int(observed.domain.has_missing), bool))
    return Observed(
        observed.name,
        evolve(observed.domain, values=observed.domain.values[keep]),
        observed.counts[codes],
        None if observed.hidden is None else observed.hidden[codes],
    )


def with_nodes(taxonomy: Taxonomy) -> Taxonomy:
    """Make every node of a taxonomy of categories a value, beside the values under it.

    A node comes right after the last value under it, and lies under itself and whatever covers it.
    On levels below its own it is alone, under a name that nothing else has. A node below the root
    that has only one value under it is that value; nodes of the same values with two names are two.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> tree = Tree({"infection": ["hiv", "sars"], "injury": ["burn", "cut"]})
    >>> told = with_nodes(tree.build(observe("ill", ["hiv"])))
    >>> told.domain.values.tolist()
    ['hiv', 'sars', 'infection', 'burn', 'cut', 'injury', '*']
    >>> told.levels[1].labels
    ('infection', 'injury', '* alone')
    """
    new = _new_values(taxonomy)
    old, domain = np.arange(taxonomy.n), taxonomy.domain
    # Where each value, old or new, stands: after which old one, and there the lower level first.
    after = np.concatenate([old, new.last])
    depth = np.concatenate([np.zeros(old.size, np.int64), new.level])
    order: CountArray = np.lexsort((depth, after)).astype(np.int64)
    texts = np.concatenate([domain.values, np.empty(int(domain.has_missing), object), new.texts])
    n_present = texts.size - domain.has_missing
    levels = [Level(np.arange(texts.size, dtype=np.int32))]
    taken = {*domain.values.tolist(), *new.texts.tolist(), *taxonomy.named, taxonomy.root}
    levels += [_level(taxonomy, i, new, order, taken) for i in range(1, taxonomy.height)]
    levels.append(Level(np.zeros(texts.size, np.int32), (taxonomy.root,)))
    values = texts[order][:n_present]
    return Taxonomy(Domain(Kind.CATEGORY, values, domain.has_missing), tuple(levels))


@define(eq=False, frozen=True)
class _New:
    """Nodes that become values: first and last code, lowest level, and text of each."""

    first: CodeArray
    last: CodeArray
    level: CodeArray
    texts: NDArray[np.object_]


def _new_values(taxonomy: Taxonomy) -> _New:
    """List the root, and nodes of several values, that are called otherwise than any value."""
    found: dict[tuple[int, int, str], int] = {}
    for i, level in enumerate(taxonomy.levels[1:], start=1):
        ends = zip(level.starts[:-1].tolist(), level.starts[1:].tolist(), strict=True)
        for (lo, hi), text in zip(ends, _labels(taxonomy, i), strict=True):
            is_one = hi - lo == 1 and i < taxonomy.height
            if not is_one and taxonomy.domain.code_of(text) < 0:
                found.setdefault((lo, hi, text), i)
    ranges = np.array([[lo, hi] for lo, hi, _ in found], np.int32).reshape(-1, 2)
    last = ranges[:, 1] - 1
    if taxonomy.domain.has_missing:
        # The missing value stays the last one: the root comes before it.
        last = np.minimum(last, taxonomy.n - 2)
    texts = np.array([text for _, _, text in found], object)
    return _New(ranges[:, 0], last, np.array([*found.values()], np.int32), texts)


def _level(taxonomy: Taxonomy, i: int, new: _New, order: CountArray, taken: set[str]) -> Level:
    """Put nodes of this level and below into their blocks, and give each other one its own."""
    nodes = taxonomy.levels[i]
    lies_in = np.where(
        new.level <= i, nodes.blocks[new.first], nodes.n_nodes + np.arange(new.level.size)
    )
    blocks = np.concatenate([nodes.blocks, lies_in])[order]
    starts = np.diff(blocks, prepend=-1) != 0
    labels = [*_labels(taxonomy, i), *(_alone(text, taken) for text in new.texts)]
    return Level((np.cumsum(starts) - 1).astype(np.int32), tuple(labels[b] for b in blocks[starts]))


def _labels(taxonomy: Taxonomy, i: int) -> list[str]:
    level = taxonomy.levels[i]
    if level.labels is not None:
        return list(level.labels)
    texts = write_ranges(taxonomy, level.starts[:-1], level.starts[1:])
    return ["" if text is None else str(text) for text in texts]


def _alone(text: str, taken: set[str]) -> str:
    label = f"{text} alone"
    while label in taken:
        label += "'"
    return label
