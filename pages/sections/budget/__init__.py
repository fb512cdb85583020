"""The parts of the Budget page."""
