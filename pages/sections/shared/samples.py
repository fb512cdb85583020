"""The bundled tables, each with bounds that could be written down without seeing it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ASSETS = Path(__file__).resolve().parents[3] / "assets"


@dataclass(frozen=True)
class Sample:
    file: str
    title: str
    about: str
    bounds: dict[str, tuple[int, int]]
    """Public bounds by column, from the unit, the instrument or the definition."""

    def read(self) -> bytes:
        return (ASSETS / self.file).read_bytes()


SAMPLES: tuple[Sample, ...] = (
    Sample(
        file="school_health_survey.csv",
        title="School health survey",
        about="600 pupils: age, height, weight, sleep, screen time, steps.",
        bounds={
            "age (years)": (10, 20),
            "height (cm)": (100, 220),
            "weight (kg)": (20, 150),
            "sleep (h)": (0, 24),
            "screen time (min)": (0, 1440),
            "steps per day": (0, 30000),
        },
    ),
    Sample(
        file="clinic_vitals.csv",
        title="Clinic vital signs",
        about="1,000 visits as a spreadsheet program saves them: blood pressure, heart rate, …",
        bounds={
            "age (years)": (18, 110),
            "systolic pressure (mmHg)": (50, 250),
            "diastolic pressure (mmHg)": (30, 150),
            "heart rate (bpm)": (30, 220),
            "temperature (°C)": (34, 42),
            "glucose (mmol/L)": (2, 30),
            "oxygen saturation (%)": (70, 100),
        },
    ),
    Sample(
        file="running_watch.csv",
        title="Running watch",
        about="2,000 runs of 80 runners, with semicolons and decimal commas.",
        bounds={
            "distance (km)": (0, 45),
            "pace (min/km)": (2, 12),
            "duration (min)": (0, 420),
            "heart rate (bpm)": (60, 220),
            "cadence (steps/min)": (100, 220),
            "climb (m)": (0, 2000),
        },
    ),
)


def sample_named(file: str) -> Sample | None:
    return next((sample for sample in SAMPLES if sample.file == file), None)
