"""Cards: what is said of a model or a method where people choose one."""

from __future__ import annotations

from typing import Any

from unlinkable.registry import Entry, entries
from unlinkable.studio.contracts import Document
from unlinkable.tables.methods.base import Method, Search
from unlinkable.tables.models.base import GroupModel, Threat
from unlinkable.tables.operations import FullDomainGeneralization

__all__ = ["told_entries"]

_THREATS = {
    Threat.RECORD: "finding somebody's record",
    Threat.ATTRIBUTE: "telling what somebody has to hide",
    Threat.TABLE: "telling whether somebody is in the table",
    Threat.PROBABILISTIC: "becoming much surer of somebody than before",
}


def told_entries(kind: str) -> list[Document]:
    """List everything of a kind, as ``list --json`` does, with what cards say besides.

    Examples
    --------
    >>> [card["stops"] for card in told_entries("model") if card["name"] == "k-anonymity"]
    ["finding somebody's record"]
    """
    return [{**entry.to_json(), **_besides(entry)} for entry in entries(kind)]


def _besides(entry: Entry) -> dict[str, Any]:
    if entry.kind == "model":
        return _of_model(entry.make)
    return _of_method(entry.make) if entry.kind == "method" else {}


def _of_model(model: type[GroupModel]) -> dict[str, Any]:
    stopped = [words for threat, words in _THREATS.items() if threat in model.threats]
    others = [words for threat, words in _THREATS.items() if threat not in model.threats]
    return {
        "threats": [(threat.name or "").lower() for threat in _THREATS if threat in model.threats],
        "stops": _listed(stopped),
        "does_not_stop": _listed(others),
        "limit": model.does_not_promise[0],
        "attacks": [e.name for e in entries("attack") if model.name in e.make.stopped_by],  # type: ignore[attr-defined]
        "parameter": getattr(model, "parameter", None),
    }


def _of_method(method: type[Method]) -> dict[str, Any]:
    is_search = issubclass(method, Search)
    scheme = method.scheme if issubclass(method, Search) else None
    return {
        "family": method.__module__.split(".")[2],
        "generalizes": is_search,
        "full_domain": scheme is not None and issubclass(scheme, FullDomainGeneralization),
        "scheme": None if scheme is None else scheme.name,
        "truthful": bool(getattr(method, "truthful", False)),
        "stoppable": method.stoppable,
    }


def _listed(words: list[str]) -> str:
    """Join words as people do."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
