"""Taxonomies as JSON: whole ones for the holder, and what recipients may see of them.

A whole taxonomy lists every value of the column, also those of suppressed records. It stays with
the holder. What is published with a release is made from the published texts alone
(`published_taxonomy`).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from unlinkable.errors import BundleError, UnlinkableError
from unlinkable.tables.taxonomies.builders.base import Step, stack
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.public_view import public_view
from unlinkable.tables.taxonomies.published_values import Texts
from unlinkable.tables.taxonomies.taxonomy import Edges, Level, Taxonomy
from unlinkable.typing import CodeArray

__all__ = ["published_taxonomy", "taxonomy_from_json", "taxonomy_to_json"]

_TYPES = {
    "text": (Kind.CATEGORY, "object"),
    "int64": (Kind.NUMBER, "int64"),
    "uint64": (Kind.NUMBER, "uint64"),
    "float64": (Kind.NUMBER, "float64"),
    "date": (Kind.DATE, "datetime64[D]"),
    "time": (Kind.DATE, "datetime64[us]"),
}
"""What values are called in JSON, and what they are."""


def taxonomy_to_json(taxonomy: Taxonomy) -> dict[str, object]:
    """Write a taxonomy as a JSON object.

    ``type`` and ``values`` are the leaves in the order of their codes, ``missing`` whether the
    missing value follows them, ``levels`` the levels between the values and the ``root``: the
    first code of each node (``starts``), and its ``labels`` and edges (``lower``, ``upper``; null
    for an open end) where it has them.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> from unlinkable.tables.taxonomies import observe
    >>> taxonomy_to_json(Intervals(5).build(observe("age", [31, 33, 47])))
    {'type': 'int64', 'values': [31, 33, 47], 'missing': False,
     'levels': [{'starts': [0, 2], 'lower': [30, 45], 'upper': [35, 50]}], 'root': '*'}
    """
    domain = taxonomy.domain
    dtype = str(domain.values.dtype)
    return {
        "type": next(name for name, (_, known) in _TYPES.items() if known == dtype),
        "values": _plain(domain, domain.values),
        "missing": domain.has_missing,
        "levels": [_level_to_json(domain, level) for level in taxonomy.levels[1:-1]],
        "root": taxonomy.root,
    }


def taxonomy_from_json(found: Mapping[str, object]) -> Taxonomy:
    """Read a taxonomy from its JSON object.

    Raises
    ------
    BundleError
        If the object is not what `taxonomy_to_json` writes.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> sexes = taxonomy_to_json(Flat().build(observe("sex", ["f", "m"])))
    >>> taxonomy_from_json(sexes).domain.values.tolist()
    ['f', 'm']
    """
    try:
        kind, dtype = _TYPES[cast("str", found["type"])]
        values = np.array(cast("list[Any]", found["values"]), dtype=dtype)
        domain = Domain(kind, values, bool(found["missing"]))
        levels = cast("list[dict[str, Any]]", found["levels"])
        steps = [_step_from_json(domain, level) for level in levels]
        return stack("", domain, steps, cast("str", found["root"]))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        reason = str(error) if isinstance(error, UnlinkableError) else type(error).__name__
        raise BundleError(f"a taxonomy is damaged ({reason}): get the release again") from None


def published_taxonomy(
    taxonomy: Taxonomy,
    texts: Texts,
    *,
    column: str = "",
) -> dict[str, object]:
    """Write what the recipients of a release may see of a taxonomy, as a JSON object.

    It is made from the published texts alone, and published texts can be read with it; see
    `public_view`.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> published_taxonomy(jobs.build(observe("job", ["Dancer"])), ["Artist", "Lawyer", "Artist"])
    {'type': 'text', 'values': ['Lawyer', 'Artist'], 'missing': False,
     'levels': [{'starts': [0, 1], 'labels': ['Professional', 'Artist']}], 'root': '*'}
    """
    return taxonomy_to_json(public_view(taxonomy, texts, column=column))


def _plain(domain: Domain, values: NDArray[Any]) -> list[object]:
    if domain.kind is Kind.DATE:
        return [domain.text_of(v) for v in values]
    return cast("list[object]", values.tolist())


def _level_to_json(domain: Domain, level: Level) -> dict[str, object]:
    n_nodes = int((level.starts < domain.n_present).sum())
    written: dict[str, object] = {"starts": level.starts[:n_nodes].tolist()}
    if level.labels is not None:
        written["labels"] = list(level.labels[:n_nodes])
    if (edges := level.edges) is not None:
        lower, upper = _plain(domain, edges.lower), _plain(domain, edges.upper)
        if edges.open_below:
            lower[0] = None
        if edges.open_above:
            upper[-1] = None
        written |= {"lower": lower, "upper": upper}
    return written


def _step_from_json(domain: Domain, level: Mapping[str, Any]) -> Step:
    starts = [*level["starts"], domain.n_present]
    if starts[0] != 0 or any(a >= b for a, b in pairwise(starts)):
        raise ValueError(starts)
    blocks: CodeArray = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
    labels = level.get("labels")
    if labels is not None and len(labels) != len(starts) - 1:
        raise ValueError(labels)
    edges = _edges_from_json(domain, level["lower"], level["upper"]) if "lower" in level else None
    return Step(blocks, None if labels is None else tuple(labels), edges)


def _edges_from_json(domain: Domain, lower: list[Any], upper: list[Any]) -> Edges:
    is_open = lower[:1] == [None], upper[-1:] == [None]
    # An open end is never read: any number of the right type may stand there.
    ends = [low if low is not None else up for low, up in zip(lower, upper, strict=True)]
    tops = [up if up is not None else low for low, up in zip(lower, upper, strict=True)]
    dtype = "datetime64[D]" if domain.kind is Kind.DATE else None
    return Edges(np.array(ends, dtype), np.array(tops, dtype), *is_open)
