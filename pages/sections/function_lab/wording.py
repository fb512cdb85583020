"""What the constraints are called."""

from __future__ import annotations

TITLES = {
    "height": "Height of the activation",
    "width": "Width of the activation",
    "base": "Height of the base",
    "mass": "Mass of the activation",
    "input": "Input",
    "peak": "Peak",
    "privacy": "Privacy",
    "steps": "Levels",
    "top": "Top level",
    "distance": "Sensitivity",
}
