"""A claim against what is measured: lower bounds on epsilon, self checks, attacks."""
