"""What may be done to data so that it can be published."""

from __future__ import annotations

from unlinkable.recoding.base import Operation
from unlinkable.recoding.cell_generalization import CellGeneralization
from unlinkable.recoding.cell_suppression import CellSuppression
from unlinkable.recoding.exploration import Overlap, overlaps
from unlinkable.recoding.full_domain_generalization import FullDomainGeneralization
from unlinkable.recoding.keys import Key, load_key, new_key, save_key
from unlinkable.recoding.multidimensional_generalization import MultidimensionalGeneralization
from unlinkable.recoding.nodes import n_cuts
from unlinkable.recoding.pseudonymization import Pseudonymization
from unlinkable.recoding.pseudonyms import mask, pseudonyms
from unlinkable.recoding.recoding import Recoding, recode
from unlinkable.recoding.record_suppression import RecordSuppression
from unlinkable.recoding.scheme import Scheme
from unlinkable.recoding.sibling_generalization import SiblingGeneralization
from unlinkable.recoding.subtree_generalization import SubtreeGeneralization
from unlinkable.recoding.top_bottom_coding import TopBottomCoding
from unlinkable.recoding.value_suppression import ValueSuppression

__all__ = [
    "CellGeneralization",
    "CellSuppression",
    "FullDomainGeneralization",
    "Key",
    "MultidimensionalGeneralization",
    "Operation",
    "Overlap",
    "Pseudonymization",
    "Recoding",
    "RecordSuppression",
    "Scheme",
    "SiblingGeneralization",
    "SubtreeGeneralization",
    "TopBottomCoding",
    "ValueSuppression",
    "load_key",
    "mask",
    "n_cuts",
    "new_key",
    "overlaps",
    "pseudonyms",
    "recode",
    "save_key",
]
