r"""Mechanisms: noise on numbers, and choices at random, from a vetted library.

Noise made by hand with ordinary floating-point numbers gives values away
through their last digits [1]_. All noise here is drawn by OpenDP, which works with exact arithmetic
and takes its chance from the operating system: **it cannot be seeded**, and no release repeats it.

What is drawn is always what an `Event` says, so a ledger cannot say anything else than what was
done. Sensitivities are told explicitly, as the most that one person changes: summed over the
numbers (L1) for Laplace and geometric noise, the length of the change (L2) for Gaussian noise, the
largest change of a score for a choice. They hold for tables that differ in the sense of the
ledger's neighbours; nothing here depends on which.

References
----------
.. [1] I. Mironov. "On significance of the least significant bits for differential privacy."
   CCS 2012.
.. [2] C. Dwork, F. McSherry, K. Nissim, A. Smith. "Calibrating noise to sensitivity in private data
   analysis." TCC 2006.
.. [3] A. Ghosh, T. Roughgarden, M. Sundararajan. "Universally utility-maximizing privacy
   mechanisms." STOC 2009.
.. [4] C. Canonne, G. Kamath, T. Steinke. "The discrete Gaussian for differential privacy." NeurIPS
   2020.
.. [5] F. McSherry, K. Talwar. "Mechanism design via differential privacy." FOCS 2007.
.. [6] R. McKenna, D. Sheldon. "Permute-and-flip: a new mechanism for differentially private
   selection." NeurIPS 2020.
.. [7] M. Cesar, R. Rogers. "Bounding, concentrating, and truncating: unifying privacy loss
   composition for data analytics." ALT 2021.
"""

from __future__ import annotations

import math
import secrets
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from unlinkable.errors import ParameterError
from unlinkable.extras import load_extra
from unlinkable.noise.ledger import Event, Mechanism
from unlinkable.typing import CountArray, FloatArray

__all__ = [
    "KEY_BITS",
    "add_noise",
    "choose",
    "exponential",
    "gaussian",
    "geometric",
    "laplace",
    "opendp",
    "secure_generator",
]

Numbers = TypeVar("Numbers", CountArray, FloatArray)
"""Whole numbers stay whole, others do not."""


def laplace(
    values: FloatArray, *, sensitivity: float, scale: float, what: str = ""
) -> tuple[FloatArray, Event]:
    r"""Add Laplace noise, of density :math:`\frac{1}{2b} e^{-|x| / b}`, to each number.

    It costs :math:`\epsilon = \Delta_1 / b` for numbers of L1 sensitivity :math:`\Delta_1` [2]_.

    Examples
    --------
    >>> noisy, event = laplace(np.array([3.5, 4.0]), sensitivity=1, scale=2, what="mean stay")
    >>> noisy.shape, event.mechanism.value, event.parameters["scale"]
    ((2,), 'laplace', 2)
    """
    event = Event(Mechanism.LAPLACE, {"sensitivity": sensitivity, "scale": scale}, what=what)
    return add_noise(event, np.asarray(values, np.float64)), event


def geometric(
    values: CountArray, *, sensitivity: float, scale: float, what: str = ""
) -> tuple[CountArray, Event]:
    r"""Add two-sided geometric noise, :math:`P[x] \propto e^{-|x| / b}`, to each whole number.

    The Laplace distribution on whole numbers, which is the best that can be done for a count [3]_.
    It costs :math:`\epsilon = \Delta_1 / b`.

    Examples
    --------
    >>> noisy, event = geometric(np.array([12, 7]), sensitivity=1, scale=2, what="patients")
    >>> noisy.dtype.kind, event.mechanism.value
    ('i', 'geometric')
    """
    event = Event(Mechanism.GEOMETRIC, {"sensitivity": sensitivity, "scale": scale}, what=what)
    return add_noise(event, np.asarray(values, np.int64)), event


def gaussian(
    values: Numbers, *, sensitivity: float, scale: float, what: str = ""
) -> tuple[Numbers, Event]:
    r"""Add Gaussian noise of standard deviation ``scale`` to each number.

    Whole numbers get the discrete Gaussian distribution, :math:`P[x] \propto e^{-x^2 / 2 \sigma^2}`
    [4]_. It costs :math:`\rho = \Delta_2^2 / 2 \sigma^2` of zero-concentrated differential privacy
    for numbers of L2 sensitivity :math:`\Delta_2`, and no pure epsilon at all.

    Examples
    --------
    >>> noisy, event = gaussian(np.array([12, 7]), sensitivity=1, scale=5)
    >>> noisy.dtype.kind, event.mechanism.value
    ('i', 'gaussian')
    """
    event = Event(Mechanism.GAUSSIAN, {"sensitivity": sensitivity, "scale": scale}, what=what)
    return add_noise(event, values), event


