"""Limits: what each model does not promise, in the first words of its reference page."""

from __future__ import annotations

__all__ = ["LIMITS"]

LIMITS = {
    "alpha-k-anonymity": (
        "Where one value is frequent in the whole table, a small alpha is out of reach"
    ),
    "average-risk": "It says nothing about any single person.",
    "beta-likeness": "It does not bound how much less a value may be believed.",
    "bt-privacy": "What is believed after is an estimate.",
    "confidence-bounding": "A value without a template is not bounded.",
    "crowd-entropy": "How sure one may be of an owner is bounded only in the mean.",
    "ct-isolation": "It is about one guess for each group, its middle.",
    "d-gamma-privacy": "It says nothing about values that were likely beforehand.",
    "delta-bounding": "It is proved for one value against all others.",
    "delta-disclosure": "It says nothing about who is in the group.",
    "delta-presence": "It holds against an adversary who knows this population.",
    "differential-privacy": (
        "It does not say that a published number is right, nor how far off it is."
    ),
    "distinct-l-diversity": "It does not bound how confident an adversary may be.",
    "distributional-privacy": (
        "It says nothing of what the population itself gives away about its members."
    ),
    "entropy-l-diversity": "One value may still be frequent.",
    "epsilon-m-anonymity": (
        "A range of width 2 epsilon that has no value of the group in its middle may hold up "
        "to two in m records."
    ),
    "ff-anonymity": "It does not stop an adversary who knows a sensitive value of the victim.",
    "frequency-l-diversity": "An adversary who can rule out a value is surer.",
    "hellinger-closeness": "It knows nothing of what values mean.",
    "k-anonymity": "It says nothing about what the k people have in common.",
    "k-map": "It does not stop an adversary who knows that his victim is in the table.",
    "kc-anonymity": "It does not survive another release of the same people.",
    "ke-anonymity": "It says nothing about where most of the values lie.",
    "lkc-privacy": "An adversary who knows one value more is not stopped at all.",
    "m-confidentiality": "It is about one requirement: a share of at most h.",
    "multirelational-k-anonymity": (
        "An adversary who knows several rows of the same person is not stopped."
    ),
    "n-t-closeness": "The crowd may say a lot.",
    "personalized-privacy": "It says nothing about people who guard nothing",
    "population-uniqueness": "An estimate is not a count.",
    "privacy-maxent": "It says nothing about what is known besides the constraints.",
    "profitability": "It protects the publisher, not the people.",
    "r-robustness": "It is about the priors that you name.",
    "recursive-cl-diversity": "An adversary who can rule out more than l - 2 values",
    "skyline-privacy": "It bounds amounts of certain knowledge.",
    "squared-error-diversity": "One value far away is enough.",
    "t-closeness": "It says nothing about who is in the group.",
    "xy-anonymity": "It does not bound how confident an adversary may be.",
    "xy-linkability": "Values that are not listed are not bounded.",
    "xy-privacy": "An adversary who can rule out values is surer than h.",
}
"""By the name of the model."""
