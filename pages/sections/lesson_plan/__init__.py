"""The plan of a lesson: what to ask, what to say, and what goes wrong."""
