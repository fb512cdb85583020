"""The live picture of the mechanism: what one true value can turn into, and how likely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.design.affine import Mapping
from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.mechanisms.composite import CompositeMechanism
from pages.charts.chart import Chart
from pages.charts.theme import BASE, GREY, RELEASED, TRUE, interval, scatter, tint, truth, upright
from pages.charts.time_ticks import in_time, time_axis
from pages.text.values import ValueWords
from pages.text.wording import in_chart, number

POINTS = 121
MOST_JUMPS = 200


@dataclass(frozen=True)
class Scene:
    """One true value before a density: all that the picture needs."""

    design: Design
    mapping: Mapping
    inputs: tuple[float, float]
    outputs: tuple[float, float]
    value: float
    c_p: float
    """The value's image in the domain."""

    @classmethod
    def of(cls, mechanism: CompositeMechanism, value: float) -> Scene:
        return cls(
            mechanism.design,
            mechanism.mapping,
            mechanism.inputs,
            mechanism.outputs,
            value,
            mechanism.mapped(value),
        )

    @property
    def peak(self) -> float:
        """Height of the picture (1/data unit)."""
        return self.design.peak * self.mapping.scale


def scene_chart(
    key: str,
    scene: Scene,
    *,
    unit: str,
    title: str,
    axis: str | None = None,
    height: int = 460,
    domain: bool = True,
    words: ValueWords | None = None,
) -> Chart:
    """Density of the outputs for one true value, on the data's axis and the domain's above it.

    The domain may be left out where nobody has heard of it yet. Values are said in these words, or
    as numbers of the unit.
    """
    words = words or ValueWords(unit)
    curve = curves(scene)
    value, peak = scene.value, scene.peak
    image = round(scene.c_p, 12) + 0.0
    (a, b), (low, high) = scene.inputs, scene.outputs
    reach = words.span(low, high, bare=True)
    data = [
        *_areas(curve),
        *_true_value(scene, image if domain else None, in_chart(words.value(value, (a, b)), 36)),
        interval((low, high), -0.05 * peak, f"output interval {reach}", RELEASED.colour),
        interval(
            (a, b), -0.12 * peak, f"input interval {words.span(a, b, bare=True)}", TRUE.colour
        ),
    ]
    layout = _axes(scene, peak, domain)
    layout["xaxis"] |= time_axis(words, low, high)
    summary = (
        f"The true value is {words.value(value, (a, b))}"
        + (f", its image in the domain {number(image)}. " if domain else ". ")
        + f"Outputs lie in {words.span(low, high)} and nowhere else; their mean is the true value. "
        f"Inputs lie in {words.span(a, b)}."
    )
    return Chart(
        key,
        title,
        axis or words.named("released value"),
        f"probability density (1/{unit})",
        in_time(data, words),
        layout,
        summary,
        lambda: pd.DataFrame(_told(curve, words)),
        height=height,
    )


def curves(scene: Scene) -> dict[str, Any]:
    density, mapping = Density(scene.design), scene.mapping
    c_p, half = scene.c_p, scene.design.L
    jumps = np.array(density.breakpoints(c_p))
    # More than can be told apart, as of a staircase of hundreds of levels, are not drawn upright.
    inner = POINTS // 3 if jumps.size <= MOST_JUMPS else 4 * POINTS
    jumps = jumps if jumps.size <= MOST_JUMPS else jumps[[0, -1]]
    nudge = half * 1e-9
    start = density.start(c_p)
    # However narrow the activation, its shape is seen.
    within = np.linspace(start, start + scene.design.m, inner)
    grid = np.concatenate(
        [np.linspace(-half, half, POINTS), within, jumps - nudge, jumps, jumps + nudge]
    )
    x = np.unique(np.clip(grid, -half, half))
    base = density.base_pdf(x) * mapping.scale
    activation = density.activation_pdf(x, c_p) * mapping.scale
    return {
        "output": mapping.to_data(x),
        "output in the domain": x,
        "base": base,
        "activation": activation,
        "density": base + activation,
    }


def _told(curve: dict[str, Any], words: ValueWords) -> dict[str, Any]:
    """The numbers of the curve, with dates and times written out."""
    if words.format is None:
        return curve
    return curve | {"output": [words.value(each) for each in curve["output"].tolist()]}


def _areas(curve: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        scatter(
            curve["output"],
            curve["base"],
            "base: the same for every input",
            line=BASE.line(1.5),
            fill="tozeroy",
            fillcolor=tint(GREY, 0.3),
            hovertemplate="%{y:.3g}",
        ),
        scatter(
            curve["output"],
            curve["density"],
            "activation: follows the input",
            line=RELEASED.line(2.5),
            fill="tonexty",
            fillcolor=tint(RELEASED.colour, 0.35),
            hovertemplate="%{y:.3g}",
        ),
    ]


def _true_value(scene: Scene, image: float | None, said: str) -> list[dict[str, Any]]:
    """One upright line from the data axis to the domain axis: a value and its image."""
    top = scene.peak * 1.18
    name = f"true value {said} = mean of the outputs"
    drawn = [truth(scene.value, top, name)]
    if image is not None:
        drawn.append(
            scatter(
                [image],
                [top],
                "image",
                xaxis="x2",
                mode="markers+text",
                marker={"color": TRUE.colour, "symbol": "diamond-open", "size": 14},
                text=[f" image {number(image)} "],
                textposition="middle right" if image <= 0 else "middle left",
                hoverinfo="skip",
                showlegend=False,
            )
        )
    return drawn


def _axes(scene: Scene, peak: float, domain: bool) -> dict[str, Any]:
    """The domain's axis above the data's, aligned because the map is affine."""
    low, high = scene.outputs
    margin = 0.03 * (high - low)
    edges = [low - margin, high + margin]
    edge = {"color": RELEASED.colour, "width": 1, "dash": "dot"}
    layout: dict[str, Any] = {
        "xaxis": {"range": edges},
        "yaxis": {"range": [-0.17 * peak, 1.3 * peak]},
        "shapes": [upright(low, "x", edge), upright(high, "x", edge)],
    }
    if domain:
        layout["xaxis2"] = {
            "range": scene.mapping.to_domain(edges).tolist(),
            "overlaying": "x",
            "side": "top",
            "title": {"text": "mapped domain (domain unit)"},
            "showgrid": False,
            "tickmode": "auto",
            "nticks": 6,
        }
    return layout
