"""Releases of what is too large for memory, or that other tools hold: each engine writes a file."""
