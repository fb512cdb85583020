"""Bounded and unbiased composite differential privacy."""
