"""Bounded and unbiased composite differential privacy.

Noise with hard bounds that is right on average, with a privacy guarantee that is checked before
anything is released (mechanism: Zhang et al., IEEE S&P 2024).
"""

from __future__ import annotations

from compdp_core.mechanisms.composite import CompositeMechanism

__all__ = ["CompositeMechanism"]
