"""Random promises: what the library is asked for, and what the judge is to count."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import unlinkable as ul
from tools.fuzz.belief_judges import BELIEVED
from tools.fuzz.judges import COUNTED
from tools.fuzz.tables import Column, People
from tools.fuzz.values import Value, as_text, is_missing
from tools.fuzz.view import View

__all__ = ["Promise", "draw_promises"]

_JUDGES = {**COUNTED, **BELIEVED}


@dataclass(frozen=True)
class Promise:
    """A model with its parameters, and what its judge is given besides."""

    name: str
    given: Mapping[str, object]
    judged: Mapping[str, object] = field(default_factory=dict)
    side: Mapping[str, object] = field(default_factory=dict)

    def model(self) -> object:
        """Make the library's model."""
        written = {
            key: str(value) if isinstance(value, Fraction) else value
            for key, value in self.given.items()
        }
        return getattr(ul, self.name)(**written)

    def kept(self, view: View) -> bool:
        """Whether the promise is kept, by its definition."""
        shared = {key: value for key, value in self.given.items() if key not in _FOR_LIBRARY}
        if self.name == "FFAnonymity":
            shared.pop("sensitive", None)
        return _JUDGES[self.name](view, **{**shared, **self.judged})

    def __str__(self) -> str:
        inside = ", ".join(f"{key}={value!s}" for key, value in self.given.items())
        return f"{self.name}({inside})"


_FOR_LIBRARY = ("templates", "population", "prior")
"""Parameters that the judges are told in another way."""


def draw_promises(r: random.Random, people: People) -> list[Promise]:
    """Draw one promise, or two."""
    promises = [_drawn(r, people)]
    if r.random() < 0.3:
        promises.append(_drawn(r, people))
    guards = {promise.given.get("guard") for promise in promises} - {None}
    sides = [key for promise in promises for key in promise.side]
    if len(guards) > 1 or len(sides) > 1:
        return promises[:1]
    return promises


def _drawn(r: random.Random, people: People) -> Promise:
    sensitive = people.named("sensitive")
    choices = [_sizes, _sizes, _populations]
    if sensitive:
        choices += [_diversity, _diversity, _shares, _shares, _closeness, _closeness, _beliefs]
        if any(people[name].kind in ("int", "float", "date") for name in sensitive):
            choices += [_numbers, _numbers]
    return r.choice(choices)(r, people)


def _share(r: random.Random) -> Fraction:
    return Fraction(r.randint(1, 10), 10) if r.random() < 0.5 else Fraction(1, r.randint(1, 6))


def _bound(r: random.Random) -> int:
    return r.choice([1, 2, 2, 2, 3, 3, 4, 5])


def _some(r: random.Random, people: People) -> list[str] | None:
    if r.random() < 0.6:
        return None
    return r.sample(people.order, r.randint(1, len(people.order)))


def _sizes(r: random.Random, people: People) -> Promise:
    k = _bound(r)
    owner = people.named("owner")
    choices = ["k", "k", "k", "risk", "crowd", "profit", "lkc"] + ["multi", "xy"] * bool(owner)
    match r.choice(choices):
        case "k":
            return Promise("KAnonymity", {"k": k, "qid": _some(r, people)})
        case "multi":
            return Promise("MultirelationalKAnonymity", {"k": k, "qid": _some(r, people)})
        case "xy":
            return Promise("XYAnonymity", {"k": k, "y": owner, "x": _some(r, people)})
        case "risk":
            return Promise("AverageRisk", {"risk": _share(r)})
        case "crowd":
            return Promise("CrowdEntropy", {"bits": Fraction(r.randint(0, 5), 2)})
        case "lkc":
            given = {"l": r.randint(1, 3), "k": k, "c": _share(r)}
            sensitive = people.named("sensitive")
            return Promise("LKCPrivacy", given | ({"sensitive": sensitive[0]} if sensitive else {}))
        case _:
            names = ("publisher_benefit", "publisher_loss", "adversary_gain", "adversary_cost")
            money = {name: r.randint(0, 5) for name in names}
            return Promise("Profitability", {**money, "attack": r.random() < 0.5})


