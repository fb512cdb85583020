"""Claimed against measured: the subject, its loss, evidence from draws, checks and attacks."""
