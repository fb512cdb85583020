"""Draws the three sample tables of this folder. Every person and value in them is invented.

Run ``python assets/make_samples.py`` to write them again; the bytes are always the same, since
only ``random.Random.random`` is used, whose sequence Python promises to keep.

Distributions. ``N(m, s)`` is normal with mean m and standard deviation s, redrawn until it lies
in the brackets behind it and rounded to the stated step. Values of a row are independent unless
a formula says otherwise.

``school_health_survey.csv``: 600 pupils, UTF-8, comma, lines end in LF
    pupil_id            five digits with leading zeros, distinct, in random order
    class               year 7 to 10 with letter a to d, equally likely
    age (years)         year + 5 + (0 or 1, equally likely), whole
    height (cm)         N(162 + 3.5 (age - 14), 8.5) [120, 205], step 0.1
    weight (kg)         BMI * height^2, BMI of N(20.5, 3.2) [13.5, 38], step 0.1
    sleep (h)           N(7.9 - 0.2 (age - 14), 0.9) [3, 12], step 0.5
    screen time (min)   N(165, 75) [0, 720], step 5
    steps per day       N(9200, 3100) [300, 30000], whole
    note                one of five phrases; most are empty
    Missing: height, weight 4 %, sleep 3 %, screen time 6 %, steps 5 %; spelled as an empty
    cell, NA, n.a. or -. One height was typed in metres (1.58).

``clinic_vitals.csv``: 1,000 visits, UTF-8 with byte order mark, comma, lines end in CR LF
    patient                    seven digits with leading zeros, distinct, in random order
    ward                       one of four, two of them with a comma in the name
    age (years)                N(58, 18) [18, 99], whole
    systolic pressure (mmHg)   N(112 + 0.35 age, 16) [75, 230], whole
    diastolic pressure (mmHg)  0.42 systolic + N(25, 8), whole
    heart rate (bpm)           N(76, 13) [38, 180], whole
    temperature (°C)           N(36.8, 0.5) [34.5, 41], step 0.1
    glucose (mmol/L)           exp N(1.75, 0.25) [2.5, 25], step 0.1
    oxygen saturation (%)      100 - whole part of an exponential with mean 3, at least 80
    Missing: diastolic 2 %, heart rate 3 %, temperature 5 %, glucose 12 %, saturation 4 %;
    spelled as an empty cell, NaN, missing or not measured.

``running_watch.csv``: 2,000 runs, UTF-8, semicolon with decimal comma, lines end in LF
    run_id               R with six digits, ascending
    runner               three digits with leading zeros, 001 to 080, equally likely
    date                 2025-01-01 to 2025-12-31, equally likely
    surface              road 60 %, trail 25 %, track 15 %
    distance (km)        exp N(2.0, 0.45) [1, 42.2], step 0.01
    pace (min/km)        N(5.6, 0.7) [3, 9.5] + 0.6 on trails, step 0.01
    duration (min)       distance * pace, step 0.1
    heart rate (bpm)     N(152, 12) [95, 205], whole
    cadence (steps/min)  N(168, 8) [130, 200], whole
    climb (m)            exponential with mean 7 (on trails 22) times the distance, whole
    Missing: heart rate 7 %, cadence 5 %, climb 2 %; spelled as an empty cell, -- or NA.
"""

from __future__ import annotations

import csv
import datetime
import io
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import NormalDist

FOLDER = Path(__file__).parent


