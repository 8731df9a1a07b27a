"""Collection: learning from people who do not trust whoever asks."""

from __future__ import annotations

from unlinkable.collection.base import Collection
from unlinkable.collection.bayes_reconstruction import Algorithm, BayesReconstruction
from unlinkable.collection.density import Density
from unlinkable.collection.estimate import Estimate
from unlinkable.collection.inversion import likeliest_shares, shares_before
from unlinkable.collection.mined import Mined
from unlinkable.collection.mining_reconstructed import Learner, MiningReconstructed, Strategy
from unlinkable.collection.mixtures import Stop
from unlinkable.collection.noise_law import NoiseLaw
from unlinkable.collection.randomized_response import RandomizedResponse

__all__ = [
    "Algorithm",
    "BayesReconstruction",
    "Collection",
    "Density",
    "Estimate",
    "Learner",
    "Mined",
    "MiningReconstructed",
    "NoiseLaw",
    "RandomizedResponse",
    "Stop",
    "Strategy",
    "likeliest_shares",
    "shares_before",
]
