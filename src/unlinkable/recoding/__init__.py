"""What may be done to data so that it can be published.

An operation is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

# A function that is called like its file must be there first, or the file would take its name.
from unlinkable.recoding.pseudonyms import mask, pseudonyms

if TYPE_CHECKING:
    from unlinkable.recoding.additive_noise import AdditiveNoise as AdditiveNoise
    from unlinkable.recoding.anatomization import Anatomization as Anatomization
    from unlinkable.recoding.base import Operation as Operation
    from unlinkable.recoding.cell_generalization import CellGeneralization as CellGeneralization
    from unlinkable.recoding.cell_suppression import CellSuppression as CellSuppression
    from unlinkable.recoding.data_swapping import DataSwapping as DataSwapping
    from unlinkable.recoding.exploration import Overlap as Overlap
    from unlinkable.recoding.exploration import overlaps as overlaps
    from unlinkable.recoding.full_domain_generalization import (
        FullDomainGeneralization as FullDomainGeneralization,
    )
    from unlinkable.recoding.keys import Key as Key
    from unlinkable.recoding.keys import load_key as load_key
    from unlinkable.recoding.keys import new_key as new_key
    from unlinkable.recoding.keys import save_key as save_key
    from unlinkable.recoding.microaggregation import Microaggregation as Microaggregation
    from unlinkable.recoding.multidimensional_generalization import (
        MultidimensionalGeneralization as MultidimensionalGeneralization,
    )
    from unlinkable.recoding.nodes import n_cuts as n_cuts
    from unlinkable.recoding.permutation import Permutation as Permutation
    from unlinkable.recoding.perturbation import Perturbation as Perturbation
    from unlinkable.recoding.post_randomization import PostRandomization as PostRandomization
    from unlinkable.recoding.pseudonymization import Pseudonymization as Pseudonymization
    from unlinkable.recoding.recoding import Recoding as Recoding
    from unlinkable.recoding.recoding import recode as recode
    from unlinkable.recoding.record_suppression import RecordSuppression as RecordSuppression
    from unlinkable.recoding.scheme import Scheme as Scheme
    from unlinkable.recoding.sibling_generalization import (
        SiblingGeneralization as SiblingGeneralization,
    )
    from unlinkable.recoding.subtree_generalization import (
        SubtreeGeneralization as SubtreeGeneralization,
    )
    from unlinkable.recoding.synthetic_data import SyntheticData as SyntheticData
    from unlinkable.recoding.top_bottom_coding import TopBottomCoding as TopBottomCoding
    from unlinkable.recoding.value_suppression import ValueSuppression as ValueSuppression

_WHERE = {
    "AdditiveNoise": "additive_noise",
    "Anatomization": "anatomization",
    "CellGeneralization": "cell_generalization",
    "CellSuppression": "cell_suppression",
    "DataSwapping": "data_swapping",
    "FullDomainGeneralization": "full_domain_generalization",
    "Key": "keys",
    "Microaggregation": "microaggregation",
    "MultidimensionalGeneralization": "multidimensional_generalization",
    "Operation": "base",
    "Overlap": "exploration",
    "Permutation": "permutation",
    "Perturbation": "perturbation",
    "PostRandomization": "post_randomization",
    "Pseudonymization": "pseudonymization",
    "Recoding": "recoding",
    "RecordSuppression": "record_suppression",
    "Scheme": "scheme",
    "SiblingGeneralization": "sibling_generalization",
    "SubtreeGeneralization": "subtree_generalization",
    "SyntheticData": "synthetic_data",
    "TopBottomCoding": "top_bottom_coding",
    "ValueSuppression": "value_suppression",
    "load_key": "keys",
    "n_cuts": "nodes",
    "new_key": "keys",
    "overlaps": "exploration",
    "recode": "recoding",
    "save_key": "keys",
}
"""The file of each operation."""

__all__ = [*_WHERE, "mask", "pseudonyms"]

__getattr__ = load_on_use(__name__, _WHERE)