def _populations(r: random.Random, people: People) -> Promise:
    crowd = [
        {name: record[name] for name in people.order}
        for record in people.records()
        for _ in range(r.choice([1, 1, 2, 3]))
    ]
    side = {"crowd": {name: [person[name] for person in crowd] for name in people.order}}
    if r.random() < 0.5:
        side["crowd"] = dict(reversed(side["crowd"].items()))
    judged = {"population": crowd}
    match r.choice(["map", "map", "unique", "presence"]):
        case "map":
            return Promise("KMap", {"k": _bound(r), "population": "crowd"}, judged, side)
        case "unique":
            given = {"share": Fraction(r.randint(0, 10), 10), "population": "crowd"}
            return Promise("PopulationUniqueness", given, judged, side)
        case _:
            low = r.choice([Fraction(0), Fraction(1, 10), Fraction(1, 3)])
            high = r.choice([Fraction(1), Fraction(2, 3), Fraction(1, 2)])
            given = {"low": low, "high": high, "population": "crowd"}
            return Promise("DeltaPresence", given, judged, side)


def _one(r: random.Random, people: People) -> Column:
    return people[r.choice(people.named("sensitive"))]


def _diversity(r: random.Random, people: People) -> Promise:
    name = _one(r, people).name
    match r.choice(["distinct", "entropy", "recursive", "frequency", "xy"]):
        case "distinct":
            return Promise("DistinctLDiversity", {"l": _bound(r), "sensitive": name})
        case "entropy":
            given = {"l": Fraction(r.randint(10, 30), 10), "sensitive": name}
            return Promise("EntropyLDiversity", given)
        case "recursive":
            given = {"c": Fraction(r.randint(1, 30), 10), "l": r.randint(1, 3), "sensitive": name}
            return Promise("RecursiveCLDiversity", given | {"strict": r.random() < 0.5})
        case "frequency":
            given = {"l": Fraction(r.randint(10, 40), 10), "sensitive": name}
            return Promise("FrequencyLDiversity", given)
        case _:
            return Promise("XYAnonymity", {"k": _bound(r), "y": [name], "x": _some(r, people)})


def _values(r: random.Random, column: Column) -> list[str]:
    """Some values that occur, as texts of a promise: the empty one is the missing value."""
    texts = sorted({as_text(value) or "" for value in column.values if value != ""})
    return r.sample(texts, r.randint(1, min(2, len(texts)))) if texts else []


def _shares(r: random.Random, people: People) -> Promise:
    column = _one(r, people)
    name, k, share = column.name, _bound(r), _share(r)
    values = _values(r, column) if column.kind in ("text", "code") and r.random() < 0.5 else None
    match r.choice(["alpha", "kc", "lkc", "linkability", "privacy", "templates", "ff"]):
        case "alpha":
            given = {"alpha": share, "k": k, "sensitive": name, "values": values}
            return Promise("AlphaKAnonymity", given)
        case "kc":
            return Promise("KCAnonymity", {"k": k, "c": share, "sensitive": name})
        case "lkc":
            given = {"l": r.randint(1, 3), "k": k, "c": share, "sensitive": name, "values": values}
            return Promise("LKCPrivacy", given)
        case "linkability":
            given = {"h": share, "y": [name], "x": _some(r, people), "values": values}
            return Promise("XYLinkability", given)
        case "privacy":
            given = {"k": k, "h": share, "y": [name], "x": _some(r, people)}
            return Promise("XYPrivacy", given | {"count": r.choice(["records", "distinct"])})
        case "templates" if values:
            return _templates(r, people, name, values)
        case "ff" if values:
            pairs = [(name, value) for value in values]
            given = {"h": share, "columns": [*people.order, name]}
            guarded = {"sensitive": [f"{name}={value}" for value in values]}
            return Promise("FFAnonymity", given | guarded, {"pairs": pairs})
        case _:
            return Promise("FrequencyLDiversity", {"l": 1 / share, "sensitive": name})


