"""The paper's experiments, run again beside the numbers that it prints."""
