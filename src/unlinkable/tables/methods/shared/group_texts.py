"""Texts: what the parts of a solution show, as it is published."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unlinkable.tables.data import PublicDomains
from unlinkable.tables.methods.base.search import Solution
from unlinkable.tables.taxonomies import Attribute, write_level, write_ranges

__all__ = ["shown_texts"]


def shown_texts(
    solution: Solution, attributes: Sequence[Attribute], domains: PublicDomains
) -> list[tuple[NDArray[np.object_], bool]]:
    """Write what every part shows on every column, and whether that is nothing but raw values.

    Parameters
    ----------
    solution
        What was found, in the codes of the attributes.
    attributes
        The quasi-identifying columns.
    domains
        The values that recipients may know: no text shows another one.
    """
    partition, node, texts = solution.partition, domains.node(solution.node), []
    for j, attribute in enumerate(domains.attributes(attributes)):
        taxonomy = attribute.taxonomy
        lo, hi = domains.ranges(attribute.name, partition.lo[:, j], partition.hi[:, j])
        level = None if node is None else node[attribute.name]
        if level is not None and level < taxonomy.height:
            texts.append((write_level(taxonomy, level, lo), level == 0))
        else:
            is_raw = bool((hi - lo == 1).all()) and taxonomy.n > 1
            texts.append((write_ranges(taxonomy, lo, hi), is_raw))
    return texts
