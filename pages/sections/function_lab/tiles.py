"""The live density, or why there is none, and the numbers that one looks at first."""

from __future__ import annotations

import math

import streamlit as st

from compdp_core.design.privacy_loss import PrivacyLoss
from compdp_core.errors import CompdpError
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.text import rounded_up
from pages.charts.density import scene_chart
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.trial import Bench, Result
from pages.sections.shared.figures import figures
from pages.session.faults import attempted
from pages.session.state import memo
from pages.text.wording import brief, lettered, literal, number, placed


def tiles(bench: Bench, result: Result, loss: PrivacyLoss) -> None:
    design, density = result.design, result.density
    variance = result.variance(result.shown)
    # Neighbours can be so close that the square of their distance is none a float can hold.
    deviation = math.sqrt(design.relative_variance(result.shown)) / result.neighbours
    with st.container(key="row-lab-tiles"):
        places = (*st.columns(2), *st.columns(2))
    figures(
        places,
        (
            "Variance at this input (data unit²)",
            number(variance),
            f"Standard deviation {number(math.sqrt(variance))} data units; "
            f"{number(deviation * deviation)} in units of Δ².",
        ),
        (
            "H₁ = S₂ / S₁",
            number(design.h1),
            "Mass of the base over mass of the activation: smaller is better.",
        ),
        (
            "H₂ of P; of the base alone",
            f"{number(density.h2(result.c_p))}; {number(density.h2(result.c_p, 'base'))}",
            "Share of the mass in the inner quarter of the way to the farther edge, over that in "
            "three quarters. The paper's definition uses the whole density P; the table it prints "
            "comes from the base alone.",
        ),
        (
            "Exact ε; declared ε",
            f"{brief(loss.epsilon)}; {brief(bench.epsilon)}",
            "The exact loss compares neighbours at one output, wherever that is worst.",
        ),
    )


def words(bench: Bench, result: Result, loss: PrivacyLoss) -> None:
    st.markdown(_binds(bench, result, loss) + _proof(bench, result))


def _binds(bench: Bench, result: Result, loss: PrivacyLoss) -> str:
    output = placed(result.to_data(loss.output), result.inputs.as_tuple(), 4)
    likelier, other = result.apart(loss.likelier, loss.other)
    return (
        f"**Privacy.** ε is declared as {brief(bench.epsilon)}. The bound ln(sup P / inf P), of "
        f"the largest density over the smallest, is {brief(loss.declared)}, and the exact loss "
        f"{brief(loss.epsilon)}. It binds at the output {output}: a true value of {likelier} makes "
        f"it {brief(math.exp(loss.epsilon))} times as likely as {other} does. "
    )


def _proof(bench: Bench, result: Result) -> str:
    if not bench.feasible:
        return ""
    proof = memo(
        f"{lab.PAGE}.proof",
        (result.design, result.inputs, result.sensitivity),
        lambda: attempted(
            lambda: (
                CompositeMechanism.from_design(
                    result.design, result.inputs, sensitivity=result.sensitivity
                ).certificate
            )
        ),
    )
    if isinstance(proof, CompdpError):
        return f"No release could be certified: {literal(str(proof))}."
    return (
        f"The certificate of a release proves ε ≤ {rounded_up(proof.epsilon, 4)} over "
        f"{proof.points:,} outputs, with a bias of at most {rounded_up(proof.worst_bias, 3)}."
    )


HEIGHT = 470


def picture(bench: Bench) -> None:
    result = bench.result
    if result is None:
        with st.container(height=HEIGHT, border=True, vertical_alignment="center"):
            st.markdown("##### Nothing can be drawn")
            jump = ", or jump to the optimum" if bench.optimum_helps else ""
            st.markdown(
                f"These numbers make no density: {literal(lettered(bench.why))}. "
                f"Change what is named{jump}."
            )
        return
    title = "What one true value may turn into"
    if result.position != result.shown:
        title = "The nearest input that fits: yours lies beyond C"
    elif not bench.feasible:
        title = "As set, though not feasible"
    scene_chart("lab", result.scene(), unit="data units", title=title, height=HEIGHT).draw()