def exponential(
    scores: CountArray | FloatArray, *, sensitivity: float, epsilon: float, what: str = ""
) -> tuple[int, Event]:
    r"""Choose at random, the better the likelier: the exponential mechanism for a pure epsilon.

    It is drawn by permute-and-flip: choices are visited in random order, and one of score
    :math:`q` is taken with probability :math:`e^{\epsilon (q - q^*) / 2 \Delta}`, :math:`q^*` being
    the best score. That costs as much as the mechanism of McSherry and Talwar [5]_ and is never
    worse than it [6]_.

    Parameters
    ----------
    scores
        One for each choice.
    sensitivity
        The most that one person changes any one of them.
    epsilon
        What it may cost.

    Examples
    --------
    >>> best, event = exponential(np.array([0, 1000]), sensitivity=1, epsilon=1, what="split")
    >>> best, event.mechanism.value, event.parameters
    (1, 'pure', {'epsilon': 1})
    """
    event = Event(Mechanism.PURE, {"epsilon": epsilon}, what=what)
    return choose(event, scores, sensitivity=sensitivity), event


def add_noise(event: Event, values: Numbers) -> Numbers:
    """Draw the noise that an event says, for each number.

    Raises
    ------
    ParameterError
        If the event is about no added noise, or a number is none.
    """
    is_whole = np.issubdtype(values.dtype, np.integer)
    if event.mechanism is Mechanism.GEOMETRIC and not is_whole:
        raise ParameterError("geometric noise is for whole numbers: take laplace")
    if event.mechanism is Mechanism.LAPLACE and is_whole:
        raise ParameterError("laplace noise is for numbers with a fraction: take geometric")
    if not np.isfinite(values).all():
        raise ParameterError("noise is added to numbers, and some are missing or infinite")
    noise = _noise(event.mechanism, float(event.parameters.get("scale", 1)), bool(is_whole))
    flat: NDArray[Any] = np.asarray(noise(values.ravel().tolist()), values.dtype)
    return flat.reshape(values.shape)


def choose(event: Event, scores: CountArray | FloatArray, *, sensitivity: float) -> int:
    r"""Choose by the exponential mechanism at the cost that an event says.

    A ``pure`` event is drawn by permute-and-flip, as `exponential` says. A ``concentrated`` one is
    drawn as the best after Gumbel noise of scale :math:`b`, which chooses with probability
    :math:`\propto e^{q / b}` and costs :math:`\rho = (2 \Delta / b)^2 / 8`, a quarter of what its
    pure epsilon would say [7]_.

    Raises
    ------
    ParameterError
        If there is nothing to choose from, or the event says nothing of a choice.
    """
    if not len(scores):
        raise ParameterError("there is nothing to choose from")
    if not np.isfinite(scores).all():
        raise ParameterError("a choice needs numbers as scores, and some are missing or infinite")
    if event.mechanism is Mechanism.PURE:
        scale = 2 * sensitivity / event.parameters["epsilon"]
    elif event.mechanism is Mechanism.CONCENTRATED:
        scale = 2 * sensitivity / math.sqrt(8 * event.parameters["rho"])
    else:
        raise ParameterError(f"a choice is a pure or a concentrated event, not {event.mechanism}")
    is_whole = bool(np.issubdtype(scores.dtype, np.integer))
    chosen = _choice(event.mechanism, scale, is_whole)(scores.tolist())
    return int(chosen)


@cache
def _noise(mechanism: Mechanism, scale: float, is_whole: bool) -> Any:
    dp = opendp()
    kind = "i64" if is_whole else "f64"
    atoms = dp.atom_domain(T=kind) if is_whole else dp.atom_domain(T=kind, nan=False)
    numbers = dp.vector_domain(atoms)
    if mechanism in (Mechanism.LAPLACE, Mechanism.GEOMETRIC):
        return dp.m.make_laplace(numbers, dp.l1_distance(T=kind), scale=scale)
    if mechanism is Mechanism.GAUSSIAN:
        return dp.m.make_gaussian(numbers, dp.l2_distance(T="f64"), scale=scale)
    raise ParameterError(f"{mechanism} adds no noise to numbers")


@cache
def _choice(mechanism: Mechanism, scale: float, is_whole: bool) -> Any:
    dp = opendp()
    kind = "i64" if is_whole else "f64"
    atoms = dp.atom_domain(T=kind) if is_whole else dp.atom_domain(T=kind, nan=False)
    is_pure = mechanism is Mechanism.PURE
    measure = dp.max_divergence() if is_pure else dp.zero_concentrated_divergence()
    space = dp.vector_domain(atoms), dp.linf_distance(T=kind)
    return dp.m.make_noisy_max(*space, measure, scale=scale)


@cache
def opendp() -> ModuleType:
    """Load OpenDP.

    It draws noise with exact arithmetic, and publishes proofs beside its functions. *contrib* marks
    those whose proofs have not gone through all of its own review; that is so of all that is used
    here, which is why the tests hold noise and prices against their definitions.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    dp = load_extra("opendp.prelude", "dp", "noise and its prices")
    dp.enable_features("contrib")
    return dp


KEY_BITS = 256
"""How long the key of the generator is."""

_ROUNDS = 20


def secure_generator(seed: int | None = None) -> np.random.Generator:
    """Give a generator whose numbers do not disclose each other: the stream of ChaCha20.

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
