"""Seeded comparisons of mechanisms, and the experiments of the paper run again.

Nothing here is a release: true values and seeds are read freely, and what comes out is for study.
"""

from __future__ import annotations

from compdp_core.experiments.comparison import compare
from compdp_core.experiments.curves import bias_curve, error_curve
from compdp_core.experiments.draws import quantile_dots, quantiles, running_mean
from compdp_core.experiments.histograms import histograms
from compdp_core.experiments.mechanism_list import KEYS, factories, label, roster
from compdp_core.experiments.paper.queries import BoundedColumn
from compdp_core.experiments.paper.reproduction import TABLES, Reproduction, reproduce
from compdp_core.experiments.progress import CancelledError
from compdp_core.experiments.ranking import GOALS, rank

__all__ = [
    "GOALS",
    "KEYS",
    "TABLES",
    "BoundedColumn",
    "CancelledError",
    "Reproduction",
    "bias_curve",
    "compare",
    "error_curve",
    "factories",
    "histograms",
    "label",
    "quantile_dots",
    "quantiles",
    "rank",
    "reproduce",
    "roster",
    "running_mean",
]
