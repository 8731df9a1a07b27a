"""Glossary: the words that a report uses, for people who do not know them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from unlinkable.report import Section, Term, Terms

__all__ = ["GLOSSARY", "glossary_part"]

GLOSSARY: tuple[tuple[str, str, str], ...] = (
    (
        "Adversary",
        r"\badversar",
        "Somebody who tries to learn something of a person from the release.",
    ),
    (
        "Attribute linkage",
        "attribute.linkage",
        "A sensitive value is learnt of a person, without finding the person's record.",
    ),
    (
        "Bucket",
        r"\bbuckets?\b",
        "A set of records whose sensitive values are told together, without saying whose is which.",
    ),
    (
        "Confidence",
        r"\bconfidence\b",
        "How sure an adversary can be of what he concludes, from 0 to 100 %.",
    ),
    (
        "Differential privacy",
        r"differential.privacy",
        "Noise makes it nearly impossible to tell from what is published whether any one person "
        "was in the data.",
    ),
    (
        "Epsilon",
        r"\bepsilon\b",
        "How much one person can change what is published: the smaller, the safer.",
    ),
    (
        "Group",
        r"\bgroups?\b|look alike|looks like",
        "Records that show the same in all columns that others may know.",
    ),
    ("Identifier", r"names a person", "A value that names one person, such as a patient number."),
    (
        "k-anonymity",
        r"\bk-anonymity",
        "Everybody looks like at least k - 1 others in the release.",
    ),
    (
        "l-diversity",
        r"l-diversity",
        "People who look alike have several different sensitive values.",
    ),
    (
        "Level",
        r"\blevels?\b",
        "How coarse a column was made: level 0 is as it was, and each level says less.",
    ),
    ("Metric", r"\bmetrics?\b", "A number that says how much of the information was lost."),
    (
        "Noise",
        r"\bnoise\b|\bledger\b",
        "Random changes that hide what single people contribute. All of it is written in a ledger.",
    ),
    (
        "Optimal",
        r"no release of this kind loses less",
        "Proved to lose least among all releases that the method can make.",
    ),
    ("Owner", r"\bowners?\b", "The person whom records belong to. One person may own several."),
    (
        "Probabilistic attack",
        r"probabilistic attack",
        "What an adversary believes of a person becomes much more likely, or is ruled out.",
    ),
    ("Promise", r"\bpromises?\b", "A bound that was asked for, and judged on what was written."),
    (
        "Pseudonym",
        r"\bpseudonym",
        "An invented name that stands for the same person everywhere, made with the holder's key.",
    ),
    (
        "Quasi-identifying value",
        r"quasi-identif|may be known to others|others may know",
        "A value that others may know of a person, such as age or zip code. Together, a few of "
        "them can single out a person.",
    ),
    (
        "Record linkage",
        r"record.linkage",
        "The record of a person is found among the published ones.",
    ),
    (
        "Sensitive value",
        r"\bsensitive\b",
        "What nobody should learn of a person, such as a diagnosis.",
    ),
    (
        "SHA-256",
        r"sha-256",
        "A fingerprint of a file: if one byte changes, it is another one.",
    ),
    (
        "Suppressed",
        r"left out|^\*$",
        "Left out because it could not be protected; a suppressed value is shown as *.",
    ),
    (
        "t-closeness",
        r"\bt-closeness",
        "Sensitive values of people who look alike are distributed nearly as those of everybody.",
    ),
    (
        "Table linkage",
        r"table.linkage",
        "It is learnt that a person is in the data at all, or is not.",
    ),
)
"""The word, how to find that it is used, and what it means."""


def glossary_part(texts: Iterable[str]) -> Section:
    """Explain the words that these texts use, and no others."""
    whole = "\n".join(texts)
    terms = [
        Term(name, meaning)
        for name, pattern, meaning in GLOSSARY
        if re.search(pattern, whole, re.IGNORECASE | re.MULTILINE)
    ]
    return Section("Glossary", [Terms(terms)])
