"""Rooms of a class: one object of the process each, which all sessions share."""
