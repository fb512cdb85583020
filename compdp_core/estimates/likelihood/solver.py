"""Maximum likelihood of a mixture: which shares of true values make the released cells likely.

Maximise ``Σ w_i log (P g)_i - ½ g'Q g`` over ``g >= 0`` with ``A g = b``: convex, solved by a
primal-dual interior point method (Boyd & Vandenberghe, Convex Optimization, 11.7), as Koenker &
Mizera (J. Am. Stat. Assoc. 109, 2014) did in the place of EM, which takes thousands of steps.
Many problems of one kernel are solved at once.
"""

from __future__ import annotations

import numpy as np

from compdp_core.estimates.likelihood.threads import on_one_thread
from compdp_core.validation import Array

_STEPS = 100
_GAP = 1e-4
"""Of the logarithm of the likelihood of all rows."""


@on_one_thread
def most_likely(
    kernel: Array,
    counts: Array,
    sides: Array,
    totals: Array,
    penalty: Array | None = None,
) -> Array:
    """The shares ``g`` of the greatest likelihood, shape (b, k).

    ``counts`` (b, m) may be fractions. ``sides`` (r, k) of zeros and ones: which shares add up to
    ``totals`` (b, r); each share is of one side. ``penalty``: ``Q``, of one row.
    """
    n = counts.sum(axis=-1, keepdims=True)
    seen = counts.any(axis=0)
    p, w = kernel[seen], counts[:, seen] / n
    k = kernel.shape[1]
    q = np.zeros((k, k)) if penalty is None else penalty
    g: Array = totals @ (sides / sides.sum(axis=1, keepdims=True))
    s = np.ones_like(g)
    todo = np.arange(len(g))
    diagonal = np.arange(k)
    for _ in range(_STEPS):
        x, z, weight = g[todo], s[todo], w[todo]
        fit = x @ p.T
        gap = np.einsum("bk,bk->b", x, z)
        mu = 0.1 * gap / k
        slope = x @ q - (weight / fit) @ p
        half = np.sqrt(weight)[:, :, None] / fit[:, :, None] * p
        hessian = half.transpose(0, 2, 1) @ half + q
        hessian[:, diagonal, diagonal] += z / x
        right = np.concatenate(
            [
                (mu[:, None] / x - slope)[:, :, None],
                np.broadcast_to(sides.T, (len(x), *sides.T.shape)),
            ],
            axis=2,
        )
        solved = np.linalg.solve(hessian, right)
        inner = sides @ solved
        price = np.linalg.solve(inner[:, :, 1:], -inner[:, :, :1])
        step = (solved[:, :, :1] + solved[:, :, 1:] @ price)[:, :, 0]
        other = mu[:, None] / x - z - z / x * step
        length = np.minimum(_largest(x, step), 1.0)
        g[todo] = x + length[:, None] * step
        s[todo] = z + np.minimum(_largest(z, other), 1.0)[:, None] * other
        todo = todo[(gap * n[todo, 0] > _GAP) | (length < 0.5)]
        if not todo.size:
            break
    return g


def _largest(values: Array, step: Array) -> Array:
    """How much of a step leaves all values positive."""
    with np.errstate(divide="ignore"):
        ratio = np.where(step < 0.0, -values / step, np.inf)
    found: Array = 0.95 * ratio.min(axis=-1)
    return found


@on_one_thread
def log_likelihood(kernel: Array, counts: Array, shares: Array) -> Array:
    """Of shares (b, k) and counts (b, m), but for what does not depend on the shares."""
    seen = counts.any(axis=0)
    found: Array = (counts[:, seen] * np.log(shares @ kernel[seen].T)).sum(axis=-1)
    return found
