"""Chance where privacy rests on it: nobody who sees some of the numbers can tell the others."""

from __future__ import annotations

import secrets

import numpy as np

__all__ = ["KEY_BITS", "secure_generator"]

KEY_BITS = 256
"""How long the key of the generator is."""

_ROUNDS = 20


def secure_generator(seed: int | None = None) -> np.random.Generator:
    """Give a generator whose numbers cannot be told from each other: the stream of ChaCha20.

    Noise that hides a value must not be guessed from other noise of the same release. The usual
    generators for simulations give themselves away after some hundred numbers; a cipher does not.

    Parameters
    ----------
    seed
        The key, a whole number of up to 256 bits. It makes the numbers repeatable, and an adversary
        who knows it can take the noise away: it stays with the holder. If not given, it comes from
        the operating system.

    Examples
    --------
    >>> secure_generator(7).integers(100, size=3).tolist() == secure_generator(7).integers(
    ...     100, size=3).tolist()
    True
    """
    from randomgen import ChaCha

    key = secrets.randbits(KEY_BITS) if seed is None else seed
    return np.random.Generator(ChaCha(key=key, rounds=_ROUNDS))
