"""The sample tables are what their script draws and what their page says."""

from __future__ import annotations

import csv
import importlib.util
import re
from pathlib import Path
from statistics import fmean
from types import ModuleType

import pytest

from compdp_core.report.settings import TableSettings
from compdp_core.report.settings_reading import from_json

ASSETS = Path(__file__).parents[2] / "assets"
NAMES = ("school_health_survey.csv", "clinic_vitals.csv", "running_watch.csv")
FORMATS = {
    "school_health_survey.csv": ("utf-8", ",", "\n", {"", "NA", "n.a.", "-"}, 600),
    "clinic_vitals.csv": ("utf-8-sig", ",", "\r\n", {"", "NaN", "missing", "not measured"}, 1000),
    "running_watch.csv": ("utf-8", ";", "\n", {"", "--", "NA"}, 2000),
}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_samples", ASSETS / "make_samples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(name: str) -> list[dict[str, str]]:
    encoding, separator, *_ = FORMATS[name]
    with (ASSETS / name).open(encoding=encoding, newline="") as file:
        return list(csv.DictReader(file, delimiter=separator))


def documented_columns(name: str) -> dict[str, tuple[float, float] | None]:
    """Column -> public bounds, read from assets/README.md; None where a column is not data."""
    text = (ASSETS / "README.md").read_text(encoding="utf-8")
    section = text.split(f"## {name}")[1].split("\n## ")[0]
    columns: dict[str, tuple[float, float] | None] = {}
    for column, bounds in re.findall(r"^\| `([^`]+)` \|[^|]*\| ([^|]+) \|$", section, re.M):
        ends = re.fullmatch(r"(\S+) to (\S+)", bounds)
        columns[column] = (float(ends[1]), float(ends[2])) if ends else None
    return columns


def test_the_script_makes_exactly_the_bundled_tables(script: ModuleType) -> None:
    assert tuple(script.SAMPLES) == NAMES
    assert {path.name for path in ASSETS.glob("*.csv")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_drawing_again_gives_the_same_bytes(script: ModuleType, name: str) -> None:
    assert script.SAMPLES[name]() == (ASSETS / name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_format_is_as_documented(name: str) -> None:
    encoding, _separator, line_end, _missing, count = FORMATS[name]
    data = (ASSETS / name).read_bytes()
    assert data.startswith(b"\xef\xbb\xbf") == (encoding == "utf-8-sig")
    assert data.count(b"\n") == count + 1
    assert data.count(b"\r\n") == (count + 1 if line_end == "\r\n" else 0)
    assert len(rows(name)) == count
    assert list(rows(name)[0]) == list(documented_columns(name))


@pytest.mark.parametrize("name", NAMES)
def test_cells_are_numbers_or_a_documented_spelling_of_missing(name: str) -> None:
    missing = FORMATS[name][3]
    seen = set()
    for column, bounds in documented_columns(name).items():
        if bounds is None:
            continue
        outside = []
        for row in rows(name):
            if row[column] in missing:
                seen.add(row[column])
                continue
            value = float(row[column].replace(",", "."))
            if not bounds[0] <= value <= bounds[1]:
                outside.append(value)
        assert outside == ([1.58] if column == "height (cm)" else [])
    assert seen == missing


@pytest.mark.parametrize(
    ("name", "column", "digits"),
    [
        ("school_health_survey.csv", "pupil_id", 5),
        ("clinic_vitals.csv", "patient", 7),
        ("running_watch.csv", "runner", 3),
    ],
)
def test_ids_have_leading_zeros_that_a_number_would_lose(
    name: str, column: str, digits: int
) -> None:
    ids = [row[column] for row in rows(name)]
    assert all(len(cell) == digits and cell.isdigit() for cell in ids)
    assert sum(cell.startswith("0") for cell in ids) >= 30
    if name != "running_watch.csv":
        assert len(set(ids)) == len(ids)


# The tables are fixed, so these can fail only when the script is changed. Five standard errors
# tell a mean from the stated one when it is off by about a tenth of the standard deviation.
@pytest.mark.parametrize(
    ("name", "column", "mean", "spread"),
    [
        ("school_health_survey.csv", "screen time (min)", 165, 75),
        ("school_health_survey.csv", "steps per day", 9200, 3100),
        ("clinic_vitals.csv", "heart rate (bpm)", 76, 13),
        ("clinic_vitals.csv", "temperature (°C)", 36.8, 0.5),
        ("running_watch.csv", "heart rate (bpm)", 152, 12),
        ("running_watch.csv", "cadence (steps/min)", 168, 8),
    ],
)
def test_means_and_spreads_are_the_stated_ones(
    name: str, column: str, mean: float, spread: float
) -> None:
    missing = FORMATS[name][3]
    cells = [row[column] for row in rows(name) if row[column] not in missing]
    values = [float(cell.replace(",", ".")) for cell in cells]
    assert abs(fmean(values) - mean) < 5 * spread / len(values) ** 0.5
    variance = fmean((value - mean) ** 2 for value in values)
    assert abs(variance / spread**2 - 1) < 5 * (2 / len(values)) ** 0.5


def test_the_settings_beside_the_survey_have_its_public_bounds() -> None:
    reading = from_json((ASSETS / "school_health_settings.json").read_bytes())
    assert not reading.notices
    assert isinstance(reading.settings, TableSettings)
    known, plan = documented_columns("school_health_survey.csv"), reading.settings.plan
    assert reading.settings.labels == ("height (cm)", "weight (kg)")
    for label, column in zip(reading.settings.labels, plan.columns, strict=True):
        assert list(known)[column.position] == label
        assert (column.inputs.lower, column.inputs.upper) == known[label]
    assert {label for label, bounds in known.items() if bounds is None} - {"class"} == set(
        reading.settings.omitted
    )