def _templates(r: random.Random, people: People, name: str, values: list[str]) -> Promise:
    parts = [(_some(r, people) or [], name, value, _share(r)) for value in values]
    texts = [
        f"{', '.join(_quoted(column) for column in columns)} -> {_quoted(name)} = "
        f"{_quoted(value)} <= {share}"
        for columns, _, value, share in parts
    ]
    return Promise("ConfidenceBounding", {"templates": texts}, {"parts": parts})


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _closeness(r: random.Random, people: People) -> Promise:
    column = _one(r, people)
    name, t = column.name, Fraction(r.randint(0, 20), 20)
    kinds = ["equal", "equal", "ordered", "variational", "kl", "hellinger"]
    if column.rule.levels:
        kinds.append("hierarchical")
    near = {"sensitive": name, "distance": r.choice(kinds)}
    match r.choice(["t", "t", "n", "hellinger", "beta", "delta", "gamma"]):
        case "t":
            return Promise("TCloseness", {"t": t, **near})
        case "n":
            return Promise("NTCloseness", {"n": r.randint(1, 10), "t": t, **near})
        case "hellinger":
            return Promise("HellingerCloseness", {"t": t, "sensitive": name})
        case "beta":
            given = {"beta": Fraction(r.randint(0, 30), 10), "sensitive": name}
            return Promise("BetaLikeness", given | {"enhanced": r.random() < 0.3})
        case "delta":
            delta = Fraction(r.randint(1, 30), 10)
            return Promise("DeltaDisclosure", {"delta": delta, "sensitive": name})
        case _:
            return Promise("DGammaPrivacy", {"d": _share(r), "gamma": _share(r), "sensitive": name})


def _numbers(r: random.Random, people: People) -> Promise:
    names = people.named("sensitive")
    name = r.choice([name for name in names if people[name].kind in ("int", "float", "date")])
    match r.choice(["ke", "em", "square"]):
        case "ke":
            given = {"k": _bound(r), "e": Fraction(r.randint(0, 20), 2), "sensitive": name}
            return Promise("KEAnonymity", given)
        case "em":
            given = {"epsilon": Fraction(r.randint(0, 10), 4), "m": Fraction(r.randint(4, 12), 4)}
            return Promise("EpsilonMAnonymity", given | {"sensitive": name})
        case _:
            return Promise("SquaredErrorDiversity", {"v": r.randint(0, 50), "sensitive": name})


def _beliefs(r: random.Random, people: People) -> Promise:
    column = _one(r, people)
    match r.choice(["skyline", "minimal", "guard", "prior", "isolation"]):
        case "skyline" if len(people) <= 16:
            point = [r.randint(0, 2), r.randint(0, 2), r.randint(0, 2), str(_share(r))]
            judged = {"points": [(*point[:3], Fraction(str(point[3])))]}
            return Promise("SkylinePrivacy", {"points": [point], "sensitive": column.name}, judged)
        case "minimal" if len(people) <= 12:
            given = {"m": Fraction(r.randint(2, 8), 2), "h": _share(r), "sensitive": column.name}
            return Promise("MConfidentiality", given)
        case "guard" if people.named("guard") and len(people.named("sensitive")) == 1:
            given = {"p": _share(r), "sensitive": column.name, "guard": people.named("guard")[0]}
            return Promise(
                "PersonalizedPrivacy", given | {"reading": r.choice(["leaf", "subtree"])}
            )
        case "prior" if column.kind == "text" and not any(map(is_missing, column.values)):
            return _prior(r, people, column)
        case "isolation" if _is_numeric(people):
            given = {"c": Fraction(r.randint(1, 6), 2), "t": r.randint(1, 4)}
            return Promise("CTIsolation", given)
        case _:
            return Promise("DistinctLDiversity", {"l": _bound(r), "sensitive": column.name})


def _is_numeric(people: People) -> bool:
    columns = [people[name] for name in people.order]
    return all(c.kind in ("int", "float", "date") for c in columns) and not any(
        is_missing(value) for c in columns for value in c.values
    )


def _prior(r: random.Random, people: People, column: Column) -> Promise:
    known = people[r.choice(people.order)]
    if any(is_missing(value) for value in known.values) or known.kind in ("odd", "float", "bool"):
        return Promise("DistinctLDiversity", {"l": _bound(r), "sensitive": column.name})
    kinds: list[Value] = list(dict.fromkeys(known.values))
    values = list(dict.fromkeys(str(value) for value in column.values))
    share = Fraction(1, len(values) + 1)
    chances = {
        kind: {value: share * Fraction(r.randint(1, 10), 10) for value in values} for kind in kinds
    }
    table = {
        known.name: [kind for kind in kinds for _ in values],
        "value": [value for _ in kinds for value in values],
        "p": [str(chances[kind][value]) for kind in kinds for value in values],
    }
    given = {"r": Fraction(r.randint(2, 8), 2), "prior": "beliefs", "sensitive": column.name}
    judged = {"column": known.name, "chances": chances}
    name = r.choice(["RRobustness", "DeltaBounding"])
    return Promise(name, given, judged, {"beliefs": table})
