"""Seeded comparisons of mechanisms, and the experiments of the paper run again.

Nothing here is a release: true values and seeds are read freely, and what comes out is for study.
"""

from __future__ import annotations

from compdp_core.experiments.comparison import compare as compare
from compdp_core.experiments.curves import bias_curve as bias_curve
from compdp_core.experiments.curves import error_curve as error_curve
from compdp_core.experiments.draws import quantile_dots as quantile_dots
from compdp_core.experiments.draws import quantiles as quantiles
from compdp_core.experiments.draws import running_mean as running_mean
from compdp_core.experiments.histograms import histograms as histograms
from compdp_core.experiments.mechanism_list import KEYS as KEYS
from compdp_core.experiments.mechanism_list import factories as factories
from compdp_core.experiments.mechanism_list import label as label
from compdp_core.experiments.mechanism_list import roster as roster
from compdp_core.experiments.paper.queries import BoundedColumn as BoundedColumn
from compdp_core.experiments.paper.reproduction import TABLES as TABLES
from compdp_core.experiments.paper.reproduction import Reproduction as Reproduction
from compdp_core.experiments.paper.reproduction import reproduce as reproduce
from compdp_core.experiments.progress import CancelledError as CancelledError
from compdp_core.experiments.ranking import GOALS as GOALS
from compdp_core.experiments.ranking import rank as rank
