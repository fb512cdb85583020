"""Parts of the Optimizer page."""
