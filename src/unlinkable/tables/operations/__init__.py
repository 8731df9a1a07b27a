"""What may be done to data so that it can be published.

An operation is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

# A function that is called like its file must be there first, or the file would take its name.
from unlinkable.tables.operations.shared.pseudonyms import mask, pseudonyms

if TYPE_CHECKING:
    from unlinkable.tables.operations.additive_noise import AdditiveNoise as AdditiveNoise
    from unlinkable.tables.operations.anatomization import Anatomization as Anatomization
    from unlinkable.tables.operations.base.operation import Operation as Operation
    from unlinkable.tables.operations.cell_generalization import CellGeneralization as CellGeneralization
    from unlinkable.tables.operations.cell_suppression import CellSuppression as CellSuppression
    from unlinkable.tables.operations.data_swapping import DataSwapping as DataSwapping
    from unlinkable.tables.operations.shared.exploration import Overlap as Overlap
    from unlinkable.tables.operations.shared.exploration import overlaps as overlaps
    from unlinkable.tables.operations.full_domain_generalization import (
        FullDomainGeneralization as FullDomainGeneralization,
    )
    from unlinkable.tables.operations.shared.keys import Key as Key
    from unlinkable.tables.operations.shared.keys import load_key as load_key
    from unlinkable.tables.operations.shared.keys import new_key as new_key
    from unlinkable.tables.operations.shared.keys import save_key as save_key
    from unlinkable.tables.operations.microaggregation import Microaggregation as Microaggregation
    from unlinkable.tables.operations.multidimensional_generalization import (
        MultidimensionalGeneralization as MultidimensionalGeneralization,
    )
    from unlinkable.tables.operations.shared.nodes import n_cuts as n_cuts
    from unlinkable.tables.operations.permutation import Permutation as Permutation
    from unlinkable.tables.operations.base.perturbation import Perturbation as Perturbation
    from unlinkable.tables.operations.post_randomization import PostRandomization as PostRandomization
    from unlinkable.tables.operations.pseudonymization import Pseudonymization as Pseudonymization
    from unlinkable.tables.operations.base.recoding import Recoding as Recoding
    from unlinkable.tables.operations.base.recoding import recode as recode
    from unlinkable.tables.operations.record_suppression import RecordSuppression as RecordSuppression
    from unlinkable.tables.operations.base.scheme import Scheme as Scheme
    from unlinkable.tables.operations.sibling_generalization import (
        SiblingGeneralization as SiblingGeneralization,
    )
    from unlinkable.tables.operations.subtree_generalization import (
        SubtreeGeneralization as SubtreeGeneralization,
    )
    from unlinkable.tables.operations.synthetic_data import SyntheticData as SyntheticData
    from unlinkable.tables.operations.top_bottom_coding import TopBottomCoding as TopBottomCoding
    from unlinkable.tables.operations.value_suppression import ValueSuppression as ValueSuppression

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
