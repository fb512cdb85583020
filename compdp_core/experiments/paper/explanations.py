"""Why a number of the paper and ours differ: one statement each, with the test that proves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compdp_core.design.design import Design
from compdp_core.experiments.frames import frame
from compdp_core.experiments.paper.printed import FIGURE_EPSILONS, PAPER_DELTA
from compdp_core.experiments.paper.reconstruction import UNIT, authors_valid_inputs
from compdp_core.mechanisms.baselines import AnalyticGaussian, ClassicGaussian
from compdp_core.shapes import Rectangle

if TYPE_CHECKING:
    import pandas as pd

_HERE = "tests/unit/experiments"


@dataclass(frozen=True)
class Explanation:
    """One reason."""

    key: str
    """As in the ``reason`` columns of the tables."""
    title: str
    text: str
    proof: str
    """The test that fails if it is not so."""


EXPLANATIONS: dict[str, Explanation] = {
    each.key: each
    for each in (
        Explanation(
            "same",
            "Reproduced",
            "The paper's Algorithm 1 on the authors' grid gives the printed number.",
            f"{_HERE}/test_rates.py::test_every_printed_rate_and_variance_on_b1_is_reproduced",
        ),
        Explanation(
            "monte-carlo",
            "Printed variances and errors are estimates",
            "They are averages over 1,000 draws: a variance scatters by 3 to 4 percent of itself, "
            "a mean absolute error by 2 percent. Ours are closed forms.",
            f"{_HERE}/test_rates.py::test_every_printed_rate_and_variance_on_b1_is_reproduced",
        ),
        Explanation(
            "flat-optimum",
            "The optimum is flat",
            "A design with another H1 can be as good: A2B1 at ε = 0.2 is printed with an H1 six "
            "percent above the grid's, and the design that has it is within one percent of the "
            "least variance.",
            f"{_HERE}/test_rates.py::test_the_one_h1_that_differs_belongs_to_an_equally_good_design",
        ),
        Explanation(
            "h2-base",
            "The printed H2 is that of the base alone",
            "The definition takes areas under the whole density; the printed values are those of "
            "the base function, a third for every constant base.",
            f"{_HERE}/test_rates.py::test_h2_of_the_whole_density_would_not_be_a_third",
        ),
        Explanation(
            "b2-free",
            "B2 optimised freely is B1",
            "The variance falls as the tail ratio of B2 rises to 1, where it is B1. So the paper's "
            "optimiser returns B1 for it, and its figures show equal curves for both bases. Here "
            "the tail ratio is chosen by the user and kept (column kept_tail).",
            f"{_HERE}/test_rates.py::test_b2_optimised_freely_is_b1",
        ),
        Explanation(
            "b2-printed",
            "The B2 rows of the table belong to other designs",
            "Their H1, H2 and variance are not those of the paper's optimiser. They agree with one "
            "another: in each cell one design with a smaller tail ratio has the printed H1 and H2, "
            "and its variance is the printed one within the error of 1,000 draws.",
            f"{_HERE}/test_rates.py::test_each_printed_b2_cell_fits_one_design",
        ),
        Explanation(
            "bias-is-noise",
            "The printed bias rates are absolute errors",
            "All thirty are the mean absolute error of that pair at that ε times one constant, "
            "0.0169 percent of Δ. A bias would not scale with the noise. The bias itself is zero "
            "up to the rounding that the certificate states.",
            f"{_HERE}/test_bias_rates.py::test_printed_bias_rates_are_absolute_errors_in_other_units",
        ),
        Explanation(
            "falls-not-divided",
            "Two of four quoted rates are not divided by ε",
            "For blood pressure and elapsed time the paper quotes the whole fall from ε = 0.2 to "
            "5 as a rate per ε; for altitude and speed it divides by 4.8.",
            f"{_HERE}/test_quoted.py::test_every_quoted_fall_is_reproduced",
        ),
        Explanation(
            "epsilon-grid",
            "The ε of the figures",
            "The paper says from 0.2 to 5. With 0.2, 0.5, 1, 2, 3, 4, 5, the classic Gaussian at "
            "δ = 1e-6 and the answer in the middle of the inputs, all nine quoted averages over "
            "Laplace and Gaussian come out; with an even grid of the same range they do not.",
            f"{_HERE}/test_quoted.py::test_every_quoted_gain_is_reproduced",
        ),
        Explanation(
            "loss-axis",
            "Ends of the accuracy loss",
            "The largest loss that a mechanism can cause is half the width of its outputs over the "
            "count. The quoted ends are that number for the smallest table and, for the larger "
            "ones, up to a fifth above what is possible: they were read off an axis.",
            f"{_HERE}/test_quoted.py::test_quoted_losses_are_limits_rounded_up",
        ),
        Explanation(
            "local-sensitivity",
            "The paper's Δ is taken from the data",
            "It is the largest change when one row of that very table is removed: 3.1556 for the "
            "variance of the Diabetes table's blood pressure. Such a Δ is itself private, and "
            "where removing a row changes nothing it is 0 and the answer is told exactly. The "
            "exact protocol takes Δ from public bounds instead, and costs more noise.",
            f"{_HERE}/test_queries.py::test_the_printed_sensitivity_is_the_local_one_of_that_table",
        ),
        Explanation(
            "inputs-around-answer",
            "The paper's inputs lie around the answer",
            "Its errors are those of inputs as wide as Δ with the answer in the middle. Where that "
            "interval lies tells the answer to within Δ. With public inputs, such as 0 to n for a "
            "count, a design for any two inputs adds noise of the size of n; the staircase keeps "
            "noise of the size of Δ.",
            f"{_HERE}/test_figures.py::test_public_inputs_make_pairs_useless_for_a_count",
        ),
        Explanation(
            "authors-inputs",
            "The authors' program accepts answers it does not protect",
            "It maps the user's lower bound to the edge of the domain and lets any answer through. "
            "In its own example only 24.4 to 34.4 keep both guarantees, and the neighbouring "
            "answer 20 is not among them. Here inputs are clamped into the interval first.",
            f"{_HERE}/test_explanations.py::test_the_valid_inputs_of_the_authors_example",
        ),
        Explanation(
            "classic-gaussian",
            "The classic Gaussian above ε = 1",
            "Its proof needs ε below 1. Above, the true δ can exceed the claimed 1e-6 (1.6e-4 at "
            "ε = 20) or the noise is larger than needed. The analytic Gaussian has neither fault.",
            f"{_HERE}/test_explanations.py::test_the_true_delta_of_the_classic_gaussian",
        ),
        Explanation(
            "constant-gaussian",
            "The authors' discrete Gaussian draws nothing",
            "Their program returns its standard deviation, a constant, in place of a draw. Quoted "
            "gains over it are therefore not compared.",
            "tests/unit/mechanisms/baselines/test_simulation.py::test_a_constant_in_place_of_a_draw_is_seen",
        ),
        Explanation(
            "truncation",
            "Bounds of the truncated Laplace",
            "The paper states none. Here outputs are moved into the answer's public range, such "
            "as 0 to n for a count; quoted gains over it are not compared.",
            f"{_HERE}/test_figures.py::test_the_truncated_laplace_stays_in_the_public_range",
        ),
        Explanation(
            "rows",
            "The size of the Diabetes table",
            "The public file has 768 rows; the printed 769 counts its header line. The printed "
            "size is used.",
            f"{_HERE}/test_queries.py::test_the_printed_sensitivity_is_the_local_one_of_that_table",
        ),
    )
}


def explanation_table() -> pd.DataFrame:
    """One row an explanation."""
    return frame(
        {"reason": each.key, "title": each.title, "text": each.text, "proof": each.proof}
        for each in EXPLANATIONS.values()
    )


def classic_gaussian_table() -> pd.DataFrame:
    """Claimed and true δ of the classic Gaussian, and the noise that would do, against ε."""
    rows = []
    for epsilon in (*FIGURE_EPSILONS, 10.0, 20.0):
        classic = ClassicGaussian(epsilon, UNIT, delta=PAPER_DELTA)
        analytic = AnalyticGaussian(epsilon, UNIT, delta=PAPER_DELTA)
        rows.append(
            {
                "epsilon": epsilon,
                "claimed_delta": classic.delta,
                "true_delta": classic.true_delta,
                "kept": classic.true_delta <= classic.delta,
                "proof_holds": classic.proof_holds,
                "classic_sigma": classic.sigma,
                "analytic_sigma": analytic.sigma,
            }
        )
    return frame(rows)


def authors_inputs_table() -> pd.DataFrame:
    """The example of the authors' program: which of its answers keep both guarantees.

    Ages 1, 5, 10, 20, 30; the maximum is 30, and 20 without the oldest.
    """
    design = Design.from_parameters(1.0, Rectangle(), "B1", k=0.5, m=0.4, y=0.3)
    low, high = authors_valid_inputs(design, lower=0.0, sensitivity=10.0)
    return frame(
        {"answer": answer, "valid_lower": low, "valid_upper": high, "valid": low <= answer <= high}
        for answer in (30.0, 20.0)
    )
