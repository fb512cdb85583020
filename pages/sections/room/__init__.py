"""A student's page: the question, the noise drawn on this very device, and what left."""