class Draws:
    """Random values that stay the same for a seed in every version of Python."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def uniform(self) -> float:
        return self._random.random()

    def below(self, n: int) -> int:
        return int(self.uniform() * n)

    def choice(self, options: Sequence[str]) -> str:
        return options[self.below(len(options))]

    def weighted(self, options: dict[str, float]) -> str:
        mark = self.uniform() * sum(options.values())
        for option, weight in options.items():
            mark -= weight
            if mark < 0:
                return option
        return option

    def normal(self, mean: float, spread: float, lower: float, upper: float) -> float:
        while True:
            u = self.uniform()
            if u > 0:
                value = NormalDist(mean, spread).inv_cdf(u)
                if lower <= value <= upper:
                    return value

    def exponential(self, mean: float) -> float:
        return -mean * math.log1p(-self.uniform())

    def distinct(self, n: int, upper: int) -> list[int]:
        seen: dict[int, None] = {}
        while len(seen) < n:
            seen[self.below(upper)] = None
        return list(seen)

    def maybe_missing(self, cell: str, rate: float, spellings: Sequence[str]) -> str:
        """The cell, or with probability ``rate`` one of the spellings of a missing value."""
        return self.choice(spellings) if self.uniform() < rate else cell


def school_health_survey() -> bytes:
    """The table of 600 pupils described at the top."""
    draws = Draws(20260301)
    missing = ("", "NA", "n.a.", "-")
    phrases = {"": 80.0, "plays football": 7, "new glasses": 5, "broken arm, healing": 4, "ok": 4}
    header = [
        "pupil_id", "class", "age (years)", "height (cm)", "weight (kg)", "sleep (h)",
        "screen time (min)", "steps per day", "note",
    ]  # fmt: skip
    rows = []
    for number, pupil in enumerate(draws.distinct(600, 100_000)):
        year = 7 + draws.below(4)
        age = year + 5 + draws.below(2)
        height = draws.normal(162 + 3.5 * (age - 14), 8.5, 120, 205)
        weight = draws.normal(20.5, 3.2, 13.5, 38) * (height / 100) ** 2
        sleep = round(2 * draws.normal(7.9 - 0.2 * (age - 14), 0.9, 3, 12)) / 2
        screen = 5 * round(draws.normal(165, 75, 0, 720) / 5)
        steps = round(draws.normal(9200, 3100, 300, 30_000))
        height_cell = "1.58" if number == 411 else f"{height:.1f}"
        rows.append([
            f"{pupil:05d}",
            f"{year}{draws.choice('abcd')}",
            str(age),
            draws.maybe_missing(height_cell, 0.04, missing),
            draws.maybe_missing(f"{weight:.1f}", 0.04, missing),
            draws.maybe_missing(f"{sleep:.1f}", 0.03, missing),
            draws.maybe_missing(str(screen), 0.06, missing),
            draws.maybe_missing(str(steps), 0.05, missing),
            draws.weighted(phrases),
        ])  # fmt: skip
    return _write(header, rows).encode("utf-8")


def clinic_vitals() -> bytes:
    """The table of 1,000 visits described at the top."""
    draws = Draws(20260302)
    missing = ("", "NaN", "missing", "not measured")
    wards = ("Emergency", "Cardiology, 2nd floor", "Surgery", "Medicine, day clinic")
    header = [
        "patient", "ward", "age (years)", "systolic pressure (mmHg)", "diastolic pressure (mmHg)",
        "heart rate (bpm)", "temperature (°C)", "glucose (mmol/L)", "oxygen saturation (%)",
    ]  # fmt: skip
    rows = []
    for patient in draws.distinct(1000, 2_000_000):
        age = round(draws.normal(58, 18, 18, 99))
        systolic = round(draws.normal(112 + 0.35 * age, 16, 75, 230))
        diastolic = round(0.42 * systolic + draws.normal(25, 8, -10, 60))
        heart = round(draws.normal(76, 13, 38, 180))
        temperature = draws.normal(36.8, 0.5, 34.5, 41)
        glucose = math.exp(draws.normal(1.75, 0.25, math.log(2.5), math.log(25)))
        saturation = max(80, 100 - int(draws.exponential(3)))
        rows.append([
            f"{patient:07d}",
            draws.choice(wards),
            str(age),
            str(systolic),
            draws.maybe_missing(str(diastolic), 0.02, missing),
            draws.maybe_missing(str(heart), 0.03, missing),
            draws.maybe_missing(f"{temperature:.1f}", 0.05, missing),
            draws.maybe_missing(f"{glucose:.1f}", 0.12, missing),
            draws.maybe_missing(str(saturation), 0.04, missing),
        ])  # fmt: skip
    return _write(header, rows, line_end="\r\n").encode("utf-8-sig")


def running_watch() -> bytes:
    """The table of 2,000 runs described at the top."""
    draws = Draws(20260303)
    missing = ("", "--", "NA")
    surfaces = {"road": 60.0, "trail": 25, "track": 15}
    first_day = datetime.date(2025, 1, 1)
    header = [
        "run_id", "runner", "date", "surface", "distance (km)", "pace (min/km)", "duration (min)",
        "heart rate (bpm)", "cadence (steps/min)", "climb (m)",
    ]  # fmt: skip
    rows = []
    for number in range(1, 2001):
        surface = draws.weighted(surfaces)
        trail = surface == "trail"
        distance = round(math.exp(draws.normal(2.0, 0.45, 0, math.log(42.2))), 2)
        pace = round(draws.normal(5.6, 0.7, 3, 9.5) + (0.6 if trail else 0), 2)
        heart = round(draws.normal(152, 12, 95, 205))
        cadence = round(draws.normal(168, 8, 130, 200))
        climb = int(draws.exponential((22 if trail else 7) * distance))
        rows.append([
            f"R{number:06d}",
            f"{1 + draws.below(80):03d}",
            (first_day + datetime.timedelta(days=draws.below(365))).isoformat(),
            surface,
            f"{distance:.2f}".replace(".", ","),
            f"{pace:.2f}".replace(".", ","),
            f"{distance * pace:.1f}".replace(".", ","),
            draws.maybe_missing(str(heart), 0.07, missing),
            draws.maybe_missing(str(cadence), 0.05, missing),
            draws.maybe_missing(str(climb), 0.02, missing),
        ])  # fmt: skip
    return _write(header, rows, separator=";").encode("utf-8")


def _write(
    header: list[str], rows: list[list[str]], *, separator: str = ",", line_end: str = "\n"
) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator=line_end)
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


SAMPLES: dict[str, Callable[[], bytes]] = {
    "school_health_survey.csv": school_health_survey,
    "clinic_vitals.csv": clinic_vitals,
    "running_watch.csv": running_watch,
}


if __name__ == "__main__":
    for name, make in SAMPLES.items():
        (FOLDER / name).write_bytes(make())
        print(FOLDER / name)
