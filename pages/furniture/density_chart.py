"""The live picture of the mechanism: what one true value can turn into, and how likely."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from compdp_core.density import Density
from compdp_core.mechanism import CompositeMechanism
from pages.furniture.chart import Chart
from pages.furniture.theme import BASE, GREY, RELEASED, TRUE, tint
from pages.furniture.wording import number, quantity, span

POINTS = 241


def density_chart(
    key: str, mechanism: CompositeMechanism, value: float, *, axis: str, unit: str, title: str
) -> Chart:
    """Density of the outputs for one true value, on the data's axis and the domain's above it."""
    table = curves(mechanism, value)
    image = round(mechanism.mapped(value), 12) + 0.0
    peak = mechanism.design.peak * mechanism.mapping.scale
    figure = go.Figure()
    _areas(figure, table)
    _true_value(figure, value, image, peak, unit)
    _intervals(figure, mechanism, peak)
    _two_axes(figure, mechanism, peak)
    (a, b), (low, high) = mechanism.inputs, mechanism.outputs
    summary = (
        f"The true value {quantity(value, unit)} maps to {number(image)} in the domain. Outputs "
        f"lie in {span(low, high, unit)} and nowhere else; their mean is the true value. "
        f"Inputs lie in {span(a, b, unit)}."
    )
    return Chart(
        key, title, axis, f"probability density (1/{unit})", figure, summary, table, height=460
    )


def curves(mechanism: CompositeMechanism, value: float) -> pd.DataFrame:
    """Base and activation over the output interval, with every jump drawn upright."""
    density, mapping = Density(mechanism.design), mechanism.mapping
    c_p = mechanism.mapped(value)
    half = mechanism.design.L
    jumps = np.array(density.breakpoints(c_p))
    nudge = half * 1e-9
    grid = np.concatenate([np.linspace(-half, half, POINTS), jumps - nudge, jumps, jumps + nudge])
    x = np.unique(np.clip(grid, -half, half))
    base, activation = density.base_pdf(x), density.activation_pdf(x, c_p)
    return pd.DataFrame(
        {
            "output": mapping.to_data(x),
            "output in the domain": x,
            "base": base * mapping.scale,
            "activation": activation * mapping.scale,
            "density": (base + activation) * mapping.scale,
        }
    )


def _areas(figure: go.Figure, table: pd.DataFrame) -> None:
    figure.add_scatter(
        x=table["output"],
        y=table["base"],
        name="base: the same for every input",
        line=BASE.line(1.5),
        fill="tozeroy",
        fillpattern={"shape": ".", "fgcolor": BASE.colour, "bgcolor": tint(GREY, 0.22), "size": 6},
        hovertemplate="%{y:.3g}",
    )
    figure.add_scatter(
        x=table["output"],
        y=table["density"],
        name="activation: follows the input",
        line=RELEASED.line(2.5),
        fill="tonexty",
        fillcolor=tint(RELEASED.colour, 0.35),
        hovertemplate="%{y:.3g}",
    )


def _true_value(figure: go.Figure, value: float, image: float, peak: float, unit: str) -> None:
    """One upright line from the data axis to the domain axis: a value and its image."""
    figure.add_scatter(
        x=[value, value],
        y=[0, peak * 1.18],
        mode="lines+markers",
        name=f"true value {quantity(value, unit)} = mean of the outputs",
        line=TRUE.line(2),
        marker=TRUE.marker(10),
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=[image],
        y=[peak * 1.18],
        xaxis="x2",
        mode="markers+text",
        marker={"color": TRUE.colour, "symbol": "diamond-open", "size": 14},
        text=[f" image {number(image)}"],
        textposition="middle right" if image <= 0 else "middle left",
        hoverinfo="skip",
        showlegend=False,
    )


def _intervals(figure: go.Figure, mechanism: CompositeMechanism, peak: float) -> None:
    (a, b), (low, high) = mechanism.inputs, mechanism.outputs
    for left, right, height, name, weight in (
        (low, high, -0.05 * peak, "output interval", 5),
        (a, b, -0.12 * peak, "input interval", 5),
    ):
        role = RELEASED if name.startswith("output") else TRUE
        figure.add_scatter(
            x=[left, right],
            y=[height, height],
            mode="lines+markers",
            name=f"{name} {span(left, right)}",
            line={"color": role.colour, "width": weight},
            marker={"symbol": "line-ns-open", "size": 12, "color": role.colour},
            hoverinfo="skip",
        )
    for edge in (low, high):
        figure.add_vline(x=edge, line={"color": RELEASED.colour, "width": 1, "dash": "dot"})


def _two_axes(figure: go.Figure, mechanism: CompositeMechanism, peak: float) -> None:
    """The domain's axis above the data's, aligned because the map is affine."""
    low, high = mechanism.outputs
    margin = 0.03 * (high - low)
    edges = (low - margin, high + margin)
    figure.update_layout(
        xaxis={"range": list(edges)},
        xaxis2={
            "range": [float(v) for v in mechanism.mapping.to_domain(np.array(edges))],
            "overlaying": "x",
            "side": "top",
            "title": {"text": "mapped domain (domain unit)"},
            "showgrid": False,
            "tickmode": "auto",
            "nticks": 6,
        },
        yaxis={"range": [-0.17 * peak, 1.3 * peak]},
    )
