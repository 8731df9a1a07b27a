"""Chance where privacy rests on it."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.noise.secure_randomness import KEY_BITS, secure_generator


def test_a_key_makes_numbers_repeatable_and_no_key_does_not() -> None:
    assert secure_generator(3).random(5).tolist() == secure_generator(3).random(5).tolist()
    assert secure_generator(3).random() != secure_generator(4).random()
    assert secure_generator().random() != secure_generator().random()


def test_the_whole_key_counts() -> None:
    large = secure_generator(1 << (KEY_BITS - 1))
    assert large.random() != secure_generator(0).random()
    with pytest.raises((ValueError, OverflowError)):
        secure_generator(1 << KEY_BITS)


def test_the_numbers_are_the_key_stream_of_chacha20() -> None:
    # RFC 8439 sets other words for nonce and counter; with all of them 0 the streams are the same.
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

    stream = Cipher(algorithms.ChaCha20(bytes(32), bytes(16)), None).encryptor()
    expected = np.frombuffer(stream.update(bytes(64)), "<u8")
    drawn = secure_generator(0).integers(0, 1 << 64, size=8, dtype=np.uint64)
    assert drawn.tolist() == expected.tolist()
