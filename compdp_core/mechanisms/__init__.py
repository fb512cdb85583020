"""Mechanisms: the composite one, the lattice it draws from, and those it is compared with."""
