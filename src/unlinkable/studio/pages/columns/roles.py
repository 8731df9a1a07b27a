"""The roles that a column can have, in words for people."""

from __future__ import annotations

from attrs import frozen

__all__ = ["ROLES", "TREATMENTS", "RoleWords", "TreatmentWords", "told_roles"]


@frozen
class RoleWords:
    """What a role is called, and what it means for the release."""

    title: str
    plural: str
    meaning: str


ROLES = {
    "identifier": RoleWords(
        "Identifier", "identifiers", "Names the person. Left out of the release."
    ),
    "quasi-identifier": RoleWords(
        "Quasi-identifier",
        "quasi-identifiers",
        "Others may know it of a person. Published less precisely.",
    ),
    "sensitive": RoleWords(
        "Sensitive",
        "sensitive columns",
        "What nobody may find out about a person. Published as it is, and protected.",
    ),
    "target": RoleWords(
        "Target",
        "targets",
        "What recipients want to predict. Published as it is, not protected.",
    ),
    "insensitive": RoleWords(
        "Insensitive",
        "insensitive columns",
        "Neither known nor delicate. Published as it is, not protected.",
    ),
    "owner": RoleWords(
        "Owner", "owners", "Tells which records belong to the same person. Left out."
    ),
    "guard": RoleWords("Guard", "guards", "What the person wants to be guarded. Left out."),
    "weight": RoleWords(
        "Weight", "weights", "How many people a record stands for. Published as it is."
    ),
}


@frozen
class TreatmentWords:
    """What may become of an identifier: its name, what it means, and what to beware of."""

    title: str
    meaning: str
    caution: str = ""


TREATMENTS = {
    "drop": TreatmentWords("Left out", ROLES["identifier"].meaning),
    "pseudonym": TreatmentWords(
        "Replaced by pseudonyms",
        "Names the person. Published as a pseudonym such as 7K2M9QX4B1ZT5W8A, so that recipients "
        "see which records belong together without seeing who it is.",
        "The same person has the same pseudonym in every release of this project. Whoever has the "
        "key can find out anybody's: it is the file pseudonyms.key in the folder of this project, "
        "made here for you. Keep it to yourself; it is no part of a bundle.",
    ),
    "mask": TreatmentWords(
        "Masked",
        "Names the person. Published with its characters struck out: 01***34.",
        "What is left standing, and how long a value is, is published as it is, and no promise "
        "protects it. Leave as little as you can.",
    ),
}


def told_roles(roles: list[str]) -> str:
    """Say how many columns have which role.

    Examples
    --------
    >>> told_roles(["identifier", "sensitive", "identifier"])
    '2 identifiers · 1 sensitive'
    """
    counts = [(role, roles.count(role)) for role in ROLES if role in roles]
    return " · ".join(
        f"{n} {ROLES[role].title.lower() if n == 1 else ROLES[role].plural}" for role, n in counts
    )
