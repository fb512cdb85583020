"""Exact privacy loss of a density for inputs at a distance, and designs that use it up.

The bound ``sup P / inf P`` compares the highest peak with the lowest base, which need not meet at
one output, and lets inputs be as far apart as they can be. The exact loss does neither. What proves
a release is the certificate of its lattice, not this package.
"""

from __future__ import annotations

from compdp_core.design.privacy_loss.designing import design_to_exact as design_to_exact
from compdp_core.design.privacy_loss.designing import tallest as tallest
from compdp_core.design.privacy_loss.loss import PrivacyLoss as PrivacyLoss
from compdp_core.design.privacy_loss.loss import log_ratio as log_ratio
from compdp_core.design.privacy_loss.loss import loss as loss
from compdp_core.design.privacy_loss.loss import loss_curve as loss_curve
from compdp_core.design.privacy_loss.loss import numeric_loss as numeric_loss
from compdp_core.design.privacy_loss.shifts import DISTANCE as DISTANCE
