"""Where outputs land: the whole range of each mechanism, and twenty equally likely outcomes."""

from __future__ import annotations

from typing import Any

import pandas as pd

from compdp_core.experiments import quantile_dots
from compdp_core.mechanisms.baselines import Mechanism
from pages.charts.chart import Chart
from pages.charts.theme import GREY, TRUE, lines, points
from pages.inputs.mechanisms import mechanism_role
from pages.sections.compare_mechanisms import settings as to
from pages.sections.compare_mechanisms.range_marks import (
    DOTS,
    PRECISION,
    ROW,
    arrows_of,
    dots_of,
    heading_of,
    mark,
    outputs_of,
    range_of,
    reach_of,
)
from pages.session.state import memo
from pages.text.wording import percent, span


def range_chart(asked: to.ComparedSettings, made: dict[str, Mechanism]) -> Chart:
    dots: pd.DataFrame = memo(
        f"{to.PAGE}.dots",
        (asked, tuple(made)),
        lambda: quantile_dots(made, asked.value, dots=DOTS, precision=PRECISION),
    )
    shown = reach_of(asked, made, dots)
    data: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    for row, (name, mechanism) in enumerate(reversed(made.items())):
        role = mechanism_role(asked.names[name])
        data += range_of(name, mechanism, row, shown, role.colour)
        data += dots_of(name, dots[dots.mechanism == name], row, shown, role)
        notes.append(heading_of(name, asked, mechanism, row))
    edge = {"color": TRUE.colour, "width": 1.5, "dash": "dot"}
    truth = {"color": TRUE.colour, "width": 2, "dash": "dash"}
    data += [
        lines([None], [None], f"inputs {span(*asked.inputs)}", edge),
        lines([None], [None], f"true value {asked.true_value}", truth),
        points(
            [None], [None], "outside the inputs",
            {"symbol": "x-thin", "size": 9, "line": {"width": 2, "color": GREY}},
        ),
        *arrows_of(made, shown),
    ]  # fmt: skip
    layout = {
        "xaxis": {"range": list(shown)},
        "yaxis": {
            "range": [-0.25, len(made)],
            "showticklabels": False,
            "showgrid": False,
            "zeroline": False,
        },
        "hovermode": "closest",
        "annotations": notes,
        "shapes": [
            mark(at, row, line)
            for row in range(len(made))
            for at, line in ((*((end, edge) for end in asked.inputs), (asked.value, truth)))
        ],
    }
    return Chart(
        "range",
        "Where outputs land",
        f"released value ({to.UNIT})",
        "",
        data,
        layout,
        _summary(asked, made),
        lambda: _numbers(asked, made, dots),
        height=150 + ROW * max(2, len(made)),
    )


def _summary(asked: to.ComparedSettings, made: dict[str, Mechanism]) -> str:
    words = [
        f"{name}: outputs {outputs_of(each)}, "
        f"{percent(float(each.probability_outside(asked.inputs, asked.value)))} outside the inputs"
        for name, each in made.items()
    ]
    return f"For the true value {asked.true_value} {to.UNIT}. {'; '.join(words)}."


def _numbers(
    asked: to.ComparedSettings, made: dict[str, Mechanism], dots: pd.DataFrame
) -> pd.DataFrame:
    ends = pd.DataFrame(
        {
            "mechanism": list(made),
            f"lowest output ({to.UNIT})": [each.outputs[0] for each in made.values()],
            f"highest output ({to.UNIT})": [each.outputs[1] for each in made.values()],
            "share outside the inputs": [
                float(each.probability_outside(asked.inputs, asked.value)) for each in made.values()
            ],
        }
    )
    listed = dots[["mechanism", "level", "quantile", "outside"]].rename(
        columns={"quantile": f"quantile ({to.UNIT})", "outside": "outside the inputs"}
    )
    return listed.merge(ends, on="mechanism")
