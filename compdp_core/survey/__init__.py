"""Surveys whose answers get their noise where they are given: a question, its draw as data for the
device of whoever answers, what may come back, and what the answers tell together.

The local model of differential privacy: nobody collects true answers (Warner, J. Am. Stat. Assoc.
60, 1965; Kasiviswanathan et al., SIAM J. Comput. 40, 2011).
"""

from __future__ import annotations
