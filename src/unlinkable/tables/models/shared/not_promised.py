"""What no promise says: the gaps of each model, for whoever answers for a release.

They are the first ones that the page of the model in the documentation names.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NOT_PROMISED"]

_NO_GROUP_SIZE = "It does not say how many people look alike."
_NOTHING_IN_COMMON = "It says nothing about what people who look alike have in common."
_RULES_OUT = "Somebody who can rule out some values for a person is surer of the rest."
_UNLISTED = "Values that are not listed are not bounded."
_ALIKE = "It does not know which values mean nearly the same."

NOT_PROMISED: Mapping[str, tuple[str, ...]] = {
    "alpha-k-anonymity": (_RULES_OUT, _UNLISTED),
    "average-risk": (
        "It says nothing about any single person: a few may be unique if large groups make up for "
        "it.",
        _NOTHING_IN_COMMON,
    ),
    "beta-likeness": (
        "It does not bound how much less a value may be believed: a group may rule it out.",
        _NO_GROUP_SIZE,
    ),
    "bt-privacy": (
        "What is believed after is an estimate: exact reasoning can lead further.",
        "Adversaries who know more, or less, than was assumed may learn more.",
    ),
    "confidence-bounding": (
        "A value that no rule names is not bounded.",
        _RULES_OUT,
        _NO_GROUP_SIZE,
    ),
    "crowd-entropy": (
        "It is bounded in the mean: one person may own more than half of a group.",
        _NOTHING_IN_COMMON,
    ),
    "ct-isolation": (
        "It is about one guess for each group, its middle: somebody who guesses otherwise may "
        "isolate people all the same.",
        "It says nothing about what the people around the guess have in common.",
    ),
    "d-gamma-privacy": (
        "It says nothing about values that were likely beforehand.",
        "Adversaries who know how records hang together, such as families, are not held off.",
        _NO_GROUP_SIZE,
    ),
    "delta-bounding": (
        "It is proved for one value against all others: somebody who weighs all values at once may "
        "be surer.",
        "It is about the statistics that were given: somebody with better ones believes more.",
    ),
    "delta-disclosure": (
        _NO_GROUP_SIZE,
        "What is typical of the whole table is public.",
    ),
    "delta-presence": (
        "It holds against somebody who knows this population: who knows a smaller one that the "
        "table is taken from can be surer.",
        "It says nothing about sensitive values.",
    ),
    "differential-privacy": (
        "It does not say that a published number is right, nor how far off it is.",
        "What is true of everybody is learnt of each person as well.",
        "Every further release about the same people adds to what is spent.",
    ),
    "distinct-l-diversity": (
        "It does not bound how sure somebody may be: one value may be far more frequent than the "
        "others.",
        _ALIKE,
        _RULES_OUT,
    ),
    "distributional-privacy": (
        "It says nothing of what the population itself gives away about its members.",
    ),
    "entropy-l-diversity": (
        "One value may still be much more frequent than the others.",
        _ALIKE,
        _RULES_OUT,
    ),
    "epsilon-m-anonymity": (
        "A range that has no number of the group in its middle may hold up to twice as many "
        "people.",
        _RULES_OUT,
        _NO_GROUP_SIZE,
    ),
    "ff-anonymity": (
        "It does not hold off somebody who knows a sensitive value of the person.",
        _NO_GROUP_SIZE,
    ),
    "frequency-l-diversity": (
        _RULES_OUT,
        "Somebody who knows how likely a value is for people like the victim may be much surer.",
    ),
    "hellinger-closeness": (_ALIKE, _NO_GROUP_SIZE),
    "k-anonymity": (
        "It says nothing about what people who look alike have in common: if all of them have the "
        "same disease, the disease is known.",
        "It does not hide that somebody is in the data.",
    ),
    "k-map": (
        "It does not hold off somebody who knows that a person is in the data: there, fewer people "
        "may look alike.",
        _NOTHING_IN_COMMON,
        "It does not hide that somebody is in the data.",
    ),
    "kc-anonymity": (_RULES_OUT,),
    "ke-anonymity": (
        "It says nothing about where most of the numbers lie: nearly all may be close together.",
        "Somebody who can rule out the largest or the smallest number is left with a narrower "
        "range.",
    ),
    "lkc-privacy": (
        "Somebody who knows one value more than was assumed is not held off at all.",
        "It does not hide that somebody is in the data.",
        _UNLISTED,
    ),
    "m-confidentiality": (
        "It is about one requirement: somebody who knows more of how the method works may conclude "
        "more.",
        "It does not hide who is in a group, or that somebody is in the data.",
    ),
    "multirelational-k-anonymity": (
        "Somebody who knows several rows of the same person is not held off.",
        _NOTHING_IN_COMMON,
    ),
    "n-t-closeness": (
        "The people around may say a lot: if all of them have the same value, so may the group.",
        _NO_GROUP_SIZE,
    ),
    "personalized-privacy": (
        "It says nothing about people who asked for nothing, and nothing about values that nobody "
        "guards.",
    ),
    "population-uniqueness": (
        "An estimate is not a count: it is as good as its model, and holds for random samples "
        "only.",
        "It says nothing about people who have a double.",
        _NOTHING_IN_COMMON,
    ),
    "privacy-maxent": (
        "It says nothing about what somebody knows besides the stated facts.",
        "Somebody who is wrong in what he assumes may guess right.",
    ),
    "profitability": (
        "It protects the publisher, not the people: with a large benefit, everybody may be found "
        "out.",
        "Who is not after money is not held off: neighbours, the police, the press.",
    ),
    "r-robustness": (
        "It is about the statistics that were given: somebody with better ones believes more.",
        "It assumes that people have their values independently of each other: it says nothing "
        "about families.",
    ),
    "recursive-cl-diversity": (
        "Somebody who can rule out more values than the bound allows for is not held off.",
        _ALIKE,
    ),
    "skyline-privacy": (
        "Knowledge in the form of probabilities is not covered.",
        "Who knows more than any of the stated amounts is not bounded.",
    ),
    "squared-error-diversity": (
        "One number far away is enough: nearly all others may be equal.",
        _NO_GROUP_SIZE,
    ),
    "t-closeness": (
        "It says nothing about who is in a group: promise k-anonymity as well.",
        "A rare value may be several times as frequent in a group as among all.",
        "What is typical of the whole table is public.",
    ),
    "xy-anonymity": (
        "It does not bound how sure somebody may be: one value may be far more frequent than the "
        "others.",
        "An adversary who knows more columns is not held off.",
    ),
    "xy-linkability": (
        _UNLISTED,
        _RULES_OUT,
        "An adversary who knows more columns is not held off.",
    ),
    "xy-privacy": (
        _RULES_OUT,
        "An adversary who knows more columns is not held off.",
    ),
}
"""By the name of the model, the gravest gap first."""
