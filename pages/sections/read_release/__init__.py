"""Read a release: what its receiver can learn from a released table and its card."""
