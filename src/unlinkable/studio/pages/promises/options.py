"""What can be chosen for parameters, in words."""

from __future__ import annotations

__all__ = ["option_words"]

_OPTIONS = {
    "absolute": "in the unit of the column",
    "actual": "those who are in the releases",
    "after": "by the groups after it",
    "average": "their average",
    "ball": "evenly within reach",
    "before": "by the groups before it",
    "best": "wherever the least is lost",
    "bottom-up": "with single records, put together",
    "checked": "groups are formed anew, and checked against all releases",
    "class": "what predicts the target",
    "deal": "dealt out within each group",
    "discernibility": "what tells most people apart",
    "distinct": "different values",
    "drop": "left out",
    "enhanced": "labels of the taxonomy",
    "equal": "all different values are equally far apart",
    "fourier": "from the start: for many counts of columns with two values",
    "frequency": "frequent values more often",
    "gaussian": "normally, most of it near",
    "given": "by a table of distances",
    "hierarchical": "along the taxonomy",
    "high": "the larger one",
    "igpl": "what tells most for the privacy that it costs",
    "information-gain": "what tells most of the target",
    "intervals": "the smallest ranges around the records",
    "invariant": "so that frequencies stay the same",
    "joint": "all values of a group at once",
    "journalist": "somebody of the population, who may not be in the data",
    "leaf": "one value may not be told, a group of them may",
    "loss": "what loses the least",
    "low": "the smaller one",
    "mean": "shown as their mean",
    "merge": "what was published stays, newcomers get groups of their own",
    "metric": "as much detail as possible",
    "mode": "shown as the commonest one",
    "none": "not at all",
    "oka": "the smallest ranges around the records",
    "order": "between any two values",
    "ordered": "by their order",
    "possible": "everybody who could be in the releases",
    "product": "all values together as one",
    "projection": "by the nearest counts that agree",
    "prosecutor": "somebody who is known to be in the data",
    "reduction": "by the difference between before and after",
    "relative": "as a share of the value",
    "shares": "each by its share",
    "sparse": "the same part of some columns, nothing of the others",
    "split": "cut where it is best",
    "static": "as if nothing had been published: safe from nothing",
    "subtree": "not even the group may be told",
    "sum": "added up",
    "taxonomy": "along the taxonomy",
    "top-down": "with all records together, parted",
    "uniform": "all values equally often",
    "value": "every value by itself",
    "values": "between any two values of any column",
}

_OPTIONS_OF = {
    ("along", "labels"): "as suits what groups show",
    ("boundaries", "numbers"): "numbers anywhere, categories along the taxonomy",
    ("categories", "median"): "shown as the one in the middle",
    ("kind", "gaussian"): "a random part of every column",
    ("labels", "taxonomy"): "labels of the taxonomy",
    ("numbers", "median"): "shown as the one in the middle",
    ("split", "median"): "in the middle",
}


def option_words(parameter: str, option: str) -> str:
    """Say what can be chosen; the written form is added, as it stands in plans.

    Examples
    --------
    >>> option_words("labels", "taxonomy"), option_words("algorithms", "k-means")
    ('labels of the taxonomy (taxonomy)', 'k-means')
    """
    words = _OPTIONS_OF.get((parameter, option)) or _OPTIONS.get(option)
    return option if words is None else f"{words} ({option})"
